// SPDX-License-Identifier: MPL-2.0
// scene/value.c - numbers, vectors, words and texts: from a node into a struct, and back into scene text.
#include "base/file.h"
#include "base/units.h"
#include "scene/reader.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- writing ---------------------------------------------------------------------------------------------------------

void mn_number_text(double value, char out[MN_NUMBER_BYTES])
{
    if (isinf(value)) {
        snprintf(out, MN_NUMBER_BYTES, value > 0.0 ? ".inf" : "-.inf");
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, MN_NUMBER_BYTES, "%.*g", digits, value);
        if (strtod(out, NULL) == value) return;
    }
}

/// Units of the table are CGS, so that bare numbers need no conversion, except for angles.
static mn_unit unit_of(const mn_setting *s)
{
    mn_unit unit = { .factor = 1.0 };
    char    error[MN_UNIT_ERROR_BYTES];
    if (s->unit != NULL && !mn_unit_parse(s->unit, &unit, error)) MN_ASSERT(!"a unit of the table");
    return unit;
}

void mn_setting_number_text(const mn_setting *s, double value, char out[MN_NUMBER_BYTES])
{
    if (!mn_setting_is_angle(s) || value == 0.0) {
        mn_number_text(value, out);
        return;
    }
    const mn_unit unit = unit_of(s);
    // Degrees where they give back the same bits, radians otherwise.
    mn_number_text(value / unit.factor, out);
    if (mn_unit_to_cgs(&unit, strtod(out, NULL)) == value) return;
    char number[MN_NUMBER_BYTES];
    mn_number_text(value, number);
    snprintf(out, MN_NUMBER_BYTES, "%.26s rad%.16s", number, s->unit + strlen("deg"));
}

mn_node *mn_plain_node(mn_reader *r, mn_place place, const char *text)
{
    return mn_node_text(r->arena, place, text, strlen(text));
}

mn_node *mn_quoted_node(mn_reader *r, mn_place place, const char *text)
{
    mn_node *n = mn_plain_node(r, place, text);
    if (n != NULL) n->quoted = true;
    return n;
}

static mn_node *number_node(mn_reader *r, mn_place place, const mn_setting *s, double value)
{
    char text[MN_NUMBER_BYTES];
    mn_setting_number_text(s, value, text);
    return mn_plain_node(r, place, text);
}

// --- numbers ---------------------------------------------------------------------------------------------------------

static mn_status expects(mn_reader *r, const mn_setting *s, const mn_node *node, const char *what)
{
    char excerpt[MN_EXCERPT_BYTES];
    if (node->kind != MN_NODE_TEXT || mn_node_is_nothing(node)) {
        return mn_fail_at(r->context, node->place, "'%s' expects %s, not %s", s->key, what, mn_node_kind_text(node));
    }
    return mn_fail_at(r->context, node->place, "'%s' expects %s, not '%s'", s->key, what,
                      mn_excerpt(node->value, excerpt));
}

static mn_status expects_number(mn_reader *r, const mn_setting *s, const mn_node *node)
{
    char what[96];
    if (s->unit == NULL) return expects(r, s, node, "a number");
    snprintf(what, sizeof what, "a number in %s or with a unit", s->unit);
    return expects(r, s, node, what);
}

/// .inf, +.inf, -.inf in the three cases of letters that YAML knows.
static bool read_infinity(const char *text, double *out)
{
    const char *word = text[0] == '+' || text[0] == '-' ? text + 1 : text;
    if (strcmp(word, ".inf") != 0 && strcmp(word, ".Inf") != 0 && strcmp(word, ".INF") != 0) return false;
    *out = text[0] == '-' ? -INFINITY : INFINITY;
    return true;
}

static bool is_nan_word(const char *text)
{
    return strcmp(text, ".nan") == 0 || strcmp(text, ".NaN") == 0 || strcmp(text, ".NAN") == 0;
}

