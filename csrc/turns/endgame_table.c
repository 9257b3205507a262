/* Cube states, each once.
 *
 * A plane as a side sees it is a view: 2 k for plane k and the side on roll now, 2 k + 1 for the other.  Where a side
 * has few checkers nobody can lose a gammon any more, and many views have the same values everywhere: a cube that
 * neither side has a use for is a chance to win, whatever its value.  Two views are different if their numbers are, or
 * if what the opponent sees or what a double leads to is: the coarsest such partition is found by refining.  A beaver
 * is left out of it: without gammons a double that should be beavered is never right. */

#include "turns/question.h"

#include "base/memory.h"
#include "base/try.h"
#include "probe/open.h"
#include "probe/two_players.h"
#include "solve/exact.h"
#include "solve/graph.h"
#include "turns/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ tables that are made */

enum { MAX_TABLE_VIEWS = 2 * BGR_MAX_PLANES + BGR_MAX_STATES };

struct bgr_known {
    int checkers, n_states;
    int64_t n;
    bgr_cube_state states[BGR_MAX_STATES];
    double *table; /* n x n x n_states, by rank */
    int32_t *rank; /* by index */
};

static void list_views(const bgr_planes *planes, bgr_cube_state *views)
{
    for (int k = 0; k < planes->n; k++)
        for (int side = 0; side < 2; side++) {
            const bgr_plane *plane = &planes->plane[k];
            double win = plane->win[BGR_LOST_SINGLE][side];
            int turned = plane->turned[side] < 0 ? -1 : 2 * plane->turned[side] + side;
            views[2 * k + side] = (bgr_cube_state){
                win, win, 2 * k + !side, turned, plane->factor[side], plane->offset[side], plane->passed[side]};
        }
}

static int close_to(double a, double b) { return fabs(a - b) < 1e-12; }

static int alike(const bgr_cube_state *a, const bgr_cube_state *b)
{
    return close_to(a->win, b->win) && (a->turned < 0) == (b->turned < 0) && close_to(a->factor, b->factor) &&
           close_to(a->offset, b->offset) && close_to(a->pass, b->pass);
}

/* The class of each view, numbered in order of appearance.  Gives how many there are. */
static int classify(const bgr_cube_state *views, int n, int *of)
{
    int finer[MAX_TABLE_VIEWS], n_classes = 0, n_before = -1;
    for (int v = 0; v < n; v++) {
        int u = 0;
        while (!alike(&views[u], &views[v]))
            u++;
        of[v] = u == v ? n_classes++ : of[u];
    }
    while (n_classes != n_before) {
        n_before = n_classes;
        n_classes = 0;
        for (int v = 0; v < n; v++) {
            int u = 0;
            while (of[u] != of[v] || of[views[u].seen] != of[views[v].seen] ||
                   (views[v].turned >= 0 && of[views[u].turned] != of[views[v].turned]))
                u++;
            finer[v] = u == v ? n_classes++ : finer[u];
        }
        memcpy(of, finer, (size_t)n * sizeof *of);
    }
    return n_classes;
}

static int list_states(const bgr_planes *planes, bgr_cube_state *states)
{
    bgr_cube_state views[MAX_TABLE_VIEWS];
    int of[MAX_TABLE_VIEWS], n_views = 2 * planes->n;
    list_views(planes, views);
    int n = classify(views, n_views, of);
    if (n > BGR_MAX_STATES)
        return 0;
    for (int v = n_views - 1; v >= 0; v--) {
        states[of[v]] = views[v];
        states[of[v]].seen = of[views[v].seen];
        if (views[v].turned >= 0)
            states[of[v]].turned = of[views[v].turned];
    }
    return n;
}

static int64_t known_positions(int checkers)
{
    bgr_space space;
    return bgr_space_init(6, checkers, &space) == BGR_OK ? space.size : 0;
}

void bgr_known_measure(const bgr_planes *planes, int checkers, int64_t *bytes, int64_t *operations)
{
    bgr_cube_state states[BGR_MAX_STATES];
    int64_t n = known_positions(checkers), n_states = list_states(planes, states);
    *bytes = n * n * n_states * (int64_t)sizeof(double);
    *operations = n * n * n_states * (12 + 14 * checkers) / 8;
}

