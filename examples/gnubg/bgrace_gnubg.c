/* GNU Backgammon asks bgrace about races.
 *
 * bgr_ask answers a decision in a race.  If both sides have few pairs, it solves all of them, and the rest of the game
 * follows from that one solution; else it solves by turns, with every play of every roll.  Races in the leaves of a
 * search or in a rollout are estimated, unless an earlier answer covers them.  A table of bounded size keeps answers
 * for all threads.
 *
 * BGRACE=off in the environment leaves all races to the program.  BGRACE_SECONDS is the budget of an answer by turns.
 *
 * This file is part of bgrace (MIT licence); a program that it is compiled into has GNU Backgammon's licence, the GPL.
 */
#include "config.h"

#include <glib.h>

#include "bgrace_gnubg.h"
#include "matchequity.h"

#include "bgrace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 24, N_KEPT = 64, N_SOLVED = 4, MAX_VALUES = 8, MAX_SCORE = MAXSCORE };

static const double default_seconds = 0.05; /* by turns */
static const double pairs_seconds = 0.15;   /* all pairs, for the rest of a game */
static const gint64 pairs_bytes = 64 << 20;

/* A question about a race, seen by the player on roll. */
typedef struct {
    gint8 counts[2][POINTS]; /* on roll, opponent */
    int on_roll;             /* the program's number of the player on roll */
    int match_to, needs[2], crawford, jacoby, beavers;
    int cube_value; /* for money 1 */
} race;

/* Stakes, with the match equity table that they point to. */
typedef struct {
    bgr_stakes stakes;
    double before[MAX_SCORE * MAX_SCORE], after[2 * MAX_SCORE];
} score;

/* An answer, and the same at doubled cubes, which are made when they are first needed. */
typedef struct {
    race of;
    bgr_answer *answer[MAX_VALUES];
    int n_users;
    guint64 used; /* time of the last use */
    int solved;   /* 1: by all pairs */
    int plays;    /* 1: it knows every play; without that, an answer by turns is more accurate */
} kept;

static struct {
    gboolean off;
    double seconds;
    bgr_solver *solver;
    bgr_cache *cache;
} engine;

static GMutex mutex; /* protects the table and its clock */
static kept *table[N_KEPT];
static guint64 now;

/* The position whose plays this thread needs, and whether it rolls games out. */
static _Thread_local kept *current;
static _Thread_local int rolling;

static gpointer start(gpointer unused)
{
    const char *seconds = g_getenv("BGRACE_SECONDS");
    (void)unused;
    engine.off = g_strcmp0(g_getenv("BGRACE"), "off") == 0;
    engine.seconds = seconds ? g_ascii_strtod(seconds, NULL) : default_seconds;
    if (!(engine.seconds > 0))
        engine.seconds = default_seconds;
    if (!engine.off && (bgr_solver_new(&engine.solver) != BGR_OK || bgr_cache_new(&engine.cache) != BGR_OK)) {
        g_printerr("bgrace: no memory; the program answers races itself\n");
        engine.off = TRUE;
    }
    return NULL;
}

/* ------------------------------------------------------------------ questions */

static int highest(const gint8 *counts)
{
    int point = POINTS;
    while (point && !counts[point - 1])
        point--;
    return point;
}

/* Read an unfinished race with rules that bgrace knows; return 0 for other boards. */
static int read_race(const TanBoard board, const cubeinfo *stakes, const evalcontext *context, race *r)
{
    static GOnce started = G_ONCE_INIT;
    g_once(&started, start, NULL);
    if (engine.off || (context && context->rNoise != 0) ||
        (stakes->bgv != VARIATION_STANDARD && stakes->bgv != VARIATION_NACKGAMMON) || board[0][24] || board[1][24])
        return 0;
    memset(r, 0, sizeof *r);
    for (int j = 0; j < POINTS; j++) {
        r->counts[0][j] = (gint8)board[1][j];
        r->counts[1][j] = (gint8)board[0][j];
    }
    int mine = highest(r->counts[0]), theirs = highest(r->counts[1]);
    if (!mine || !theirs || mine + theirs > POINTS)
        return 0;
    r->on_roll = stakes->fMove;
    r->cube_value = 1;
    if (stakes->nMatchTo) {
        r->match_to = stakes->nMatchTo;
        for (int k = 0; k < 2; k++)
            r->needs[k] = stakes->nMatchTo - stakes->anScore[k ? !r->on_roll : r->on_roll];
        r->crawford = stakes->fCrawford;
        r->cube_value = stakes->nCube > 0 ? stakes->nCube : 1;
        return r->needs[0] >= 1 && r->needs[1] >= 1;
    }
    r->jacoby = stakes->fJacoby;
    r->beavers = stakes->fBeavers;
    return 1;
}

