/* Without 15 checkers on a side nobody can lose a gammon, so all rules of money agree, a table of either kind will do,
 * and the chance to win is in the cubeless equity. */

#include "turns/stored.h"

#include <string.h>

enum { SIX_POINTS = 6, MOST_CHECKERS = BGR_MAX_CHECKERS - 1, MOST_PAIRS = 256 };
enum { CUBELESS, CENTERED, MINE, THEIRS };

bgr_status bgr_stored_open(const bgr_db *db, bgr_stored *stored)
{
    bgr_status status = BGR_ERR_COVERAGE;
    memset(stored, 0, sizeof *stored);
    if (!db)
        return BGR_OK;
    for (int k = 0; k < bgr_n_files(db); k++) {
        bgr_info info;
        bgr_match match;
        if (bgr_file_info(db, k, &info) != BGR_OK || info.points < SIX_POINTS || info.two_sided_checkers < 1)
            continue;
        if (bgr_file_match(db, k, &match) == BGR_OK)
            status = BGR_ERR_SCORE;
        else if (info.two_sided_checkers > stored->checkers)
            stored->checkers = info.two_sided_checkers;
    }
    if (!stored->checkers)
        return status;
    if (stored->checkers > MOST_CHECKERS)
        stored->checkers = MOST_CHECKERS;
    stored->db = db;
    return bgr_space_init(SIX_POINTS, stored->checkers, &stored->six);
}

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
    int8_t mine[MOST_PAIRS * SIX_POINTS], theirs[MOST_PAIRS * SIX_POINTS], *from, *to;
    bgr_equities found[MOST_PAIRS];
    int64_t n_done, n_pairs = (int64_t)n * m, n_lines = stored->n_planes + stored->n_followers;
    memset(values, 0, (size_t)(n_pairs * n_lines) * sizeof *values);
    for (int64_t pair = 0; pair < n_pairs;) {
        int k = 0;
        for (; k < MOST_PAIRS && pair + k < n_pairs; k++) {
            int64_t i = (pair + k) / m, j = (pair + k) % m;
            from = mine + (ptrdiff_t)k * SIX_POINTS;
            to = theirs + (ptrdiff_t)k * SIX_POINTS;
            if (k && j)
                memcpy(from, from - SIX_POINTS, SIX_POINTS);
            else
                bgr_position(&stored->six, on_roll[i], from);
            if (k >= m)
                memcpy(to, to - (ptrdiff_t)m * SIX_POINTS, SIX_POINTS);
            else
                bgr_position(&stored->six, opponent[j], to);
        }
        /* Both without checkers: the value of no game, which nobody asks for. */
        for (int done = 0; done < k; done += (int)n_done + 1) {
            bgr_status status =
                bgr_probe_equities_batch(stored->db, SIX_POINTS, mine + (ptrdiff_t)done * SIX_POINTS,
                                         theirs + (ptrdiff_t)done * SIX_POINTS, k - done, found + done, &n_done);
            if (status == BGR_OK)
                break;
            memset(&found[done + n_done], 0, sizeof *found);
            if (status != BGR_ERR_POSITION)
                note(stored, status);
        }
        for (int at = 0; at < k; at++, pair++, values += n_lines) {
            const double value[] = {[CUBELESS] = found[at].cubeless,
                                    [CENTERED] = found[at].centered_roll,
                                    [MINE] = found[at].mine_roll,
                                    [THEIRS] = found[at].theirs};
            for (int plane = 0; plane < stored->n_planes; plane++)
                values[plane] = value[stored->place[first][plane]];
        }
    }
}
