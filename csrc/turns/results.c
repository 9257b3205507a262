/* Find the results of a roll from a position, with the mean rolls of each.
 *
 * Doubles are played with sources that never rise, which gives every result once and misses none: checkers that have to
 * come home before one is borne off have moved first.  Two different dice are played in both orders if a checker may be
 * borne off; otherwise the larger die goes first, since the order does not change the result. */

#include "turns/results.h"

#include "base/dice.h"
#include "base/plays.h"

#include <math.h>
#include <stdlib.h>

static inline const bgr_pip_levels *levels_at(const bgr_worth *of, int pips)
{
    return &of->levels[pips < 0 ? 0 : pips < BGR_ESTIMATE_MAX_PIPS ? pips : BGR_ESTIMATE_MAX_PIPS];
}

static double all_pairs(const bgr_worth *of, const int8_t *sums)
{
    double all = 0;
    for (int point = 1; point <= BGR_MAX_POINTS; point++)
        all += (double)of->pairs[point - 1][sums[point]][sums[point + 1]];
    return all;
}

static double all_levels(const bgr_pip_levels *levels, const int8_t *sums)
{
    double all = 0;
    for (int point = 1; point <= BGR_ESTIMATE_POINTS; point++)
        all +=
            (double)(levels->sums[point - 1][sums[point]] + levels->counts[point - 1][sums[point] - sums[point + 1]]);
    return all;
}

static int pips_of(const int8_t *sums)
{
    int pips = 0;
    for (int j = 1; j <= BGR_MAX_POINTS; j++)
        pips += sums[j];
    return pips;
}

static void sums_of(bgr_packed position, int8_t *sums)
{
    int8_t places[BGR_MAX_POINTS + 1];
    bgr_unpack(position, places);
    sums[BGR_MAX_POINTS + 1] = 0;
    for (int j = BGR_MAX_POINTS; j >= 0; j--)
        sums[j] = (int8_t)(sums[j + 1] + places[j]);
}

static double estimate(const bgr_worth *of, bgr_packed position)
{
    int8_t sums[BGR_MAX_POINTS + 2];
    sums_of(position, sums);
    return all_pairs(of, sums) + all_levels(levels_at(of, pips_of(sums)), sums);
}

double bgr_position_mean(const bgr_home_board *home, bgr_packed position)
{
    return bgr_packed_home(position) ? home->mean[bgr_packed_index(home, position)]
                                     : estimate(&home->last_worth, position);
}

double bgr_position_first(const bgr_home_board *home, bgr_packed position)
{
    return bgr_packed_home(position) ? home->first[bgr_packed_index(home, position)]
                                     : estimate(&home->first_worth, position);
}

double bgr_position_variance(const bgr_home_board *home, bgr_packed position)
{
    return bgr_packed_home(position) ? home->variance[bgr_packed_index(home, position)]
                                     : fmax(estimate(&home->variance_worth, position), tuned_least_variance);
}

double bgr_position_straggler(const bgr_home_board *home, bgr_packed position)
{
    /* Treat points 19 to 24 as the home board, and point 18 as off. */
    bgr_packed moved = {(position.far & (uint64_t)0xFFFFFF << 28) << 8, 0};
    return home->mean[bgr_packed_index(home, moved)];
}

void bgr_find_results_from(bgr_result_finder *finder, bgr_packed position)
{
    finder->position = position;
    finder->by_die.n = 0;
    bgr_unpack(position, finder->places);
    sums_of(position, finder->sums);
    finder->pips = pips_of(finder->sums);
    for (int aim = 0; aim < BGR_N_AIMS; aim++) {
        finder->by_die.start[aim].n = 0;
        for (int die = 0; die < 6; die++)
            finder->by_die.after[aim][die].n = 0;
    }
}

static inline void keep(bgr_result_finder *f)
{
    if (f->unweighed) {
        f->outcomes[f->n_found++] = (bgr_result){f->position, 0};
        return;
    }
    double mean = f->sums[BGR_HOME_POINTS + 1]
                      ? all_pairs(&f->home->last_worth, f->sums) + all_levels(f->levels, f->sums)
                      : f->home->mean[bgr_packed_index(f->home, f->position)];
    if (mean > f->least + f->margin)
        return;
    if (mean < f->least)
        f->least = mean;
    f->outcomes[f->n_found++] = (bgr_result){f->position, mean};
}

