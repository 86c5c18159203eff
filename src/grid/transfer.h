// SPDX-License-Identifier: MPL-2.0
// grid/transfer.h - between particles and the staggered grid, with quadratic B-splines (liquid 5.1, 5.2, 5.11).
//
// In two dimensions the z weights collapse to one node of weight 1 at no distance; z components are 0.
// Every function gives the same bits for any number of threads.
#ifndef MN_GRID_TRANSFER_H
#define MN_GRID_TRANSFER_H

#include "grid/bins.h"

typedef struct mn_particle_arrays {
    int64_t count;
    double *position[3];  ///< cm
    double *velocity[3];  ///< cm/s
    double *affine[9];    ///< 1/s; affine[3*a+b]: row a (velocity component), column b
    double *volume;       ///< cm^3
} mn_particle_arrays;

/// (E1) to the grid: weight = sum w V (cm^3), momentum = sum w V [u + C r] (cm^4/s), on the faces of each axis.
/// The particles must be sorted: bins->order is the identity. The arrays are overwritten, tile 0 with zeros; those of
/// the z faces of a 2D grid too, if there are any.
mn_status mn_particles_to_faces(mn_context *c, mn_arena *arena, const mn_tiles *tiles, const mn_bins *bins,
                                const mn_particle_arrays *particles, double *const weight[3],
                                double *const momentum[3]);

/// The same, and the velocity momentum / weight at once; 0 and not known where the weight is not above `least`. Without
/// weight[0] the weights are not kept, which saves more than half the memory. Of a 2D grid the z faces are unknown.
mn_status mn_particles_to_velocity(mn_context *c, mn_arena *arena, const mn_tiles *tiles, const mn_bins *bins,
                                   const mn_particle_arrays *particles, double least, double *const weight[3],
                                   double *const velocity[3], uint8_t *const known[3]);

/// (E1) from the grid: writes velocity and affine. The particles must be sorted as above and not have moved since.
/// In 2D the third velocity and the third row and column of the affine matrix are left as they are.
void mn_faces_to_particles(mn_context *c, const mn_tiles *tiles, const mn_bins *bins, const double *const velocity[3],
                           mn_particle_arrays *particles);

/// (E2) without the open part: density[cell] = sum w V / cell volume at cell centres. Any order of particles.
mn_status mn_particles_to_cells(mn_context *c, mn_arena *arena, const mn_tiles *tiles, const mn_bins *bins,
                                const double *const position[3], const double *volume, double *density);

/// Add a staggered field, interpolated linearly, to the positions of the particles of `bins` (any order): the
/// displacement (E8), its length limited to `longest` (cm). Particles that are in no bin are not touched. The bins are
/// then out of date.
void mn_faces_shift_points(mn_context *c, const mn_tiles *tiles, const mn_bins *bins, const double *const field[3],
                           double longest, double *const position[3]);

#endif
