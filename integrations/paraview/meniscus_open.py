# SPDX-License-Identifier: MPL-2.0
"""Opens a Meniscus run in ParaView, every part as it is best looked at.

    pvpython meniscus_open.py RUN [--picture OUT.png] [--frame N] [--glass]

RUN is the folder of a run or its run.pvd. As a macro (Macros > Import new macro) it takes the run.pvd that was opened last.
"""
import argparse
import json
import os
import re
import sys
import xml.etree.ElementTree as ElementTree

import numpy
from paraview import servermanager, simple
from vtkmodules.util.numpy_support import vtk_to_numpy

BLUE, THREAD, LINEN, GRAY = [0.16, 0.45, 0.75], [0.80, 0.66, 0.50], [0.79, 0.74, 0.67], [0.62, 0.62, 0.60]
LOOKS = ("solid", "liquid", "spray", "cloth", "fibre", "stain")         # src/output/look.h
# Files from before the look was written into them; the list does not grow.
OLDER = {"surface": "liquid", "particles": "spray", "obstacles": "solid", "cloth": "cloth", "yarn": "fibre", "tubes": "fibre", "stains": "stain"}
UP = {"x": [1, 0, 0], "y": [0, 1, 0], "z": [0, 0, 1]}
EYE = {"x": [0.4, 0.45, 0.8], "y": [0.45, 0.4, 0.8], "z": [0.45, -0.8, 0.4]}      # where from, if the scene has no camera


class Run:
    """What the folder says: parts, times, up axis and camera."""

    def __init__(self, path):
        self.pvd = os.path.join(path, "run.pvd") if os.path.isdir(path) else path
        self.folder = os.path.dirname(os.path.abspath(self.pvd))
        entries = list(ElementTree.parse(self.pvd).iterfind("Collection/DataSet"))
        self.parts = list(dict.fromkeys(entry.get("name") for entry in entries))
        self.looks = {part: self._look(part, [entry.get("file") for entry in entries if entry.get("name") == part]) for part in self.parts}
        self.times = sorted({float(entry.get("timestep")) for entry in entries})
        scene = self._text("scene.yaml")
        up = re.search(r"^domain:\n(?: .*\n)*?  up: ([xyz])$", scene, re.M)
        camera = re.search(r"^camera:\n((?: .*\n)*)", scene, re.M)
        self.up = up.group(1) if up else "y"
        self.flat = re.search(r"^domain:\n  dimension: 2$", scene, re.M) is not None
        self.camera = {key: json.loads(value) for key, value in re.findall(r"^  (\w+): ([-\[\d].*)$", camera.group(1), re.M)} if camera else {}

    def _look(self, part, files):
        """What a part is shown as, which its files say in their heads: the codes of letters, and a zero."""
        file = next((file for file in files if os.path.exists(os.path.join(self.folder, file))), files[0])
        with open(os.path.join(self.folder, file), "rb") as data:
            head = data.read(1 << 16).partition(b"<AppendedData")[0]
        said = re.search(rb'<Array [^>]*Name="look"[^>]*>([\d\s]*)<', head)
        look = "".join(chr(int(code)) for code in said.group(1).split()[:-1]) if said else OLDER.get(part, "solid")
        if look not in LOOKS:
            raise RuntimeError(f"{file}: its look '{look}' is none that this macro knows")
        return look

    def _text(self, name):
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            return ""
        with open(path, encoding="utf-8") as file:
            return file.read()

    def time_of(self, frame):
        """The time of a frame by its number; of the last one for None."""
        if frame is None:
            return self.times[-1]
        listed = json.loads(self._text("run.json") or '{"frames": []}')["frames"]
        numbers = {entry["frame"]: entry["time"] for entry in listed} or dict(enumerate(self.times))
        if frame not in numbers:
            sys.exit(f"{self.folder} has no frame {frame}; it has {min(numbers)} to {max(numbers)}")
        return numbers[frame]


