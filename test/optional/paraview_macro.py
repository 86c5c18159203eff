# SPDX-License-Identifier: MPL-2.0
"""Runs integrations/paraview/meniscus_open.py on a run: every part looks as it should, and the picture shows something.

Use: pvpython paraview_macro.py FOLDER_OF_THE_MACRO PICTURES OUT      (paraview.sh makes the runs)
"""
import json
import os
import sys

from paraview import simple
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOImage import vtkPNGReader

from paraview_runs import Check

sys.path.insert(0, sys.argv[1])
import meniscus_open  # noqa: E402


def array_of(look):
    """Name of the array that gives the colours; None for a single colour."""
    return look.ColorArrayName[1] or None if look.ColorArrayName[1:] else None


def has(view, part, array):
    return view.sources[part].PointData.GetArray(array) is not None


def check_looks(check, view):
    parts, shown = set(view.sources), view.shown
    covered = {"particles": "surface" in parts and not view.run.flat, "tubes": "yarn" in parts}
    for part, look in shown.items():
        if part != "cloth" or "stains" not in parts:
            check.equal(bool(look.Visibility), not covered.get(part, False), f"{part}: shown")
        check.equal(look.Representation, "Points" if part == "particles" else "Surface", f"{part}: representation")
    if "surface" in parts:
        check.equal((array_of(shown["surface"]), shown["surface"].Opacity < 1.0), (None, True), "surface: one colour, translucent")
        check.true(shown["surface"].DiffuseColor[2] > 2.0 * shown["surface"].DiffuseColor[0], "surface: is not blue")
    if "particles" in parts:
        check.equal(array_of(shown["particles"]), "velocity", "particles: coloured by")
    if "obstacles" in parts:
        color = list(shown["obstacles"].DiffuseColor)
        check.equal((array_of(shown["obstacles"]), max(color) - min(color) < 0.05), (None, True), "obstacles: gray")
    if "stains" in parts:
        check.equal((array_of(shown["stains"]), shown["stains"].MapScalars), ("color", 0), "stains: their own colours")
    for part in {"cloth", "yarn"} & parts:
        wanted = "color" if has(view, part, "color") else "saturation" if has(view, part, "saturation") else None
        check.equal(array_of(shown[part]), wanted, f"{part}: coloured by")
        if wanted == "saturation" and shown[part].Visibility:
            table = simple.GetColorTransferFunction("saturation")
            check.equal((table.RGBPoints[0], table.RGBPoints[-4]), (0.0, 1.0), f"{part}: range of colours")
            check.equal(simple.GetScalarBar(table, view.view).Visibility, 1, f"{part}: legend")


def check_tubes(check, view):
    """The yarn is as thick as its radius says: its box is that of the points, larger by at most the radius."""
    if "yarn" not in view.sources:
        return
    radius = view.sources["yarn"].PointData.GetArray("radius").GetRange()
    line, tube = view.sources["yarn"].GetDataInformation().GetBounds(), view.shown["yarn"].Input.GetDataInformation().GetBounds()
    grown = [abs(a - b) for a, b in zip(line, tube)]
    check.true(max(grown) <= 1.01 * radius[1] and max(grown) > 0.9 * radius[0], f"yarn: of radius {radius} its tubes reach {grown} beyond it")


def read_picture(path):
    reader = vtkPNGReader()
    reader.SetFileName(path)
    reader.Update()
    image = reader.GetOutput()
    return vtk_to_numpy(image.GetPointData().GetScalars()).reshape(image.GetDimensions()[1], image.GetDimensions()[0], -1)


def open_as_macro(out):
    """As in ParaView's window: somebody opens run.pvd, then presses the button."""
    simple.OpenDataFile(os.path.join(out, "run.pvd"))
    return meniscus_open.open_active()


def check_run(out, pictures):
    check = Check(out)
    with open(os.path.join(out, "run.json")) as file:
        frames = json.load(file)["frames"]
    view = open_as_macro(out) if os.path.basename(out) == "towel" else meniscus_open.open_run(out)
    check.equal(view.view.ViewTime, frames[-1]["time"], "time")
    check.equal(list(view.view.CameraViewUp), [0.0, 1.0, 0.0], "up")
    written = {name.split(".")[0] for name in os.listdir(os.path.join(out, "frames")) if name.endswith(".vtp")}
    check.equal(set(view.shown), written, "parts")
    check_looks(check, view)
    check_tubes(check, view)
    picture = os.path.join(pictures, os.path.basename(out) + ".png")
    view.save(picture)
    pixels = read_picture(picture).astype(float)[:, :, :3]
    check.true((abs(pixels - pixels[2, 2]).sum(axis=2) > 30).mean() > 0.01, "the picture is blank")
    return check


def main():
    check = check_run(sys.argv[3], sys.argv[2])
    for line in check.wrong:
        print(f"{check.out}: {line}")
    print(f"{os.path.basename(check.out)}: opened by the macro: {check.count} comparisons, {len(check.wrong)} wrong", flush=True)
    if check.wrong:
        sys.exit(1)


if __name__ == "__main__":
    main()
