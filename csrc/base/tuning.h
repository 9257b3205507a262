/* All numbers that were fitted or found by trial and that affect answers, proofs and texts, or their time: for answers
 * by turns first, then for the others.
 *
 * Each group states its data and date; recorded races are those of data/recorded-races.txt.
 *
 * Sensitivity, with each number halved and doubled, 24 November 2026: 20 recorded races within .05 s, compared with
 * answers within 1 s; root mean square error in thousandths of a point, 1.69 unchanged, = if no answer differs.
 * tuned_operations_a_second 1.69 =, tuned_work_outside = 1.76, tuned_work_at_home 1.67 1.73,
 * tuned_work_of_edge 1.38 1.67, tuned_work_of_result 1.67 1.77, tuned_share_to_save 1.69 1.77,
 * tuned_nodes_of_exact 1.69 =, tuned_finding_share 1.69 1.40, tuned_saving_share 1.67 1.69, tuned_few_operations 2.03
 * =, tuned_look_at 1.67 =, tuned_look_power = 1.67, tuned_look_at_to_save 1.69 1.69, tuned_more_work = 1.64,
 * tuned_more_to_save 1.69 1.69, tuned_wider 1.68 =, tuned_seconds_to_save 1.69 =, tuned_estimated_share 1.68 =,
 * tuned_between_dice 1.71 1.68.  No answer differs, at that budget, with half or double of tuned_nodes_a_second,
 * tuned_node_bytes, tuned_work_of_best, tuned_work_of_first, tuned_exact_seconds, tuned_exact_half, tuned_exact_share,
 * tuned_few_seconds, tuned_most_by_dice, tuned_most_tries, tuned_merged_work, tuned_few_work, tuned_most_kept,
 * tuned_look_seconds, tuned_lucky_rolls, tuned_widest_margin, tuned_fewer_checkers, tuned_other_share,
 * tuned_other_width, tuned_work_of_full, tuned_work_of_estimated, tuned_few_nodes, tuned_most_by_turn, tuned_all_share,
 * tuned_finest_gain.
 *
 * Numbers of seconds matter at budgets near them. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* ------------------------------------------------------------------ costs of work
 * All recorded races on one core of a common server.  22 November 2026. */

static const double tuned_operations_a_second = 3.2e8; /* row operations of pairs */
static const double tuned_nodes_a_second = 30000;      /* nodes of a side, with the best results only */
static const int64_t tuned_node_bytes = 2048;          /* approximate size of a position in a reach */

/* Microseconds to find the results of a node: outside the home board, by estimates; at home, with all plays; and at
 * home if the best results are known. */
static const double tuned_work_outside = 5, tuned_work_at_home = 5, tuned_work_of_best = 0.3;
/* Microseconds to find and weigh an edge; for each result, if all are found; to find the play that bears off the first
 * checker soonest. */
static const double tuned_work_of_edge = 0.25, tuned_work_of_result = 0.25, tuned_work_of_first = 2;
/* Also, turn by turn: for each position between two dice, and to list and merge each result of a layer.  15 checkers on
 * the 12 and the 18 point, 10 on the 18 point.  29 November 2026. */
static const double tuned_work_of_stand = 0.5, tuned_work_of_listed = 1.5;
/* The factor of all these for a side that cannot win, which needs fewer look-ups. */
static const double tuned_share_to_save = 0.35;

/* Row operations of a blend, and of looking a pair up in a file: in memory, and elsewhere. */
enum { TUNED_BLEND_WORK = 5, TUNED_WORK_IN_PLACE = 8, TUNED_WORK_ELSEWHERE = 400 };

/* ------------------------------------------------------------------ shares of the budget
 * scripts/measure.py errors, and tables of pairs, by hand.  22 and 23 November 2026. */

/* Seconds for an exact answer, if they suffice: at least tuned_exact_seconds, half of the budget up to
 * tuned_exact_half, or tuned_exact_share of a large budget.  Greatest number of nodes of a side within
 * tuned_exact_seconds. */
