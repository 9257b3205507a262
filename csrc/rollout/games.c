/* Races played out with random dice.
 *
 * One solution is made of the race, and its values are kept: of every pair of positions that it has, turn by turn.  A
 * game leaves these positions, as soon as one that it comes to is merged in the solution; then its value is the mean of
 * those that stay and are most like it, by their shares (rollout/blend_lookup.h).  So any pair at any turn has a value,
 * in a microsecond.
 *
 * Each turn finds the best play of all 21 rolls; the mean over them, which decides about the cube; and luck, which is
 * the value of the roll that is thrown less that mean.  Luck has the mean 0 whatever errors the values have, so
 * outcomes less luck have the mean of the outcomes: the value of play by these decisions.  The spread that is left
 * comes from values that differ from the mean over the turn that follows: where nothing was merged, it is hardly there.
 *
 * Plays are compared where the solution has the positions that they lead to.  Where it does not, the play with the
 * least mean number of rolls is made, as in the solution: the values of merged positions do not tell apart plays that
 * are nearly as good. */

#include "rollout/one_game.h"

#include "base/try.h"
#include "base/workers.h"
#include "rollout/games.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_KEPT = 200000, /* positions whose plays a thread remembers from game to game */
    GAMES_A_TASK = 4
};

/* How far from the least mean, in rolls, plays of positions are compared that the solution does not have; and those of
 * a side that cannot win. */
static const double margin = 0.1, margin_to_save = 0.3;

/* Two planes: that of the cube where it is, and after a double by the one on roll, or the same once more. */
enum { NOW, TURNED, N_LOOKED_AT };

/* ------------------------------------------------------------------ values */

double bgr_game_with_right(const bgr_planes *planes, int plane, int side, const double *now)
{
    const bgr_plane *p = &planes->plane[plane];
    return p->turned[side] < 0 ? now[plane] : bgr_plane_double(p, side, now[plane], now[p->turned[side]]);
}

void bgr_game_exact(const bgr_question *q, int side, bgr_packed on_roll, bgr_packed other, double *values)
{
    const int32_t mine = bgr_packed_index(q->solver->home, on_roll), theirs = bgr_packed_index(q->solver->home, other);
    q->pairs.boundary.values(q->pairs.boundary.context, side, &mine, 1, &theirs, 1, values);
}

/* Whether a game is over once `side` has moved to a position, or the pair is known exactly. */
static int is_over_or_known(const bgr_game *g, int side, const bgr_node *moved)
{
    const bgr_node *other = &g->nodes[!side]->node[g->node[!side]];
    return !moved->pips ||
           (bgr_in_boundary(&g->games->q, moved->position) && bgr_in_boundary(&g->games->q, other->position));
}

int bgr_game_value_moved(const bgr_game *g, int side, const bgr_node *moved, int stands, const bgr_blend *blend,
                         bgr_looked_at looked_at, double *values)
{
    const bgr_question *q = &g->games->q;
    const bgr_held *held = &g->games->held;
    const bgr_node *other = &g->nodes[!side]->node[g->node[!side]];
    const int n = looked_at.n, *planes = looked_at.planes;
    int turn = g->rolls[!side]; /* of the other side, which is on roll then */
    if (!moved->pips) {
        for (int k = 0; k < n; k++)
            values[k] = q->planes.plane[planes[k]].win[bgr_loss_of(other->position)][side];
        return 1;
    }
    if (bgr_in_boundary(q, moved->position) && bgr_in_boundary(q, other->position)) {
        double now[BGR_MAX_LINES];
        bgr_game_exact(q, !side, other->position, moved->position, now);
        for (int k = 0; k < n; k++)
            values[k] = -bgr_game_with_right(&q->planes, planes[k], !side, now);
        return 1;
    }
    const float *v = turn < held->n_turns ? held->v[!side][turn] : NULL;
    if (!v || !stands || !g->stands[!side])
        return 0;
    int64_t n_columns = q->reach[!side]->layers[turn].n;
    memset(values, 0, (size_t)n * sizeof *values);
    for (int i = 0; i < BGR_BLEND_PARTS && blend->share[i] != 0; i++)
        for (int j = 0; j < BGR_BLEND_PARTS && g->blend[!side].share[j] != 0; j++) {
            const float *cell = v + (blend->part[i] * n_columns + g->blend[!side].part[j]) * held->n_planes;
            double share = (double)blend->share[i] * (double)g->blend[!side].share[j];
            for (int k = 0; k < n; k++)
                values[k] += share * (double)cell[held->at[planes[k]]];
        }
    return 1;
}

