# SPDX-License-Identifier: MPL-2.0
"""Geometry nodes that give body to lines (curves of the points' radius) and to particles (balls of their volume)."""
import math

import bpy


def curves(radius=None):
    """Edges become curves, and those round tubes. Their radius is a number, or without one the attribute 'radius'."""
    name = "Meniscus curves" if radius is None else f"Meniscus curves of {radius:g} cm"
    group, source = _begin(name)
    if source is None:
        return group
    curve = _add(group, "GeometryNodeMeshToCurve", Mesh=source)
    size = _named(group, "radius") if radius is None else radius
    curve = _add(group, "GeometryNodeSetCurveRadius", Curve=curve, Radius=size)
    profile = _add(group, "GeometryNodeCurvePrimitiveCircle", Resolution=8, Radius=1.0)
    tube = _add(group, "GeometryNodeCurveToMesh", {"Profile Curve": profile, "Fill Caps": True}, Curve=curve)
    return _end(group, tube)


def balls():
    """Points become balls of the attribute 'volume'."""
    group, source = _begin("Meniscus balls")
    if source is None:
        return group
    share = _math(group, "MULTIPLY", _named(group, "volume"), 3.0 / (4.0 * math.pi))
    radius = _math(group, "POWER", share, 1.0 / 3.0)
    return _end(group, _add(group, "GeometryNodeMeshToPoints", Mesh=source, Radius=radius))


def attach(thing, group, material):
    """Put the nodes on an object, with its material, which new geometry does not take over by itself."""
    modifier = thing.modifiers.new(group.name, "NODES")
    modifier.node_group = group
    modifier[_input_of(group, "Material")] = material


# ---- nodes ----------------------------------------------------------------------------------------------------------

def _begin(name):
    """A new group and the geometry that enters it; (group, None) if the file has it already."""
    group = bpy.data.node_groups.get(name)
    if group is not None:
        return group, None
    group = bpy.data.node_groups.new(name, "GeometryNodeTree")
    for kind, label, way in (("Geometry", "Geometry", "INPUT"), ("Material", "Material", "INPUT"), ("Geometry", "Geometry", "OUTPUT")):
        if hasattr(group, "interface"):
            group.interface.new_socket(label, in_out=way, socket_type="NodeSocket" + kind)
        else:
            (group.inputs if way == "INPUT" else group.outputs).new("NodeSocket" + kind, label)
    return group, group.nodes.new("NodeGroupInput").outputs["Geometry"]


def _end(group, geometry):
    entry = next(node for node in group.nodes if node.type == "GROUP_INPUT")
    colored = _add(group, "GeometryNodeSetMaterial", Geometry=geometry, Material=entry.outputs["Material"])
    group.links.new(colored, group.nodes.new("NodeGroupOutput").inputs["Geometry"])
    return group


def _input_of(group, label):
    items = group.interface.items_tree if hasattr(group, "interface") else group.inputs
    return next(item.identifier for item in items if item.name == label)


def _set(group, socket, value):
    if isinstance(value, bpy.types.NodeSocket):
        group.links.new(value, socket)
    else:
        socket.default_value = value


def _add(group, kind, named=None, **inputs):
    """A node with these inputs, values or outputs of others; returns its first output."""
    node = group.nodes.new(kind)
    for name, value in {**inputs, **(named or {})}.items():
        _set(group, next(s for s in node.inputs if s.name == name and s.enabled), value)
    return next(output for output in node.outputs if output.enabled)


def _named(group, attribute):
    node = group.nodes.new("GeometryNodeInputNamedAttribute")
    node.data_type = "FLOAT"
    node.inputs["Name"].default_value = attribute
    return next(output for output in node.outputs if output.enabled)


def _math(group, operation, value, number):
    node = group.nodes.new("ShaderNodeMath")
    node.operation = operation
    group.links.new(value, node.inputs[0])
    node.inputs[1].default_value = number
    return node.outputs[0]
