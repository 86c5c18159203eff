// SPDX-License-Identifier: MPL-2.0
// meniscus/stain.h - stains: coloured liquid on cloth, the pigments in it, the weaves it spreads through.
#ifndef MENISCUS_STAIN_H
#define MENISCUS_STAIN_H

#include "meniscus/fabric.h"
#include "meniscus/weave.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MN_PIGMENTS_MOST 8
/// Pixels of the sides of textures.
#define MN_STAIN_TEXTURE_LEAST 16
#define MN_STAIN_TEXTURE_MOST  8192

typedef enum mn_adsorption { MN_ADSORPTION_NONE, MN_ADSORPTION_LINEAR, MN_ADSORPTION_LANGMUIR } mn_adsorption;

/// What colours a liquid, and how it sticks to fibres (stain 5.7).
typedef struct mn_pigment {
    char          name[MN_NAME_BYTES];
    double        absorbance[3];  ///< m^2/g of red, green and blue light, decadic, >= 0
    mn_adsorption adsorption;     ///< Default none.
    double rate;      ///< 1/s, of sticking. Langmuir: where the liquid carries as much per area as fits on the fibres.
    double release;   ///< 1/s, of coming off; Langmuir alone
    double capacity;  ///< g/cm^2, most that sticks
    double solubility;  ///< g in a gram of liquid, > 0. Default 0.5.
    double dissolve;    ///< 1/s at which dried pigment goes into new liquid. Default 1.
    double mixing;      ///< cm^2/s with which it spreads in the liquid, >= 0. Default 0.02.
} mn_pigment;

MN_API mn_pigment mn_pigment_default(void);

/// Where the weft of a patch points at a place.
typedef struct mn_weft_direction {
    double at[3], along[3];
} mn_weft_direction;

/// Pigments dissolved in a liquid.
typedef struct mn_solutes {
    int        count;  ///< 0 .. MN_PIGMENTS_MOST. Default 0.
    mn_pigment pigment[MN_PIGMENTS_MOST];
    double     concentration[MN_PIGMENTS_MOST];  ///< g/cm^3, >= 0
} mn_solutes;

/// A part of the cloth with a weave of its own.
typedef struct mn_stain_patch {
    mn_shape  *shape;  ///< of its triangles' middles at rest; NULL: all that no later patch takes. Borrowed.
    mn_tensor2 weave;  ///< tensor along weft and warp; only its ratios count: the mean of its eigenvalues is taken
                       ///< as 1. That of cells is by the same factor.
    double weft[3];  ///< direction of the weft at rest, made tangential; not looked at if there are several directions
    const mn_weft_direction *directions;  ///< each holds, made tangential, at the triangle of the patch nearest to its
                                          ///< place at rest; the smoothest field between
    int direction_count;
    const mn_tensor2
          *cells;  ///< of the weave if its threads are resolved: rows from the bottom; NULL: `weave` holds everywhere
    int    columns, rows;
    double threads;  ///< cm, width and height of such a cell, > 0. Cells repeat from the origin on; the patch must be
                     ///< flat.
} mn_stain_patch;

/// Liquid put on the cloth: at the start, or held at a density as long as a source works.
typedef struct mn_stain_drop {
    mn_shape *shape;                    ///< of the vertices at the time. Borrowed until added, then retained.
    double    density;                  ///< g/cm^2 of liquid, > 0
    double    share[MN_PIGMENTS_MOST];  ///< g of each pigment in a gram of liquid, >= 0
    double    velocity[3];              ///< cm/s, relative to the cloth, made tangential
    double    outward;                  ///< cm/s at the rim, away from the middle of the drop
    double    ragged;  ///< share of `outward` that differs from direction to direction at random, [0, 1]
    uint64_t  seed;    ///< of that. Default 1.
    bool      pinned;  ///< a round drop whose contact line stays: about the middle of the box around `shape`, half as
                       ///< wide as that. It keeps the shape of a cap, `density` on its mean, and dries as vapour
                       ///< diffuses from it, at the rate of the stain on its mean. Default false.
    double contact_angle;  ///< rad, of a pinned drop, [0, pi/2]. Default 0: flat.
    bool   source;         ///< keeps its density
    double during[2];      ///< s, when a source works
} mn_stain_drop;

MN_API mn_stain_drop mn_stain_drop_default(void);

