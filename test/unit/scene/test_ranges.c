// SPDX-License-Identifier: MPL-2.0
// One table of ranges for C and for scenes. The test walks the rows from the keys of a scene on: a number just outside
// its range is refused in a scene, at the place of the value, and in the definition of C, both in the same words. A
// range of a definition that none of the entries below looks at fails the test.
#include "scene_testing.h"

#include "scene/reader.h"

// --- C ---------------------------------------------------------------------------------------------------------------

/// What a definition is tried with: room for any of them, the kind of those in groups, and what stands beside it.
typedef union definition {
    mn_domain_def      domain;
    mn_time_def        time;
    mn_solver_def      solver;
    mn_wind_def        wind;
    mn_obstacle_def    obstacle;
    mn_liquid_def      liquid;
    mn_probe_def       probe;
    mn_fabric_def      fabric;
    mn_stain_def       stain;
    mn_shape_def       shape;
    mn_motion_def      motion;
    mn_liquid_material liquid_material;
    mn_fabric_material fabric_material;
    mn_pigment         pigment;
    mn_pair_entry      pair;
    mn_pin_def         pin;
    mn_stain_patch     patch;
    mn_stain_drop      drop;
    mn_cloth_def       cloth;
    mn_mesh_file       file;
    mn_yarn_def        yarn;
    mn_hair_def        hair;
    mn_pile_def        pile;
} definition;

typedef struct trial {
    mn_context *context;
    mn_world   *world;
    mn_shape   *ball;
    int         kind;
    definition  def;
    double      amount;  // saturation of the vertices of a fabric
} trial;

static mn_status create_world(trial *t, const mn_world_def *def)
{
    mn_world       *world  = NULL;
    const mn_status status = mn_world_create(t->context, def, &world);
    mn_world_destroy(&world);
    return status;
}

#define PART(word)                                                                        \
    static void      make_##word(trial *t) { t->def.word = mn_world_def_default().word; } \
    static mn_status try_##word(trial *t)                                                 \
    {                                                                                     \
        mn_world_def def = mn_world_def_default();                                        \
        def.word         = t->def.word;                                                   \
        return create_world(t, &def);                                                     \
    }
PART(domain)
PART(time)
PART(solver)
PART(wind)

static void make_obstacle(trial *t)
{
    t->def.obstacle       = mn_obstacle_def_default();
    t->def.obstacle.shape = t->ball;
}
static mn_status try_obstacle(trial *t) { return mn_world_add_obstacle(t->world, &t->def.obstacle); }

static void make_liquid(trial *t)
{
    t->def.liquid       = mn_liquid_def_default();
    t->def.liquid.role  = (mn_liquid_role)t->kind;
    t->def.liquid.shape = t->ball;
}
static mn_status try_liquid(trial *t) { return mn_world_add_liquid(t->world, &t->def.liquid); }

static void make_probe(trial *t)
{
    t->def.probe       = mn_probe_def_default();
    t->def.probe.kind  = (mn_probe_kind)t->kind;
    t->def.probe.shape = t->ball;
}
static mn_status try_probe(trial *t) { return mn_world_add_probe(t->world, &t->def.probe); }

static mn_status add_fabric(trial *t, mn_fabric_def *def)
{
    const mn_cloth_def cloth   = { .size = { 1.0, 1.0 }, .spacing = 1.0 };
    mn_thin_mesh       mesh    = { 0 };
    double             wet[64] = { 0.0 };
    mn_status          status  = mn_cloth_generate(t->context, &cloth, &mesh);
    assert_int_equal(status, MN_OK);
    assert_true(mesh.vertex_count <= 64);
    wet[0]          = t->amount;
    def->mesh       = &mesh;
    def->saturation = wet;
    status          = mn_world_add_fabric(t->world, def);
    mn_thin_mesh_free(t->context, &mesh);
    return status;
}
static void      make_fabric(trial *t) { t->def.fabric = mn_fabric_def_default(); }
static mn_status try_fabric(trial *t) { return add_fabric(t, &t->def.fabric); }

