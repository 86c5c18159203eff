// SPDX-License-Identifier: MPL-2.0
// pressure_vs_hypre - our pressure solver against hypre's PFMG and BoomerAMG, one core, same systems, same run.
//
// Every solver goes to a relative residual of 1e-6 (checked here from its answer), set-up included. Times are processor
// time of the process, the best of several runs: a busy machine disturbs them less than the clock on the wall. Of hypre
// the fastest of the settings below counts. Cells that are no unknowns are identity rows for PFMG, which needs a box;
// BoomerAMG gets the unknowns alone.
//
// usage: pressure_vs_hypre [SIZE...]
#include "base/arena.h"
#include "solve/multigrid.h"
#include "verify/liquid/pressure_cases.h"

#include <HYPRE.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#include <HYPRE_struct_ls.h>

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TOLERANCE 1e-6
#define RUNS      3

typedef struct result {
    double seconds, residual;
    int    iterations;
} result;

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void keep_best(result *best, result r)
{
    if (r.residual <= 1.01 * TOLERANCE && r.seconds < best->seconds) *best = r;
}

/// The matrix row of a cell: diagonal, then low and high neighbour per axis (zero where not coupled).
static void matrix_row(const mn_pressure_case *c, int32_t i, int32_t j, int32_t k, double row[7])
{
    const int64_t at = mn_pressure_case_at(c, i, j, k);
    memset(row, 0, 7 * sizeof *row);
    if (!c->unknown[at]) {
        row[0] = 1.0;
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        const int64_t low  = mn_pressure_case_at(c, i - (axis == 0), j - (axis == 1), k - (axis == 2));
        const int64_t high = mn_pressure_case_at(c, i + (axis == 0), j + (axis == 1), k + (axis == 2));
        const double  bl = c->b[axis][at], bh = c->b[axis][high];
        row[0] += bl + bh;
        if (c->unknown[low]) row[1 + 2 * axis] = -bl;
        if (c->unknown[high]) row[2 + 2 * axis] = -bh;
    }
}

typedef struct problem {
    int32_t           n;
    int64_t           cells;
    mn_pressure_case *c;
    double           *rows, *rhs, *x;  // 7 and 1 values per cell of the box, x fastest
    int              *number;          // of each unknown, or -1
    int               unknowns;
} problem;

static int make_problem(mn_pressure_case *c, int32_t n, problem *p)
{
    *p        = (problem){ .n = n, .cells = (int64_t)n * n * n, .c = c };
    p->rows   = malloc((size_t)p->cells * 7 * sizeof *p->rows);
    p->rhs    = malloc((size_t)p->cells * sizeof *p->rhs);
    p->x      = malloc((size_t)p->cells * sizeof *p->x);
    p->number = malloc((size_t)p->cells * sizeof *p->number);
    if (p->rows == NULL || p->rhs == NULL || p->x == NULL || p->number == NULL) return 1;
    int64_t m = 0;
    for (int32_t k = 0; k < n; k++)
        for (int32_t j = 0; j < n; j++)
            for (int32_t i = 0; i < n; i++, m++) {
                const int64_t at = mn_pressure_case_at(c, i, j, k);
                matrix_row(c, i, j, k, p->rows + 7 * m);
                p->rhs[m]    = c->unknown[at] ? c->rhs[at] : 0.0;
                p->number[m] = c->unknown[at] ? p->unknowns++ : -1;
            }
    return 0;
}

static void free_problem(problem *p)
{
    free(p->rows);
    free(p->rhs);
    free(p->x);
    free(p->number);
}

static int64_t steps(int32_t n, int axis) { return axis == 0 ? 1 : axis == 1 ? n : (int64_t)n * n; }

