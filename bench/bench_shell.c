// SPDX-License-Identifier: MPL-2.0
// bench/bench_shell.c - triangles per second of a shell's forces, stiffness and relaxation, and its bytes per triangle.
#include "elastic/shell.h"
#include "verify/thin/shell_meshes.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(mn_context *c, mn_status st)
{
    if (st == MN_OK) return;
    fprintf(stderr, "bench_shell: %s\n", mn_context_error(c));
    exit(1);
}

int main(int argc, char **argv)
{
    const int      side = argc > 1 ? atoi(argv[1]) : 300;
    mn_context_def cd   = mn_context_def_default();
    cd.threads          = 1;
    mn_context *c       = NULL;
    if (side < 2 || mn_context_create(&cd, &c) != MN_OK) return 1;
    mn_sheet        sheet;
    mn_shell       *shell;
    mn_arena       *arena;
    mn_block_matrix m;
    must(c, mn_arena_create(c, &arena));
    must(c, mn_sheet_make(c, MN_SHEET_JITTERED, side, side, 10.0, 10.0, &sheet));
    const mn_shell_def def = { .rest           = sheet.x,
                               .vertex_count   = sheet.vertices,
                               .triangle       = (const int32_t(*)[3])sheet.triangle,
                               .triangle_count = sheet.triangles,
                               .material       = mn_shell_material_default() };
    must(c, mn_shell_create(c, &def, &shell));
    mn_shell_patch patch = { .shell = shell };
    must(c, mn_block_matrix_create_half(c, sheet.vertices, sheet.triangles, mn_shell_clique, &patch, &m));
    must(c, mn_shell_bind(shell, &m, 0));
    for (int64_t v = 0; v < sheet.vertices; v++) sheet.x[v].z = 0.3 * sin(2.0 * sheet.x[v].x) * cos(sheet.x[v].y);
    mn_vec3 *force = mn_alloc_array(c, mn_vec3, sheet.vertices);
    if (force == NULL) return 1;
    const mn_shell_pose   pose = { sheet.x, NULL };
    mn_shell_relax_report relax;
    double                best[3] = { 1e9, 1e9, 1e9 };
    must(c, mn_shell_begin_step(shell, sheet.x, 1e-3, arena));
    for (int round = 0; round < 8; round++) {
        double t = now();
        must(c, mn_shell_add_forces(shell, pose, arena, force, NULL));
        best[0] = fmin(best[0], now() - t);
        t       = now();
        mn_block_matrix_zero(c, &m);
        must(c, mn_shell_add_stiffness(shell, pose, 1e-6, arena, &m, force));
        mn_block_matrix_balance(c, &m);
        best[1] = fmin(best[1], now() - t);
        for (int64_t e = 0; e < mn_shell_full_rows(shell) - sheet.vertices; e++) mn_shell_state(shell)->xi[0][e] = 0.0;
        t = now();
        must(c, mn_shell_relax(shell, pose, 1e-6, 100, arena, &relax));
        best[2] = fmin(best[2], now() - t);
        must(c, mn_arena_reset(arena));
    }
    const double n = (double)sheet.triangles;
    printf("triangles,bytes_per_triangle,forces_per_s,forces_and_matrix_per_s,relax_per_s,relax_iterations\n");
    printf("%lld,%.1f,%.3g,%.3g,%.3g,%d\n", (long long)sheet.triangles, (double)mn_shell_bytes(shell) / n, n / best[0],
           n / best[1], n / best[2], relax.iterations);
    mn_free(c, force);
    mn_block_matrix_destroy(c, &m);
    mn_shell_destroy(&shell);
    mn_sheet_free(c, &sheet);
    mn_arena_destroy(&arena);
    mn_context_destroy(&c);
    return 0;
}
