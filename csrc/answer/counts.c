/* Counts are computed in whole numbers, so that a count of 55 is never 55.000000000000007. */

#include "answer/counts.h"

#include "base/position.h"

#include <math.h>
#include <stdlib.h>

/* The numbers of a side that counts use. */
typedef struct one_side {
    const int8_t *counts;
    const bgr_count_options *options;
    int pips, checkers, covered, outside, crossovers;
    double epc;
} one_side;

static one_side side_of(const int8_t *counts, const bgr_count_options *options, double epc)
{
    one_side side = {.counts = counts,
                     .options = options,
                     .pips = bgr_pips(BGR_MAX_POINTS, counts),
                     .checkers = bgr_n_checkers(BGR_MAX_POINTS, counts),
                     .epc = epc};
    for (int k = 0; k < BGR_MAX_POINTS; k++) {
        side.covered += k < BGR_HOME_POINTS && counts[k];
        side.outside += k < BGR_HOME_POINTS ? 0 : counts[k];
        side.crossovers += k / BGR_HOME_POINTS * counts[k];
    }
    return side;
}

static int more(int a, int b) { return a > b ? a - b : 0; }

/* Checkers on a point above the first `free`. */
static int beyond(const one_side *side, int point, int free) { return more(side->counts[point - 1], free); }

/* Decide by the lead.  All numbers are in units of 1 / scale pips. */
static void by_lead(bgr_count *c, double scale, double own, double other, double from, double again, double to)
{
    double lead = other - own;
    c->on_roll = own / scale;
    c->opponent = other / scale;
    c->double_from = from / scale;
    c->redouble_from = again / scale;
    c->take_to = to / scale;
    c->doubles = lead >= from;
    c->redoubles = lead >= again;
    c->takes = lead <= to;
}

