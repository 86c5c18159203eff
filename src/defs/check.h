// SPDX-License-Identifier: MPL-2.0
// defs/check.h - holding definitions to their rows, and values to each other.
#ifndef MN_DEFS_CHECK_H
#define MN_DEFS_CHECK_H

#include "defs/defs.h"

/// Is every number of a definition within the range of its row, and every choice one there is? What may be absent in a
/// scene may be so here: 0 where that is outside the range, else a negative number. Materials, shapes and motions
/// within a definition are checked by whoever takes them. `front` begins the sentence: "fabric 'flag': ", "time.".
mn_status mn_defs_check(mn_context *context, const mn_section *section, const void *def, const char *front);
/// One number against the row of a path of keys; it must be there.
mn_status mn_defs_check_number(mn_context *context, const mn_section *section, const char *path, double value,
                               const char *front);
/// Is `kind` one of a group's?
mn_status mn_defs_check_kind(mn_context *context, const mn_group *group, int kind, const char *front);
mn_status mn_defs_check_motion(mn_context *context, const mn_motion_def *def, const char *front);
/// Their number, concentrations and pigments.
mn_status mn_defs_check_solutes(mn_context *context, const mn_solutes *solutes, const char *front);

/// What is wrong between values that are each within range. The sentence names the key.
typedef struct mn_misfit {
    const char *key;  ///< of the value that is told to change; NULL: nothing is wrong
    char        sentence[320];
} mn_misfit;

/// A status for C, MN_OK without a misfit.
mn_status mn_misfit_fail(mn_context *context, const mn_misfit *misfit, const char *front);

/// Bounds that are in order, not too far, and a whole number of tiles where they are periodic.
mn_misfit mn_domain_misfit(const mn_domain_def *domain);
mn_misfit mn_time_misfit(const mn_time_def *time);
/// The radii of a cone or a torus.
mn_misfit mn_shape_misfit(const mn_shape_def *shape);
/// Keys of a motion: times that rise.
mn_misfit mn_key_misfit(const mn_motion_key *before, const mn_motion_key *key);
/// Fabric and stains need three dimensions, and fabric none of them periodic.
mn_misfit mn_fabric_domain_misfit(const mn_domain_def *domain);
mn_misfit mn_stain_domain_misfit(const mn_domain_def *domain);
/// The drag of a liquid on a fabric must have a bound.
mn_misfit mn_drag_misfit(const mn_fabric_material *fabric, double viscosity);
/// So must the flow in its pores, if there may be liquid in them; `wet`: there is at the start.
mn_misfit mn_pores_misfit(const mn_fabric_material *fabric, double viscosity, bool wet);
/// A sheet bends no stiffer than its modulus and thickness allow.
mn_misfit mn_bending_misfit(const mn_fabric_material *fabric);

/// Domains do not reach farther than this, in cells from the origin: what the tiles can number, with room beyond.
#define MN_DOMAIN_FARTHEST 1e8
/// Cells along the sides of a tile (MN_TILE): the unit of periods.
#define MN_DOMAIN_TILE 8
/// More cells than this are refused: their numbers would not fit.
#define MN_CELLS_MOST 2147483648.0

#endif
