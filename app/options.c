// SPDX-License-Identifier: MPL-2.0
// app/options.c - one table of options, and reading the words of a command line with it.
#include "app.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct option_row {
    const char *name, *value, *help;
} option_row;

static const option_row rows[] = {
    [APP_OPTION_out]     = { "-o", "OUT", "folder for the results; default out/<name of the scene file>" },
    [APP_OPTION_variant] = { "--variant", "NAME", "use this variant of the scene" },
    [APP_OPTION_frames]  = { "--frames", "N", "stop after N frames" },
    [APP_OPTION_threads] = { "--threads", "N", "workers, 1 to 256; default one per core; results do not depend on it" },
    [APP_OPTION_set]     = { "--set", "KEY=VALUE", "change a setting of the scene; may be repeated" },
    [APP_OPTION_resume]  = { "--resume", NULL, "continue the run in OUT from its newest checkpoint" },
    [APP_OPTION_from]    = { "--from", "OUT:FRAME", "start from a checkpointed frame of another run" },
    [APP_OPTION_pictures] = { "--pictures", NULL, "also write a picture of every frame" },
    [APP_OPTION_quiet]    = { "--quiet", NULL, "no progress; errors only" },
    [APP_OPTION_list]     = { "--list", NULL, "name the cases, run nothing" },
    [APP_OPTION_tier]     = { "--tier", "TIER", "build (default, < 5 minutes), verify (< 1 hour) or nightly" },
    [APP_OPTION_scene]    = { "-o", "SCENE.yaml", "the scene file to write; meshes are written beside it" },
    [APP_OPTION_pair]     = { "--pair", "RULE",
                              "what two neighbours make of a cell: arith (default, as published), harm or network" },
    [APP_OPTION_gaps]     = { "--gaps", NULL, "yarns of a woven preset stand apart, with gaps between them" },
    [APP_OPTION_table]    = { "--table", "D,D,D,D,D,D",
                              "what passes gap-gap, weft-weft, warp-warp, gap-weft, gap-warp, weft-warp; default "
                                 "1,100,500,10,50,200" },
    [APP_OPTION_aspect]   = { "--aspect", "A",
                              "height of a cell over its width: pitch of the wefts over that of the warps; default 1" },
    [APP_OPTION_drawing]  = { "-o", "FILE", "draw the tile and the ellipse of the tensor; FILE ends in .svg or .png" },
    [APP_OPTION_to]       = { "--to", "FORMAT", "vtp, ply, obj, pc2, usda, or html: a page to look at in a browser" },
    [APP_OPTION_folder]   = { "-o", "FOLDER", "where the files go; default OUT/export; with --to html also FILE.html" },
    [APP_OPTION_quality]  = { "--quality", "QUALITY", "draft (default, seconds a frame) or fine" },
    [APP_OPTION_color]    = { "--color", "FIELD",
                              "colour things by a field of theirs, with a legend: speed, saturation, ..." },
    [APP_OPTION_span]     = { "--frames", "A..B", "only frames A to B; A alone: that one" },
    [APP_OPTION_every]    = { "--every", "N", "only one of N frames" },
    [APP_OPTION_size]     = { "--size", "WxH", "pixels; default as the scene's camera has it" },
    [APP_OPTION_movie]    = { "--movie", NULL, "also join the pictures to movie.mp4, if ffmpeg is installed" },
    [APP_OPTION_glass]    = { "--glass", NULL, "obstacles are clear glass, to look into vessels" },
    [APP_OPTION_pngs]     = { "-o", "FOLDER", "folder for the pictures; default OUT/render" },
    [APP_OPTION_fields]   = { "--fields", "A,B", "only these values to colour by; default all" },
    [APP_OPTION_limit]    = { "--limit", "MB", "most that a page may have; default 200" },
    [APP_OPTION_help]     = { "--help", NULL, "this text" },
};

#define ROW_COUNT ((int)(sizeof rows / sizeof rows[0]))

void app_print_options(FILE *to, unsigned options)
{
    for (int k = 0; k < ROW_COUNT; k++) {
        if ((options >> k & 1u) == 0) continue;
        char call[64];
        snprintf(call, sizeof call, "%s %s", rows[k].name, rows[k].value == NULL ? "" : rows[k].value);
        fprintf(to, "  %-18s %s\n", call, rows[k].help);
    }
}

