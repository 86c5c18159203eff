# SPDX-License-Identifier: MPL-2.0
"""Imports a run, compares every frame, renders one, saves. Use: blender ... -- OUT PICTURE"""
import os
import sys

import bpy
import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from blender_compare import Check, arguments, check_frame, frames_of, parts_of, show_all, the_run  # noqa: E402
from meniscus_run import player  # noqa: E402


def check_scene(check, scene, out, frames):
    rate = (len(frames) - 1) / (frames[-1]["time"] - frames[0]["time"])
    check.equal((scene.frame_start, scene.frame_end), (frames[0]["frame"], frames[-1]["frame"]), "range of frames")
    check.true(abs(scene.render.fps / scene.render.fps_base / rate - 1.0) < 1e-6, "frames a second")
    written = sorted({name.split(".")[0] for name in os.listdir(os.path.join(out, "frames"))})
    check.equal(sorted(parts_of(the_run(scene))), written, "parts")


def check_places(check, scene):
    """Metres, with the scene's y up."""
    bpy.context.view_layer.update()
    for part, thing in parts_of(the_run(scene)).items():
        if len(thing.data.vertices):
            x, y, z = thing.data.vertices[0].co
            place = np.array(thing.matrix_world @ thing.data.vertices[0].co)
            check.true(np.allclose(place, [0.01 * x, -0.01 * z, 0.01 * y], rtol=1e-5, atol=1e-7), f"{part}: stands at {place}")


def check_curves(check, scene):
    """Every point of yarn is in the middle of a ring of eight at its radius."""
    yarn = parts_of(the_run(scene)).get("yarn")
    if yarn is None:
        return
    mesh = yarn.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    ring = np.array([v.co for v in mesh.vertices]).reshape(-1, 8, 3)
    points = np.array([v.co for v in yarn.data.vertices])
    radius = np.array([v.value for v in yarn.data.attributes["radius"].data])
    check.equal(len(ring), len(points), "rings of the yarn")
    nearest = np.array([np.linalg.norm(points - middle, axis=1).argmin() for middle in ring.mean(axis=1)])
    check.equal(len(set(nearest)), len(points), "points in the middle of a ring")
    reach = np.linalg.norm(ring - points[nearest][:, None], axis=2)
    # A ring is stretched across where its curve bends, never squeezed.
    check.true(bool((reach.min(axis=1) / radius[nearest] > 0.99).all() and np.median(reach / radius[nearest][:, None]) < 1.05), "radius of the yarn")


def render(check, scene, path):
    scene.render.engine, scene.cycles.device, scene.cycles.samples = "CYCLES", "CPU", 12
    scene.cycles.use_denoising = False
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = 480, 270, 100
    scene.render.filepath = path
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(path)
    pixels = np.empty(480 * 270 * 4, np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    check.true(pixels.reshape(-1, 4)[:, :3].std() > 0.02, "the picture is blank")


def main():
    out, picture = arguments()
    check, scene, frames = Check(), bpy.context.scene, frames_of(out)
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    check.equal(bpy.ops.import_scene.meniscus_run(filepath=os.path.join(out, "run.pvd")), {"FINISHED"}, "import")
    collection = the_run(scene)
    check_scene(check, scene, out, frames)
    scene.frame_set(frames[len(frames) * 2 // 3]["frame"])
    render(check, scene, picture)
    show_all(collection)
    # Forwards, and then back, as somebody scrubs; beyond the ends the first and last frame stand.
    for frame in frames + [frames[len(frames) // 2], frames[0]]:
        scene.frame_set(frame["frame"])
        check_frame(check, collection, out, frame["frame"])
    scene.frame_set(frames[-1]["frame"] + 7)
    check_frame(check, collection, out, frames[-1]["frame"], "after the last")
    collection[player.OFFSET] = 2
    scene.frame_set(frames[1]["frame"] + 2)
    check_frame(check, collection, out, frames[1]["frame"], "later by 2")
    collection[player.OFFSET] = 0
    scene.frame_set(frames[-1]["frame"])
    check.equal(collection[player.WARNING], "", "warning")
    check_places(check, scene)
    check_curves(check, scene)
    scene.frame_set(frames[0]["frame"])
    bpy.ops.wm.save_as_mainfile(filepath=os.path.join(out, "saved.blend"))
    check.end(f"{os.path.basename(out)}: {len(frames)} frames")


main()
