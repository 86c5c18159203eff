// SPDX-License-Identifier: MPL-2.0
// app/main.c - the program: which command, its help, its exit status.
#include "app.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define SCENE_OPTIONS (APP_BIT(variant) | APP_BIT(set) | APP_BIT(threads) | APP_BIT(help))

static const app_command commands[] = {
    { "run", "run SCENE [options]", "simulate a scene into an output folder",
      SCENE_OPTIONS | APP_BIT(out) | APP_BIT(frames) | APP_BIT(resume) | APP_BIT(from) | APP_BIT(pictures) |
          APP_BIT(quiet),
      1, 1, app_run },
    { "check", "check SCENE [options]", "validate a scene, print its size and what it will cost; runs nothing",
      SCENE_OPTIONS, 1, 1, app_check },
    { "import", "import FILE.xml -o SCENE", "translate a scene of libWetCloth; says what has no translation",
      APP_BIT(scene) | APP_BIT(help), 1, 1, app_import },
    { "render", "render OUT [options]", "trace pictures of a run's frames",
      APP_BIT(quality) | APP_BIT(color) | APP_BIT(span) | APP_BIT(every) | APP_BIT(size) | APP_BIT(movie) |
          APP_BIT(glass) | APP_BIT(pngs) | APP_BIT(threads) | APP_BIT(quiet) | APP_BIT(help),
      1, 1, app_render },
    { "info", "info OUT",
      "what a run made, its ledger in a few lines, where the time went; of OUT/checkpoints/NUMBER.state: what it holds",
      APP_BIT(help), 1, 1, app_info },
    { "plot", "plot OUT", "charts of a run's ledger, probes and timings, as SVG and PNG", APP_BIT(help), 1, 1,
      app_plot },
    { "export", "export OUT --to FORMAT",
      "the frames of a run as files of other programs, or as a page for a browser (html), which may have a choice of "
      "frames and fields",
      APP_BIT(to) | APP_BIT(folder) | APP_BIT(span) | APP_BIT(every) | APP_BIT(fields) | APP_BIT(limit) | APP_BIT(help),
      1, 1, app_export },
    { "scenes", "scenes", "list the example scenes", APP_BIT(help), 0, 0, app_scenes },
    { "materials", "materials", "list the built-in materials", APP_BIT(help), 0, 0, app_materials },
    { "shapes", "shapes", "list the shapes a scene can use", APP_BIT(help), 0, 0, app_shapes },
    { "schema", "schema", "print the JSON Schema of scene files, for editors", APP_BIT(help), 0, 0, app_schema },
    { "verify", "verify [ID...] [options]", "run validation cases; exit status 0 only if none FAILs",
      APP_BIT(list) | APP_BIT(tier) | APP_BIT(threads) | APP_BIT(help), 0, APP_MAX_SET, app_verify },
    { "weave", "weave PATTERN [options]",
      "how liquid spreads through a weave: plain, twill:2/2, satin:5/2, knit, felt, 'cells:|-/-|' or a file; printed "
      "and drawn",
      APP_BIT(pair) | APP_BIT(gaps) | APP_BIT(table) | APP_BIT(aspect) | APP_BIT(drawing) | APP_BIT(help), 1, 1,
      app_weave },
};

#define COMMAND_COUNT ((int)(sizeof commands / sizeof commands[0]))

static void print_help(FILE *to)
{
    fprintf(to, "meniscus %s: liquids meeting solids that are thin, small or soft\n\n", mn_version());
    for (int k = 0; k < COMMAND_COUNT; k++)
        fprintf(to, "  meniscus %-26s %s\n", commands[k].usage, commands[k].summary);
    fprintf(to, "  meniscus %-26s %s\n", "COMMAND --help", "the options of a command");
    fprintf(to, "  meniscus %-26s %s\n", "--version", "print the version");
    fprintf(to,
            "\nExit status: 0 done; 1 the run failed; 2 usage or scene error; 130 interrupted, checkpoint written.\n");
}

static int unknown_command(const char *word)
{
    const char *names[COMMAND_COUNT + 2];
    int         count = 0;
    for (int k = 0; k < COMMAND_COUNT; k++) names[count++] = commands[k].name;
    names[count++]   = "--version";
    names[count++]   = "--help";
    const char *near = app_nearest(word, names, count);
    fprintf(stderr, "meniscus: there is no command '%s'", word);
    if (near != NULL) fprintf(stderr, "; did you mean '%s'?\n", near);
    else fprintf(stderr, "; see 'meniscus --help'\n");
    return APP_USAGE;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return APP_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        print_help(stdout);
        return APP_DONE;
    }
    if (strcmp(word, "--version") == 0) {
        printf("meniscus %s\n", mn_version());
        return APP_DONE;
    }
    for (int k = 0; k < COMMAND_COUNT; k++) {
        if (strcmp(word, commands[k].name) != 0) continue;
        static app_args args;
        const int       status = app_parse(&commands[k], argc - 2, argv + 2, &args);
        if (status != APP_DONE) return status;
        if (args.help) {
            printf("meniscus %s\n%s\n\n", commands[k].usage, commands[k].summary);
            app_print_options(stdout, commands[k].options);
            return APP_DONE;
        }
        return commands[k].run(&args);
    }
    return unknown_command(word);
}

/// Where the caller has closed standard input, output or error, the next file that is opened would get its number, and
/// what is printed would go into that file.
static bool hold_standard_files(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) >= 0 || open("/dev/null", O_RDWR | O_NOCTTY) == fd) continue;
        fprintf(stderr, "meniscus: /dev/null cannot be opened: %s\n", strerror(errno));
        return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    if (!hold_standard_files()) return APP_FAILED;
    const int status = dispatch(argc, argv);
    // A listing that went to a full disk must not look like success.
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == APP_DONE) {
        fprintf(stderr, "meniscus: the output could not be written: %s\n", strerror(errno));
        return APP_FAILED;
    }
    return status;
}
