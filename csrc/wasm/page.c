/* What a page asks: numbers and arrays in, numbers and arrays out, as bgrace/_kernels has them for Python.
 *
 * bgrace/web/site/engine.js is the one that calls this, and does what the Python modules do; nothing else should.
 * Memory comes from malloc and goes back with free, which are exported too.  Positions are int8_t counts.  A status is
 * that of bgrace.h. */

#if defined(__wasm__)

#include "base/dice.h"
#include "base/plays.h"
#include "base/position.h"
#include "solve/choices.h"
#include "solve/exact.h"
#include "solve/graph.h"
#include "solve/layer.h"
#include "solve/layer_position.h"
#include "turns/answer.h"
#include "turns/position128.h"
#include "turns/reach.h"
#include "turns/tables.h"

#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

void *EXPORT(page_malloc)(size_t n) { return malloc(n); }
void EXPORT(page_free)(void *memory) { free(memory); }
const char *EXPORT(page_version)(void) { return BGR_VERSION; }
const char *EXPORT(page_strerror)(int status) { return bgr_strerror((bgr_status)status); }

/* ------------------------------------------------------------------ positions and plays */

/* -1 if it is none. */
double EXPORT(page_index)(int points, int checkers, const int8_t *counts)
{
    bgr_space space;
    int64_t index;
    if (bgr_space_init(points, checkers, &space) != BGR_OK || bgr_index(&space, counts, &index) != BGR_OK)
        return -1;
    return (double)index;
}

/* Every result of a roll, in rising index; `points` counts each.  results [out]: the caller frees it. */
int EXPORT(page_plays)(int points, int checkers, const int8_t *counts, int die1, int die2, int8_t **results, int *n)
{
    bgr_space space;
    int64_t index, n_done;
    int64_t *indices = malloc(BGR_MAX_PLAYS * sizeof *indices);
    *results = NULL;
    bgr_status status = indices ? bgr_space_init(points, checkers, &space) : BGR_ERR_MEMORY;
    if (status == BGR_OK)
        status = bgr_index(&space, counts, &index);
    if (status == BGR_OK)
        status = bgr_plays(&space, index, die1, die2, indices, n);
    if (status == BGR_OK && !(*results = malloc((size_t)*n * (size_t)points)))
        status = BGR_ERR_MEMORY;
    if (status == BGR_OK)
        status = bgr_position_batch(&space, indices, *n, *results, &n_done);
    free(indices);
    return status;
}

/* ------------------------------------------------------------------ stakes */

/* The tables stay the caller's, and must stay as long as the stakes.  NULL without memory. */
bgr_stakes *EXPORT(page_stakes)(int match, int gammons, int jacoby, int beavers, int on_roll_needs, int opponent_needs,
                                int crawford, int cube_value, int met_length, int post_length, const double *before,
                                const double *after)
{
    bgr_stakes *stakes = malloc(sizeof *stakes);
    if (stakes)
        *stakes =
            (bgr_stakes){sizeof *stakes, match,      gammons,    jacoby,      beavers, on_roll_needs, opponent_needs,
                         crawford,       cube_value, met_length, post_length, before,  after};
    return stakes;
}

enum { PLANE_NUMBERS = 12, PLACE_NUMBERS = 9 };

/* Planes as CubePlane of bgrace/tables/exact.py has them: win, gammon, turned, factor, offset, passed, of either side.
 * Places: plane, middle, scale now, after the first side has doubled, after the other has. */
static void write_planes(const bgr_planes *planes, double *out, double *places)
{
    for (int k = 0; out && k < planes->n; k++)
        for (int side = 0; side < 2; side++) {
            const bgr_plane *plane = &planes->plane[k];
            const double numbers[] = {plane->win[BGR_LOST_SINGLE][side],
                                      plane->win[BGR_LOST_GAMMON][side],
                                      plane->turned[side],
                                      plane->factor[side],
                                      plane->offset[side],
                                      plane->passed[side]};
            for (int at = 0; at < PLANE_NUMBERS / 2; at++)
                out[k * PLANE_NUMBERS + 2 * at + side] = numbers[at];
        }
    for (int cube = 0; cube < BGR_N_CUBES; cube++) {
        const bgr_place *place = &planes->place[cube];
        const bgr_view *views[] = {&place->now, &place->turned[0], &place->turned[1]};
        for (int k = 0; k < 3; k++) {
            *places++ = views[k]->plane;
            *places++ = views[k]->middle;
            *places++ = views[k]->scale;
        }
    }
}

