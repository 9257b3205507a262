/* Why a cube decision is right, as a sum of terms, each the difference of two models that differ in one thing.
 *
 * The models of the deciding player's chance: one half; an ordinary race (reference.h) with the pips of both sides and
 * their usual wastage, on roll half of the time; the same on roll, or not; with the true mean numbers of rolls of both
 * sides (each side's term is averaged over the two orders of replacing them); with the true distributions of both; and
 * the true chance, both sides playing to win.
 *
 * Then the models of the value at that chance: with a dead cube and no gammons for money; at the score; with gammons;
 * with the true, live cube; and, for a double, with the right of the opponent to pass.
 *
 * The chance that a decision needs is that of the model of markets.h for a race of this length, shifted to agree with
 * the true margin: so the chance is above it if and only if yes is right. */

#include "answer/reasons.h"

#include "answer/answer.h"
#include "answer/markets.h"
#include "answer/reference.h"
#include "answer/state.h"
#include "answer/verdict.h"
#include "base/plays.h"
#include "base/sized.h"
#include "base/try.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double dead_cube = 1e-9; /* greatest value of later doubles, in points, that counts as none */
enum { HALVINGS = 40 };

/* Intermediate values. */
typedef struct {
    const bgr_reasons_question *q;
    bgr_off_within usual[2], smooth[2], within[2]; /* with usual wastage, with the true mean, true */
    double mean[2];
    double unit;
    double won, lost, taken_won, taken_lost; /* payoffs of a single game at the present and at the doubled cube, in
                                              * points */
    int free_double;                         /* 1: a lost game costs no more when doubled */
    bgr_chances chances;                     /* 0 where not known */
    bgr_market markets[BGR_MAX_PLANES];
    bgr_cube_values cube;
    double taken; /* value of double/take without a beaver, in the unit of the cube values */
} reasons_work;

/* ------------------------------------------------------------------ chances */

static void sum_up(const bgr_side *side, bgr_off_within within)
{
    double sum = 0;
    for (int t = 0; t < BGR_MAX_WIDTH; t++)
        within[t] = sum += side->distribution[t];
}

/* Split the chance of the player on roll into the terms BGR_TERM_EVEN to BGR_TERM_PLAY. */
static void split_chance(const reasons_work *w, double *term)
{
    const bgr_off_within *u = w->usual, *s = w->smooth;
    double both = bgr_first_off(u[0], u[1]), turned = 1 - bgr_first_off(u[1], u[0]);
    double mine = bgr_first_off(s[0], u[1]), theirs = bgr_first_off(u[0], s[1]), smooth = bgr_first_off(s[0], s[1]);
    double spread = bgr_first_off(w->within[0], w->within[1]);
    term[BGR_TERM_EVEN] = 0.5;
    term[BGR_TERM_PIPS] = (both + turned) / 2 - 0.5;
    term[BGR_TERM_ROLL] = (both - turned) / 2;
    term[BGR_TERM_WASTE] = ((mine - both) + (smooth - theirs)) / 2;
    term[BGR_TERM_OTHER_WASTE] = ((theirs - both) + (smooth - mine)) / 2;
    term[BGR_TERM_SPREAD] = spread - smooth;
    term[BGR_TERM_PLAY] = w->chances.win - spread;
}

/* ------------------------------------------------------------------ value */

/* The points that gammons add on a scaled plane. */
static double gammons_of_scaled(const reasons_work *w, const bgr_scaled_plane *scaled)
{
    const bgr_plane *plane = &w->q->planes->plane[scaled->plane];
    const bgr_chances *c = &w->chances;
    double value = (c->cubeless_win - c->win) * (plane->win[BGR_LOST_SINGLE][0] + plane->win[BGR_LOST_SINGLE][1]);
    value += bgr_gammon_points(plane, 0, c->win_gammon, c->win_backgammon);
    value -= bgr_gammon_points(plane, 1, c->lose_gammon, c->lose_backgammon);
    return scaled->scale * value / w->unit;
}

