// SPDX-License-Identifier: MPL-2.0
// solve/mg_rows_setup.c - rows of terms: from the caller's cells to level 0, from level to level, and the factors that
// sweeps need (mg_rows.h).
#include "base/memory.h"
#include "solve/mg_level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Entries of a block: part of the results, since sums are made per block.
#define BLOCK 256

typedef struct rows_setup {
    mn_multigrid             *mg;
    const mn_pressure_system *system;
    mn_arena                 *arena;
    int32_t                   terms;
    int32_t                  *width;
    const mn_pressure_term  **term;     // those with rows
    int32_t                  *compact;  // our tile of each of the caller's; 0: none
} rows_setup;

// --- one level, once its entries are known ---

typedef struct placed {
    int64_t place, entry;
    int32_t term;
} placed;

static int compare_placed(const void *a, const void *b)
{
    const placed *p = a, *q = b;
    if (p->place != q->place) return p->place < q->place ? -1 : 1;
    return p->entry < q->entry ? -1 : p->entry > q->entry;
}

static mn_status list_cells(mn_mg_rows *r, mn_arena *arena)
{
    const int64_t n    = r->begin[r->terms];
    placed       *list = mn_arena_array(arena, placed, n + 1);
    r->cell            = mn_arena_array(arena, int64_t, n + 1);
    r->cell_begin      = mn_arena_array(arena, int64_t, n + 1);
    r->entry           = mn_arena_array(arena, int64_t, n + 1);
    r->entry_term      = mn_arena_array(arena, int32_t, n + 1);
    r->entry_cell      = mn_arena_array(arena, int64_t, n + 1);
    if (list == NULL || r->cell == NULL || r->cell_begin == NULL || r->entry == NULL || r->entry_term == NULL ||
        r->entry_cell == NULL)
        return MN_ERR_MEMORY;
    for (int32_t t = 0; t < r->terms; t++)
        for (int64_t i = r->begin[t]; i < r->begin[t + 1]; i++) list[i] = (placed){ r->place[i], i, t };
    qsort(list, (size_t)n, sizeof *list, compare_placed);
    r->cells = 0;
    for (int64_t k = 0; k < n; k++) {
        if (k == 0 || list[k].place != list[k - 1].place) {
            r->cell[r->cells]         = list[k].place;
            r->cell_begin[r->cells++] = k;
        }
        r->entry[k]                  = list[k].entry;
        r->entry_term[k]             = list[k].term;
        r->entry_cell[list[k].entry] = r->cells - 1;
    }
    r->cell_begin[r->cells] = n;
    r->kept                 = mn_arena_array(arena, float, r->cells + 1);
    return r->kept != NULL ? MN_OK : MN_ERR_MEMORY;
}

static int32_t root_of(int32_t *parent, int32_t t)
{
    while (parent[t] != t) t = parent[t] = parent[parent[t]];
    return t;
}

/// Terms that share a cell, directly or through others, form a group; their rows follow each other.
static mn_status find_groups(mn_mg_rows *r, mn_arena *arena)
{
    int32_t *parent = mn_arena_array(arena, int32_t, r->terms);
    r->row          = mn_arena_array(arena, int32_t, r->terms);
    r->group_row    = mn_arena_array(arena, int32_t, (int64_t)r->terms + 1);
    r->group_begin  = mn_arena_array(arena, int32_t, (int64_t)r->terms + 1);
    r->group_term   = mn_arena_array(arena, int32_t, r->terms);
    r->factor_at    = mn_arena_array(arena, int64_t, r->terms);
    if (parent == NULL || r->row == NULL || r->group_row == NULL || r->group_begin == NULL || r->group_term == NULL ||
        r->factor_at == NULL)
        return MN_ERR_MEMORY;
    for (int32_t t = 0; t < r->terms; t++) parent[t] = t;
    for (int64_t c = 0; c < r->cells; c++)
        for (int64_t k = r->cell_begin[c] + 1; k < r->cell_begin[c + 1]; k++) {
            const int32_t a = root_of(parent, r->entry_term[k]), b = root_of(parent, r->entry_term[k - 1]);
            parent[a > b ? a : b] = a > b ? b : a;  // the root is the first of a group
        }
    int32_t listed = 0;
    for (int32_t root = 0; root < r->terms; root++) {
        if (root_of(parent, root) != root) continue;
        r->group_row[r->groups]     = r->rows;
        r->group_begin[r->groups++] = listed;
        for (int32_t t = root; t < r->terms; t++) {
            if (root_of(parent, t) != root) continue;
            r->group_term[listed++] = t;
            r->row[t]               = r->rows;
            r->rows += r->width[t];
        }
    }
    r->group_row[r->groups]   = r->rows;
    r->group_begin[r->groups] = listed;
    r->t                      = mn_arena_array(arena, double, r->rows);
    return r->t != NULL ? MN_OK : MN_ERR_MEMORY;
}