/// |rhs - A x| / |rhs| over the box.
static double residual_of(const problem *p)
{
    double up = 0.0, down = 0.0;
    for (int64_t m = 0; m < p->cells; m++) {
        const double *row = p->rows + 7 * m;
        double        r   = p->rhs[m] - row[0] * p->x[m];
        for (int axis = 0; axis < 3; axis++) {
            if (row[1 + 2 * axis] != 0.0) r -= row[1 + 2 * axis] * p->x[m - steps(p->n, axis)];
            if (row[2 + 2 * axis] != 0.0) r -= row[2 + 2 * axis] * p->x[m + steps(p->n, axis)];
        }
        up += r * r;
        down += p->rhs[m] * p->rhs[m];
    }
    return sqrt(up / down);
}

// --- PFMG ---

typedef struct pfmg_setting {
    int relax, rap, skip, cg;
} pfmg_setting;

static const pfmg_setting pfmg_settings[] = { { 1, 0, 0, 1 }, { 1, 1, 0, 1 }, { 1, 1, 1, 1 },
                                              { 2, 0, 0, 1 }, { 2, 1, 0, 1 }, { 2, 1, 1, 1 },
                                              { 2, 0, 1, 1 }, { 2, 1, 0, 0 }, { 2, 0, 0, 0 } };

static void set_pfmg(HYPRE_StructSolver s, const pfmg_setting *o, double tolerance, int iterations)
{
    HYPRE_StructPFMGSetMaxIter(s, iterations);
    HYPRE_StructPFMGSetTol(s, tolerance);
    HYPRE_StructPFMGSetRelaxType(s, o->relax);
    HYPRE_StructPFMGSetRAPType(s, o->rap);
    HYPRE_StructPFMGSetSkipRelax(s, o->skip);
    HYPRE_StructPFMGSetNumPreRelax(s, 1);
    HYPRE_StructPFMGSetNumPostRelax(s, 1);
}

static result run_pfmg_solver(HYPRE_StructMatrix a, HYPRE_StructVector b, HYPRE_StructVector x, const pfmg_setting *o)
{
    result             r = { 0 };
    HYPRE_StructSolver pfmg, pcg;
    HYPRE_StructPFMGCreate(MPI_COMM_WORLD, &pfmg);
    const double start = cpu_seconds();
    if (o->cg) {
        set_pfmg(pfmg, o, 0.0, 1);
        HYPRE_StructPFMGSetZeroGuess(pfmg);
        HYPRE_StructPCGCreate(MPI_COMM_WORLD, &pcg);
        HYPRE_StructPCGSetTol(pcg, 0.9 * TOLERANCE);
        HYPRE_StructPCGSetMaxIter(pcg, 100);
        HYPRE_StructPCGSetTwoNorm(pcg, 1);
        HYPRE_StructPCGSetPrecond(pcg, HYPRE_StructPFMGSolve, HYPRE_StructPFMGSetup, pfmg);
        HYPRE_StructPCGSetup(pcg, a, b, x);
        HYPRE_StructPCGSolve(pcg, a, b, x);
        r.seconds = cpu_seconds() - start;
        HYPRE_StructPCGGetNumIterations(pcg, &r.iterations);
        HYPRE_StructPCGDestroy(pcg);
    } else {
        set_pfmg(pfmg, o, 0.9 * TOLERANCE, 100);
        HYPRE_StructPFMGSetup(pfmg, a, b, x);
        HYPRE_StructPFMGSolve(pfmg, a, b, x);
        r.seconds = cpu_seconds() - start;
        HYPRE_StructPFMGGetNumIterations(pfmg, &r.iterations);
    }
    HYPRE_StructPFMGDestroy(pfmg);
    HYPRE_ClearAllErrors();
    return r;
}