static void      make_fabric_material(trial *t) { t->def.fabric_material = mn_fabric_material_default(); }
static mn_status try_fabric_material(trial *t)
{
    mn_fabric_def def = mn_fabric_def_default();
    def.material      = t->def.fabric_material;
    return add_fabric(t, &def);
}

static void make_pair(trial *t)
{
    const mn_fabric_material m = mn_fabric_material_default();
    t->def.pair = (mn_pair_entry){ .friction = m.friction, .cohesion = m.cohesion, .contact_angle = m.contact_angle };
}
static mn_status try_pair(trial *t)
{
    mn_fabric_def def          = mn_fabric_def_default();
    def.material.friction      = t->def.pair.friction;
    def.material.cohesion      = t->def.pair.cohesion;
    def.material.contact_angle = t->def.pair.contact_angle;
    return add_fabric(t, &def);
}

static void make_pin(trial *t)
{
    t->def.pin = mn_pin_def_default();
    snprintf(t->def.pin.group, sizeof t->def.pin.group, "corners");
}
static mn_status try_pin(trial *t)
{
    mn_fabric_def def = mn_fabric_def_default();
    def.pins          = &t->def.pin;
    def.pin_count     = 1;
    return add_fabric(t, &def);
}

static void      make_liquid_material(trial *t) { t->def.liquid_material = mn_liquid_def_default().material; }
static mn_status try_liquid_material(trial *t)
{
    mn_liquid_def def = mn_liquid_def_default();
    def.material      = t->def.liquid_material;
    def.shape         = t->ball;
    return mn_world_add_liquid(t->world, &def);
}

static void      make_pigment(trial *t) { t->def.pigment = mn_pigment_default(); }
static mn_status try_pigment(trial *t)
{
    mn_liquid_def def               = mn_liquid_def_default();
    def.shape                       = t->ball;
    def.material.solutes.count      = 1;
    def.material.solutes.pigment[0] = t->def.pigment;
    return mn_world_add_liquid(t->world, &def);
}

static mn_status add_stain(trial *t, mn_stain_def *def)
{
    const mn_cloth_def cloth  = { .size = { 1.0, 1.0 }, .spacing = 0.5 };
    mn_thin_mesh       mesh   = { 0 };
    mn_status          status = mn_cloth_generate(t->context, &cloth, &mesh);
    assert_int_equal(status, MN_OK);
    def->mesh = &mesh;
    status    = mn_world_add_stain(t->world, def);
    mn_thin_mesh_free(t->context, &mesh);
    return status;
}
static void      make_stain(trial *t) { t->def.stain = mn_stain_def_default(); }
static mn_status try_stain(trial *t)
{
    if (t->kind == MN_STAIN_FILES) t->def.stain.files = "ranges-none-%04d.obj";
    return add_stain(t, &t->def.stain);
}

static void make_patch(trial *t)
{
    t->def.patch = (mn_stain_patch){ .weave = { 1.0, 0.0, 1.0 }, .weft = { 1.0, 0.0, 0.0 } };
}
static mn_status try_patch(trial *t)
{
    mn_stain_def def = mn_stain_def_default();
    def.patches      = &t->def.patch;
    def.patch_count  = 1;
    return add_stain(t, &def);
}

static void      make_drop(trial *t) { t->def.drop = mn_stain_drop_default(); }
static mn_status try_drop(trial *t)
{
    mn_stain_def def = mn_stain_def_default();
    def.drops        = &t->def.drop;
    def.drop_count   = 1;
    return add_stain(t, &def);
}
static void make_source(trial *t)
{
    make_drop(t);
    t->def.drop.source = true;
}

static void      make_shape(trial *t) { t->def.shape = mn_shape_def_default((mn_shape_kind)t->kind); }
static mn_status try_shape(trial *t)
{
    mn_shape *shape        = NULL;
    t->def.shape.file      = MN_TEST_DATA "/mesh/cube.obj";
    const mn_status status = mn_shape_create(t->context, &t->def.shape, &shape);
    mn_shape_release(&shape);
    return status;
}