bgr_status bgr_known_new(const bgr_planes *planes, int checkers, bgr_known **known)
{
    bgr_space space;
    bgr_graph *graph = NULL;
    bgr_exact *exact = NULL;
    *known = NULL;
    if (checkers < 1 || checkers > BGR_KNOWN_CHECKERS)
        return BGR_ERR_CHECKERS;
    bgr_known *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return BGR_ERR_MEMORY;
    fresh->checkers = checkers;
    fresh->n_states = list_states(planes, fresh->states);
    bgr_status status = fresh->n_states ? bgr_space_init(6, checkers, &space) : BGR_ERR_STAKES;
    if (status == BGR_OK && (uint64_t)(space.size * space.size) > SIZE_MAX / 16 / (uint64_t)fresh->n_states)
        status = BGR_ERR_MEMORY; /* on 32 bits */
    int64_t n = fresh->n = status == BGR_OK ? space.size : 0, *indices = malloc((size_t)(n + 1) * sizeof *indices);
    fresh->rank = malloc((size_t)(n + 1) * sizeof *fresh->rank);
    fresh->table = malloc((size_t)(n * n * fresh->n_states + 1) * sizeof *fresh->table);
    if (status == BGR_OK && (!indices || !fresh->rank || !fresh->table))
        status = BGR_ERR_MEMORY;
    if (status == BGR_OK) {
        for (int64_t i = 0; i < n; i++)
            indices[i] = i;
        status = bgr_graph_new(&space, indices, n, NULL, &graph);
    }
    if (status == BGR_OK)
        status = bgr_graph_compare(graph, 0, NULL, NULL, NULL);
    if (status == BGR_OK) {
        bgr_exact_options options = {.states_a = fresh->states, .n_states = fresh->n_states};
        bgr_graph_indices(graph, indices);
        for (int64_t r = 0; r < n; r++)
            fresh->rank[indices[r]] = (int32_t)r;
        status = bgr_exact_new(graph, NULL, &options, fresh->table, NULL, &exact);
    }
    bgr_exact_free(exact);
    bgr_graph_free(graph);
    free(indices);
    BGR_HAND_OVER(status, fresh, known, bgr_known_free);
}

void bgr_known_free(bgr_known *known)
{
    if (!known)
        return;
    BGR_FREE(known->table, known->rank, known);
}

int bgr_known_checkers(const bgr_known *known) { return known->checkers; }

int bgr_known_is_of(const bgr_known *known, const bgr_planes *planes)
{
    bgr_cube_state states[BGR_MAX_STATES];
    int n = list_states(planes, states), same = n == known->n_states;
    for (int k = 0; same && k < n; k++) {
        const bgr_cube_state *a = &states[k], *b = &known->states[k];
        same = a->win == b->win && a->gammon == b->gammon && a->seen == b->seen && a->turned == b->turned &&
               a->factor == b->factor && a->offset == b->offset && a->pass == b->pass;
    }
    return same;
}

int bgr_known_find(const bgr_known *known, const bgr_planes *planes, int n_followers, bgr_known_view *view)
{
    bgr_cube_state views[MAX_TABLE_VIEWS];
    int of[MAX_TABLE_VIEWS], n = known->n_states;
    memcpy(views, known->states, (size_t)n * sizeof *views);
    list_views(planes, views + n);
    for (int v = n; v < n + 2 * planes->n; v++) {
        views[v].seen += n;
        views[v].turned += views[v].turned < 0 ? 0 : n;
    }
    /* The table's own states are distinct, so they are the first classes, in order. */
    if (classify(views, n + 2 * planes->n, of) != n)
        return 0;
    view->known = known;
    view->n_planes = planes->n;
    view->n_followers = n_followers;
    for (int k = 0; k < planes->n; k++)
        for (int side = 0; side < 2; side++)
            view->state[side][k] = of[n + 2 * k + side];
    return 1;
}

void bgr_known_values(void *context, int first, const int32_t *on_roll, int n, const int32_t *opponent, int m,
                      double *values)
{
    const bgr_known_view *view = context;
    const bgr_known *known = view->known;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            const double *pair = known->table + (known->rank[on_roll[i]] * known->n + known->rank[opponent[j]]) *
                                                    (int64_t)known->n_states;
            for (int k = 0; k < view->n_planes; k++)
                *values++ = pair[view->state[first][k]];
            for (int k = 0; k < view->n_followers; k++)
                *values++ = 0;
        }
}

/* ------------------------------------------------------------------ tables in files */

/* Without 15 checkers on a side nobody can lose a gammon, so all rules of money agree, a table of either kind will do,
 * and the chance to win is in the cubeless equity. */

enum { SIX_POINTS = 6, MAX_TABLE_CHECKERS = BGR_MAX_CHECKERS - 1 };
enum { CUBELESS, CENTERED, MINE, THEIRS };

