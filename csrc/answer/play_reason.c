/* Explain why one play is better than another: compare the positions after both, and say what the worse one lacks.  If
 * the worse play has the lower EPC, compare with the opponent's rolls, too. */

#include "answer/reasons.h"

#include "answer/answer.h"
#include "answer/state.h"
#include "base/plays.h"
#include "base/sized.h"
#include "base/try.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BETTER_PLAY, OTHER_PLAY };

/* Two plays, with the distributions of the positions after them and of the opponent. */
typedef struct {
    const int8_t *counts[2];
    bgr_side side[2], opponent;
    bgr_play_reason *reason;
} play_work;

/* Count the rolls, of 36, in which a die bears no checker off though one is left; -1 if checkers are outside. */
static bgr_status count_misses(const int8_t *counts, int *misses)
{
    int n = bgr_n_checkers(BGR_HOME_POINTS, counts);
    *misses = n < bgr_n_checkers(BGR_MAX_POINTS, counts) ? -1 : 0;
    for (int roll = 0; n && *misses >= 0 && roll < BGR_N_ROLLS; roll++) {
        int larger = bgr_rolls[roll].larger, smaller = bgr_rolls[roll].smaller, dice = larger == smaller ? 4 : 2;
        int8_t (*results)[BGR_MAX_POINTS];
        int n_results, least = n;
        BGR_TRY(bgr_results_of_roll(counts, larger, smaller, &results, &n_results));
        for (int k = 0; k < n_results; k++) {
            int left = bgr_n_checkers(BGR_HOME_POINTS, results[k]);
            least = left < least ? left : least;
        }
        free(results);
        *misses += bgr_rolls[roll].weight * (least > (dice < n ? n - dice : 0));
    }
    return BGR_OK;
}

/* ------------------------------------------------------------------ sentences */

static bgr_phrase *tell_play(const play_work *w, const char *key)
{
    return bgr_say(w->reason->phrase, &w->reason->n_phrases, key);
}

/* Add a fact, with the conjunction that fits what was said before. */
static bgr_phrase *tell_fact(const play_work *w, const char *key)
{
    int n = w->reason->n_phrases;
    if (n)
        tell_play(w, strcmp(w->reason->phrase[n - 1].key, "more_off") ? "comma" : "but");
    return tell_play(w, key);
}

/* Say facts of the board: checkers off or home, pips of the roll, a gap or a stack. */
static void tell_board(const play_work *w)
{
    const int8_t *better = w->counts[BETTER_PLAY], *other = w->counts[OTHER_PLAY];
    const bgr_play_reason *r = w->reason;
    int off = r->checkers[OTHER_PLAY] - r->checkers[BETTER_PLAY], pips = r->pips[OTHER_PLAY] - r->pips[BETTER_PLAY],
        gap = BGR_HOME_POINTS, covered = 0;
    int outside = r->checkers[OTHER_PLAY] - bgr_n_checkers(BGR_HOME_POINTS, other) -
                  (r->checkers[BETTER_PLAY] - bgr_n_checkers(BGR_HOME_POINTS, better));
    if (off)
        bgr_say_with(tell_fact(w, off > 0 ? "fewer_off" : "more_off"), "checkers", abs(off));
    if (outside > 0)
        bgr_say_with(tell_fact(w, "fewer_home"), "checkers", outside);
    if (pips > 0 && r->checkers[BETTER_PLAY])
        bgr_say_with(tell_fact(w, "fewer_pips"), "pips", pips);
    for (int j = 0; j < BGR_HOME_POINTS; j++)
        covered += !!better[j] - !!other[j];
    for (; gap && !(better[gap - 1] && !other[gap - 1]); gap--)
        ;
    if (covered > 0 && gap > 1)
        bgr_say_with(tell_fact(w, "leaves_gap"), "point", gap);
    else if (other[0] > better[0] && r->checkers[OTHER_PLAY] > 2)
        bgr_say_with(tell_fact(w, "stacks"), "checkers", other[0] - better[0]);
}