static void      make_motion(trial *t) { t->def.motion = mn_motion_def_default(); }
static mn_status try_motion(trial *t)
{
    mn_obstacle_def def = mn_obstacle_def_default();
    def.shape           = t->ball;
    def.motion          = t->def.motion;
    return mn_world_add_obstacle(t->world, &def);
}

static mn_status made(trial *t, mn_status status, mn_thin_mesh *mesh)
{
    mn_thin_mesh_free(t->context, mesh);
    return status;
}
static void make_sheet(trial *t) { t->def.cloth = (mn_cloth_def){ .size = { 1.0, 1.0 }, .spacing = 0.5 }; }
static void make_disc(trial *t)
{
    make_sheet(t);
    t->def.cloth.outline = MN_CLOTH_DISC;
}
static void make_hexagon(trial *t)
{
    make_sheet(t);
    t->def.cloth.outline = MN_CLOTH_HEXAGON;
}
static mn_status try_cloth(trial *t)
{
    mn_thin_mesh mesh = { 0 };
    return made(t, mn_cloth_generate(t->context, &t->def.cloth, &mesh), &mesh);
}
static void      make_file(trial *t) { t->def.file = (mn_mesh_file){ .scale = 1.0, .radius = 0.1 }; }
static mn_status try_file(trial *t)
{
    mn_thin_mesh mesh = { 0 };
    return made(t,
                mn_thin_mesh_read(t->context, MN_TEST_DATA "/mesh/cube.obj", t->def.file.scale, t->def.file.radius,
                                  &mesh),
                &mesh);
}
static void make_yarn(trial *t)
{
    t->def.yarn = (mn_yarn_def){ .size = { 1.0, 1.0 }, .pitch = 0.3, .radius = 0.1, .spacing = 0.2, .count = 1 };
}
static mn_status try_yarn(trial *t)
{
    mn_thin_mesh mesh = { 0 };
    return made(t, mn_yarn_generate(t->context, &t->def.yarn, &mesh), &mesh);
}
static void make_hair(trial *t)
{
    t->def.hair = (mn_hair_def){ .on = t->ball, .count = 3, .length = 1.0, .radius = 0.1, .vertices = 5 };
}
static mn_status try_hair(trial *t)
{
    mn_thin_mesh mesh = { 0 };
    return made(t, mn_hair_generate(t->context, &t->def.hair, &mesh), &mesh);
}
static void make_pile(trial *t)
{
    t->def.pile = (mn_pile_def){ .length = 1.0, .radius = 0.1, .spacing = 0.5, .every = 1 };
}
static mn_status try_pile(trial *t)
{
    const mn_cloth_def cloth = { .size = { 1.0, 1.0 }, .spacing = 0.5 };
    mn_thin_mesh       mesh  = { 0 };
    assert_int_equal(mn_cloth_generate(t->context, &cloth, &mesh), MN_OK);
    return made(t, mn_pile_add(t->context, &t->def.pile, &mesh), &mesh);
}