static mn_status cut_blocks(mn_mg_rows *r, mn_arena *arena)
{
    for (int32_t t = 0; t < r->terms; t++) {
        r->blocks += (r->begin[t + 1] - r->begin[t] + BLOCK - 1) / BLOCK;
        r->widest = r->width[t] > r->widest ? r->width[t] : r->widest;
    }
    r->block_begin = mn_arena_array(arena, int64_t, r->blocks + 1);
    r->block_term  = mn_arena_array(arena, int32_t, r->blocks + 1);
    r->partial     = mn_arena_array(arena, double, r->blocks * r->widest + 1);
    if (r->block_begin == NULL || r->block_term == NULL || r->partial == NULL) return MN_ERR_MEMORY;
    int64_t b = 0;
    for (int32_t t = 0; t < r->terms; t++)
        for (int64_t i = r->begin[t]; i < r->begin[t + 1]; i += BLOCK) {
            r->block_begin[b]  = i;
            r->block_term[b++] = t;
        }
    r->block_begin[b] = r->begin[r->terms];
    return MN_OK;
}

static mn_status index_rows(mn_mg_rows *r, mn_arena *arena)
{
    MN_TRY(list_cells(r, arena));
    MN_TRY(find_groups(r, arena));
    return cut_blocks(r, arena);
}

// --- factors ---

bool mn_mg_factor(double *a, int32_t n)
{
    double most = 0.0;
    for (int32_t i = 0; i < n; i++) most = fmax(most, a[(int64_t)i * n + i]);
    for (int32_t j = 0; j < n; j++) {
        double *row = a + (int64_t)j * n, pivot = row[j];
        for (int32_t k = 0; k < j; k++) pivot -= row[k] * row[k];
        if (!(pivot >= -1e-10 * most)) return false;
        const bool none = pivot <= 1e-14 * most;
        row[j]          = none ? 0.0 : sqrt(pivot);
        for (int32_t i = j + 1; i < n; i++) {
            double *below = a + (int64_t)i * n, sum = below[j];
            for (int32_t k = 0; k < j; k++) sum -= below[k] * row[k];
            below[j] = none ? 0.0 : sum / row[j];
        }
    }
    return true;
}

typedef struct factor_job {
    mn_mg_rows        *r;
    const mn_mg_level *l;
} factor_job;

/// Lower half of K += D^-1 R^T R of one cell, the part of one of its entries as the rows.
static void add_cell(const mn_mg_rows *r, double *k, int32_t first, int32_t n, int32_t term, int64_t entry,
                     double inverse)
{
    const double *own  = mn_mg_entry(r, term, entry);
    const int64_t cell = r->entry_cell[entry];
    for (int64_t e = r->cell_begin[cell]; e < r->cell_begin[cell + 1]; e++) {
        const int32_t other = r->entry_term[e];
        if (r->row[other] > r->row[term]) continue;
        const double *row = mn_mg_entry(r, other, r->entry[e]);
        for (int32_t i = 0; i < r->width[term]; i++) {
            double *to = k + (int64_t)(r->row[term] - first + i) * n + (r->row[other] - first);
            for (int32_t j = 0; j < r->width[other]; j++) to[j] += inverse * own[i] * row[j];
        }
    }
}

