// SPDX-License-Identifier: MPL-2.0
// scene/stain.h - running scenes of stains and looking at them, for the files of scene_stain.
#ifndef MN_TEST_SCENE_STAIN_H
#define MN_TEST_SCENE_STAIN_H

#include <meniscus/meniscus.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int stain_failures;

#define MUST(condition)                                              \
    do {                                                             \
        const bool seen_ = (condition);                              \
        printf("%s  %s\n", seen_ ? "seen" : "NOT SEEN", #condition); \
        stain_failures += !seen_;                                    \
    } while (0)

/// What a stain is at the end of a run. Lengths in cm, seen from above, about `x`, `z`.
typedef struct sight {
    double x, z;           ///< middle of the liquid
    double along, across;  ///< standard deviations of pigment along x and z
    double wet, coloured;  ///< radii of discs with the area that is wet, and that has a hundredth of the most pigment
    double edge;           ///< width from 0.9 to 0.1 of the pigment at the middle, along x
    double rim;            ///< most pigment per area over that at the middle
    double liquid_error, solute_error;
} sight;

/// A scene that runs, and where the vertices of its stain were at the start.
typedef struct play {
    mn_context *c;
    mn_scene   *scene;
    mn_world   *w;
    double (*start)[3];
} play;

/// Settings end with a NULL.
play open_scene(const char *file, const char *variant, const char *const *set);
/// Both budgets must close there.
void play_until(play *p, double end);
void close_scene(play *p);
/// Say what went wrong, and end.
void stop(mn_context *c, const char *what);

sight  look(const mn_world *w);
double pigment_density(const mn_stain_view *s, int64_t v);

// Subjects of stain_seen.c.
void splash(void);
void weaves(void);
void ink(void);
void shirt(void);
void flag(void);
void tablecloth(void);
void blob(void);

/// stain_endure.c: tiny scenes with deforming cloth, or only one of them, for very many steps.
void endure(const char *only, int64_t steps);

#endif
