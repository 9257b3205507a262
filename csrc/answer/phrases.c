/* Choose the sentences that explain a decision: the race as the deciding player sees it, and the chance against the
 * chance needed; one sentence if the game is decided.  The words are in bgrace/_base/words/, one file for each
 * language.  "stop" ends the part about the race, which both decisions share. */

#include "answer/reasons.h"

#include "answer/reference.h"
#include "base/position.h"
#include "base/tuning.h"

#include <math.h>
#include <stdlib.h>

static const double certain = 1e-9;

bgr_phrase *bgr_say(bgr_phrase *phrases, int *n, const char *key)
{
    if (*n == BGR_MAX_PHRASES)
        --*n;
    bgr_phrase *phrase = &phrases[(*n)++];
    phrase->key = key;
    phrase->n = 0;
    return phrase;
}

bgr_phrase *bgr_say_with(bgr_phrase *phrase, const char *name, double value)
{
    phrase->name[phrase->n] = name;
    phrase->value[phrase->n++] = value;
    return phrase;
}

static bgr_phrase *say(bgr_reason *reason, const char *key) { return bgr_say(reason->phrase, &reason->n_phrases, key); }

static double chance_of_term(const bgr_reason *reason, int term)
{
    return reason->of_chance > 0 ? reason->term[term] / reason->of_chance : 0;
}

/* ------------------------------------------------------------------ the race */

static const char *const shapes[][2] = {{"their_stack", "your_stack"},
                                        {"their_low_points", "your_low_points"},
                                        {"their_checkers", "your_checkers"},
                                        {"their_gaps", "your_gaps"},
                                        {"their_waste", "your_waste"}};
enum { STACK, LOW_POINTS, CHECKERS, GAPS, WASTE };

/* Why a side wastes more than usual.  many [out]: the number that goes with it. */
static int shape_of(const bgr_reasons_question *q, int side, int *many)
{
    const int8_t *counts = q->counts[side];
    int n = bgr_n_checkers(BGR_MAX_POINTS, counts), others = bgr_n_checkers(BGR_MAX_POINTS, q->counts[!side]);
    int low = counts[0] + counts[1], gaps = !counts[3] + !counts[4] + !counts[5];
    int home = n == bgr_n_checkers(6, counts);
    if (counts[0] > counts[1] && counts[0] >= 3 && 3 * counts[0] >= n)
        return *many = counts[0], STACK;
    if (low >= 4 && 2 * low >= n)
        return *many = low, LOW_POINTS;
    if (n >= others + 2)
        return *many = n - others, CHECKERS;
    if (home && gaps && gaps < 3 && n > 2)
        return *many = gaps, GAPS;
    return WASTE;
}

static void say_waste(bgr_reason *reason, const bgr_reasons_question *q, const bgr_reasons *all, int me, int lead)
{
    static const char *const numbers[] = {"checkers", "checkers", "checkers", "gaps", NULL};
    double more[2] = {all->waste[0] - all->usual_waste[0], all->waste[1] - all->usual_waste[1]};
    double net = more[!me] - more[me]; /* pips that the deciding player gains */
    double effect = chance_of_term(reason, BGR_TERM_WASTE) + chance_of_term(reason, BGR_TERM_OTHER_WASTE);
    int worse = net < 0 ? me : !me, side = worse, many = 0;
    if (fabs(net) < tuned_few_pips || fabs(effect) < tuned_few_chances ||
        all->waste[worse] - all->waste[!worse] < tuned_few_pips)
        return;
    /* After "behind, but on roll" a second "but" would turn back. */
    int turned = me ? lead > 0 : lead < 0, well = me ? 0 : 1;
    say(reason, turned || (net > 0) == well ? "and" : "but");
    int shape = shape_of(q, worse, &many);
    if (shape == WASTE && more[worse] < -more[!worse])
        say(reason, (side = !worse) == me ? "your_smooth" : "their_smooth");
    else
        say(reason, shapes[shape][side == me]);
    bgr_phrase *phrase = &reason->phrase[reason->n_phrases - 1];
    if (side == worse && numbers[shape])
        bgr_say_with(phrase, numbers[shape], many);
    bgr_say_with(bgr_say_with(phrase, "waste", all->waste[side]), "other", all->waste[!side]);
    double rolls = q->side[!me]->mean_rolls - q->side[me]->mean_rolls + (me ? -0.5 : 0.5);
    if (fabs(rolls) < tuned_few_rolls)
        say(reason, "rolls_level");
    else
        bgr_say_with(say(reason, rolls > 0 ? "rolls_ahead" : "rolls_behind"), "rolls", fabs(rolls));
}

