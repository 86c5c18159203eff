# SPDX-License-Identifier: MPL-2.0
"""Opens OUT/run.pvd of finished runs as a user of ParaView would, and compares what ParaView sees with what the run says.

Use: pvpython paraview_runs.py OUT...      (paraview.sh makes the runs; not named paraview.py, which would hide the package)
"""
import csv
import json
import math
import os
import re
import sys

from paraview.simple import PVDReader, servermanager
from paraview.vtk.numpy_interface import dataset_adapter
from vtkmodules.vtkCommonCore import vtkOutputWindow, vtkStringOutputWindow
import numpy

# Frame files hold floats.
FLOAT = 1e-6
# What a part says of itself.
LOOKS = {"particles": "spray", "surface": "liquid", "obstacles": "solid", "cloth": "cloth", "yarn": "fibre", "tubes": "fibre"}
# A field of a part: components, and whether it counts something.
FIELDS = {
    "particles": {"velocity": (3, "f"), "volume": (1, "f"), "pressure": (1, "f"), "id": (1, "i")},
    "surface": {"velocity": (3, "f"), "pressure": (1, "f")},
    "obstacles": {"obstacle": (1, "i"), "normals": (3, "f")},
}


class Check:
    """Counts what was compared and keeps what did not agree."""

    def __init__(self, out):
        self.out, self.count, self.wrong = out, 0, []

    def true(self, good, what):
        self.count += 1
        if not good:
            self.wrong.append(what)

    def equal(self, found, wanted, what):
        self.true(found == wanted, f"{what}: ParaView has {found}, the run says {wanted}")

    def near(self, found, wanted, tolerance, what):
        self.true(math.isfinite(found) and abs(found - wanted) <= tolerance, f"{what}: ParaView has {found!r}, the run says {wanted!r}")


def read_run(out):
    """Frames and times of run.json, rows of the ledger by frame, and the bounds of the resolved scene."""
    with open(os.path.join(out, "run.json")) as f:
        frames = json.load(f)["frames"]
    with open(os.path.join(out, "ledger.csv"), newline="") as f:
        ledger = {int(row["frame"]): row for row in csv.DictReader(f)}
    with open(os.path.join(out, "scene.yaml")) as f:
        text = f.read()
    found = re.search(r"^ *bounds:(.*?)^ *[a-z_]+:", text, re.M | re.S)
    numbers = [float(x) for x in re.findall(r"-?[0-9][0-9.e+-]*", found.group(1))]
    if len(numbers) != 6:
        sys.exit(f"{out}/scene.yaml: domain.bounds could not be read: {found.group(1)!r}")
    return frames, ledger, numbers[:3], numbers[3:]


def parts_of(reader, time):
    """Name -> poly data, as they stand at a time."""
    reader.UpdatePipeline(time)
    collection = servermanager.Fetch(reader)
    parts = {}
    for k in range(collection.GetNumberOfBlocks()):
        block = collection.GetBlock(k)
        while block is not None and block.IsA("vtkMultiBlockDataSet") and block.GetNumberOfBlocks() == 1:
            block = block.GetBlock(0)
        parts[collection.GetMetaData(k).Get(collection.NAME())] = block
    return parts


def check_fields(check, part, data, where):
    wrapped = dataset_adapter.WrapDataObject(data)
    look = data.GetFieldData().GetAbstractArray("look")
    check.equal(None if look is None else look.GetValue(0), LOOKS[part], f"{where}: look")
    found = {}
    for k in range(data.GetPointData().GetNumberOfArrays()):
        found[data.GetPointData().GetArrayName(k)] = data.GetPointData().GetArray(k)
    check.equal(sorted(found), sorted(FIELDS[part]), f"{where}: fields")
    for name, (components, kind) in FIELDS[part].items():
        if name not in found:
            continue
        check.equal(found[name].GetNumberOfComponents(), components, f"{where}: components of {name}")
        check.equal(found[name].GetNumberOfTuples(), data.GetNumberOfPoints(), f"{where}: values of {name}")
        values = numpy.asarray(wrapped.PointData[name]) if data.GetNumberOfPoints() > 0 else numpy.zeros(0)
        if data.GetNumberOfPoints() > 0:
            check.equal(values.dtype.kind, kind, f"{where}: kind of number of {name}")
        check.true(bool(numpy.isfinite(values).all()), f"{where}: {name} holds a number that is not finite")
    return wrapped


def check_inside(check, data, low, high, beyond, where):
    if data.GetNumberOfPoints() == 0:
        return
    bounds = data.GetBounds()
    for axis in range(3):
        room = FLOAT * (high[axis] - low[axis]) + beyond
        check.true(bounds[2 * axis] >= low[axis] - room and bounds[2 * axis + 1] <= high[axis] + room,
                   f"{where}: reaches from {bounds[2 * axis]} to {bounds[2 * axis + 1]} along {'xyz'[axis]}, outside the domain")


