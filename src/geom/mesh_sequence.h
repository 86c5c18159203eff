// SPDX-License-Identifier: MPL-2.0
// geom/mesh_sequence.h - a mesh that moves as files say: numbered OBJ or PLY files, or a point cache (PC2).
//
// Between frames positions follow the cubic spline through them, so that velocity and acceleration are continuous
// (stain 5.3). A value depends on the time alone, not on what was asked before. Only a window of frames is in memory.
#ifndef MN_GEOM_MESH_SEQUENCE_H
#define MN_GEOM_MESH_SEQUENCE_H

#include "geom/mesh.h"

typedef struct mn_mesh_sequence_def {
    const char *path;   ///< cloth-%04d.obj, cloth-%d.ply or cloth.pc2
    const char *mesh;   ///< file with the triangles of a point cache; NULL with numbered files
    double      rate;   ///< frames a second, > 0. Default 24.
    double      start;  ///< s, time of the first frame. Default 0.
    double      scale;  ///< cm per unit of the files, > 0. Default 1.
} mn_mesh_sequence_def;

mn_mesh_sequence_def mn_mesh_sequence_def_default(void);

typedef struct mn_mesh_sequence mn_mesh_sequence;

/// Find the files and read the first frame. Numbers must have no holes between the first and the last that exist.
mn_status mn_mesh_sequence_open(mn_context *context, const mn_mesh_sequence_def *def, mn_mesh_sequence **out);
/// Close it and leave NULL. Accepts NULL.
void mn_mesh_sequence_close(mn_mesh_sequence **sequence);

/// A hash over the bytes of all its files. Reads them once.
mn_status mn_mesh_sequence_hash(mn_context *context, const mn_mesh_sequence_def *def, uint64_t *out);

/// The triangles, which are those of every frame, and the vertices of the first frame in cm.
const mn_mesh *mn_mesh_sequence_mesh(const mn_mesh_sequence *sequence);
/// Texture coordinates of the first frame, or of the mesh of a point cache; count 0: it has none.
const mn_mesh_texture *mn_mesh_sequence_texture(const mn_mesh_sequence *sequence);
int64_t                mn_mesh_sequence_count(const mn_mesh_sequence *sequence);
double                 mn_mesh_sequence_time(const mn_mesh_sequence *sequence, int64_t frame);  ///< s

/// Positions (cm) at time t, and velocities (cm/s) and accelerations (cm/s^2) where not NULL: exact derivatives of the
/// spline. Before the first and after the last frame the mesh stands still. A frame that repeats the one before it
/// amid motion, up to three in a row, is taken as missing; a longer rest is a rest. A file that cannot be read, or
/// whose triangles differ, is MN_ERR_FILE with its name.
mn_status mn_mesh_sequence_at(mn_mesh_sequence *sequence, double t, double (*position)[3], double (*velocity)[3],
                              double (*acceleration)[3]);

#endif
