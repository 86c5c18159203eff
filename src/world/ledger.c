// SPDX-License-Identifier: MPL-2.0
// world/ledger.c - what a frame says about the world: the sums of all matter, and whether everything is accounted for.
#include "base/timer.h"
#include "world/matter.h"

/// Solute of liquid and fabric, and that of stains.
static void add_solutes(mn_world *w, mn_ledger *l)
{
    const mn_solute_sums liquid = mn_solutes_sum(&w->solutes, &w->liquid, &w->fabric);
    const mn_stains_sums stains = mn_stains_sum(&w->stains);
    const double         owned  = liquid.initial + liquid.added + stains.solute_added;
    l->solute_bulk              = liquid.bulk;
    l->solute_fabric            = liquid.fabric;
    l->solute_added             = liquid.added;
    l->solute_removed           = liquid.removed;
    l->solute_total             = liquid.bulk + liquid.fabric + stains.solute;
    if (!(owned > 0.0)) return;
    l->solute_error = (liquid.bulk + liquid.fabric - liquid.initial - liquid.added + liquid.removed +
                       (stains.solute - stains.solute_added + stains.solute_removed)) /
                      owned;
}

mn_ledger mn_world_ledger(const mn_world *world)
{
    // Sums run on the pool and leave the world as it is.
    mn_world               *w = (mn_world *)(uintptr_t)world;
    const mn_world_scalars *n = &w->now;
    mn_ledger               l = { .frame               = n->frame,
                                  .time                = n->time,
                                  .steps               = n->frame_steps,
                                  .rejected            = n->frame_rejected,
                                  .dt_min              = n->frame_dt_min,
                                  .dt_max              = n->frame_dt_max,
                                  .liquid_added        = n->liquid_added,
                                  .liquid_removed      = n->liquid_removed,
                                  .liquid_evaporated   = n->liquid_evaporated,
                                  .max_divergence      = n->frame_divergence,
                                  .pressure_iterations = n->frame_pressure_iterations,
                                  .solid_iterations    = n->frame_solid_iterations,
                                  .seconds             = mn_seconds() - w->frame_clock };
    for (const mn_matter *const *m = mn_matters; *m != NULL; m++)
        if ((*m)->sums != NULL && (*m)->present(w)) (*m)->sums(w, &l);
    add_solutes(w, &l);
    l.liquid_total     = l.liquid_bulk + l.liquid_fabric + l.liquid_stain;
    const double owned = n->liquid_initial + l.liquid_added;
    l.liquid_error     = owned > 0.0 ? (l.liquid_total - n->liquid_initial - l.liquid_added + l.liquid_removed +
                                    l.liquid_evaporated) /
                                       owned
                                     : 0.0;
    return l;
}
