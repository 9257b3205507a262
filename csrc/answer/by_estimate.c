/* A race estimated, in microseconds.
 *
 * Each side plays every roll to lower its own mean number of rolls most.  The first roll is played out; after it the
 * chance to win comes from both sides' chances to be off by each roll, which are exact in the home board and estimates
 * outside.  Cubeful values lie between those of a dead cube, which are cubeless, and those of a live cube, which are
 * linear between the chances at which it is passed; the efficiency of the cube is that of a pip race of the same length
 * (solve/cube_chart.h).  R. Janowski, "Take-Points in Money Games" (1993), has the lines and the interpolation. */

#include "answer/ways.h"

#include "answer/answer.h"
#include "answer/markets.h"
#include "answer/reference.h"
#include "answer/state.h"
#include "base/try.h"
#include "solve/one_sided.h"
#include "turns/off_chances.h"
#include "turns/results.h"

#include <math.h>
#include <stdlib.h>

/* The numbers of a position that values depend on. */
typedef struct {
    double mean;
    bgr_off_chances chances; /* to be off within 0, 1, .. rolls */
    double bold;             /* gain from playing to win, see chance_first */
} prospect;

enum { MAX_RESULTS = BGR_N_ROLLS * BGR_MAX_BEST };

/* The distinct results of all rolls, and by roll the numbers of its results, that with the least mean first. */
typedef struct {
    int n;                 /* 0: the roll is not played */
    int ways[MAX_RESULTS]; /* of the 36 throws, those that are played to it; 0: others are better */
    int n_of_roll[BGR_N_ROLLS], of_roll[BGR_N_ROLLS][BGR_MAX_BEST];
    prospect result[MAX_RESULTS];
} outcomes;

/* Positions with the same checkers at home and one outside, by the point of that one. */
typedef struct {
    bgr_packed nearest; /* the position with that checker on point 7 */
    int past;           /* positions below this point are known */
    prospect at[BGR_MAX_POINTS + 1];
} lone;

struct bgr_estimated {
    bgr_holders holders;
    bgr_solver *solver;
    bgr_planes planes;
    bgr_market markets[BGR_MAX_PLANES];
    int loses[2]; /* how much each side loses if the other one bears off its last checker now */
    prospect sides[2];
    outcomes rolled[2];
};

/* ------------------------------------------------------------------ sides */

/* Gain of a side at home from plays that waste pips and win more often: more with checkers above the two point and few
 * on the ace point, and nothing in its last two rolls. */
static double boldness(bgr_packed position, double mean)
{
    int ace = bgr_packed_count(position, 1), low = ace + bgr_packed_count(position, 2);
    int n = BGR_MAX_CHECKERS - bgr_packed_count(position, 0);
    if (!bgr_packed_home(position) || !n)
        return 0;
    return fmin(fmax(mean - 2, 0), 1) * (n - low) / n / (1 + ace);
}

/* Improve a position's estimates, outside the home board, by those of the results of its next roll. */
static void look_back(const outcomes *out, prospect *now)
{
    double mean = 1, sum[BGR_OFF_WIDTH] = {0};
    for (int k = 0; k < out->n; k++) {
        mean += out->ways[k] * out->result[k].mean / 36;
        for (int n = 1; n < BGR_OFF_WIDTH; n++)
            sum[n] += out->ways[k] * (double)out->result[k].chances[n - 1];
    }
    now->mean = mean;
    for (int n = 0; n < BGR_OFF_WIDTH; n++)
        now->chances[n] = (float)(sum[n] / 36);
}

/* Play a roll of a side whose only checker outside is at `from`: that checker moves until it is home, then the one that
 * lowers the mean most.  Return the home index of the result, -1 if the checker does not come home. */