static const double tuned_exact_seconds = 0.05, tuned_exact_half = 0.3, tuned_exact_share = 0.1,
                    tuned_nodes_of_exact = 3000;
static const double tuned_exact_finding = 0.4; /* of the budget, for finding every play of a side */
static const double tuned_few_seconds = 0.2;   /* for pairs of up to that many nodes, with any budget */
static const double tuned_most_by_dice = 2;    /* single dice reach at least this many times as many positions as
                                                * rolls */

static const double tuned_finding_share = 0.45; /* of the budget, for finding positions */
static const double tuned_saving_share = 0.75;  /* of the budget, for those of a side that cannot win */
static const double tuned_nearer_share = 0.5;   /* of these, for the nearer side: more would leave too little for the
                                                 * other */
static const double tuned_most_tries = 2;       /* limit of all wider searches, relative to the limit of one */

static const double tuned_merged_work = 0.75;   /* of the budget: the goal for merged positions */
static const double tuned_few_work = 0.55;      /* of the budget: if they take less, more positions are tried */
static const double tuned_more_positions = 1.1; /* carrying the sides again pays off for this factor of positions */

/* Pips of a side: in longer races more results with merging are better than the best results alone. */
enum { TUNED_LONG_RACE = 35 };

enum {
    TUNED_FEWEST_NODES = 1000,
    TUNED_FEWEST_POSITIONS = 100, /* in a merged layer, at least */
    TUNED_FEW_POSITIONS = 256,    /* in a layer whose results are found turn by turn, unless a limit is given */
    TUNED_MIN_POSITIONS = 32,     /* in such a layer if time is short: with fewer, an estimate is more accurate */
    TUNED_MAX_MERGES = 3,
    TUNED_GAIN_STEPS = 10 /* number of least gains to try; if all take too long, positions are merged */
};

/* Turn by turn: microseconds for a position of a layer, a factor if a gammon may be lost, and the share of the budget
 * for all.  With 12, 24, 48, 96 and 192 positions the errors of 139 recorded races were .025, .019, .011, .013 and .011
 * (root mean square), of far ones .025, .012, .005, .001 and .001; those of estimates were .014 and .004.  24 November
 * 2026. */
static const double tuned_work_of_turn = 24, tuned_turns_for_gammons = 2, tuned_turn_share = 1.4;

/* Beyond tuned_far_rolls rolls of a side the time for a position rises by the power tuned_far_power, since there are
 * more points to play from.  15 checkers on the 12 point, and on the 18 point with a gammon to save.  29 November 2026.
 */
static const double tuned_far_rolls = 15, tuned_far_power = 1.5;

/* The share of the budget for layers, by their measured work.  With .6, .8 and 1.1 the errors of 60 recorded races of
 * more than 75 pips were .0027, .0025 and .0024 (root mean square) in .1 s, and one in ten took more than .072, .092
 * and .106 s.  29 November 2026. */
static const double tuned_layers_share = 0.8;

/* The work of a result of a roll whose results are all kept, in units of that of a position.  300 recorded races, 28
 * November 2026. */
static const double tuned_first_at_home = 1.5, tuned_first_outside = 6;

static const double tuned_share_of_table = 0.25; /* of the budget */

/* Tables of few checkers: row operations to spend on one even for a small race; greatest bytes of a kept one; checkers
 * of one that pays off for a single question. */
static const int64_t tuned_few_operations = 10000000, tuned_most_kept = 25165824;
enum { TUNED_FEWEST_IN_TABLE = 4 };

/* ------------------------------------------------------------------ plays to search
 * scripts/measure.py errors, every 40th recorded race.  22 November 2026. */

static const double tuned_look_at = 0.4;    /* rolls: weigh results whose mean is within this of the least */
static const double tuned_look_seconds = 3; /* the budget to which tuned_look_at applies; smaller ones search less */
static const double tuned_look_power = 0.3; /* of the share of tuned_look_seconds that a smaller budget has */
static const double tuned_look_at_to_save = 0.3; /* where a side cannot win: rolls to the first checker off */

