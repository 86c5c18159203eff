# SPDX-License-Identifier: MPL-2.0
"""A run as a collection of objects, and the handler that shows the frame of the scene's current one.

Everything needed to go on playing stands in custom properties, so it survives saving and opening a .blend.
"""
import os
import sys

import bpy
import numpy as np
from bpy.app.handlers import persistent
from mathutils import Matrix

from . import geometry, materials, nodes, run, stage, vtp

# Properties of the collection ...
FOLDER, OFFSET, WARNING = "meniscus_run", "meniscus_offset", "meniscus_warning"
# ... and of the object of a part: which one, and what it shows now.
PART, SHOWN = "meniscus_part", "meniscus_shown"

METRES = 0.01               # a cm of the run is this in Blender
SHARP = 0.7                 # rad: obstacles keep edges where faces turn by more
# From the axes of a run with this axis up to Blender's, where z is.
TURN = {
    "x": Matrix(((0, 1, 0), (0, 0, 1), (1, 0, 0))),
    "y": Matrix(((1, 0, 0), (0, 0, -1), (0, 1, 0))),
    "z": Matrix.Identity(3),
}

_opened = {}                # folder -> (stamp of run.pvd, run)


def load(path, scene=None, with_stage=True):
    """Add the run in a folder (or of its run.pvd or run.json) to a scene and show it. Returns its collection. Raises vtp.Damaged."""
    scene = scene or bpy.context.scene
    source = run.open_run(path)
    collection = bpy.data.collections.new(source.name)
    collection[FOLDER], collection[OFFSET], collection[WARNING] = os.path.abspath(source.folder), 0, ""
    scene.collection.children.link(collection)
    root = bpy.data.objects.new(source.name, None)
    root.matrix_basis = TURN[source.up].to_4x4() @ Matrix.Scale(METRES, 4)
    collection.objects.link(root)
    first, unreadable = _first_readable_of_all(source)
    for part, sample in first.items():
        thing = _add_object(collection, part, sample)
        thing.parent = root
        thing.hide_viewport = thing.hide_render = _is_shown_by_another(part, first)
    fit_time(scene, source)
    if with_stage:
        stage.add(scene, collection, source.camera, root.matrix_basis, *_bounds([*first.values(), *_last_of(source)]))
    scene.render.use_lock_interface = True      # Blender asks for this where handlers change meshes
    show(collection, scene.frame_current)
    _warn(collection, "\n".join(filter(None, unreadable + [collection[WARNING]])))
    return collection


def fit_time(scene, source):
    """Frames of the scene are those of the run, at its rate."""
    scene.frame_start, scene.frame_end = source.frames[0].number, source.frames[-1].number
    scene.render.fps = min(max(1, round(source.rate)), 32767)
    scene.render.fps_base = scene.render.fps / source.rate
    scene.frame_current = min(max(scene.frame_current, scene.frame_start), scene.frame_end)


def source_of(collection):
    """The run of a collection, read again when its list of frames has changed. Raises vtp.Damaged."""
    folder = bpy.path.abspath(collection[FOLDER])
    now = run.stamp(os.path.join(folder, "run.pvd"))
    if folder not in _opened or _opened[folder][0] != now:
        _opened[folder] = (now, run.open_run(folder))
    return _opened[folder][1]


def collections_of(scene):
    return [collection for collection in scene.collection.children_recursive if FOLDER in collection]


def show(collection, number):
    """Show frame `number` of a run. A part that cannot be read stays as it is, and the collection says why."""
    warnings = []
    try:
        source = source_of(collection)
        frame = source.frame_at(number - collection.get(OFFSET, 0))
        for thing in collection.all_objects:
            if PART in thing and not (thing.hide_viewport and thing.hide_render):
                warnings += _show_part(source, frame, thing)
    except vtp.Damaged as error:
        warnings.append(str(error))
    _warn(collection, "\n".join(warnings))


# ---- parts ----------------------------------------------------------------------------------------------------------

def _show_part(source, frame, thing):
    """Returns what there is to warn of."""
    path = frame.files.get(thing[PART])
    if path is None:
        return [f"frame {frame.number} has no part '{thing[PART]}'"]
    shown = f"{path} {run.stamp(path)}"
    if thing.get(SHOWN) == shown:
        return []
    if thing.mode == "EDIT":
        return [f"'{thing.name}' is being edited and does not play meanwhile"]
    try:
        left_out = geometry.show(thing.data, source.read(path))
    except vtp.Damaged as error:
        return [f"frame {frame.number}: {error}"]
    thing[SHOWN] = shown
    return [f"{path}: {what}" for what in left_out]