static int32_t come_home(const bgr_home_board *home, bgr_packed position, int from, int roll)
{
    int32_t best = -1;
    int dice[2] = {bgr_rolls[roll].larger, bgr_rolls[roll].smaller}, is_double = dice[0] == dice[1];
    int comes = from - bgr_roll_pips(dice[0], dice[1]) <= BGR_HOME_POINTS;
    for (int order = 0; comes && order < 2 - is_double; order++) {
        int to = from, played = 0;
        while (to > BGR_HOME_POINTS)
            to -= dice[(order + played++) & 1];
        int32_t index = bgr_packed_index(home, bgr_packed_moved(position, from, to));
        for (; played < (is_double ? 4 : 2); played++)
            index = home->chains[(int64_t)index * BGR_N_CHAINS + bgr_chain(1, dice[(order + played) & 1])];
        if (best < 0 || home->mean[index] < home->mean[best])
            best = index;
    }
    return best;
}

/* Find the chances of a side with a single checker outside, which are far from normal, since they depend most on when
 * that checker comes home.  It moves first, so a roll leads to a home position or to the same position with the checker
 * nearer: so the chances follow recursively. */
static void prospect_of_lone(const bgr_home_board *home, bgr_packed position, lone *known, prospect *p)
{
    int at = BGR_HOME_POINTS + 1;
    while (!bgr_packed_count(position, at))
        at++;
    bgr_packed nearest = bgr_packed_moved(position, at, BGR_HOME_POINTS + 1);
    if (!bgr_packed_same(known->nearest, nearest))
        known->past = BGR_HOME_POINTS + 1;
    known->nearest = nearest;
    for (; known->past <= at; known->past++) {
        int from = known->past;
        double mean = 1;
        float within[BGR_OFF_WIDTH] = {0};
        position = bgr_packed_moved(nearest, BGR_HOME_POINTS + 1, from);
        for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
            int pips = bgr_roll_pips(bgr_rolls[roll].larger, bgr_rolls[roll].smaller);
            int32_t index = come_home(home, position, from, roll);
            const prospect *left = index < 0 ? &known->at[from - pips] : NULL;
            const float *chances = left ? left->chances : home->chances[index];
            float share = (float)bgr_rolls[roll].weight / 36;
            mean += (double)share * (left ? left->mean : home->mean[index]);
            for (int n = 0; n < BGR_HOME_ROLLS; n++)
                within[n] += share * chances[n];
            for (int n = BGR_HOME_ROLLS; n < BGR_OFF_WIDTH; n++)
                within[n] += left ? share * chances[n] : share;
        }
        known->at[from] = (prospect){.mean = mean};
        memcpy(known->at[from].chances + 1, within, (BGR_OFF_WIDTH - 1) * sizeof *within);
    }
    *p = known->at[at];
}

static void prospect_of(const bgr_home_board *home, bgr_packed position, lone *known, prospect *p)
{
    if (bgr_packed_n_outside(position) == 1) {
        prospect_of_lone(home, position, known, p);
        return;
    }
    p->mean = bgr_position_mean(home, position);
    p->bold = boldness(position, p->mean);
    bgr_position_chances(home, position, p->chances);
}

/* List the results of all rolls of a side, each once. */
static bgr_status play_out(const bgr_home_board *home, bgr_packed position, double margin, lone *known, outcomes *out)
{
    bgr_packed seen[MAX_RESULTS];
    bgr_best best[BGR_N_ROLLS];
    out->n = 0;
    BGR_TRY(bgr_best_of_rolls(home, position, BGR_LAST_CHECKER, margin, best));
    for (int choice = 0; choice < BGR_MAX_BEST; choice++) {
        for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
            int k = 0;
            out->n_of_roll[roll] = best[roll].n;
            if (choice >= best[roll].n)
                continue;
            while (k < out->n && !bgr_packed_same(seen[k], best[roll].result[choice]))
                k++;
            out->of_roll[roll][choice] = k;
            if (k == out->n) {
                seen[out->n++] = best[roll].result[choice];
                prospect_of(home, best[roll].result[choice], known, &out->result[k]);
            }
        }
    }
    memset(out->ways, 0, sizeof out->ways);
    for (int roll = 0; roll < BGR_N_ROLLS; roll++)
        out->ways[out->of_roll[roll][0]] += bgr_rolls[roll].weight;
    return BGR_OK;
}

