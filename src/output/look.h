// SPDX-License-Identifier: MPL-2.0
// output/look.h - what has to be done with a part of a frame to show it. Every frame file says it of itself ("look"
// among its field data), so that pictures, pages, ParaView and Blender ask no part for its name.
#ifndef MN_OUTPUT_LOOK_H
#define MN_OUTPUT_LOOK_H

#include <stdbool.h>

// A look that is added here needs: a finish (render/thing.c), a material (viewer/src/parts.js and colour.js,
// blender/materials.py, paraview/meniscus_open.py). test_parts.c holds them to it.
// clang-format off
#define MN_LOOK_LIST(X)                                                                                \
    X(SOLID,  "solid")  /* dull, with edges where faces turn                                        */ \
    X(LIQUID, "liquid") /* the skin of a clear liquid; as lines it is that of two dimensions        */ \
    X(SPRAY,  "spray")  /* particles of liquid: drops, but for those inside a part that is "liquid" */ \
    X(CLOTH,  "cloth")  /* thin, with two sides                                                     */ \
    X(FIBRE,  "fibre")  /* yarn; as triangles it stands in for the same as lines                    */ \
    X(STAIN,  "stain")  /* cloth with its colours, shown in place of "cloth" with the same points   */
// clang-format on

typedef enum mn_look {
#define X(look, name) MN_LOOK_##look,
    MN_LOOK_LIST(X)
#undef X
        MN_LOOK_COUNT
} mn_look;

/// The word in the files.
const char *mn_look_name(mn_look look);
/// The look of a word; false if there is none.
bool mn_look_find(const char *name, mn_look *out);

/// Liquid on stained cloth that makes it look as wet as it can, g/cm^2: a tenth of a millimetre.
#define MN_LOOKS_WET 0.01

#endif
