# SPDX-License-Identifier: MPL-2.0
"""A saved .blend goes on playing: in this Blender, which opened it, and when it is opened again. Use: blender FILE ... -- OUT"""
import os
import sys

import bpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from blender_compare import Check, arguments, check_frame, frames_of, the_run  # noqa: E402


def main():
    out, = arguments()
    check, frames = Check(), frames_of(out)
    for again in (False, True):
        if again:
            bpy.ops.wm.open_mainfile(filepath=os.path.join(out, "saved.blend"))
        for frame in (frames[1], frames[-1]):
            bpy.context.scene.frame_set(frame["frame"])
            check_frame(check, the_run(bpy.context.scene), out, frame["frame"])
    check.end(f"{os.path.basename(out)}: opened again")


main()