/* planes [out] n x 12, n up to 64; places [out] 4 x 9. */
int EXPORT(page_planes)(const bgr_stakes *stakes, int gammons, double *planes, double *places, int *n)
{
    bgr_planes *made = malloc(sizeof *made);
    if (!made)
        return BGR_ERR_MEMORY;
    bgr_status status = bgr_planes_of_stakes(stakes, gammons, 0, made);
    if (status == BGR_OK) {
        write_planes(made, planes, places);
        *n = made->n;
    }
    free(made);
    return status;
}

/* ------------------------------------------------------------------ by turns */

int EXPORT(page_solver_new)(bgr_solver **solver) { return bgr_solver_new(solver); }
void EXPORT(page_solver_free)(bgr_solver *solver) { bgr_solver_free(solver); }

int EXPORT(page_kept_tables_new)(bgr_kept_tables **kept) { return bgr_kept_tables_new(kept); }

int EXPORT(page_prepare)(bgr_solver *solver, const bgr_stakes *stakes, int checkers)
{
    return bgr_solver_prepare(solver, stakes, checkers);
}

/* The page hears how much is done, 0 to 1, and stops the work with anything but 0. */
__attribute__((import_module("page"), import_name("progress"))) int page_progress(double done);

static int tell(void *context, double done)
{
    (void)context;
    return page_progress(done);
}

/* on_roll, opponent: 24 counts each.  exactness: as in bgr_solve_options. */
int EXPORT(page_solve)(const bgr_solver *solver, bgr_kept_tables *kept, const int8_t *on_roll, const int8_t *opponent,
                       const bgr_stakes *stakes, double seconds, double memory_bytes, double exactness, int die1,
                       int die2, int rolls, const bgr_db *database, bgr_answer **answer)
{
    const bgr_solve_options options = {.size = sizeof options,
                                       .seconds = seconds,
                                       .memory_bytes = (int64_t)memory_bytes,
                                       .exactness = exactness,
                                       .dice = {die1, die2},
                                       .rolls = rolls,
                                       .database = database,
                                       .progress = tell};
    return bgr_solve_keeping(solver, kept, on_roll, opponent, stakes, &options, answer);
}

void EXPORT(page_answer_free)(bgr_answer *answer) { bgr_answer_free(answer); }

/* info [out] 9: whether exact, delta, error, checkers of the boundary, whether of a file, positions of both sides,
 * pairs, merged.  chances [out] 6: win, win gammon, win backgammon, lose gammon, lose backgammon, cubeless win. */
int EXPORT(page_answer)(const bgr_answer *answer, double *info, double *chances, double *places)
{
    bgr_answer_info i;
    bgr_chances c;
    bgr_answer_describe(answer, &i);
    bgr_answer_chances(answer, &c);
    const double numbers[] = {i.method == BGR_ANSWER_EXACT, i.delta,         i.error,
                              i.boundary_checkers,          i.from_database, (double)i.positions[0],
                              (double)i.positions[1],       (double)i.pairs, (double)i.merged};
    const double found[] = {c.win, c.win_gammon, c.win_backgammon, c.lose_gammon, c.lose_backgammon, c.cubeless_win};
    memcpy(info, numbers, sizeof numbers);
    memcpy(chances, found, sizeof found);
    write_planes(bgr_answer_planes(answer), NULL, places);
    return bgr_answer_planes(answer)->n;
}

/* What rolling now is worth by plane. */
const double *EXPORT(page_answer_now)(const bgr_answer *answer) { return bgr_answer_now(answer); }

/* The same for the opponent after each of n results, 24 counts each. */
int EXPORT(page_answer_after)(const bgr_answer *answer, const int8_t *counts, int n, double *values)
{
    return bgr_answer_after(answer, counts, n, values);
}

