# SPDX-License-Identifier: MPL-2.0
"""Step a Meniscus world from Python and read it as numpy arrays.

    import meniscus
    world = meniscus.World("scenes/liquid/drop-in-pool.yaml", settings={"time.end": 0.5})
    while world.time < 0.5:
        world.step(until=0.5)
    print(world.ledger["liquid_error"], world.liquid.position[0].max())

An array is copied when it is first asked for and then yours: it lasts, whatever becomes of the world. What has not been asked
for, `world.liquid` of an earlier step no longer gives. Lengths are cm, masses g, times s.
"""
import ctypes
import operator
import threading

import numpy as np

from . import _library

_lib = _library.load()

__all__ = ["World", "View", "Error", "version"]


class Error(RuntimeError):
    """What the library said, as one sentence."""


def version():
    return _lib.mn_version().decode()


def _array(pointer, *shape):
    """A copy of the memory behind a pointer; None if there is none. Read-only: writing it would not change the world."""
    if not pointer:
        return None
    values = np.empty(shape, dtype=np.dtype(pointer._type_)) if 0 in shape else np.ctypeslib.as_array(pointer, shape=shape).copy()
    values.flags.writeable = False
    return values


def _axes(view):
    return tuple(_array(p, view.count) for p in (view.x, view.y, view.z))


def _text(what, value):
    """Text for C, which would end it at a zero."""
    text = str(value)
    if "\0" in text:
        raise Error(f"{what} {text!r} holds a zero character")
    return text.encode()


class View:
    """What a thing of the world is now. Its arrays are made when they are first asked for, as long as the world has not moved on."""

    def __init__(self, world, makers):
        self._world, self._state, self._makers = world, world._state, makers

    def __getattr__(self, name):  # not asked for yet
        if name.startswith("_") or name not in self._makers:
            raise AttributeError(f"there is no '{name}' here, but {', '.join(sorted(self._makers))}")
        self._world._open()
        if self._world._state != self._state:
            raise Error(f"'{name}' was not asked for before the world moved on; take it from the world again")
        value = self._makers[name]()
        setattr(self, name, value)
        return value

    def __dir__(self):
        return sorted(self._makers)


