/* Rolls that hit a blot of a bearoff. */

#include "contact/shots.h"

#include "base/position.h"

static int blot(const int8_t *counts, int point) { return point <= BGR_HOME_POINTS && counts[point - 1] == 1; }

static int blocked(const int8_t *counts, int point) { return point <= BGR_HOME_POINTS && counts[point - 1] > 1; }

int bgr_roll_hits(const int8_t *counts, int place, int men, int roll)
{
    int larger = bgr_rolls[roll].larger, smaller = bgr_rolls[roll].smaller;
    int both_enter = place == BGR_BAR && men == 2;
    if (larger == smaller) {
        /* One man can use all four dice; of two on the bar each needs one to enter. */
        int n_dice = both_enter ? 3 : 4;
        for (int n = 1; n <= n_dice && !blocked(counts, place + n * larger); n++)
            if (blot(counts, place + n * larger))
                return 1;
        return 0;
    }
    if (blot(counts, place + larger) || blot(counts, place + smaller))
        return 1;
    if (both_enter || !blot(counts, place + larger + smaller))
        return 0;
    return !blocked(counts, place + larger) || !blocked(counts, place + smaller);
}

int bgr_shots(const int8_t *counts, int place, int men)
{
    int shots = 0;
    for (int roll = 0; roll < BGR_N_ROLLS; roll++)
        shots += bgr_roll_hits(counts, place, men, roll) * bgr_rolls[roll].weight;
    return shots;
}

static unsigned bit_of(int point) { return 1u << (point < BGR_PAST ? point : BGR_PAST); }

unsigned bgr_places_after(const int8_t *counts, int place, int roll)
{
    int larger = bgr_rolls[roll].larger, smaller = bgr_rolls[roll].smaller;
    unsigned places = 0;
    if (larger == smaller) {
        for (int n = 1; n <= 4 && !blocked(counts, place + n * larger); n++)
            places |= bit_of(place + n * larger);
    } else {
        if (!blocked(counts, place + larger))
            places |= bit_of(place + larger);
        if (!blocked(counts, place + smaller))
            places |= bit_of(place + smaller);
        if (places && !blocked(counts, place + larger + smaller))
            places |= bit_of(place + larger + smaller);
    }
    return place == BGR_BAR && places ? places : places | bit_of(place);
}