class View:
    """The parts of a run in a render view: `sources` and `shown`, by name."""

    def __init__(self, run, reader, time, glass=False):
        self.run, self.time, self.glass = run, time, glass
        self.view = simple.GetActiveViewOrCreate("RenderView")
        self.sources, self.shown = {}, {}
        reader.UpdatePipeline(time)
        simple.Hide(reader, self.view)
        self._set_time()
        for part in run.parts:
            self.sources[part] = self._extract(reader, part)
        for part in run.parts:
            self._show(part)
        self._annotate(reader)
        self._set_camera()
        self.view.Background, self.view.UseColorPaletteForBackground = [0.94, 0.95, 0.96], 0
        self.view.OrientationAxesLabelColor = [0.1, 0.1, 0.1]
        simple.Render(self.view)

    def _extract(self, reader, part):
        if len(self.run.parts) == 1:
            return reader
        block = simple.ExtractBlock(registrationName=part, Input=reader)
        block.Assembly, block.Selectors = "Hierarchy", ["/Root/" + part]
        block.UpdatePipeline(self.time)
        return block

    def _has(self, part, array):
        return part in self.sources and self.sources[part].PointData.GetArray(array) is not None

    # ---- looks ------------------------------------------------------------------------------------------------------

    def _show(self, part):
        source, kind = self.sources[part], self.run.looks[part]
        if kind == "fibre" and self._has(part, "radius"):
            source = simple.Tube(registrationName=f"{part} as tubes", Input=source, Radius=1.0, Capping=1,
                                 Scalars=["POINTS", "radius"], VaryRadius="By Absolute Scalar")
        look = self.shown[part] = simple.Show(source, self.view)
        look.Representation = "Surface"
        look.Visibility = 0 if self._is_shown_by_another(part) else 1
        if kind == "liquid":
            self._paint(look, BLUE, opacity=0.55, shine=0.8)
            look.LineWidth = 2.0            # in two dimensions it is a line
        elif kind == "spray":
            look.Representation, look.PointSize = "Points", 3.0
            self._color_by(look, part, "velocity", "speed (cm/s)", BLUE)
        elif kind == "solid":
            self._paint(look, GRAY, opacity=0.25 if self.glass else 1.0, shine=0.1)
        else:
            self._show_fabric(look, part)

    def _show_fabric(self, look, part):
        if self._has(part, "color"):
            simple.ColorBy(look, ("POINTS", "color"))
            look.MapScalars = 0             # they are colours, not to be looked up in a table
            look.SetScalarBarVisibility(self.view, False)
        else:
            self._color_by(look, part, "saturation", "saturation", THREAD if self.run.looks[part] == "fibre" else LINEN, (0.0, 1.0))

    def _paint(self, look, color, opacity, shine):
        look.ColorArrayName = ["POINTS", ""]
        look.AmbientColor = look.DiffuseColor = color
        look.Opacity, look.Specular = opacity, shine

    def _color_by(self, look, part, array, title, plain, limits=None):
        """Colours with a legend by an array; one colour if the part does not have it."""
        if not self._has(part, array):
            self._paint(look, plain, opacity=1.0, shine=0.1)
            return
        simple.ColorBy(look, ("POINTS", array, "Magnitude") if array == "velocity" else ("POINTS", array))
        table = simple.GetColorTransferFunction(array)
        table.ApplyPreset("Blues" if array == "saturation" else "Viridis (matplotlib)", True)
        if array == "saturation" and self._is_dark_first(table):
            table.InvertTransferFunction()
        if limits is not None:
            table.RescaleTransferFunction(*limits)
        if not look.Visibility:
            return          # parts share a legend
        bar = simple.GetScalarBar(table, self.view)
        bar.Title, bar.ComponentTitle, bar.RangeLabelFormat = title, "", "%.3g"
        bar.TitleColor = bar.LabelColor = [0.1, 0.1, 0.1]
        look.SetScalarBarVisibility(self.view, True)

    @staticmethod
    def _is_dark_first(table):
        points = table.RGBPoints
        return sum(points[1:4]) < sum(points[-3:])

    def _is_shown_by_another(self, part):
        """Spray is in the skin of liquid (not if that is a line), fibres without a radius are those with one, cloth is all in its stains."""
        look, others = self.run.looks[part], [other for other in self.run.parts if other != part]
        if look == "spray":
            return "liquid" in self.run.looks.values() and not self.run.flat
        if look == "cloth":
            stained = [self._rows(other) for other in others if self.run.looks[other] == "stain"]
            return bool(stained and numpy.isin(self._rows(part), numpy.concatenate(stained)).all())
        return look == "fibre" and not self._has(part, "radius") and any(
            self.run.looks[other] == "fibre" and self._has(other, "radius") for other in others)

    def _rows(self, part):
        """Points as single values that can be compared."""
        return numpy.ascontiguousarray(self._points(part)).view("V12").ravel()

    def _points(self, part):
        data = servermanager.Fetch(self.sources[part])
        while data.IsA("vtkMultiBlockDataSet"):
            data = data.GetBlock(0)
        return vtk_to_numpy(data.GetPoints().GetData())

    # ---- time and camera --------------------------------------------------------------------------------------------

    def _annotate(self, reader):
        clock = simple.AnnotateTimeFilter(registrationName="time", Input=reader, Format="{time:.4g} s")
        look = simple.Show(clock, self.view)
        look.Color, look.FontSize = [0.1, 0.1, 0.1], 14

    def _set_time(self):
        scene = simple.GetAnimationScene()
        scene.UpdateAnimationUsingDataTimeSteps()
        scene.AnimationTime = self.time
        self.view.ViewTime = self.time

    def _set_camera(self):
        self.view.CameraViewUp = UP[self.run.up]
        if {"from", "to", "angle"} <= self.run.camera.keys():
            self.view.CameraPosition, self.view.CameraFocalPoint = self.run.camera["from"], self.run.camera["to"]
            self.view.CameraViewAngle = self.run.camera["angle"]
            return
        self.view.CameraPosition, self.view.CameraFocalPoint = [0, 0, 1] if self.run.flat else EYE[self.run.up], [0, 0, 0]
        simple.ResetCamera(self.view)

    def save(self, picture):
        size = [int(n) for n in self.run.camera.get("size", [960, 540])]
        self.view.ViewSize = size
        simple.SaveScreenshot(picture, self.view, ImageResolution=size)


