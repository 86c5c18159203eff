// SPDX-License-Identifier: MPL-2.0
// test/robust/draw/draw.h - random scenes from the rows of the settings themselves: a new row is drawn without an edit.
//
// Materials and solvers are drawn over the whole range of each row. What has a place or an extent is drawn in the scale
// of the scene, by its unit, so that things lie in the domain and meet; one value in fifty is drawn without that scale.
// The same seed gives the same scene.
#ifndef ROBUST_DRAW_H
#define ROBUST_DRAW_H

#include "defs/defs.h"

#include <stdint.h>
#include <stdio.h>

#define DRAW_MOST 4  ///< things of one kind, at most

typedef struct draw_fabric {
    bool        cloth, wide;  ///< has triangles; lies across
    const char *groups[12];   ///< of its vertices, ended by NULL
    char        pinned[16];   ///< one that is pinned, or ""
} draw_fabric;

/// What is known of the scene so far.
typedef struct draft {
    FILE    *out;
    uint64_t seed, drawn;
    double   eager;  ///< share of the rows that are written, of those that need not be

    // Scale: where things are drawn, and how large, how fast and for how long.
    int    dimension, up;
    bool   closed;  ///< no periodic side
    double cell, low[3], high[3], gravity[3];
    double spot[3], reach;
    double speed, fastest, duration;
    double step_most;  ///< of time.dt_max and the films

    int         materials[5];  ///< of each kind: liquid_0, fabric_0 ...
    bool        pigmented;
    int         shapes, motions, obstacles, fabrics, liquids, stains, depth;
    draw_fabric fabric[DRAW_MOST];
    bool        flat;     ///< a shape may be a disc, which has no volume
    int         subject;  ///< the fabric that is being written, or that a probe is of
} draft;

// --- numbers (values.c) ----------------------------------------------------------------------------------------------

double draw_unit(draft *d);  ///< uniform in [0, 1)
bool   draw_chance(draft *d, double probability);
int    draw_below(draft *d, int count);
double draw_between(draft *d, double low, double high);
double draw_log(draft *d, double low, double high);  ///< its logarithm is uniform
void   draw_direction(draft *d, double out[3]);
/// Anywhere in the range of a row: at an end, around the default, or by logarithm over all of it.
double draw_in_range(draft *d, const mn_setting *s);
/// Of a row with a place, an extent, a speed or a time: in the scale of the scene.
double draw_scaled(draft *d, const mn_setting *s);
void   draw_vector(draft *d, const mn_setting *s, double out[3]);
void   draw_pair(draft *d, const mn_setting *s, double out[2]);

// --- rows (rows.c) ---------------------------------------------------------------------------------------------------

/// A map with the rows of a section, required ones and some of the others.
void draw_section(draft *d, const mn_section *section);
/// The rows alone, after what has been written of the map; `known` names those that are.
void draw_rows(draft *d, const mn_section *section, const char *const *known, bool first);
/// A shape within `reach` of a place.
void draw_shape(draft *d, const double spot[3], double reach);
/// A kind of a group by its word.
const mn_section *draw_kind(const mn_group *group, const char *word);

#endif