/* The model's value of rolling on a scaled plane, at a chance of the player on roll. */
static double modelled(const reasons_work *w, const bgr_scaled_plane *scaled, double win)
{
    double rolls = (w->mean[0] + w->mean[1]) / 2;
    return scaled->middle +
           scaled->scale * bgr_market_value(w->q->planes, w->markets, w->q->chart, scaled->plane, 0, win, rolls);
}

static double answered(double taken, double passed) { return taken < passed ? taken : passed; }

/* The model's margin of a decision, in points. */
static double modelled_margin(const reasons_work *w, int take, double win)
{
    const bgr_place *place = w->q->place;
    double taken = modelled(w, &place->turned[0], win), passed = w->q->planes->won;
    return (take ? passed - taken : answered(taken, passed) - modelled(w, &place->now, win)) / w->unit;
}

/* The chance of the player on roll, from 0 to `high`, at which the model's margin of a decision is `margin`; an end of
 * the interval if there is none. */
static double chance_of_margin(const reasons_work *w, int take, double margin, double high)
{
    double low = 0, sign = take ? -1 : 1;
    for (int k = 0; k < HALVINGS; k++) {
        double middle = (low + high) / 2;
        if (sign * (modelled_margin(w, take, middle) - margin) > 0)
            high = middle;
        else
            low = middle;
    }
    return (low + high) / 2;
}

/* The doubler's chance at which a take is a tie, on the line from the value of a lost game to the true value now: the
 * value of owning the cube is nearly linear at any score. */
static double tie_of_line(const reasons_work *w, const bgr_reason *reason)
{
    double lost = w->q->planes->won / w->unit - w->taken_won;
    double rises = reason->margin - lost;
    return lost < 0 && rises > 0 && reason->chance > tuned_least_from && reason->chance < tuned_most_from
               ? 1 + reason->chance * lost / rises
               : NAN;
}

/* The chance of the player on roll at which a decision is a tie; NaN: none.  It is the model's, shifted so that the
 * model's margin now is the true one.  If the shift is large, it is that of tie_of_line for a take, and for a double as
 * far below the cash point as in the model.  cash_needed: for a double, the chance that the taker needs. */
static double find_tie(const reasons_work *w, int take, const bgr_reason *reason, double cash_needed)
{
    double now = w->chances.win, cash = take ? 1 : chance_of_margin(w, 1, 0, 1), sign = take ? -1 : 1;
    if (sign * modelled_margin(w, take, 0) > 0 || sign * modelled_margin(w, take, cash) < 0)
        return NAN;
    int passed = reason->term[BGR_TERM_PASS] < 0; /* then the margin of the double is no measure */
    double margin = passed ? (w->q->planes->won - w->taken) / w->unit : reason->margin;
    double moved = now - chance_of_margin(w, take || passed, margin, passed ? 1 : cash);
    double tie = chance_of_margin(w, take, 0, cash);
    if (fabs(moved) > tuned_far_moved) {
        double line = take ? tie_of_line(w, reason) : tie + (1 - cash_needed) - cash, far = isnan(line) ? tie : line;
        if ((now > far) == (sign * reason->margin > 0))
            return fmin(fmax(far, 0), 1);
    }
    return fmin(fmax(tie + moved, 0), 1);
}

/* How many more pips of a side of the smooth race give the player on roll the chance `win`. */
static double pips_to(const reasons_work *w, int side, double win)
{
    bgr_off_within moved;
    double low = -tuned_max_moved, high = tuned_max_moved,
           wrong_by = w->chances.win - bgr_first_off(w->smooth[0], w->smooth[1]);
    for (int k = 0; k < HALVINGS; k++) {
        double middle = (low + high) / 2;
        bgr_reference_side(w->mean[side] + middle / BGR_MEAN_PIPS, moved);
        double chance = wrong_by + (side ? bgr_first_off(w->smooth[0], moved) : bgr_first_off(moved, w->smooth[1]));
        if (side ? win > chance : chance > win) /* this side's chance falls as its pips rise */
            low = middle;
        else
            high = middle;
    }
    return low > -tuned_max_moved && high < tuned_max_moved ? (low + high) / 2 : NAN;
}

/* The greatest term with the sign of the margin without which the margin would change its sign; both wastes count as
 * one. */
