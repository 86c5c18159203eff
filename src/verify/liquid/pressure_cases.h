// SPDX-License-Identifier: MPL-2.0
// verify/liquid/pressure_cases.h - pressure systems from a level set and an obstacle distance, shared by tests, cases
// and benchmarks.
#ifndef MN_VERIFY_PRESSURE_CASES_H
#define MN_VERIFY_PRESSURE_CASES_H

#include "solve/multigrid.h"

/// A distance or level set at a point of the unit of length of the case.
typedef double mn_distance_fn(const void *shape, mn_vec3 at);

typedef struct mn_pressure_case_def {
    int             dimension;
    int32_t         cells[3];  ///< of the box; cells[2] is 1 in two dimensions
    double          cell;      ///< spacing
    mn_vec3         origin;
    bool            periodic[3];  ///< cells must then be a multiple of 8
    mn_distance_fn *liquid;       ///< below 0 inside the liquid, at cell centres; NULL: liquid everywhere
    mn_distance_fn *open;         ///< above 0 outside obstacles, at corners; NULL: no obstacle
    const void     *shape;        ///< for both
    double          theta_min;    ///< smallest free-surface fraction (liquid E4)
} mn_pressure_case_def;

/// Faces at the border of the box are closed. Tiles reach one tile beyond the box on the high sides.
typedef struct mn_pressure_case {
    mn_pressure_case_def def;
    mn_tiles             tiles;
    float               *b[3], *omega[3];
    uint8_t             *unknown;
    double              *level;    ///< liquid at cell centres
    double              *rhs, *x;  ///< zeroed
    int64_t              values, unknowns;
    mn_pressure_system   system;
} mn_pressure_case;

mn_status mn_pressure_case_build(mn_arena *arena, const mn_pressure_case_def *def, mn_pressure_case *out);

/// Index of cell (i, j, k), wrapped along periodic axes; 0 (a value of the null tile) where there is no tile.
int64_t mn_pressure_case_at(const mn_pressure_case *c, int32_t i, int32_t j, int32_t k);
mn_vec3 mn_pressure_case_center(const mn_pressure_case *c, int32_t i, int32_t j, int32_t k);

/// liq 5.10: a full box of n^3 cells whose top is open over half its area.
mn_status mn_pressure_case_box(mn_arena *arena, int32_t n, mn_pressure_case *out);
/// liq 5.10: a wavy surface and a sphere under it, n^3 cells.
mn_status mn_pressure_case_wavy(mn_arena *arena, int32_t n, mn_pressure_case *out);
/// Random values in [-1, 1] at the unknowns, by cell index: the same for any tiles.
void mn_pressure_case_random(const mn_pressure_case *c, uint64_t seed, double *field);

#endif
