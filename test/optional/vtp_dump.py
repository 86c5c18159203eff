# SPDX-License-Identifier: MPL-2.0
"""Writes every frame file of runs as FILE.npz, read by VTK: another reader to hold ours against.

Use: pvpython vtp_dump.py OUT...
"""
import glob
import os
import sys

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader


def cells_of(data):
    """Corners of all cells and where each ends; a part has one kind of them."""
    for cells in (data.GetPolys(), data.GetLines(), data.GetVerts()):
        if cells.GetNumberOfCells() > 0:
            return vtk_to_numpy(cells.GetConnectivityArray()), vtk_to_numpy(cells.GetOffsetsArray())[1:]
    return numpy.zeros(0, int), numpy.zeros(0, int)


def dump(path):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(path)
    reader.Update()
    data = reader.GetOutput()
    corners, ends = cells_of(data)
    points = vtk_to_numpy(data.GetPoints().GetData()) if data.GetNumberOfPoints() else numpy.zeros((0, 3), numpy.float32)
    fields = data.GetPointData()
    arrays = {"field_" + fields.GetArrayName(k): vtk_to_numpy(fields.GetArray(k)) for k in range(fields.GetNumberOfArrays())}
    numpy.savez(path + ".npz", points=points, corners=corners, ends=ends, triangles=data.GetNumberOfPolys(), lines=data.GetNumberOfLines(), **arrays)


def main():
    paths = [path for out in sys.argv[1:] for path in sorted(glob.glob(os.path.join(out, "frames", "*.vtp")))]
    for path in paths:
        dump(path)
    print(f"{len(paths)} frame files read by VTK")
    return 0 if paths else 1


if __name__ == "__main__":
    sys.exit(main())
