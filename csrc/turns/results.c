/* What a roll makes of a position, with the mean rolls of each result.
 *
 * Of a double every result arises once if sources never rise: a checker that moves twice moves on before one behind it
 * does, and nothing stands in its way, as those from which no checker could be borne off yet have moved.  Two different
 * dice are played in both orders where a checker may come off; before that the larger die goes first, as only a checker
 * that plays both could tell the orders apart, and where it stops is the same.  An estimate is a sum of terms of
 * neighbouring points: each step changes those that it passes. */

#include "turns/results.h"

#include "base/dice.h"
#include "bgrace.h"

#include <math.h>

enum { HOME = 6 };

static double estimate(const bgr_worth worth, const int8_t *sums)
{
    double sum = 0;
    for (int j = 1; j <= BGR_MAX_POINTS; j++)
        sum += worth[j - 1][sums[j]][sums[j + 1]];
    return sum;
}

static void sums_of(bgr_packed position, int8_t *sums)
{
    int8_t places[BGR_MAX_POINTS + 1];
    bgr_unpack(position, places);
    sums[BGR_MAX_POINTS + 1] = 0;
    for (int j = BGR_MAX_POINTS; j >= 0; j--)
        sums[j] = (int8_t)(sums[j + 1] + places[j]);
}

double bgr_position_mean(const bgr_reach_home *home, bgr_packed position)
{
    int8_t sums[BGR_MAX_POINTS + 2];
    if (bgr_packed_home(position))
        return home->mean[bgr_packed_index(home, position)];
    sums_of(position, sums);
    return estimate(home->worth, sums);
}

double bgr_position_first(const bgr_reach_home *home, bgr_packed position)
{
    int8_t sums[BGR_MAX_POINTS + 2];
    if (bgr_packed_home(position))
        return home->first[bgr_packed_index(home, position)];
    sums_of(position, sums);
    return estimate(home->first_worth, sums);
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
    bgr_unpack(position, player->places);
    sums_of(position, player->sums);
    player->worth = estimate(player->home->worth, player->sums);
}

static inline void keep(bgr_player *p)
{
    double mean = p->sums[HOME + 1] ? p->worth : p->home->mean[bgr_packed_index(p->home, p->position)];
    if (mean > p->least + p->margin)
        return;
    if (mean < p->least)
        p->least = mean;
    p->found[p->n_found++] = (bgr_result){p->position, mean};
}

static inline int can_play(const bgr_player *p, int from, int die)
{
    if (!p->places[from])
        return 0;
    /* Once all are home a checker comes off with its own number, or the last with a greater one. */
    return from > die || (!p->sums[HOME + 1] && (from == die || !p->sums[from + 1]));
}

static inline double terms(const bgr_player *p, int from, int to)
{
    double sum = 0;
    for (int j = to > 1 ? to : 1; j <= from; j++)
        sum += p->home->worth[j - 1][p->sums[j]][p->sums[j + 1]];
    return sum;
}

static inline void shift(bgr_player *p, int from, int to, int n)
{
    p->places[from] = (int8_t)(p->places[from] - n);
    p->places[to] = (int8_t)(p->places[to] + n);
    *(from < 16 ? &p->position.near : &p->position.far) -= (uint64_t)n * bgr_packed_one(from);
    *(to < 16 ? &p->position.near : &p->position.far) += (uint64_t)n * bgr_packed_one(to);
    for (int j = to + 1; j <= from; j++)
        p->sums[j] = (int8_t)(p->sums[j] - n);
}

/* Play one die from a point, and take it back. */
static inline int play(bgr_player *p, int from, int die)
{
    int to = from > die ? from - die : 0;
    p->worth -= terms(p, from, to);
    shift(p, from, to, 1);
    p->worth += terms(p, from, to);
    return to;
}

static inline void take_back(bgr_player *p, int from, int to, double worth)
{
    shift(p, to, from, 1);
    for (int j = to + 1; j <= from; j++)
        p->sums[j] = (int8_t)(p->sums[j] + 1);
    p->worth = worth;
}

static void play_double(bgr_player *p, int highest, int die, int times)
{
    if (!times || !p->sums[1]) {
        keep(p);
        return;
    }
    double worth = p->worth;
    for (int from = highest; from > 0; from--)
        if (can_play(p, from, die)) {
            int to = play(p, from, die);
            play_double(p, from, die, times - 1);
            take_back(p, from, to, worth);
        }
}

static void play_two(bgr_player *p, int highest, int die1, int die2, int outside)
{
    double before = p->worth;
    for (int from1 = highest; from1 > 0; from1--) {
        if (!can_play(p, from1, die1))
            continue;
        int to1 = play(p, from1, die1);
        double between = p->worth;
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
            seen = bgr_packed_same(p->found[i].position, p->found[k].position);
        if (!seen)
            p->found[n++] = p->found[k];
    }
    p->n_found = n;
}

void bgr_player_roll(bgr_player *player, int roll, double margin)
{
    int larger = bgr_rolls[roll].larger, smaller = bgr_rolls[roll].smaller, highest = BGR_MAX_POINTS;
    while (highest > 1 && !player->places[highest])
        highest--;
    player->n_found = 0;
    player->least = INFINITY;
    player->margin = margin;
    if (larger == smaller) {
        play_double(player, highest, larger, 4);
    } else {
        int outside = player->sums[HOME + 1] > 1; /* then nobody can be borne off with two dice */
        play_two(player, highest, larger, smaller, outside);
        if (!outside)
            play_two(player, highest, smaller, larger, 0);
    }
    int n = 0;
    for (int k = 0; k < player->n_found; k++)
        if (player->found[k].mean <= player->least + margin)
            player->found[n++] = player->found[k];
    player->n_found = n;
    if (larger != smaller)
        make_distinct(player);
}