enum { BGR_FINEST_LOOK = 6 };

/* By width of the search: the chance of a node from which on the full delta is used, and the number of powers of ten
 * below it at which delta is 0.  The first two after 0 are for a side that cannot win, whose chances are scaled up;
 * with the last one all results that matter are compared. */
static const struct {
    double chance, powers;
} tuned_common[BGR_FINEST_LOOK + 1] = {{0, 1}, {100, 2}, {10, 1.5}, {1, 2}, {1e-1, 1.5}, {1e-2, 2}, {1e-2, 2}};

/* By width of the search: its work relative to that of the best results; and a lower bound for a side that cannot win:
 * the medians of 30 recorded races are 1.5, 2.4, 7, 13 and 42, and all results took 10 to 480 times as much in four
 * races with stacks (28 November 2026).  0: not tried. */
static const double tuned_more_work[BGR_FINEST_LOOK + 1] = {1, 0, 0, 2.5, 4.5, 6, 0};
static const double tuned_more_to_save[BGR_FINEST_LOOK + 1] = {1, 1.8, 3, 8, 14, 40, 100};

/* A side that cannot win compares plays within this share of delta, by width of the search; turn by turn, within
 * tuned_margin_to_save rolls.  The errors of 38 recorded races were .019 with the best play alone (root mean square),
 * and .011, .007, .0075 and .008 with the first four shares, for 1.5, 2.4, 7 and 13 times the work.  28 November 2026.
 */
static const double tuned_delta_to_save[BGR_FINEST_LOOK + 1] = {0, 1 / 6.0, 1 / 3.0, 1 / 2.0, 2 / 3.0, 1, 1};
static const double tuned_margin_to_save = 0.05;

/* Gammons that are hard to save are saved by lucky rolls, so chances of nodes are multiplied by this. */
static const double tuned_lucky_rolls = 100;

/* Rolls: plays that bring the checkers out of the other side's home board later than the best by up to this are kept.
 */
static const double tuned_other_stragglers = 0.25;

/* The margin for errors of estimates at likely nodes, in rolls; and its factor with fewer than 15 checkers, since
 * estimates are worse then, and results fewer. */
static const double tuned_widest_margin = 0.06, tuned_fewer_checkers = 4;
static const double tuned_least_margin = 0.01; /* a smaller share of it counts as 0 */

/* With this few checkers left the cube favours plays farther from the best: delta is multiplied by tuned_wider. */
enum { TUNED_FEW_CHECKERS = 8 };
static const double tuned_wider = 3;

/* The approximate share of the second best result: tuned_other_share if its mean equals the best, falling by a factor
 * of e for each tuned_other_width rolls. */
static const double tuned_other_share = 0.2, tuned_other_width = 0.03;

/* If the other side needs at most this many turns and a gammon may be lost, find all results with 15 checkers, if there
 * is time for tuned_work_of_full microseconds for each position with all of them; and for a side that cannot win,
 * unless that takes more than tuned_every_share of the time. */
enum { TUNED_TURNS_TO_LOOK = 12 };
static const double tuned_work_of_full = 12, tuned_every_share = 0.4;

/* If it needs at most TUNED_TURNS_TO_SAVE, find all results with any budget, up to these numbers of positions and
 * nodes. */
enum { TUNED_TURNS_TO_SAVE = 7, TUNED_EXACT_TO_SAVE = 20000, TUNED_NODES_TO_SAVE = 30000 };
static const double tuned_seconds_to_save = 0.5;

/* Outside the home board find all results, unless that takes more than tuned_estimated_share of the time, at
 * tuned_work_of_estimated microseconds for each position. */
static const double tuned_work_of_estimated = 60, tuned_estimated_share = 0.2;
static const int64_t tuned_few_nodes = 300;        /* outside the home board: up to this many are searched in full */
static const int64_t tuned_most_by_turn = 2000000; /* greatest number of kept nodes, turn by turn */

