# SPDX-License-Identifier: MPL-2.0
"""Step a Meniscus world from Python and read it as numpy arrays, without copies.

    import meniscus
    world = meniscus.World("scenes/liquid/drop-in-pool.yaml", settings={"time.end": 0.5})
    while world.time < 0.5:
        world.step(until=0.5)
    print(world.ledger["liquid_error"], world.liquid.position[0].max())

Arrays borrow the memory of the world: they hold until its next step. Copy what must last. Lengths are cm, masses g, times s.
"""
import ctypes
from types import SimpleNamespace

import numpy as np

from . import _library

_lib = _library.load()

__all__ = ["World", "Error", "version"]


class Error(RuntimeError):
    """What the library said, as one sentence."""


def version():
    return _lib.mn_version().decode()


def _array(pointer, *shape):
    """The memory behind a pointer as a read-only array; None if there is none."""
    if not pointer:
        return None
    if 0 in shape:
        return np.empty(shape, dtype=np.dtype(pointer._type_))
    values = np.ctypeslib.as_array(pointer, shape=shape)
    values.flags.writeable = False
    return values


def _axes(view):
    return tuple(_array(p, view.count) for p in (view.x, view.y, view.z))


class World:
    """The world of a scene file, at its time 0."""

    def __init__(self, scene, variant=None, settings=None, threads=0):
        """`scene` is the path of a scene file, `settings` what `--set` of the program takes: {"time.end": 0.5}."""
        self._context, self._scene, self._world = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        definition = _lib.mn_context_def_default()
        definition.threads = threads
        if _lib.mn_context_create(ctypes.byref(definition), ctypes.byref(self._context)) != _library.STATUS_OK:
            raise Error("the context could not be made")
        try:
            self._load(scene, variant, settings or {})
        except Error:
            self.close()
            raise

    def _load(self, scene, variant, settings):
        words = [f"{key}={value}".encode() for key, value in settings.items()]
        source = _library.SceneSource(path=str(scene).encode(), variant=None if variant is None else variant.encode(),
                                      set=(ctypes.c_char_p * max(len(words), 1))(*words), set_count=len(words))
        self._check(_lib.mn_scene_load(self._context, ctypes.byref(source), ctypes.byref(self._scene)))
        self._check(_lib.mn_scene_build(self._scene, ctypes.byref(self._world)))

    def _check(self, status):
        if status != _library.STATUS_OK:
            text = _lib.mn_context_error(self._context).decode(errors="replace")
            raise Error(text or _lib.mn_status_text(status).decode())

    def close(self):
        """Give back all memory. Arrays of the world must not be used afterwards."""
        _lib.mn_world_destroy(ctypes.byref(self._world))
        _lib.mn_scene_destroy(ctypes.byref(self._scene))
        _lib.mn_context_destroy(ctypes.byref(self._context))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_context", None):
            self.close()

    # --- time ---

    def step(self, until=1e300):
        """Take one step, no further than the time `until`."""
        self._check(_lib.mn_world_step(self._world, until))

    def run(self, until):
        """Take steps until this time."""
        while self.time < until:
            self.step(until)

    def end_frame(self):
        """Counts and extremes of the ledger begin anew."""
        _lib.mn_world_end_frame(self._world)

    time = property(lambda self: _lib.mn_world_time(self._world), doc="s")
    steps = property(lambda self: _lib.mn_world_steps(self._world))
    hash = property(lambda self: _lib.mn_world_hash(self._world), doc="of the whole state")
    name = property(lambda self: _lib.mn_scene_name(self._scene).decode())
    resolved_scene = property(lambda self: _lib.mn_scene_resolved(self._scene).decode(), doc="YAML, every default written out")

    def save(self, path):
        """The whole state as a checkpoint file (docs/files.md)."""
        self._check(_lib.mn_world_save(self._world, str(path).encode()))

    def load(self, path):
        self._check(_lib.mn_world_load(self._world, str(path).encode()))

    # --- what is in it ---

    @property
    def ledger(self):
        """The columns of ledger.csv, by name."""
        row = _lib.mn_world_ledger(self._world)
        return {name: getattr(row, name) for name in _library.LEDGER_COLUMNS}

    @property
    def probes(self):
        return {_lib.mn_world_probe_name(self._world, k).decode(): _lib.mn_world_probe_value(self._world, k)
                for k in range(_lib.mn_world_probe_count(self._world))}

    @property
    def liquid(self):
        """Particles: position and velocity as three arrays each, volume, id, and the mass of each pigment."""
        v = _lib.mn_world_liquid(self._world)
        return SimpleNamespace(count=v.count, position=_axes(v.position), velocity=_axes(v.velocity), volume=_array(v.volume, v.count),
                               id=_array(v.id, v.count), pigment=[_array(v.pigment[k], v.count) for k in range(v.pigment_count)])

    @property
    def fabrics(self):
        """Cloth and yarn by name: position, velocity, triangles, strands, and the liquid held at each vertex."""
        return {f.name: f for f in (self._fabric(k) for k in range(_lib.mn_world_fabric_count(self._world)))}

    def _fabric(self, k):
        v = _lib.mn_world_fabric(self._world, k)
        n = v.position.count
        starts = _array(v.strand_start, v.strand_count + 1)
        corners = int(starts[-1]) if starts is not None and v.strand_count else 0
        vertices = _array(v.strand_vertex, corners) if corners else None
        strands = [vertices[starts[s]:starts[s + 1]] for s in range(v.strand_count)] if corners else []
        return SimpleNamespace(name=v.name.decode(), position=_axes(v.position), velocity=_axes(v.velocity),
                               triangles=_array(v.triangle, v.triangle_count, 3) if v.triangle_count else np.empty((0, 3), np.int32),
                               strands=strands, held=_array(v.held, n),
                               saturation=self._saturation(v, n),
                               dissolved=[_array(v.dissolved[p], n) for p in range(v.pigment_count)],
                               adsorbed=[_array(v.adsorbed[p], n) for p in range(v.pigment_count)],
                               dried=[_array(v.dried[p], n) for p in range(v.pigment_count)])

    @staticmethod
    def _saturation(v, n):
        if not v.held:
            return None
        room = _array(v.bulk, n) * _array(v.swelling, n) - _array(v.fiber, n)
        return np.minimum(_array(v.held, n) / room, 1.0)

    @property
    def stains(self):
        """Stained cloth by name: position, triangles, liquid that moves and that is held, and the masses of each pigment."""
        return {s.name: s for s in (self._stain(k) for k in range(_lib.mn_world_stain_count(self._world)))}

    def _stain(self, k):
        v = _lib.mn_world_stain(self._world, k)
        n = v.vertex_count
        masses = {state: [_array(getattr(v, state)[p], n) for p in range(v.pigment_count)] for state in ("dissolved", "soaked", "adsorbed", "dried")}
        return SimpleNamespace(name=v.name.decode(), position=_array(v.position, n, 3), triangles=_array(v.triangle, v.triangle_count, 3),
                               area=_array(v.area, n), free=_array(v.free, n), held=_array(v.held, n), **masses)