/* ------------------------------------------------------------------ all pairs, as bgrace/tables/exact.py solves them
 */

enum { MOST_INDEX = 1 << 28, COLUMNS = 8 };

typedef struct {
    bgr_space space;
    int8_t counts[BGR_MAX_POINTS];
    int64_t n, *indices; /* rising */
} positions;

typedef struct {
    positions sides[2], both; /* both.n is -1 for boards of different sizes */
    bgr_graph *graphs[2];
    int64_t *order[2]; /* the index of each rank */
    int n_graphs, n_states;
    bgr_exact *exact;
} page_pair;

static bgr_status find_reachable(int points, const int8_t *counts, positions *side)
{
    int checkers = 0;
    int64_t index;
    for (int j = 0; j < points; j++)
        checkers += counts[j];
    bgr_status status = bgr_space_init(points, checkers, &side->space);
    if (status == BGR_OK)
        status = bgr_index(&side->space, counts, &index);
    if (status != BGR_OK || index >= MOST_INDEX)
        return status == BGR_OK ? BGR_ERR_SIZE : status;
    memcpy(side->counts, counts, (size_t)points);
    uint8_t *marks = malloc((size_t)index + 1);
    status = marks ? bgr_mark_reachable(&side->space, index, marks) : BGR_ERR_MEMORY;
    for (int64_t i = 0; status == BGR_OK && i <= index; i++)
        side->n += marks[i];
    if (status == BGR_OK && !(side->indices = malloc((size_t)side->n * sizeof *side->indices)))
        status = BGR_ERR_MEMORY;
    for (int64_t i = 0, k = 0; status == BGR_OK && i <= index; i++)
        if (marks[i])
            side->indices[k++] = i;
    free(marks);
    return status;
}

static bgr_status unite(page_pair *pair)
{
    const positions *a = &pair->sides[0], *b = &pair->sides[1];
    pair->both.n = -1;
    if (a->space.points != b->space.points)
        return BGR_OK;
    pair->both.space = a->space.size >= b->space.size ? a->space : b->space;
    int64_t *all = pair->both.indices = malloc((size_t)(a->n + b->n) * sizeof *all), i = 0, j = 0, n = 0;
    if (!all)
        return BGR_ERR_MEMORY;
    while (i < a->n || j < b->n) {
        int64_t x = i < a->n ? a->indices[i] : INT64_MAX, y = j < b->n ? b->indices[j] : INT64_MAX;
        all[n++] = x < y ? x : y;
        i += x <= y;
        j += y <= x;
    }
    pair->both.n = n;
    return BGR_OK;
}

/* How many columns the solver makes of positions: those of equal pips rounded up to eights. */
static double padded_columns(const positions *of)
{
    enum { MOST_PIPS = BGR_MAX_POINTS * BGR_MAX_CHECKERS };
    int64_t at_pips[MOST_PIPS + 1] = {0}, columns = 0;
    for (int64_t k = 0; k < of->n; k++) {
        int8_t counts[BGR_MAX_POINTS];
        bgr_position(&of->space, of->indices[k], counts);
        at_pips[bgr_pips(of->space.points, counts)]++;
    }
    for (int k = 0; k <= MOST_PIPS; k++)
        columns += (at_pips[k] + COLUMNS - 1) / COLUMNS * COLUMNS;
    return (double)columns;
}

static void forget_solution(page_pair *pair)
{
    bgr_exact_free(pair->exact);
    pair->exact = NULL;
    for (int k = 0; k < 2; k++) {
        bgr_graph_free(pair->graphs[k]);
        free(pair->order[k]);
        pair->graphs[k] = NULL;
        pair->order[k] = NULL;
    }
}

void EXPORT(page_pair_free)(page_pair *pair)
{
    if (!pair)
        return;
    forget_solution(pair);
    free(pair->sides[0].indices);
    free(pair->sides[1].indices);
    free(pair->both.indices);
    free(pair);
}

