/* Ask a question: try each method in turn until one has an answer. */

#include "answer/answer.h"
#include "answer/state.h"
#include "answer/ways.h"
#include "base/try.h"

#include <math.h>
#include <stdlib.h>

static int is_over(const bgr_asked *asked)
{
    return !bgr_question_highest(asked->counts[0]) || !bgr_question_highest(asked->counts[1]);
}

/* Answer a finished game: its value is the payoff. */
static bgr_status answer_finished(bgr_question *q, bgr_answer **answer)
{
    bgr_answer *fresh = calloc(1, sizeof *fresh);
    int loser = !bgr_question_highest(q->asked.counts[0]), loss = q->asked.loses[loser];
    bgr_status status =
        fresh ? bgr_planes_of_stakes(&q->asked.stakes, BGR_LOST_BACKGAMMON, &fresh->planes) : BGR_ERR_MEMORY;
    if (status == BGR_OK) {
        bgr_answer_begin(&q->asked, fresh);
        fresh->over = 1;
        fresh->worst_loss = BGR_LOST_BACKGAMMON;
        fresh->info =
            (bgr_answer_info){.way = BGR_ALL_PAIRS, .exact = 1, .delta = INFINITY, .positions = {1, 1}, .pairs = 1};
        fresh->chances = bgr_chances_of_end(loser, loss);
        for (int k = 0; k < fresh->planes.n; k++)
            fresh->now[k] = (loser ? 1 : -1) * fresh->planes.plane[k].win[loss][!loser];
    }
    BGR_HAND_OVER(status, fresh, answer, bgr_answer_free);
}

static int wants_estimate(const bgr_asked *asked) { return asked->options.way == BGR_ESTIMATE; }

static int may_look_up(const bgr_asked *asked)
{
    return asked->options.way == BGR_ANY_WAY && asked->options.exactness == 0 && asked->options.least_gain == 0;
}

static int may_list_pairs(const bgr_asked *asked)
{
    return may_look_up(asked) || asked->options.way == BGR_FEW_PAIRS || asked->options.way == BGR_ALL_PAIRS;
}

static int may_go_by_turns(const bgr_asked *asked) { return asked->options.way != BGR_FEW_PAIRS; }

/* In order; a method that cannot answer leaves *answer NULL. */
static const struct {
    int (*may)(const bgr_asked *asked);
    bgr_status (*answer)(bgr_question *q, bgr_answer **answer);
} methods[] = {{is_over, answer_finished},         {wants_estimate, bgr_answer_by_estimate},
               {may_look_up, bgr_answer_by_table}, {may_list_pairs, bgr_answer_by_pairs},
               {may_look_up, bgr_answer_by_file},  {may_go_by_turns, bgr_answer_by_turns}};

/* Read the options that only answers use: the way, the first roll, and for money the database. */
static bgr_status read_choices(bgr_question *q)
{
    const bgr_solve_options *o = &q->asked.options;
    q->pairs = (bgr_pairs_options){
        .planes = &q->planes, .parallel = o->parallel, .progress = o->progress, .context = o->progress_context};
    int larger = o->dice[0] > o->dice[1] ? o->dice[0] : o->dice[1];
    int smaller = o->dice[0] > o->dice[1] ? o->dice[1] : o->dice[0];
    if (!(o->least_gain >= 0) || (o->least_gain > 0 && o->exactness != 0) || (int)o->way < 0 || o->way > BGR_ESTIMATE ||
        o->way == BGR_FROM_FILE)
        return BGR_ERR_SIZE;
    if ((larger || smaller) && (smaller < 1 || larger > 6))
        return BGR_ERR_ROLL;
    q->asked.first_roll = larger ? larger * (larger - 1) / 2 + smaller : 0; /* the order of bgr_rolls, from 1 */
    if (o->rolls)
        q->asked.first_roll = BGR_EVERY_FIRST_ROLL;
    return q->asked.stakes.match ? BGR_OK : bgr_stored_open(o->database, &q->known.stored);
}

bgr_status bgr_ask(const bgr_solver *solver, int points, const int8_t *on_roll, const int8_t *opponent,
                   const bgr_stakes *stakes, const bgr_solve_options *options, bgr_answer **answer)
{
    bgr_question q = {.solver = solver, .asked.may_be_over = 1};
    *answer = NULL;
    bgr_status status = bgr_asked_read(points, on_roll, opponent, stakes, options, &q.asked);
    if (status == BGR_OK)
        status = read_choices(&q);
    for (size_t k = 0; status == BGR_OK && !*answer && k < sizeof methods / sizeof *methods; k++)
        if (methods[k].may(&q.asked))
            status = methods[k].answer(&q, answer);
    bgr_question_forget(&q);
    if (*answer)
        bgr_leave_out_gammons(*answer, &(*answer)->chances);
    return status == BGR_OK && !*answer ? BGR_ERR_COVERAGE : status;
}
