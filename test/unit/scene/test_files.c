// SPDX-License-Identifier: MPL-2.0
// Scenes and their files: includes, paths, meshes.
#include "scene_testing.h"

#include "scene/load.h"

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[PATH_MAX];

static const char *path_of(const char *name)
{
    static char path[PATH_MAX + 128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

#define TETRAHEDRON "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 %s\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"

static void write_mesh(const char *name, const char *height)
{
    char text[256];
    snprintf(text, sizeof text, TETRAHEDRON, height);
    write_file(name, text);
}

static int make_folder(void **state)
{
    (void)state;
    char here[PATH_MAX - 64];
    assert_non_null(getcwd(here, sizeof here));
    snprintf(folder, sizeof folder, "%s/scene-files-XXXXXX", here);
    assert_non_null(mkdtemp(folder));
    char inner[PATH_MAX + 16];
    snprintf(inner, sizeof inner, "%s/inner", folder);
    return mkdir(inner, 0777);
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = { "main.yaml", "a.yaml",     "inner/b.yaml", "inner/mesh.obj",
                                         "mesh.obj",  "moved.yaml", "inner" };
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) remove(path_of(names[k]));
    return rmdir(folder);
}

static mn_scene *load_file(mn_context *c, const char *name)
{
    return load_source(c, &(mn_scene_source){ .path = path_of(name) });
}

static void included_files_come_first(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    write_file("main.yaml", "include: [a.yaml, inner/b.yaml]\ndomain: {cell: 3}\n");
    write_file("a.yaml", "name: a\ndomain: {cell: 1, up: z}\ntime: {end: 5, seed: 7}\n");
    write_file("inner/b.yaml",
               "name: b\ntime: {end: 6}\nshapes: {m: {mesh: mesh.obj}}\nvariants: {small: {domain.cell: 9}}\n");
    write_mesh("inner/mesh.obj", "1");
    mn_scene *scene = load_file(c, "main.yaml");
    assert_string_equal(mn_scene_name(scene), "b");
    assert_true(mn_scene_domain(scene).cell == 3.0 && mn_scene_domain(scene).up == 2);
    assert_true(mn_scene_time(scene).end == 6.0 && mn_scene_time(scene).seed == 7);
    mn_scene_destroy(&scene);
    scene = load_source(c, &(mn_scene_source){ .path = path_of("main.yaml"), .variant = "small" });
    assert_true(mn_scene_domain(scene).cell == 9.0);
    mn_scene_destroy(&scene);
    test_context_end(&c);
}

static void a_resolved_scene_works_from_another_folder(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    write_mesh("mesh.obj", "1");
    write_file("main.yaml",
               "obstacles: {a: {shape: {union: [{mesh: mesh.obj}, {mesh: ./mesh.obj, at: [3, 0, 0]}]}}}\n");
    mn_scene *scene = load_file(c, "main.yaml");
    write_file("inner/b.yaml", mn_scene_resolved(scene));
    mn_scene *again = load_file(c, "inner/b.yaml");
    assert_string_equal(mn_scene_resolved(scene), mn_scene_resolved(again));
    assert_int_equal(mn_scene_identity(scene), mn_scene_identity(again));
    mn_scene_destroy(&again);
    mn_scene_destroy(&scene);
    test_context_end(&c);
}

static void the_identity_follows_the_contents_of_files_not_their_place(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    write_mesh("mesh.obj", "1");
    write_mesh("inner/mesh.obj", "1");
    write_file("main.yaml", "obstacles: {a: {shape: {mesh: mesh.obj}}}\n");
    write_file("inner/b.yaml", "obstacles: {a: {shape: {mesh: mesh.obj}}}\n");
    mn_scene *scene = load_file(c, "main.yaml"), *copy = load_file(c, "inner/b.yaml");
    assert_int_equal(mn_scene_identity(scene), mn_scene_identity(copy));
    write_mesh("mesh.obj", "1.5");
    mn_scene *changed = load_file(c, "main.yaml");
    assert_true(mn_scene_identity(scene) != mn_scene_identity(changed));
    mn_scene_destroy(&changed);
    mn_scene_destroy(&copy);
    mn_scene_destroy(&scene);
    test_context_end(&c);
}

static void a_file_may_be_included_twice_but_not_in_itself(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    write_file("main.yaml", "include: [a.yaml, inner/b.yaml]\n");
    write_file("a.yaml", "domain: {cell: 2}\n");
    write_file("inner/b.yaml", "include: ../a.yaml\n");
    mn_scene *scene = load_file(c, "main.yaml");
    assert_true(mn_scene_domain(scene).cell == 2.0);
    mn_scene_destroy(&scene);
    write_file("a.yaml", "include: inner/../main.yaml\n");
    assert_int_equal(mn_scene_load(c, &(mn_scene_source){ .path = path_of("main.yaml") }, &scene), MN_ERR_SCENE);
    assert_non_null(strstr(mn_context_error(c), "a.yaml:1:10: "));
    assert_non_null(strstr(mn_context_error(c), "includes itself"));
    test_context_end(&c);
}

static void pipes_and_folders_are_not_waited_for(void **state)
{
    (void)state;
    mn_context *c     = test_context(1);
    mn_scene   *scene = NULL;
    assert_int_equal(mkfifo(path_of("moved.yaml"), 0600), 0);
    assert_int_equal(mn_scene_load(c, &(mn_scene_source){ .path = path_of("moved.yaml") }, &scene), MN_ERR_SCENE);
    assert_non_null(strstr(mn_context_error(c), "it is not a file"));
    assert_int_equal(mn_scene_load(c, &(mn_scene_source){ .path = folder }, &scene), MN_ERR_SCENE);
    assert_non_null(strstr(mn_context_error(c), "it is not a file"));
    test_context_end(&c);
}

static void files_can_be_forbidden(void **state)
{
    (void)state;
    static const char *const texts[] = { "include: a.yaml\n", "shapes: {a: {mesh: mesh.obj}}\n" };
    mn_context              *c       = test_context(1);
    for (int k = 0; k < 2; k++) {
        mn_scene             *scene  = NULL;
        const mn_scene_source source = { .name = "text", .text = texts[k], .bytes = strlen(texts[k]) };
        assert_int_equal(mn_scene_load_files(c, &source, false, &scene), MN_ERR_SCENE);
        assert_non_null(strstr(mn_context_error(c), "must not name files"));
    }
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(included_files_come_first),
        cmocka_unit_test(a_resolved_scene_works_from_another_folder),
        cmocka_unit_test(the_identity_follows_the_contents_of_files_not_their_place),
        cmocka_unit_test(a_file_may_be_included_twice_but_not_in_itself),
        cmocka_unit_test(pipes_and_folders_are_not_waited_for),
        cmocka_unit_test(files_can_be_forbidden),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