static void factor_groups(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const factor_job *job = context;
    mn_mg_rows       *r   = job->r;
    for (int64_t task = begin; task < end; task++) {
        const int64_t g    = task / 2;
        const int     half = job->l->half, colour = (int)(task % 2);
        const int32_t first = r->group_row[g], n = r->group_row[g + 1] - first;
        double       *k = r->factor[colour] + r->factor_at[g];
        memset(k, 0, (size_t)n * (size_t)n * sizeof *k);
        for (int32_t i = 0; i < n; i++) k[(int64_t)i * n + i] = 1.0;
        for (int32_t m = r->group_begin[g]; m < r->group_begin[g + 1]; m++) {
            const int32_t term = r->group_term[m];
            for (int64_t e = r->begin[term]; e < r->begin[term + 1]; e++)
                if (((r->place[e] & half) != 0) == colour)
                    add_cell(r, k, first, n, term, e, (double)job->l->inverse[r->place[e]]);
        }
        (void)mn_mg_factor(k, n);  // 1 + K is positive whatever R is; NaN comes out of the solve
    }
}

static mn_status make_factors(mn_mg_rows *r, const mn_mg_level *l, mn_pool *pool, mn_arena *arena)
{
    int64_t values = 0;
    for (int32_t g = 0; g < r->groups; g++) {
        const int64_t n = r->group_row[g + 1] - r->group_row[g];
        r->factor_at[g] = values;
        values += n * n;
    }
    for (int c = 0; c < 2; c++)
        if ((r->factor[c] = mn_arena_array(arena, double, values)) == NULL) return MN_ERR_MEMORY;
    factor_job job = { r, l };
    mn_parallel_for(pool, 2 * (int64_t)r->groups, 1, factor_groups, &job);
    return MN_OK;
}

// --- level 0 ---

static mn_status take_entries(mn_mg_rows *r, const rows_setup *s, int64_t entries, int64_t values)
{
    r->terms = s->terms;
    r->width = s->width;
    r->begin = mn_arena_array(s->arena, int64_t, (int64_t)s->terms + 1);
    r->at    = mn_arena_array(s->arena, int64_t, s->terms);
    r->place = mn_arena_array(s->arena, int64_t, entries + 1);
    r->value = mn_arena_array(s->arena, double, values + 1);
    return r->begin != NULL && r->at != NULL && r->place != NULL && r->value != NULL ? MN_OK : MN_ERR_MEMORY;
}

/// The place of one of the caller's cells among ours; 0: not an unknown.
static int64_t our_place(const rows_setup *s, int64_t cell)
{
    const int64_t cells = s->mg->source_cells;
    MN_ASSERT(cell >= 0 && cell < s->mg->source_count * cells);
    const int32_t tile = s->compact[cell / cells];
    if (tile == 0 || s->system->unknown[cell] == 0) return 0;
    return (int64_t)mn_mg_coloured(&s->mg->level[0], (size_t)tile * (size_t)cells + (size_t)(cell % cells));
}

/// R = L^T Q.
static mn_status transform(const rows_setup *s, const mn_pressure_term *term, int32_t t, mn_mg_rows *r, double *room)
{
    const int32_t k = term->rows;
    memcpy(room, term->inverse, (size_t)k * (size_t)k * sizeof *room);
    if (!mn_mg_factor(room, k))
        return mn_fail(s->mg->context, MN_ERR_ARGUMENT,
                       "the inverse mass of a term of the pressure (%d rows) has an eigenvalue below zero or NaN", k);
    double *to = r->value + r->at[t];
    for (int64_t c = 0; c < term->cells; c++) {
        const int64_t place = our_place(s, term->cell[c]);
        if (place == 0) continue;
        const double *q             = term->row + c * k;
        r->place[r->begin[t + 1]++] = place;
        for (int32_t j = 0; j < k; j++) {
            double sum = 0.0;
            for (int32_t i = j; i < k; i++) sum += room[(int64_t)i * k + j] * q[i];
            *to++ = sum;
        }
    }
    return MN_OK;
}

