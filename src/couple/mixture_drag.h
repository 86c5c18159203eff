// SPDX-License-Identifier: MPL-2.0
// couple/mixture_drag.h - the drag between a liquid and the phases in it on the faces that they share: its coefficient
// before a solve, how far the law was met, and the step of Newton that corrects it (mixture-solve 4, wet-fabric 5.7).
#ifndef MN_COUPLE_MIXTURE_DRAG_H
#define MN_COUPLE_MIXTURE_DRAG_H

#include "couple/mixture.h"

/// Largest drag in units of the heavier of the two masses: the slip that is left, 1e-8, is what doubles resolve (trap
/// 2).
#define MN_DRAG_MOST 1e8

/// The root s of s (1 + linear + growth s^exponent) = wanted, all of them >= 0: the relative speed that a drag of that
/// much leaves of `wanted`.
double mn_drag_root(double wanted, double linear, double growth, double exponent);

/// In what follows u_f and impulses have one value a face, u_s, inertia and shift are vectors of the mixture.

/// Coefficients m->drag, foreseen face by face: of the relative velocity u_f - u_s that would be without drag, what is
/// left if the solid answers with `inertia` (g: D_s and stiffness). Faces where one of the two has no mass get 0.
mn_status mn_mixture_drag_predict(mn_mixture *m, mn_arena *arena, const double *u_f, const double *u_s,
                                  const double *inertia);
/// m->drag from the law at these velocities, as they are.
mn_status mn_mixture_drag_at(mn_mixture *m, mn_arena *arena, const double *u_f, const double *u_s);
/// Impulses used (g cm/s, what the liquid gave to all phases) against the law at these velocities: sum of |difference|
/// over sum of |law|.
mn_status mn_mixture_drag_mismatch(const mn_mixture *m, mn_arena *arena, const double *u_f, const double *u_s,
                                   const double *impulse, double *mismatch);
/// The law linearised at these velocities: m->drag becomes its slope and `shift` what the slope gives too much there,
/// to be taken from the phase and given to the liquid. Spray keeps its plain coefficient.
mn_status mn_mixture_drag_linearise(mn_mixture *m, mn_arena *arena, const double *u_f, const double *u_s,
                                    double *shift);

#endif