/* Raise a chance, which is for play for the least mean, by what the trailing side gains by playing to win: most at a
 * chance of 1/5, nothing at 1/2. */
static double played_to_win(double chance, const prospect *on_roll, const prospect *other)
{
    double bold = (chance < 0.5 ? on_roll : other)->bold;
    chance += tuned_to_win * bold * chance * (1 - chance) * (1 - 2 * chance);
    return fmin(fmax(chance, 0), 1);
}

/* The chance of the side on roll to be off first. */
static double chance_first(const prospect *on_roll, const prospect *other)
{
    double sum = 0;
    for (int n = 1; n < BGR_OFF_WIDTH; n++)
        sum += (double)(on_roll->chances[n] - on_roll->chances[n - 1]) * (double)(1 - other->chances[n - 1]);
    return played_to_win(sum, on_roll, other);
}

/* Return the best result of a roll, by the chances after its results. */
static int best_of_roll(const outcomes *rolled, int roll, const double *after)
{
    int best = rolled->of_roll[roll][0];
    for (int choice = 1; choice < rolled->n_of_roll[roll]; choice++)
        if (after[rolled->of_roll[roll][choice]] > after[best])
            best = rolled->of_roll[roll][choice];
    return best;
}

/* The chance of a side that plays each roll for the best chance. */
static double chance_of_rolls(const outcomes *rolled, const double *after)
{
    double sum = 0;
    for (int roll = 0; roll < BGR_N_ROLLS; roll++)
        sum += bgr_rolls[roll].weight * after[best_of_roll(rolled, roll, after)];
    return sum / 36;
}

/* Return the chance of the side on roll to be off first if both sides play their next roll to win; set its plays to
 * these. */
static double play_to_win(outcomes *on_roll, const outcomes *other)
{
    double late[BGR_HOME_ROLLS][MAX_RESULTS], first[MAX_RESULTS], after[MAX_RESULTS];
    for (int n = 0; n < BGR_HOME_ROLLS; n++)
        for (int k = 0; k < other->n; k++)
            late[n][k] = 1 - (double)other->result[k].chances[n];
    for (int i = 0; i < on_roll->n; i++) {
        const prospect *mine = &on_roll->result[i];
        after[i] = 1;
        if (mine->chances[0] >= 1)
            continue;
        for (int k = 0; k < other->n; k++)
            first[k] = 0;
        for (int n = 1; n < BGR_HOME_ROLLS && mine->chances[n - 1] < 1; n++) {
            double now = (double)(mine->chances[n] - mine->chances[n - 1]);
            for (int k = 0; k < other->n; k++)
                first[k] += now * late[n - 1][k];
        }
        for (int k = 0; k < other->n; k++)
            first[k] = late[0][k] > 0 ? 1 - played_to_win(first[k], mine, &other->result[k]) : 1;
        after[i] = 1 - chance_of_rolls(other, first);
    }
    memset(on_roll->ways, 0, sizeof on_roll->ways);
    for (int roll = 0; roll < BGR_N_ROLLS; roll++)
        on_roll->ways[best_of_roll(on_roll, roll, after)] += bgr_rolls[roll].weight;
    return chance_of_rolls(on_roll, after);
}

/* ------------------------------------------------------------------ gammons */

/* The chance that the winner is off before an event for which the loser needs `mean` rolls on average.  When the winner
 * has rolled n times, the loser has rolled n + ahead times. */