static int unknown_option(const app_command *command, const char *word)
{
    const char *names[ROW_COUNT];
    int         count = 0;
    for (int k = 0; k < ROW_COUNT; k++) {
        if (command->options >> k & 1u) names[count++] = rows[k].name;
    }
    const char *near = app_nearest(word, names, count);
    fprintf(stderr, "meniscus: '%s' is no option of '%s'", word, command->name);
    if (near != NULL) fprintf(stderr, "; did you mean '%s'?\n", near);
    else fprintf(stderr, "; see 'meniscus %s --help'\n", command->name);
    return APP_USAGE;
}

static int read_whole(const char *option, const char *value, int64_t least, int64_t most, int64_t *out)
{
    char *end              = NULL;
    errno                  = 0;
    const long long number = strtoll(value, &end, 10);
    if (end == value || *end != '\0' || errno != 0 || number < least || number > most) {
        fprintf(stderr, "meniscus: %s takes a whole number from %lld to %lld, not '%s'\n", option, (long long)least,
                (long long)most, value);
        return APP_USAGE;
    }
    *out = number;
    return APP_DONE;
}

static int read_tier(const char *value, mn_verify_tier *out)
{
    static const char
        *const names[] = { [MN_TIER_BUILD] = "build", [MN_TIER_VERIFY] = "verify", [MN_TIER_NIGHTLY] = "nightly" };
    for (int k = 0; k < 3; k++) {
        if (strcmp(value, names[k]) == 0) {
            *out = (mn_verify_tier)k;
            return APP_DONE;
        }
    }
    fprintf(stderr, "meniscus: --tier takes build, verify or nightly, not '%s'\n", value);
    return APP_USAGE;
}

static int read_quality(const char *value, mn_render_quality *out)
{
    if (strcmp(value, "draft") == 0 || strcmp(value, "fine") == 0) {
        *out = value[0] == 'd' ? MN_RENDER_DRAFT : MN_RENDER_FINE;
        return APP_DONE;
    }
    fprintf(stderr, "meniscus: --quality takes draft or fine, not '%s'\n", value);
    return APP_USAGE;
}

/// Two whole numbers with a mark between them; one alone stands for both if `alone`.
static bool read_two(const char *value, const char *mark, bool alone, int64_t least, int64_t most, int64_t out[2])
{
    char *end = NULL;
    errno     = 0;
    out[0] = out[1] = strtoll(value, &end, 10);
    bool good       = end != value && errno == 0;
    if (good && strncmp(end, mark, strlen(mark)) == 0) {
        const char *second = end + strlen(mark);
        out[1]             = strtoll(second, &end, 10);
        good               = end != second && errno == 0;
        alone              = true;
    }
    return good && alone && *end == '\0' && out[0] >= least && out[1] >= least && out[0] <= most && out[1] <= most;
}

static int read_span(const char *value, int64_t out[2])
{
    if (read_two(value, "..", true, 0, 100000000, out) && out[0] <= out[1]) return APP_DONE;
    fprintf(stderr, "meniscus: --frames takes A..B, the first and the last frame, not '%s'\n", value);
    return APP_USAGE;
}

static int read_size(const char *value, int out[2])
{
    int64_t size[2];
    if (!read_two(value, "x", false, 1, 16384, size)) {
        fprintf(stderr, "meniscus: --size takes WxH, each from 1 to 16384, not '%s'\n", value);
        return APP_USAGE;
    }
    out[0] = (int)size[0], out[1] = (int)size[1];
    return APP_DONE;
}

static int add_setting(app_args *args, const char *value)
{
    if (args->set_count == APP_MAX_SET) {
        fprintf(stderr, "meniscus: --set may be given %d times at most\n", APP_MAX_SET);
        return APP_USAGE;
    }
    args->set[args->set_count++] = value;
    return APP_DONE;
}