def open_run(path, frame=None, glass=False):
    """Open the run of a folder, or of its run.pvd, in the active view."""
    run = Run(path)
    reader = simple.PVDReader(registrationName=os.path.basename(run.folder), FileName=run.pvd)
    return View(run, reader, run.time_of(frame), glass)


def open_active():
    """As a macro: the run.pvd that was opened last."""
    for source in [simple.GetActiveSource()] + list(simple.GetSources().values())[::-1]:
        path = source.FileName if source is not None and hasattr(source, "FileName") else ""
        if str(path).endswith(".pvd"):
            run = Run(str(path))
            return View(run, source, run.time_of(None))
    raise RuntimeError("open the run.pvd of a run first")


def main():
    parser = argparse.ArgumentParser(description="Open a Meniscus run in ParaView.")
    parser.add_argument("run", help="the folder of a run, or its run.pvd")
    parser.add_argument("--picture", help="PNG to write")
    parser.add_argument("--frame", type=int, help="number of the frame; default the last")
    parser.add_argument("--glass", action="store_true", help="see through obstacles")
    options = parser.parse_args()
    view = open_run(options.run, options.frame, options.glass)
    if options.picture:
        view.save(options.picture)


if __name__ == "__main__":
    # A macro has the arguments of ParaView itself, if any.
    if os.path.basename((getattr(sys, "argv", None) or [""])[0]).startswith("meniscus_open"):
        main()
    else:
        open_active()
