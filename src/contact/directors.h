// SPDX-License-Identifier: MPL-2.0
// contact/directors.h - contact as an elastoplastic stress on transverse directors: energy, stress, stiffness, return
// mapping of one element (wet-fabric 5.5). Pure functions; contact.c applies them to the whole fabric.
#ifndef MN_CONTACT_DIRECTORS_H
#define MN_CONTACT_DIRECTORS_H

#include "math/vec.h"

#include <stdbool.h>

/// Contact moduli of an element, dyn/cm^2, and the coefficient of friction.
typedef struct mn_contact_law {
    double mu, lambda, friction;
    bool   yarn;  ///< d[0] is the segment; else d[0], d[1] are edges of a triangle
} mn_contact_law;

/// Three directors: columns d[0], d[1], d[2]. Transverse are d[2] (cloth) or d[1], d[2] (yarn).
typedef struct mn_directors {
    mn_vec3 d[3];
} mn_directors;

/// Energy density, (E5.5) or (E5.6), erg/cm^3.
double mn_contact_energy(const mn_contact_law *law, const mn_directors *d);
/// Its derivative by the directors, (E5.7). False, and zeros, if the element carries no contact.
bool mn_contact_stress(const mn_contact_law *law, const mn_directors *d, mn_vec3 gradient[3]);

/// Positive semidefinite second derivative as sum of row row^T over `count` rows of nine (blocks of d[0], d[1], d[2]).
/// Friction that is already sliding stiffens only as far as it can push: rows of shear carry the secant to its bound.
#define MN_CONTACT_ROWS 6
typedef struct mn_contact_rows {
    int    count;
    double row[MN_CONTACT_ROWS][9];
} mn_contact_rows;
void mn_contact_stiffness(const mn_contact_law *law, const mn_directors *d, mn_contact_rows *out);

/// Compression of an element: 1 - r_33 of cloth, minus the trace of the logarithmic strain of yarn; <= 0: none.
double mn_contact_compression(const mn_contact_law *law, const mn_directors *d);

/// Pressure across the element, dyn/cm^2, before the factor phi^lambda: (2 mu + lambda) (1 - r_33)^2, or f_n of yarn.
double mn_contact_pressure(const mn_contact_law *law, const mn_directors *d);
/// That of cloth by its r_33.
static inline double mn_contact_pressure_cloth(const mn_contact_law *law, double r33)
{
    return r33 < 1.0 ? (2.0 * law->mu + law->lambda) * (1.0 - r33) * (1.0 - r33) : 0.0;
}

/// Return mapping: what the element forgets, because it is apart or because it slides. False if it was crushed flat and
/// had to be held at its limit (wet-fabric T16, T17).
bool mn_contact_return(const mn_contact_law *law, mn_directors *d);

/// Make the transverse directors those of an element apart: unit, across the mesh.
void mn_contact_forget(const mn_contact_law *law, mn_directors *d);

#endif
