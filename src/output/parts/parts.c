// SPDX-License-Identifier: MPL-2.0
// output/parts/parts.c - the table of the parts of a frame.
#include "output/parts/parts.h"

#include "output/parts/fabric_parts.h"
#include "output/parts/liquid_parts.h"
#include "output/parts/obstacle_parts.h"
#include "output/parts/stain_parts.h"

// clang-format off
static const mn_part_row rows[] = {
    //                        look            made by              is there any           how                pictured timeless
    [MN_OUTPUT_PARTICLES] = { MN_LOOK_SPRAY,  &mn_liquid_source,   NULL,                  mn_make_particles, true,    false },
    [MN_OUTPUT_SURFACE]   = { MN_LOOK_LIQUID, &mn_liquid_source,   NULL,                  mn_make_surface,   true,    false },
    [MN_OUTPUT_OBSTACLES] = { MN_LOOK_SOLID,  &mn_obstacle_source, NULL,                  mn_make_obstacles, true,    true  },
    [MN_OUTPUT_CLOTH]     = { MN_LOOK_CLOTH,  &mn_fabric_source,   mn_fabrics_have_cloth, mn_make_cloth,     true,    false },
    [MN_OUTPUT_YARN]      = { MN_LOOK_FIBRE,  &mn_fabric_source,   mn_fabrics_have_yarn,  mn_make_yarn,      true,    false },
    [MN_OUTPUT_TUBES]     = { MN_LOOK_FIBRE,  &mn_fabric_source,   mn_fabrics_have_yarn,  mn_make_tubes,     false,   false },
    [MN_OUTPUT_STAINS]    = { MN_LOOK_STAIN,  &mn_stain_source,    NULL,                  mn_make_stains,    true,    false },
};
// clang-format on
_Static_assert(sizeof rows / sizeof *rows == MN_OUTPUT_PART_COUNT, "every part has a row");

const mn_part_row *mn_part_row_of(mn_output_part part) { return &rows[part]; }

const char *mn_part_name(mn_output_part part)
{
#define X(name, word) word,
    static const char *const names[] = { MN_OUTPUT_PART_LIST(X, ) };
#undef X
    return names[part];
}
