/* The results of a roll from a position, with the mean rolls of each.
 *
 * Of a double every result arises once if sources never rise: a checker that moves twice moves on before one behind it
 * does, and nothing stands in its way, as those from which no checker could be borne off yet have moved.  Two different
 * dice are played in both orders where a checker may come off; before that the larger die goes first, as only a checker
 * that plays both could tell the orders apart, and where it stops is the same.  An estimate is a sum of terms of
 * neighbouring points: each step changes those that it passes. */

#include "turns/nodes.h"

#include "base/dice.h"
#include "base/plays.h"
#include "base/tuning.h"
#include "bgrace.h"

#include <math.h>
#include <stdlib.h>

static inline const bgr_pip_levels *levels_at(const bgr_worth *of, int pips)
{
    return &of->levels[pips < 0 ? 0 : pips < BGR_ESTIMATE_MAX_PIPS ? pips : BGR_ESTIMATE_MAX_PIPS];
}

static inline double pair_of(const bgr_worth *of, const int8_t *sums, int point)
{
    return (double)of->pairs[point - 1][sums[point]][sums[point + 1]];
}

static inline double level_of(const bgr_pip_levels *levels, const int8_t *sums, int point)
{
    return (double)(levels->sums[point - 1][sums[point]] + levels->counts[point - 1][sums[point] - sums[point + 1]]);
}

static double all_pairs(const bgr_worth *of, const int8_t *sums)
{
    double all = 0;
    for (int point = 1; point <= BGR_MAX_POINTS; point++)
        all += pair_of(of, sums, point);
    return all;
}

