# SPDX-License-Identifier: MPL-2.0
"""Installs the add-on from its zip as a user would, and switches it on and off. Use: blender ... -- ZIP"""
import sys

import bpy

archive = sys.argv[sys.argv.index("--") + 1]
bpy.ops.preferences.addon_install(filepath=archive)
for _ in range(2):
    bpy.ops.preferences.addon_enable(module="meniscus_run")
    import meniscus_run
    handlers = [function for function in bpy.app.handlers.frame_change_pre if function is meniscus_run.player.on_frame]
    if len(handlers) != 1 or not hasattr(bpy.types, "IMPORT_SCENE_OT_meniscus_run"):
        sys.exit("the add-on did not register what it should")
    bpy.ops.preferences.addon_disable(module="meniscus_run")
    if meniscus_run.player.on_frame in bpy.app.handlers.frame_change_pre[:]:
        sys.exit("the add-on left a handler behind")
print("add-on installed, switched on and off twice")