static int deciding_term(const bgr_reason *reason)
{
    double most = 0, sign = reason->margin < 0 ? -1 : 1;
    int decides = -1;
    for (int k = BGR_TERM_PIPS; k < BGR_N_TERMS; k++) {
        double of = reason->term[k];
        if (k == BGR_TERM_PRICE || k == BGR_TERM_OTHER_WASTE)
            continue;
        if (k == BGR_TERM_WASTE)
            of += reason->term[BGR_TERM_OTHER_WASTE];
        if (sign * of > fabs(reason->margin) && sign * of > most) {
            most = sign * of;
            decides = k;
        }
    }
    return decides;
}

/* Find the margin of a decision and its terms. */
static void find_terms(const reasons_work *w, int take, const double *chance, bgr_reason *reason)
{
    const bgr_place *place = w->q->place;
    double *term = reason->term, passed = w->q->planes->won / w->unit, taken = w->cube.double_take / w->unit;
    double no_double = w->cube.no_double / w->unit;
    /* For the player on roll, values with a dead cube at chance p are a + b p; the taker has chance 1 - p and the
     * negative values. */
    double slope = w->taken_won - w->taken_lost - (take ? 0 : w->won - w->lost);
    double base = take ? w->won - w->taken_lost : w->lost - w->taken_lost; /* slope x the doubler's chance at a tie */
    double price = take ? 0.25 : 0.5, sign = take ? -1 : 1;
    reason->margin = take ? passed - w->taken / w->unit : answered(taken, passed) - no_double;
    reason->chance = take ? 1 - w->chances.win : w->chances.win;
    reason->of_chance = slope > bgr_least_unit ? slope : 0;
    for (int k = BGR_TERM_EVEN; k <= BGR_TERM_PLAY; k++) {
        int swapped = take && (k == BGR_TERM_WASTE || k == BGR_TERM_OTHER_WASTE);
        int from = swapped ? BGR_TERM_WASTE + BGR_TERM_OTHER_WASTE - k : k;
        term[k] = reason->of_chance * (k == BGR_TERM_EVEN ? chance[from] : sign * chance[from]);
    }
    term[BGR_TERM_PRICE] = -reason->of_chance * price;
    /* The margin so far, at this score. */
    double dead = take ? base - slope * w->chances.win : slope * w->chances.win - base;
    term[BGR_TERM_SCORE] = dead - reason->of_chance * (reason->chance - price);
    if (!w->q->planes->match) { /* only rounding is left */
        term[BGR_TERM_PRICE] += term[BGR_TERM_SCORE];
        term[BGR_TERM_SCORE] = 0;
    }
    double gammons = gammons_of_scaled(w, &place->turned[0]);
    term[BGR_TERM_GAMMONS] = take ? -gammons : gammons - gammons_of_scaled(w, &place->now);
    term[BGR_TERM_PASS] = take ? 0 : answered(taken, passed) - taken;
    term[BGR_TERM_CUBE] = reason->margin - term[BGR_TERM_PASS] - term[BGR_TERM_GAMMONS] - dead;
    reason->decides = deciding_term(reason);
}

/* Find the chance that a decision needs, and the pips to it. */
static void find_needed(const reasons_work *w, int take, double cash_needed, bgr_reason *reason)
{
    double sign = take ? -1 : 1;
    int is_free = !take && w->free_double, too_good = !take && w->cube.verdict == BGR_VERDICT_TOO_GOOD;
    double tie = is_free ? 0 : find_tie(w, take, reason, cash_needed);
    if (!is_free && reason->of_chance > 0) {
        /* On a straight line. */
        double away = sign * (reason->margin - reason->term[BGR_TERM_PASS]) / reason->of_chance;
        int too_near = fabs(w->chances.win - tie) < tuned_plain_share * fabs(away);
        if ((too_near && fabs(reason->margin) > tuned_plain_points) || fabs(reason->term[BGR_TERM_CUBE]) < dead_cube)
            tie = fmin(fmax(w->chances.win - away, 0), 1);
    }
    reason->needed = take ? 1 - tie : tie;
    reason->pips = isnan(tie) || is_free || too_good ? NAN : pips_to(w, take, tie);
}