class World:
    """The world of a scene file, at its time 0."""

    def __init__(self, scene, variant=None, settings=None, threads=0):
        """`scene` is the path of a scene file, `settings` what `--set` of the program takes: {"time.end": 0.5}."""
        self._context, self._scene, self._world = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        self._state = 0  # one more whenever the memory of the world may have moved
        count = operator.index(threads)
        definition = _lib.mn_context_def_default()
        definition.threads = count if 0 <= count < 2**31 else -1
        status = _lib.mn_context_create(ctypes.byref(definition), ctypes.byref(self._context))
        if status == _library.STATUS_ARGUMENT:
            raise Error(f"threads must be from 1 to 256, or 0 for one per core; not {threads}")
        if status != _library.STATUS_OK:
            raise Error(f"the context could not be made: {_lib.mn_status_text(status).decode()}")
        try:
            self._load(scene, variant, settings or {})
        except BaseException:
            self.close()
            raise

    def _load(self, scene, variant, settings):
        words = [_text("the setting", f"{key}={value}") for key, value in settings.items()]
        source = _library.SceneSource(path=_text("the path", scene), variant=None if variant is None else _text("the variant", variant),
                                      set=(ctypes.c_char_p * max(len(words), 1))(*words), set_count=len(words))
        self._check(self._work(_lib.mn_scene_load, self._context, ctypes.byref(source), ctypes.byref(self._scene)))
        self._check(self._work(_lib.mn_scene_build, self._scene, ctypes.byref(self._world)))

    def _open(self):
        if not self._world:
            raise Error("the world is closed")
        return self._world

    def _check(self, status):
        if status != _library.STATUS_OK:
            text = _lib.mn_context_error(self._context).decode(errors="replace")
            raise Error(text or _lib.mn_status_text(status).decode())

    def _work(self, function, *arguments):
        """Call what takes long. Python sees a signal (Ctrl-C) only between two of its own steps: so the main thread waits for another
        one that works, and when an exception comes meanwhile, that one is asked to end, which leaves the world as it was."""
        if threading.current_thread() is not threading.main_thread():
            return function(*arguments)
        status = []
        worker = threading.Thread(target=lambda: status.append(function(*arguments)), daemon=True)
        worker.start()
        try:
            worker.join()
        except BaseException:
            _lib.mn_context_interrupt(self._context, True)
            worker.join()
            _lib.mn_context_interrupt(self._context, False)
            raise
        return status[0]

    def close(self):
        """Give back all memory. Arrays that were asked for before stay."""
        self._state += 1
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

    def __copy__(self):
        raise Error("a world cannot be copied; save it and load it into another one")

    def __deepcopy__(self, _):
        return self.__copy__()

    def __reduce__(self):
        return self.__copy__()

    # --- time ---

    def step(self, until=1e15):
        """Take one step, no further than the time `until`."""
        world = self._open()
        self._state += 1
        self._check(self._work(_lib.mn_world_step, world, until))

    def run(self, until):
        """Take steps until this time."""
        while self.time < until:
            self.step(until)

    def end_frame(self):
        """Counts and extremes of the ledger begin anew."""
        _lib.mn_world_end_frame(self._open())

    time = property(lambda self: _lib.mn_world_time(self._open()), doc="s")
    steps = property(lambda self: _lib.mn_world_steps(self._open()))
    hash = property(lambda self: _lib.mn_world_hash(self._open()), doc="of the whole state")
    name = property(lambda self: self._open() and _lib.mn_scene_name(self._scene).decode())
    resolved_scene = property(lambda self: self._open() and _lib.mn_scene_resolved(self._scene).decode(), doc="YAML, every default written out")

    def save(self, path):
        """The whole state as a checkpoint file (docs/files.md)."""
        self._check(_lib.mn_world_save(self._open(), _text("the path", path)))

    def load(self, path):
        world = self._open()
        self._state += 1
        self._check(_lib.mn_world_load(world, _text("the path", path)))

    # --- what is in it ---

    @property
    def ledger(self):
        """The columns of ledger.csv, by name."""
        row = _lib.mn_world_ledger(self._open())
        return {name: getattr(row, name) for name in _library.LEDGER_COLUMNS}

    @property
    def probes(self):
        world = self._open()
        return {_lib.mn_world_probe_name(world, k).decode(): _lib.mn_world_probe_value(world, k)
                for k in range(_lib.mn_world_probe_count(world))}

    @property
    def liquid(self):
        """Particles: position and velocity as three arrays each, volume, id, and the mass of each pigment."""
        v = _lib.mn_world_liquid(self._open())
        return View(self, {"count": lambda: v.count, "position": lambda: _axes(v.position), "velocity": lambda: _axes(v.velocity),
                           "volume": lambda: _array(v.volume, v.count), "id": lambda: _array(v.id, v.count),
                           "pigment": lambda: [_array(v.pigment[k], v.count) for k in range(v.pigment_count)]})

    @property
    def fabrics(self):
        """Cloth and yarn by name: position, velocity, triangles, strands, and the liquid held at each vertex."""
        world = self._open()
        return {f.name: f for f in (self._fabric(_lib.mn_world_fabric(world, k)) for k in range(_lib.mn_world_fabric_count(world)))}

    def _fabric(self, v):
        n = v.position.count

        def masses(of):
            return lambda: [_array(of[p], n) for p in range(v.pigment_count)]

        return View(self, {"name": v.name.decode, "position": lambda: _axes(v.position), "velocity": lambda: _axes(v.velocity),
                           "triangles": lambda: _array(v.triangle, v.triangle_count, 3) if v.triangle_count else np.empty((0, 3), np.int32),
                           "strands": lambda: self._strands(v), "held": lambda: _array(v.held, n), "saturation": lambda: self._saturation(v, n),
                           "dissolved": masses(v.dissolved), "adsorbed": masses(v.adsorbed), "dried": masses(v.dried)})

    @staticmethod
    def _strands(v):
        starts = _array(v.strand_start, v.strand_count + 1) if v.strand_count else None
        corners = int(starts[-1]) if starts is not None else 0
        vertices = _array(v.strand_vertex, corners) if corners else None
        return [vertices[starts[s]:starts[s + 1]] for s in range(v.strand_count)] if corners else []

    @staticmethod
    def _saturation(v, n):
        if not v.held:
            return None
        room = _array(v.bulk, n) * _array(v.swelling, n) - _array(v.fiber, n)
        return np.minimum(_array(v.held, n) / room, 1.0)

    @property
    def stains(self):
        """Stained cloth by name: position, triangles, liquid that moves and that is held, and the masses of each pigment."""
        world = self._open()
        return {s.name: s for s in (self._stain(_lib.mn_world_stain(world, k)) for k in range(_lib.mn_world_stain_count(world)))}

    def _stain(self, v):
        n = v.vertex_count

        def masses(of):
            return lambda: [_array(of[p], n) for p in range(v.pigment_count)]

        return View(self, {"name": v.name.decode, "position": lambda: _array(v.position, n, 3),
                           "triangles": lambda: _array(v.triangle, v.triangle_count, 3), "area": lambda: _array(v.area, n),
                           "free": lambda: _array(v.free, n), "held": lambda: _array(v.held, n), "dissolved": masses(v.dissolved),
                           "soaked": masses(v.soaked), "adsorbed": masses(v.adsorbed), "dried": masses(v.dried)})