/* Say how many next rolls miss, or, near the end, do not end the game. */
static void tell_next_roll(const play_work *w)
{
    const bgr_play_reason *r = w->reason;
    double ends[2] = {36 * w->side[BETTER_PLAY].distribution[1], 36 * w->side[OTHER_PLAY].distribution[1]};
    if (ends[BETTER_PLAY] > ends[OTHER_PLAY] + tuned_alike_chances)
        bgr_say_with(bgr_say_with(tell_fact(w, "ends_with"), "of_36", floor(ends[OTHER_PLAY] + 0.5)), "other",
                     floor(ends[BETTER_PLAY] + 0.5));
    else if (r->misses[OTHER_PLAY] > r->misses[BETTER_PLAY] && r->misses[BETTER_PLAY] >= 0)
        bgr_say_with(bgr_say_with(tell_fact(w, "misses"), "of_36", r->misses[OTHER_PLAY]), "other",
                     r->misses[BETTER_PLAY]);
}

/* The number of rolls n for which being off more often within n, with the better play, gains most against the
 * opponent's distribution; 0: none.  *gain [out] chance to win that all n together gain, each side playing by itself.
 */
static int rolls_that_matter(const play_work *w, double *gain)
{
    double within[2] = {0, 0}, most = 0;
    int at = 0;
    *gain = 0;
    for (int n = 1; n + 1 < BGR_MAX_WIDTH; n++) {
        for (int k = 0; k < 2; k++)
            within[k] += w->side[k].distribution[n];
        double of = w->opponent.distribution[n + 1] * (within[BETTER_PLAY] - within[OTHER_PLAY]);
        *gain += of;
        if (of > most && within[BETTER_PLAY] - within[OTHER_PLAY] >= tuned_alike_chances) {
            most = of;
            at = n;
        }
    }
    return at;
}

static double chance_within(const bgr_side *side, int n)
{
    double sum = 0;
    for (int t = 0; t <= n; t++)
        sum += side->distribution[t];
    return sum;
}

/* Say both EPCs, and if they say little, how soon both plays are off. */
static void tell_rolls(const play_work *w)
{
    const bgr_play_reason *r = w->reason;
    double more = r->epc[OTHER_PLAY] - r->epc[BETTER_PLAY], gain;
    int at = rolls_that_matter(w, &gain), alike = fabs(more) < tuned_alike_pips;
    if (!alike) {
        int wastes = more > 0 && r->pips[OTHER_PLAY] == r->pips[BETTER_PLAY];
        bgr_phrase *phrase = tell_play(w, more < 0 ? "lower_epc" : wastes ? "more_waste" : "higher_epc");
        bgr_say_with(bgr_say_with(phrase, "epc", r->epc[OTHER_PLAY]), "other", r->epc[BETTER_PLAY]);
        if (wastes)
            bgr_say_with(phrase, "pips", more);
    }
    int sooner = at && gain > 0;
    double wins[2] = {r->chances[BETTER_PLAY].win, r->chances[OTHER_PLAY].win};
    if (more >= tuned_ample_pips || (more > tuned_alike_pips && !sooner))
        return;
    if (!alike)
        tell_play(w, more < 0 ? "but" : "and");
    if (sooner)
        bgr_say_with(bgr_say_with(bgr_say_with(tell_play(w, "off_within"), "rolls", at), "chance",
                                  chance_within(&w->side[OTHER_PLAY], at)),
                     "other", chance_within(&w->side[BETTER_PLAY], at));
    else if (wins[BETTER_PLAY] - wins[OTHER_PLAY] >= tuned_alike_chances / 10) /* false if they are NaN */
        bgr_say_with(bgr_say_with(tell_play(w, "wins_less"), "chance", wins[OTHER_PLAY]), "other", wins[BETTER_PLAY]);
    else
        tell_play(w, "by_cube");
}

