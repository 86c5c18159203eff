// SPDX-License-Identifier: MPL-2.0
// render/film.h - light gathered for every pixel, noise taken out of it, and the picture made of it.
#ifndef MN_RENDER_FILM_H
#define MN_RENDER_FILM_H

#include "base/pool.h"
#include "output/buffer.h"
#include "render/camera.h"
#include "render/path.h"

typedef struct mn_film {
    mn_context *context;
    int         width, height;
    mn_f3      *light;  ///< mean radiance, linear
    float      *noise;  ///< variance of the mean of the luminance
    mn_first_f *first;  ///< mean of what is met first; distance INFINITY: the sky, or an edge
} mn_film;

/// Samples of a pixel: at least and at most; between, it ends when the mean is known to the tolerance. A pixel that
/// shows an edge cannot be filtered and gets at least `edges`.
typedef struct mn_exposure {
    int   least, most, edges;
    float tolerance;  ///< of the luminance, for white = 1
} mn_exposure;

mn_status mn_film_create(mn_context *context, int width, int height, mn_film *out);
void      mn_film_free(mn_film *film);

/// Gather light. Tiles of pixels on the context's pool; the bits do not depend on its size.
mn_status mn_film_expose(mn_film *film, const mn_stage_f *stage, const mn_camera *camera, mn_exposure exposure);

/// Average pixels with those around them that show the same surface in the same light, as far as their noise asks for
/// it.
mn_status mn_film_denoise(mn_film *film);

/// The film as 8-bit sRGB, three bytes a pixel, top row first.
void mn_film_develop(const mn_film *film, unsigned char *rows);
/// The curve of the film for one channel: linear light to the share of white. Straight below, bending before white.
float mn_tone(float light);

#endif
