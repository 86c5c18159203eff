// SPDX-License-Identifier: MPL-2.0
// geom/shape_check.c - what defines a shape, beside the ranges of its numbers, which are in defs.
#include "defs/check.h"
#include "geom/shape_private.h"

#include <stdio.h>

static mn_status check_parts(mn_context *c, const char *kind, const mn_shape_def *def)
{
    if (def->part_count < 1 || def->parts == NULL)
        return mn_fail(c, MN_ERR_ARGUMENT, "%s: part_count is %d; at least one part is needed", kind, def->part_count);
    for (int k = 0; k < def->part_count; k++) {
        if (def->parts[k] == NULL)
            return mn_fail(c, MN_ERR_ARGUMENT, "%s: parts[%d] is NULL; it must be a shape", kind, k);
        if (def->parts[k]->depth >= MN_SHAPE_MAX_DEPTH)
            return mn_fail(c, MN_ERR_ARGUMENT, "%s: parts[%d] is nested %d deep; the limit is %d", kind, k,
                           def->parts[k]->depth, MN_SHAPE_MAX_DEPTH);
    }
    return MN_OK;
}

mn_status mn_shape_check(mn_context *c, const mn_shape_def *def)
{
    char front[32];
    MN_TRY(mn_defs_check_kind(c, &mn_group_shape, (int)def->kind, "shape: "));
    const char *name = mn_group_word(&mn_group_shape, (int)def->kind);
    snprintf(front, sizeof front, "%s: ", name);
    const mn_setting *first = &mn_group_shape.kinds[def->kind]->settings[0];
    MN_TRY(mn_defs_check(c, first->section != NULL ? first->section : mn_group_shape.kinds[def->kind], def, front));
    const mn_misfit misfit = mn_shape_misfit(def);
    MN_TRY(mn_misfit_fail(c, &misfit, front));
    if (def->kind >= MN_SHAPE_UNION) return check_parts(c, name, def);
    if (def->kind == MN_SHAPE_MESH && (def->file == NULL || def->file[0] == '\0'))
        return mn_fail(c, MN_ERR_ARGUMENT, "mesh: file is not given; it must name an OBJ, PLY or STL file");
    return MN_OK;
}