static void read_score(const race *r, int cube_value, score *s)
{
    int n = MAX(r->needs[0], r->needs[1]);
    memset(&s->stakes, 0, sizeof s->stakes);
    s->stakes.size = sizeof s->stakes;
    s->stakes.gammons = 1;
    s->stakes.jacoby = r->jacoby;
    s->stakes.beavers = r->beavers;
    if (!r->match_to)
        return;
    s->stakes.match = 1;
    s->stakes.on_roll_needs = r->needs[0];
    s->stakes.opponent_needs = r->needs[1];
    s->stakes.crawford = r->crawford;
    s->stakes.cube_value = cube_value;
    s->stakes.met_length = s->stakes.post_length = n;
    s->stakes.pre_crawford = s->before;
    s->stakes.post_crawford = s->after;
    /* The program's table has the chances of player 0, by the points that both need. */
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            s->before[i * n + j] = r->on_roll ? 1 - (double)aafMET[j][i] : (double)aafMET[i][j];
        s->after[i] = (double)aafMETPostCrawford[r->on_roll][i];
        s->after[n + i] = (double)aafMETPostCrawford[!r->on_roll][i];
    }
}

/* ------------------------------------------------------------------ the table of answers */

static void free_kept(kept *k)
{
    for (int v = 0; k && v < MAX_VALUES; v++)
        bgr_answer_free(k->answer[v]);
    g_free(k);
}

static void let_go(kept *k)
{
    if (!k)
        return;
    g_mutex_lock(&mutex);
    int unused = --k->n_users == 0;
    g_mutex_unlock(&mutex);
    if (unused)
        free_kept(k);
}

static int same_stakes(const race *a, const race *b)
{
    int same_way = a->on_roll == b->on_roll;
    return a->match_to == b->match_to && a->jacoby == b->jacoby && a->beavers == b->beavers &&
           a->crawford == b->crawford && a->needs[0] == b->needs[!same_way] && a->needs[1] == b->needs[same_way] &&
           a->cube_value <= b->cube_value;
}

/* Find the answer to this race, at this cube or at a smaller one that can be doubled to it. */
static kept *find_kept(const race *r, int plays)
{
    kept *found = NULL;
    g_mutex_lock(&mutex);
    for (int k = 0; k < N_KEPT && !found; k++)
        if (table[k] && (table[k]->solved || table[k]->plays == plays) && table[k]->of.on_roll == r->on_roll &&
            same_stakes(&table[k]->of, r) && !memcmp(table[k]->of.counts, r->counts, sizeof r->counts))
            found = table[k];
    if (found) {
        found->n_users++;
        found->used = ++now;
    }
    g_mutex_unlock(&mutex);
    return found;
}

/* Replace the oldest answer, or the oldest of N_SOLVED solutions by a new one. */
static void keep(kept *fresh)
{
    int place = 0, n_solved = 0, oldest_solved = -1;
    g_mutex_lock(&mutex);
    for (int k = 0; k < N_KEPT; k++) {
        if (table[k] && table[k]->solved) {
            n_solved++;
            if (oldest_solved < 0 || table[k]->used < table[oldest_solved]->used)
                oldest_solved = k;
        }
        if (table[place] && (!table[k] || table[k]->used < table[place]->used))
            place = k;
    }
    if (fresh->solved && n_solved >= N_SOLVED)
        place = oldest_solved;
    kept *old = table[place];
    table[place] = fresh;
    fresh->n_users++;
    fresh->used = ++now;
    int unused = old && --old->n_users == 0;
    g_mutex_unlock(&mutex);
    if (unused)
        free_kept(old);
}

static kept *new_kept(const race *r, bgr_answer *answer, int solved, int plays)
{
    kept *k = g_new0(kept, 1);
    k->of = *r;
    k->answer[0] = answer;
    k->n_users = 1;
    k->solved = solved;
    k->plays = plays;
    return k;
}

void bgrace_forget(void)
{
    g_mutex_lock(&mutex);
    for (int k = 0; k < N_KEPT; k++) {
        if (table[k] && --table[k]->n_users == 0)
            free_kept(table[k]);
        table[k] = NULL;
    }
    g_mutex_unlock(&mutex);
    let_go(current);
    current = NULL;
}

