// SPDX-License-Identifier: MPL-2.0
// stain/solute.h - pigments on a cloth: what the liquid carries, what fibres hold, what dries (stain 2, 5.5, 5.7).
//
// The layer never moves liquid. Whoever does, the film of stain/film.h or the flow in a wet fabric, hands over
// antisymmetric flows per pair of vertices; pigments change by flows and by exchange at a vertex in equal and opposite
// amounts only, so that their sums are exact to round-off.
#ifndef MN_STAIN_SOLUTE_H
#define MN_STAIN_SOLUTE_H

#include "meniscus/stain.h"
#include "stain/conjugate.h"
#include "stain/operator.h"

typedef enum mn_stain_state {
    MN_STAIN_DISSOLVED,
    MN_STAIN_HELD,
    MN_STAIN_ADSORBED,
    MN_STAIN_DRIED,
    MN_STAIN_STATES
} mn_stain_state;

typedef enum mn_stain_adsorption {
    MN_STAIN_LINEAR,   ///< towards the capacity at a rate of its own, whatever the supply
    MN_STAIN_LANGMUIR  ///< k_a c (V - a) - k_- a with c the density in liquid (g/cm^2)
} mn_stain_adsorption;

/// One pigment. CGS.
typedef struct mn_stain_pigment {
    mn_stain_adsorption adsorption;
    double              rate;            ///< K_d, 1/s
    double              capacity;        ///< A_d or V_d, g/cm^2
    double              attach, detach;  ///< k_a, cm^2/(g s), and k_-, 1/s, of Langmuir
    double              solubility;      ///< c_max, g per g of liquid
    double              dissolve;        ///< K_diss, 1/s
} mn_stain_pigment;

mn_stain_pigment mn_stain_pigment_default(void);
/// The constants of what a scene describes.
mn_stain_pigment mn_stain_pigment_of(const mn_pigment *p);

/// Masses (g) of `pigments` pigments at each vertex, one array per state: mass[state][pigment * vertex_count + vertex].
typedef struct mn_stain_solute {
    mn_context *context;
    int         pigments;
    int64_t     vertex_count;
    double     *mass[MN_STAIN_STATES];
} mn_stain_solute;

mn_status             mn_stain_solute_create(mn_context *c, int64_t vertex_count, int pigments, mn_stain_solute **out);
void                  mn_stain_solute_destroy(mn_stain_solute **q);
static inline double *mn_stain_solute_of(const mn_stain_solute *q, mn_stain_state state, int pigment)
{
    return q->mass[state] + (int64_t)pigment * q->vertex_count;
}
/// Sum of one pigment over all vertices and states.
double mn_stain_solute_total(const mn_stain_solute *q, int pigment);

/// Carry what is dissolved along with liquid that moves by `flow` (g, from end 0 to end 1 of each link); `liquid` is
/// what each vertex had before. A vertex that gives no more than nine tenths gives at the concentration it had; any
/// other one mixes with what it gains first. A uniform concentration stays uniform, and nothing falls below zero,
/// whatever the flows.
mn_status mn_stain_carry(mn_stain_solute *q, const mn_stain_links *links, const double *flow, const double *liquid,
                         mn_arena *arena);

/// Diffusion of the concentration within the liquid for h: conductances times the smaller density of the two ends.
/// `liquid` are masses, `area` areas of vertices. Monotone: negative conductances are left out.
mn_status mn_stain_diffuse_solute(mn_stain_solute *q, int pigment, const mn_stain_operator *op, const double *liquid,
                                  const double *area, double h, double tolerance, mn_arena *arena,
                                  mn_stain_solve_report *report);

/// The printed rule of the source: density of pigment spreads by itself, over edges whose two ends are wetter than
/// `wet` (g/cm^2).
mn_status mn_stain_diffuse_free(mn_stain_solute *q, int pigment, const mn_stain_operator *op, const double *liquid,
                                const double *area, double wet, double h, double tolerance, mn_arena *arena,
                                mn_stain_solve_report *report);

#endif