/* After one die, positions farther from the best than the margin plus this, in rolls, are dropped, and those beyond the
 * first TUNED_MAX_STANDS. */
static const double tuned_between_dice = 0.05;
enum { TUNED_MAX_STANDS = 10 };

/* ------------------------------------------------------------------ plays to keep
 * Against the table of 15 checkers, 150 pairs of played races.  22 November 2026. */

static const double tuned_all_share = 0.08;   /* of the budget: all results found are compared if that takes no more */
static const double tuned_finest_gain = 2e-9; /* in chance to win: smaller gains make no visible difference */
static const double tuned_gain_step = 2.5;    /* factor from one least gain to the next */
static const double tuned_merged_gain = 2e-6; /* the least gain where positions are merged */

/* With this few checkers the cube sometimes favours plays that are best for no number of rolls: they count as gaining
 * this much, falling by a factor of e for each step of rolls behind the best. */
enum { TUNED_FEW_FOR_CUBE = 7 };
static const double tuned_cube_gain = 6e-4, tuned_off_best = 0.05;

/* The weight of saving a gammon relative to a win, on the high side, since play for the mean ignores it. */
static const float tuned_gammon_weight = 4;

static const double tuned_least_share = 0.02;  /* least share of a result that is not the best */
static const double tuned_least_weight = 1e-9; /* numbers of rolls left with less chance are ignored */

static const double tuned_least_gammon_chance = 1e-7; /* less likely gammons are left out of an answer by turns, */
static const double tuned_least_win_chance = 1e-3;    /* and a side that may lose a gammon and wins less cannot win */
enum { TUNED_WASTED = 6 };                            /* pips wasted in the estimate of that chance */

/* The weight of the turn in which the other side saves a backgammon, beside those in which it is off or saves a gammon.
 */
static const double tuned_stragglers_too = 0.5;

/* The least chance to save a gammon that counts, and the number of turns in which it is computed. */
static const double tuned_no_hope = 1e-7;
enum { TUNED_TURNS_OF_HOPE = 16 };

/* Rolls that it takes to bring all checkers home and bear one off: a constant, and for each checker outside by pips p
 * from home a + b p + c sqrt(p).  Fitted to exact numbers for up to seven checkers outside.  22 November 2026. */
static const double tuned_to_save[4] = {0.86, 0.408, 0.16, -0.244};

/* ------------------------------------------------------------------ estimates and merging
 * scripts/make_reach_estimate.py: exact races of one side from all recorded.  23 November 2026. */

static const double tuned_least_variance = 0.1; /* least variance of the number of rolls outside the home board */

/* Chances to be off: 0 or 1 beyond this many standard deviations; and the fourth cumulant divided by the squared
 * variance. */
static const double tuned_far_from_mean = 5, tuned_excess = -0.07;

/* Weights of further numbers in the shape: the mean rolls to the first checker, and the variance. */
static const float tuned_by_first = 0.3F, tuned_by_variance = 0.1F;
static const float tuned_hardly = 1e-4F; /* chances that differ by less are ignored */

/* The length of a stratum, in positions that stay, divided by the number of strata; the greatest number of strata; and
 * the neighbours to try on either side. */
static const double tuned_longer = 8;
enum { TUNED_MAX_STRATA = 16, TUNED_NEIGHBOURS = 4 };

/* The cube is worth more where more is still open: the penalty for two distant parts of a blend is this times the
 * variance of their means, in units of the error of the shape. */
static const double tuned_by_apart = 0.3;

/* A blend keeps the mean number of rolls less tuned_by_chance times the chance to win, in units of its standard
 * deviation. In an even race a roll is worth about tuned_chance_of_roll of these units.  240 recorded races turn by
 * turn within .01 and .1 s: off by .00041 and .0084 (medians, and nine tenths of them), and .0021, if only the mean is
 * kept, by .00016 and .0061, and .0018 with this. 28 November 2026. */