/* ------------------------------------------------------------------ plays */

/* Whether plays of a position are compared by what positions like their results are worth: in the home board, where
 * that is known well. */
static int compares_alike(const bgr_game *g, int side, const bgr_node *from)
{
    const bgr_question *q = &g->games->q;
    return from->home_index >= 0 && q->reach[side]->n_merged && !q->candidates[side]->options.cannot_win;
}

/* The results of a position: those that the solution compares, if it has the position. */
static bgr_status find_results(const bgr_game *g, int side)
{
    const bgr_candidates *c = g->games->q.candidates[side];
    bgr_nodes *nodes = g->nodes[side];
    int32_t number = g->node[side];
    const bgr_node *from = &nodes->node[number];
    if (bgr_expanded(from))
        return BGR_OK;
    int32_t node = compares_alike(g, side, from) ? -1 : bgr_nodes_find(&c->nodes, from->position);
    if (node >= 0 && bgr_expanded(&c->nodes.node[node]))
        return bgr_nodes_take(nodes, number, &c->nodes, node);
    return bgr_nodes_expand(nodes, number, nodes->options.cannot_win ? margin_to_save : margin);
}

/* The value of a result.  0: that is not known, or with only_itself, not of the result itself. */
static int judge(const bgr_game *g, int side, const bgr_node *moved, bgr_looked_at looked_at, int only_itself,
                 bgr_best_play *play, double *values)
{
    const bgr_standing *standing = g->games->standing[side];
    int turn = g->rolls[side] + 1;
    bgr_packed position = bgr_packed_unmarked(moved->position);
    int32_t itself = bgr_standing_itself(standing, turn, position);
    play->stands = itself >= 0;
    play->blend = (bgr_blend){{itself}, {1}};
    play->itself = play->stands || is_over_or_known(g, side, moved);
    if (only_itself && !play->itself)
        return 0;
    if (!play->itself)
        play->stands = bgr_standing_of(standing, turn, position, &play->blend);
    return bgr_game_value_moved(g, side, moved, play->stands, &play->blend, looked_at, values);
}

bgr_status bgr_game_find_plays(bgr_game *g, int side, bgr_looked_at looked_at, bgr_best_play *best, int *known)
{
    bgr_nodes *nodes = g->nodes[side];
    BGR_TRY(find_results(g, side));
    const bgr_node *from = &nodes->node[g->node[side]];
    const uint32_t *edge = nodes->edge + from->edges;
    const uint16_t *n_edges = nodes->n_edges + (int64_t)from->row * BGR_N_ROLLS;
    int alike = compares_alike(g, side, from);
    *known = 1;
    for (int roll = 0; roll < BGR_N_ROLLS; edge += n_edges[roll++], best += looked_at.n)
        for (int k = 0, first = 0; k < n_edges[roll]; k++) {
            bgr_best_play play = {.node = bgr_edge_node(edge[k])};
            double values[BGR_MAX_PLANES] = {0};
            if (k && !(first && (alike || best->itself)))
                break; /* the first, which is the best by the mean, cannot be compared */
            int judged = judge(g, side, &nodes->node[play.node], looked_at, k && !alike, &play, values);
            first |= judged;
            *known &= first;
            for (int of = 0; of < looked_at.n; of++) {
                play.value = values[of];
                if (!k || (judged && play.value > best[of].value))
                    best[of] = play;
            }
        }
    return BGR_OK;
}

static double mean_of(bgr_best_play (*best)[N_LOOKED_AT], int plane)
{
    double sum = 0;
    for (int roll = 0; roll < BGR_N_ROLLS; roll++)
        sum += bgr_rolls[roll].weight * best[roll][plane].value;
    return sum / 36;
}