/// Filling the matrix is not counted, neither here nor for BoomerAMG.
static result run_pfmg(problem *p, const pfmg_setting *o)
{
    HYPRE_StructGrid    grid;
    HYPRE_StructStencil stencil;
    HYPRE_StructMatrix  a;
    HYPRE_StructVector  b, x;
    HYPRE_Int low[3] = { 0, 0, 0 }, high[3] = { p->n - 1, p->n - 1, p->n - 1 }, entries[7] = { 0, 1, 2, 3, 4, 5, 6 };
    static HYPRE_Int offsets[7][3] = { { 0, 0, 0 }, { -1, 0, 0 }, { 1, 0, 0 }, { 0, -1, 0 },
                                       { 0, 1, 0 }, { 0, 0, -1 }, { 0, 0, 1 } };
    HYPRE_StructGridCreate(MPI_COMM_WORLD, 3, &grid);
    HYPRE_StructGridSetExtents(grid, low, high);
    HYPRE_StructGridAssemble(grid);
    HYPRE_StructStencilCreate(3, 7, &stencil);
    for (int k = 0; k < 7; k++) HYPRE_StructStencilSetElement(stencil, k, offsets[k]);
    HYPRE_StructMatrixCreate(MPI_COMM_WORLD, grid, stencil, &a);
    HYPRE_StructMatrixInitialize(a);
    HYPRE_StructMatrixSetBoxValues(a, low, high, 7, entries, p->rows);
    HYPRE_StructMatrixAssemble(a);
    HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, &b);
    HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, &x);
    HYPRE_StructVectorInitialize(b);
    HYPRE_StructVectorInitialize(x);
    memset(p->x, 0, (size_t)p->cells * sizeof *p->x);
    HYPRE_StructVectorSetBoxValues(b, low, high, p->rhs);
    HYPRE_StructVectorSetBoxValues(x, low, high, p->x);
    HYPRE_StructVectorAssemble(b);
    HYPRE_StructVectorAssemble(x);
    result r = run_pfmg_solver(a, b, x, o);
    HYPRE_StructVectorGetBoxValues(x, low, high, p->x);
    r.residual = residual_of(p);
    HYPRE_StructVectorDestroy(b);
    HYPRE_StructVectorDestroy(x);
    HYPRE_StructMatrixDestroy(a);
    HYPRE_StructStencilDestroy(stencil);
    HYPRE_StructGridDestroy(grid);
    return r;
}

// --- BoomerAMG ---

typedef struct amg_setting {
    int    coarsen, interpolation, aggressive, relax, elements;
    double strong;
} amg_setting;

static const amg_setting amg_settings[] = {
    { 10, 6, 1, 8, 4, 0.25 }, { 8, 6, 1, 6, 4, 0.25 }, { 10, 6, 0, 6, 4, 0.5 }, { 10, 6, 1, 18, 4, 0.5 }
};

static void fill_ij(const problem *p, HYPRE_IJMatrix a, HYPRE_IJVector b, HYPRE_IJVector x)
{
    for (int64_t m = 0; m < p->cells; m++) {
        if (p->number[m] < 0) continue;
        HYPRE_Int    columns = 0;
        HYPRE_BigInt row     = p->number[m], column[7];
        double       value[7], zero = 0.0;
        for (int k = 0; k < 7; k++) {
            if (p->rows[7 * m + k] == 0.0) continue;
            const int64_t other = k == 0 ? m : m + (k % 2 == 1 ? -1 : 1) * steps(p->n, (k - 1) / 2);
            column[columns]     = p->number[other];
            value[columns++]    = p->rows[7 * m + k];
        }
        HYPRE_IJMatrixSetValues(a, 1, &columns, &row, column, value);
        HYPRE_IJVectorSetValues(b, 1, &row, &p->rhs[m]);
        HYPRE_IJVectorSetValues(x, 1, &row, &zero);
    }
}