/* ------------------------------------------------------------------ all terms */

static void read_payoffs(reasons_work *w)
{
    const bgr_planes *planes = w->q->planes;
    const bgr_scaled_plane *now = &w->q->place->now, *turned = &w->q->place->turned[0];
    const double (*pays)[2] = planes->plane[now->plane].win;
    w->won = (now->middle + now->scale * pays[BGR_LOST_SINGLE][0]) / w->unit;
    w->lost = (now->middle - now->scale * pays[BGR_LOST_SINGLE][1]) / w->unit;
    pays = planes->plane[turned->plane].win;
    w->taken_won = (turned->middle + turned->scale * pays[BGR_LOST_SINGLE][0]) / w->unit;
    w->taken_lost = (turned->middle - turned->scale * pays[BGR_LOST_SINGLE][1]) / w->unit;
    w->free_double = planes->match && fabs(w->lost - w->taken_lost) < bgr_least_unit;
    w->taken = turned->middle + turned->scale * w->q->row[turned->plane];
}

static void find_reasons(reasons_work *w, bgr_reasons *reasons)
{
    const bgr_reasons_question *q = w->q;
    double chance[BGR_N_TERMS];
    for (int side = 0; side < 2; side++) {
        int pips = bgr_pips(BGR_MAX_POINTS, q->counts[side]);
        w->mean[side] = q->side[side]->mean_rolls;
        reasons->pips[side] = pips;
        reasons->epc[side] = w->mean[side] * BGR_MEAN_PIPS;
        reasons->waste[side] = reasons->epc[side] - pips;
        reasons->usual_waste[side] = bgr_usual_waste(pips);
    }
    for (int side = 0; side < 2; side++) {
        bgr_reference_side((reasons->pips[side] + reasons->usual_waste[side]) / BGR_MEAN_PIPS, w->usual[side]);
        bgr_reference_side(w->mean[side], w->smooth[side]);
        sum_up(q->side[side], w->within[side]);
    }
    split_chance(w, chance);
    bgr_markets_settle(q->planes, &w->chances, w->markets);
    read_payoffs(w);
    find_terms(w, 1, chance, &reasons->take);
    find_needed(w, 1, 0, &reasons->take);
    find_terms(w, 0, chance, &reasons->twice);
    find_needed(w, 0, reasons->take.needed, &reasons->twice);
    bgr_find_phrases(q, &w->cube, w->free_double, reasons);
}

bgr_status bgr_reasons_of(const bgr_reasons_question *q, bgr_reasons *reasons)
{
    memset(reasons, 0, sizeof *reasons);
    reasons->market_losers = q->market_losers;
    reasons->unit = q->planes->match ? fmax((q->planes->won - q->planes->lost) / 2, bgr_least_unit) : 1;
    if (q->place->turned[0].plane < 0)
        return BGR_OK;
    reasons_work *w = calloc(1, sizeof *w);
    if (!w)
        return BGR_ERR_MEMORY;
    w->q = q;
    w->unit = reasons->unit;
    w->chances = *q->chances;
    double *const chances[] = {&w->chances.win_gammon, &w->chances.lose_gammon, &w->chances.win_backgammon,
                               &w->chances.lose_backgammon};
    for (int k = 0; k < 4; k++)
        *chances[k] = isnan(*chances[k]) ? 0 : *chances[k];
    w->chances.cubeless_win = isnan(q->chances->cubeless_win) ? q->chances->win : q->chances->cubeless_win;
    bgr_cube_of_row(q->planes, q->beavers, q->place, q->row, &w->cube);
    reasons->may_double = 1;
    find_reasons(w, reasons);
    free(w);
    return BGR_OK;
}

int bgr_market_is_lost(const bgr_planes *planes, const bgr_place *place, const double *after)
{
    const bgr_scaled_plane *scaled = &place->turned[0];
    if (scaled->plane < 0) /* no double, so no pass */
        return 0;
    const bgr_plane *plane = &planes->plane[scaled->plane];
    int turned = plane->turned[1];
    double now = after[scaled->plane], opponent = turned < 0 ? now : bgr_plane_double(plane, 1, now, after[turned]);
    return scaled->middle - scaled->scale * opponent > planes->won + 1e-9;
}

