# SPDX-License-Identifier: MPL-2.0
"""The shared library and the layout of its structures, as in include/meniscus/*.h. check_layout.py holds them against the headers."""
import ctypes
import ctypes.util
import os
from ctypes import POINTER, Structure, c_bool, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint8, c_uint64, c_void_p

PIGMENTS_MOST = 8
doubles = POINTER(c_double)
STATUS_OK, STATUS_ARGUMENT, STATUS_INTERRUPTED = 0, 1, 8


class ContextDef(Structure):
    _fields_ = [("threads", c_int), ("log", c_void_p), ("log_user", c_void_p), ("resize", c_void_p), ("resize_user", c_void_p)]


class SceneSource(Structure):
    _fields_ = [("path", c_char_p), ("name", c_char_p), ("text", c_char_p), ("bytes", c_size_t), ("variant", c_char_p),
                ("set", POINTER(c_char_p)), ("set_count", c_int)]


class View3(Structure):
    _fields_ = [("x", doubles), ("y", doubles), ("z", doubles), ("count", c_int64)]


class LiquidView(Structure):
    _fields_ = [("position", View3), ("velocity", View3), ("volume", doubles), ("id", POINTER(c_int64)), ("count", c_int64),
                ("pigment_count", c_int), ("pigments", c_void_p), ("pigment", doubles * PIGMENTS_MOST)]


class FabricView(Structure):
    _fields_ = [("name", c_char_p), ("position", View3), ("velocity", View3), ("triangle_count", c_int64), ("strand_count", c_int64),
                ("triangle", POINTER(c_int32)), ("strand_start", POINTER(c_int64)), ("strand_vertex", POINTER(c_int32)),
                ("strand_closed", POINTER(c_uint8)), ("strand_radius", doubles), ("thickness", c_double), ("held", doubles),
                ("bulk", doubles), ("fiber", doubles), ("swelling", doubles), ("pigment_count", c_int), ("pigments", c_void_p),
                ("dissolved", doubles * PIGMENTS_MOST), ("adsorbed", doubles * PIGMENTS_MOST), ("dried", doubles * PIGMENTS_MOST),
                ("surface", doubles), ("colour", doubles)]


class StainView(Structure):
    _fields_ = [("name", c_char_p), ("fabric", c_int), ("vertex_count", c_int64), ("triangle_count", c_int64),
                ("fabric_vertex", POINTER(c_int32)), ("position", doubles), ("triangle", POINTER(c_int32)), ("area", doubles),
                ("free", doubles), ("held", doubles), ("pigment_count", c_int), ("pigments", c_void_p),
                ("dissolved", doubles * PIGMENTS_MOST), ("soaked", doubles * PIGMENTS_MOST), ("adsorbed", doubles * PIGMENTS_MOST),
                ("dried", doubles * PIGMENTS_MOST), ("cloth_colour", doubles), ("texture", c_int), ("texture_count", c_int64),
                ("texture_at", doubles), ("texture_corner", POINTER(c_int32))]


_WHOLE = {"frame", "steps", "rejected", "particles", "pressure_iterations", "solid_iterations"}
LEDGER_COLUMNS = (
    "frame time steps rejected dt_min dt_max particles liquid_total liquid_bulk liquid_fabric liquid_strand liquid_added liquid_removed "
    "liquid_error solute_total solute_error momentum_x momentum_y momentum_z energy_kinetic energy_elastic energy_gravity energy_surface "
    "max_speed max_divergence pressure_iterations solid_iterations seconds liquid_membrane liquid_stain liquid_evaporated energy_capillary "
    "solute_bulk solute_fabric solute_added solute_removed").split()


class Ledger(Structure):
    _fields_ = [(name, c_int64 if name in _WHOLE else c_double) for name in LEDGER_COLUMNS]


STRUCTURES = {"mn_context_def": ContextDef, "mn_scene_source": SceneSource, "mn_view3": View3, "mn_liquid_view": LiquidView,
              "mn_fabric_view": FabricView, "mn_stain_view": StainView, "mn_ledger": Ledger}

_FUNCTIONS = {
    "mn_version": (c_char_p, []),
    "mn_status_text": (c_char_p, [c_int]),
    "mn_context_def_default": (ContextDef, []),
    "mn_context_create": (c_int, [POINTER(ContextDef), POINTER(c_void_p)]),
    "mn_context_destroy": (None, [POINTER(c_void_p)]),
    "mn_context_error": (c_char_p, [c_void_p]),
    "mn_context_interrupt": (None, [c_void_p, c_bool]),
    "mn_scene_load": (c_int, [c_void_p, POINTER(SceneSource), POINTER(c_void_p)]),
    "mn_scene_destroy": (None, [POINTER(c_void_p)]),
    "mn_scene_build": (c_int, [c_void_p, POINTER(c_void_p)]),
    "mn_scene_name": (c_char_p, [c_void_p]),
    "mn_scene_resolved": (c_char_p, [c_void_p]),
    "mn_world_destroy": (None, [POINTER(c_void_p)]),
    "mn_world_step": (c_int, [c_void_p, c_double]),
    "mn_world_end_frame": (None, [c_void_p]),
    "mn_world_time": (c_double, [c_void_p]),
    "mn_world_steps": (c_int64, [c_void_p]),
    "mn_world_hash": (c_uint64, [c_void_p]),
    "mn_world_has_liquid": (c_bool, [c_void_p]),
    "mn_world_liquid": (LiquidView, [c_void_p]),
    "mn_world_fabric_count": (c_int, [c_void_p]),
    "mn_world_fabric": (FabricView, [c_void_p, c_int]),
    "mn_world_stain_count": (c_int, [c_void_p]),
    "mn_world_stain": (StainView, [c_void_p, c_int]),
    "mn_world_ledger": (Ledger, [c_void_p]),
    "mn_world_probe_count": (c_int, [c_void_p]),
    "mn_world_probe_name": (c_char_p, [c_void_p, c_int]),
    "mn_world_probe_value": (c_double, [c_void_p, c_int]),
    "mn_world_save": (c_int, [c_void_p, c_char_p]),
    "mn_world_load": (c_int, [c_void_p, c_char_p]),
}


def _find():
    """MENISCUS_LIBRARY, else the library of the system."""
    given = os.environ.get("MENISCUS_LIBRARY")
    if given:
        return given
    found = ctypes.util.find_library("meniscus")
    if found is None:
        raise ImportError("libmeniscus is not installed; 'make install' installs it, or set MENISCUS_LIBRARY to the path of libmeniscus.so")
    return found


def load():
    library = ctypes.CDLL(_find())
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library