static result run_amg_solver(HYPRE_ParCSRMatrix a, HYPRE_ParVector b, HYPRE_ParVector x, const amg_setting *o)
{
    result       r = { 0 };
    HYPRE_Solver amg, pcg;
    HYPRE_BoomerAMGCreate(&amg);
    HYPRE_BoomerAMGSetCoarsenType(amg, o->coarsen);
    HYPRE_BoomerAMGSetInterpType(amg, o->interpolation);
    HYPRE_BoomerAMGSetAggNumLevels(amg, o->aggressive);
    HYPRE_BoomerAMGSetRelaxType(amg, o->relax);
    HYPRE_BoomerAMGSetPMaxElmts(amg, o->elements);
    HYPRE_BoomerAMGSetStrongThreshold(amg, o->strong);
    HYPRE_BoomerAMGSetTol(amg, 0.0);
    HYPRE_BoomerAMGSetMaxIter(amg, 1);
    HYPRE_BoomerAMGSetPrintLevel(amg, 0);
    HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &pcg);
    HYPRE_PCGSetTol(pcg, 0.9 * TOLERANCE);
    HYPRE_PCGSetMaxIter(pcg, 100);
    HYPRE_PCGSetTwoNorm(pcg, 1);
    HYPRE_PCGSetPrecond(pcg, (HYPRE_PtrToSolverFcn)HYPRE_BoomerAMGSolve, (HYPRE_PtrToSolverFcn)HYPRE_BoomerAMGSetup,
                        amg);
    const double start = cpu_seconds();
    HYPRE_ParCSRPCGSetup(pcg, a, b, x);
    HYPRE_ParCSRPCGSolve(pcg, a, b, x);
    r.seconds = cpu_seconds() - start;
    HYPRE_PCGGetNumIterations(pcg, &r.iterations);
    HYPRE_ParCSRPCGDestroy(pcg);
    HYPRE_BoomerAMGDestroy(amg);
    HYPRE_ClearAllErrors();
    return r;
}

static result run_amg(problem *p, const amg_setting *o)
{
    HYPRE_IJMatrix     a;
    HYPRE_IJVector     b, x;
    HYPRE_ParCSRMatrix pa;
    HYPRE_ParVector    pb, px;
    HYPRE_IJMatrixCreate(MPI_COMM_WORLD, 0, p->unknowns - 1, 0, p->unknowns - 1, &a);
    HYPRE_IJMatrixSetObjectType(a, HYPRE_PARCSR);
    HYPRE_IJMatrixInitialize(a);
    HYPRE_IJVectorCreate(MPI_COMM_WORLD, 0, p->unknowns - 1, &b);
    HYPRE_IJVectorCreate(MPI_COMM_WORLD, 0, p->unknowns - 1, &x);
    HYPRE_IJVectorSetObjectType(b, HYPRE_PARCSR);
    HYPRE_IJVectorSetObjectType(x, HYPRE_PARCSR);
    HYPRE_IJVectorInitialize(b);
    HYPRE_IJVectorInitialize(x);
    fill_ij(p, a, b, x);
    HYPRE_IJMatrixAssemble(a);
    HYPRE_IJVectorAssemble(b);
    HYPRE_IJVectorAssemble(x);
    HYPRE_IJMatrixGetObject(a, (void **)&pa);
    HYPRE_IJVectorGetObject(b, (void **)&pb);
    HYPRE_IJVectorGetObject(x, (void **)&px);
    result r = run_amg_solver(pa, pb, px, o);
    memset(p->x, 0, (size_t)p->cells * sizeof *p->x);
    for (int64_t m = 0; m < p->cells; m++) {
        HYPRE_BigInt row = p->number[m];
        if (row >= 0) HYPRE_IJVectorGetValues(x, 1, &row, &p->x[m]);
    }
    r.residual = residual_of(p);
    HYPRE_IJMatrixDestroy(a);
    HYPRE_IJVectorDestroy(b);
    HYPRE_IJVectorDestroy(x);
    return r;
}

// --- ours ---

