# SPDX-License-Identifier: MPL-2.0
"""File > Import > Meniscus run, and a panel among the properties of the scene."""
import bpy
from bpy.props import BoolProperty, StringProperty
from bpy_extras.io_utils import ImportHelper

from . import player, vtp


class MENISCUS_OT_import(bpy.types.Operator, ImportHelper):
    """Play a folder that meniscus run has written"""
    bl_idname, bl_label, bl_options = "import_scene.meniscus_run", "Import Meniscus run", {"UNDO"}
    filter_glob: StringProperty(default="*.pvd;*.json", options={"HIDDEN"})
    with_stage: BoolProperty(name="Camera, sun and sky", default=True,
                             description="Add the camera of the run, a sun and a sky, and use them in this scene")

    def execute(self, context):
        try:
            collection = player.load(self.filepath, context.scene, self.with_stage)
        except vtp.Damaged as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        _report(self, collection)
        return {"FINISHED"}


class MENISCUS_OT_reload(bpy.types.Operator):
    """Look at the folders again: new frames, changed files"""
    bl_idname, bl_label = "scene.meniscus_reload", "Reload"

    def execute(self, context):
        for collection in player.collections_of(context.scene):
            for thing in collection.all_objects:
                thing.pop(player.SHOWN, None)
            player.show(collection, context.scene.frame_current)
            _report(self, collection)
            try:
                player.fit_time(context.scene, player.source_of(collection))
            except vtp.Damaged:
                pass        # said by show
        return {"FINISHED"}


class MENISCUS_PT_runs(bpy.types.Panel):
    bl_label, bl_space_type, bl_region_type, bl_context = "Meniscus runs", "PROPERTIES", "WINDOW", "scene"

    @classmethod
    def poll(cls, context):
        return bool(player.collections_of(context.scene))

    def draw(self, context):
        for collection in player.collections_of(context.scene):
            box = self.layout.box()
            box.label(text=collection.name, icon="MOD_FLUIDSIM")
            box.prop(collection, f'["{player.FOLDER}"]', text="Folder")
            box.prop(collection, f'["{player.OFFSET}"]', text="Frames later")
            for line in collection[player.WARNING].splitlines():
                box.label(text=line, icon="ERROR")
        self.layout.operator(MENISCUS_OT_reload.bl_idname)


def _report(operator, collection):
    for line in collection[player.WARNING].splitlines():
        operator.report({"WARNING"}, line)


def draw_menu(menu, _context):
    menu.layout.operator(MENISCUS_OT_import.bl_idname, text="Meniscus run (run.pvd)")


CLASSES = (MENISCUS_OT_import, MENISCUS_OT_reload, MENISCUS_PT_runs)


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.TOPBAR_MT_file_import.append(draw_menu)


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(draw_menu)
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