static double chance_before(const prospect *winner, double mean, int ahead)
{
    double deviation = sqrt(fmax(tuned_variance_of_roll * (mean - 1), tuned_min_variance)), sum = 0;
    for (int n = 1; n < BGR_OFF_WIDTH; n++) {
        double z = (n + ahead + 0.5 - mean - tuned_late_by) / deviation, late = z < 0;
        if (n + ahead < 0 || (n + ahead == 0 && mean > 0))
            late = 1;
        else if (fabs(z) < 5)
            late = bgr_below_normal(-z);
        sum += (double)(winner->chances[n] - winner->chances[n - 1]) * late;
    }
    return sum;
}

/* The chance of a gammon.  If that is open and the loser has checkers outside, the next roll is played out to bear a
 * checker off soonest. */
static bgr_status chance_of_gammon(const bgr_home_board *home, const prospect *winner, bgr_packed loser, int ahead,
                                   double *chance)
{
    bgr_best best[BGR_N_ROLLS];
    *chance = chance_before(winner, bgr_position_first(home, loser), ahead);
    if (bgr_packed_home(loser) || *chance < tuned_open_gammon || *chance > 1 - tuned_open_gammon)
        return BGR_OK;
    BGR_TRY(bgr_best_of_rolls(home, loser, BGR_FIRST_CHECKER, 0, best));
    *chance = 0;
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        bgr_packed result = best[roll].result[0];
        double mean = bgr_packed_any_off(result) ? 0 : bgr_position_first(home, result);
        *chance += bgr_rolls[roll].weight / 36.0 * chance_before(winner, mean, ahead - 1);
    }
    return BGR_OK;
}

/* Find the chances that a side loses a gammon, and a backgammon. */
static bgr_status chances_to_lose(const bgr_home_board *home, const prospect *winner, const int8_t *loser, int ahead,
                                  double *gammon, double *backgammon)
{
    bgr_packed position = bgr_packed_of(loser);
    int loss = bgr_loss_of(loser);
    *gammon = *backgammon = 0;
    if (loss >= BGR_LOST_GAMMON)
        BGR_TRY(chance_of_gammon(home, winner, position, ahead, gammon));
    if (loss == BGR_LOST_BACKGAMMON)
        *backgammon = fmin(chance_before(winner, bgr_position_straggler(home, position), ahead), *gammon);
    return BGR_OK;
}

/* Estimate all chances.  on_roll, opponent: counts of the side on roll, which is side 0 of `sides` and whose chance to
 * win is known, and of the other side. */
static bgr_status chances_estimated(const bgr_home_board *home, const int8_t *on_roll, const int8_t *opponent,
                                    const prospect *const sides[2], double win, bgr_chances *chances)
{
    BGR_TRY(chances_to_lose(home, sides[0], opponent, -1, &chances->win_gammon, &chances->win_backgammon));
    BGR_TRY(chances_to_lose(home, sides[1], on_roll, 0, &chances->lose_gammon, &chances->lose_backgammon));
    chances->win = chances->cubeless_win = win;
    chances->win_gammon = fmin(chances->win_gammon, win);
    chances->lose_gammon = fmin(chances->lose_gammon, 1 - win);
    chances->win_backgammon = fmin(chances->win_backgammon, chances->win_gammon);
    chances->lose_backgammon = fmin(chances->lose_backgammon, chances->lose_gammon);
    return BGR_OK;
}

/* ------------------------------------------------------------------ values by plane */

/* Find the values of `side` on roll at `mine`; plays out up to `deep` rolls whose results are known. */
static void row_of_side(const bgr_estimated *e, int side, const prospect *mine, const prospect *other, int deep,
                        double *row);

