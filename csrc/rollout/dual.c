/* Bounds of a race from random dice: the dual bound of Brown, Smith and Sun, "Information relaxations and duality in
 * stochastic dynamic programs" (2010), for two players.
 *
 * One side is free, the other one, its opponent, plays by rules that look at the past alone.  In a game a free side is
 * shown all dice before it begins, and makes whatever legal plays and decisions about the cube pay most, less a
 * penalty: at every roll, of either side, what the roll thrown is worth less the mean of that over all 21 rolls.  The
 * worth of a roll may be any function of the past and of the roll.  So for a side that does not look ahead the
 * penalties have the mean 0, whatever it does; its payoff less penalties has the mean of its payoff; and no way to play
 * has, in any game, more than the greatest payoff less penalties.  The mean of that greatest number is at least the
 * value of the best that the free side can do against these rules of its opponent, so at least the value of the race to
 * the free side.  The better the worth of rolls, the closer.  If it were exact, every game would give the value itself.
 *
 * The opponent's plays depend on dice alone: a game of reference is played by the solution, in which both sides make
 * the plays that look best, and the opponent stays with its plays whatever the free side does.  Without contact that
 * is legal, and costs it hardly anything: without gammons these are the plays of the best chance to win, because where
 * a double would be passed, all plays are worth the same with the cube.  So on given dice the free side has positions
 * of its own to choose from, by turn, and what is best is found backward: of all that legal plays lead to, die by die.
 * The opponent's decisions about the cube depend on the free side's position, and where the cube is.
 *
 * Of the positions of a turn the nearest to the least mean number of rolls are looked at closely: rolls and decisions
 * are judged by the values of the solution, as in games.c.  The others are judged roughly: by the chance to win, from
 * the chances of both sides to be off in time, and by values as the solution has them at such a chance.  So are rolls
 * of the former whose value is far from that: the solution has no position like what they lead to.
 *
 * A pair that is known exactly ends the game at its value: from there on both sides play best. */

#include "rollout/games.h"

#include "base/memory.h"
#include "base/position.h"
#include "base/try.h"
#include "base/workers.h"
#include "rollout/all_plays.h"
#include "rollout/one_game.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_CLOSE = 200, /* positions of a turn that are looked at closely */
    MAX_HALVES = 2 * BGR_MAX_RACE_ROLLS + 2,
    CURVE_STEPS = 40,
    ORDINARY_ROLL = 8 /* 4-3 */
};

static const double closely = 1.0;   /* rolls from the least mean */
static const double doubtful = 0.04; /* apart from the rough chance to win */

/* How the rolls of a turn are judged, by plane. */
typedef struct {
    int known;
    uint32_t certain; /* bit r: roll r is not judged by positions like its result */
    double mean[BGR_MAX_PLANES], luck[BGR_MAX_PLANES];
} judged;

/* One half turn, as the game of reference has it. */
typedef struct {
    bgr_game before;                         /* what it was before the roll */
    int roll, off;                           /* whether the side on roll is off with it */
    bgr_best_play plays[BGR_N_ROLLS];        /* of the opponent */
    double left[BGR_N_ROLLS][BGR_OFF_WIDTH]; /* see find_times */
    bgr_position_set layer;                  /* where the free side may be before it */
    int first_step, past_step;               /* of the free side's turn */
} half_turn;

/* A position that is looked at closely. */
typedef struct {
    int64_t number; /* in the list */
    double mean;
    int32_t node;
    int stands, itself;
    bgr_blend blend;
} close_position;

typedef struct {
    const bgr_games *games;
    bgr_looked_at looked_at;
    int free;                /* the side that is */
    bgr_reach_options plain; /* how its plays are found to judge by: as though only the last checker mattered */
    bgr_nodes nodes[2], free_nodes[2];
    half_turn *halves;
    int n_halves;
    bgr_all_plays plays; /* of the free side */
    double *value;       /* by position and plane */
    int64_t value_room;
    close_position close[MAX_CLOSE];
    int n_close;
    double root_mean[BGR_MAX_PLANES];
    double after[BGR_N_ROLLS * BGR_MAX_PLANES]; /* what rolls are worth to the free side, by roll and plane */
    double curve_chance[CURVE_STEPS + 2], curve[(CURVE_STEPS + 2) * BGR_MAX_PLANES];
    int64_t close_of; /* the first position of the layer they are of */
    bgr_best_play best[BGR_N_ROLLS * BGR_MAX_PLANES];
} free_player;

