// SPDX-License-Identifier: MPL-2.0
// stain/film_private.h - what a film keeps of its tensors: constant while its cloth does not stretch.
#ifndef MN_STAIN_FILM_PRIVATE_H
#define MN_STAIN_FILM_PRIVATE_H

#include "stain/film.h"

typedef struct mn_stain_film_model {
    mn_vec3            *x;  ///< where it was measured
    mn_stain_rest      *rest;
    mn_stain_operator  *spread;  ///< of the liquid
    mn_stain_diffusion *diffusion;
    mn_stain_covariant *friction;  ///< NULL: none
    mn_stain_operator **mix;       ///< per pigment; NULL: none
} mn_stain_film_model;

/// For the surface as it is measured, which is at `measured`.
mn_status mn_stain_film_model_create(mn_stain_film *f, const mn_stain_film_def *def);
void      mn_stain_film_model_destroy(mn_stain_film *f);

#endif
