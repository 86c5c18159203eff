// SPDX-License-Identifier: MPL-2.0
// verify/stain/a6_stain.c - A6, stains: the list of cases that need no weave.
#include "verify/stain/a6_stain.h"

const mn_verify_case mn_verify_a6_stain[] = {
    { "A6.5", "a blob that spreads along a weft at 30 degrees to the mesh", .run = mn_a6_kernel },
    { "A6.6", "decay of scalar and vector modes on a sphere", .run = mn_a6_sphere },
    { "A6.7", "a blob that slides on a turning cloth", .run = mn_a6_rotating },
    { "A6.8", "absorption, adsorption, evaporation and residue of a still film", .run = mn_a6_kinetics },
    { "A6.9", "budgets of liquid and pigments on a cloth that waves and stretches", .run = mn_a6_budget },
    { "A6.10", "fronts of pigments that stick", .run = mn_a6_front },
    { "A6.11", "the ring that a pinned drop leaves", .run = mn_a6_ring },
    { "PA6.1", "pigment that liquid carries", .run = mn_a6_liquid },
    { "PA6.2", "pigment in wet fabric: captured, wicked, dripping, dried", .run = mn_a6_fabric },
    { "PA6.3", "colours of pigments and of wet cloth", .run = mn_a6_colour },
    { "PA6.4", "what the weight of a film does, and where it ends", .run = mn_a6_weight },
    { "PA6.6", "drag of a film on its cloth, and mixing within it", .run = mn_pa6_drag },
    { 0 },
};