/// How the definitions of a section, or of all kinds of a group, are made and handed over in C.
static const struct entry {
    const mn_section *section;
    const mn_group   *group;
    void (*make)(trial *t);
    mn_status (*hand_over)(trial *t);
} entries[] = {
    { &mn_section_domain, NULL, make_domain, try_domain },
    { &mn_section_time, NULL, make_time, try_time },
    { &mn_section_solver, NULL, make_solver, try_solver },
    { &mn_section_wind, NULL, make_wind, try_wind },
    { &mn_section_obstacle, NULL, make_obstacle, try_obstacle },
    { NULL, &mn_group_liquid, make_liquid, try_liquid },
    { NULL, &mn_group_probe, make_probe, try_probe },
    { NULL, &mn_group_fabric, make_fabric, try_fabric },
    { NULL, &mn_group_stain, make_stain, try_stain },
    { NULL, &mn_group_shape, make_shape, try_shape },
    { &mn_section_motion, NULL, make_motion, try_motion },
    { &mn_section_liquid_material, NULL, make_liquid_material, try_liquid_material },
    { &mn_section_fabric_material, NULL, make_fabric_material, try_fabric_material },
    { &mn_section_pigment, NULL, make_pigment, try_pigment },
    { &mn_section_pair, NULL, make_pair, try_pair },
    { &mn_section_pin, NULL, make_pin, try_pin },
    { &mn_section_stain_patch, NULL, make_patch, try_patch },
    { &mn_section_stain_drop, NULL, make_drop, try_drop },
    { &mn_section_stain_source, NULL, make_source, try_drop },
    { &mn_section_sheet, NULL, make_sheet, try_cloth },
    { &mn_section_disc, NULL, make_disc, try_cloth },
    { &mn_section_hexagon, NULL, make_hexagon, try_cloth },
    { &mn_section_mesh, NULL, make_file, try_file },
    { &mn_section_yarn, NULL, make_yarn, try_yarn },
    { &mn_section_hair, NULL, make_hair, try_hair },
    { &mn_section_pile, NULL, make_pile, try_pile },
};

static const struct entry *find_entry(const mn_section *root, int *kind)
{
    for (size_t k = 0; k < sizeof entries / sizeof entries[0]; k++) {
        if (entries[k].section == root) return &entries[k];
        for (*kind = 0; entries[k].group != NULL && *kind < entries[k].group->count; ++*kind)
            if (entries[k].group->kinds[*kind] == root) return &entries[k];
    }
    fail_msg("'%s' has a range and a definition in C, and this test knows no function that takes it", root->title);
    return NULL;
}

/// Put a value where a row has it. False: C has no such number of its own.
static bool poke(trial *t, const mn_setting *s, size_t offset, double value)
{
    void *at = (char *)&t->def + offset;
    switch (s->type) {
    case MN_SET_INTEGER: *(int *)at = (int)value; return true;
    case MN_SET_COUNT: *(int64_t *)at = (int64_t)value; return true;
    case MN_SET_AMOUNTS: t->amount = value; return true;
    case MN_SET_STIFFNESS:
        ((mn_pin_def *)at)->kind      = MN_PIN_SOFT;
        ((mn_pin_def *)at)->stiffness = value;
        return true;
    case MN_SET_SOLUTES:
        if (s->offset == 0) return false;  // of drops: shares of their liquid in C
        *(mn_solutes *)at = (mn_solutes){ .count = 1, .pigment = { mn_pigment_default() }, .concentration = { value } };
        return true;
    default: *(double *)at = value; return true;  // the first of several
    }
}

static void expect_refused_in_c(mn_context *c, const mn_section *root, size_t offset, const mn_setting *s, double value)
{
    const bool absent = (s->flags & (MN_SET_OPTIONAL | MN_SET_OPEN)) != 0 && s->type != MN_SET_AMOUNTS &&
                        s->type != MN_SET_SOLUTES && (mn_setting_in_range(s, 0.0) ? value < 0.0 : value == 0.0);
    char                accepted[MN_RANGE_BYTES];
    trial               t     = { .context = c };
    const struct entry *entry = find_entry(root, &t.kind);
    const mn_world_def  world = mn_world_def_default();
    const mn_shape_def  ball  = mn_shape_def_default(MN_SHAPE_SPHERE);
    if (absent) return;
    assert_int_equal(mn_world_create(c, &world, &t.world), MN_OK);
    assert_int_equal(mn_shape_create(c, &ball, &t.ball), MN_OK);
    entry->make(&t);
    if (poke(&t, s, offset, value)) {
        mn_setting_accepted(s, accepted);
        const mn_status status = entry->hand_over(&t);
        if (status != MN_ERR_ARGUMENT || strstr(mn_context_error(c), accepted) == NULL)
            fail_msg("%s: '%s' of %.17g in C: status %d, '%s' does not say '%s'", root->title, s->key, value,
                     (int)status, mn_context_error(c), accepted);
    }
    mn_shape_release(&t.ball);
    mn_world_destroy(&t.world);
}

