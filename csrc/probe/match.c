/* Pairs at a match score: the file holds the planes of base/stakes.h, in the same order, and for either player the
 * columns of values in which the planes stand.  docs/file-format.md has the layout. */

#include "probe/match.h"

#include "base/bytes.h"
#include "base/stakes.h"
#include "base/try.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLANE_NUMBERS = 12 }; /* six for either player */

static const double SAME = 1e-9; /* to which numbers of planes agree */

struct bgr_cube_states {
    int n;
    double max_value;                  /* no value is farther from 0 */
    int32_t column[2][BGR_MAX_PLANES]; /* of the values, for the first player on roll and the second */
    bgr_cube_state_of_score state[BGR_MAX_SCORE_STATES];
};

static bgr_status read_match_numbers(const bgr_tables *tables, int kind, size_t n, double *numbers)
{
    unsigned char buffer[8];
    for (size_t k = 0; k < n; k++) {
        BGR_TRY(bgr_file_read(&tables->file, tables->table[kind].offset + 8 * k, sizeof buffer, buffer));
        numbers[k] = get_f64(buffer);
    }
    return BGR_OK;
}

/* The score of the file, with its match equity table, which the caller frees. */
static bgr_status read_score_of_file(const bgr_tables *tables, bgr_stakes *stakes, double **met)
{
    size_t n = (size_t)tables->table[BGR_TABLE_PRE_CRAWFORD].shape[0];
    size_t m = (size_t)tables->table[BGR_TABLE_POST_CRAWFORD].shape[1];
    if (n > BGR_MAX_NEEDS || m > BGR_MAX_NEEDS)
        return BGR_ERR_DAMAGED;
    double *numbers = *met = malloc((n * n + 2 * m + 1) * sizeof *numbers);
    if (!numbers)
        return BGR_ERR_MEMORY;
    bgr_status status = read_match_numbers(tables, BGR_TABLE_PRE_CRAWFORD, n * n, numbers);
    if (status == BGR_OK)
        status = read_match_numbers(tables, BGR_TABLE_POST_CRAWFORD, 2 * m, numbers + n * n);
    *stakes = (bgr_stakes){.size = sizeof *stakes,
                           .match = 1,
                           .gammons = tables->info.gammons,
                           .on_roll_needs = tables->match.first_needs,
                           .opponent_needs = tables->match.second_needs,
                           .crawford = tables->match.crawford,
                           .cube_value = 1,
                           .met_length = (int)n,
                           .post_length = (int)m,
                           .pre_crawford = numbers,
                           .post_crawford = numbers + n * n};
    return status;
}

/* A plane as the file says it: win, gammon, turned, factor, offset, passed, for either player. */
static void describe_plane(const bgr_plane *plane, double *numbers)
{
    for (int side = 0; side < 2; side++) {
        *numbers++ = plane->win[BGR_LOST_SINGLE][side];
        *numbers++ = plane->win[BGR_LOST_GAMMON][side];
        *numbers++ = plane->turned[side];
        *numbers++ = plane->factor[side];
        *numbers++ = plane->offset[side];
        *numbers++ = plane->passed[side];
    }
}

/* Hold the planes of the file against those of its score, and see how far from 0 values can be. */
static bgr_status check_planes(const bgr_tables *tables, const bgr_planes *planes, bgr_cube_states *states)
{
    double stored[BGR_MAX_CUBES * PLANE_NUMBERS], due[PLANE_NUMBERS];
    if (planes->n != tables->n_planes)
        return BGR_ERR_DAMAGED;
    BGR_TRY(read_match_numbers(tables, BGR_TABLE_MATCH_PLANES, (size_t)planes->n * PLANE_NUMBERS, stored));
    for (int plane = 0; plane < planes->n; plane++) {
        describe_plane(&planes->plane[plane], due);
        for (int k = 0; k < PLANE_NUMBERS; k++) {
            if (!(fabs(stored[plane * PLANE_NUMBERS + k] - due[k]) <= SAME)) /* NaN too */
                return BGR_ERR_DAMAGED;
            if (k % (PLANE_NUMBERS / 2) < 2)
                states->max_value = fmax(states->max_value, fabs(due[k]));
        }
    }
    return BGR_OK;
}

