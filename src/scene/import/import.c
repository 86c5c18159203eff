// SPDX-License-Identifier: MPL-2.0
// scene/import/import.c - scenes of libWetCloth become scenes of this program; what has no translation is named.
#include "scene/import/import.h"

#include "base/file.h"
#include "base/locale.h"
#include "meniscus/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- what is left ----------------------------------------------------------------------------------------------------

/// Why something has no translation, where there is more to say than that there is none.
static const struct {
    const char *element, *attribute, *reason;
} reasons[] = {
    { "bucketinfo", "kernelorder", "the transfers of this program have kernels of their own" },
    { "integrator", "manifoldsubsteps", "flow in fabric chooses its substeps itself" },
    { "integrator", "surftensionsubsteps", "liquid surfaces choose their steps themselves" },
    { "integrator", "viscositysubsteps", "viscosity is solved implicitly" },
    { "integrator", "maxiters", "solves end by their tolerance" },
    { "halfThickness", NULL, "the radius of ElasticParameters says it" },
    { "elastoFlipCoeff", NULL, "the shear that vertices carry is not damped" },
    { "elastoFlipAsymCoeff", NULL, "the rotation that vertices carry is not damped" },
    { "multiLevel", NULL, "the solvers choose for themselves" },
    { "checkDivergence", NULL, "the ledger has it for every frame" },
    { "solidCohesion", NULL, "wet fabric does not stick to obstacles" },
    { "cohesionCoeff", NULL, "cohesion has a scale of its own, pairs.cohesion" },
    { "accumulateViscousOnlyForBendingModes", NULL, "all deformation is damped" },
    { "baseRotation", NULL, "yarn starts without twist" },
    { "camera", "radius", "of the viewer alone" },
    { "particle", "fixed", "the twist of a vertex is held only together with its place" },
    { "particle", "v", "a fabric starts with one velocity" },
    { "script", NULL,
      "it moves nothing, overlaps another one in time, turns about a second axis, or is not eased by a cubic" },
};

static const char *reason_for(const char *element, const char *attribute)
{
    for (size_t k = 0; k < sizeof reasons / sizeof *reasons; k++) {
        if (strcmp(reasons[k].element, element) != 0) continue;
        if (reasons[k].attribute == NULL ? attribute == NULL
                                         : attribute != NULL && strcmp(reasons[k].attribute, attribute) == 0)
            return reasons[k].reason;
    }
    return NULL;
}

/// How often something is left: an element as a whole, or one attribute of elements that were taken.
static int64_t count_left(const mn_xml_element *e, const char *element, const char *parent, const char *attribute)
{
    int64_t    count = 0;
    const bool same  = strcmp(e->name, element) == 0 && strcmp(e->parent != NULL ? e->parent->name : "", parent) == 0;
    if (same && attribute == NULL) count += !e->taken;
    for (int k = 0; same && attribute != NULL && e->taken && k < e->attribute_count; k++)
        count += !e->attribute[k].taken && strcmp(e->attribute[k].key, attribute) == 0;
    if (!e->taken) return count;  // what is below it went with it
    for (const mn_xml_element *child = e->first; child != NULL; child = child->next)
        count += count_left(child, element, parent, attribute);
    return count;
}

typedef struct left_list {
    const mn_xml_element *element[256];
    const char           *attribute[256];
    int                   count;
} left_list;

static bool is_listed(const left_list *l, const mn_xml_element *e, const char *attribute)
{
    for (int k = 0; k < l->count; k++) {
        if (strcmp(l->element[k]->name, e->name) != 0 || (l->attribute[k] == NULL) != (attribute == NULL)) continue;
        if (e->parent != NULL && l->element[k]->parent != NULL &&
            strcmp(l->element[k]->parent->name, e->parent->name) != 0)
            continue;
        if (attribute == NULL || strcmp(l->attribute[k], attribute) == 0) return true;
    }
    return false;
}

static void add_left(left_list *l, const mn_xml_element *e, const char *attribute)
{
    if (l->count == 256 || is_listed(l, e, attribute)) return;
    l->element[l->count]     = e;
    l->attribute[l->count++] = attribute;
}

static void collect_left(const mn_xml_element *e, left_list *l)
{
    if (!e->taken) {
        add_left(l, e, NULL);
        return;
    }
    for (int k = 0; k < e->attribute_count; k++)
        if (!e->attribute[k].taken) add_left(l, e, e->attribute[k].key);
    for (const mn_xml_element *child = e->first; child != NULL; child = child->next) collect_left(child, l);
}

static void add_short(mn_text *t, const char *text)
{
    char excerpt[MN_EXCERPT_BYTES];
    mn_text_add(t, "%s", mn_excerpt(text, excerpt));
}