/* Whether a pair is worth making: bgr_pairs_are_few. */
int EXPORT(page_pairs_are_few)(int points, const int8_t *on_roll, int opponent_points, const int8_t *opponent,
                               int n_values, double seconds, int *few)
{
    return bgr_pairs_are_few(points, on_roll, opponent_points, opponent, n_values, seconds, few);
}

/* sizes [out] 8: positions of the sides and of both together (-1: not to be united), padded columns of these three, and
 * the last index of either side.  BGR_ERR_SIZE if there are too many positions to list. */
int EXPORT(page_pair_new)(int points, const int8_t *on_roll, int opponent_points, const int8_t *opponent,
                          page_pair **pair, double *sizes)
{
    page_pair *made = calloc(1, sizeof *made);
    *pair = NULL;
    if (!made)
        return BGR_ERR_MEMORY;
    bgr_status status = find_reachable(points, on_roll, &made->sides[0]);
    if (status == BGR_OK)
        status = find_reachable(opponent_points, opponent, &made->sides[1]);
    if (status == BGR_OK)
        status = unite(made);
    if (status != BGR_OK) {
        page_pair_free(made);
        return status;
    }
    const positions *each[] = {&made->sides[0], &made->sides[1], &made->both};
    for (int k = 0; k < 3; k++) {
        sizes[k] = (double)each[k]->n;
        sizes[3 + k] = each[k]->n < 0 ? -1 : padded_columns(each[k]);
    }
    for (int k = 0; k < 2; k++)
        sizes[6 + k] = (double)each[k]->indices[each[k]->n - 1];
    *pair = made;
    return BGR_OK;
}

static bgr_cube_state *read_states(int n, const double *from)
{
    bgr_cube_state *states = malloc((size_t)n * sizeof *states);
    for (int k = 0; states && k < n; k++, from += 7)
        states[k] = (bgr_cube_state){from[0], from[1], (int)from[2], (int)from[3], from[4], from[5], from[6]};
    return states;
}

static int tell_pairs(void *context, int level, int64_t done, int64_t total)
{
    (void)context;
    (void)level;
    return page_progress((double)done / (double)total);
}

/* states_a, states_b: 7 numbers each, in the order of bgr_cube_state; together: only those of a. */
int EXPORT(page_pair_solve)(page_pair *pair, int together, int n_states, const double *states_a, const double *states_b)
{
    forget_solution(pair);
    bgr_cube_state *a = read_states(n_states, states_a), *b = together ? NULL : read_states(n_states, states_b);
    bgr_status status = !a || (!together && !b) ? BGR_ERR_MEMORY : BGR_OK;
    /* As in PositionPair.graphs of bgrace/tables/exact.py. */
    int64_t n = pair->sides[0].n, m = pair->sides[1].n;
    int pays = together || (n <= 2 * m && m <= 2 * n);
    pair->n_graphs = together ? 1 : 2;
    pair->n_states = n_states;
    for (int k = 0; status == BGR_OK && k < pair->n_graphs; k++) {
        const positions *of = together ? &pair->both : &pair->sides[k];
        status = bgr_graph_new(&of->space, of->indices, of->n, 1, &pair->graphs[k]);
        if (status == BGR_OK && pays)
            status = bgr_graph_compare(pair->graphs[k], BGR_MAX_CHECKERS, 1);
        pair->order[k] = malloc((size_t)of->n * sizeof *pair->order[k]);
        if (status == BGR_OK && !pair->order[k])
            status = BGR_ERR_MEMORY;
        if (status == BGR_OK)
            bgr_graph_indices(pair->graphs[k], pair->order[k]);
    }
    if (status == BGR_OK) {
        const bgr_exact_options options = {.states_a = a,
                                           .states_b = b,
                                           .n_states = n_states,
                                           .gammon_checkers = BGR_MAX_CHECKERS,
                                           .n_threads = 1,
                                           .progress = tell_pairs};
        status = bgr_exact_new(pair->graphs[0], together ? NULL : pair->graphs[1], &options, NULL, NULL, &pair->exact);
    }
    free(a);
    free(b);
    if (status != BGR_OK)
        forget_solution(pair);
    return status;
}

