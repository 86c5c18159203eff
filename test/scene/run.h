// SPDX-License-Identifier: MPL-2.0
// scene/run.h - runs a scene of wet fabric and keeps what a test asks about: ledger, probes, and what is read off the
// world.
#pragma once
#include <meniscus/meniscus.h>

#include <stdbool.h>
#include <stdint.h>

#define PROBES_MOST 16
#define FRAMES_MOST 2048
#define EVER        INT64_MAX

/// Numbers that are read off the world at every frame, besides the probes of the scene.
typedef struct sight {
    double reach;   ///< cm, of the wet part of the first fabric from the axis of y
    double beyond;  ///< cm^3 of free liquid more than half a centimetre behind the first fabric, a sheet across x
    double kink;    ///< cm, of the liquid surface at the first fabric over the mean of the two places 1 cm to its sides
                    ///< along x
    double fastest;  ///< cm/s, of the vertices of the first fabric
    double behind;   ///< particles more than half a cell below the first fabric, a sheet across y, away from its rim
    double depth;    ///< cells, of the one farthest below its middle there
} sight;

/// What a run left: the last row of its ledger, and probes and sights frame by frame.
typedef struct run {
    mn_ledger last;
    int       frames, probes;
    int64_t   rejected;
    char      name[PROBES_MOST][MN_NAME_BYTES];
    double    value[PROBES_MOST][FRAMES_MOST];
    double    time[FRAMES_MOST];
    sight     seen[FRAMES_MOST];
    double    worst_error;
} run;

/// Run a scene with a variant (or NULL) and further settings, a NULL at their end (or NULL). At most `most` steps and
/// those that end the frame. Prints a line; a run that fails, or loses liquid, counts among the failures. The caller
/// frees.
run *run_scene(const char *file, const char *variant, const char *const *set, int64_t most);

/// Values of a probe frame by frame, the last of them, and the greatest.
const double *probe(const run *r, const char *name);
double        at_end(const run *r, const char *name);
double        greatest(const run *r, const char *name);

extern int         failures;
extern int         threads;  ///< workers of a run; 0: one per core
extern const char *album;    ///< folder for pictures of every run, about PICTURES of each; NULL: none
#define PICTURES 8
/// Say whether something is seen, and count it if not.
void must(bool seen, const char *what);
#define MUST(condition) must((condition), #condition)
/// Something that one would expect to be above a number and that is not: a gap that has a name in
/// docs/systems/wet-fabric.md. Says so with both numbers. It counts as a failure if it is there after all: then the gap
/// is closed, and a MUST and the docs have to say so.
void known_gap(const char *name, double value, double expected_above, const char *why);