def check_particles(check, data, row, time, where):
    """Counts and sums as in the ledger. Sums of floats: each value is off by 6e-8 of itself at most."""
    count = data.GetNumberOfPoints()
    check.equal(count, int(row["particles"]), f"{where}: particles")
    check.equal(data.GetNumberOfVerts(), count, f"{where}: vertex cells")
    stamp = data.GetFieldData().GetArray("TimeValue")
    check.true(stamp is not None and stamp.GetNumberOfTuples() == 1, f"{where}: has no TimeValue")
    if stamp is not None and stamp.GetNumberOfTuples() == 1:
        check.near(stamp.GetValue(0), time, 0.0, f"{where}: TimeValue")
    wrapped = check_fields(check, "particles", data, where)
    if count == 0:
        check.near(0.0, float(row["liquid_bulk"]), 0.0, f"{where}: volume of no particles")
        return
    volume = numpy.asarray(wrapped.PointData["volume"], dtype=float)
    speed = numpy.sqrt((numpy.asarray(wrapped.PointData["velocity"], dtype=float) ** 2).sum(axis=1))
    check.true(bool((volume > 0.0).all()), f"{where}: a particle without volume")
    check.near(volume.sum(), float(row["liquid_bulk"]), FLOAT * float(row["liquid_bulk"]), f"{where}: liquid volume")
    check.near(speed.max(), float(row["max_speed"]), FLOAT * float(row["max_speed"]), f"{where}: largest speed")
    check.equal(len(numpy.unique(numpy.asarray(wrapped.PointData["id"]))), count, f"{where}: different ids")


def check_triangles(check, name, data, where):
    check.equal(data.GetNumberOfCells(), data.GetNumberOfPolys(), f"{where}: cells that are triangles")
    wrapped = check_fields(check, name, data, where)
    if data.GetNumberOfPolys() == 0:
        return wrapped
    points = data.GetNumberOfPoints()
    corners = numpy.asarray(wrapped.Polygons).reshape(-1, 4)
    check.true(bool((corners[:, 0] == 3).all()), f"{where}: a polygon that is no triangle")
    check.true(corners[:, 1:].min() >= 0 and corners[:, 1:].max() < points, f"{where}: a corner that does not exist")
    return wrapped


def check_obstacles(check, data, where):
    check.true(data.GetNumberOfPolys() > 0, f"{where}: has no triangles")
    wrapped = check_triangles(check, "obstacles", data, where)
    check.equal(sorted(set(numpy.asarray(wrapped.PointData["obstacle"]).tolist())), [0, 1], f"{where}: numbers of the obstacles")


def check_run(out):
    check = Check(out)
    frames, ledger, low, high = read_run(out)
    check.true(len(frames) > 2, "the run has too few frames to show anything")
    reader = PVDReader(FileName=os.path.join(out, "run.pvd"))
    reader.UpdatePipelineInformation()
    times = list(reader.TimestepValues)
    check.equal(times, [f["time"] for f in frames], "times")
    seen, counts, surfaces = {}, [], 0
    # Forwards, and then once back, as somebody scrubs.
    for k in list(range(len(frames))) + [len(frames) // 2, 0]:
        frame, time = frames[k]["frame"], frames[k]["time"]
        parts = parts_of(reader, time)
        check.equal(sorted(parts), sorted(FIELDS), f"frame {frame}: parts")
        for name, data in parts.items():
            where = f"frame {frame}, {name}"
            check.true(data is not None and data.IsA("vtkPolyData"), f"{where}: is no poly data")
            if name not in FIELDS or data is None or not data.IsA("vtkPolyData"):
                continue
            # The surface closes a thousandth of a cell (1 cm here) beyond the walls, so that it cannot flicker with them.
            check_inside(check, data, low, high, 1e-3 if name == "surface" else 0.0, where)
            if name == "particles":
                check_particles(check, data, ledger[frame], time, where)
                counts.append(data.GetNumberOfPoints())
            elif name == "surface":
                check_triangles(check, name, data, where)
                surfaces += data.GetNumberOfPolys() > 0
            else:
                check_obstacles(check, data, where)
                seen.setdefault(frame, data.GetBounds())
                check.equal(data.GetBounds(), seen[frame], f"{where}: bounds when looked at again")
    check.true(surfaces > 2, f"only {surfaces} frames show a surface")
    return check, len(frames), counts, len(set(seen.values()))


def check_quietly(out):
    """check_run, and that ParaView had nothing to say. (What Python prints goes to the same window.)"""
    window, messages = vtkOutputWindow.GetInstance(), vtkStringOutputWindow()
    vtkOutputWindow.SetInstance(messages)
    try:
        result = check_run(out)
    finally:
        vtkOutputWindow.SetInstance(window)
    result[0].true(messages.GetOutput() == "", "ParaView says: " + messages.GetOutput().strip())
    return result


def main():
    wrong = 0
    for out in sys.argv[1:]:
        check, frames, counts, poses = check_quietly(out)
        moving = os.path.basename(out) == "moving"
        check.true(poses > 1 if moving else poses == 1, f"the obstacles stood in {poses} different places")
        check.true(min(counts) == 0 and max(counts) > 100, f"particles go from {min(counts)} to {max(counts)}; 0 to more than 100 were meant")
        for line in check.wrong:
            print(f"{out}: {line}")
        print(f"{os.path.basename(out)}: {frames} frames, up to {max(counts)} particles, obstacles in {poses} places: "
              f"{check.count} comparisons, {len(check.wrong)} wrong")
        wrong += len(check.wrong)
    return 1 if wrong > 0 or len(sys.argv) < 2 else 0


if __name__ == "__main__":
    sys.exit(main())
