# SPDX-License-Identifier: MPL-2.0
"""Frames that are cut off, missing or changed: a warning that names the file, and the last good frame stays. Use: -- OUT OTHER"""
import os
import random
import shutil
import sys

import bpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from blender_compare import Check, arguments, check_frame, file_of, frames_of, parts_of, the_run  # noqa: E402
from meniscus_run import load, player, vtp  # noqa: E402


def check_warning(check, collection, path, what):
    check.true(path in collection[player.WARNING], f"{what}: the warning is {collection[player.WARNING]!r}")


def check_frames(check, out, scene):
    collection = load(out, scene, with_stage=False)
    for spoil, what in ((lambda path: os.truncate(path, os.path.getsize(path) - 500), "cut off"), (os.remove, "missing")):
        path = file_of(out, "cloth", 3)
        shutil.copy(path, path + ".good")
        scene.frame_set(2)
        spoil(path)
        scene.frame_set(3)
        check_warning(check, collection, path, what)
        check_frame(check, collection, out, 2, f"2 instead of 3, {what}")
        scene.frame_set(4)
        check_frame(check, collection, out, 4)
        check.equal(collection[player.WARNING], "", f"{what}: warning on the next frame")
        shutil.copy(path + ".good", path)
        scene.frame_set(3)
        check_frame(check, collection, out, 3)


def check_up(check, out, scene):
    """A scene with z up stands as it is."""
    path = os.path.join(out, "scene.yaml")
    with open(path) as file:
        text = file.read()
    with open(path, "w") as file:
        file.write(text.replace("\n  up: y\n", "\n  up: z\n"))
    collection = load(out, scene, with_stage=True)
    bpy.context.view_layer.update()
    thing = parts_of(collection)["cloth"]
    place, point = thing.matrix_world @ thing.data.vertices[0].co, thing.data.vertices[0].co
    check.true((place - 0.01 * point).length < 1e-7, f"z up: {tuple(point)} stands at {tuple(place)}")
    bpy.data.collections.remove(collection)


def check_refusals(check, out, folder):
    """No run: the operator says so and cancels."""
    for name in ("run.pvd", "run.json"):
        copy = os.path.join(folder, "without-" + name)
        shutil.copytree(out, copy)
        with open(os.path.join(copy, name), "w") as file:
            file.write("damaged")
        try:
            bpy.ops.import_scene.meniscus_run(filepath=os.path.join(copy, "run.pvd"))
            check.true(False, f"{name}: damaged, but imported")
        except RuntimeError as error:
            check.true(name in str(error), f"{name}: it says {error}")


def check_reader(check, path):
    """Whatever bytes a file has, it is read or refused in a sentence."""
    with open(path, "rb") as file:
        good = file.read()
    head, dice, refused = good.find(b"<AppendedData") + 400, random.Random(1), 0
    for k in range(2000):
        bad = bytearray(good[:dice.randrange(len(good))] if k % 4 == 0 else good)
        for _ in range(dice.randrange(1, 4)):
            bad[dice.randrange(min(head, len(bad)))] = dice.randrange(256)
        with open(path + ".bad", "wb") as file:
            file.write(bad)
        try:
            vtp.read(path + ".bad")
        except vtp.Damaged as error:
            refused += 1
            check.true(path in str(error), f"a refusal that does not name its file: {error}")
    os.remove(path + ".bad")
    check.true(refused > 1000, f"only {refused} of 2000 damaged files were refused")


def main():
    given, other = arguments()
    out = given + "-damaged"
    shutil.copytree(given, out)
    check, scene = Check(), bpy.context.scene
    check_frames(check, out, scene)
    bpy.data.collections.remove(the_run(scene))
    check_refusals(check, out, os.path.dirname(out))
    check_up(check, out, scene)
    for part in ("particles", "surface"):
        check_reader(check, file_of(other, part, frames_of(other)[-1]["frame"]))
    check.end("damaged frames")


main()