/* Return a kept answer at another cube; NULL if its cube cannot be doubled to that. */
static bgr_answer *at_cube(kept *k, int cube_value)
{
    int v = 0;
    score s;
    while (k->of.match_to && v < MAX_VALUES && k->of.cube_value << v < cube_value)
        v++;
    if (v == MAX_VALUES)
        return NULL;
    g_mutex_lock(&mutex);
    bgr_answer *answer = k->answer[v];
    if (!answer) {
        read_score(&k->of, cube_value, &s);
        if (bgr_answer_at_cube(k->answer[0], &s.stakes, &answer) == BGR_OK)
            k->answer[v] = answer;
    }
    g_mutex_unlock(&mutex);
    return answer;
}

/* ------------------------------------------------------------------ answers */

/* Find this race within a solved one. */
static kept *follow_solved(const race *r)
{
    kept *from[N_SOLVED], *found = NULL;
    int n = 0;
    g_mutex_lock(&mutex);
    for (int k = 0; k < N_KEPT && n < N_SOLVED; k++)
        if (table[k] && table[k]->solved && same_stakes(&table[k]->of, r)) {
            from[n++] = table[k];
            table[k]->n_users++;
        }
    g_mutex_unlock(&mutex);
    for (int k = 0; k < n; k++) {
        int swapped = from[k]->of.on_roll != r->on_roll;
        bgr_answer *followed = NULL;
        for (int v = 0; v < MAX_VALUES && (v == 0 || (found && r->match_to)); v++) {
            bgr_answer *answer = v == 0 && found ? NULL : at_cube(from[k], r->cube_value << v);
            if (!answer || bgr_answer_follow(answer, POINTS, r->counts[0], r->counts[1], swapped, &followed) != BGR_OK)
                break;
            if (v == 0)
                found = new_kept(r, followed, 0, 0);
            found->answer[v] = followed;
        }
        let_go(from[k]);
    }
    return found;
}

static kept *estimate(const race *r)
{
    score s;
    bgr_answer *answer;
    read_score(r, r->cube_value, &s);
    const bgr_solve_options options = {.size = sizeof options, .way = BGR_ESTIMATE};
    return bgr_ask(engine.solver, POINTS, r->counts[0], r->counts[1], &s.stakes, &options, &answer) == BGR_OK
               ? new_kept(r, answer, 0, 0)
               : NULL;
}

static kept *solve(const race *r, int plays)
{
    score s;
    bgr_answer *answer;
    bgr_solve_options options = {.size = sizeof options,
                                 .seconds = pairs_seconds,
                                 .memory_bytes = pairs_bytes,
                                 .way = BGR_FEW_PAIRS,
                                 .cache = engine.cache};
    read_score(r, r->cube_value, &s);
    bgr_status status = bgr_ask(engine.solver, POINTS, r->counts[0], r->counts[1], &s.stakes, &options, &answer);
    int solved = status == BGR_OK;
    if (status == BGR_ERR_COVERAGE) {
        options = (bgr_solve_options){.size = sizeof options,
                                      .seconds = engine.seconds,
                                      .way = BGR_BY_TURNS,
                                      .rolls = plays,
                                      .cache = engine.cache};
        status = bgr_ask(engine.solver, POINTS, r->counts[0], r->counts[1], &s.stakes, &options, &answer);
    }
    return status == BGR_OK ? new_kept(r, answer, solved, plays) : NULL;
}

/* Answer a race: by an earlier answer, else solve a decision, and estimate anything else.  plays: 1 if every play is
 * needed.  NULL if that fails. */
static kept *answer_race(const race *r, int decision, int plays)
{
    kept *k = find_kept(r, plays);
    if (!k) {
        k = follow_solved(r); /* not kept, because it would keep all pairs of a dropped solution */
        if (!k && decision && !rolling) {
            k = solve(r, plays);
            if (k)
                keep(k);
        } else if (!k)
            k = estimate(r);
    }
    return k;
}

/* Return whether a race is a result of a play from the current position. */
static int is_play(const race *r)
{
    return current && current->of.on_roll != r->on_roll && same_stakes(&current->of, r) &&
           !memcmp(current->of.counts[1], r->counts[0], POINTS);
}