static int64_t rank_of(const page_pair *pair, int side, const int8_t *counts)
{
    int64_t index;
    int graph = side < pair->n_graphs ? side : 0;
    const bgr_graph *g = pair->graphs[graph];
    if (bgr_index(&pair->sides[side].space, counts, &index) != BGR_OK)
        return -1;
    for (int64_t k = 0; k < bgr_graph_size(g); k++)
        if (pair->order[graph][k] == index)
            return k;
    return -1;
}

/* values [out] n_states: of rolling now. */
int EXPORT(page_pair_now)(const page_pair *pair, double *values)
{
    return bgr_exact_values(pair->exact, 0, rank_of(pair, 0, pair->sides[0].counts),
                            rank_of(pair, 1, pair->sides[1].counts), values);
}

/* The same for the opponent after a move of the player on roll. */
int EXPORT(page_pair_after)(const page_pair *pair, const int8_t *result, double *values)
{
    return bgr_exact_values(pair->exact, pair->n_graphs - 1, rank_of(pair, 1, pair->sides[1].counts),
                            rank_of(pair, 0, result), values);
}

/* ------------------------------------------------------------------ one side by itself, as bgrace/solving/alone.py */

/* Mean, variance and distribution of a position of the home board, six counts: those rows of the table of
 * bgr_one_sided_distributions that it stands on, each summed in the same order.
 * out [out] 2 + BGR_MAX_RACE_ROLLS: mean, variance, chances of 0, 1, ... rolls. */
int EXPORT(page_home)(const bgr_solver *solver, const int8_t *counts, double *out)
{
    const bgr_reach_home *home = bgr_solver_home(solver);
    int64_t last, n = 1;
    bgr_status status = bgr_index(&home->space, counts, &last);
    if (status != BGR_OK)
        return status;
    int32_t *row = calloc((size_t)last + 1, sizeof *row); /* 1 if it is needed, then its number */
    if (!row)
        return BGR_ERR_MEMORY;
    row[last] = 1;
    for (int64_t i = last; i > 0; i--)
        for (int roll = 0; row[i] && roll < BGR_N_ROLLS; roll++)
            row[home->best[i * BGR_N_ROLLS + roll]] = 1;
    for (int64_t i = 1; i <= last; i++)
        n += row[i];
    double (*chances)[BGR_MAX_RACE_ROLLS] = calloc((size_t)n, sizeof *chances);
    int *longest = calloc((size_t)n, sizeof *longest);
    double variance = 0;
    if (chances && longest)
        chances[0][0] = 1;
    else
        status = BGR_ERR_MEMORY;
    row[0] = 0;
    for (int64_t i = 1, k = 0; status == BGR_OK && i <= last; i++) {
        if (!row[i])
            continue;
        row[i] = (int32_t)++k;
        for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
            int32_t next = row[home->best[i * BGR_N_ROLLS + roll]];
            double weight = bgr_rolls[roll].weight;
            longest[k] = longest[next] + 1 > longest[k] ? longest[next] + 1 : longest[k];
            for (int t = 0; t <= longest[next]; t++)
                chances[k][t + 1] += weight * chances[next][t];
        }
        double mean = 0;
        variance = 0;
        for (int t = 1; t <= longest[k]; t++) {
            chances[k][t] /= 36;
            mean += t * chances[k][t];
        }
        for (int t = 1; t <= longest[k]; t++)
            variance += (t - mean) * (t - mean) * chances[k][t];
    }
    if (status == BGR_OK) {
        out[0] = home->mean[last];
        out[1] = variance;
        memcpy(out + 2, chances[n - 1], sizeof chances[0]);
    }
    free(row);
    free(chances);
    free(longest);
    return status;
}

/* Bytes for each position of a layer. */
int EXPORT(page_layer_slot_bytes)(void) { return bgr_layer_slot_bytes(); }

static void set_most(int points, const int8_t *counts, int8_t *most)
{
    for (int j = points - 1, above = 0; j >= 0; j--)
        most[j] = (int8_t)(above += counts[j]);
}