/* ------------------------------------------------------------------ reasons of an answer */

/* Whether a roll loses the market when it is played best; 1 or 0, -1 if none of its results was compared. */
static int roll_loses_market(const bgr_answer *answer, const bgr_planes *planes, const bgr_place *place, int n,
                             int8_t (*results)[BGR_MAX_POINTS])
{
    int lost = -1;
    double row[BGR_PLAN_PLANES];
    for (int k = 0; k < n && lost < 1; k++) {
        if (!bgr_question_highest(results[k]))
            return 1;
        if (bgr_answer_after(answer, results[k], 1, row) == BGR_OK)
            lost = bgr_market_is_lost(planes, place, row);
    }
    return lost;
}

static bgr_status count_market_losers(const bgr_answer *answer, const bgr_planes *planes, const bgr_place *place,
                                      int *losers)
{
    bgr_status status = BGR_OK;
    *losers = 0;
    for (int roll = 0; status == BGR_OK && roll < BGR_N_ROLLS && *losers >= 0; roll++) {
        int8_t (*results)[BGR_MAX_POINTS];
        int n, larger = bgr_rolls[roll].larger, smaller = bgr_rolls[roll].smaller;
        status = bgr_results_of_roll(answer->counts[0], larger, smaller, &results, &n);
        int lost = status == BGR_OK ? roll_loses_market(answer, planes, place, n, results) : -1;
        *losers = lost < 0 ? -1 : *losers + lost * bgr_rolls[roll].weight;
        free(results);
    }
    return status;
}

/* Get a side by itself, from the answer if it has it, else by solving it. */
static bgr_status find_side(const bgr_solver *solver, bgr_cache *cache, const bgr_answer *answer, int which,
                            bgr_side *side)
{
    side->size = sizeof *side;
    if (!answer->off[which])
        return bgr_ask_side(solver, cache, BGR_MAX_POINTS, answer->counts[which], side);
    memcpy(side->distribution, answer->off[which], sizeof side->distribution);
    side->mean_rolls = bgr_mean_of(side->distribution);
    return BGR_OK;
}

bgr_status bgr_answer_reasons(const bgr_solver *solver, bgr_cache *cache, const bgr_answer *answer, bgr_cube cube,
                              bgr_reasons *reasons)
{
    if (!bgr_place_of(&answer->planes, cube))
        return BGR_ERR_STAKES;
    bgr_reasons whole;
    bgr_side sides[2] = {{0}};
    bgr_planes planes = answer->planes;
    bgr_place place = answer->planes.place[cube];
    bgr_reasons_question q = {.chart = solver->chart,
                              .planes = &planes,
                              .place = &place,
                              .beavers = answer->rules.beavers,
                              .owned = cube == BGR_CUBE_MINE,
                              .row = answer->now,
                              .chances = &answer->chances,
                              .counts = {answer->counts[0], answer->counts[1]},
                              .side = {&sides[0], &sides[1]},
                              .market_losers = -1};
    for (int k = 0; answer->pairs.side && k < planes.n; k++) /* the answer's planes are as the other side sees them */
        for (int side = 0; side < 2; side++)
            bgr_plane_take_side(&planes.plane[k], side, &answer->planes.plane[k], !side);
    if (answer->over)
        place.turned[0].plane = -1;
    else if (place.turned[0].plane >= 0)
        BGR_TRY(count_market_losers(answer, &planes, &place, &q.market_losers));
    for (int side = 0; place.turned[0].plane >= 0 && side < 2; side++)
        BGR_TRY(find_side(solver, cache, answer, side, &sides[side]));
    BGR_TRY(bgr_reasons_of(&q, &whole));
    return bgr_give_sized(&whole, sizeof whole, reasons);
}

const char *bgr_term_name(int term)
{
    static const char *const names[BGR_N_TERMS] = {"even", "pips",  "roll",  "waste",   "other_waste", "spread",
                                                   "play", "price", "score", "gammons", "cube",        "pass"};
    return term >= 0 && term < BGR_N_TERMS ? names[term] : NULL;
}