static mn_status make_first(rows_setup *s, mn_mg_rows *r)
{
    int64_t entries = 0, values = 0, widest = 0;
    for (int32_t t = 0; t < s->terms; t++) {
        entries += s->term[t]->cells;
        values += s->term[t]->cells * s->term[t]->rows;
        widest = s->term[t]->rows > widest ? s->term[t]->rows : widest;
    }
    double *room = mn_arena_array(s->arena, double, widest *widest);
    if (room == NULL) return MN_ERR_MEMORY;
    MN_TRY(take_entries(r, s, entries, values));
    r->begin[0] = 0;
    for (int32_t t = 0; t < s->terms; t++) {
        r->at[t]        = t == 0 ? 0 : r->at[t - 1] + (r->begin[t] - r->begin[t - 1]) * s->width[t - 1];
        r->begin[t + 1] = r->begin[t];
        MN_TRY(transform(s, s->term[t], t, r, room));
    }
    return MN_OK;
}

/// Cells without any coupling that a row reaches are unknowns after all. The cycle needs a diagonal there: that of the
/// term, which the product takes off again.
static mn_status wake_lonely(rows_setup *s, mn_mg_rows *r)
{
    mn_multigrid *mg = s->mg;
    mn_mg_level  *l  = &mg->level[0];
    if (mg->pockets.lonely_count == 0) return MN_OK;
    r->woken      = mn_arena_array(s->arena, int64_t, r->cells + 1);
    r->woken_with = mn_arena_array(s->arena, double, r->cells + 1);
    if (r->woken == NULL || r->woken_with == NULL) return MN_ERR_MEMORY;
    for (int64_t c = 0; c < r->cells; c++) {
        double square = 0.0;
        if (l->inverse[r->cell[c]] != 0.0f) continue;
        for (int64_t k = r->cell_begin[c]; k < r->cell_begin[c + 1]; k++) {
            const int32_t term = r->entry_term[k];
            const double *row  = mn_mg_entry(r, term, r->entry[k]);
            for (int32_t n = 0; n < r->width[term]; n++) square += row[n] * row[n];
        }
        if (!((float)square > 0.0f)) continue;
        r->woken[r->woken_count]        = r->cell[c];
        r->woken_with[r->woken_count++] = square;
        l->e_exact[r->cell[c]]          = square;
        l->inverse[r->cell[c]]          = 1.0f / (float)square;
    }
    int64_t left = 0;
    for (int64_t k = 0; k < mg->pockets.lonely_count; k++)
        if (l->inverse[our_place(s, mg->pockets.lonely[k])] == 0.0f) mg->pockets.lonely[left++] = mg->pockets.lonely[k];
    mg->unknowns += mg->pockets.lonely_count - left;
    mg->pockets.lonely_count = left;
    return MN_OK;
}

// --- from level to level ---

/// Entries of a coarser level: those of each term sorted by their new place, equal ones added and scaled.
static mn_status coarsen(rows_setup *s, const mn_mg_rows *fine, mn_mg_rows *coarse, placed *list, int64_t *count,
                         double scale)
{
    int64_t values = 0;
    for (int32_t t = 0; t < s->terms; t++) values += (count[t + 1] - count[t]) * s->width[t];
    MN_TRY(take_entries(coarse, s, count[s->terms], values));
    coarse->begin[0] = 0;
    for (int32_t t = 0; t < s->terms; t++) {
        const int32_t width = s->width[t];
        coarse->at[t] = t == 0 ? 0 : coarse->at[t - 1] + (coarse->begin[t] - coarse->begin[t - 1]) * s->width[t - 1];
        int64_t n     = coarse->begin[t] - 1;
        qsort(list + count[t], (size_t)(count[t + 1] - count[t]), sizeof *list, compare_placed);
        for (int64_t k = count[t]; k < count[t + 1]; k++) {
            const double *from = mn_mg_entry(fine, t, list[k].entry);
            if (k == count[t] || list[k].place != list[k - 1].place) {
                coarse->place[++n] = list[k].place;
                memset(coarse->value + coarse->at[t] + (n - coarse->begin[t]) * width, 0,
                       (size_t)width * sizeof(double));
            }
            double *to = coarse->value + coarse->at[t] + (n - coarse->begin[t]) * width;
            for (int32_t j = 0; j < width; j++) to[j] += scale * from[j];
        }
        coarse->begin[t + 1] = n + 1;
    }
    return MN_OK;
}