static void list_left(const mn_import *m, mn_text *t)
{
    left_list l = { .count = 0 };
    collect_left(m->root, &l);
    for (int k = 0; k < l.count; k++) {
        const char *name = l.element[k]->name, *parent = l.element[k]->parent != NULL ? l.element[k]->parent->name : "";
        const int64_t count = count_left(m->root, name, parent, l.attribute[k]);
        const char   *why   = reason_for(name, l.attribute[k]);
        mn_text_add(t, "not translated: ");
        if (l.attribute[k] != NULL) add_short(t, l.attribute[k]), mn_text_add(t, " of ");
        mn_text_add(t, "<");
        add_short(t, name);
        mn_text_add(t, ">, line %d", l.element[k]->place.line);
        if (count > 1) mn_text_add(t, ", and %lld more", (long long)count - 1);
        if (why != NULL) mn_text_add(t, " (%s)", why);
        mn_text_add(t, "\n");
    }
}

static void list_counts(const mn_import *m, const char *to, mn_text *t)
{
    int64_t vertices = 0;
    for (int64_t v = 0; v < m->vertex_count; v++) vertices += m->vertex[v].fabric >= 0;
    mn_text_add_bytes(t, to, strlen(to));
    mn_text_add(t, ": %d fabric%s with %lld vertices, %lld triangles and %lld yarns; %d field%s, %d script%s\n",
                m->fabric_count, m->fabric_count == 1 ? "" : "s", (long long)vertices, (long long)m->face_count,
                (long long)m->strand_count, m->field_count, m->field_count == 1 ? "" : "s", m->script_count,
                m->script_count == 1 ? "" : "s");
    if (m->notes.bytes != NULL) mn_text_add_bytes(t, m->notes.bytes, (size_t)m->notes.count);
    if (m->fabric_count > 0 && m->face_count > 0)
        mn_text_add(t, "changed: cloth bends with three times the rigidity of its modulus and thickness, as hinges of "
                       "libWetCloth do\n");
    if (vertices < m->vertex_count)
        mn_text_add(t, "left out: %lld particles that belong to no cloth and no hair\n",
                    (long long)(m->vertex_count - vertices));
}

// --- files -----------------------------------------------------------------------------------------------------------

/// "folder/a.yaml" gives "folder/" and "a".
static mn_status split_path(mn_context *c, const char *to, char folder[MN_PATH_BYTES], char stem[256])
{
    const char  *slash = strrchr(to, '/'), *name = slash != NULL ? slash + 1 : to;
    const size_t length = strlen(name), ending = strlen(".yaml");
    if (length <= ending || strcmp(name + length - ending, ".yaml") != 0)
        return mn_fail(c, MN_ERR_ARGUMENT, "the scene to write is called '%.200s'; its name must end in .yaml", to);
    if (length - ending >= 200 || (size_t)(name - to) >= MN_PATH_BYTES)
        return mn_fail(c, MN_ERR_ARGUMENT, "the name '%.200s' is too long", to);
    memcpy(stem, name, length - ending);
    stem[length - ending] = '\0';
    memcpy(folder, to, (size_t)(name - to));
    folder[name - to] = '\0';
    return MN_OK;
}

static mn_status mesh_path(mn_context *c, const char *folder, const char *stem, int fabric, char path[MN_PATH_BYTES])
{
    const int length = snprintf(path, MN_PATH_BYTES, "%s%s-fabric%d.obj", folder, stem, fabric);
    return length < MN_PATH_BYTES ? MN_OK : mn_fail(c, MN_ERR_ARGUMENT, "the name '%.200s' is too long", folder);
}

/// Everything that will be written or told.
typedef struct import_texts {
    mn_text scene, listing, *mesh;
} import_texts;

static mn_status make_texts(mn_import *m, const char *to, const char *stem, import_texts *out)
{
    out->scene.context = out->listing.context = m->context;
    out->mesh                                 = mn_arena_array_zero(m->arena, mn_text, m->fabric_count);
    m->number                                 = mn_arena_array(m->arena, int64_t, m->vertex_count);
    m->volume                                 = mn_arena_array(m->arena, double, m->vertex_count);
    if (out->mesh == NULL || m->number == NULL || m->volume == NULL) return MN_ERR_MEMORY;
    mn_import_write_scene(m, stem, &out->scene);
    bool failed = m->notes.failed || out->scene.failed;
    for (int k = 0; k < m->fabric_count; k++) {
        out->mesh[k].context = m->context;
        mn_import_write_mesh(m, k, &out->mesh[k]);
        failed = failed || out->mesh[k].failed;
    }
    list_counts(m, to, &out->listing);
    list_left(m, &out->listing);
    return failed || out->listing.failed ? MN_ERR_MEMORY : MN_OK;
}