/* ------------------------------------------------------------------ what rolls are worth */

/* From what every roll is worth to the free side. */
static void judge_rolls(const free_player *w, int roll, judged *to)
{
    int n = w->looked_at.n;
    for (int k = 0; k < n; k++) {
        double sum = 0;
        for (int r = 0; r < BGR_N_ROLLS; r++)
            sum += bgr_rolls[r].weight * w->after[r * n + k];
        to->mean[k] = sum / 36;
        to->luck[k] = w->after[roll * n + k] - to->mean[k];
    }
}

/* A position that is looked at closely: the rolls of the free side by the plays that the solution would make, those of
 * the opponent by the plays that it makes. */
static bgr_status judge_closely(free_player *w, const half_turn *half, const close_position *c, judged *to)
{
    int n = w->looked_at.n, side = (int)(half - w->halves) & 1;
    bgr_game g = half->before;
    g.nodes[w->free] = &w->free_nodes[w->free];
    g.node[w->free] = c->node;
    g.stands[w->free] = c->stands;
    g.blend[w->free] = c->blend;
    to->known = 1;
    to->certain = 0;
    if (side == w->free)
        BGR_TRY(bgr_game_find_plays(&g, side, w->looked_at, w->best, &to->known));
    for (int r = 0; r < BGR_N_ROLLS && to->known; r++) {
        const bgr_best_play *play = &half->plays[r];
        double *after = w->after + r * n;
        if (side != w->free)
            to->known = bgr_game_value_moved(&g, side, &g.nodes[side]->node[play->node], play->stands, &play->blend,
                                             w->looked_at, after);
        int itself = side == w->free ? w->best[r * n + w->games->held.at[BGR_PLANE_WIN]].itself : c->itself;
        to->certain |= (uint32_t)itself << r;
        for (int k = 0; k < n; k++)
            after[k] = side == w->free ? w->best[r * n + k].value : -after[k];
    }
    judge_rolls(w, half->roll, to);
    return BGR_OK;
}

static bgr_packed position_of(const bgr_game *g, int side) { return g->nodes[side]->node[g->node[side]].position; }

/* ------------------------------------------------------------------ rough judgement: the chance to win, from chances
 * of both sides to be off in time, each by itself; and values by the chance */

/* The chance not to be off within 0, 1, .. rolls. */
static void find_time(const bgr_reach_home *home, bgr_packed p, double *left)
{
    bgr_off_chances off;
    bgr_position_chances(home, p, off);
    for (int k = 0; k < BGR_OFF_WIDTH; k++)
        left[k] = 1 - (double)off[k];
}

/* The time that the opponent leaves: from now, or after each roll of its own. */
static void find_times(const free_player *w, half_turn *half)
{
    const bgr_reach_home *home = w->games->q.solver->home;
    const bgr_game *g = &half->before;
    if (((half - w->halves) & 1) == w->free)
        find_time(home, position_of(g, !w->free), half->left[0]);
    else
        for (int r = 0; r < BGR_N_ROLLS; r++)
            find_time(home, g->nodes[!w->free]->node[half->plays[r].node].position, half->left[r]);
}

/* The chance of a side with n chances to be off within 0, 1, .. rolls, `sooner` rolls sooner than they say, to be off
 * in no more rolls than the opponent, who is not off within 0, 1, .. by `left`. */
static double chance_in_time(const float *off, int n, int sooner, const double *left)
{
    double sum = 0, before = 0;
    for (int k = 0; k < BGR_OFF_WIDTH && before < 1; k++) {
        int at = k + sooner;
        double within = at < 0 ? 0 : at < n ? (double)off[at] : 1;
        sum += (within - before) * left[k];
        before = within;
    }
    return sum;
}

