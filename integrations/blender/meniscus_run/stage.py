# SPDX-License-Identifier: MPL-2.0
"""Camera, sun and sky for a run, so that its first picture shows something."""
import math

import bpy
from mathutils import Vector

SKY = ((0.0, (0.20, 0.19, 0.18)), (0.49, (0.45, 0.43, 0.40)), (0.52, (0.80, 0.86, 0.92)), (1.0, (0.22, 0.42, 0.75)))


def add(scene, collection, camera, to_world, low, high):
    """`camera` is the run's or None; `to_world` the matrix from its cm to Blender; `low`, `high` the corners of what it shows."""
    if camera is not None:
        eye, target = to_world @ Vector(camera.eye), to_world @ Vector(camera.target)
        angle = math.radians(camera.angle)
        scene.render.resolution_x, scene.render.resolution_y = (int(n) for n in camera.size)
    else:
        eye, target, angle = _look_at(to_world, low, high)
    _add_camera(scene, collection, eye, target, angle)
    _add_sun(collection)
    scene.world = _sky()


def _look_at(to_world, low, high):
    """From where everything is seen: a little from above and the right, or straight at what is flat."""
    low, high = to_world @ Vector(low), to_world @ Vector(high)
    angle = math.radians(35.0)
    direction = Vector((0.0, -1.0, 0.0)) if abs(high.y - low.y) < 1e-4 * (high - low).length else Vector((0.45, -0.80, 0.40)).normalized()
    distance = max((high - low).length / 2.0, 1e-3) / math.sin(angle / 2.0)
    return (low + high) / 2.0 + direction * distance, (low + high) / 2.0, angle


def _add_camera(scene, collection, eye, target, angle):
    data = bpy.data.cameras.new("Meniscus camera")
    data.sensor_fit, data.angle = "VERTICAL", angle
    distance = (target - eye).length
    data.clip_start, data.clip_end = distance / 1000.0, distance * 100.0
    camera = bpy.data.objects.new(data.name, data)
    camera.location = eye
    camera.rotation_mode = "QUATERNION"
    camera.rotation_quaternion = (target - eye).to_track_quat("-Z", "Y")
    collection.objects.link(camera)
    scene.camera = camera


def _add_sun(collection):
    data = bpy.data.lights.new("Meniscus sun", "SUN")
    data.energy, data.angle = 3.2, math.radians(3.0)
    sun = bpy.data.objects.new(data.name, data)
    sun.rotation_euler = (math.radians(50.0), 0.0, math.radians(-40.0))
    collection.objects.link(sun)


def _sky():
    """Ground, horizon and sky by colour: water shows what is around it."""
    world = bpy.data.worlds.get("Meniscus sky")
    if world is not None:
        return world
    world = bpy.data.worlds.new("Meniscus sky")
    world.use_nodes = True
    tree = world.node_tree
    place, axes, ramp = (tree.nodes.new("ShaderNode" + kind) for kind in ("TexCoord", "SeparateXYZ", "ValToRGB"))
    height = tree.nodes.new("ShaderNodeMapRange")
    height.inputs["From Min"].default_value = -1.0
    for k, (at, color) in enumerate(SKY):
        stop = ramp.color_ramp.elements[k] if k < 2 else ramp.color_ramp.elements.new(at)
        stop.position, stop.color = at, (*color, 1.0)
    background = next(node for node in tree.nodes if node.type == "BACKGROUND")
    background.inputs["Strength"].default_value = 0.5
    tree.links.new(place.outputs["Generated"], axes.inputs[0])
    tree.links.new(axes.outputs["Z"], height.inputs["Value"])
    tree.links.new(height.outputs["Result"], ramp.inputs["Fac"])
    tree.links.new(ramp.outputs["Color"], background.inputs["Color"])
    world.cycles.sampling_method = "NONE"       # so smooth a sky needs no map of where it is bright
    return world
