/* Without 15 checkers on a side nobody can lose a gammon, so all rules of money agree, a table of either kind will do,
 * and the chance to win is in the cubeless equity. */

#include "turns/stored.h"

#include "probe/open.h"

#include <stdlib.h>
#include <string.h>

enum { SIX_POINTS = 6, MOST_CHECKERS = BGR_MAX_CHECKERS - 1 };
enum { CUBELESS, CENTERED, MINE, THEIRS };
enum { WORK_IN_PLACE = 8, WORK_ELSEWHERE = 400 }; /* of a look-up, in row operations */

/* Where the file's own indices of positions on six points are. */
static bgr_status list_indices(int points, bgr_stored *stored)
{
    bgr_space six, own;
    int8_t counts[BGR_MAX_POINTS] = {0};
    bgr_status status = bgr_space_init(SIX_POINTS, stored->checkers, &six);
    if (status == BGR_OK)
        status = bgr_space_init(points, stored->checkers, &own);
    if (status != BGR_OK)
        return status;
    stored->index = malloc((size_t)six.size * sizeof *stored->index);
    if (!stored->index)
        return BGR_ERR_MEMORY;
    for (int64_t k = 0; k < six.size && status == BGR_OK; k++) {
        bgr_position(&six, k, counts);
        int64_t index = 0;
        status = bgr_index(&own, counts, &index);
        stored->index[k] = (int32_t)index;
    }
    return status;
}

bgr_status bgr_stored_open(const bgr_db *db, bgr_stored *stored)
{
    bgr_status status = BGR_ERR_COVERAGE;
    int points = 0;
    memset(stored, 0, sizeof *stored);
    if (!db)
        return BGR_OK;
    for (int k = 0; k < bgr_n_files(db); k++) {
        bgr_info info;
        bgr_match match;
        if (bgr_file_info(db, k, &info) != BGR_OK || info.approximate || info.points < SIX_POINTS ||
            info.two_sided_checkers < 1)
            continue;
        if (bgr_file_match(db, k, &match) == BGR_OK) {
            status = BGR_ERR_SCORE;
            continue;
        }
        int in_place = bgr_file_in_place(db, k);
        if (in_place < stored->in_place ||
            (in_place == stored->in_place && info.two_sided_checkers <= stored->checkers))
            continue;
        stored->file = k;
        stored->checkers = info.two_sided_checkers;
        stored->in_place = in_place;
        points = info.points;
    }
    if (!stored->checkers)
        return status;
    if (stored->checkers > MOST_CHECKERS)
        stored->checkers = MOST_CHECKERS;
    stored->db = db;
    return points == SIX_POINTS ? BGR_OK : list_indices(points, stored);
}

void bgr_stored_close(bgr_stored *stored)
{
    free(stored->index);
    stored->index = NULL;
}

int bgr_stored_work(const bgr_stored *stored) { return stored->in_place ? WORK_IN_PLACE : WORK_ELSEWHERE; }

int bgr_stored_find(bgr_stored *stored, const bgr_planes *planes, unsigned followers)
{
    static const int of_cube[BGR_N_CUBES] = {
        [BGR_CUBE_NONE] = CUBELESS, [BGR_CUBE_CENTERED] = CENTERED, [BGR_CUBE_MINE] = MINE, [BGR_CUBE_THEIRS] = THEIRS};
    if (!stored->db || planes->match)
        return 0;
    stored->n_planes = planes->n;
    stored->n_followers = 0;
    for (int k = 0; k < BGR_N_FOLLOWERS; k++)
        stored->n_followers += (int)(followers >> k & 1);
    stored->place[0][BGR_PLANE_WIN] = stored->place[1][BGR_PLANE_WIN] = CUBELESS;
    for (int cube = 0; cube < BGR_N_CUBES; cube++) {
        int plane = planes->place[cube].now.plane, value = of_cube[cube];
        stored->place[0][plane] = value;
        stored->place[1][plane] = value == MINE ? THEIRS : value == THEIRS ? MINE : value;
    }
    return stored->checkers;
}

/* Any of several threads may be the first to fail. */
static void note(bgr_stored *stored, bgr_status status)
{
#ifdef __GNUC__
    __atomic_store_n(&stored->status, status, __ATOMIC_RELAXED);
#else
    *(volatile bgr_status *)&stored->status = status;
#endif
}

bgr_status bgr_stored_status(bgr_stored *stored) { return stored->status; }

void bgr_stored_values(void *context, int first, const int32_t *on_roll, int n, const int32_t *opponent, int m,
                       double *values)
{
    bgr_stored *stored = context;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int64_t mine = stored->index ? stored->index[on_roll[i]] : on_roll[i],
                    theirs = stored->index ? stored->index[opponent[j]] : opponent[j];
            bgr_equities found = {0};
            /* Both without checkers: the value of no game, which nobody asks for. */
            if (mine | theirs) {
                bgr_status status = bgr_probe_equities_at(stored->db, stored->file, mine, theirs, &found);
                if (status != BGR_OK)
                    note(stored, status);
            }
            const double value[] = {[CUBELESS] = found.cubeless,
                                    [CENTERED] = found.centered_roll,
                                    [MINE] = found.mine_roll,
                                    [THEIRS] = found.theirs};
            for (int plane = 0; plane < stored->n_planes; plane++)
                *values++ = value[stored->place[first][plane]];
            for (int k = 0; k < stored->n_followers; k++)
                *values++ = 0;
        }
}
