# SPDX-License-Identifier: MPL-2.0
"""One frame file of a run (VTK XML PolyData, raw appended arrays) as numpy arrays. Knows nothing of Blender."""
import os
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass

import numpy as np

POINTS, LINES, TRIANGLES = "points", "lines", "triangles"
KINDS = {"Verts": POINTS, "Lines": LINES, "Polys": TRIANGLES}
TYPES = {"Float32": "<f4", "Float64": "<f8", "Int32": "<i4", "Int64": "<i8"}
LOOKS = ("solid", "liquid", "spray", "cloth", "fibre", "stain")         # src/output/look.h
# Files from before the look was written into them; the list does not grow.
OLDER = {"surface": "liquid", "particles": "spray", "cloth": "cloth", "yarn": "fibre", "tubes": "fibre", "stains": "stain"}
HEAD_MOST = 1 << 20


class Damaged(Exception):
    """A file that cannot be read, as one sentence that names it."""


@dataclass
class Part:
    kind: str               # of its cells
    points: np.ndarray      # (n, 3) float32, cm
    corners: np.ndarray     # int32, the points of all cells one after another
    ends: np.ndarray        # int32, where the corners of each cell end
    arrays: dict            # name -> one value a point: (n,), or (n, components)
    look: str               # one of LOOKS: what to do with it


def read(path):
    """The part in a frame file, every value as it stands there. Raises Damaged."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise Damaged(f"{path}: {error.strerror}") from error
    try:
        return _parse(data, os.path.basename(path).split(".")[0])
    except Damaged as error:
        raise Damaged(f"{path}: {error}") from None


def _parse(data, name):
    tag = data.find(b"<AppendedData", 0, HEAD_MOST)
    start = data.find(b"_", data.find(b">", tag)) + 1 if tag >= 0 else 0
    if start == 0:
        raise Damaged("not a frame file, or cut off before its data")
    if not data.rstrip(b"\r\n ").endswith(b"</VTKFile>"):
        raise Damaged("cut off before its end")
    piece, look = _read_head(data[:tag])
    raw = memoryview(data)[start:]
    count = _number(piece, "NumberOfPoints")
    points = _array(raw, _the_array(piece, "Points"), count)
    if points.shape != (count, 3) or points.dtype != np.float32:
        raise Damaged("its points are not three Float32 each")
    if not np.isfinite(points).all():
        raise Damaged("a point lies at infinity or nowhere")
    kind, corners, ends = _read_cells(raw, piece, count)
    arrays = {d.get("Name", ""): _array(raw, d, count) for d in piece.iterfind("PointData/DataArray")}
    return Part(kind, points, corners, ends, arrays, look or OLDER.get(name) or {LINES: "fibre", POINTS: "spray"}.get(kind, "solid"))


def _read_head(head):
    if b"<!DOCTYPE" in head:
        raise Damaged("it declares a document type")
    try:
        root = ElementTree.fromstring(head + b"</VTKFile>")
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise Damaged(f"its head is no XML: {error}") from None
    wanted = {"type": "PolyData", "byte_order": "LittleEndian", "header_type": "UInt64", "compressor": None}
    for name, value in wanted.items():
        if root.get(name) != value:
            raise Damaged(f"its {name} is {root.get(name)}, where {value} is read")
    pieces = root.findall("PolyData/Piece")
    if len(pieces) != 1:
        raise Damaged(f"it holds {len(pieces)} pieces, where one is read")
    return pieces[0], _read_look(root)


def _read_look(root):
    """A text is, to VTK, the codes of its letters and a zero; None if the file does not say."""
    declared = root.find("PolyData/FieldData/Array[@Name='look']")
    if declared is None:
        return None
    look = "".join(chr(int(code)) for code in (declared.text or "").split() if code.isdigit() and 0 < int(code) < 128)
    if look not in LOOKS:
        raise Damaged(f"its look '{look}' is none that this version knows")
    return look


def _number(element, name):
    text = element.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise Damaged(f"its {name} cannot be read")
    return int(text)


def _the_array(piece, path, name=None):
    for declared in piece.iterfind(path + "/DataArray"):
        if name in (None, declared.get("Name")):
            return declared
    raise Damaged(f"it declares no {name or path}")


def _array(raw, declared, count):
    """The values of a declared array, which must be one for each of `count` items."""
    name, offset = declared.get("Name", ""), _number(declared, "offset")
    if declared.get("format") != "appended" or declared.get("type") not in TYPES:
        raise Damaged(f"its array '{name}' is not among the raw data, or of a type that is not read")
    dtype = np.dtype(TYPES[declared.get("type")])
    components = _number(declared, "NumberOfComponents") if "NumberOfComponents" in declared.keys() else 1
    if components < 1 or offset + 8 > len(raw):
        raise Damaged(f"cut off before its array '{name}'")
    bytes_there = int.from_bytes(raw[offset:offset + 8], "little")
    if offset + 8 + bytes_there > len(raw):
        raise Damaged(f"cut off inside its array '{name}'")
    if bytes_there != count * components * dtype.itemsize:
        raise Damaged(f"its array '{name}' does not hold a value for each of {count} items")
    values = np.frombuffer(raw, dtype, count * components, offset + 8)
    return values.reshape(count, components) if components > 1 else values


def _read_cells(raw, piece, count):
    kinds = [section for section in KINDS if piece.find(section) is not None]
    if len(kinds) != 1:
        raise Damaged(f"it holds {len(kinds)} kinds of cells, where one is read")
    section, kind = kinds[0], KINDS[kinds[0]]
    ends = _array(raw, _the_array(piece, section, "offsets"), _number(piece, "NumberOf" + section))
    sizes = np.diff(ends, prepend=0)
    wrong = sizes < 2 if kind == LINES else sizes != (1 if kind == POINTS else 3)
    if wrong.any():
        raise Damaged("its cells do not have the corners that their kind has")
    corners = _array(raw, _the_array(piece, section, "connectivity"), int(ends[-1]) if len(ends) else 0)
    if ends.dtype != np.int32 or corners.dtype != np.int32:
        raise Damaged("its cells are not Int32")
    if len(corners) and (corners.min() < 0 or corners.max() >= count):
        raise Damaged("a cell has a corner that is none of its points")
    return kind, corners, ends