enum { MAX_SOONER = 3 };

/* About how many rolls sooner a roll is than none. */
static double rolls_sooner(int roll)
{
    int larger = bgr_rolls[roll].larger, smaller = bgr_rolls[roll].smaller;
    return (larger == smaller ? 4 * larger : larger + smaller) * 6 / 49.0;
}

/* The chance to win after each roll.  At home the best results in the mean are played; elsewhere a roll is worth its
 * pips. */
static void find_chances(const free_player *w, const half_turn *half, bgr_packed p, double *chances)
{
    const bgr_reach_home *home = w->games->q.solver->home;
    bgr_off_chances off;
    if (((half - w->halves) & 1) != w->free) {
        bgr_position_chances(home, p, off);
        for (int r = 0; r < BGR_N_ROLLS; r++) /* of n rolls the last comes before the opponent's */
            chances[r] = chance_in_time(off + 1, BGR_OFF_WIDTH - 1, 0, half->left[r]);
    } else if (bgr_packed_home(p)) {
        const int32_t *best = &home->best[(int64_t)bgr_packed_index(home, p) * BGR_N_ROLLS];
        for (int r = 0; r < BGR_N_ROLLS; r++)
            chances[r] = chance_in_time(home->chances[best[r]], BGR_HOME_ROLLS, 0, half->left[0]);
    } else {
        double at[MAX_SOONER + 1];
        bgr_position_chances(home, p, off);
        for (int k = 0; k <= MAX_SOONER; k++)
            at[k] = chance_in_time(off, BGR_OFF_WIDTH, k, half->left[0]);
        for (int r = 0; r < BGR_N_ROLLS; r++) {
            double sooner = rolls_sooner(r);
            int below = (int)sooner;
            chances[r] = at[below] + (sooner - below) * (at[below + 1] - at[below]);
        }
    }
}

/* Values by the chance to win: of all positions that the solution has of the free side after a roll, against where the
 * opponent is, or is after an ordinary roll; means within steps of the chance, and on both sides of them a game that is
 * lost or won. */
static void find_curve(free_player *w, const half_turn *half)
{
    const bgr_planes *planes = &w->games->q.planes;
    const bgr_reach *reach = w->games->q.reach[w->free];
    int n = w->looked_at.n, win = w->games->held.at[BGR_PLANE_WIN], side = (int)(half - w->halves) & 1;
    int own = side == w->free, turn = half->before.rolls[w->free] + own, n_points = 1;
    double sums[CURVE_STEPS][BGR_MAX_PLANES], n_within[CURVE_STEPS] = {0}, values[BGR_MAX_PLANES];
    bgr_game g = half->before;
    int ordinary = ORDINARY_ROLL;
    for (int r = 0; !own && r < BGR_N_ROLLS && !half->plays[ordinary].stands; r++)
        ordinary = r;
    const bgr_best_play *play = &half->plays[ordinary];
    const bgr_node *moved = own ? &g.nodes[side]->node[BGR_START] : &g.nodes[side]->node[play->node];
    int32_t n_positions = turn < reach->n_layers && moved->pips ? reach->layers[turn].n : 0;
    memset(sums, 0, sizeof sums);
    g.node[w->free] = BGR_START; /* any that is not known exactly */
    g.stands[w->free] = 1;
    for (int32_t k = turn > 0; k < n_positions; k++) {
        const bgr_blend itself = {{k}, {1}};
        g.blend[w->free] = itself;
        if (!bgr_game_value_moved(&g, side, moved, own || play->stands, own ? &itself : &play->blend, w->looked_at,
                                  values))
            break;
        double sign = own ? 1 : -1, chance = (1 + sign * values[win]) / 2;
        int step = (int)(chance * CURVE_STEPS);
        if (step < 0 || step >= CURVE_STEPS)
            continue;
        n_within[step]++;
        for (int j = 0; j < n; j++)
            sums[step][j] += sign * values[j];
    }
    w->curve_chance[0] = 0;
    for (int step = 0; step < CURVE_STEPS; step++) {
        double chance = n_within[step] > 0 ? (1 + sums[step][win] / n_within[step]) / 2 : 0;
        if (chance < w->curve_chance[n_points - 1] + 1e-6 || chance > 1 - 1e-6)
            continue;
        for (int j = 0; j < n; j++)
            w->curve[n_points * n + j] = sums[step][j] / n_within[step];
        w->curve_chance[n_points++] = chance;
    }
    /* Without any a cube that is live: a side that may double wins with 4 of 5 chances. */
    int live = n_points == 1;
    for (int k = 0; live && k < 2; k++)
        w->curve_chance[n_points++] = k ? 0.8 : 0.2;
    w->curve_chance[n_points] = 1;
    for (int k = 0; k < n; k++) {
        const bgr_plane *p = &planes->plane[w->looked_at.planes[k]];
        double lost = -p->win[BGR_LOST_SINGLE][!w->free], won = p->win[BGR_LOST_SINGLE][w->free];
        double low = p->turned[!w->free] < 0 ? 0 : 0.2, high = p->turned[w->free] < 0 ? 1 : 0.8;
        w->curve[k] = lost;
        for (int at = 1; live && at < n_points; at++)
            w->curve[at * n + k] = lost + (won - lost) * (w->curve_chance[at] - low) / (high - low);
        w->curve[n_points * n + k] = won;
    }
}