static double all_levels(const bgr_pip_levels *levels, const int8_t *sums)
{
    double all = 0;
    for (int point = 1; point <= BGR_ESTIMATE_POINTS; point++)
        all += level_of(levels, sums, point);
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

double bgr_position_mean(const bgr_reach_home *home, bgr_packed position)
{
    return bgr_packed_home(position) ? home->mean[bgr_packed_index(home, position)]
                                     : estimate(&home->last_worth, position);
}

double bgr_position_first(const bgr_reach_home *home, bgr_packed position)
{
    return bgr_packed_home(position) ? home->first[bgr_packed_index(home, position)]
                                     : estimate(&home->first_worth, position);
}

double bgr_position_variance(const bgr_reach_home *home, bgr_packed position)
{
    return bgr_packed_home(position) ? home->variance[bgr_packed_index(home, position)]
                                     : fmax(estimate(&home->variance_worth, position), tuned_least_variance);
}

double bgr_position_straggler(const bgr_reach_home *home, bgr_packed position)
{
    /* As if points 19 to 24 were the home board, and point 18 off. */
    bgr_packed moved = {(position.far & (uint64_t)0xFFFFFF << 28) << 8, 0};
    return home->mean[bgr_packed_index(home, moved)];
}

void bgr_player_set(bgr_player *player, bgr_packed position)
{
    player->position = position;
    player->n_stands = 0;
    bgr_unpack(position, player->places);
    sums_of(position, player->sums);
    player->pips = pips_of(player->sums);
    player->pairs_worth = all_pairs(&player->home->last_worth, player->sums);
    for (int aim = 0; aim < BGR_N_AIMS; aim++) {
        player->start[aim].n = 0;
        for (int die = 0; die < 6; die++)
            player->after[aim][die].n = 0;
    }
}

static inline void keep(bgr_player *p)
{
    if (p->unweighed) {
        p->outcomes[p->n_found++] = (bgr_result){p->position, 0};
        return;
    }
    double mean = p->sums[BGR_HOME_POINTS + 1] ? p->estimate : p->home->mean[bgr_packed_index(p->home, p->position)];
    if (mean > p->least + p->margin)
        return;
    if (mean < p->least)
        p->least = mean;
    p->outcomes[p->n_found++] = (bgr_result){p->position, mean};
}

static inline int can_play(const bgr_player *p, int from, int die)
{
    if (!p->places[from])
        return 0;
    /* Once all are home a checker comes off with its own number, or the last with a greater one. */
    return from > die || (!p->sums[BGR_HOME_POINTS + 1] && (from == die || !p->sums[from + 1]));
}

static inline double terms(const bgr_player *p, int from, int to)
{
    double sum = 0;
    for (int point = to > 1 ? to : 1; point <= from; point++)
        sum += pair_of(&p->home->last_worth, p->sums, point) +
               (point <= BGR_ESTIMATE_POINTS ? level_of(p->levels, p->sums, point) : 0);
    return sum;
}

static inline void shift(bgr_player *p, int from, int to)
{
    p->places[from] = (int8_t)(p->places[from] - 1);
    p->places[to] = (int8_t)(p->places[to] + 1);
    p->position = bgr_packed_moved(p->position, from, to);
    for (int j = to + 1; j <= from; j++)
        p->sums[j] = (int8_t)(p->sums[j] - 1);
}

/* Play one die from a point, and take it back. */
static inline int play(bgr_player *p, int from, int die)
{
    int to = from > die ? from - die : 0;
    if (!p->unweighed)
        p->estimate -= terms(p, from, to);
    shift(p, from, to);
    if (!p->unweighed)
        p->estimate += terms(p, from, to);
    return to;
}

static inline void take_back(bgr_player *p, int from, int to, double before)
{
    shift(p, to, from);
    for (int j = to + 1; j <= from; j++)
        p->sums[j] = (int8_t)(p->sums[j] + 1);
    p->estimate = before;
}

static void play_double(bgr_player *p, int highest, int die, int times)
{
    if (!times || !p->sums[1]) {
        keep(p);
        return;
    }
    double before = p->estimate;
    for (int from = highest; from > 0; from--)
        if (can_play(p, from, die)) {
            int to = play(p, from, die);
            play_double(p, from, die, times - 1);
            take_back(p, from, to, before);
        }
}

static void play_two(bgr_player *p, int highest, int die1, int die2, int outside)
{
    double before = p->estimate;
    for (int from1 = highest; from1 > 0; from1--) {
        if (!can_play(p, from1, die1))
            continue;
        int to1 = play(p, from1, die1);
        double between = p->estimate;
        if (!p->sums[1])
            keep(p);
        for (int from2 = highest; from2 > 0; from2--)
            /* A checker that goes all the way has been seen with the other die first. */
            if (can_play(p, from2, die2) && !(outside && from2 == from1 + die2)) {
                int to2 = play(p, from2, die2);
                keep(p);
                take_back(p, from2, to2, between);
            }
        take_back(p, from1, to1, before);
    }
}

static void make_distinct(bgr_player *p)
{
    int n = 0;
    for (int k = 0; k < p->n_found; k++) {
        int seen = 0;
        for (int i = 0; i < n && !seen; i++)
            seen = bgr_packed_same(p->outcomes[i].position, p->outcomes[k].position);
        if (!seen)
            p->outcomes[n++] = p->outcomes[k];
    }
    p->n_found = n;
}

/* A double gives each result once, two dice now and then twice. */
static void play_whole_roll(bgr_player *player, int larger, int smaller)
{
    int highest = bgr_highest(BGR_MAX_POINTS, player->places + 1);
    player->n_found = 0;
    if (larger == smaller) {
        play_double(player, highest, larger, 4);
    } else {
        int outside = player->sums[BGR_HOME_POINTS + 1] > 1; /* then nobody can be borne off with two dice */
        play_two(player, highest, larger, smaller, outside);
        if (!outside)
            play_two(player, highest, smaller, larger, 0);
    }
}

void bgr_player_every(bgr_player *player, int roll)
{
    player->unweighed = 1;
    play_whole_roll(player, bgr_rolls[roll].larger, bgr_rolls[roll].smaller);
    if (bgr_rolls[roll].larger != bgr_rolls[roll].smaller)
        make_distinct(player);
}

void bgr_player_roll(bgr_player *player, int roll, double margin)
{
    int larger = bgr_rolls[roll].larger, smaller = bgr_rolls[roll].smaller;
    player->unweighed = 0;
    player->least = INFINITY;
    player->margin = margin;
    /* Estimates are of results outside the home board, where every die has been played in full. */
    player->levels = levels_at(&player->home->last_worth, player->pips - bgr_roll_pips(larger, smaller));
    player->estimate = player->pairs_worth + all_levels(player->levels, player->sums);
    play_whole_roll(player, larger, smaller);
    int n = 0;
    for (int k = 0; k < player->n_found; k++)
        if (player->outcomes[k].mean <= player->least + margin)
            player->outcomes[n++] = player->outcomes[k];
    player->n_found = n;
    if (larger != smaller)
        make_distinct(player);
}

/* ------------------------------------------------------------------ die by die */

static inline const bgr_worth *worth_of(const bgr_player *p, bgr_aim aim)
{
    return aim == BGR_LAST_CHECKER ? &p->home->last_worth : &p->home->first_worth;
}

/* How a step changes the estimate: of the terms of points `to` .. `from` one falls by the checker that arrives, one by
 * the checker that leaves, and those between by both. */
static void make_stand(bgr_player *p, bgr_aim aim, bgr_packed position, bgr_stand *s)
{
    const bgr_worth *of = worth_of(p, aim);
    int8_t *sums = s->sums;
    int is_home = bgr_packed_home(position), points = is_home ? BGR_HOME_POINTS : BGR_MAX_POINTS;
    p->n_stands++;
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

/* The part of levels in the changes of a stand at this number of pips. */
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

/* Every step of one checker by a die, with its estimate; a position without checkers stays.  Gives how many. */
static int step(const bgr_player *p, bgr_aim aim, const bgr_stand *s, int die, bgr_result *results)
{
    const double *at_home = aim == BGR_LAST_CHECKER ? p->home->mean : p->home->first;
    level_changes by_levels;
    by_levels.all = 0;
    int n = 0;
    if (!s->highest)
        results[n++] = (bgr_result){s->position, 0};
    if (s->n_outside)
        find_changes(levels_at(worth_of(p, aim), s->pips - die), s, &by_levels);
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
            mean = at_home[bgr_packed_index(p->home, moved)];
        }
        results[n++] = (bgr_result){moved, mean};
    }
    return n;
}