static const double tuned_by_chance = 7, tuned_chance_of_roll = 0.4;

static const double tuned_remembered = 16; /* number of blends that the typical error is averaged over */

/* ------------------------------------------------------------------ errors of answers
 * 99 of 100 answers err by less; scripts/measure.py errors shows how far.  Quantiles of .99 of 6,406 answers of random
 * races, of seven kinds and budgets from .003 to .3 seconds, a tenth or fifth more.  28 November 2026. */

static const double tuned_error_of_files = 1.6e-4; /* of any value, of files that count gammons: docs/accuracy.md */

/* 4 p (1 - p) of the most uncertain outcome, which is this at least, counts by its square root; the difference to the
 * estimate, this at least, by this power. */
static const double tuned_least_open = 1e-5, tuned_least_off = 1e-6, tuned_off_power = 0.2;

/* By the smaller width of both sides' searches; first: turn by turn; last: all plays were compared. */
enum { TUNED_LOOKS = 2 + BGR_FINEST_LOOK };
static const double tuned_error[TUNED_LOOKS] = {0.1, 0.13, 0.1, 0.06, 0.03, 0.014, 0.0065, 0.003};

/* Turn by turn, races that are longer than TUNED_LONG_RACE are easier by the square of their length, down to this
 * factor: 22 recorded ones of 60 to 90 pips, within .03 to .5 seconds, are off by less than a quarter of the first. */
static const double tuned_least_longer = 0.3;

/* Turn by turn, a side that hardly wins does not play to save its gammon where there is no time for it: stacks of 15
 * checkers outside, within .1 to .5 seconds.  29 November 2026. */
static const double tuned_error_unsaved = 0.33, tuned_hardly_wins = 0.01;

/* A requested least gain above this leaves out plays that matter. */
static const double tuned_fine_gain = 1e-7;

/* By how far a side that cannot win looked, or the other one, which looks TUNED_OTHER_LOOK further: if it loses a
 * gammon at most, and if it may lose a backgammon.  And the power of the difference to the estimate.  Of 3,344 answers
 * of the same kinds fewer than 1 in 100 are beyond.  28 November 2026. */
enum { TUNED_OTHER_LOOK = 3 };
static const double tuned_error_to_save[2][TUNED_LOOKS] = {{0.12, 0.16, 0.16, 0.2, 0.04, 0.022, 0.0034, 0.0003},
                                                           {0.5, 0.26, 0.26, 0.16, 0.11, 0.045, 0.0045, 0.0036}};
static const double tuned_off_to_save = 0.4;

/* Estimates, with both sides at home, and with checkers outside: for the win, of an even race for money and at a score;
 * and where a gammon or a backgammon is open, which it is in full from this 4 p (1 - p) on.  490 random and recorded
 * races of seven kinds against exact answers.  28 November 2026. */
static const double tuned_error_of_win[][2] = {{0.085, 0.14}, {0.115, 0.16}}, tuned_error_of_gammon[] = {0.21, 0.35},
                    tuned_error_of_backgammon = 0.4;
static const double tuned_open_loss = 0.02, tuned_open_power = 1 / 3.0;

/* With all plays within delta, but not those beyond it that might gain: with exact pairs of at most 4 checkers or none,
 * of 8, and where a gammon may be lost (whatever the table).  Tables between lie between. */
enum { TUNED_FEW_IN_TABLE = 4 };
static const struct {
    double delta, without, with_eight, gammons;
} tuned_errors[] = {{0, 0.0085, 0.0073, 0.0108},
                    {0.02, 0.0050, 0.0018, 0.0077},
                    {0.04, 0.0036, 0.0006, 0.0056},
                    {0.08, 0.0025, 0.0007, 0.0045}};

/* ------------------------------------------------------------------ estimates */

