/* Answer a race by solving all pairs that its sides can reach, if these are few enough. */

#include "answer/ways.h"

#include "answer/answer.h"
#include "answer/plan.h"
#include "answer/state.h"
#include "answer/verdict.h"
#include "base/try.h"

#include <math.h>
#include <stdlib.h>

/* The planes to solve, the positions of both sides, and how to solve their pairs. */
typedef struct {
    bgr_planes planes;
    int gammons; /* whether gammons can happen, and count */
    bgr_sides sides;
    bgr_plan plan;
} pairs_question;

/* Set *wanted to 1 if all pairs are to be solved, to 0 if by_turns.c is to answer. */
static bgr_status choose_pairs(const bgr_asked *asked, pairs_question *p, int *wanted)
{
    const bgr_solve_options *options = &asked->options;
    int if_few = options->way == BGR_ANY_WAY || options->way == BGR_FEW_PAIRS;
    int full = bgr_worst_loss(asked) >= BGR_LOST_GAMMON;
    *wanted = 0;
    BGR_TRY(bgr_planes_of_stakes(&asked->stakes, full ? BGR_LOST_GAMMON : BGR_LOST_SINGLE, &p->planes));
    p->gammons = full && asked->stakes.gammons;
    /* Few by counted work, not by time.  Only answers by turns know backgammons. */
    int few = !if_few;
    if (if_few && !(asked->stakes.gammons && bgr_worst_loss(asked) == BGR_LOST_BACKGAMMON))
        BGR_TRY(bgr_pairs_are_few(asked->counts[0], asked->counts[1], p->planes.n + (p->gammons ? 2 : 0),
                                  options->seconds, &few));
    bgr_status status = few ? bgr_sides_init(asked->counts, &p->sides) : BGR_ERR_SIZE;
    if (if_few && status == BGR_ERR_SIZE)
        return BGR_OK;
    BGR_TRY(status);
    bgr_plan_make(&p->planes, p->gammons, &p->sides.size, &p->plan);
    double bytes = p->sides.graph_bytes + p->plan.bytes, most = (double)options->memory_bytes;
    if (options->needs && !if_few)
        *options->needs = (bgr_needs){{p->sides.side[0].n, p->sides.side[1].n}, bytes, p->plan.n_planes};
    *wanted = bytes <= (if_few ? fmin(most, tuned_max_pair_bytes) : most);
    if (*wanted)
        return bgr_sides_list(&p->sides);
    return if_few ? BGR_OK : BGR_ERR_MEMORY;
}

/* Read the values of rolling now, and find the chances from those without a cube. */
static bgr_status read_values_of_pair(bgr_answer *answer)
{
    const bgr_planes *planes = &answer->planes;
    bgr_chances *chances = &answer->chances;
    bgr_status status =
        bgr_all_pairs_values(answer->pairs.all, answer->pairs.side, answer->counts[0], answer->counts[1], answer->now);
    chances->win = chances->cubeless_win = (1 + answer->now[BGR_PLANE_WIN]) / 2;
    chances->win_gammon = chances->lose_gammon = chances->win_backgammon = chances->lose_backgammon = 0;
    int mine = answer->opponent_loss >= BGR_LOST_GAMMON, theirs = bgr_loss_of(answer->counts[0]) >= BGR_LOST_GAMMON;
    if (!answer->rules.gammons || !(mine || theirs))
        return status;
    if (answer->opponent_loss == BGR_LOST_BACKGAMMON) /* only answers by turns know its chance */
        chances->win_backgammon = NAN;
    if (bgr_loss_of(answer->counts[0]) == BGR_LOST_BACKGAMMON)
        chances->lose_backgammon = NAN;
    double win = answer->now[BGR_PLANE_WIN];
    chances->win_gammon = mine ? fabs(answer->now[planes->n + answer->pairs.side] - win) : 0;
    chances->lose_gammon = theirs ? fabs(answer->now[planes->n + !answer->pairs.side] - win) : 0;
    return status;
}

static bgr_status values_of_pairs(const bgr_answer *answer, const int8_t *counts, double *values)
{
    return bgr_all_pairs_values(answer->pairs.all, !answer->pairs.side, answer->counts[1], counts, values);
}