/* Where the file's own indices of positions on six points are. */
static bgr_status list_indices(int points, bgr_stored *stored)
{
    bgr_space six, own;
    int8_t counts[BGR_MAX_POINTS] = {0};
    bgr_status status = bgr_space_init(SIX_POINTS, stored->checkers, &six);
    if (status == BGR_OK)
        status = bgr_space_init(points, stored->checkers, &own);
    if (status != BGR_OK)
        return status;
    stored->index = malloc((size_t)six.size * sizeof *stored->index);
    if (!stored->index)
        return BGR_ERR_MEMORY;
    for (int64_t k = 0; k < six.size && status == BGR_OK; k++) {
        bgr_position(&six, k, counts);
        int64_t index = 0;
        status = bgr_index(&own, counts, &index);
        stored->index[k] = (int32_t)index;
    }
    return status;
}

bgr_status bgr_stored_open(const bgr_db *db, bgr_stored *stored)
{
    int points = 0;
    memset(stored, 0, sizeof *stored);
    if (!db)
        return BGR_OK;
    for (int k = 0; k < bgr_n_files(db); k++) {
        bgr_info info = {.size = sizeof info};
        if (bgr_file_info(db, k, &info) != BGR_OK || info.approximate || info.points < SIX_POINTS ||
            info.two_sided_checkers < 1)
            continue;
        int in_place = bgr_file_in_place(db, k);
        if (in_place < stored->in_place ||
            (in_place == stored->in_place && info.two_sided_checkers <= stored->checkers))
            continue;
        stored->file = k;
        stored->checkers = info.two_sided_checkers;
        stored->in_place = in_place;
        points = info.points;
    }
    if (!stored->checkers)
        return BGR_ERR_COVERAGE;
    if (stored->checkers > MAX_TABLE_CHECKERS)
        stored->checkers = MAX_TABLE_CHECKERS;
    stored->db = db;
    return points == SIX_POINTS ? BGR_OK : list_indices(points, stored);
}

void bgr_stored_close(bgr_stored *stored)
{
    free(stored->index);
    stored->index = NULL;
}

int bgr_stored_work(const bgr_stored *stored) { return stored->in_place ? TUNED_WORK_IN_PLACE : TUNED_WORK_ELSEWHERE; }

int bgr_stored_find(bgr_stored *stored, const bgr_planes *planes, unsigned followers)
{
    static const int of_cube[BGR_N_CUBES] = {
        [BGR_CUBE_NONE] = CUBELESS, [BGR_CUBE_CENTERED] = CENTERED, [BGR_CUBE_MINE] = MINE, [BGR_CUBE_THEIRS] = THEIRS};
    if (!stored->db || planes->match)
        return 0;
    stored->n_planes = planes->n;
    stored->n_followers = 0;
    for (int k = 0; k < BGR_N_FOLLOWERS; k++)
        stored->n_followers += (int)(followers >> k & 1);
    stored->place[0][BGR_PLANE_WIN] = stored->place[1][BGR_PLANE_WIN] = CUBELESS;
    for (int cube = 0; cube < BGR_N_CUBES; cube++) {
        int plane = planes->place[cube].now.plane, value = of_cube[cube];
        stored->place[0][plane] = value;
        stored->place[1][plane] = value == MINE ? THEIRS : value == THEIRS ? MINE : value;
    }
    return stored->checkers;
}

/* Any of several threads may be the first to fail. */
static void note(bgr_stored *stored, bgr_status status)
{
#ifdef __GNUC__
    __atomic_store_n(&stored->status, status, __ATOMIC_RELAXED);
#else
    *(volatile bgr_status *)&stored->status = status;
#endif
}

bgr_status bgr_stored_status(bgr_stored *stored) { return stored->status; }

void bgr_stored_values(void *context, int first, const int32_t *on_roll, int n, const int32_t *opponent, int m,
                       double *values)
{
    bgr_stored *stored = context;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int64_t mine = stored->index ? stored->index[on_roll[i]] : on_roll[i],
                    theirs = stored->index ? stored->index[opponent[j]] : opponent[j];
            bgr_equities equities = {0};
            /* Both without checkers: the value of no game, which nobody asks for. */
            if (mine | theirs) {
                bgr_status status = bgr_equities_at(stored->db, stored->file, mine, theirs, &equities);
                if (status != BGR_OK)
                    note(stored, status);
            }
            const double value[] = {[CUBELESS] = equities.cubeless,
                                    [CENTERED] = equities.centered_roll,
                                    [MINE] = equities.mine_roll,
                                    [THEIRS] = equities.theirs};
            for (int plane = 0; plane < stored->n_planes; plane++)
                *values++ = value[stored->place[first][plane]];
            for (int k = 0; k < stored->n_followers; k++)
                *values++ = 0;
        }
}
