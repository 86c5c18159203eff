# SPDX-License-Identifier: MPL-2.0
"""Imports a run: in every frame that has liquid, a surface of it is shown, and its particles are not. Use: blender ... -- OUT"""
import os
import sys

import bpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from blender_compare import Check, arguments, frames_of, parts_of, the_run  # noqa: E402
from meniscus_run import vtp  # noqa: E402


def main():
    (out,) = arguments()
    check, scene, frames = Check(), bpy.context.scene, frames_of(out)
    check.equal(bpy.ops.import_scene.meniscus_run(filepath=os.path.join(out, "run.pvd")), {"FINISHED"}, "import")
    parts = parts_of(the_run(scene))
    surface, particles = parts["surface"], parts["particles"]
    counts = []
    for frame in frames:
        scene.frame_set(frame["frame"])
        liquid = len(vtp.read(os.path.join(out, "frames", f"particles.{frame['frame']:06d}.vtp")).points)
        triangles = len(surface.data.polygons)
        check.true((triangles > 0) == (liquid > 0), f"frame {frame['frame']}: {liquid} particles and {triangles} triangles")
        check.true(not surface.hide_render and not surface.hide_viewport, f"frame {frame['frame']}: the surface is hidden")
        check.true(particles.hide_render, f"frame {frame['frame']}: the particles are shown, too")
        counts.append(triangles)
    check.end(f"{os.path.basename(out)}: {len(frames)} frames, {min(counts)} to {max(counts)} triangles of liquid")


main()