/// Where a cell lands on the next level, as the child of one of its tile's parents.
static int64_t landing(const mn_mg_level *l, const mn_mg_level *coarse, int64_t place, int parent)
{
    const int64_t t = place / l->cells;
    const int     i = mn_mg_natural_of(l, (int)(place % l->cells)), o = l->octant[t * l->parents + parent];
    const int     x = i % 8 / 2 + 4 * (o & 1), y = i / 8 % 8 / 2 + 4 * (o >> 1 & 1);
    const int     z = l->nz > 1 ? i / 64 / 2 + 4 * (o >> 2 & 1) : 0;
    return (int64_t)mn_mg_coloured(coarse, (size_t)l->parent[t * l->parents + parent] * (size_t)coarse->cells +
                                               (size_t)(x + 8 * y + 64 * z));
}

static mn_status make_next(rows_setup *s, const mn_mg_rows *fine, mn_mg_rows *coarse, int level)
{
    const mn_mg_level *l     = &s->mg->level[level];
    const int64_t      most  = fine->begin[s->terms] * l->parents;
    placed            *list  = mn_arena_array(s->arena, placed, most + 1);
    int64_t           *count = mn_arena_array(s->arena, int64_t, (int64_t)s->terms + 1);
    if (list == NULL || count == NULL) return MN_ERR_MEMORY;
    int64_t n = 0;
    for (int32_t t = 0; t < s->terms; t++) {
        count[t] = n;
        for (int64_t i = fine->begin[t]; i < fine->begin[t + 1]; i++)
            for (int k = 0; k < l->parents; k++) list[n++] = (placed){ landing(l, l + 1, fine->place[i], k), i, t };
    }
    count[s->terms] = n;
    return coarsen(s, fine, coarse, list, count, sqrt((double)s->mg->tuning.correction / l->parents));
}

/// A cell without a parent has no part in the graphs.
static mn_status make_on_graph(rows_setup *s, const mn_mg_rows *fine, mn_mg_rows *coarse)
{
    const mn_mg_graphs *graphs = &s->mg->graphs;
    placed             *list   = mn_arena_array(s->arena, placed, fine->begin[s->terms] + 1);
    int64_t            *count  = mn_arena_array(s->arena, int64_t, (int64_t)s->terms + 1);
    if (list == NULL || count == NULL) return MN_ERR_MEMORY;
    int64_t n = 0;
    for (int32_t t = 0; t < s->terms; t++) {
        count[t] = n;
        for (int64_t i = fine->begin[t]; i < fine->begin[t + 1]; i++) {
            const int32_t to = graphs->parent[fine->place[i]];
            if (to < graphs->level[0].count) list[n++] = (placed){ to, i, t };
        }
    }
    count[s->terms] = n;
    MN_TRY(coarsen(s, fine, coarse, list, count, 1.0));
    return index_rows(coarse, s->arena);
}

