/* One pair at many scores: the planes that several of them have in common are solved once.
 *
 * Cases whose scores are the same, or the same with the sides exchanged, are solved together in batches, each with as
 * many planes as fit into the processor's cache.  Cases of one such score are split only if they have more planes than
 * a list has room for, as when each has a match equity table of its own. */

#include "answer/all_pairs.h"
#include "answer/verdict.h"
#include "base/memory.h"
#include "base/threads.h"
#include "base/try.h"
#include "turns/question.h"

#include <string.h>

enum { BATCH_PLANES = 16 };

/* One score of the map. */
typedef struct {
    int number; /* in the order of the question */
    int kind[3];
    bgr_planes planes; /* later with the plane numbers of its batch */
    bgr_place place;
    int beavers;
    bgr_cube_values values, *to; /* to: the caller's struct, filled in when all are known */
} map_case;

/* Cases that are solved together. */
typedef struct {
    int first, past; /* indices of cases sorted by kind */
    bgr_planes planes;
    bgr_plan plan;
} map_batch;

typedef struct {
    int n, n_batches;
    map_case *cases;
    map_batch *batches;
    const int8_t (*counts)[BGR_MAX_POINTS];
    bgr_sides sides;
    const bgr_parallel *inner; /* for the pairs of a batch, or NULL */
    const bgr_solve_options *options;
    bgr_cache *cache;
    bgr_status *status;        /* of each batch */
    int64_t n_solved, stopped; /* number of solved batches; 1 if progress asked to stop */
} score_map;

/* The state of one worker. */
typedef struct {
    score_map *map;
    int worker;
} map_work;

static int compare_map_cases(const void *a, const void *b)
{
    const map_case *x = a, *y = b;
    for (int k = 0; k < 3; k++)
        if (x->kind[k] != y->kind[k])
            return x->kind[k] - y->kind[k];
    return x->number - y->number;
}

/* Read a case.  cases: laid out by the caller's header, whose stakes may have another size. */
static bgr_status read_case(bgr_map_case *cases, int number, int gammons, map_case *one)
{
    enum { ALIGNED = _Alignof(bgr_cube_values) };
    size_t size = cases->stakes.size, values = (size + sizeof(bgr_cube) + ALIGNED - 1) / ALIGNED * ALIGNED;
    char *asked = (char *)cases + (size_t)number * (values + sizeof(bgr_cube_values));
    const bgr_stakes *stakes = (const bgr_stakes *)asked;
    const bgr_cube cube = *(const bgr_cube *)(asked + size);
    one->to = (bgr_cube_values *)(asked + values);
    if (stakes->size != size)
        return BGR_ERR_ARGUMENT;
    int a = stakes->on_roll_needs, b = stakes->opponent_needs;
    BGR_TRY(bgr_planes_of_stakes(stakes, gammons ? BGR_LOST_GAMMON : BGR_LOST_SINGLE, &one->planes));
    /* For money put_plane would not end: doubling a cube without limit leads back to the same planes. */
    if (!one->planes.match || !bgr_place_of(&one->planes, cube))
        return BGR_ERR_STAKES;
    one->number = number;
    one->kind[0] = a < b ? a : b;
    one->kind[1] = a < b ? b : a;
    one->kind[2] = stakes->crawford;
    one->place = one->planes.place[cube];
    one->beavers = stakes->beavers;
    return BGR_OK;
}

/* Return the number of a case's plane in a batch; if it is not there, add it, with the planes that doubling leads to.
 */
static int put_plane(const bgr_planes *from, int k, bgr_planes *to)
{
    bgr_plane plane = from->plane[k];
    for (int side = 0; side < 2; side++)
        if (plane.turned[side] >= 0)
            plane.turned[side] = put_plane(from, plane.turned[side], to);
    return bgr_add_plane(to, &plane);
}

static void put_scaled(const map_case *one, bgr_scaled_plane *scaled, bgr_planes *to)
{
    if (scaled->plane >= 0)
        scaled->plane = put_plane(&one->planes, scaled->plane, to);
}

/* Renumber the planes of a case as in a batch, adding the missing ones. */
static void put_case(map_case *one, bgr_planes *to)
{
    put_plane(&one->planes, BGR_PLANE_WIN, to);
    put_scaled(one, &one->place.turned[0], to);
    put_scaled(one, &one->place.turned[1], to);
    put_scaled(one, &one->place.now, to);
}

static void make_batches(score_map *m)
{
    for (int k = 0; k < m->n;) {
        map_batch *batch = &m->batches[m->n_batches++];
        batch->first = k;
        while (k < m->n) {
            int past = k;
            bgr_planes with = batch->planes;
            while (past < m->n && !memcmp(m->cases[past].kind, m->cases[k].kind, sizeof m->cases[k].kind) &&
                   with.n + m->cases[past].planes.n < BGR_MAX_PLANES) {
                map_case one = m->cases[past++];
                put_case(&one, &with);
            }
            if (k > batch->first && with.n > BATCH_PLANES)
                break;
            for (; k < past; k++)
                put_case(&m->cases[k], &batch->planes);
        }
        batch->past = k;
        bgr_plan_make(&batch->planes, 0, &m->sides.size, &batch->plan);
    }
}