static mn_status apply_unit(mn_reader *r, const mn_setting *s, const mn_node *node, const char *unit_text,
                            double *value)
{
    mn_unit unit, expected = unit_of(s);
    char    error[MN_UNIT_ERROR_BYTES], excerpt[MN_EXCERPT_BYTES];
    if (!mn_unit_parse(unit_text, &unit, error)) {
        return mn_fail_at(r->context, node->place, "'%s' cannot be read as a number with a unit: %s",
                          mn_excerpt(node->value, excerpt), error);
    }
    if (!mn_dimension_equal(unit.dimension, expected.dimension)) {
        char given[MN_DIMENSION_BYTES], wanted[MN_DIMENSION_BYTES];
        mn_dimension_text(unit.dimension, given);
        mn_dimension_text(expected.dimension, wanted);
        return mn_fail_at(r->context, node->place, "'%s' is %s%s, and '%s' is in %s", s->key,
                          s->unit != NULL ? "measured in " : "", wanted, mn_excerpt(node->value, excerpt), given);
    }
    *value = mn_unit_to_cgs(&unit, *value);
    return MN_OK;
}

static mn_status check_range(mn_reader *r, const mn_setting *s, const mn_node *node, double v)
{
    char accepted[MN_RANGE_BYTES], excerpt[MN_EXCERPT_BYTES];
    if (mn_setting_in_range(s, v)) return MN_OK;
    mn_setting_accepted(s, accepted);
    return mn_fail_at(r->context, node->place, "'%s' must be %s, not %s", s->key, accepted,
                      mn_excerpt(node->value, excerpt));
}

static mn_status read_number(mn_reader *r, const mn_setting *s, const mn_node *node, double *out)
{
    char excerpt[MN_EXCERPT_BYTES];
    if (node->kind != MN_NODE_TEXT || mn_node_is_nothing(node)) return expects_number(r, s, node);
    if (is_nan_word(node->value))
        return mn_fail_at(r->context, node->place, "'%s' must be a finite number, not NaN", s->key);
    if (read_infinity(node->value, out)) {
        if (s->flags & MN_SET_INFINITE) return check_range(r, s, node, *out);
        return mn_fail_at(r->context, node->place, "'%s' must be a finite number, not %s", s->key, node->value);
    }
    const size_t length = mn_number_length(node->value);
    char        *end;
    double       value = strtod(node->value, &end);
    if (length == 0 || end != node->value + length) return expects_number(r, s, node);
    while (*end == ' ') end++;
    if (*end != '\0') {
        MN_TRY(apply_unit(r, s, node, end, &value));
    } else if (mn_setting_is_angle(s)) {
        const mn_unit unit = unit_of(s);
        value              = mn_unit_to_cgs(&unit, value);
    }
    if (!isfinite(value)) {
        return mn_fail_at(r->context, node->place, "'%s' is too large a number: %s", s->key,
                          mn_excerpt(node->value, excerpt));
    }
    *out = value;
    return check_range(r, s, node, value);
}

/// A list of numbers; `least` to `most` of them.
static mn_status read_numbers(mn_reader *r, const mn_setting *s, const mn_node *node, int least, int most, double *out,
                              mn_node **resolved)
{
    char what[64];
    if (node->kind != MN_NODE_LIST || node->count < least || node->count > most) {
        snprintf(what, sizeof what, "a list of %d numbers", most);
        if (node->kind == MN_NODE_LIST) {
            return mn_fail_at(r->context, node->place, "'%s' expects %s, not of %d", s->key, what, node->count);
        }
        return expects(r, s, node, what);
    }
    *resolved = mn_node_branch(r->arena, node->place, MN_NODE_LIST);
    if (*resolved == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < most; k++) {
        if (k < node->count) {
            MN_TRY(read_number(r, s, node->items[k], &out[k]));
        } else {
            // The z that a two-dimensional scene leaves out.
            out[k] = s->flags & MN_SET_REQUIRED && s->standard_2d != NULL ? strtod(s->standard_2d, NULL) : 0.0;
        }
        mn_node *item = number_node(r, node->place, s, out[k]);
        if (item == NULL) return MN_ERR_MEMORY;
        MN_TRY(mn_node_add(r->arena, *resolved, NULL, item));
    }
    return MN_OK;
}

static mn_status read_vector(mn_reader *r, const mn_setting *s, const mn_node *node, double out[3], mn_node **resolved)
{
    MN_TRY(read_numbers(r, s, node, r->data->domain.dimension == 2 ? 2 : 3, 3, out, resolved));
    if (!(s->flags & MN_SET_DIRECTION)) return MN_OK;
    if (mn_direction_fits(out)) return MN_OK;
    return mn_fail_at(r->context, node->place, "'%s' is a direction and must not be zero", s->key);
}