/* Rolls to the first checker, and to the last straggler home, have tuned_variance_of_roll for each beyond the
 * first, tuned_min_variance at least; and they are tuned_late_by more than is estimated.  Fitted to recorded races.  24
 * November 2026. */
static const double tuned_variance_of_roll = 0.2, tuned_min_variance = 0.02, tuned_late_by = 0.07;

/* What the trailing side gains from plays other than those with the least mean; and plays whose mean is within
 * tuned_to_win_margin rolls of the least are compared on the next roll of either side, where both are at home.  The
 * root mean square of 539 recorded races in the home board falls from .0010 to .0007 by the first and to .0004 by both.
 * 29 November 2026. */
static const double tuned_to_win = 0.032, tuned_to_win_margin = 0.2;

/* A race in the home board that takes no more rolls is played out by both sides. */
static const double tuned_soon = 3.5;

/* Less likely gammons are not refined. */
static const double tuned_open_gammon = 0.005;

/* Outside the home board chances are nearly normal where so much is still open, and then to play on takes too long for
 * what is gained, unless few checkers are outside. */
static const double tuned_normal_variance = 1.6;
enum { TUNED_FEW_OUTSIDE = 3 };

/* ------------------------------------------------------------------ graphs, and all pairs
 * Of a common processor. */

static const double tuned_values_a_second = 2e8, tuned_uneven_a_second = 7e7; /* of pairs; where one side has most */
static const double tuned_more_uneven = 1.3;                                  /* factor of seconds for those, */
static const double tuned_position_seconds = 4e-6;                            /* time to find the plays of a
                                                                               * position, */
static const double tuned_any_seconds = 0.003;                                /* and time that is always allowed */

static const double tuned_graph_bytes = 2500;    /* of a position in a graph: about 170 results, and what finds them; */
static const double tuned_index_bytes = 4;       /* and for each smaller index, unless the set is sparse */
static const double tuned_kept_graphs = 1 << 25; /* bytes of all graphs that a cache keeps */
static const size_t tuned_spare_bytes = 1 << 27; /* of memory that a cache keeps for later work */
static const double tuned_max_pair_bytes = 1 << 29; /* above, answers come by turns, unless all pairs are asked for */
static const double tuned_beside_bytes = 1 << 28;   /* of a part of a map that is solved beside others: some .2 s */

/* ------------------------------------------------------------------ proofs */

/* The time of a common processor: for a value of a pair, and this share of it where plays are compared beforehand; to
 * compare those of a position; and to find a position with its plays. */
static const double tuned_seconds_of_value = 7e-9, tuned_compared_share = 0.6, tuned_seconds_of_comparison = 6e-5,
                    tuned_seconds_of_position = 1e-5;
static const double tuned_few_listed = 2e3; /* positions that are listed in any time */

/* Hardly any shortlist has a smaller share of all positions: 0.02 to 0.3 in recorded races. */
static const double tuned_least_listed = 0.02;

/* Shortlists that are tried, the widest first, in rolls. */
static const double tuned_deltas[] = {0.3, 0.16, 0.08, 0.04, 0.02, 0.01, 0.003, 0};

static const double tuned_first_proof = 0.1; /* seconds of the first proof in the search for a verdict */

/* Rolls to the first checker off: where it takes no more, nearly every play saves the gammon as soon. */
static const double tuned_soon_off = 1.5;

/* ------------------------------------------------------------------ clocks of a side that cannot be listed */

/* Exceed the budget if that makes all home positions fit: by this for one side, by this for both, never by more. */
static const double tuned_little_more = 1.5, tuned_for_both = 2, tuned_in_excess = 3;
static const double tuned_most_of_both = 0.75; /* greatest share of states of a side that is exact */

/* The first step is always done; the others if they do not exceed the seconds and earlier steps left time. */
static const double tuned_clock_steps[] = {0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000};

/* Of a common processor: for each roll of a clock of a state, and for each of a way to play.  Of more states than
 * tuned_many_states each takes longer, since they lead to more, and no longer fit into its caches: by this power of
 * their number. */