static bgr_status chances_of_pairs(const bgr_answer *answer, const int8_t *counts, bgr_chances *chances)
{
    bgr_answer *next;
    BGR_TRY(bgr_answer_follow(answer, BGR_MAX_POINTS, answer->counts[1], counts, 1, &next));
    *chances = bgr_chances_of_other(&next->chances);
    bgr_answer_free(next);
    return BGR_OK;
}

static void hold_pairs(const bgr_answer *answer) { bgr_all_pairs_hold(answer->pairs.all); }
static void release_pairs(const bgr_answer *answer) { bgr_all_pairs_release(answer->pairs.all); }

static const bgr_answer_ops pairs_ops = {values_of_pairs, chances_of_pairs, hold_pairs, release_pairs};

static bgr_status solve_all(const bgr_asked *asked, pairs_question *p, bgr_answer *answer)
{
    const bgr_solve_options *options = &asked->options;
    const bgr_resources resources = bgr_resources_of(options);
    answer->planes = p->planes;
    answer->worst_loss = bgr_worst_loss(asked) >= BGR_LOST_GAMMON ? BGR_LOST_GAMMON : BGR_LOST_SINGLE;
    bgr_answer_begin(asked, answer);
    answer->info.way = BGR_ALL_PAIRS;
    answer->ops = &pairs_ops;
    BGR_TRY(bgr_all_pairs_new(&p->sides, &p->plan, &resources, &answer->pairs.all));
    answer->info.exact = 1;
    answer->info.delta = INFINITY;
    for (int side = 0; side < 2; side++)
        answer->info.positions[side] = p->sides.side[side].n;
    answer->info.pairs = 2 * answer->info.positions[0] * answer->info.positions[1];
    return read_values_of_pair(answer);
}

bgr_status bgr_answer_by_pairs(bgr_question *q, bgr_answer **answer)
{
    int wanted;
    pairs_question *p = calloc(1, sizeof *p);
    bgr_answer *fresh = calloc(1, sizeof *fresh);
    bgr_status status = p && fresh ? choose_pairs(&q->asked, p, &wanted) : BGR_ERR_MEMORY;
    if (status == BGR_OK && wanted)
        status = solve_all(&q->asked, p, fresh);
    if (status == BGR_OK && wanted)
        *answer = fresh;
    else
        bgr_answer_free(fresh);
    if (p)
        bgr_sides_free(&p->sides);
    free(p);
    return status;
}

bgr_status bgr_answer_follow(const bgr_answer *answer, int points, const int8_t *on_roll, const int8_t *opponent,
                             int swapped, bgr_answer **followed)
{
    *followed = NULL;
    if (!answer->pairs.all)
        return BGR_ERR_COVERAGE;
    bgr_answer *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return BGR_ERR_MEMORY;
    *fresh = *answer;
    fresh->ops->hold(fresh);
    bgr_status status = bgr_question_position(points, on_roll, fresh->counts[0]);
    if (status == BGR_OK)
        status = bgr_question_position(points, opponent, fresh->counts[1]);
    int mine = bgr_question_highest(fresh->counts[0]), theirs = bgr_question_highest(fresh->counts[1]);
    if (status == BGR_OK && !mine && !theirs)
        status = BGR_ERR_POSITION;
    fresh->over = !mine || !theirs;
    if (swapped && status == BGR_OK) {
        bgr_planes *planes = &fresh->planes;
        bgr_places_of_other(&answer->planes, planes->place);
        memcpy(planes->pays[0], answer->planes.pays[1], sizeof planes->pays[0]);
        memcpy(planes->pays[1], answer->planes.pays[0], sizeof planes->pays[1]);
        planes->won = planes->total - answer->planes.lost;
        planes->lost = planes->total - answer->planes.won;
        fresh->pairs.side = !answer->pairs.side;
    }
    fresh->opponent_loss = bgr_loss_of(fresh->counts[1]);
    if (status == BGR_OK)
        status = read_values_of_pair(fresh);
    BGR_HAND_OVER(status, fresh, followed, bgr_answer_free);
}