// --- scenes ----------------------------------------------------------------------------------------------------------

/// What required keys may name, one map each.
static const struct {
    const char *key, *things;
} around[] = {
    { "materials", "dye: {kind: pigment, absorbance: [1, 1, 1]}" },
    { "obstacles", "thing: {shape: {sphere: {radius: 1}}}" },
    { "fabrics", "thing: {material: cotton, sheet: {size: [2, 2], spacing: 1}}" },
};

/// A scene that grows key by key, the brackets that are open in it, and where C has what is written in them.
typedef struct draft {
    char              text[3000], closing[32];
    size_t            used;
    int               open;
    const mn_section *root;  // whose definition the values belong to; NULL: they are of a scene alone
    size_t            offset;
} draft;

static void add(draft *d, const char *text)
{
    d->used += (size_t)snprintf(d->text + d->used, sizeof d->text - d->used, "%s", text);
    assert_true(d->used < sizeof d->text);
}

/// "key: {", "key: [{"
static void open_value(draft *d, const char *key, const char *brackets)
{
    add(d, key);
    add(d, ": ");
    add(d, brackets);
    for (; *brackets != '\0'; brackets++) d->closing[d->open++] = *brackets == '{' ? '}' : ']';
}

static double sample(const mn_setting *s)
{
    return mn_setting_in_range(s, 1.0) ? 1.0 : isinf(s->high) ? s->low + 1.0 : 0.5 * (s->low + s->high);
}

static void add_required(draft *d, const mn_section *section, const char *without);

/// Any value that a row takes.
static void add_value(draft *d, const mn_setting *s)
{
    char         text[512];
    const double v = mn_setting_shown(s, sample(s));
    switch (s->type) {
    case MN_SET_VECTOR: snprintf(text, sizeof text, "[%.17g, %.17g, %.17g]", v, v, v); break;
    case MN_SET_PAIR: snprintf(text, sizeof text, "[%.17g, %.17g]", v, v); break;
    case MN_SET_NAME: snprintf(text, sizeof text, "%s", strcmp(s->key, "group") == 0 ? "all" : "thing"); break;
    case MN_SET_FILE: snprintf(text, sizeof text, "%s/mesh/cube.obj", MN_TEST_DATA); break;
    case MN_SET_SHAPE: snprintf(text, sizeof text, "{sphere: {radius: 1}}"); break;
    case MN_SET_SHAPES: snprintf(text, sizeof text, "[{sphere: {radius: 1}}]"); break;
    case MN_SET_LIQUID: snprintf(text, sizeof text, "water"); break;
    case MN_SET_FABRIC: snprintf(text, sizeof text, "cotton"); break;
    case MN_SET_NAME_PAIR: snprintf(text, sizeof text, "[any, any]"); break;
    case MN_SET_SECTION:
        add(d, s->section == &mn_section_yarn ? "{length: 1, " : "{");  // which patches of yarn do not have
        add_required(d, s->section, NULL);
        add(d, "}");
        return;
    case MN_SET_CHOICE: return;  // the kind of a material is written already
    default: snprintf(text, sizeof text, "%.17g", v); break;
    }
    add(d, text);
}

static void add_required(draft *d, const mn_section *section, const char *without)
{
    for (int k = 0; k < section->count; k++) {
        const mn_setting *s = &section->settings[k];
        if (!(s->flags & MN_SET_REQUIRED) || (without != NULL && strcmp(s->key, without) == 0)) continue;
        if (s->type == MN_SET_CHOICE) continue;
        add(d, s->key);
        add(d, ": ");
        add_value(d, s);
        add(d, ", ");
    }
}

