# SPDX-License-Identifier: MPL-2.0
"""A part of a frame as the vertices, edges, triangles and attributes of a Blender mesh. Lengths stay in cm."""
import numpy as np

from . import vtp

FIELDS = "meniscus_fields"
LIGHT = "Color"             # the colour attribute made from the codes in "color"


def show(mesh, part):
    """Make `mesh` the part. What a user added to it (UV maps, groups) stays as long as the cells do. Returns what was left out."""
    fields, left_out = _fields(part)
    names = ";".join(f"{name}:{kind}" for name, kind, _, _ in fields)
    if mesh.get(FIELDS) != names or not _same_cells(mesh, part):
        _rebuild(mesh, part)
        mesh[FIELDS] = names
    mesh.vertices.foreach_set("co", part.points.ravel())
    for name, kind, member, values in fields:
        attribute = mesh.attributes.get(name) or mesh.attributes.new(name, kind, "POINT")
        if len(values):
            attribute.data.foreach_set(member, np.ascontiguousarray(values).ravel())
    mesh.update()
    return left_out


# ---- cells ----------------------------------------------------------------------------------------------------------

def edges_of(part):
    """Pairs of neighbours along the polylines."""
    pairs = np.stack((part.corners[:-1], part.corners[1:]), axis=1) if len(part.corners) else np.empty((0, 2), np.int32)
    keep = np.ones(len(pairs), bool)
    keep[part.ends[:-1] - 1] = False
    return pairs[keep]


def _corners_in(collection, member, width):
    found = np.empty(len(collection) * width, np.int32)
    collection.foreach_get(member, found)
    return found


def _same_cells(mesh, part):
    if len(mesh.vertices) != len(part.points):
        return False
    if part.kind == vtp.TRIANGLES:
        return len(mesh.loops) == len(part.corners) and np.array_equal(_corners_in(mesh.loops, "vertex_index", 1), part.corners)
    edges = edges_of(part).ravel() if part.kind == vtp.LINES else np.empty(0, np.int32)
    return len(mesh.loops) == 0 and np.array_equal(_corners_in(mesh.edges, "vertices", 2), edges)


def _rebuild(mesh, part):
    mesh.clear_geometry()
    mesh.vertices.add(len(part.points))
    if part.kind == vtp.LINES:
        edges = edges_of(part)
        mesh.edges.add(len(edges))
        mesh.edges.foreach_set("vertices", edges.ravel())
    elif part.kind == vtp.TRIANGLES and len(part.ends):
        count = len(part.ends)
        mesh.loops.add(3 * count)
        mesh.loops.foreach_set("vertex_index", part.corners)
        mesh.polygons.add(count)
        mesh.polygons.foreach_set("loop_start", np.arange(0, 3 * count, 3, dtype=np.int32))
        if not mesh.polygons[0].bl_rna.properties["loop_total"].is_readonly:        # Blender 4 counts them itself
            mesh.polygons.foreach_set("loop_total", np.full(count, 3, np.int32))
        mesh.polygons.foreach_set("use_smooth", np.ones(count, bool))
        mesh.update(calc_edges=True)


# ---- values ---------------------------------------------------------------------------------------------------------

def _fields(part):
    """(name, Blender's type, member, values) of every array, and a sentence for each that Blender cannot hold."""
    fields, left_out = [], []
    for name, values in part.arrays.items():
        width = values.shape[1] if values.ndim == 2 else 1
        if name == "color" and width == 3:
            # Files hold sRGB; a colour attribute of Blender is linear light. (Cycles keeps the name "color" for volumes.)
            fields.append((LIGHT, "FLOAT_COLOR", "color", linear_rgba(values)))
        if values.dtype == np.float32 and width in (1, 3):
            fields.append((name, "FLOAT", "value", values) if width == 1 else (name, "FLOAT_VECTOR", "vector", values))
        elif values.dtype.kind == "i" and width == 1 and _fits_32_bits(values):
            fields.append((name, "INT", "value", values.astype(np.int32)))
        else:
            left_out.append(f"'{name}' ({width} x {values.dtype}) does not fit into an attribute and is left out")
    return fields, left_out


def _fits_32_bits(values):
    limit = np.iinfo(np.int32)
    return len(values) == 0 or (values.min() >= limit.min and values.max() <= limit.max)


def linear_rgba(srgb):
    codes = srgb.astype(np.float64)
    light = np.where(codes <= 0.04045, codes / 12.92, ((np.maximum(codes, 0.0) + 0.055) / 1.055) ** 2.4)
    return np.column_stack((light, np.ones(len(light)))).astype(np.float32)
