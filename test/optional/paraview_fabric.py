# SPDX-License-Identifier: MPL-2.0
"""Opens OUT/run.pvd of a run with cloth and yarn in ParaView: parts, fields, counts that belong together, normals, tubes.

Use: pvpython paraview_fabric.py OUT      (paraview.sh makes the run)
"""
import os
import sys

from paraview.simple import PVDReader
import numpy
from vtkmodules.vtkFiltersCore import vtkFeatureEdges

from paraview_runs import FIELDS, Check, check_fields, check_triangles, parts_of

FIELDS["cloth"] = {"velocity": (3, "f"), "normals": (3, "f"), "fabric": (1, "i")}
FIELDS["yarn"] = {"velocity": (3, "f"), "radius": (1, "f"), "fabric": (1, "i"), "strand": (1, "i")}
FIELDS["tubes"] = {"velocity": (3, "f"), "normals": (3, "f"), "fabric": (1, "i"), "strand": (1, "i")}


def check_normals(check, data, wrapped, where):
    active = data.GetPointData().GetNormals()
    check.equal(active.GetName() if active else None, "normals", f"{where}: what ParaView takes for normals")
    length = numpy.sqrt((numpy.asarray(wrapped.PointData["normals"], dtype=float) ** 2).sum(axis=1))
    check.true(bool((abs(length - 1.0) < 1e-6).all()), f"{where}: a normal that has not unit length")


def open_edges(data):
    edges = vtkFeatureEdges()
    edges.SetInputData(data)
    edges.BoundaryEdgesOn(), edges.NonManifoldEdgesOn(), edges.FeatureEdgesOff(), edges.ManifoldEdgesOff()
    edges.Update()
    return edges.GetOutput().GetNumberOfCells()


def check_frame(check, parts, where):
    check.true({"cloth", "yarn", "tubes"} <= set(parts), f"{where}: parts are {sorted(parts)}")
    for name in ("cloth", "tubes"):
        wrapped = check_triangles(check, name, parts[name], f"{where}, {name}")
        check.true(parts[name].GetNumberOfPolys() > 0, f"{where}, {name}: has no triangles")
        check_normals(check, parts[name], wrapped, f"{where}, {name}")
    yarn = check_fields(check, "yarn", parts["yarn"], f"{where}, yarn")
    strands = len(set(numpy.asarray(yarn.PointData["strand"]).tolist()))
    check.equal(parts["yarn"].GetNumberOfLines(), strands, f"{where}, yarn: lines")
    check.equal(parts["tubes"].GetNumberOfPoints(), 8 * parts["yarn"].GetNumberOfPoints() + 2 * strands, f"{where}, tubes: points")
    check.equal(open_edges(parts["tubes"]), 0, f"{where}, tubes: open edges")


def main():
    out = sys.argv[1]
    check = Check(out)
    reader = PVDReader(FileName=os.path.join(out, "run.pvd"))
    reader.UpdatePipelineInformation()
    times = list(reader.TimestepValues)
    check.equal(len(times), 4, "frames")
    for time in times:
        check_frame(check, parts_of(reader, time), f"time {time}")
    for line in check.wrong:
        print(f"{out}: {line}")
    print(f"{os.path.basename(out)}: {len(times)} frames with cloth and yarn: {check.count} comparisons, {len(check.wrong)} wrong")
    return 1 if check.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