/// C R^T, a column at a time, and the factor of 1 + R C R^T.
static mn_status answer_of_graphs(rows_setup *s, mn_mg_graph_answers *a)
{
    const mn_multigrid *mg = s->mg;
    const mn_mg_graph  *g  = &mg->graphs.level[0];
    const mn_mg_rows   *r  = &a->on_graph;
    const int32_t       n  = r->rows;
    a->answer              = mn_arena_array(s->arena, float, (int64_t)g->count *n);
    a->factor              = mn_arena_array_zero(s->arena, double, (int64_t)n *n);
    if (a->answer == NULL || a->factor == NULL) return MN_ERR_MEMORY;
    for (int32_t t = 0; t < s->terms; t++)
        for (int32_t j = 0; j < r->width[t]; j++) {
            memset(g->b, 0, (size_t)g->count * sizeof *g->b);
            for (int64_t i = r->begin[t]; i < r->begin[t + 1]; i++) g->b[r->place[i]] = (float)mn_mg_entry(r, t, i)[j];
            mn_mg_graph_cycle(&mg->graphs, mg->pool, mg->tuning.sweeps > 0 ? mg->tuning.sweeps : mg->sweeps);
            for (int32_t i = 0; i < g->count; i++) a->answer[(int64_t)i * n + r->row[t] + j] = g->x[i];
        }
    for (int32_t t = 0; t < s->terms; t++)
        for (int64_t i = r->begin[t]; i < r->begin[t + 1]; i++)
            for (int32_t j = 0; j < r->width[t]; j++)
                for (int32_t k = 0; k < n; k++)
                    a->factor[(int64_t)(r->row[t] + j) * n + k] += mn_mg_entry(r, t, i)[j] *
                                                                   (double)a->answer[r->place[i] * n + k];
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < i; j++)
            a->factor[(int64_t)i * n + j] = 0.5 * (a->factor[(int64_t)i * n + j] + a->factor[(int64_t)j * n + i]);
        a->factor[(int64_t)i * n + i] += 1.0;
    }
    (void)mn_mg_factor(a->factor, n);
    return MN_OK;
}

static mn_status below_level_0(rows_setup *s)
{
    mn_multigrid *mg = s->mg;
    if (mg->rows[0].rows > MN_MG_GRAPH_ROWS) return MN_OK;
    mg->graph_answers = mn_arena_take_zero(s->arena, sizeof *mg->graph_answers);
    if (mg->graph_answers == NULL) return MN_ERR_MEMORY;
    MN_TRY(make_on_graph(s, &mg->rows[0], &mg->graph_answers->on_graph));
    return answer_of_graphs(s, mg->graph_answers);
}

// --- all of it ---

static mn_status list_terms(rows_setup *s)
{
    const mn_pressure_system *system = s->system;
    s->term                          = mn_arena_take(s->arena, mn_array_bytes(system->term_count, sizeof *s->term));
    s->width                         = mn_arena_array(s->arena, int32_t, system->term_count);
    s->compact                       = mn_arena_array_zero(s->arena, int32_t, s->mg->source_count);
    if (s->term == NULL || s->width == NULL || s->compact == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < system->term_count; k++) {
        if (system->terms[k].rows == 0) continue;
        s->width[s->terms]  = system->terms[k].rows;
        s->term[s->terms++] = &system->terms[k];
    }
    for (int32_t t = 1; t < s->mg->level[0].count; t++) s->compact[s->mg->source[t]] = t;
    return MN_OK;
}

mn_status mn_mg_make_rows(mn_multigrid *mg, const mn_pressure_system *system, mn_arena *arena)
{
    rows_setup s      = { .mg = mg, .system = system, .arena = arena };
    bool       any    = false;
    mg->rows          = NULL;
    mg->graph_answers = NULL;
    for (int k = 0; k < system->term_count; k++) any |= system->terms[k].rows > 0;
    if (!any) return MN_OK;
    MN_TRY(list_terms(&s));
    mn_mg_rows *rows = mn_arena_take_zero(arena, mn_array_bytes(mg->levels, sizeof *rows));
    if (rows == NULL) return MN_ERR_MEMORY;
    MN_TRY(make_first(&s, &rows[0]));
    MN_TRY(index_rows(&rows[0], arena));
    MN_TRY(wake_lonely(&s, &rows[0]));
    MN_TRY(make_factors(&rows[0], &mg->level[0], mg->pool, arena));
    for (int k = 1; k < mg->levels; k++) {
        MN_TRY(make_next(&s, &rows[k - 1], &rows[k], k - 1));
        MN_TRY(index_rows(&rows[k], arena));
        MN_TRY(make_factors(&rows[k], &mg->level[k], mg->pool, arena));
    }
    mg->rows = rows;
    if (mg->graphs.levels > 0) MN_TRY(below_level_0(&s));
    return mn_mg_open_pockets(mg, arena);
}
