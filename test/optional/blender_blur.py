# SPDX-License-Identifier: MPL-2.0
"""Motion blur is as long as the velocities of the file ask: the attribute means cm/s in an object whose unit is a cm. Use: -- OUT

Frame 0 of the run holds a ball of water that falls at 150 cm/s, over a pool at rest.
"""
import os
import sys

import bpy
import numpy as np
from mathutils import Vector

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from blender_compare import Check, arguments  # noqa: E402
from meniscus_run import load  # noqa: E402

SPEED, SHUTTER, PIXELS_A_METRE = 1.50, 0.5, 2000.0


def render_height(scene, path):
    """Metres from the lowest to the highest pixel that the ball covers at all."""
    scene.render.filepath = path
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(path)
    pixels = np.empty(image.size[0] * image.size[1] * 4, np.float32)
    image.pixels.foreach_get(pixels)
    rows = np.nonzero(pixels.reshape(image.size[1], image.size[0], 4)[:, :, 3].max(axis=1) > 0.02)[0]
    bpy.data.images.remove(image)
    return (rows[-1] - rows[0] + 1) / PIXELS_A_METRE


def set_up(scene, low, high):
    """A camera without perspective that sees the ball alone, and nothing behind it."""
    data = bpy.data.cameras.new("side")
    data.type, data.ortho_scale, data.clip_start = "ORTHO", high - low, 0.001
    camera = bpy.data.objects.new("side", data)
    camera.location, camera.rotation_euler = Vector((0.0, -1.0, (low + high) / 2.0)), (np.pi / 2.0, 0.0, 0.0)
    scene.collection.objects.link(camera)
    scene.camera = camera
    size = round((high - low) * PIXELS_A_METRE)
    scene.render.resolution_x = scene.render.resolution_y = size
    scene.render.resolution_percentage, scene.render.film_transparent = 100, True
    scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising = "CYCLES", 64, False
    scene.cycles.filter_width = 0.5
    scene.render.motion_blur_shutter = SHUTTER


def main():
    out, = arguments()
    check, scene = Check(), bpy.context.scene
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    load(out, scene, with_stage=False)
    scene.frame_set(0)
    set_up(scene, 0.06, 0.14)
    heights = []
    for blur in (False, True):
        scene.render.use_motion_blur = blur
        heights.append(render_height(scene, os.path.join(out, "blur.png")))
    path = SPEED * SHUTTER * scene.render.fps_base / scene.render.fps
    check.true(0.8 * path < heights[1] - heights[0] < 1.1 * path,
               f"the blur is {1e3 * (heights[1] - heights[0]):.1f} mm long; at {SPEED} m/s and a shutter of {SHUTTER} it is {1e3 * path:.1f} mm")
    check.end(f"motion blur: {1e3 * (heights[1] - heights[0]):.1f} mm of {1e3 * path:.1f} mm")


main()