/* By that curve; of what is known only rolls that are judged by others, and whose values are far from it. */
static void judge_roughly(free_player *w, const half_turn *half, bgr_packed p, judged *to)
{
    int n = w->looked_at.n, win = w->games->held.at[BGR_PLANE_WIN];
    double chances[BGR_N_ROLLS];
    find_chances(w, half, p, chances);
    for (int r = 0; r < BGR_N_ROLLS; r++) {
        if (to->known && (to->certain >> r & 1 || fabs((1 + w->after[r * n + win]) / 2 - chances[r]) < doubtful))
            continue;
        int at = 0;
        while (w->curve_chance[at + 1] < chances[r] && w->curve_chance[at + 1] < 1)
            at++;
        double share = (chances[r] - w->curve_chance[at]) / (w->curve_chance[at + 1] - w->curve_chance[at]);
        for (int k = 0; k < n; k++) {
            double low = w->curve[at * n + k];
            w->after[r * n + k] = low + share * (w->curve[(at + 1) * n + k] - low);
        }
    }
    judge_rolls(w, half->roll, to);
}

/* ------------------------------------------------------------------ the game of reference */

/* Half a turn of the game of reference. */
static bgr_status refer(free_player *w, bgr_game *g, half_turn *half)
{
    int side = (int)(half - w->halves) & 1, n = w->looked_at.n;
    half->before = *g;
    half->off = 0;
    half->roll = bgr_game_throw(g, side);
    if (side == w->free && bgr_packed_same(position_of(g, side), bgr_empty_board))
        return BGR_OK; /* others may go on */
    bgr_game now = half->before;
    int known;
    BGR_TRY(bgr_game_find_plays(&now, side, w->looked_at, w->best, &known));
    const int *loses = w->games->q.loses;
    int by = w->games->held.at[loses[0] || loses[1] ? w->games->plane : BGR_PLANE_WIN];
    for (int r = 0; r < BGR_N_ROLLS && side != w->free; r++)
        half->plays[r] = w->best[r * n + by];
    const bgr_best_play *play = &w->best[half->roll * n + by];
    half->off = play->node == BGR_EMPTY_BOARD;
    g->node[side] = play->node;
    g->stands[side] = play->stands;
    g->blend[side] = play->blend;
    return BGR_OK;
}

