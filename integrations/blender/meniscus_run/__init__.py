# SPDX-License-Identifier: MPL-2.0
"""Plays the folder of a Meniscus run in Blender: File > Import > Meniscus run, or from Python

    import meniscus_run
    collection = meniscus_run.load("out/splash-cloth")
"""
from . import interface, player
from .player import load

bl_info = {
    "name": "Meniscus run",
    "author": "Meniscus",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "File > Import > Meniscus run",
    "description": "Plays liquids, cloth, yarn and stains that meniscus has simulated",
    "category": "Import-Export",
}

__all__ = ["load"]


def register():
    interface.register()
    player.register()


def unregister():
    player.unregister()
    interface.unregister()