static bgr_status read_columns(const bgr_tables *tables, bgr_cube_states *states)
{
    unsigned char buffer[4];
    for (int k = 0; k < 2 * tables->n_planes; k++) {
        uint64_t place = tables->table[BGR_TABLE_MATCH_COLUMNS].offset + 4 * (uint64_t)k;
        BGR_TRY(bgr_file_read(&tables->file, place, sizeof buffer, buffer));
        int32_t column = (int32_t)get_u32(buffer);
        states->column[k / tables->n_planes][k % tables->n_planes] = column;
        if (column < 0 || column >= tables->n_values)
            return BGR_ERR_DAMAGED;
    }
    return BGR_OK;
}

bgr_status bgr_tables_add_states(bgr_tables *tables)
{
    bgr_stakes stakes;
    double *met = NULL;
    bgr_planes *planes = malloc(sizeof *planes);
    bgr_cube_states *states = calloc(1, sizeof *states);
    bgr_status status = planes && states ? read_score_of_file(tables, &stakes, &met) : BGR_ERR_MEMORY;
    if (status == BGR_OK) {
        status = bgr_planes_of_score(&stakes, 1, planes, states->state, &states->n);
        status = status == BGR_ERR_STAKES ? BGR_ERR_DAMAGED : status;
    }
    if (status == BGR_OK)
        status = check_planes(tables, planes, states);
    if (status == BGR_OK)
        status = read_columns(tables, states);
    if (status == BGR_OK)
        tables->states = states;
    else
        free(states);
    free(planes);
    free(met);
    return status;
}

int bgr_cube_states_count(const bgr_cube_states *states) { return states->n; }

/* The values of a pair, as they are in the file. */
static bgr_status read_values(const bgr_tables *tables, int64_t on_roll, int64_t opponent, double *values)
{
    unsigned char buffer[8 * 2 * BGR_MAX_CUBES];
    size_t length = 8 * (size_t)tables->n_values;
    uint64_t pair = (uint64_t)tables->rank[on_roll] * (uint64_t)tables->n_match + (uint64_t)tables->rank[opponent];
    uint64_t place = tables->table[BGR_TABLE_MATCH_VALUES].offset + pair * length;
    const unsigned char *p = buffer;
    if (tables->file.bytes)
        p = tables->file.bytes + place;
    else
        BGR_TRY(bgr_file_read(&tables->file, place, length, buffer));
    for (int k = 0; k < tables->n_values; k++) {
        values[k] = get_f64(p + 8 * k);
        if (!(fabs(values[k]) <= tables->states->max_value + SAME)) /* NaN too */
            return BGR_ERR_DAMAGED;
    }
    return BGR_OK;
}

/* The chance of the player on roll, the first or the second. */
static double chance_of(const bgr_cube_states *states, const bgr_view *view, int side, const double *stored)
{
    return (side ? 1 - view->middle : view->middle) + view->scale * stored[states->column[side][view->plane]];
}

bgr_status bgr_tables_match(const bgr_tables *tables, int first_on_roll, int64_t on_roll, int64_t opponent,
                            bgr_match_value *values)
{
    static const bgr_cube seen[2][BGR_N_CUBES] = {
        {BGR_CUBE_NONE, BGR_CUBE_CENTERED, BGR_CUBE_MINE, BGR_CUBE_THEIRS},
        {BGR_CUBE_NONE, BGR_CUBE_CENTERED, BGR_CUBE_THEIRS, BGR_CUBE_MINE},
    };
    double stored[2 * BGR_MAX_CUBES];
    int side = !first_on_roll;
    const bgr_cube_states *states = tables->states;
    BGR_TRY(read_values(tables, on_roll, opponent, stored));
    for (int k = 0; k < states->n; k++) {
        const bgr_cube_state_of_score *state = &states->state[k];
        const bgr_view *turned = &state->place.turned[side];
        bgr_match_value *value = &values[k];
        value->cube_value = state->cube_value;
        value->cube = seen[side][state->cube];
        value->equity = stored[states->column[side][state->place.now.plane]];
        value->no_double = chance_of(states, &state->place.now, side, stored);
        value->may_double = turned->plane >= 0;
        value->double_take = value->may_double ? chance_of(states, turned, side, stored) : 0;
        value->double_pass = !value->may_double ? 0 : side ? 1 - state->lost : state->won;
    }
    return BGR_OK;
}

bgr_status bgr_tables_match_win(const bgr_tables *tables, int64_t on_roll, int64_t opponent, double *win_probability)
{
    double stored[2 * BGR_MAX_CUBES];
    BGR_TRY(read_values(tables, on_roll, opponent, stored));
    double value = stored[tables->states->column[0][BGR_PLANE_WIN]];
    if (!(fabs(value) <= 1 + SAME))
        return BGR_ERR_DAMAGED;
    *win_probability = (1 + value) / 2;
    return BGR_OK;
}
