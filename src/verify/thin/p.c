// SPDX-License-Identifier: MPL-2.0
// verify/thin/p.c - cases of the program's own (P): what the list of published numbers does not ask, of thin matter.
#include "verify/thin/layers.h"
#include "verify/thin/plate.h"
#include "verify/thin/s4.h"
#include "verify/thin/s5.h"
#include "verify/thin/span_cases.h"

static mn_status heavy_yarn(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    MN_TRY(mn_span_droop(c, tier, r, true));
    mn_verify_library(r, true);
    return mn_s4_heavy(c, tier, r);
}

const mn_verify_case mn_verify_p_thin[] = {
    { "P4.3", "heavy elastica (the table of S3.5, for yarn)", .run = heavy_yarn },
    { "P4.11", "yarn that its pins twist until it buckles", .run = mn_span_twist },
    { "P4.12", "free yarn that twists with the grid keeps its angular momentum", .run = mn_grid_twist },
    { "P5.9", "stack of five sheets: layers do not cross, and come to rest", .run = mn_s5_stack },
    { "P5.10", "pins: cantilevers held by two, three and five rows of vertices", .run = mn_span_clamps },
    { "P5.11", "pins: what they bear is weight and the change of momentum", .run = mn_span_bearing },
    { "P5.12", "a sheet that slides on a sheet", .run = mn_layers_rub },
    { 0 },
};

const mn_verify_case mn_verify_mms_thin[] = {
    { "MMS9", "shell dynamics: a plate whose rim is shaken", .run = mn_plate_shaken },
    { 0 },
};