def _warn(collection, text):
    """Once for every new text: on the console, and in the panel of the scene."""
    if text and text != collection.get(WARNING):
        for line in text.splitlines():
            print(f"Meniscus: warning: {line}", file=sys.stderr, flush=True)
    if text != collection.get(WARNING):
        collection[WARNING] = text


def _first_readable(source, part):
    """The part in the first frame that has points in it, else in the first that can be read; what is fixed is taken from it."""
    empty, damage = None, vtp.Damaged(f"{source.folder}: no frame has a part '{part}'")
    for frame in source.frames:
        try:
            found = source.read(frame.files[part])
        except KeyError:
            continue
        except vtp.Damaged as error:
            damage = error
            continue
        if len(found.points):
            return found
        empty = empty or found
    if empty is None:
        raise damage
    return empty


def _first_readable_of_all(source):
    """By part; and a sentence for each part of which no frame can be read."""
    first, unreadable = {}, []
    for part in source.parts:
        try:
            first[part] = _first_readable(source, part)
        except vtp.Damaged as error:
            unreadable.append(f"part '{part}' is left out: {error}")
    if not first:
        raise vtp.Damaged(unreadable[0])
    return first, unreadable


def _add_object(collection, part, sample):
    mesh = bpy.data.meshes.new(part)
    thing = bpy.data.objects.new(part, mesh)
    thing[PART] = part
    collection.objects.link(thing)
    material = materials.for_part(sample)
    mesh.materials.append(material)
    if sample.look == "solid" and hasattr(mesh, "use_auto_smooth"):
        mesh.use_auto_smooth, mesh.auto_smooth_angle = True, SHARP
    if sample.kind == vtp.LINES:
        nodes.attach(thing, nodes.curves(None if "radius" in sample.arrays else _thin(sample)), material)
    elif sample.kind == vtp.POINTS and "volume" in sample.arrays:
        nodes.attach(thing, nodes.balls(), material)
    return thing


def _is_shown_by_another(part, first):
    """Spray is in the skin of liquid (not if that is a line), fibres as triangles are those as lines, cloth is all in its stains."""
    mine = first[part]
    if mine.look == "spray":
        return any(other.look == "liquid" and other.kind == vtp.TRIANGLES for other in first.values())
    if mine.look == "cloth":
        stained = [_rows(other) for other in first.values() if other.look == "stain"]
        return bool(stained and np.isin(_rows(mine), np.concatenate(stained)).all())
    return (mine.look, mine.kind) == ("fibre", vtp.TRIANGLES) and any(
        (other.look, other.kind) == ("fibre", vtp.LINES) for other in first.values())


def _rows(sample):
    """Points as single values that can be compared."""
    return np.ascontiguousarray(sample.points).view("V12").ravel()


def _last_of(source):
    """What can be read of the last frame."""
    for path in source.frames[-1].files.values():
        try:
            yield source.read(path)
        except vtp.Damaged:
            pass            # said when it is shown


def _bounds(parts):
    low = [p.points.min(axis=0) for p in parts if len(p.points)] or [np.full(3, -1.0)]
    high = [p.points.max(axis=0) for p in parts if len(p.points)] or [np.full(3, 1.0)]
    return np.min(low, axis=0), np.max(high, axis=0)


def _thin(sample):
    """A radius for lines without one (liquid in two dimensions): a four hundredth of what they span."""
    low, high = _bounds([sample])
    return float(np.linalg.norm(high - low)) / 400.0


# ---- handlers -------------------------------------------------------------------------------------------------------

@persistent
def on_frame(scene, _depsgraph=None):
    for collection in collections_of(scene):
        show(collection, scene.frame_current)


@persistent
def on_open(_path=None, _unused=None):
    _opened.clear()
    for scene in bpy.data.scenes:
        on_frame(scene)


HANDLERS = ((bpy.app.handlers.frame_change_pre, on_frame), (bpy.app.handlers.load_post, on_open))


def register():
    for handlers, function in HANDLERS:
        handlers.append(function)


def unregister():
    for handlers, function in HANDLERS:
        handlers.remove(function)
    _opened.clear()