typedef struct mn_stain_def {
    char name[MN_NAME_BYTES];
    char on[MN_NAME_BYTES];  ///< a fabric of the world; "": the mesh below
    const mn_thin_mesh
                     *mesh;  ///< a cloth that is moved, not simulated; placed as a fabric is. Its strands are not used.
    double            axis[3], angle, at[3];
    mn_motion_def     motion;  ///< of that cloth
    const char       *files;   ///< a cloth that moves as files say: "cloth-%04d.obj", "cloth.pc2"; NULL: it does not
    const char       *files_mesh;   ///< with the triangles of a point cache
    double            files_rate;   ///< frames a second. Default 24.
    double            files_start;  ///< s, of the first one. Default 0.
    double            files_scale;  ///< cm per unit of the files. Default 1.
    const mn_pigment *pigments;
    int               pigment_count;  ///< 0 .. MN_PIGMENTS_MOST
    const mn_stain_patch *patches;
    int                   patch_count;  ///< 0: isotropic
    const mn_stain_drop  *drops;
    int                   drop_count;
    double                step;         ///< s, > 0. Default 0.01.
    double                density;      ///< g/cm^3, of the liquid, > 0. Default 1.
    double                spread;       ///< cm^2/s, mean of the two principal rates of spreading. Default 0.1.
    double                friction;     ///< cm^2/s, the same of its momentum. Default 0.1.
    double                drag;         ///< 1/s, of the cloth on the film, >= 0. Default 0.
    double                absorb_rate;  ///< 1/s. Default 0.05.
    double                hold;         ///< g/cm^2 that fibres hold. Default 0.015, a shirt.
    double                evaporation;  ///< g/(cm^2 s). Default 1e-3.
    double                rim;          ///< how many times faster the wet rim dries, >= 1. Default 1.2.
    double                pin;          ///< g/cm^2 needed to wet a dry neighbour. Default 0.
    bool                  inertia;      ///< the motion of the cloth acts on the liquid. Default true.
    bool                  coriolis;     ///< and so does its turning. Default true.
    bool                  carry;        ///< spreading liquid takes its pigment along. Default true.
    bool                  pressure;     ///< the film levels out under its weight. Default false, as published.
    bool in_fabric;  ///< no film: drops go into the pores of the fabric `on`, whose flow carries their pigment.
                     ///< Of what is here only pigments, drops and their shape, density and share count then. Default
                     ///< false.
    bool   two_way;  ///< weight and friction of the liquid act on the fabric. Default false.
    double cloth_colour[3];  ///< linear red, green and blue of the dry cloth. Default 0.9.
    int    texture;  ///< pixels of the side of an image in the texture coordinates of the cloth, 16 to 8192. Default 0:
                     ///< none. A flat cloth needs no coordinates.
    uint32_t cookie;
} mn_stain_def;

MN_API mn_stain_def mn_stain_def_default(void);

/// A stain as it is now. Borrowed: valid until the next step or destroy.
typedef struct mn_stain_view {
    const char    *name;
    int            fabric;  ///< on which it is; -1: on a cloth of its own
    double         step;    ///< s, of its film, at the end of which a step of the world ends too; 0: it has no film
    int64_t        vertex_count, triangle_count;
    const int32_t *fabric_vertex;  ///< of each vertex, on a fabric; else NULL
    const double (*position)[3];   ///< cm
    const int32_t (*triangle)[3];
    const double     *area;         ///< cm^2 of each vertex
    const double     *free, *held;  ///< g of liquid that moves, and that fibres hold
    int               pigment_count;
    const mn_pigment *pigments;
    const double     *dissolved[MN_PIGMENTS_MOST], *soaked[MN_PIGMENTS_MOST], *adsorbed[MN_PIGMENTS_MOST],
        *dried[MN_PIGMENTS_MOST];  ///< g
    const double *cloth_colour;
    int           texture;  ///< pixels, 0: none
    int64_t       texture_count;
    const double (*texture_at)[2];       ///< u and v, within 0 to 1
    const int32_t (*texture_corner)[3];  ///< of each triangle; -1: that corner has none
} mn_stain_view;

/// Mass of a pigment at a vertex, in all its states, g.
static inline double mn_stain_view_pigment(const mn_stain_view *s, int pigment, int64_t v)
{
    return s->dissolved[pigment][v] + s->soaked[pigment][v] + s->adsorbed[pigment][v] + s->dried[pigment][v];
}

#ifdef __cplusplus
}
#endif
#endif