/* Forward, until the opponent is off, or the game over wherever the free side may be. */
static bgr_status play_forward(free_player *w, uint64_t seed, uint64_t number)
{
    bgr_game g = {.games = w->games,
                  .nodes = {&w->nodes[0], &w->nodes[1]},
                  .seed = seed,
                  .game = number,
                  .node = {BGR_START, BGR_START},
                  .stands = {1, 1},
                  .blend = {{.share = {1}}, {.share = {1}}}};
    bgr_position_set layer;
    w->n_halves = 0;
    BGR_TRY(bgr_all_plays_begin(&w->plays, &w->games->q, w->games->position[w->free], &layer));
    for (;;) {
        half_turn *half = &w->halves[w->n_halves++];
        half->layer = layer;
        half->first_step = half->past_step = w->plays.n_steps;
        BGR_TRY(refer(w, &g, half));
        find_times(w, half);
        if ((w->n_halves & 1) == w->free) { /* the opponent's */
            if (half->off)
                return BGR_OK;
            continue;
        }
        bgr_packed other = position_of(&g, !w->free);
        BGR_TRY(bgr_all_plays_of(&w->plays, half->roll, w->n_halves > 1 ? &other : NULL, &layer));
        half->past_step = w->plays.n_steps;
        if (!layer.n)
            return BGR_OK;
    }
}

/* ------------------------------------------------------------------ backward */

static int compare_close(const void *a, const void *b)
{
    const close_position *x = a, *y = b;
    return x->mean != y->mean ? (x->mean < y->mean ? -1 : 1) : (x->number > y->number) - (x->number < y->number);
}

/* Which positions of a layer to look at closely: at a turn of the free side, with some rolls thrown. */
static bgr_status look_closely(free_player *w, const half_turn *half)
{
    const bgr_reach_home *home = w->games->q.solver->home;
    bgr_position_set layer = half->layer;
    int turn = half->before.rolls[w->free];
    if (w->close_of == layer.first)
        return BGR_OK;
    w->close_of = layer.first;
    w->n_close = 0;
    double most = INFINITY;
    for (int64_t k = layer.first; k < layer.first + layer.n; k++) {
        bgr_packed p = w->plays.position[k];
        if (bgr_packed_same(p, bgr_empty_board))
            continue;
        close_position near = {.number = k, .mean = bgr_position_mean(home, p)};
        if (near.mean > most || (w->n_close == MAX_CLOSE && compare_close(&near, &w->close[MAX_CLOSE - 1]) > 0))
            continue;
        most = fmin(most, near.mean + closely);
        int at = w->n_close < MAX_CLOSE ? w->n_close++ : MAX_CLOSE - 1;
        while (at && compare_close(&near, &w->close[at - 1]) < 0) {
            w->close[at] = w->close[at - 1];
            at--;
        }
        w->close[at] = near;
    }
    while (w->n_close && w->close[w->n_close - 1].mean > most)
        w->n_close--;
    for (int k = 0; k < w->n_close; k++) {
        close_position *c = &w->close[k];
        bgr_packed p = w->plays.position[c->number];
        BGR_TRY(bgr_nodes_add(&w->free_nodes[w->free], p, &c->node));
        c->blend = (bgr_blend){{0}, {1}};
        c->itself = !turn || bgr_standing_itself(w->games->standing[w->free], turn, p) >= 0;
        c->stands = !turn || bgr_standing_of(w->games->standing[w->free], turn, p, &c->blend);
    }
    return BGR_OK;
}

/* The value of a position to the free side where the game is over, with the side `on_roll` on roll. */
static void value_over(const free_player *w, bgr_packed mine, bgr_packed other, int on_roll, double *values)
{
    const bgr_planes *planes = &w->games->q.planes;
    double now[BGR_MAX_LINES];
    int won = bgr_packed_same(mine, bgr_empty_board), own = on_roll == w->free;
    if (!won)
        bgr_game_exact(&w->games->q, on_roll, own ? mine : other, own ? other : mine, now);
    for (int k = 0; k < w->looked_at.n; k++) {
        int plane = w->looked_at.planes[k];
        values[k] = won ? planes->plane[plane].win[bgr_loss_of(other)][w->free]
                        : (own ? 1 : -1) * bgr_game_with_right(planes, plane, on_roll, now);
    }
}

