#include "turns/question.h"

#include "base/try.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const double default_seconds = 1;
static const int64_t default_memory = (int64_t)1 << 30;

bgr_status bgr_question_position(int points, const int8_t *from, int8_t *counts)
{
    int checkers = 0;
    memset(counts, 0, BGR_MAX_POINTS);
    for (int j = 0; j < points; j++) {
        if (from[j] < 0 || (checkers += from[j]) > BGR_MAX_CHECKERS)
            return BGR_ERR_POSITION;
        counts[j] = from[j];
    }
    return BGR_OK;
}

int bgr_question_highest(const int8_t *counts)
{
    int point = BGR_MAX_POINTS;
    while (point && !counts[point - 1])
        point--;
    return point;
}

int bgr_question_loss(const int8_t *counts)
{
    int checkers = 0;
    for (int j = 0; j < BGR_MAX_POINTS; j++)
        checkers += counts[j];
    if (checkers < BGR_MAX_CHECKERS)
        return BGR_LOST_SINGLE;
    return bgr_question_highest(counts) > 18 ? BGR_LOST_BACKGAMMON : BGR_LOST_GAMMON;
}

static bgr_status read_options(const bgr_solve_options *options, bgr_solve_options *read)
{
    memset(read, 0, sizeof *read);
    if (options) {
        size_t least = offsetof(bgr_solve_options, dice) + sizeof options->dice; /* the first that there was */
        int ends_within_a_member = options->size < sizeof *read && options->size % _Alignof(bgr_solve_options) != 0;
        if (options->size < least || ends_within_a_member)
            return BGR_ERR_SIZE;
        memcpy(read, options, options->size < sizeof *read ? options->size : sizeof *read);
    }
    if (!(read->seconds >= 0) || isinf(read->seconds) || read->memory_bytes < 0 || isnan(read->exactness) ||
        !(read->least_gain >= 0) || (int)read->way < 0 || read->way > BGR_ESTIMATE ||
        (read->parallel && (!read->parallel->run || read->parallel->n_workers < 1)))
        return BGR_ERR_SIZE;
    if (read->dice[0] || read->dice[1])
        for (int k = 0; k < 2; k++)
            if (read->dice[k] < 1 || read->dice[k] > 6)
                return BGR_ERR_ROLL;
    if (read->seconds == 0)
        read->seconds = default_seconds;
    if (read->memory_bytes == 0)
        read->memory_bytes = default_memory;
    return BGR_OK;
}

/* Those that the cube can come to from one place. */
static bgr_status hold_planes(const bgr_planes *planes, bgr_cube cube, bgr_held *held)
{
    int first = (int)cube < 0 || cube >= BGR_N_CUBES ? -1 : planes->place[cube].now.plane;
    if (first < 0)
        return BGR_ERR_STAKES;
    for (int k = 0; k < planes->n; k++)
        held->at[k] = -1;
    held->at[first] = 0;
    held->plane[0] = first;
    held->n_planes = 1;
    for (int k = 0; k < held->n_planes; k++)
        for (int side = 0; side < 2; side++) {
            int turned = planes->plane[held->plane[k]].turned[side];
            if (turned < 0 || held->at[turned] >= 0)
                continue;
            held->at[turned] = held->n_planes;
            held->plane[held->n_planes++] = turned;
        }
    return BGR_OK;
}

bgr_status bgr_question_planes(bgr_question *q)
{
    static const unsigned to_lose[2][BGR_N_LOSSES] = {
        {0, 1u << BGR_GAMMON_SECOND, 1u << BGR_GAMMON_SECOND | 1u << BGR_BACKGAMMON_SECOND},
        {0, 1u << BGR_GAMMON_FIRST, 1u << BGR_GAMMON_FIRST | 1u << BGR_BACKGAMMON_FIRST}};
    int worst = q->loses[0] > q->loses[1] ? q->loses[0] : q->loses[1];
    q->pairs.followers = to_lose[0][q->loses[0]] | to_lose[1][q->loses[1]];
    bgr_status status =
        bgr_planes_of_stakes(q->stakes, worst >= BGR_LOST_GAMMON, worst >= BGR_LOST_BACKGAMMON, &q->planes);
    return status == BGR_OK && q->pairs.held ? hold_planes(&q->planes, q->cube, q->pairs.held) : status;
}

bgr_status bgr_question_read(int points, const int8_t *on_roll, const int8_t *opponent, const bgr_stakes *stakes,
                             const bgr_solve_options *options, bgr_question *q)
{
    if (points < 1 || points > BGR_MAX_POINTS)
        return BGR_ERR_POINTS;
    BGR_TRY(read_options(options, &q->options));
    BGR_TRY(bgr_stored_open(q->options.database, &q->stored));
    BGR_TRY(bgr_question_position(points, on_roll, q->counts[0]));
    BGR_TRY(bgr_question_position(points, opponent, q->counts[1]));
    int mine = bgr_question_highest(q->counts[0]), theirs = bgr_question_highest(q->counts[1]);
    if (!mine || !theirs)
        return BGR_ERR_POSITION;
    if (mine + theirs > BGR_MAX_POINTS)
        return BGR_ERR_CONTACT;
    for (int side = 0; side < 2; side++)
        q->loses[side] = bgr_question_loss(q->counts[side]);
    int larger = q->options.dice[0] > q->options.dice[1] ? q->options.dice[0] : q->options.dice[1];
    int smaller = q->options.dice[0] + q->options.dice[1] - larger;
    q->first_roll = larger ? larger * (larger - 1) / 2 + smaller : 0; /* the order of bgr_roll, from 1 */
    if (q->options.rolls)
        q->first_roll = BGR_EVERY_FIRST_ROLL;
    q->stakes = stakes;
    q->pairs.planes = &q->planes;
    q->pairs.parallel = q->options.parallel;
    q->pairs.progress = q->options.progress;
    q->pairs.context = q->options.progress_context;
    return BGR_OK;
}

void bgr_question_forget(bgr_question *q)
{
    bgr_stored_close(&q->stored);
    for (int side = 0; side < 2; side++) {
        bgr_reach_free(q->reach[side]);
        bgr_candidates_free(q->candidates[side]);
        q->reach[side] = NULL;
        q->candidates[side] = NULL;
    }
    bgr_known_free(q->own_table);
    q->own_table = NULL;
}