static inline int can_play(const bgr_result_finder *f, int from, int die)
{
    if (!f->places[from])
        return 0;
    /* Once all are home, a checker is borne off by its own number, or the highest one by a greater number. */
    return from > die || (!f->sums[BGR_HOME_POINTS + 1] && (from == die || !f->sums[from + 1]));
}

static inline void shift(bgr_result_finder *f, int from, int to)
{
    f->places[from] = (int8_t)(f->places[from] - 1);
    f->places[to] = (int8_t)(f->places[to] + 1);
    f->position = bgr_packed_moved(f->position, from, to);
    for (int j = to + 1; j <= from; j++)
        f->sums[j] = (int8_t)(f->sums[j] - 1);
}

/* Play one die from a point, and undo it. */
static inline int play(bgr_result_finder *f, int from, int die)
{
    int to = from > die ? from - die : 0;
    shift(f, from, to);
    return to;
}

static inline void take_back(bgr_result_finder *f, int from, int to)
{
    shift(f, to, from);
    for (int j = to + 1; j <= from; j++)
        f->sums[j] = (int8_t)(f->sums[j] + 1);
}

static void play_double(bgr_result_finder *f, int highest, int die, int times)
{
    if (!times || !f->sums[1]) {
        keep(f);
        return;
    }
    for (int from = highest; from > 0; from--)
        if (can_play(f, from, die)) {
            int to = play(f, from, die);
            play_double(f, from, die, times - 1);
            take_back(f, from, to);
        }
}

static void play_two(bgr_result_finder *f, int highest, int die1, int die2, int outside)
{
    for (int from1 = highest; from1 > 0; from1--) {
        if (!can_play(f, from1, die1))
            continue;
        int to1 = play(f, from1, die1);
        if (!f->sums[1])
            keep(f);
        for (int from2 = highest; from2 > 0; from2--)
            /* One checker playing both dice was found with the other order. */
            if (can_play(f, from2, die2) && !(outside && from2 == from1 + die2)) {
                int to2 = play(f, from2, die2);
                keep(f);
                take_back(f, from2, to2);
            }
        take_back(f, from1, to1);
    }
}

static void make_distinct(bgr_result_finder *f)
{
    int n = 0;
    for (int k = 0; k < f->n_found; k++) {
        int seen = 0;
        for (int i = 0; i < n && !seen; i++)
            seen = bgr_packed_same(f->outcomes[i].position, f->outcomes[k].position);
        if (!seen)
            f->outcomes[n++] = f->outcomes[k];
    }
    f->n_found = n;
}

/* Find the results of a roll: of a double each once, of two dice some twice. */
static void play_whole_roll(bgr_result_finder *finder, int larger, int smaller)
{
    int highest = bgr_highest(BGR_MAX_POINTS, finder->places + 1);
    finder->n_found = 0;
    if (larger == smaller) {
        play_double(finder, highest, larger, 4);
    } else {
        int outside = finder->sums[BGR_HOME_POINTS + 1] > 1; /* then two dice cannot bear off */
        play_two(finder, highest, larger, smaller, outside);
        if (!outside)
            play_two(finder, highest, smaller, larger, 0);
    }
}

void bgr_find_every_result(bgr_result_finder *finder, int roll)
{
    finder->unweighed = 1;
    play_whole_roll(finder, bgr_rolls[roll].larger, bgr_rolls[roll].smaller);
    if (bgr_rolls[roll].larger != bgr_rolls[roll].smaller)
        make_distinct(finder);
}

void bgr_find_results(bgr_result_finder *finder, int roll, double margin)
{
    int larger = bgr_rolls[roll].larger, smaller = bgr_rolls[roll].smaller;
    finder->unweighed = 0;
    finder->least = INFINITY;
    finder->margin = margin;
    /* Estimates are needed only for results outside the home board, for which every die was played in full. */
    finder->levels = levels_at(&finder->home->last_worth, finder->pips - bgr_roll_pips(larger, smaller));
    play_whole_roll(finder, larger, smaller);
    int n = 0;
    for (int k = 0; k < finder->n_found; k++)
        if (finder->outcomes[k].mean <= finder->least + margin)
            finder->outcomes[n++] = finder->outcomes[k];
    finder->n_found = n;
    if (larger != smaller)
        make_distinct(finder);
}

/* ------------------------------------------------------------------ die by die */

static inline const bgr_worth *worth_of(const bgr_result_finder *f, bgr_aim aim)
{
    return aim == BGR_LAST_CHECKER ? &f->home->last_worth : &f->home->first_worth;
}