/* The best that the free side gets, where its opponent answers a double as it judges it. */
static void decide_own(const free_player *w, const judged *judgement, double *values)
{
    double rolled[BGR_MAX_PLANES];
    memcpy(rolled, values, sizeof *rolled * (size_t)w->looked_at.n);
    for (int k = 0; k < w->looked_at.n; k++) {
        const bgr_plane *p = &w->games->q.planes.plane[w->looked_at.planes[k]];
        if (p->turned[w->free] < 0)
            continue;
        int at = w->games->held.at[p->turned[w->free]];
        double mean = judgement->mean[at], factor = p->factor[w->free], beaver = p->beaver[w->free],
               offset = p->offset[w->free], pass = p->passed[w->free];
        factor = beaver * mean < factor * mean ? beaver : factor;
        values[k] = fmax(values[k], factor * mean + offset <= pass ? factor * rolled[at] + offset : pass);
    }
}

/* The best that the free side gets, where its opponent doubles if that looks right to it. */
static void decide_other(const free_player *w, const judged *judgement, double *values)
{
    double rolled[BGR_MAX_PLANES];
    int other = !w->free;
    memcpy(rolled, values, sizeof *rolled * (size_t)w->looked_at.n);
    for (int k = 0; k < w->looked_at.n; k++) {
        const bgr_plane *p = &w->games->q.planes.plane[w->looked_at.planes[k]];
        if (p->turned[other] < 0)
            continue;
        int at = w->games->held.at[p->turned[other]];
        double mean = -judgement->mean[at], offset = p->offset[other], pass = p->passed[other];
        if (fmin(fmin(p->factor[other] * mean, p->beaver[other] * mean) + offset, pass) <= -judgement->mean[k])
            continue;
        values[k] = fmax(fmax(p->factor[other] * rolled[at], p->beaver[other] * rolled[at]) - offset, -pass);
    }
}

/* From values after a roll to those before it, and before what is decided about the cube, unless it is the first. */
static void take_back(const free_player *w, int own, int first, const judged *judgement, double *values)
{
    for (int k = 0; k < w->looked_at.n; k++)
        values[k] -= judgement->luck[k];
    if (!first)
        (own ? decide_own : decide_other)(w, judgement, values);
}

static bgr_status go_back(free_player *w, const half_turn *half)
{
    int own = ((int)(half - w->halves) & 1) == w->free, first = half == w->halves, n = w->looked_at.n;
    bgr_packed other = position_of(&half->before, !w->free);
    bgr_position_set layer = half->layer;
    BGR_TRY(look_closely(w, half));
    /* By number, to be met on the way. */
    const close_position *met[MAX_CLOSE];
    int n_met = 0;
    for (int k = 0; k < w->n_close; k++) {
        int at = n_met++;
        for (; at && met[at - 1]->number > w->close[k].number; at--)
            met[at] = met[at - 1];
        met[at] = &w->close[k];
    }
    find_curve(w, half);
    int next = 0;
    for (int64_t k = layer.first; k < layer.first + layer.n; k++) {
        double *values = w->value + k * n;
        bgr_packed p = w->plays.position[k];
        const close_position *c = next < n_met && met[next]->number == k ? met[next++] : NULL;
        if (!first && bgr_is_over(&w->games->q, p, other)) {
            value_over(w, p, other, own ? w->free : !w->free, values);
            continue;
        }
        if (!own && half->off)
            for (int j = 0; j < n; j++)
                values[j] = -w->games->q.planes.plane[w->looked_at.planes[j]].win[bgr_loss_of(p)][!w->free];
        judged judgement = {.known = 0};
        if (c)
            BGR_TRY(judge_closely(w, half, c, &judgement));
        judge_roughly(w, half, p, &judgement);
        if (first)
            memcpy(w->root_mean, judgement.mean, sizeof w->root_mean);
        take_back(w, own, first, &judgement, values);
    }
    return BGR_OK;
}