static mn_status read_pair(mn_reader *r, const mn_setting *s, const mn_node *node, double out[2], mn_node **resolved)
{
    MN_TRY(read_numbers(r, s, node, 2, 2, out, resolved));
    if (!(s->flags & MN_SET_RISING) || out[1] > out[0]) return MN_OK;
    return mn_fail_at(r->context, node->place, "the second number of '%s' must be above the first", s->key);
}

static mn_status read_bounds(mn_reader *r, const mn_setting *s, const mn_node *node, double out[2][3],
                             mn_node **resolved)
{
    const int flat = r->data->domain.dimension == 2;
    if (node->kind != MN_NODE_LIST) return expects(r, s, node, "two corners, [[x, y, z], [x, y, z]]");
    if (node->count != 2)
        return mn_fail_at(r->context, node->place, "'%s' expects two corners, not %d", s->key, node->count);
    *resolved = mn_node_branch(r->arena, node->place, MN_NODE_LIST);
    if (*resolved == NULL) return MN_ERR_MEMORY;
    for (int side = 0; side < 2; side++) {
        const mn_node *corner = node->items[side];
        mn_node       *written;
        MN_TRY(read_numbers(r, s, corner, flat ? 2 : 3, 3, out[side], &written));
        if (flat && corner->count == 2) {
            out[side][2]      = side == 0 ? -0.5 : 0.5;  // a flat domain is 1 cm deep, with z = 0 in its middle
            written->items[2] = number_node(r, corner->place, s, out[side][2]);
            if (written->items[2] == NULL) return MN_ERR_MEMORY;
        }
        MN_TRY(mn_node_add(r->arena, *resolved, NULL, written));
    }
    return MN_OK;
}

// --- whole numbers ---------------------------------------------------------------------------------------------------

static mn_status read_integer(mn_reader *r, const mn_setting *s, const mn_node *node, int *out)
{
    const size_t length = node->kind == MN_NODE_TEXT ? mn_number_length(node->value) : 0;
    char        *end    = NULL;
    const double value  = length > 0 ? strtod(node->value, &end) : 0.5;
    if (length == 0 || *end != '\0' || value != floor(value) || fabs(value) > 2147483647.0)
        return expects(r, s, node, "a whole number");
    MN_TRY(check_range(r, s, node, value));
    *out = (int)value;
    return MN_OK;
}

static mn_status read_pixels(mn_reader *r, const mn_setting *s, const mn_node *node, int out[2], mn_node **resolved)
{
    if (node->kind != MN_NODE_LIST || node->count != 2) return expects(r, s, node, "a list of 2 whole numbers");
    *resolved = mn_node_branch(r->arena, node->place, MN_NODE_LIST);
    if (*resolved == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < 2; k++) {
        char text[16];
        MN_TRY(read_integer(r, s, node->items[k], &out[k]));
        snprintf(text, sizeof text, "%d", out[k]);
        mn_node *item = mn_plain_node(r, node->place, text);
        if (item == NULL) return MN_ERR_MEMORY;
        MN_TRY(mn_node_add(r->arena, *resolved, NULL, item));
    }
    return MN_OK;
}

static mn_status read_seed(mn_reader *r, const mn_setting *s, const mn_node *node, uint64_t *out)
{
    if (node->kind != MN_NODE_TEXT || node->value[0] < '0' || node->value[0] > '9')
        return expects(r, s, node, "a whole number, at least 0");
    char *end;
    errno                          = 0;
    const unsigned long long value = strtoull(node->value, &end, 10);
    if (*end != '\0' || errno != 0) return expects(r, s, node, "a whole number below 2^64");
    *out = value;
    return MN_OK;
}

// --- words and texts -------------------------------------------------------------------------------------------------

static mn_status find_choice(mn_reader *r, const mn_setting *s, const mn_node *node, int *out)
{
    if (node->kind != MN_NODE_TEXT || mn_node_is_nothing(node)) return expects(r, s, node, "a word");
    for (int k = 0; s->choices[k] != NULL; k++) {
        if (strcmp(node->value, s->choices[k]) == 0) {
            *out = k;
            return MN_OK;
        }
    }
    char words[256], hint[MN_HINT_BYTES], excerpt[MN_EXCERPT_BYTES];
    for (size_t k = 0, used = 0; s->choices[k] != NULL && used < sizeof words; k++) {
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%s", k > 0 ? ", " : "", s->choices[k]);
    }
    mn_spelling_hint(node->value, s->choices, hint);
    return mn_fail_at(r->context, node->place, "'%s' must be one of %s, not '%s'%s", s->key, words,
                      mn_excerpt(node->value, excerpt), strstr(hint, "did you") != NULL ? hint : "");
}