static void write_chances(const bgr_chances *c, int other, float *out)
{
    const double mine[NUM_OUTPUTS] = {c->cubeless_win, c->win_gammon, c->win_backgammon, c->lose_gammon,
                                      c->lose_backgammon};
    const double theirs[NUM_OUTPUTS] = {1 - c->cubeless_win, c->lose_gammon, c->lose_backgammon, c->win_gammon,
                                        c->win_backgammon};
    for (int k = 0; k < NUM_OUTPUTS; k++)
        out[k] = (float)(other ? theirs[k] : mine[k]);
}

static bgr_cube place_of(const cubeinfo *cube)
{
    return cube->fCubeOwner < 0 ? BGR_CUBE_CENTERED : cube->fCubeOwner == cube->fMove ? BGR_CUBE_MINE : BGR_CUBE_THEIRS;
}

/* Find the value of a cube to the player on roll: a chance to win the match, or points per unit of the cube. */
static int value_of_cube(kept *k, const cubeinfo *cube, int top, float *value)
{
    bgr_cube_values values;
    bgr_answer *answer = at_cube(k, cube->nCube);
    if (!answer || bgr_answer_cube(answer, place_of(cube), &values) != BGR_OK)
        return 0;
    *value = (float)(top ? values.no_double : values.value);
    return 1;
}

/* The same for a play from the current position, by the player who has just moved. */
static int value_of_play(const race *r, const cubeinfo *cube, float *value)
{
    static const bgr_cube other[BGR_N_CUBES] = {BGR_CUBE_NONE, BGR_CUBE_CENTERED, BGR_CUBE_THEIRS, BGR_CUBE_MINE};
    bgr_moved moved = {.size = sizeof moved};
    bgr_answer *answer = at_cube(current, cube->nCube);
    if (!answer || bgr_answer_move(answer, POINTS, r->counts[1], other[place_of(cube)], &moved) != BGR_OK)
        return 0;
    *value = (float)(r->match_to ? 1 - moved.value : -moved.value);
    return 1;
}

/* ------------------------------------------------------------------ calls */

int bgrace_evaluate(const TanBoard board, float chances[NUM_OUTPUTS], const cubeinfo *stakes,
                    const evalcontext *context)
{
    race r;
    bgr_chances c;
    bgr_moved moved = {.size = sizeof moved};
    if (!read_race(board, stakes, context, &r))
        return 0;
    if (is_play(&r) && bgr_answer_move(current->answer[0], POINTS, r.counts[1], BGR_CUBE_NONE, &moved) == BGR_OK) {
        write_chances(&moved.chances, 1, chances);
        return 1;
    }
    kept *k = answer_race(&r, 0, 0);
    if (!k)
        return 0;
    bgr_answer_chances(k->answer[0], &c);
    write_chances(&c, 0, chances);
    let_go(k);
    return 1;
}

int bgrace_evaluate_cubes(const TanBoard board, float chances[NUM_OUTPUTS], float *values, const cubeinfo *cubes, int n,
                          const cubeinfo *stakes, const evalcontext *context, int top)
{
    race r;
    bgr_chances c;
    bgr_moved moved = {.size = sizeof moved};
    if (!read_race(board, stakes, context, &r))
        return 0;
    if (r.match_to) /* an answer covers larger cubes */
        for (int i = 0; i < n; i++)
            if (cubes[i].nCube > 0 && cubes[i].nCube < r.cube_value)
                r.cube_value = cubes[i].nCube;
    int done = !top && is_play(&r);
    for (int i = 0; i < n && done; i++)
        done = cubes[i].nCube < 0 || value_of_play(&r, &cubes[i], &values[i]);
    if (done && bgr_answer_move(current->answer[0], POINTS, r.counts[1], BGR_CUBE_NONE, &moved) == BGR_OK) {
        write_chances(&moved.chances, 1, chances);
        return 1;
    }
    kept *k = answer_race(&r, top, 0);
    if (!k)
        return 0;
    done = 1;
    for (int i = 0; i < n && done; i++)
        done = cubes[i].nCube < 0 || value_of_cube(k, &cubes[i], top, &values[i]);
    bgr_answer_chances(k->answer[0], &c);
    if (done)
        write_chances(&c, 0, chances);
    let_go(k);
    return done;
}

void bgrace_begin_plays(const TanBoard board, const cubeinfo *stakes, const evalcontext *context)
{
    race r;
    let_go(current);
    current = read_race(board, stakes, context, &r) ? answer_race(&r, 1, 1) : NULL;
}

void bgrace_begin_rollout(void)
{
    let_go(current);
    current = NULL;
    rolling++;
}

void bgrace_end_rollout(const int *unused)
{
    (void)unused;
    let_go(current);
    current = NULL;
    rolling--;
}
