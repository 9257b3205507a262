/* Questions: reading the arguments, and freeing what was found. */

#include "turns/question.h"

#include "base/sized.h"
#include "base/try.h"

#include <math.h>
#include <string.h>

static const double default_seconds = 1;
static const int64_t default_memory = (int64_t)1 << 30;

bgr_status bgr_question_position(int points, const int8_t *from, int8_t *counts)
{
    if (points < 1 || points > BGR_MAX_POINTS)
        return BGR_ERR_POINTS;
    if (bgr_checked_checkers(points, from) < 0)
        return BGR_ERR_POSITION;
    memset(counts, 0, BGR_MAX_POINTS);
    memcpy(counts, from, (size_t)points);
    return BGR_OK;
}

static bgr_status read_options(const bgr_solve_options *options, bgr_solve_options *read)
{
    memset(read, 0, sizeof *read);
    if (options)
        BGR_TRY(bgr_take_sized(options, read, sizeof *read));
    if (!(read->seconds >= 0) || isinf(read->seconds) || read->memory_bytes < 0 ||
        !(read->exactness >= 0 || read->exactness == BGR_BEST_BY_MEAN) ||
        (read->parallel && (!read->parallel->run || read->parallel->n_workers < 1)))
        return BGR_ERR_SIZE;
    if (read->seconds == 0)
        read->seconds = default_seconds;
    if (read->memory_bytes == 0)
        read->memory_bytes = default_memory;
    return BGR_OK;
}

/* Stop if another thread has set `stop`, else call the caller's progress. */
static int tell_or_stop(void *context, double done)
{
    const bgr_asked *asked = context;
#ifdef __GNUC__
    int stop = __atomic_load_n(asked->options.stop, __ATOMIC_RELAXED);
#else
    int stop = *asked->options.stop;
#endif
    return stop || (asked->progress && asked->progress(asked->context, done));
}

bgr_status bgr_asked_read(int points, const int8_t *on_roll, const int8_t *opponent, const bgr_stakes *stakes,
                          const bgr_solve_options *options, bgr_asked *asked)
{
    BGR_TRY(read_options(options, &asked->options));
    BGR_TRY(bgr_stakes_read(stakes, &asked->stakes));
    if (asked->options.stop) {
        asked->progress = asked->options.progress;
        asked->context = asked->options.progress_context;
        asked->options.progress = tell_or_stop;
        asked->options.progress_context = asked;
        if (tell_or_stop(asked, 0))
            return BGR_ERR_STOPPED;
    }
    BGR_TRY(bgr_question_position(points, on_roll, asked->counts[0]));
    BGR_TRY(bgr_question_position(points, opponent, asked->counts[1]));
    int mine = bgr_question_highest(asked->counts[0]), theirs = bgr_question_highest(asked->counts[1]);
    if (asked->may_be_over ? !mine && !theirs : !mine || !theirs)
        return BGR_ERR_POSITION;
    if (mine + theirs > BGR_MAX_POINTS)
        return BGR_ERR_CONTACT;
    for (int side = 0; side < 2; side++)
        asked->loses[side] = bgr_loss_of(asked->counts[side]);
    return BGR_OK;
}

bgr_status bgr_question_planes(bgr_question *q)
{
    static const unsigned to_lose[2][BGR_N_LOSSES] = {
        {0, 1u << BGR_GAMMON_SECOND, 1u << BGR_GAMMON_SECOND | 1u << BGR_BACKGAMMON_SECOND},
        {0, 1u << BGR_GAMMON_FIRST, 1u << BGR_GAMMON_FIRST | 1u << BGR_BACKGAMMON_FIRST}};
    q->pairs.followers = to_lose[0][q->asked.loses[0]] | to_lose[1][q->asked.loses[1]];
    return bgr_planes_of_stakes(&q->asked.stakes, bgr_worst_loss(&q->asked), &q->planes);
}

void bgr_question_forget(bgr_question *q)
{
    bgr_stored_close(&q->known.stored);
    for (int side = 0; side < 2; side++) {
        bgr_reach_free(q->reach[side]);
        bgr_candidates_free(q->candidates[side]);
        q->reach[side] = NULL;
        q->candidates[side] = NULL;
    }
    bgr_pair_table_free(q->known.own_table);
    q->known.own_table = NULL;
}