/* Whether saved or won gammons make none, some, or most of the difference. */
static enum { WITHOUT_GAMMONS, WITH_GAMMONS, BY_GAMMONS } weigh_gammons(const bgr_play_reason *r, int *loses)
{
    const bgr_chances *better = &r->chances[BETTER_PLAY], *other = &r->chances[OTHER_PLAY];
    double lost = other->lose_gammon - better->lose_gammon, won = better->win_gammon - other->win_gammon;
    *loses = lost >= won;
    double most = *loses ? lost : won;
    return !(most >= tuned_alike_chances)          ? WITHOUT_GAMMONS
           : most > 2 * (better->win - other->win) ? BY_GAMMONS
                                                   : WITH_GAMMONS;
}

static void tell_gammons(const play_work *w, int loses)
{
    const bgr_chances *better = &w->reason->chances[BETTER_PLAY], *other = &w->reason->chances[OTHER_PLAY];
    bgr_say_with(bgr_say_with(tell_play(w, loses ? "loses_gammon" : "wins_gammon"), "chance",
                              loses ? other->lose_gammon : other->win_gammon),
                 "other", loses ? better->lose_gammon : better->win_gammon);
}

static void tell_all(const play_work *w)
{
    int loses, gammons = (int)weigh_gammons(w->reason, &loses);
    tell_board(w);
    if (gammons != BY_GAMMONS)
        tell_next_roll(w);
    if (w->reason->n_phrases)
        tell_play(w, "colon");
    if (gammons != BY_GAMMONS)
        tell_rolls(w);
    if (gammons == WITH_GAMMONS)
        tell_play(w, "semicolon");
    if (gammons != WITHOUT_GAMMONS)
        tell_gammons(w, loses);
    tell_play(w, "end");
}

bgr_status bgr_play_reason_of(const bgr_solver *solver, bgr_cache *cache, const int8_t *opponent, const int8_t *better,
                              const int8_t *other, const bgr_chances *chances, bgr_play_reason *reason)
{
    play_work w = {.counts = {better, other}, .reason = reason, .opponent.size = sizeof(bgr_side)};
    memset(reason, 0, sizeof *reason);
    BGR_TRY(bgr_ask_side(solver, cache, BGR_MAX_POINTS, opponent, &w.opponent));
    for (int k = 0; k < 2; k++) {
        w.side[k].size = sizeof(bgr_side);
        BGR_TRY(bgr_ask_side(solver, cache, BGR_MAX_POINTS, w.counts[k], &w.side[k]));
        reason->checkers[k] = bgr_n_checkers(BGR_MAX_POINTS, w.counts[k]);
        reason->pips[k] = bgr_pips(BGR_MAX_POINTS, w.counts[k]);
        reason->epc[k] = w.side[k].mean_rolls * BGR_MEAN_PIPS;
        BGR_TRY(count_misses(w.counts[k], &reason->misses[k]));
        reason->chances[k] = chances ? chances[k] : (bgr_chances){NAN, NAN, NAN, NAN, NAN, NAN};
    }
    tell_all(&w);
    return BGR_OK;
}

bgr_status bgr_answer_play_reason(const bgr_solver *solver, bgr_cache *cache, const bgr_answer *answer, int points,
                                  const int8_t *better, const int8_t *other, bgr_play_reason *reason)
{
    int8_t counts[2][BGR_MAX_POINTS];
    bgr_chances chances[2];
    bgr_play_reason whole;
    const int8_t *const given[2] = {better, other};
    for (int k = 0; k < 2; k++) {
        BGR_TRY(bgr_question_position(points, given[k], counts[k]));
        BGR_TRY(bgr_chances_after(answer, counts[k], &chances[k]));
    }
    BGR_TRY(
        bgr_play_reason_of(solver, cache, answer->counts[1], counts[BETTER_PLAY], counts[OTHER_PLAY], chances, &whole));
    return bgr_give_sized(&whole, sizeof whole, reason);
}