static mn_status read_words(mn_reader *r, const mn_setting *s, const mn_node *node, bool *flags, mn_node **resolved)
{
    for (int k = 0; s->choices[k] != NULL; k++) flags[k] = false;
    *resolved = mn_node_branch(r->arena, node->place, MN_NODE_LIST);
    if (*resolved == NULL) return MN_ERR_MEMORY;
    if (node->kind != MN_NODE_LIST) return expects(r, s, node, "a list of words");
    for (int k = 0; k < node->count; k++) {
        int choice = 0;
        MN_TRY(find_choice(r, s, node->items[k], &choice));
        if (flags[choice])
            return mn_fail_at(r->context, node->items[k]->place, "'%s' is named twice in '%s'", s->choices[choice],
                              s->key);
        flags[choice] = true;
    }
    for (int k = 0; s->choices[k] != NULL; k++) {
        if (!flags[k]) continue;
        mn_node *item = mn_plain_node(r, node->place, s->choices[k]);
        if (item == NULL) return MN_ERR_MEMORY;
        MN_TRY(mn_node_add(r->arena, *resolved, NULL, item));
    }
    return MN_OK;
}

static mn_status read_name(mn_reader *r, const mn_setting *s, const mn_node *node, char out[MN_NAME_BYTES])
{
    if (node->kind != MN_NODE_TEXT || mn_node_is_nothing(node)) return expects(r, s, node, "a name");
    MN_TRY(mn_check_name(r, node));
    snprintf(out, MN_NAME_BYTES, "%s", node->value);
    return MN_OK;
}

static mn_status read_text(mn_reader *r, const mn_setting *s, const mn_node *node, const char **out)
{
    if (node->kind != MN_NODE_TEXT) return expects(r, s, node, "a text");
    *out = node->value;
    return MN_OK;
}

/// Numbered files: of their path only the folder can be looked for here.
static mn_status read_numbered(mn_reader *r, const mn_node *node, const char *path, mn_node **resolved)
{
    char        folder[PATH_MAX], absolute[PATH_MAX], whole[2 * PATH_MAX];
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    if (strchr(name, '%') == NULL || (size_t)(name - path) >= sizeof folder)
        return mn_fail_at(r->context, node->place,
                          "the number of numbered files is in their name, not in their folder");
    snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path);
    if (realpath(slash != NULL ? folder : ".", absolute) == NULL)
        return mn_fail_at(r->context, node->place, "the folder of '%s' cannot be read: %s", path, strerror(errno));
    snprintf(whole, sizeof whole, "%s/%s", absolute, name);
    *resolved = mn_quoted_node(r, node->place, whole);
    return *resolved == NULL ? MN_ERR_MEMORY : MN_OK;
}

/// The path for opening goes into *out, the absolute one (which works from any folder) into the resolved scene.
static mn_status read_file(mn_reader *r, const mn_setting *s, const mn_node *node, const char **out, mn_node **resolved)
{
    char excerpt[MN_EXCERPT_BYTES], absolute[PATH_MAX];
    if (node->kind != MN_NODE_TEXT || node->value[0] == '\0') return expects(r, s, node, "the path of a file");
    if (!r->files)
        return mn_fail_at(r->context, node->place, "this scene must not name files, and '%s' is one",
                          mn_excerpt(node->value, excerpt));
    *out = mn_path_from(r->arena, node->place, node->value);
    if (*out == NULL) return MN_ERR_MEMORY;
    if ((s->flags & MN_SET_NUMBERED) != 0 && strchr(*out, '%') != NULL) return read_numbered(r, node, *out, resolved);
    static const mn_file_kind any = { "what a scene names", INT64_MAX };  // who reads it knows how large it may be
    mn_file_error             error;
    if (mn_file_look(*out, &any, &error) != MN_OK)
        return mn_fail_at(r->context, node->place, "the file '%s' cannot be read: %s", *out, mn_file_reason(&error));
    if (realpath(*out, absolute) == NULL)
        return mn_fail_at(r->context, node->place, "the file '%s' cannot be read: %s", *out, strerror(errno));
    *resolved = mn_quoted_node(r, node->place, absolute);
    return *resolved == NULL ? MN_ERR_MEMORY : MN_OK;
}