static result run_ours(mn_multigrid *mg, mn_arena *scratch, problem *p)
{
    result          r = { .residual = INFINITY };
    mn_solve_report report;
    memset(p->c->x, 0, (size_t)p->c->values * sizeof *p->c->x);
    if (mn_arena_reset(scratch) != MN_OK) return r;
    const double start = cpu_seconds();
    if (mn_multigrid_setup(mg, &p->c->system, scratch) != MN_OK) return r;
    if (mn_multigrid_solve(mg, p->c->rhs, p->c->x, TOLERANCE, 100, &report) != MN_OK) return r;
    r.seconds    = cpu_seconds() - start;
    r.iterations = report.iterations;
    int64_t m    = 0;
    for (int32_t k = 0; k < p->n; k++)
        for (int32_t j = 0; j < p->n; j++)
            for (int32_t i = 0; i < p->n; i++) p->x[m++] = p->c->x[mn_pressure_case_at(p->c, i, j, k)];
    r.residual = residual_of(p);
    return r;
}

typedef mn_status build_fn(mn_arena *arena, int32_t n, mn_pressure_case *out);

static void print_line(const char *name, int32_t n, const char *solver, const result *r, double ours)
{
    printf("%-5s n=%-4d %-10s iterations=%-3d residual=%.2e cpu_seconds=%-8.4f ratio=%.2f\n", name, (int)n, solver,
           r->iterations, r->residual, r->seconds, r->seconds / ours);
    fflush(stdout);
}

static void compare(problem *p, mn_multigrid *mg, mn_arena *scratch, const char *name)
{
    result ours = { .seconds = INFINITY }, pfmg = ours, amg = ours;
    for (int k = 0; k < RUNS; k++) keep_best(&ours, run_ours(mg, scratch, p));
    for (size_t s = 0; s < sizeof pfmg_settings / sizeof *pfmg_settings; s++)
        keep_best(&pfmg, run_pfmg(p, &pfmg_settings[s]));
    for (size_t s = 0; s < sizeof amg_settings / sizeof *amg_settings; s++)
        keep_best(&amg, run_amg(p, &amg_settings[s]));
    for (int k = 0; k < RUNS; k++) keep_best(&ours, run_ours(mg, scratch, p));
    print_line(name, p->n, "meniscus", &ours, ours.seconds);
    print_line(name, p->n, "pfmg", &pfmg, ours.seconds);
    print_line(name, p->n, "boomeramg", &amg, ours.seconds);
}

static int run_case(mn_context *context, const char *name, build_fn *build, int32_t n)
{
    mn_arena        *arena = NULL, *scratch = NULL;
    mn_multigrid    *mg = NULL;
    mn_pressure_case c;
    problem          p      = { 0 };
    mn_status        status = mn_arena_create(context, &arena);
    if (status == MN_OK) status = mn_arena_create(context, &scratch);
    if (status == MN_OK) status = mn_multigrid_create(context, &mg);
    if (status == MN_OK) status = build(arena, n, &c);
    int failed = status != MN_OK;
    for (int64_t v = 0; !failed && v < c.values; v++) c.rhs[v] = c.unknown[v];
    if (!failed) failed = make_problem(&c, n, &p);
    if (!failed) compare(&p, mg, scratch, name);
    else fprintf(stderr, "%s %d: %s\n", name, (int)n, mn_context_error(context));
    free_problem(&p);
    mn_multigrid_destroy(&mg);
    mn_arena_destroy(&scratch);
    mn_arena_destroy(&arena);
    return failed;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    HYPRE_Init();
    mn_context_def def     = mn_context_def_default();
    mn_context    *context = NULL;
    def.threads            = 1;
    int failed             = mn_context_create(&def, &context) != MN_OK;
    for (int k = 0; !failed && k < (argc > 1 ? argc - 1 : 1); k++) {
        const int32_t n = argc > 1 ? atoi(argv[k + 1]) : 128;
        failed          = run_case(context, "box", mn_pressure_case_box, n) ||
                 run_case(context, "wavy", mn_pressure_case_wavy, n);
    }
    mn_context_destroy(&context);
    HYPRE_Finalize();
    MPI_Finalize();
    return failed;
}
