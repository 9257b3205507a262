/* Make and free the states of one side, of its home board and of its checkers outside. */

#include "solve/die_by_die.h"

#include "base/memory.h"
#include "base/try.h"

#include <string.h>

static int may_be_home(const bgr_dice_home *home, int outside, const int *tails, const int8_t *counts)
{
    int on_board = outside;
    for (int j = BGR_HOME_POINTS - 1; j >= 0; j--) {
        on_board += counts[j];
        if (on_board > tails[j] || (outside && !home->inner && counts[j] < home->start[j]))
            return 0;
    }
    return !outside || on_board == home->n_checkers;
}

/* List home positions by pips, in two passes: count, then place. */
static bgr_status list_home_set(bgr_dice_home *home, const int *tails, int outside)
{
    bgr_home_set *set = &home->sets[outside];
    int32_t *place = home->place[outside] = malloc((size_t)home->space.size * sizeof *place);
    int32_t end[BGR_MAX_HOME_PIPS + 2];
    if (!place)
        return BGR_ERR_MEMORY;
    for (int64_t k = 0; k < home->space.size; k++) {
        place[k] = may_be_home(home, outside, tails, home->counts[k]) - 1;
        if (place[k] == 0)
            set->start[bgr_pips(BGR_HOME_POINTS, home->counts[k]) + 1]++;
    }
    for (int pips = 0; pips <= BGR_MAX_HOME_PIPS; pips++)
        set->start[pips + 1] += set->start[pips];
    memcpy(end, set->start, sizeof end);
    home->n[outside] = set->start[BGR_MAX_HOME_PIPS + 1];
    set->index = malloc(((size_t)set->start[BGR_MAX_HOME_PIPS + 1] + 1) * sizeof *set->index);
    if (!set->index)
        return BGR_ERR_MEMORY;
    for (int32_t k = 0; k < home->space.size; k++)
        if (place[k] == 0) {
            int pips = bgr_pips(BGR_HOME_POINTS, home->counts[k]);
            place[k] = end[pips] - set->start[pips];
            set->index[end[pips]++] = k;
        }
    return BGR_OK;
}

static bgr_status list_home(bgr_dice_home *home)
{
    int tails[BGR_MAX_POINTS];
    int64_t home_index;
    bgr_suffix_sums(BGR_MAX_POINTS, home->start, tails);
    home->n_checkers = tails[0];
    home->n_outside = tails[BGR_HOME_POINTS];
    home->pips = bgr_pips(BGR_MAX_POINTS, home->start);
    BGR_TRY(bgr_space_init(BGR_HOME_POINTS, tails[0], &home->space));
    BGR_TRY(bgr_index(&home->space, home->start, &home_index));
    if (!(home->counts = malloc((size_t)home->space.size * sizeof *home->counts)))
        return BGR_ERR_MEMORY;
    home->home_index = (int32_t)home_index;
    for (int64_t k = 0; k < home->space.size; k++)
        bgr_position(&home->space, k, home->counts[k]);
    for (int j = 0; j < BGR_HOME_POINTS; j++)
        for (int t = 0; t < home->n_checkers; t++)
            home->rise[j][t] = home->space.term[j][t + 1] - home->space.term[j][t];
    for (int outside = 0; outside <= home->n_outside; outside++)
        BGR_TRY(list_home_set(home, tails, outside));
    return BGR_OK;
}

bgr_status bgr_dice_home_new(const int8_t *counts, int inner, bgr_listener *listener, bgr_dice_home **home)
{
    *home = NULL;
    bgr_dice_home *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return BGR_ERR_MEMORY;
    memcpy(fresh->start, counts, BGR_MAX_POINTS);
    fresh->inner = inner;
    fresh->listener = listener;
    bgr_status status = list_home(fresh);
    BGR_HAND_OVER(status, fresh, home, bgr_dice_home_free);
}

void bgr_dice_home_free(bgr_dice_home *home)
{
    if (!home)
        return;
    for (int k = 0; k <= BGR_MAX_CHECKERS; k++)
        BGR_FREE(home->sets[k].index, home->place[k]);
    BGR_FREE(home->counts, home);
}

bgr_status bgr_dice_side_new(const bgr_dice_home *home, bgr_outer_rule rule, double limit, bgr_dice_side **side,
                             double *n)
{
    *side = NULL;
    bgr_dice_side *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return BGR_ERR_MEMORY;
    fresh->home = home;
    fresh->known = rule.known;
    fresh->least_lump = home->n_outside > rule.known
                            ? (rule.known + 1) * BGR_HOME_POINTS + home->n_checkers /* all checkers on the nearest
                                                                                     * points */
                            : home->pips + 1;
    bgr_status status = bgr_outer_new(home->start, rule, home->n, limit, home->listener, n, &fresh->outer);
    for (int pips = 0; pips <= home->pips && status == BGR_OK; pips++) {
        int64_t n_level = 0;
        for (int32_t k = 0; k < fresh->outer->n; k++)
            n_level += bgr_dice_n(fresh, k, pips);
        if (n_level > fresh->most_of_level)
            fresh->most_of_level = n_level;
    }
    BGR_HAND_OVER(status, fresh, side, bgr_dice_side_free);
}

void bgr_dice_side_free(bgr_dice_side *side)
{
    if (!side)
        return;
    bgr_outer_free(side->outer);
    free(side);
}
