/* Which sentences say why a decision is right: the race as who decides sees it, what it wastes, and the chance that is
 * left against the one that is needed.  The words are in bgrace/answers/words/, one file a language. */

#include "answer/phrases.h"

#include "answer/reference.h"

#include <math.h>
#include <stdlib.h>

/* Less than this is not worth a word: pips and rolls, and chances to win that a term makes. */
static const double few_pips = 1.5, few_rolls = 0.05, few_chances = 0.01, many_chances = 0.02;
static const double hair = 0.0005;         /* chances that would print alike */
static const double even_points = 0.00005; /* points that would print as 0.0000 */

static bgr_phrase *say(bgr_reason *reason, const char *key)
{
    if (reason->n_phrases == BGR_MAX_PHRASES)
        reason->n_phrases--;
    bgr_phrase *phrase = &reason->phrase[reason->n_phrases++];
    phrase->key = key;
    phrase->n = 0;
    return phrase;
}

static bgr_phrase *with(bgr_phrase *phrase, const char *name, double value)
{
    phrase->name[phrase->n] = name;
    phrase->value[phrase->n++] = value;
    return phrase;
}

static double chance_of_term(const bgr_reason *reason, int term)
{
    return reason->of_chance > 0 ? reason->term[term] / reason->of_chance : 0;
}

/* ------------------------------------------------------------------ the race */

static int checkers_of(const int8_t *counts, int points)
{
    int n = 0;
    for (int j = 0; j < points; j++)
        n += counts[j];
    return n;
}

/* The reason why a side wastes more than is usual. */
static void say_shape(bgr_reason *reason, const bgr_reasons_question *q, int side, int mine)
{
    static const char *const keys[][2] = {{"their_stack", "your_stack"},
                                          {"their_low_points", "your_low_points"},
                                          {"their_checkers", "your_checkers"},
                                          {"their_gaps", "your_gaps"},
                                          {"their_waste", "your_waste"}};
    const int8_t *counts = q->counts[side];
    int n = checkers_of(counts, BGR_MAX_POINTS), others = checkers_of(q->counts[!side], BGR_MAX_POINTS);
    int low = counts[0] + counts[1], gaps = !counts[3] + !counts[4] + !counts[5];
    int home = n == checkers_of(counts, 6);
    if (counts[0] >= 3 && 3 * counts[0] >= n)
        with(say(reason, keys[0][mine]), "checkers", counts[0]);
    else if (low >= 4 && 2 * low >= n)
        with(say(reason, keys[1][mine]), "checkers", low);
    else if (n >= others + 2)
        with(say(reason, keys[2][mine]), "checkers", n - others);
    else if (home && gaps && n > 2)
        with(say(reason, keys[3][mine]), "gaps", gaps);
    else
        say(reason, keys[4][mine]);
}

static void say_waste(bgr_reason *reason, const bgr_reasons_question *q, const bgr_reasons *all, int me, int well)
{
    double more[2] = {all->waste[0] - all->usual_waste[0], all->waste[1] - all->usual_waste[1]};
    double net = more[!me] - more[me]; /* pips that who decides gains by it */
    double effect = chance_of_term(reason, BGR_TERM_WASTE) + chance_of_term(reason, BGR_TERM_OTHER_WASTE);
    if (fabs(net) < few_pips || fabs(effect) < few_chances)
        return;
    say(reason, (net > 0) == well ? "and" : "but");
    int worse = net < 0 ? me : !me, side = more[worse] >= -more[!worse] ? worse : !worse;
    if (side == worse)
        say_shape(reason, q, side, side == me);
    else
        say(reason, side == me ? "your_smooth" : "their_smooth");
    bgr_phrase *phrase = &reason->phrase[reason->n_phrases - 1];
    with(with(phrase, "waste", all->waste[side]), "other", all->waste[!side]);
    double rolls = q->side[!me]->mean_rolls - q->side[me]->mean_rolls + (me ? -0.5 : 0.5);
    if (fabs(rolls) < few_rolls)
        say(reason, "rolls_level");
    else
        with(say(reason, rolls > 0 ? "rolls_ahead" : "rolls_behind"), "rolls", fabs(rolls));
}

/* The variance of the number of rolls. */
static double spread_of(const bgr_side *side)
{
    double sum = 0;
    for (int t = 0; t < BGR_MAX_WIDTH; t++)
        sum += side->distribution[t] * (t - side->mean_rolls) * (t - side->mean_rolls);
    return sum;
}

