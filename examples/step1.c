// SPDX-License-Identifier: MPL-2.0
// examples/step1.c - a world defined in code: a block of water falls into a box. Steps it and prints the ledger.
#include <meniscus/meniscus.h>

#include <stdio.h>
#include <string.h>

static mn_status add_block(mn_context *context, mn_world *world)
{
    mn_shape_def box = mn_shape_def_default(MN_SHAPE_BOX);
    memcpy(box.center, (double[3]){ 4.0, 6.0, 4.0 }, sizeof box.center);
    memcpy(box.size, (double[3]){ 4.0, 4.0, 4.0 }, sizeof box.size);
    mn_shape *shape  = NULL;
    mn_status status = mn_shape_create(context, &box, &shape);
    if (status != MN_OK) return status;

    mn_liquid_def block = mn_liquid_def_default();  // water, 8 particles a cell
    snprintf(block.name, sizeof block.name, "block");
    block.shape = shape;
    status      = mn_world_add_liquid(world, &block);
    mn_shape_release(&shape);  // the world keeps its own hold on it
    return status;
}

static mn_status make_world(mn_context *context, mn_world **out)
{
    mn_world_def def   = mn_world_def_default();
    def.domain.cell    = 0.5;
    def.domain.bounded = true;
    memcpy(def.domain.bounds[1], (double[3]){ 8.0, 12.0, 8.0 }, sizeof def.domain.bounds[1]);
    mn_status status = mn_world_create(context, &def, out);
    if (status == MN_OK) status = add_block(context, *out);
    return status;
}

static mn_status fall(mn_world *world)
{
    printf("  time   steps  particles   liquid    error     height of centre   fastest\n");
    for (int frame = 1; frame <= 10; frame++) {
        const double until = 0.02 * frame;
        while (mn_world_time(world) < until) {
            const mn_status status = mn_world_step(world, until);
            if (status != MN_OK) return status;
        }
        const mn_ledger l = mn_world_ledger(world);
        printf("%6.3f %6lld %9lld %9.4f %10.2e %12.4f cm %12.2f cm/s\n", l.time, (long long)l.steps,
               (long long)l.particles, l.liquid_total, l.liquid_error, l.energy_gravity / (981.0 * l.liquid_total),
               l.max_speed);
        mn_world_end_frame(world);
    }
    return MN_OK;
}

int main(void)
{
    const mn_context_def def     = mn_context_def_default();
    mn_context          *context = NULL;
    if (mn_context_create(&def, &context) != MN_OK) return 1;

    mn_world *world  = NULL;
    mn_status status = make_world(context, &world);
    if (status == MN_OK) status = fall(world);
    if (status != MN_OK) fprintf(stderr, "%s\n", mn_context_error(context));
    mn_world_destroy(&world);
    mn_context_destroy(&context);
    return status == MN_OK ? 0 : 1;
}