static int take_option(int option, const char *value, app_args *args)
{
    int64_t number = 0;
    int     status = APP_DONE;
    switch (option) {
    case APP_OPTION_out:
    case APP_OPTION_drawing:
    case APP_OPTION_folder:
    case APP_OPTION_pngs:
    case APP_OPTION_scene: args->out = value; break;
    case APP_OPTION_pair: args->pair = value; break;
    case APP_OPTION_table: args->table = value; break;
    case APP_OPTION_aspect: args->aspect = value; break;
    case APP_OPTION_to: args->to = value; break;
    case APP_OPTION_gaps: args->gaps = true; break;
    case APP_OPTION_variant: args->variant = value; break;
    case APP_OPTION_from: args->from = value; break;
    case APP_OPTION_frames:
        status       = read_whole("--frames", value, 0, 100000000, &number);
        args->frames = number;
        break;
    case APP_OPTION_threads:
        status        = read_whole("--threads", value, 1, 256, &number);
        args->threads = (int)number;
        break;
    case APP_OPTION_every:
        status      = read_whole("--every", value, 1, 100000000, &number);
        args->every = number;
        break;
    case APP_OPTION_limit:
        status      = read_whole("--limit", value, 1, 100000, &number);
        args->limit = number;
        break;
    case APP_OPTION_fields: args->fields = value; break;
    case APP_OPTION_color: args->field = value; break;
    case APP_OPTION_movie: args->movie = true; break;
    case APP_OPTION_glass: args->glass = true; break;
    case APP_OPTION_quality: return read_quality(value, &args->quality);
    case APP_OPTION_span: return read_span(value, args->span);
    case APP_OPTION_size: return read_size(value, args->size);
    case APP_OPTION_set: return add_setting(args, value);
    case APP_OPTION_tier: return read_tier(value, &args->tier);
    case APP_OPTION_resume: args->resume = true; break;
    case APP_OPTION_pictures: args->pictures = true; break;
    case APP_OPTION_quiet: args->quiet = true; break;
    case APP_OPTION_list: args->list = true; break;
    case APP_OPTION_help: args->help = true; break;
    }
    return status;
}

/// The option a word spells, with "--name=value" split; -1 when the command has none like it.
static int find_option(const app_command *command, const char *word, const char **value)
{
    *value = NULL;
    for (int k = 0; k < ROW_COUNT; k++) {
        if ((command->options >> k & 1u) == 0) continue;
        const size_t length = strlen(rows[k].name);
        if (strncmp(word, rows[k].name, length) != 0) continue;
        if (word[length] == '\0') return k;
        if (word[length] == '=' && rows[k].value != NULL && word[1] == '-') {
            *value = word + length + 1;
            return k;
        }
    }
    return -1;
}

static int take_positional(const app_command *command, const char *word, app_args *args)
{
    if (args->positional_count == command->most || args->positional_count == APP_MAX_SET) {
        fprintf(stderr, "meniscus: '%s' is one argument too many; usage: meniscus %s\n", word, command->usage);
        return APP_USAGE;
    }
    args->positional[args->positional_count++] = word;
    return APP_DONE;
}

int app_parse(const app_command *command, int count, char **words, app_args *args)
{
    *args           = (app_args){ .command = command->name, .frames = -1, .span = { 0, -1 } };
    bool only_names = false;
    int  status     = APP_DONE;
    for (int k = 0; k < count && status == APP_DONE; k++) {
        const char *word = words[k], *value = NULL;
        if (only_names || word[0] != '-' || word[1] == '\0') {
            status = take_positional(command, word, args);
            continue;
        }
        if (strcmp(word, "--") == 0) {
            only_names = true;
            continue;
        }
        if (strcmp(word, "-h") == 0) word = "--help";
        const int option = find_option(command, word, &value);
        if (option < 0) return unknown_option(command, word);
        if (rows[option].value != NULL && value == NULL) {
            if (k + 1 == count) {
                fprintf(stderr, "meniscus: %s needs a value: %s %s\n", word, word, rows[option].value);
                return APP_USAGE;
            }
            value = words[++k];
        }
        if (value != NULL && value[0] == '\0') {
            fprintf(stderr, "meniscus: %s needs a value that is not empty\n", rows[option].name);
            return APP_USAGE;
        }
        status = take_option(option, value, args);
    }
    if (status != APP_DONE || args->help) return status;
    if (args->positional_count < command->least) {
        fprintf(stderr, "meniscus: an argument is missing; usage: meniscus %s\n", command->usage);
        return APP_USAGE;
    }
    return APP_DONE;
}