int bgr_game_throw(bgr_game *g, int side)
{
    int n = g->rolls[side]++, place = n % BGR_BLOCK_THROWS;
    if (!place)
        bgr_throws(g->seed, g->game, (uint32_t)side, (uint32_t)(n / BGR_BLOCK_THROWS), g->throws[side]);
    return bgr_roll_of_throw[g->throws[side][place]];
}

/* ------------------------------------------------------------------ games */

/* An outcome for `side`, as it counts where the cube was at first, for the one who was on roll then. */
static double counted(const bgr_game *g, int side, double outcome)
{
    return g->offset + g->factor * (side ? -outcome : outcome);
}

static void turn_cube(bgr_game *g, int side, int beavers)
{
    const bgr_plane *plane = &g->games->q.planes.plane[g->plane];
    g->offset += g->factor * (side ? -plane->offset[side] : plane->offset[side]);
    g->factor *= beavers ? plane->beaver[side] : plane->factor[side];
    g->plane = plane->turned[side];
}

/* The cube decision of the player on roll.  passed [out]: whether the opponent passes. */
static void decide(bgr_game *g, int side, double now, double turned, int *passed)
{
    const bgr_plane *plane = &g->games->q.planes.plane[g->plane];
    double taken = plane->factor[side] * turned + plane->offset[side],
           beavered = plane->beaver[side] * turned + plane->offset[side];
    int beavers = beavered < taken;
    taken = beavers ? beavered : taken;
    *passed = 0;
    if (fmin(taken, plane->passed[side]) <= now)
        return;
    *passed = taken > plane->passed[side];
    if (!*passed)
        turn_cube(g, side, beavers);
}

static bgr_status play_on(bgr_game *g, bgr_game_result *result)
{
    const bgr_question *q = &g->games->q;
    bgr_best_play best[BGR_N_ROLLS][N_LOOKED_AT];
    for (int half = 0;; half++) {
        int side = half & 1, known, passed;
        bgr_packed mine = g->nodes[side]->node[g->node[side]].position,
                   other = g->nodes[!side]->node[g->node[!side]].position;
        if (half && bgr_in_boundary(q, mine) && bgr_in_boundary(q, other)) {
            double now[BGR_MAX_LINES];
            bgr_game_exact(q, side, mine, other, now);
            *result =
                (bgr_game_result){counted(g, side, bgr_game_with_right(&q->planes, g->plane, side, now)), g->luck, 1};
            return BGR_OK;
        }
        int turned = half ? q->planes.plane[g->plane].turned[side] : -1;
        const int planes[N_LOOKED_AT] = {g->plane, turned < 0 ? g->plane : turned};
        BGR_TRY(bgr_game_find_plays(g, side, (bgr_looked_at){N_LOOKED_AT, planes}, best[0], &known));
        int looked_at = NOW, before = g->plane;
        if (known && turned >= 0) {
            decide(g, side, mean_of(best, NOW), mean_of(best, TURNED), &passed);
            if (passed) {
                double won = q->planes.plane[g->plane].passed[side];
                *result = (bgr_game_result){counted(g, side, won), g->luck, 0};
                return BGR_OK;
            }
            looked_at = g->plane == before ? NOW : TURNED;
        }
        const bgr_best_play *play = &best[bgr_game_throw(g, side)][looked_at];
        if (known)
            g->luck += counted(g, side, play->value) - counted(g, side, mean_of(best, looked_at));
        if (play->node == BGR_EMPTY_BOARD) {
            *result = (bgr_game_result){counted(g, side, play->value), g->luck, 0};
            return BGR_OK;
        }
        g->node[side] = play->node;
        g->stands[side] = play->stands;
        g->blend[side] = play->blend;
    }
}

bgr_status bgr_game_sit_down(const bgr_games *games, int side, const bgr_reach_options *options, bgr_nodes *nodes)
{
    if (nodes->n && nodes->n <= MAX_KEPT)
        return BGR_OK;
    bgr_nodes_free(nodes);
    return bgr_nodes_start(games->q.solver->home, games->position[side], options, INT32_MAX, nodes);
}

/* ------------------------------------------------------------------ many of them */

typedef struct {
    bgr_games *games;
    bgr_game_start start;
    uint64_t seed;
    int64_t first, n;
    bgr_nodes (*players)[2]; /* by worker */
    bgr_game_result *results;
} table;