/* Find how each step changes the estimate.  The pair terms that contain the point of arrival or the source change by
 * one sum; those between change by both. */
static void make_stand(bgr_result_finder *f, bgr_aim aim, bgr_packed position, bgr_stand *s)
{
    const bgr_worth *of = worth_of(f, aim);
    int8_t *sums = s->sums;
    int is_home = bgr_packed_home(position), points = is_home ? BGR_HOME_POINTS : BGR_MAX_POINTS;
    f->by_die.n++;
    s->position = position;
    sums[points + 1] = 0;
    s->highest = 0;
    for (int j = points; j > 0; j--) {
        s->places[j] = (int8_t)bgr_packed_count(position, j);
        sums[j] = (int8_t)(sums[j + 1] + s->places[j]);
        s->highest += sums[j] > 0;
    }
    s->n_outside = sums[BGR_HOME_POINTS + 1];
    if (is_home)
        return; /* means are known */
    s->pips = pips_of(sums);
    s->estimate = all_pairs(of, sums);
    s->within[0] = s->arrive[0] = 0;
    for (int j = 1; j <= s->highest; j++) {
        int t = sums[j], u = sums[j + 1];
        float now = of->pairs[j - 1][t][u];
        s->leave[j] = s->places[j] ? of->pairs[j - 1][t - 1][u] - now : 0;
        s->arrive[j] = u ? of->pairs[j - 1][t][u - 1] - now : 0;
        s->within[j] = s->within[j - 1] + (u ? of->pairs[j - 1][t - 1][u - 1] - now : 0);
    }
}

/* The changes of level terms at one number of pips. */
typedef struct {
    double all;
    float within[BGR_MAX_POINTS + 1], arrive[BGR_MAX_POINTS + 1], leave[BGR_MAX_POINTS + 1];
} level_changes;

static void find_changes(const bgr_pip_levels *levels, const bgr_stand *s, level_changes *c)
{
    c->all = all_levels(levels, s->sums);
    c->within[0] = c->arrive[0] = 0;
    for (int j = 1; j <= s->highest; j++) {
        c->within[j] = c->within[j - 1];
        c->leave[j] = c->arrive[j] = 0;
        if (j > BGR_ESTIMATE_POINTS)
            continue;
        const float *sums = levels->sums[j - 1] + s->sums[j], *counts = levels->counts[j - 1] + s->places[j];
        float one_less = sums[-1] - sums[0]; /* there is one: no point is beyond the highest checker */
        c->within[j] += one_less;
        c->leave[j] = s->places[j] ? one_less + counts[-1] - counts[0] : 0;
        c->arrive[j] = s->places[j] < BGR_MAX_CHECKERS ? counts[1] - counts[0] : 0;
    }
}

/* List every step of one checker by a die, with its estimate; a position without checkers stays.  Returns their number.
 */
static int step(const bgr_result_finder *f, bgr_aim aim, const bgr_stand *s, int die, bgr_result *results)
{
    const double *at_home = aim == BGR_LAST_CHECKER ? f->home->mean : f->home->first;
    level_changes by_levels;
    by_levels.all = 0;
    int n = 0;
    if (!s->highest)
        results[n++] = (bgr_result){s->position, 0};
    if (s->n_outside)
        find_changes(levels_at(worth_of(f, aim), s->pips - die), s, &by_levels);
    for (int from = s->highest; from > 0; from--) {
        if (!s->places[from] || !(from > die || (!s->n_outside && (from == die || from == s->highest))))
            continue;
        int to = from > die ? from - die : 0;
        bgr_packed moved = bgr_packed_moved(s->position, from, to);
        double mean;
        if (s->n_outside - (from > BGR_HOME_POINTS && to <= BGR_HOME_POINTS)) {
            const level_changes *c = &by_levels;
            mean = s->estimate + (double)(s->within[from - 1] - s->within[to] + s->arrive[to] + s->leave[from]) +
                   c->all + (double)(c->within[from - 1] - c->within[to] + c->arrive[to] + c->leave[from]);
        } else {
            mean = at_home[bgr_packed_index(f->home, moved)];
        }
        results[n++] = (bgr_result){moved, mean};
    }
    return n;
}

