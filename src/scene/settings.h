// SPDX-License-Identifier: MPL-2.0
// scene/settings.h - what a scene is after reading, and the settings that only a scene has.
//
// Rows of definitions are in defs; with those here they are the one table of the scene language: reading, checking,
// --set, the JSON Schema, the reference page and the resolved scene are all made from it.
#ifndef MN_SCENE_SETTINGS_H
#define MN_SCENE_SETTINGS_H

#include "meniscus/scene.h"

#include "defs/defs.h"

extern const mn_section mn_section_scene, mn_section_output, mn_section_camera;

/// Things of one map: `items` are entries as the row of the map in things.c says.
typedef struct mn_things {
    void *items;
    int   count;
} mn_things;

/// What a scene is after reading.
typedef struct mn_scene_data {
    int            format;
    const char    *name, *description;
    mn_domain_def  domain;
    mn_time_def    time;
    mn_solver_def  solver;
    mn_output_def  output;
    mn_camera_def  camera;
    mn_wind_def    wind;
    mn_things      obstacles;  // mn_obstacle_def
    mn_things      liquids;    // mn_liquid_def
    mn_things      fabrics;    // mn_fabric_entry
    mn_things      stains;     // mn_stain_entry
    mn_things      probes;     // mn_probe_def
    mn_pair_entry *pairs;
    int            pair_count;
} mn_scene_data;

#endif