static void say_race(bgr_reason *reason, const bgr_reasons_question *q, const bgr_reasons *all, int me)
{
    static const char *const keys[2][3] = {{"behind_on_roll", "level_on_roll", "ahead_on_roll"},
                                           {"behind", "level", "ahead"}};
    double off = q->side[0]->distribution[1];
    if (off > 0 && off < 1 && q->side[1]->mean_rolls < 1 + 1e-9) {
        with(say(reason, me ? "last_roll_of_other" : "last_roll"), "of_36", floor(36 * off + 0.5));
        say(reason, "stop");
        return;
    }
    int lead = all->pips[!me] - all->pips[me];
    bgr_phrase *phrase = say(reason, keys[me][1 + (lead > 0) - (lead < 0)]);
    if (lead)
        with(phrase, "pips", abs(lead));
    say_waste(reason, q, all, me, lead > 0 || (!lead && !me));
    say(reason, "stop");
    double spread = chance_of_term(reason, BGR_TERM_SPREAD), play = chance_of_term(reason, BGR_TERM_PLAY);
    if (fabs(spread) >= many_chances) {
        double more = spread_of(q->side[0]) + spread_of(q->side[1]) - bgr_usual_spread(q->side[0]->mean_rolls) -
                      bgr_usual_spread(q->side[1]->mean_rolls);
        static const char *const spreads[2][2] = {{"less_spread_against", "less_spread_for"},
                                                  {"more_spread_against", "more_spread_for"}};
        with(say(reason, spreads[more > 0][spread > 0]), "chance", fabs(spread));
    }
    if (fabs(play) >= many_chances)
        with(say(reason, play > 0 ? "play_for" : "play_against"), "chance", fabs(play));
}

/* ------------------------------------------------------------------ the verdict */

/* The chance against the one that is needed.  keys: where yes is right, no, both by a hair, and no chance would do. */
static void say_needed(bgr_reason *reason, const char *const keys[6])
{
    int yes = reason->margin >= 0;
    double needed = reason->needed;
    if (fabs(reason->margin) < even_points) {
        with(say(reason, keys[4]), "chance", reason->chance);
        return;
    }
    if (needed != needed) {
        say(reason, keys[5]);
        return;
    }
    int close = fabs(reason->chance - needed) < hair;
    with(with(say(reason, keys[2 * close + !yes]), "chance", reason->chance), "needed", needed);
}

static void say_price(bgr_reason *reason, const bgr_chances *c, int take)
{
    double price = take ? 0.25 : 0.5, score = chance_of_term(reason, BGR_TERM_SCORE);
    double gammons = chance_of_term(reason, BGR_TERM_GAMMONS), cube = chance_of_term(reason, BGR_TERM_CUBE);
    if (fabs(score) >= many_chances)
        with(with(say(reason, take ? "score_of_take" : "score_of_double"), "dead", price - score), "money", price);
    if (fabs(gammons) >= few_chances)
        with(with(say(reason, gammons > 0 ? "gammons_for" : "gammons_against"), "gammon",
                  take ? c->win_gammon : fmax(c->win_gammon, c->lose_gammon)),
             "chance", fabs(gammons));
    if (take && reason->margin > 0 && cube * reason->of_chance > reason->margin)
        with(say(reason, "thanks_to_cube"), "chance", cube);
    else if (take && fabs(cube) < 1e-6 && fabs(reason->chance - reason->needed) < 0.06)
        say(reason, "dead_cube");
}

static void say_losers(bgr_reason *reason, int losers)
{
    if (losers >= 0)
        with(say(reason, losers ? "market_losers" : "no_market_losers"), "of_36", losers);
}

static void say_take(bgr_reason *reason, const bgr_reasons_question *q, const bgr_cube_values *cube)
{
    static const char *const keys[] = {"take", "pass", "take_close", "pass_close", "take_even", "take_any"};
    if (cube->beavers)
        with(say(reason, "beaver"), "chance", reason->chance);
    else
        say_needed(reason, keys);
    say_price(reason, q->chances, 1);
}

static void say_double(bgr_reason *reason, const bgr_reasons_question *q, const bgr_cube_values *cube,
                       const bgr_reasons *all)
{
    static const char *const first[] = {"double",          "no_double",   "double_close",
                                        "no_double_close", "double_even", "no_double_any"};
    static const char *const again[] = {"redouble",          "no_redouble",   "redouble_close",
                                        "no_redouble_close", "redouble_even", "no_redouble_any"};
    if (cube->verdict == BGR_VERDICT_TOO_GOOD)
        with(with(say(reason, "too_good"), "gammon", q->chances->win_gammon), "points", 1 - reason->margin);
    else if (cube->verdict == BGR_VERDICT_DOUBLE_PASS && all->take.needed == all->take.needed)
        with(with(say(reason, "cash"), "chance", reason->chance), "cash", 1 - all->take.needed);
    else {
        say_needed(reason, q->owned ? again : first);
        say_price(reason, q->chances, 0);
        say_losers(reason, all->market_losers);
    }
}

void bgr_find_phrases(const bgr_reasons_question *q, const bgr_cube_values *cube, bgr_reasons *all)
{
    say_race(&all->twice, q, all, 0);
    say_double(&all->twice, q, cube, all);
    say_race(&all->take, q, all, 1);
    say_take(&all->take, q, cube);
}