static double chance(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

/* Fill in the fields of a count other than the raw pips, and return the number that limits its range. */
typedef int counting(const one_side *own, const one_side *other, bgr_count *);

/* ------------------------------------------------------------------ by percentages, by chances */

static int eight_nine_twelve(const one_side *own, const one_side *other, bgr_count *c)
{
    int p = own->pips, q = other->pips;
    by_lead(c, 100, 100 * p, 100 * q, 8 * p, 9 * p, 12 * p);
    c->win = chance(0.54 + (double)(2 * (q - p)) / p);
    return 0;
}

static int ten_percent(const one_side *own, const one_side *other, bgr_count *c)
{
    int p = own->pips;
    by_lead(c, 10, 10 * p, 10 * other->pips, p - 20, p - 10, p + 20);
    return 0;
}

static int kleinman(const one_side *own, const one_side *other, bgr_count *c)
{
    int rest = own->pips + other->pips - 4, ahead = other->pips - own->pips + 4;
    int square = ahead * abs(ahead); /* of K, with the sign of the lead, in whole numbers */
    c->double_from = sqrt(0.5 * rest) - 4;
    c->redouble_from = sqrt(0.7 * rest) - 4;
    c->take_to = sqrt(1.2 * rest) - 4;
    c->doubles = 10 * square >= 5 * rest;
    c->redoubles = 10 * square >= 7 * rest;
    c->takes = 10 * square <= 12 * rest;
    c->win = 0.5 * erfc(-(ahead / sqrt(2.0 * rest)) / sqrt(2));
    c->ratio = (double)square / rest;
    return rest + 4;
}

static int lamford(const one_side *own, const one_side *other, bgr_count *c)
{
    double p = own->pips, lead = other->pips - p;
    c->win = chance(0.5 + (9 + p / 100 + 4 * lead) / (p + 7 * lead + 25));
    return (int)lead;
}

/* ------------------------------------------------------------------ adjusted */

static int thorp_count(const one_side *side)
{
    return side->pips + 2 * side->checkers + side->counts[0] - side->covered;
}

static int thorp(const one_side *own, const one_side *other, bgr_count *c)
{
    int s = thorp_count(own), t = thorp_count(other), tenth = own->options->round_down ? 10 * (s / 10) : s;
    int left = 10 * s + (s > 30 || (s == 30 && own->options->from_30) ? tenth : 0);
    c->counted = s;
    by_lead(c, 10, left, 10 * t, -20, -10, 20);
    if (own->options->strict_take && 10 * t - left == 20)
        c->takes = 0;
    c->win = chance(0.74 + (10 * t - left) / 500.0);
    return 0;
}

/* In halves of a pip. */
static int ward_count(const one_side *side, const one_side *opposite)
{
    int penalties = 2 * beyond(side, 1, 2) + beyond(side, 2, side->options->deuces) +
                    2 * more(side->checkers, opposite->checkers) - more(side->covered, opposite->covered);
    return 2 * (side->pips + penalties) + more(side->outside, opposite->outside);
}

static int ward(const one_side *own, const one_side *other, bgr_count *c)
{
    int s = ward_count(own, other), t = ward_count(other, own);
    /* In hundredths of a pip: a half is 50, with the tenth 55; 2 + (average - 50) / 25 is twice the sum of both raw
     * counts. */
    int to = 2 * (own->pips + other->pips);
    c->counted = s / 2.0;
    by_lead(c, 100, 55 * s, 50 * t, -200, -100, to < 200 ? 200 : to > 400 ? 400 : to);
    return 0;
}

static int keith_count(const one_side *side)
{
    const int8_t *counts = side->counts;
    return side->pips + 2 * beyond(side, 1, 1) + beyond(side, 2, 1) + beyond(side, 3, 3) + !counts[3] + !counts[4] +
           !counts[5];
}

static int keith(const one_side *own, const one_side *other, bgr_count *c)
{
    int s = keith_count(own);
    c->counted = s;
    by_lead(c, 1, s + s / 7, keith_count(other), -4, -3, -2);
    return 0;
}

static int isight_count(const one_side *side, const one_side *opposite)
{
    int count = side->pips + more(side->checkers, opposite->checkers) + 2 * beyond(side, 1, 2) + beyond(side, 2, 2) +
                beyond(side, 3, 3) + more(side->crossovers, opposite->crossovers);
    for (int k = 3; k < BGR_HOME_POINTS; k++)
        count += !side->counts[k] && opposite->counts[k];
    return count;
}

static int isight(const one_side *own, const one_side *other, bgr_count *c)
{
    int s = isight_count(own, other), t = isight_count(other, own);
    c->counted = s;
    by_lead(c, 6, 7 * s, 6 * t, -36, -30, -12);
    c->win = chance((240 - s + 6 * (t - s)) / 300.0);
    return 0;
}

static int grace_count(const one_side *side)
{
    const int8_t *counts = side->counts;
    int few = side->checkers < 12 ? side->checkers : 12, least = 7 * ((side->checkers + 1) / 2) + 1;
    int count = side->pips + few + 2 * beyond(side, 1, 1) + beyond(side, 2, 1) + !counts[3] + !counts[4];
    return count > least ? count : least;
}

static int grace(const one_side *own, const one_side *other, bgr_count *c)
{
    int s = grace_count(own), t = grace_count(other), p = own->pips;
    int left = 10 * s + (p < 40 ? 2 * p : p + 40);
    c->counted = s;
    by_lead(c, 10, left, 10 * t, -60, -50, -20);
    c->win = chance((410 + 10 * t - left) / 500.0);
    return 0;
}

/* ------------------------------------------------------------------ by points of last take */

int64_t bgr_trice62_take_point(int64_t pips) { return pips > 62 ? (pips + 9) / 10 + 1 : (pips + 2) / 7 - 1; }

/* The integer nearest to sqrt(2 m) is half of sqrt(8 m) + 1, rounded down; ties are impossible. */
int64_t bgr_nack57_take_point(int64_t pips) { return ((int64_t)sqrt(8.0 * (double)(pips - 33)) + 1) / 2; }

static int trice62(const one_side *own, const one_side *other, bgr_count *c)
{
    double to = (double)bgr_trice62_take_point(own->pips);
    by_lead(c, 1, own->pips, other->pips, to - 3, to - 2, to);
    return 0;
}

static int nack57(const one_side *own, const one_side *other, bgr_count *c)
{
    if (own->pips >= 55) {
        c->take_to = (double)bgr_nack57_take_point(own->pips);
        c->takes = other->pips - own->pips <= c->take_to;
    }
    return own->pips;
}

/* ------------------------------------------------------------------ by expected pips */

static void by_epc(double left, double right, double allowance, bgr_count *c)
{
    double to = left / 7 - 3 + allowance;
    c->counted = left;
    by_lead(c, 1, left, right, to - 2, to - 1, to);
}

static int effective_pips(const one_side *own, const one_side *other, bgr_count *c)
{
    by_epc(own->epc, other->epc, own->options->allowance, c);
    return own->epc > 0 && other->epc > 0;
}

static int effective_by_hand(const one_side *own, const one_side *other, bgr_count *c)
{
    bgr_shape shape;
    by_epc(bgr_epc_by_hand(own->counts, &shape), bgr_epc_by_hand(other->counts, &shape), 0, c);
    return 0;
}

/* ------------------------------------------------------------------ all of them */

enum {
    RAW = 0x007, /* the first three fields */
    LIMITS = 0x038,
    ADVICE = 0x1C0,
    TAKE = 0x120, /* its limit, and its advice */
    WIN = 0x200,
    RATIO = 0x400,
    DECIDES = RAW | LIMITS | ADVICE
};

static const struct {
    const char *name;
    counting *count;
    unsigned has, whole; /* fields */
    int least;           /* least number in its range */
    const char *problem;
} COUNTS[] = {
    {"eight_nine_twelve", eight_nine_twelve, DECIDES | WIN, 1, 0, ""},
    {"ten_percent", ten_percent, DECIDES, 1, 0, ""},
    {"kleinman", kleinman, DECIDES | WIN | RATIO, RAW, 5,
     "{} pips of both sides together: Kleinman's count is for more than 4"},
    {"lamford", lamford, RAW | WIN, RAW, 0, "a lead of {} pips: Lamford's formula is for a leader on roll"},
    {"thorp", thorp, DECIDES | WIN, 1, 0, ""},
    {"ward", ward, DECIDES, 0, 0, ""},
    {"keith", keith, DECIDES, RAW | LIMITS, 0, ""},
    {"isight", isight, DECIDES | WIN, 1, 0, ""},
    {"grace", grace, DECIDES | WIN, 1, 0, ""},
    {"trice62", trice62, DECIDES, RAW | LIMITS, 0, ""},
    {"nack57", nack57, RAW | TAKE, RAW | LIMITS, 55, "{} pips of the player on roll: Nack 57 is for 55 or more"},
    {"effective_pips", effective_pips, DECIDES, 0, 1, "the expected pip counts of both sides are not known"},
    {"effective_by_hand", effective_by_hand, DECIDES, 0, 0, ""},
};

_Static_assert(sizeof COUNTS / sizeof *COUNTS == BGR_N_COUNTS, "counts.h says how many there are");

static const bgr_count_options usual_counts = {.deuces = 2};

const char *bgr_count_name(int count) { return COUNTS[count].name; }
unsigned bgr_count_fields(int count) { return COUNTS[count].has; }
unsigned bgr_count_whole(int count) { return COUNTS[count].whole; }
const char *bgr_count_problem(int count) { return COUNTS[count].problem; }

static bgr_status count_sides(int count, const one_side *own, const one_side *other, bgr_count *out, int *number)
{
    *out = (bgr_count){own->pips, own->pips, other->pips, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    *number = COUNTS[count].count(own, other, out);
    return *number < COUNTS[count].least ? BGR_ERR_COVERAGE : BGR_OK;
}

bgr_status bgr_count_pair(int count, const bgr_count_options *options, const int8_t *on_roll, const int8_t *opponent,
                          const double *epc, bgr_count *out, int *number)
{
    one_side own = side_of(on_roll, options, epc[0]), other = side_of(opponent, options, epc[1]);
    return count_sides(count, &own, &other, out, number);
}

/* ------------------------------------------------------------------ expected pips by hand */

/* Pips per checker, and the addend to 7 n + 1.  The first entry is the n-roll position itself. */
enum { N_STEPS = 6 };
static const double ALMOST[2][N_STEPS][2] = {
    {{1, 0}, {2, 1}, {2.3, 2}, {2.6, 3}, {2.8, 4}, {3, 5}},
    {{1, 0}, {2.6, 1}, {2.9, 2}, {3.2, 3}, {3.4, 4}, {3.6, 5}},
};

double bgr_almost_rolls_limit(int checkers) { return ALMOST[checkers % 2][N_STEPS - 1][0]; }

static double almost_rolls(double rolls, double pips, int checkers)
{
    const double (*steps)[2] = ALMOST[checkers % 2];
    double each = pips / checkers;
    for (int k = 1; each >= 1 && k < N_STEPS; k++)
        if (each <= steps[k][0])
            return rolls + (steps[k - 1][1] + (steps[k][1] - steps[k - 1][1]) * (each - steps[k - 1][0]) /
                                                  (steps[k][0] - steps[k - 1][0]));
    return NAN;
}

const char *bgr_shape_name(int shape)
{
    static const char *const NAMES[] = {"rolls", "almost rolls", "stack", "low wastage", "flat"};
    return NAMES[shape];
}

double bgr_shape_epc(bgr_shape shape, double pips, int checkers, int stragglers)
{
    int n = checkers;
    double rolls = 7.0 * ((n + 1) / 2) + 1;
    switch (shape) {
    case BGR_SHAPE_ROLLS:
        return rolls;
    case BGR_SHAPE_ALMOST_ROLLS:
        return almost_rolls(rolls, pips, n);
    case BGR_SHAPE_STACK:
        return 3.5 * n + pips - 4.0 * (stragglers - 1);
    case BGR_SHAPE_LOW_WASTAGE:
        return pips + (n >= 9 ? 7 : n >= 7 ? 6.5 : n >= 5 ? 6 : n >= 4 ? 5.5 : 5);
    default:
        return pips + 10;
    }
}

int bgr_is_pippish(const int8_t *counts)
{
    return counts[0] <= 1 && counts[0] + counts[1] <= 2 && counts[0] + counts[1] + counts[2] <= 3;
}

double bgr_epc_by_hand(const int8_t *counts, bgr_shape *shape)
{
    one_side side = side_of(counts, &usual_counts, 0);
    int n = side.checkers, stragglers = n - counts[0], pips = side.pips;
    if (stragglers == 0)
        *shape = BGR_SHAPE_ROLLS;
    else if (counts[0] >= 5 && stragglers <= 3 && !counts[1] && !counts[2]) {
        *shape = BGR_SHAPE_STACK;
        pips -= counts[0];
    } else if (bgr_is_pippish(counts) || side.outside)
        *shape = BGR_SHAPE_LOW_WASTAGE;
    else
        *shape = pips <= bgr_almost_rolls_limit(n) * n ? BGR_SHAPE_ALMOST_ROLLS : BGR_SHAPE_FLAT;
    return bgr_shape_epc(*shape, pips, n, stragglers);
}

/* ------------------------------------------------------------------ judged */

double bgr_closeness(double error) { return error < 0.00005 ? 0.00005 : error > 0.002 ? 0.002 : error; }

const char *bgr_culprit_name(int term)
{
    static const char *const NAMES[] = {"", "wastage", "on_roll", "opponent", "limit", "both", "gammons", "chance"};
    return NAMES[term];
}

/* Find the part that makes a count's advice wrong: replace its wastage, its limit, or the wastage of one side by the
 * true one, one at a time, and see which one corrects it.  sign: -1 for a take, which is right below its limit. */
static void find_culprit(const bgr_count_truth *truth, int decision, const one_side *own, const one_side *other,
                         double limit, bgr_judged_count *judged)
{
    const bgr_decision_truth *d = &truth->decision[decision];
    const bgr_count *c = &judged->count;
    bgr_culprit *culprit = &judged->culprit[decision];
    double sign = decision == BGR_N_DECISIONS - 1 ? -1 : 1;
    double lead = other->pips - own->pips, true_lead = lead + truth->waste[1] - truth->waste[0];
    culprit->on_roll = (bgr_against_truth){c->counted - own->pips, truth->waste[0]};
    culprit->opponent = (bgr_against_truth){c->opponent - other->pips, truth->waste[1]};
    culprit->limit = (bgr_against_truth){limit + (c->on_roll - c->counted), true_lead - sign * d->pips};
    culprit->term = d->too_good ? BGR_CULPRIT_GAMMONS : BGR_CULPRIT_LIMIT;
    if (d->too_good || isnan(d->pips)) /* no lead is a tie: the limit is wrong for any wastage */
        return;
    double counted_lead = c->opponent - c->counted, counted_limit = culprit->limit.counted;
    double more = culprit->opponent.right - culprit->opponent.counted; /* wastage of the opponent that the count
                                                                        * misses */
    double change = culprit->limit.right - counted_limit;
    int right = d->margin > 0;
    int wastage = (sign * (true_lead - counted_limit) > 0) == right;
    int bound = (sign * (counted_lead - culprit->limit.right) > 0) == right;
    if (bound && (!wastage || fabs(change) > fabs(true_lead - counted_lead)))
        return;
    culprit->term = wastage                                                       ? BGR_CULPRIT_WASTAGE
                    : (sign * (counted_lead + more - counted_limit) > 0) == right ? BGR_CULPRIT_OPPONENT
                    : (sign * (true_lead - more - counted_limit) > 0) == right    ? BGR_CULPRIT_ON_ROLL
                                                                                  : BGR_CULPRIT_BOTH;
}

static void judge(const bgr_count_truth *truth, const one_side *own, const one_side *other, bgr_judged_count *judged)
{
    bgr_count *c = &judged->count;
    double *advice[BGR_N_DECISIONS] = {&c->doubles, &c->redoubles, &c->takes};
    double *limits[BGR_N_DECISIONS] = {&c->double_from, &c->redouble_from, &c->take_to};
    for (int k = 0; k < BGR_N_DECISIONS; k++) {
        const bgr_decision_truth *d = &truth->decision[k];
        int take = k == BGR_N_DECISIONS - 1;
        if (truth->at_score) {
            double win = take ? 1 - c->win : c->win;
            *advice[k] = isnan(win) || isnan(d->needed) ? NAN : win >= d->needed;
            *limits[k] = NAN;
        }
        const bgr_against_truth nothing = {NAN, NAN};
        judged->culprit[k] = (bgr_culprit){BGR_CULPRIT_NONE, nothing, nothing, nothing, nothing};
        judged->loss[k] = NAN;
        if (isnan(*advice[k]) || isnan(d->margin))
            continue;
        int right = *advice[k] == (d->margin > 0) || fabs(d->margin) <= fmax(bgr_closeness(truth->error), truth->error);
        judged->loss[k] = right ? 0 : fabs(d->margin);
        if (!right && !isnan(*limits[k]) && !isnan(truth->waste[0]))
            find_culprit(truth, k, own, other, *limits[k], judged);
        if (!right && truth->at_score) {
            double win = take ? 1 - truth->win : truth->win;
            judged->culprit[k].term = d->too_good                             ? BGR_CULPRIT_GAMMONS
                                      : (win >= d->needed) == (d->margin > 0) ? BGR_CULPRIT_CHANCE
                                                                              : BGR_CULPRIT_NONE;
            judged->culprit[k].chance = (bgr_against_truth){c->win, truth->win};
        }
    }
}

void bgr_judge_counts(const int8_t *on_roll, const int8_t *opponent, const bgr_count_truth *truth,
                      bgr_judged_count *judged)
{
    one_side own = side_of(on_roll, &usual_counts, truth->epc[0]),
             other = side_of(opponent, &usual_counts, truth->epc[1]);
    for (int k = 0; k < BGR_N_COUNTS; k++) {
        int number;
        judged[k].reached = count_sides(k, &own, &other, &judged[k].count, &number) == BGR_OK;
        judged[k].number = number;
        if (judged[k].reached > 0)
            judge(truth, &own, &other, &judged[k]);
    }
}