/* The values of a game to the free side, by plane. */
static bgr_status bound_game(free_player *w, uint64_t seed, uint64_t number, const double **values)
{
    int n = w->looked_at.n;
    for (int side = 0; side < 2; side++)
        BGR_TRY(bgr_game_sit_down(w->games, side, &w->games->options[side], &w->nodes[side]));
    BGR_TRY(bgr_game_sit_down(w->games, w->free, &w->plain, &w->free_nodes[w->free]));
    BGR_TRY(play_forward(w, seed, number));
    if (!bgr_make_room((void **)&w->value, &w->value_room, w->plays.n * n, sizeof *w->value))
        return BGR_ERR_MEMORY;
    for (int64_t k = 0; k < w->plays.n * n; k++)
        w->value[k] = -INFINITY;
    w->close_of = -1;
    for (int k = w->n_halves - 1; k >= 0; k--) {
        for (int step = w->halves[k].past_step - 1; step >= w->halves[k].first_step; step--)
            bgr_take_greatest(&w->plays, &w->plays.steps[step], n, w->value);
        BGR_TRY(go_back(w, &w->halves[k]));
    }
    *values = w->value;
    return BGR_OK;
}

/* ------------------------------------------------------------------ many games */

/* The numbers for the player on roll, from values to a side that is free. */
static void count(const free_player *w, const double *to_free, int side, double *numbers)
{
    const bgr_games *games = w->games;
    const bgr_plane *p = &games->q.planes.plane[games->plane];
    double sign = side ? -1 : 1, win = to_free[games->held.at[BGR_PLANE_WIN]];
    numbers[BGR_BOUND_WIN] = (1 + sign * win) / 2;
    numbers[BGR_BOUND_NO_DOUBLE] =
        games->view.middle + games->view.scale * sign * to_free[games->held.at[games->plane]];
    numbers[BGR_BOUND_DOUBLE_TAKE] = NAN;
    if (p->turned[0] < 0)
        return;
    double turned = sign * to_free[games->held.at[p->turned[0]]];
    double mean = w->root_mean[games->held.at[p->turned[0]]]; /* which the opponent beavers by */
    double factor = (side ? turned : mean) * (p->beaver[0] - p->factor[0]) < 0 ? p->beaver[0] : p->factor[0];
    numbers[BGR_BOUND_DOUBLE_TAKE] = games->view.middle + games->view.scale * (factor * turned + p->offset[0]);
}

static void forget(free_player *w)
{
    for (int side = 0; side < 2; side++) {
        bgr_nodes_free(&w->nodes[side]);
        bgr_nodes_free(&w->free_nodes[side]);
    }
    bgr_all_plays_free(&w->plays);
    BGR_FREE(w->halves, w->value);
}

typedef struct {
    const bgr_games *games;
    uint64_t seed;
    int64_t first;
    free_player *players; /* by worker */
    bgr_game_bounds *results;
} bound_job;

static bgr_status bound_one(void *of, int64_t k, int worker)
{
    const bound_job *job = of;
    free_player *w = &job->players[worker];
    for (int side = 0; side < 2; side++) {
        const double *values;
        w->free = side;
        BGR_TRY(bound_game(w, job->seed, (uint64_t)(job->first + k), &values));
        count(w, values, side, side ? job->results[k].low : job->results[k].high);
    }
    return BGR_OK;
}

static bgr_status prepare(const bgr_games *games, free_player *w)
{
    w->games = games;
    w->looked_at = (bgr_looked_at){games->held.n_planes, games->held.plane};
    w->halves = malloc(MAX_HALVES * sizeof *w->halves);
    return w->halves ? BGR_OK : BGR_ERR_MEMORY;
}

bgr_status bgr_games_bound(const bgr_games *games, uint64_t seed, int64_t first, int64_t n,
                           const bgr_parallel *parallel, bgr_game_bounds *results)
{
    bound_job job = {games, seed, first, NULL, results};
    if (games->held.at[BGR_PLANE_WIN] < 0)
        return BGR_ERR_ARGUMENT;
    job.players = calloc((size_t)bgr_n_workers(parallel), sizeof *job.players);
    bgr_status status = job.players ? BGR_OK : BGR_ERR_MEMORY;
    for (int worker = 0; worker < bgr_n_workers(parallel) && status == BGR_OK; worker++)
        status = prepare(games, &job.players[worker]);
    if (status == BGR_OK)
        status = bgr_run_tasks(parallel, n, bound_one, &job);
    for (int worker = 0; job.players && worker < bgr_n_workers(parallel); worker++)
        forget(&job.players[worker]);
    free(job.players);
    return status;
}