/// The scene with one more value, of which the place is noted, is refused there.
static void expect_refused_in_a_scene(mn_context *c, const draft *front, const mn_setting *s, double value)
{
    static const char *const before[] = { [MN_SET_VECTOR]  = "[",
                                          [MN_SET_PAIR]    = "[",
                                          [MN_SET_PIXELS]  = "[",
                                          [MN_SET_SOLUTES] = "{dye: ",
                                          [MN_SET_APART]   = NULL };
    static const char *const after[]  = { [MN_SET_VECTOR]  = ", 1, 1]",
                                          [MN_SET_PAIR]    = ", 1]",
                                          [MN_SET_PIXELS]  = ", 1]",
                                          [MN_SET_SOLUTES] = "}",
                                          [MN_SET_APART]   = NULL };
    char                     number[64], place[64], accepted[MN_RANGE_BYTES];
    draft                    d = *front;
    add(&d, s->key);
    add(&d, ": ");
    if (before[s->type] != NULL) add(&d, before[s->type]);
    int line = 1, column = 1;
    for (size_t k = 0; k < d.used; k++) {
        column = d.text[k] == '\n' ? 1 : column + 1;
        line += d.text[k] == '\n';
    }
    snprintf(place, sizeof place, "scene:%d:%d: ", line, column);
    snprintf(number, sizeof number, "%.17g", mn_setting_shown(s, value));
    add(&d, number);
    if (after[s->type] != NULL) add(&d, after[s->type]);
    for (int k = d.open - 1; k >= 0; k--) add(&d, (const char[]){ d.closing[k], '\0' });
    mn_setting_accepted(s, accepted);
    mn_scene             *scene  = NULL;
    const mn_scene_source source = { .name = "scene", .text = d.text, .bytes = d.used };
    const mn_status       status = mn_scene_load(c, &source, &scene);
    const char           *error  = mn_context_error(c);
    if (status != MN_ERR_SCENE || strncmp(error, place, strlen(place)) != 0 || strstr(error, accepted) == NULL)
        fail_msg("%s\n  status %d, '%s' is not at '%s' or does not say '%s'", d.text, (int)status, error, place,
                 accepted);
}

// --- the walk --------------------------------------------------------------------------------------------------------

typedef struct walk {
    mn_context       *context;
    const mn_section *seen[128];  // sections of named things within things: they are looked at once
    int               seen_count, ranges, ranges_in_c;
} walk;

static void walk_section(walk *w, const draft *front, const mn_section *section);

static void check_value(walk *w, const draft *front, const mn_setting *s, double value)
{
    expect_refused_in_a_scene(w->context, front, s, value);
    w->ranges++;
    if (front->root == NULL || front->offset + s->offset >= front->root->bytes) return;
    expect_refused_in_c(w->context, front->root, front->offset + s->offset, s, value);
    w->ranges_in_c++;
}

/// Just below and just above.
static void check_range(walk *w, const draft *front, const mn_setting *s)
{
    const bool   whole = s->type == MN_SET_INTEGER || s->type == MN_SET_COUNT || s->type == MN_SET_PIXELS;
    const double below = whole                     ? s->low - 1.0
                         : s->flags & MN_SET_ABOVE ? s->low
                         : s->low == 0.0           ? -1e-9
                                                   : s->low - 1e-9 * fabs(s->low);
    check_value(w, front, s, below);
    if (isinf(s->high)) return;
    check_value(w, front, s,
                whole                     ? s->high + 1.0
                : s->flags & MN_SET_UNDER ? s->high
                                          : s->high + 1e-9 * fabs(s->high));
}

/// The values below a row belong to the same definition, to one of their own, or to a scene alone.
static void enter(draft *d, const mn_setting *s)
{
    if (d->root != NULL && s->type == MN_SET_SECTION && d->offset + s->offset < d->root->bytes) {
        d->offset += s->offset;
    } else {
        d->root   = s->section != NULL && s->section->bytes > 0 ? s->section : NULL;
        d->offset = 0;
    }
}