/* Find the same by playing out the side's roll: after it the other side is on roll, and may double. */
static void row_of_roll(const bgr_estimated *e, int side, const prospect *other, int deep, double *row)
{
    double after[BGR_MAX_PLANES];
    const outcomes *rolled = &e->rolled[side];
    for (int k = 0; k < e->planes.n; k++)
        row[k] = 0;
    for (int i = 0; i < rolled->n; i++) {
        if (!rolled->ways[i])
            continue;
        int off = rolled->result[i].chances[0] >= 1;
        if (!off)
            row_of_side(e, !side, other, &rolled->result[i], deep, after);
        for (int k = 0; k < e->planes.n; k++) {
            const bgr_plane *plane = &e->planes.plane[k];
            int turned = plane->turned[!side];
            double value = off          ? plane->win[e->loses[!side]][side]
                           : turned < 0 ? -after[k]
                                        : -bgr_plane_double(plane, !side, after[k], after[turned]);
            row[k] += rolled->ways[i] * value;
        }
    }
    for (int k = 0; k < e->planes.n; k++)
        row[k] /= 36;
}

static void row_of_side(const bgr_estimated *e, int side, const prospect *mine, const prospect *other, int deep,
                        double *row)
{
    if (deep && mine == &e->sides[side] && e->rolled[side].n) {
        row_of_roll(e, side, other, deep - 1, row);
        return;
    }
    double win = chance_first(mine, other), mean_rolls = (mine->mean + other->mean) / 2;
    for (int k = 0; k < e->planes.n; k++)
        row[k] = bgr_market_value(&e->planes, e->markets, e->solver->chart, k, side, win, mean_rolls);
}

/* ------------------------------------------------------------------ the answer */

static bgr_status values_after_estimate(const bgr_answer *answer, const int8_t *counts, double *values)
{
    prospect after;
    lone known = {.nearest = {0, 0}};
    const bgr_estimated *e = answer->estimated;
    prospect_of(e->solver->home, bgr_packed_of(counts), &known, &after);
    row_of_side(e, 1, &e->sides[1], &after, 0, values);
    return BGR_OK;
}

static bgr_status chances_after_estimate(const bgr_answer *answer, const int8_t *counts, bgr_chances *chances)
{
    prospect after;
    lone known = {.nearest = {0, 0}};
    bgr_chances of_other;
    const bgr_estimated *e = answer->estimated;
    prospect_of(e->solver->home, bgr_packed_of(counts), &known, &after);
    const prospect *const sides[2] = {&e->sides[1], &after};
    double win = chance_first(sides[0], sides[1]);
    BGR_TRY(chances_estimated(e->solver->home, answer->counts[1], counts, sides, win, &of_other));
    *chances = bgr_chances_of_other(&of_other);
    return BGR_OK;
}

static void hold_estimate(const bgr_answer *answer) { bgr_hold(&answer->estimated->holders); }

static void release_estimate(const bgr_answer *answer)
{
    if (!bgr_let_go(&answer->estimated->holders))
        return;
    bgr_solver_free(answer->estimated->solver);
    free(answer->estimated);
}

static const bgr_answer_ops estimate_ops = {values_after_estimate, chances_after_estimate, hold_estimate,
                                            release_estimate};

/* Leave games that the first roll ends out of the chances of gammons. */
static void leave_out_ended(const bgr_estimated *e, bgr_chances *chances)
{
    const outcomes *rolled = &e->rolled[0];
    double off = 0;
    for (int k = 0; k < rolled->n; k++)
        off += rolled->result[k].chances[0] >= 1 ? rolled->ways[k] / 36.0 : 0;
    chances->win = fmax(chances->win - off, 0) / fmax(1 - off, 1e-9);
    double *const gained[2] = {&chances->win_gammon, &chances->win_backgammon};
    for (int loss = BGR_LOST_GAMMON; loss <= BGR_LOST_BACKGAMMON; loss++) {
        double *chance = gained[loss - BGR_LOST_GAMMON];
        *chance = fmin(fmax(*chance - (e->loses[1] >= loss ? off : 0), 0) / fmax(1 - off, 1e-9), chances->win);
    }
    chances->lose_gammon = fmin(chances->lose_gammon / fmax(1 - off, 1e-9), 1 - chances->win);
    chances->lose_backgammon = fmin(chances->lose_backgammon / fmax(1 - off, 1e-9), chances->lose_gammon);
}