static const double tuned_seconds_of_clock = 8e-8, tuned_seconds_of_way = 4e-8, tuned_many_states = 1e5,
                    tuned_longer_states = 0.37;
static const double tuned_share_of_clocks = 0.9, tuned_share_of_ways = 0.3; /* coarse clocks cost most accuracy */
static const double tuned_share_of_search = 0.15; /* to search for rules with few enough states */

static const double tuned_growth_apart = 0.05; /* least difference in growth between two ways */
static const double tuned_hardly_a_way = 1e-4; /* less likely events get no way of their own, */
static const double tuned_likely_a_way = 0.1;  /* and likelier ones get one even if time has run out */
static const double tuned_growth_to_save = 4;
static const double tuned_least_growth = 0.2, tuned_most_growth = 2, tuned_tiny_chance = 1e-9;

/* ------------------------------------------------------------------ one side by itself */

/* Exactly or turn by turn, as far as it is quick.  Followed sides: 14 of 92 to 210 pips, 29 November 2026. */
enum {
    TUNED_FEW_ALONE = 10,          /* checkers at home, which are solved by themselves: 8,008 positions */
    TUNED_QUICK_BYTES = 32 << 20,  /* of a layer, beside the home board */
    TUNED_CARRIED_BYTES = 16,      /* for each position, where the probability may come by */
    TUNED_FOLLOWED = 1000,         /* positions of which every good result is compared */
    TUNED_FOLLOWED_IN_LAYER = 500, /* positions that stay after each turn if there are more: with 3,000 the mean is no
                                    * closer, in six times as long */
};

/* Waste by pips, and the variance of the number of rolls by its mean: of both sides of every eighth recorded race, each
 * by itself, smoothed by hand.  24 November 2026. */
static const double tuned_usual_waste[][2] = {{1, 6.2},   {3, 8.0},   {6, 11.0},  {10, 13.0}, {15, 14.0}, {30, 13.8},
                                              {40, 13.4}, {50, 12.2}, {60, 11.0}, {80, 9.0},  {100, 8.0}, {130, 7.5}};
static const double tuned_usual_variance[][2] = {
    {1, 0},    {1.3, 0.2}, {2, 0.28},  {3, 0.36}, {4, 0.46},  {5, 0.61},    {6, 0.77}, {7, 0.93}, {8, 1.14},
    {9, 1.39}, {10, 1.7},  {11, 2.05}, {12, 2.4}, {13, 2.73}, {15.4, 3.46}, {60, 15.8}}; /* as one checker's spreads */
static const double tuned_least_deviation = 0.02;

/* ------------------------------------------------------------------ words */

static const double tuned_far_moved = 0.03; /* chance that a race is moved by, and still close */
static const double tuned_least_from = 0.05, tuned_most_from = 0.6; /* takers' chances to draw a line from */
static const double tuned_max_moved = 40;                           /* pips */

/* Smaller values are not mentioned: pips, rolls, and the chance to win that a term contributes. */
static const double tuned_few_pips = 1.5, tuned_few_rolls = 0.05, tuned_few_chances = 0.01, tuned_many_chances = 0.02;
static const double tuned_great_chances = 0.04;  /* contributions of dice or play, beside those of the race */
static const double tuned_hair = 0.0005;         /* chances that would print alike */
static const double tuned_even_points = 0.00005; /* points that would print as 0.0000 */
static const double tuned_plain_points = 0.02;   /* points of a margin that is too large for a tie to be near */
static const double tuned_plain_share = 0.25;    /* of a straight line's distance to the tie, which is then the least */
static const double tuned_decided = 0.01;        /* chance of the side that has all but lost */
static const double tuned_alike_pips = 0.05;     /* smaller values print as 0 */
static const double tuned_ample_pips = 0.5;      /* of EPC: differences that need no other reason */
static const double tuned_alike_chances = 0.001; /* chances that print alike */