/* The home board, on which every layer stands: those of fewer checkers have the same positions first. */
int EXPORT(page_board_new)(bgr_home **home) { return bgr_home_new(BGR_MAX_CHECKERS, 1, 1, home); }

/* All that a position beyond the home board can come to before a checker comes off.  points: up to the highest that is
 * occupied.  size [out]: how many positions; most: no more than so many are solved, else only size is written.
 * mean [out]; chances [out] BGR_MAX_RACE_ROLLS. */
int EXPORT(page_layer)(const bgr_home *home, int points, const int8_t *counts, double most, double *size, double *mean,
                       double *chances)
{
    int8_t sums[BGR_MAX_POINTS];
    int64_t n;
    bgr_layer *layer = NULL;
    set_most(points, counts, sums);
    bgr_status status = bgr_layer_size(home, points, sums, &n);
    if (status == BGR_OK)
        *size = (double)n;
    if (status == BGR_OK && (double)n <= most) {
        status = bgr_layer_new(home, points, sums, 0, 1, BGR_PATH_BEST, NULL, NULL, &layer);
        if (status == BGR_OK)
            status = bgr_layer_distribution(layer, chances);
        if (status == BGR_OK)
            status = bgr_layer_mean(layer, counts, mean);
    }
    bgr_layer_free(layer);
    return status;
}

/* A position followed turn by turn.  off [out] BGR_MAX_RACE_ROLLS + 1: the chance to be off after so many rolls. */
int EXPORT(page_reach)(const bgr_solver *solver, const int8_t *counts, int max_layer, int max_nodes, double *off,
                       int *n_layers)
{
    const bgr_reach_options options = {.max_layer = max_layer, .max_nodes = max_nodes};
    bgr_reach *reach;
    bgr_status status = bgr_reach_new(bgr_solver_home(solver), counts, &options, &reach);
    if (status != BGR_OK)
        return status;
    *n_layers = reach->n_layers;
    off[0] = 0;
    for (int k = 1; k < reach->n_layers; k++)
        off[k] = reach->layers[k].chance[0];
    bgr_reach_free(reach);
    return BGR_OK;
}

/* ------------------------------------------------------------------ databases */

int EXPORT(page_open)(const void *bytes, size_t size, bgr_db **db) { return bgr_open_memory(bytes, size, db); }
void EXPORT(page_close)(bgr_db *db) { bgr_close(db); }

/* out [out] 6: points, checkers, two_sided_checkers, gammons, n_rolls, file_size. */
int EXPORT(page_info)(const bgr_db *db, double *out)
{
    bgr_info i;
    bgr_status status = bgr_file_info(db, 0, &i);
    const double numbers[] = {i.points, i.checkers, i.two_sided_checkers, i.gammons, i.n_rolls, (double)i.file_size};
    if (status == BGR_OK)
        memcpy(out, numbers, sizeof numbers);
    return status;
}

int EXPORT(page_epc)(const bgr_db *db, int points, const int8_t *counts, double *epc)
{
    return bgr_probe_epc(db, points, counts, epc);
}

int EXPORT(page_rolls)(const bgr_db *db, int points, const int8_t *counts, double *out)
{
    return bgr_probe_rolls(db, points, counts, out, out + 1);
}

int EXPORT(page_roll_distribution)(const bgr_db *db, int points, const int8_t *counts, int width, double *out)
{
    return bgr_probe_roll_distribution(db, points, counts, width, out);
}

int EXPORT(page_win_probability)(const bgr_db *db, int points, const int8_t *on_roll, const int8_t *opponent,
                                 double *win, int *method)
{
    bgr_method how = BGR_TWO_SIDED;
    bgr_status status = bgr_probe_win_probability(db, points, on_roll, opponent, win, &how);
    *method = (int)how;
    return status;
}

/* out [out] 8, in the order of bgr_equities. */
int EXPORT(page_equities)(const bgr_db *db, int points, const int8_t *on_roll, const int8_t *opponent, double *out)
{
    return bgr_probe_equities(db, points, on_roll, opponent, (bgr_equities *)out);
}

#else
typedef int bgr_no_page_asks; /* a file of C has to have something in it */
#endif