// --- all of them -----------------------------------------------------------------------------------------------------

static mn_status done(mn_node *node, mn_node **resolved)
{
    *resolved = node;
    return node == NULL ? MN_ERR_MEMORY : MN_OK;
}

static mn_status read_plain(mn_reader *r, const mn_setting *s, const mn_node *node, void *at, mn_node **resolved)
{
    char text[MN_NUMBER_BYTES];
    switch (s->type) {
    case MN_SET_NUMBER:
        MN_TRY(read_number(r, s, node, at));
        return done(number_node(r, node->place, s, *(double *)at), resolved);
    case MN_SET_INTEGER:
        MN_TRY(read_integer(r, s, node, at));
        snprintf(text, sizeof text, "%d", *(int *)at);
        return done(mn_plain_node(r, node->place, text), resolved);
    case MN_SET_COUNT: {
        int count = 0;
        MN_TRY(read_integer(r, s, node, &count));
        *(int64_t *)at = count;
        snprintf(text, sizeof text, "%d", count);
        return done(mn_plain_node(r, node->place, text), resolved);
    }
    case MN_SET_SEED:
        MN_TRY(read_seed(r, s, node, at));
        snprintf(text, sizeof text, "%llu", (unsigned long long)*(uint64_t *)at);
        return done(mn_plain_node(r, node->place, text), resolved);
    case MN_SET_CHOICE: {
        int choice = 0;
        MN_TRY(find_choice(r, s, node, &choice));
        memcpy(at, &choice, sizeof choice);
        return done(mn_plain_node(r, node->place, s->choices[choice]), resolved);
    }
    case MN_SET_FLAG: {
        int choice = 0;
        MN_TRY(find_choice(r, s, node, &choice));
        *(bool *)at = choice == 1;
        return done(mn_plain_node(r, node->place, s->choices[choice]), resolved);
    }
    case MN_SET_NAME: MN_TRY(read_name(r, s, node, at)); return done(mn_quoted_node(r, node->place, at), resolved);
    case MN_SET_FILE: return read_file(r, s, node, at, resolved);
    default: break;
    }
    MN_ASSERT(s->type == MN_SET_TEXT);
    MN_TRY(read_text(r, s, node, at));
    return done(mn_quoted_node(r, node->place, *(const char **)at), resolved);
}

mn_status mn_read_value(mn_reader *r, const mn_setting *s, const mn_node *node, void *base, mn_node **resolved)
{
    void *at = (char *)base + s->offset;
    switch (s->type) {
    case MN_SET_VECTOR: return read_vector(r, s, node, at, resolved);
    case MN_SET_PAIR: return read_pair(r, s, node, at, resolved);
    case MN_SET_BOUNDS: return read_bounds(r, s, node, at, resolved);
    case MN_SET_PIXELS: return read_pixels(r, s, node, at, resolved);
    case MN_SET_WORDS: return read_words(r, s, node, at, resolved);
    case MN_SET_SHAPE: return mn_read_shape(r, node, at, resolved);
    case MN_SET_SHAPES: return mn_read_shape_list(r, s, node, at, resolved);
    case MN_SET_MOTION: return mn_read_motion(r, node, at, resolved);
    case MN_SET_KEYS: return mn_read_motion_keys(r, s, node, at, resolved);
    case MN_SET_LIQUID: return mn_read_liquid_material(r, node, at, resolved);
    case MN_SET_FABRIC: return mn_read_fabric_material(r, node, at, resolved);
    case MN_SET_STIFFNESS: return mn_read_stiffness(r, s, node, at, resolved);
    case MN_SET_EVAPORATION: return mn_read_evaporation(r, s, node, at, resolved);
    case MN_SET_NAME_PAIR: return mn_read_name_pair(r, s, node, at, resolved);
    case MN_SET_PAIRS: return mn_read_pairs(r, s, node, resolved);
    case MN_SET_SOLUTES: return mn_read_solutes(r, s, node, s->offset != 0 ? at : NULL, resolved);
    case MN_SET_PIGMENTS: return mn_read_pigments(r, s, node, at, resolved);
    default: return read_plain(r, s, node, at, resolved);
    }
}