/* Of results those within `apart` of the least, each once, the `most` best at most, the least first. */
static int find_best(const bgr_result *results, int n, double apart, int most, const bgr_result **best)
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
        if (at == most)
            continue;
        n_best += n_best < most;
        for (int i = n_best - 1; i > at; i--)
            best[i] = best[i - 1];
        best[at] = &results[k];
    }
    return n_best;
}

static void follow(bgr_player *p, bgr_aim aim, const bgr_result *results, int n, double apart, bgr_stands *next)
{
    const bgr_result *best[TUNED_MAX_STANDS];
    int n_best = find_best(results, n, apart, TUNED_MAX_STANDS, best);
    next->n = n_best;
    for (int k = 0; k < n_best; k++)
        make_stand(p, aim, best[k]->position, &next->stand[k]);
}

static int step_all(const bgr_player *p, bgr_aim aim, const bgr_stands *stands, int die, bgr_result *results)
{
    int n = 0;
    for (int k = 0; k < stands->n; k++)
        n += step(p, aim, &stands->stand[k], die, results + n);
    return n;
}

/* After one die. */
static const bgr_stands *after_die(bgr_player *p, bgr_aim aim, int die, double apart)
{
    bgr_result results[BGR_MAX_POINTS];
    bgr_stands *after = &p->after[aim][die - 1];
    if (!p->start[aim].n) {
        make_stand(p, aim, p->position, &p->start[aim].stand[0]);
        p->start[aim].n = 1;
    }
    if (!after->n)
        follow(p, aim, results, step_all(p, aim, &p->start[aim], die, results), apart, after);
    return after;
}

void bgr_player_quick_roll(bgr_player *p, bgr_aim aim, int roll, double margin)
{
    bgr_result results[2 * TUNED_MAX_STANDS * BGR_MAX_CHECKERS];
    int larger = bgr_rolls[roll].larger, smaller = bgr_rolls[roll].smaller;
    double apart = margin + tuned_between_dice;
    const bgr_stands *first = after_die(p, aim, larger, apart);
    int n;
    if (larger == smaller) {
        bgr_stands second, third;
        follow(p, aim, results, step_all(p, aim, first, larger, results), apart, &second);
        follow(p, aim, results, step_all(p, aim, &second, larger, results), apart, &third);
        n = step_all(p, aim, &third, larger, results);
    } else {
        n = step_all(p, aim, first, smaller, results);
        n += step_all(p, aim, after_die(p, aim, smaller, apart), larger, results + n);
    }
    p->least = INFINITY;
    p->n_found = 0;
    for (int k = 0; k < n; k++)
        p->least = results[k].mean < p->least ? results[k].mean : p->least;
    for (int k = 0; k < n; k++)
        if (results[k].mean <= p->least + margin)
            p->outcomes[p->n_found++] = results[k];
    make_distinct(p);
}

bgr_status bgr_best_of_rolls(const bgr_reach_home *home, bgr_packed position, bgr_aim aim, double margin,
                             bgr_best *best)
{
    if (bgr_packed_home(position) && !margin) {
        const int32_t *of_rolls = &home->best[(int64_t)bgr_packed_index(home, position) * BGR_N_ROLLS];
        for (int roll = 0; roll < BGR_N_ROLLS; roll++)
            best[roll] = (bgr_best){1, {home->packed[of_rolls[roll]]}};
        return BGR_OK;
    }
    bgr_player *player = malloc(sizeof *player);
    bgr_result *room = malloc(BGR_MAX_PLAYS * sizeof *room);
    bgr_status status = player && room ? BGR_OK : BGR_ERR_MEMORY;
    if (status == BGR_OK) {
        player->home = home;
        player->outcomes = room;
        bgr_player_set(player, position);
    }
    for (int roll = 0; status == BGR_OK && roll < BGR_N_ROLLS; roll++) {
        bgr_player_quick_roll(player, aim, roll, margin);
        const bgr_result *found[BGR_MAX_BEST];
        best[roll].n = find_best(player->outcomes, player->n_found, INFINITY, BGR_MAX_BEST, found);
        for (int k = 0; k < best[roll].n; k++)
            best[roll].result[k] = found[k]->position;
    }
    free(player);
    free(room);
    return status;
}