static void walk_things(walk *w, const draft *front, const mn_setting *s, bool top)
{
    draft d = *front;
    open_value(&d, s->key, "{");
    for (size_t k = 0; top && k < sizeof around / sizeof around[0]; k++) {
        if (strcmp(around[k].key, s->key) != 0) continue;
        add(&d, around[k].things);
        add(&d, ", ");
    }
    // Pins are named by the groups that they hold.
    open_value(&d, s->section == &mn_section_pin ? "all" : "walked", "{");
    const int count = s->group != NULL ? s->group->count : 1;
    for (int k = 0; k < count; k++) {
        const mn_section *section = s->group != NULL ? s->group->kinds[k] : s->section;
        bool              seen    = false;
        for (int j = 0; !top && j < w->seen_count; j++) seen = seen || w->seen[j] == section;
        if (seen) continue;
        assert_true(w->seen_count < 128);
        if (!top) w->seen[w->seen_count++] = section;
        draft kind  = d;
        kind.root   = section->bytes > 0 ? section : NULL;
        kind.offset = 0;
        if (s->group != NULL && s->group->words != NULL) {
            add(&kind, "kind: ");
            add(&kind, s->group->words[k]);
            add(&kind, ", ");
        }
        walk_section(w, &kind, section);
    }
}

static void walk_row(walk *w, const draft *front, const mn_section *section, const mn_setting *s)
{
    draft d = *front;
    if (s->flags & MN_SET_LATER) return;
    add_required(&d, section, s->key);
    if (s->low != 0.0 || s->high != 0.0) check_range(w, &d, s);
    if (s->type == MN_SET_NAMED) walk_things(w, &d, s, section == &mn_section_scene);
    if (s->type != MN_SET_SECTION && s->type != MN_SET_KEYS && s->type != MN_SET_PAIRS) return;
    open_value(&d, s->key, s->type == MN_SET_SECTION ? "{" : "[{");
    enter(&d, s);
    walk_section(w, &d, s->section);
}

static void walk_section(walk *w, const draft *front, const mn_section *section)
{
    for (int k = 0; k < section->count; k++) {
        draft d = *front;
        for (size_t j = 0; section == &mn_section_scene && j < sizeof around / sizeof around[0]; j++) {
            if (strcmp(around[j].key, section->settings[k].key) == 0) continue;
            add(&d, around[j].key);
            add(&d, ": {");
            add(&d, around[j].things);
            add(&d, "},\n");
        }
        walk_row(w, &d, section, &section->settings[k]);
    }
}

static void a_value_outside_its_range_is_refused_alike_in_scenes_and_in_c(void **state)
{
    (void)state;
    walk  w = { .context = test_context(1) };
    draft d = { .closing = "}", .open = 1 };
    add(&d, "{");
    walk_section(&w, &d, &mn_section_scene);
    print_message("%d values outside, %d of them in C too\n", w.ranges, w.ranges_in_c);
    assert_true(w.ranges > 400 && w.ranges_in_c > 350);  // the walk went everywhere
    test_context_end(&w.context);
}

/// What C may leave open, it may: the defaults of all definitions are taken.
static void defaults_are_within_their_ranges(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    for (size_t k = 0; k < sizeof entries / sizeof entries[0]; k++) {
        for (int kind = 0; kind < (entries[k].group != NULL ? entries[k].group->count : 1); kind++) {
            trial              t     = { .context = c, .kind = kind };
            const mn_world_def world = mn_world_def_default();
            const mn_shape_def ball  = mn_shape_def_default(MN_SHAPE_SPHERE);
            assert_int_equal(mn_world_create(c, &world, &t.world), MN_OK);
            assert_int_equal(mn_shape_create(c, &ball, &t.ball), MN_OK);
            entries[k].make(&t);
            if (entries[k].hand_over(&t) != MN_OK && strstr(mn_context_error(c), "; it must be ") != NULL)
                fail_msg("%s", mn_context_error(c));
            mn_shape_release(&t.ball);
            mn_world_destroy(&t.world);
        }
    }
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_outside_its_range_is_refused_alike_in_scenes_and_in_c),
        cmocka_unit_test(defaults_are_within_their_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