static bgr_status keep_off_of_side(const prospect *p, double **off)
{
    double within[BGR_OFF_WIDTH];
    for (int k = 0; k < BGR_OFF_WIDTH; k++)
        within[k] = (double)p->chances[k];
    return bgr_keep_off(within, BGR_OFF_WIDTH, p->mean, off);
}

static bgr_status estimate_race(const bgr_asked *asked, bgr_estimated *e, bgr_answer *answer)
{
    lone known = {.nearest = {0, 0}};
    bgr_packed positions[2] = {bgr_packed_of(asked->counts[0]), bgr_packed_of(asked->counts[1])};
    int all_home = bgr_packed_home(positions[0]) && bgr_packed_home(positions[1]);
    for (int side = 0; side < 2; side++) {
        int n_outside = bgr_packed_n_outside(positions[side]), few = n_outside <= TUNED_FEW_OUTSIDE;
        e->loses[side] = asked->loses[side];
        e->rolled[side].n = 0;
        prospect_of(e->solver->home, positions[side], &known, &e->sides[side]);
        if (!few && bgr_position_variance(e->solver->home, positions[side]) > tuned_normal_variance)
            continue;
        BGR_TRY(
            play_out(e->solver->home, positions[side], all_home ? tuned_to_win_margin : 0, &known, &e->rolled[side]));
        if (n_outside)
            look_back(&e->rolled[side], &e->sides[side]);
    }
    const prospect *const sides[2] = {&e->sides[0], &e->sides[1]};
    bgr_chances *chances = &answer->chances;
    double win = all_home ? play_to_win(&e->rolled[0], &e->rolled[1]) : chance_first(sides[0], sides[1]);
    BGR_TRY(chances_estimated(e->solver->home, asked->counts[0], asked->counts[1], sides, win, chances));
    bgr_chances later = *chances;
    leave_out_ended(e, &later);
    bgr_markets_settle(&e->planes, &later, e->markets);
    int soon = all_home && e->sides[0].mean + e->sides[1].mean < 2 * tuned_soon;
    row_of_side(e, 0, &e->sides[0], &e->sides[1], soon ? 2 : 1, answer->now);
    for (int k = 0; all_home && k < e->planes.n; k++)
        if (e->planes.plane[k].turned[0] < 0 && e->planes.plane[k].turned[1] < 0)
            answer->now[k] = bgr_value_of_chances(&e->planes.plane[k], chances);
    for (int side = 0; side < 2; side++)
        BGR_TRY(keep_off_of_side(&e->sides[side], &answer->off[side]));
    answer->planes = e->planes;
    bgr_answer_begin(asked, answer);
    answer->info.way = BGR_ESTIMATE;
    answer->info.least_gain = INFINITY;
    answer->info.error = bgr_error_of_estimate(asked, &e->planes, chances);
    return BGR_OK;
}

bgr_status bgr_answer_by_estimate(bgr_question *q, bgr_answer **answer)
{
    BGR_TRY(bgr_solver_ready(q->solver));
    bgr_answer *fresh = calloc(1, sizeof *fresh);
    bgr_estimated *e = fresh ? malloc(sizeof *e) : NULL;
    bgr_status status = e ? BGR_OK : BGR_ERR_MEMORY;
    if (status == BGR_OK) {
        fresh->estimated = e;
        fresh->ops = &estimate_ops;
        fresh->worst_loss = bgr_worst_loss(&q->asked);
        e->holders.n = 1;
        e->solver = bgr_solver_hold(q->solver);
        status = bgr_planes_of_stakes(&q->asked.stakes, bgr_worst_loss(&q->asked), &e->planes);
    }
    if (status == BGR_OK)
        status = estimate_race(&q->asked, e, fresh);
    BGR_HAND_OVER(status, fresh, answer, bgr_answer_free);
}