static mn_status write_text(mn_context *c, const char *path, const mn_text *text)
{
    mn_file_error error;
    return mn_file_write_atomic(path, text->bytes, (size_t)text->count, &error) == MN_OK ? MN_OK
                                                                                         : mn_file_fail(c, &error);
}

/// What came out must be a scene that the program takes. It is tried under its temporary name, beside its meshes.
static mn_status try_scene(mn_context *c, const char *path, const char *from)
{
    const mn_scene_source source = { .path = path };
    const size_t          length = strlen(path);
    mn_scene             *scene  = NULL;
    mn_world             *world  = NULL;
    char                  text[1024];
    mn_status             status = mn_scene_load(c, &source, &scene);
    if (status == MN_OK) status = mn_scene_build(scene, &world);
    mn_world_destroy(&world);
    mn_scene_destroy(&scene);
    if (status == MN_OK || status == MN_ERR_MEMORY) return status;
    const char *said = mn_context_error(c);
    snprintf(text, sizeof text, "%s", strncmp(said, path, length) == 0 ? said + length + 1 : said);
    return mn_fail(c, MN_ERR_SCENE, "%s: the scene it makes would be refused, and is not written: %s", from, text);
}

static mn_status write_scene(const mn_import *m, const char *to, const mn_text *text)
{
    mn_file_stream stream;
    mn_file_error  error;
    if (mn_file_stream_open(&stream, to, &error) != MN_OK ||
        mn_file_stream_add(&stream, text->bytes, (size_t)text->count, &error) != MN_OK)
        return mn_file_fail(m->context, &error);
    const mn_status status = try_scene(m->context, stream.partial, m->path);
    if (status == MN_OK)
        return mn_file_stream_finish(&stream, &error) == MN_OK ? MN_OK : mn_file_fail(m->context, &error);
    mn_file_stream_abandon(&stream);
    return status;
}

/// The scene, which names the meshes, is written last. After a failure the meshes go again.
static mn_status write_files(const mn_import *m, const char *folder, const char *stem, const char *to,
                             const import_texts *texts)
{
    char          path[MN_PATH_BYTES];
    mn_file_error ignored;  // the first failure is the one to tell
    mn_status     status  = MN_OK;
    int           written = 0;
    for (; status == MN_OK && written < m->fabric_count; written += status == MN_OK) {
        status = mesh_path(m->context, folder, stem, written, path);
        if (status == MN_OK) status = write_text(m->context, path, &texts->mesh[written]);
    }
    if (status == MN_OK) status = write_scene(m, to, &texts->scene);
    for (int k = 0; status != MN_OK && k < written; k++)
        if (mesh_path(m->context, folder, stem, k, path) == MN_OK) mn_file_remove(path, &ignored);
    return status;
}

static mn_status import(mn_import *m, const char *from, const char *to, char **listing)
{
    char         folder[MN_PATH_BYTES], stem[256];
    import_texts texts = { .mesh = NULL };
    MN_TRY(split_path(m->context, to, folder, stem));
    MN_TRY(mn_xml_read(m->context, m->arena, from, &m->root));
    MN_TRY(mn_import_read(m));
    mn_status status = make_texts(m, to, stem, &texts);
    if (status == MN_OK) status = write_files(m, folder, stem, to, &texts);
    if (status == MN_OK) {
        status = mn_text_finish(&texts.listing, listing);
    } else {
        mn_free(m->context, texts.listing.bytes);
    }
    for (int k = 0; texts.mesh != NULL && k < m->fabric_count; k++) mn_free(m->context, texts.mesh[k].bytes);
    mn_free(m->context, texts.scene.bytes);
    return status;
}

mn_status mn_scene_import(mn_context *c, const char *from, const char *to, char **listing)
{
    // What the source takes where a file says nothing.
    mn_import m = { .context         = c,
                    .path            = from,
                    .density         = 1.0,
                    .viscosity       = 8.9e-3,
                    .surface_tension = 72.8,
                    .contact_angle   = 40.8 / 180.0 * MN_PI,
                    .sampling        = 0.3535533906,
                    .drag_exponent   = 1.6,
                    .capture         = 1.0,
                    .lambda          = 2.0,
                    .drag            = true,
                    .nonlinear       = true,
                    .cohesion        = true,
                    .buoyancy        = true,
                    .solve_solid     = true,
                    .keep_affine     = 0.99,
                    .keep_velocity   = 1.0,
                    .criterion       = 1e-6,
                    .notes           = { .context = c } };
    *listing    = NULL;
    MN_TRY(mn_arena_create(c, &m.arena));
    const mn_plain_locale plain  = mn_plain_locale_begin();
    const mn_status       status = import(&m, from, to, listing);
    mn_plain_locale_end(plain);
    mn_free(c, m.notes.bytes);
    mn_arena_destroy(&m.arena);
    return status;
}
