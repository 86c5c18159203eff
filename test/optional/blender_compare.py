# SPDX-License-Identifier: MPL-2.0
"""What Blender holds of a run against the .npz beside its frame files (vtp_dump.py). Shared by the tests of the add-on."""
import json
import os
import sys

import bpy
import numpy as np

from meniscus_run import player


class Check:
    """Counts what was compared and keeps what did not agree."""

    def __init__(self):
        self.count, self.wrong = 0, []

    def true(self, good, what):
        self.count += 1
        if not good:
            self.wrong.append(what)

    def equal(self, found, wanted, what):
        self.true(found == wanted, f"{what}: {found!r}, but {wanted!r} was meant")

    def same(self, found, wanted, what):
        """Arrays of equal shape and equal bits."""
        wanted = np.ascontiguousarray(wanted)
        self.true(found.shape == wanted.shape and found.dtype == wanted.dtype and found.tobytes() == wanted.tobytes(),
                  f"{what}: {found.shape} {found.dtype} is not {wanted.shape} {wanted.dtype}, or values differ")

    def end(self, name):
        for line in self.wrong:
            print(f"{name}: {line}")
        print(f"{name}: {self.count} comparisons, {len(self.wrong)} wrong", flush=True)
        if self.wrong:
            sys.exit(1)


def arguments():
    return sys.argv[sys.argv.index("--") + 1:]


def frames_of(out):
    with open(os.path.join(out, "run.json")) as file:
        return json.load(file)["frames"]


def file_of(out, part, number):
    """The newest file of a part that is not later than a frame: what stands still is written once."""
    names = sorted(name for name in os.listdir(os.path.join(out, "frames")) if name.startswith(part + ".") and name.endswith(".vtp"))
    return os.path.join(out, "frames", [name for name in names if int(name.split(".")[1]) <= number][-1])


def the_run(scene):
    found = player.collections_of(scene)
    if len(found) != 1:
        sys.exit(f"the scene has {len(found)} runs, where one was meant")
    return found[0]


def parts_of(collection):
    return {thing[player.PART]: thing for thing in collection.all_objects if player.PART in thing}


def show_all(collection):
    """Parts that another one shows are not read while they are hidden."""
    for thing in parts_of(collection).values():
        thing.hide_viewport = thing.hide_render = False


def values(collection, member, width, dtype):
    found = np.empty(len(collection) * width, dtype)
    collection.foreach_get(member, found)
    return found.reshape(-1, width) if width > 1 else found


def check_cells(check, mesh, wanted, where):
    ends, corners = wanted["ends"], wanted["corners"].astype(np.int32)
    check.equal(len(mesh.polygons), int(wanted["triangles"]), f"{where}: triangles")
    if wanted["triangles"] > 0:
        check.same(values(mesh.loops, "vertex_index", 1, np.int32), corners, f"{where}: corners")
        check.same(values(mesh.polygons, "loop_start", 1, np.int32), (ends - 3).astype(np.int32), f"{where}: first corners")
        check.true(not mesh.validate(), f"{where}: Blender finds the mesh invalid")
    elif wanted["lines"] > 0:
        pairs = [pair for line in np.split(corners, ends[:-1]) for pair in zip(line[:-1], line[1:])]
        check.same(values(mesh.edges, "vertices", 2, np.int32), np.array(pairs, np.int32), f"{where}: edges")
    else:
        check.equal(len(mesh.edges), 0, f"{where}: edges")


def linear(srgb):
    """IEC 61966-2-1, one value at a time."""
    return srgb / 12.92 if srgb <= 0.04045 else ((srgb + 0.055) / 1.055) ** 2.4


def check_color(check, mesh, wanted, where):
    color = mesh.color_attributes["Color"]
    check.equal((color.data_type, color.domain), ("FLOAT_COLOR", "POINT"), f"{where}: kind of Color")
    light = np.array([[linear(float(x)) for x in row] + [1.0] for row in wanted])
    check.true(np.abs(values(color.data, "color", 4, np.float32) - light).max() < 1e-7, f"{where}: Color is not the linear light of the codes")


def check_fields(check, mesh, wanted, where):
    for key in wanted.files:
        name, array = key[len("field_"):], wanted[key]
        if not key.startswith("field_"):
            continue
        if name == "color":
            check_color(check, mesh, array, where)
        attribute = mesh.attributes.get(name)
        check.true(attribute is not None, f"{where}: no attribute {name}")
        if attribute is None:
            continue
        kind = "FLOAT_VECTOR" if array.ndim == 2 else "FLOAT" if array.dtype.kind == "f" else "INT"
        check.equal((attribute.data_type, attribute.domain), (kind, "POINT"), f"{where}: kind of {name}")
        member, width, dtype = ("vector", 3, np.float32) if array.ndim == 2 else ("value", 1, np.float32 if kind == "FLOAT" else np.int32)
        check.same(values(attribute.data, member, width, dtype), array.astype(np.int32) if kind == "INT" else array, f"{where}: {name}")


def check_frame(check, collection, out, number, shown=None):
    """Every part of the collection against frame `number` of the folder; `shown` names the frame where it is another."""
    for part, thing in parts_of(collection).items():
        wanted = np.load(file_of(out, part, number) + ".npz")
        where = f"frame {number if shown is None else shown}, {part}"
        check.same(values(thing.data.vertices, "co", 3, np.float32), wanted["points"].reshape(-1, 3), f"{where}: points")
        check_cells(check, thing.data, wanted, where)
        if len(wanted["points"]):
            check_fields(check, thing.data, wanted, where)