/* Mention the spread of rolls, or playing to win, if they add much to the chance or decide. */
static void say_dice(bgr_reason *reason, const bgr_reasons_question *q)
{
    static const char *const spreads[2][2] = {{"less_spread_against", "less_spread_for"},
                                              {"more_spread_against", "more_spread_for"}};
    double spread = chance_of_term(reason, BGR_TERM_SPREAD), play = chance_of_term(reason, BGR_TERM_PLAY);
    double more = 0;
    for (int side = 0; side < 2; side++) {
        double mean = q->side[side]->mean_rolls;
        more += bgr_variance_of(q->side[side]->distribution, mean) - bgr_usual_spread(mean);
    }
    if (fabs(spread) >= (reason->decides == BGR_TERM_SPREAD ? tuned_few_chances : tuned_great_chances))
        bgr_say_with(say(reason, spreads[more > 0][spread > 0]), "chance", fabs(spread));
    else if (fabs(play) >= (reason->decides == BGR_TERM_PLAY ? tuned_few_chances : tuned_great_chances))
        bgr_say_with(say(reason, play > 0 ? "play_for" : "play_against"), "chance", fabs(play));
}

static int is_last_roll(const bgr_reasons_question *q)
{
    double off = q->side[0]->distribution[1];
    return off > 0 && off < 1 && q->side[1]->mean_rolls < 1 + certain;
}

static void say_race(bgr_reason *reason, const bgr_reasons_question *q, const bgr_reasons *all, int me)
{
    static const char *const keys[2][3] = {{"behind_on_roll", "level_on_roll", "ahead_on_roll"},
                                           {"behind", "level", "ahead"}};
    if (is_last_roll(q)) {
        double of_36 = floor(36 * q->side[0]->distribution[1] + 0.5);
        bgr_say_with(say(reason, me ? "last_roll_of_other" : "last_roll"), "of_36", of_36);
    } else {
        int lead = all->pips[!me] - all->pips[me];
        bgr_phrase *phrase = say(reason, keys[me][1 + (lead > 0) - (lead < 0)]);
        if (lead)
            bgr_say_with(phrase, "pips", abs(lead));
        int n = reason->n_phrases;
        say_waste(reason, q, all, me, lead);
        if (reason->n_phrases == n)
            say_dice(reason, q);
    }
    say(reason, "stop");
}

/* ------------------------------------------------------------------ the verdict */

/* Whether a game is won or lost with a chance of more than 1 - tuned_decided. */
static int is_decided(double chance) { return chance < tuned_decided || chance > 1 - tuned_decided; }

static void say_decided(bgr_reason *reason)
{
    static const char *const won[] = {"cannot_lose", "hardly_lose", "wins"};
    static const char *const lost[] = {"cannot_win", "hardly_win", "loses"};
    int wins = reason->chance > 0.5;
    double other = wins ? 1 - reason->chance : reason->chance;
    int how = other < certain ? 0 : other < tuned_hair ? 1 : 2;
    bgr_phrase *phrase = say(reason, (wins ? won : lost)[how]);
    if (how == 2)
        bgr_say_with(phrase, "chance", reason->chance);
}

/* Compare the chance with the one needed.  keys: for yes and no; for both if it is close; for both if any chance will
 * do. */
static void say_needed(bgr_reason *reason, const bgr_reasons_question *q, const char *const keys[6])
{
    int yes = reason->margin >= 0;
    double needed = reason->needed;
    if (q->planes->match && fabs(chance_of_term(reason, BGR_TERM_SCORE)) >= tuned_few_chances)
        say(reason, "at_score");
    if (isnan(needed) || needed < tuned_hair || needed > 1 - tuned_hair)
        say(reason, keys[4 + !yes]);
    else {
        int close = fabs(reason->chance - needed) < tuned_hair;
        bgr_say_with(bgr_say_with(say(reason, keys[2 * close + !yes]), "chance", reason->chance), "needed", needed);
    }
}

/* Say the main reason for the chance needed, if there is one. */
static void say_price(bgr_reason *reason, const bgr_chances *c)
{
    double price = 0.25, score = chance_of_term(reason, BGR_TERM_SCORE), dead = price - score;
    double gammons = chance_of_term(reason, BGR_TERM_GAMMONS), cube = chance_of_term(reason, BGR_TERM_CUBE);
    int near = fabs(reason->chance - reason->needed) < 0.06;
    if (fabs(gammons) >= tuned_few_chances && (gammons > 0 ? c->lose_gammon : c->win_gammon) >= tuned_few_chances)
        bgr_say_with(say(reason, gammons > 0 ? "gammons_for" : "gammons_against"), "chance", fabs(gammons));
    else if (near && fabs(score) >= tuned_many_chances && fabs(dead - reason->needed) < tuned_hair)
        bgr_say_with(say(reason, "score_alone"), "money", price);
    else if (near && fabs(score) >= tuned_many_chances && fabs(dead - reason->needed) < tuned_great_chances)
        bgr_say_with(bgr_say_with(say(reason, "score_of_take"), "dead", dead), "money", price);
    else if (reason->margin > 0 && cube * reason->of_chance > reason->margin && fabs(score) < tuned_many_chances)
        bgr_say_with(bgr_say_with(say(reason, "thanks_to_cube"), "needed", reason->needed), "dead", dead);
    else if (fabs(cube) < 1e-6 && near)
        say(reason, "dead_cube");
}