/* Report progress of all batches, in worker 0, the calling thread; the others stop when it does. */
static int tell_of_map(void *context, int level, int64_t done, int64_t total)
{
    const map_work *of = context;
    score_map *m = of->map;
    const bgr_solve_options *options = m->options;
    double solved = (double)bgr_read(&m->n_solved) + (total ? (double)done / (double)total : 0);
    (void)level;
    if (of->worker == 0 && options->progress && options->progress(options->progress_context, solved / m->n_batches))
        bgr_write(&m->stopped, 1);
    return bgr_read(&m->stopped) != 0;
}

static bgr_status solve_batch(score_map *m, const map_batch *batch, int worker)
{
    map_work of = {m, worker};
    const bgr_resources resources = {m->cache, {m->inner, tell_of_map, &of}};
    double row[BGR_PLAN_PLANES];
    bgr_all_pairs *pairs = NULL;
    bgr_status status = bgr_all_pairs_new(&m->sides, &batch->plan, &resources, &pairs);
    if (status == BGR_OK)
        status = bgr_all_pairs_values(pairs, 0, m->counts[0], m->counts[1], row);
    for (int k = batch->first; status == BGR_OK && k < batch->past; k++) {
        map_case *one = &m->cases[k];
        bgr_cube_of_row(&one->planes, one->beavers, &one->place, row, &one->values);
    }
    bgr_all_pairs_release(pairs);
    return status;
}

static void solve_batch_at(void *argument, int64_t k, int worker)
{
    score_map *m = argument;
    m->status[k] = bgr_read(&m->stopped) ? BGR_ERR_STOPPED : solve_batch(m, &m->batches[k], worker);
    bgr_add(&m->n_solved, 1);
}

/* Solve batches in parallel, if memory allows and no batch takes so long that the calling thread might have to wait for
 * it. */
static bgr_status solve_batches(score_map *m)
{
    const bgr_solve_options *options = m->options;
    double largest = 0;
    for (int k = 0; k < m->n_batches; k++)
        largest = m->batches[k].plan.bytes > largest ? m->batches[k].plan.bytes : largest;
    if (options->needs)
        *options->needs = (bgr_needs){{m->sides.side[0].n, m->sides.side[1].n}, m->sides.graph_bytes + largest, 0};
    if (m->sides.graph_bytes + largest > (double)options->memory_bytes)
        return BGR_ERR_MEMORY;
    BGR_TRY(bgr_sides_list(&m->sides));
    const bgr_parallel *parallel = options->parallel;
    int side_by_side = parallel && m->n_batches > 1 && largest <= tuned_beside_bytes &&
                       m->sides.graph_bytes + largest * parallel->n_workers <= (double)options->memory_bytes;
    m->inner = side_by_side ? NULL : parallel;
    if (side_by_side)
        parallel->run(parallel->context, m->n_batches, solve_batch_at, m);
    bgr_status status = BGR_OK;
    for (int k = 0; k < m->n_batches && status == BGR_OK; k++) {
        if (!side_by_side)
            solve_batch_at(m, k, 0);
        status = m->status[k];
    }
    return status;
}

bgr_status bgr_ask_map(int points, const int8_t *on_roll, const int8_t *opponent, bgr_map_case *cases, int n,
                       const bgr_solve_options *options)
{
    if (n < 1)
        return BGR_ERR_SIZE;
    bgr_asked asked = {0};
    bgr_cache *own = NULL;
    bgr_status status = bgr_asked_read(points, on_roll, opponent, &cases->stakes, options, &asked);
    score_map m = {.n = n,
                   .counts = (const int8_t (*)[BGR_MAX_POINTS])asked.counts,
                   .options = &asked.options,
                   .cache = asked.options.cache};
    if (status == BGR_OK && !m.cache) {
        status = bgr_cache_new(&own); /* shared, since all batches have the same graphs */
        m.cache = own;
    }
    m.cases = calloc((size_t)n, sizeof *m.cases);
    m.batches = calloc((size_t)n, sizeof *m.batches);
    m.status = calloc((size_t)n, sizeof *m.status);
    if (status == BGR_OK && !(m.cases && m.batches && m.status))
        status = BGR_ERR_MEMORY;
    int gammons = bgr_worst_loss(&asked) >= BGR_LOST_GAMMON;
    for (int k = 0; k < n && status == BGR_OK; k++)
        status = read_case(cases, k, gammons, &m.cases[k]);
    if (status == BGR_OK)
        status = bgr_sides_init(m.counts, &m.sides);
    if (status == BGR_OK) {
        qsort(m.cases, (size_t)n, sizeof *m.cases, compare_map_cases);
        make_batches(&m);
        status = solve_batches(&m);
    }
    for (int k = 0; k < n && status == BGR_OK; k++)
        *m.cases[k].to = m.cases[k].values;
    bgr_sides_free(&m.sides);
    BGR_FREE(m.cases, m.batches, m.status);
    bgr_cache_free(own);
    return status;
}