static bgr_status play_some(void *of, int64_t k, int worker)
{
    const table *t = of;
    const bgr_games *games = t->games;
    for (int64_t n = k * GAMES_A_TASK; n < (k + 1) * GAMES_A_TASK && n < t->n; n++) {
        bgr_nodes *nodes = t->players[worker];
        for (int side = 0; side < 2; side++)
            BGR_TRY(bgr_game_sit_down(games, side, &games->options[side], &nodes[side]));
        bgr_game g = {.games = games,
                      .nodes = {&nodes[0], &nodes[1]},
                      .seed = t->seed,
                      .game = (uint64_t)(t->first + n),
                      .node = {BGR_START, BGR_START},
                      .stands = {1, 1},
                      .blend = {{.share = {1}}, {.share = {1}}},
                      .plane = games->plane,
                      .factor = games->view.scale,
                      .offset = games->view.middle};
        if (t->start != BGR_START_AS_IT_IS)
            turn_cube(&g, 0, t->start == BGR_START_BEAVERED);
        BGR_TRY(play_on(&g, &t->results[n]));
    }
    return BGR_OK;
}

bgr_status bgr_games_play(bgr_games *games, bgr_game_start start, uint64_t seed, int64_t first, int64_t n,
                          const bgr_parallel *parallel, bgr_game_result *results)
{
    table t = {games, start, seed, first, n, NULL, results};
    if (start != BGR_START_AS_IT_IS && games->q.planes.plane[games->plane].turned[0] < 0)
        return BGR_ERR_STAKES;
    t.players = calloc((size_t)bgr_n_workers(parallel), sizeof *t.players);
    if (!t.players)
        return BGR_ERR_MEMORY;
    bgr_status status = bgr_run_tasks(parallel, (n + GAMES_A_TASK - 1) / GAMES_A_TASK, play_some, &t);
    for (int worker = 0; worker < bgr_n_workers(parallel); worker++)
        for (int side = 0; side < 2; side++)
            bgr_nodes_free(&t.players[worker][side]);
    free(t.players);
    return status;
}

/* ------------------------------------------------------------------ the solution */

static bgr_status prepare(bgr_games *games)
{
    bgr_question *q = &games->q;
    q->pairs.parallel = NULL; /* the caller's, as long as one solves */
    for (int side = 0; side < 2; side++) {
        games->options[side] = q->candidates[side]->options;
        games->options[side].first_roll = 0;
        games->options[side].progress = NULL;
        games->position[side] = q->candidates[side]->position;
        BGR_TRY(bgr_standing_new(q->solver->home, q->reach[side], &games->options[side], &games->standing[side]));
    }
    return BGR_OK;
}

bgr_status bgr_games_new(const bgr_solver *solver, const int8_t *on_roll, const int8_t *opponent,
                         const bgr_stakes *stakes, const bgr_solve_options *options, bgr_cube cube, int with_chance,
                         bgr_games **games, bgr_answer **answer)
{
    *games = NULL;
    *answer = NULL;
    bgr_games *games_made = calloc(1, sizeof *games_made);
    if (!games_made)
        return BGR_ERR_MEMORY;
    bgr_question *q = &games_made->q;
    q->solver = solver;
    q->pairs.path = BGR_PATH_BEST;
    q->pairs.held = &games_made->held;
    q->precision = -1;
    q->cube = cube;
    q->hold_chance = with_chance;
    bgr_status status = bgr_question_read(BGR_MAX_POINTS, on_roll, opponent, stakes, options, q);
    if (status == BGR_OK)
        status = bgr_answer_question(q, answer);
    if (status == BGR_OK)
        status = prepare(games_made);
    if (status == BGR_OK) {
        games_made->view = q->planes.place[cube].now;
        games_made->plane = games_made->view.plane;
        *games = games_made;
        return BGR_OK;
    }
    bgr_games_free(games_made);
    bgr_answer_free(*answer);
    *answer = NULL;
    return status;
}

void bgr_games_free(bgr_games *games)
{
    if (!games)
        return;
    for (int side = 0; side < 2; side++)
        bgr_standing_free(games->standing[side]);
    bgr_held_forget(&games->held);
    bgr_question_forget(&games->q);
    free(games);
}
