/* Pairs of positions at home, looked up in a database.
 *
 * With fewer than 15 checkers a side no gammon is possible, so all rules of money agree, tables with and without
 * gammons are the same, and the cubeless equity gives the chance to win. */

#include "turns/stored_pairs.h"

#include "base/threads.h"
#include "base/try.h"
#include "probe/open.h"
#include "turns/pairs.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TABLE_CHECKERS = BGR_MAX_CHECKERS - 1 };

/* List the file's indices of positions on six points. */
static bgr_status list_indices(bgr_stored *stored)
{
    bgr_space six;
    int8_t counts[BGR_MAX_POINTS] = {0};
    BGR_TRY(bgr_space_init(BGR_HOME_POINTS, stored->checkers, &six));
    stored->index = malloc((size_t)six.size * sizeof *stored->index);
    if (!stored->index)
        return BGR_ERR_MEMORY;
    for (int64_t k = 0; k < six.size; k++) {
        bgr_position(&six, k, counts);
        int64_t index = 0;
        BGR_TRY(bgr_index(&stored->tables->space, counts, &index));
        stored->index[k] = (int32_t)index;
    }
    return BGR_OK;
}

bgr_status bgr_stored_open(const bgr_db *db, bgr_stored *stored)
{
    memset(stored, 0, sizeof *stored);
    if (!db)
        return BGR_OK;
    for (int k = 0; k < bgr_n_files(db); k++) {
        const bgr_tables *tables = bgr_tables_of(db, k);
        int in_place = bgr_tables_in_place(tables), checkers = tables->info.two_sided_checkers;
        if (tables->info.approximate || tables->info.points < BGR_HOME_POINTS || checkers < 1 ||
            in_place < stored->in_place || (in_place == stored->in_place && checkers <= stored->checkers))
            continue;
        *stored = (bgr_stored){.tables = tables, .checkers = checkers, .in_place = in_place};
    }
    if (!stored->tables)
        return BGR_ERR_COVERAGE;
    if (stored->checkers > MAX_TABLE_CHECKERS)
        stored->checkers = MAX_TABLE_CHECKERS;
    return stored->tables->info.points == BGR_HOME_POINTS ? BGR_OK : list_indices(stored);
}

void bgr_stored_close(bgr_stored *stored)
{
    free(stored->index);
    stored->index = NULL;
}

int bgr_stored_work(const bgr_stored *stored) { return stored->in_place ? TUNED_WORK_IN_PLACE : TUNED_WORK_ELSEWHERE; }

int bgr_stored_find(bgr_stored *stored, const bgr_planes *planes)
{
    if (!stored->tables || planes->match)
        return 0;
    stored->n_planes = planes->n;
    stored->cube[0][BGR_PLANE_WIN] = stored->cube[1][BGR_PLANE_WIN] = BGR_CUBE_NONE;
    for (int cube = 0; cube < BGR_N_CUBES; cube++) {
        int plane = planes->place[cube].now.plane;
        stored->cube[0][plane] = (bgr_cube)cube;
        stored->cube[1][plane] = bgr_cube_of_other((bgr_cube)cube);
    }
    return stored->checkers;
}

void bgr_stored_values(void *context, int first, int32_t on_roll, const int32_t *opponent, int m, double *values)
{
    bgr_stored *stored = context;
    for (int j = 0; j < m; j++) {
        int64_t mine = stored->index ? stored->index[on_roll] : on_roll,
                theirs = stored->index ? stored->index[opponent[j]] : opponent[j];
        bgr_equities equities = {0};
        /* A pair without checkers is not a game: leave zeros. */
        if (mine | theirs) {
            bgr_pair pair = bgr_tables_pair(stored->tables, mine, theirs);
            bgr_status status = bgr_tables_equities(stored->tables, &pair, &equities);
            if (status != BGR_OK)
                bgr_write(&stored->status, (int64_t)status); /* several threads may fail */
        }
        const double value[] = {[BGR_CUBE_NONE] = equities.cubeless,
                                [BGR_CUBE_CENTERED] = equities.centered_roll,
                                [BGR_CUBE_MINE] = equities.mine_roll,
                                [BGR_CUBE_THEIRS] = equities.theirs};
        for (int plane = 0; plane < stored->n_planes; plane++)
            *values++ = value[stored->cube[first][plane]];
    }
}
