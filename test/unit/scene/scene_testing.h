// SPDX-License-Identifier: MPL-2.0
// Scenes from texts, for tests.
#ifndef MN_TEST_SCENE_TESTING_H
#define MN_TEST_SCENE_TESTING_H

#include "testing.h"

#include "meniscus/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline mn_scene *load_source(mn_context *c, const mn_scene_source *source)
{
    mn_scene *scene = NULL;
    if (mn_scene_load(c, source, &scene) != MN_OK) fail_msg("%s", mn_context_error(c));
    return scene;
}

static inline mn_scene *load_text(mn_context *c, const char *text)
{
    return load_source(c, &(mn_scene_source){ .name = "text", .text = text, .bytes = strlen(text) });
}

/// Whether the resolved scene holds a piece of text.
static inline void assert_resolved(const mn_scene *scene, const char *piece)
{
    if (strstr(mn_scene_resolved(scene), piece) == NULL)
        fail_msg("'%s' is not in\n%s", piece, mn_scene_resolved(scene));
}

static inline void assert_not_resolved(const mn_scene *scene, const char *piece)
{
    if (strstr(mn_scene_resolved(scene), piece) != NULL) fail_msg("'%s' is in\n%s", piece, mn_scene_resolved(scene));
}

static inline uint64_t identity_of(mn_context *c, const char *text)
{
    mn_scene      *scene    = load_text(c, text);
    const uint64_t identity = mn_scene_identity(scene);
    mn_scene_destroy(&scene);
    return identity;
}

/// Field by field: what lies between them is nobody's.
static inline void assert_same_material(const mn_fabric_material *a, const mn_fabric_material *b)
{
    assert_string_equal(a->name, b->name);
    assert_true(a->thickness == b->thickness);
    assert_true(a->radius == b->radius);
    assert_true(a->fiber_diameter == b->fiber_diameter);
    assert_true(a->solid_fraction == b->solid_fraction);
    assert_true(a->density == b->density);
    assert_true(a->youngs_modulus == b->youngs_modulus);
    assert_true(a->youngs_weft == b->youngs_weft);
    assert_true(a->shear_modulus == b->shear_modulus);
    assert_true(a->poisson == b->poisson);
    assert_true(a->bending_warp == b->bending_warp);
    assert_true(a->bending_weft == b->bending_weft);
    assert_true(a->internal_viscosity == b->internal_viscosity);
    assert_true(a->stiffness_exponent == b->stiffness_exponent);
    assert_true(a->contact_stiffness == b->contact_stiffness);
    assert_true(a->friction == b->friction);
    assert_true(a->air_drag == b->air_drag);
    assert_true(a->air_friction == b->air_friction);
    assert_true(a->capillary_radius == b->capillary_radius);
    assert_true(a->contact_angle == b->contact_angle);
    assert_true(a->drag_law == b->drag_law);
    assert_true(a->drag_exponent == b->drag_exponent);
    assert_true(a->drag_axes_published == b->drag_axes_published);
    assert_true(a->darcy_published == b->darcy_published);
    assert_true(a->capture == b->capture);
    assert_true(a->compression == b->compression);
    assert_true(a->vary_porosity == b->vary_porosity);
    assert_true(a->cohesion == b->cohesion);
}

#endif