static void say_take(bgr_reason *reason, const bgr_reasons_question *q, const bgr_cube_values *cube,
                     const bgr_reasons *all)
{
    static const char *const keys[] = {"take", "pass", "take_close", "pass_close", "take_any", "pass_any"};
    int yes = reason->margin > 0, even = fabs(reason->margin) < tuned_even_points;
    if (is_decided(reason->chance) && !even && yes == (reason->chance > 0.5)) {
        say_decided(reason);
        say(reason, !yes ? "so_pass" : cube->beavers ? "so_beaver" : "so_take");
        return;
    }
    say_race(reason, q, all, 1);
    if (even) {
        bgr_say_with(say(reason, "take_even"), "chance", reason->chance);
        return;
    }
    if (cube->beavers)
        bgr_say_with(say(reason, "beaver"), "chance", reason->chance);
    else {
        say_needed(reason, q, keys);
        say_price(reason, q->chances);
    }
    say(reason, "end");
}

/* Say the number of market losers if it matters: a double is right, or may soon be. */
static void say_losers(bgr_reason *reason, const bgr_reasons_question *q, int losers)
{
    int yes = reason->margin > 0;
    if (losers < 0 || is_last_roll(q) || (!yes && !(losers && reason->needed - reason->chance < 0.15)))
        return;
    bgr_say_with(say(reason, losers ? "market_losers" : "no_market_losers"), "of_36", losers);
}

static void say_double(bgr_reason *reason, const bgr_reasons_question *q, const bgr_cube_values *cube,
                       const bgr_reasons *all, int free_double)
{
    static const char *const first[] = {"double",          "no_double",  "double_close",
                                        "no_double_close", "double_any", "no_double_any"};
    static const char *const again[] = {"redouble",          "no_redouble",  "redouble_close",
                                        "no_redouble_close", "redouble_any", "no_redouble_any"};
    int passed = cube->verdict == BGR_VERDICT_DOUBLE_PASS, even = fabs(reason->margin) < tuned_even_points;
    int too_good = cube->verdict == BGR_VERDICT_TOO_GOOD && q->chances->win_gammon >= tuned_hair;
    int is_short = is_decided(reason->chance);
    if (free_double && cube->verdict != BGR_VERDICT_TOO_GOOD && reason->margin > -tuned_even_points) {
        say(reason, "nothing_to_lose");
        return;
    }
    if (is_short && (reason->chance > 0.5 || reason->margin < -tuned_even_points)) {
        say_decided(reason);
        if (!too_good) {
            say(reason, reason->chance < 0.5 ? "so_roll"
                        : passed             ? "so_cash"
                        : even               ? "so_even"
                        : reason->margin > 0 ? "so_double"
                                             : "so_roll");
            return;
        }
        say(reason, "and");
    } else
        say_race(reason, q, all, 0);
    if (too_good)
        bgr_say_with(bgr_say_with(say(reason, is_short ? "go_on" : "too_good"), "gammon", q->chances->win_gammon),
                     "points", 1 - reason->margin);
    else if (passed && !isnan(all->take.needed))
        bgr_say_with(bgr_say_with(say(reason, "cash"), "chance", reason->chance), "cash", 1 - all->take.needed);
    else if (even && q->chances->win_gammon >= tuned_few_chances && cube->no_double > cube->double_take)
        bgr_say_with(say(reason, "gammon_even"), "gammon", q->chances->win_gammon);
    else if (even)
        bgr_say_with(say(reason, q->owned ? "redouble_even" : "double_even"), "chance", reason->chance);
    else {
        say_needed(reason, q, q->owned ? again : first);
        say_losers(reason, q, all->market_losers);
        say(reason, "end");
    }
}

void bgr_find_phrases(const bgr_reasons_question *q, const bgr_cube_values *cube, int free_double, bgr_reasons *all)
{
    say_double(&all->twice, q, cube, all, free_double);
    say_take(&all->take, q, cube, all);
}