/* Choose the distinct results within `apart` of the least, at most `max_best`, the least first. */
static int find_best(const bgr_result *results, int n, double apart, int max_best, const bgr_result **best)
{
    double least = INFINITY;
    int n_best = 0;
    for (int k = 0; k < n; k++)
        least = results[k].mean < least ? results[k].mean : least;
    for (int k = 0; k < n; k++) {
        int at = n_best, seen = 0;
        for (int i = 0; i < n_best && !seen; i++)
            seen = bgr_packed_same(best[i]->position, results[k].position);
        if (seen || results[k].mean > least + apart)
            continue;
        while (at && results[k].mean < best[at - 1]->mean)
            at--;
        if (at == max_best)
            continue;
        n_best += n_best < max_best;
        for (int i = n_best - 1; i > at; i--)
            best[i] = best[i - 1];
        best[at] = &results[k];
    }
    return n_best;
}

static void follow(bgr_result_finder *f, bgr_aim aim, const bgr_result *results, int n, double apart, bgr_stands *next)
{
    const bgr_result *best[TUNED_MAX_STANDS];
    int n_best = find_best(results, n, apart, TUNED_MAX_STANDS, best);
    next->n = n_best;
    for (int k = 0; k < n_best; k++)
        make_stand(f, aim, best[k]->position, &next->stand[k]);
}

static int step_all(const bgr_result_finder *f, bgr_aim aim, const bgr_stands *stands, int die, bgr_result *results)
{
    int n = 0;
    for (int k = 0; k < stands->n; k++)
        n += step(f, aim, &stands->stand[k], die, results + n);
    return n;
}

/* Get the positions after one die. */
static const bgr_stands *after_die(bgr_result_finder *f, bgr_aim aim, int die, double apart)
{
    bgr_result results[BGR_MAX_POINTS];
    bgr_stands *start = &f->by_die.start[aim], *after = &f->by_die.after[aim][die - 1];
    if (!start->n) {
        make_stand(f, aim, f->position, &start->stand[0]);
        start->n = 1;
    }
    if (!after->n)
        follow(f, aim, results, step_all(f, aim, start, die, results), apart, after);
    return after;
}

void bgr_find_results_quickly(bgr_result_finder *f, bgr_aim aim, int roll, double margin)
{
    bgr_result results[2 * TUNED_MAX_STANDS * BGR_MAX_CHECKERS];
    int larger = bgr_rolls[roll].larger, smaller = bgr_rolls[roll].smaller;
    double apart = margin + tuned_between_dice;
    const bgr_stands *first = after_die(f, aim, larger, apart);
    int n;
    if (larger == smaller) {
        bgr_stands second, third;
        follow(f, aim, results, step_all(f, aim, first, larger, results), apart, &second);
        follow(f, aim, results, step_all(f, aim, &second, larger, results), apart, &third);
        n = step_all(f, aim, &third, larger, results);
    } else {
        n = step_all(f, aim, first, smaller, results);
        n += step_all(f, aim, after_die(f, aim, smaller, apart), larger, results + n);
    }
    f->least = INFINITY;
    f->n_found = 0;
    for (int k = 0; k < n; k++)
        f->least = results[k].mean < f->least ? results[k].mean : f->least;
    for (int k = 0; k < n; k++)
        if (results[k].mean <= f->least + margin)
            f->outcomes[f->n_found++] = results[k];
    make_distinct(f);
}

bgr_status bgr_best_of_rolls(const bgr_home_board *home, bgr_packed position, bgr_aim aim, double margin,
                             bgr_best *best)
{
    if (bgr_packed_home(position) && !margin) {
        const int32_t *of_rolls = &home->best[(int64_t)bgr_packed_index(home, position) * BGR_N_ROLLS];
        for (int roll = 0; roll < BGR_N_ROLLS; roll++)
            best[roll] = (bgr_best){1, {home->packed[of_rolls[roll]]}};
        return BGR_OK;
    }
    bgr_result_finder *finder = malloc(sizeof *finder);
    bgr_result *room = malloc(BGR_MAX_PLAYS * sizeof *room);
    bgr_status status = finder && room ? BGR_OK : BGR_ERR_MEMORY;
    if (status == BGR_OK) {
        finder->home = home;
        finder->outcomes = room;
        bgr_find_results_from(finder, position);
    }
    for (int roll = 0; status == BGR_OK && roll < BGR_N_ROLLS; roll++) {
        bgr_find_results_quickly(finder, aim, roll, margin);
        const bgr_result *found[BGR_MAX_BEST];
        best[roll].n = find_best(finder->outcomes, finder->n_found, INFINITY, BGR_MAX_BEST, found);
        for (int k = 0; k < best[roll].n; k++)
            best[roll].result[k] = found[k]->position;
    }
    free(finder);
    free(room);
    return status;
}
