/* Pairs at a match score.
 *
 * A cube state is a value c and a place.  With R(k) the first player's chance to win the match after winning the game
 * by k points, a state's values v are normalised: the chance is (R(c) + R(-c))/2 + v (R(c) - R(-c))/2.  States with
 * equal values share a plane of the file.  Which plane a state has follows from what the plane says of itself: what a
 * win pays, and where a double leads to.  docs/file-format.md has the layout; bgrace/match/cube_states.py makes the
 * same states. */

#include "probe/match.h"

#include "base/bytes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_NUMBERS = 12 }; /* of a plane: six for either player */

/* Numbers of planes agree to this; where winning and losing differ by less than twice MIN_SCALE, values are chances.
 */
static const double SAME = 1e-9, MIN_SCALE = 1e-5;

/* Where the cube is, seen by the first player. */
typedef enum { NOWHERE, MIDDLE, FIRST, SECOND, N_PLACES } cube_place;

typedef struct {
    int cube_value;
    cube_place place;
    int plane;
    int column[2];    /* of the values, for the first player on roll and the second */
    int turned[2];    /* the state after that player has doubled; -1 if a double is not allowed, or of no use */
    double middle;    /* of the first player's chance, */
    double scale;     /* which is middle + scale * value; the second's is 1 - middle + scale * value */
    double passed[2]; /* that player's chance after a double that is passed */
} cube_state;

struct bgr_cube_states {
    int n;
    int win_column; /* of plane 0, twice the chance to win the game less one */
    double most;    /* no value is farther from 0 */
    cube_state state[BGR_MAX_CUBES];
};

static bgr_status read_number(const bgr_tables *tables, int kind, uint64_t place, double *value)
{
    unsigned char buffer[8];
    bgr_status status = bgr_file_read(&tables->file, tables->table[kind].offset + 8 * place, sizeof buffer, buffer);
    *value = get_f64(buffer);
    if (status == BGR_OK && !(*value >= 0 && *value <= 1)) /* NaN too */
        status = BGR_ERR_DAMAGED;
    return status;
}

/* R(points): the first player's chance after this game, if it is won by so many points; lost, if they are negative. */
static bgr_status chance_after(const bgr_tables *tables, int points, double *chance)
{
    int a = tables->match.first_needs, b = tables->match.second_needs, one_away = a == 1 || b == 1;
    uint64_t n = tables->table[BGR_TABLE_PRE_CRAWFORD].shape[0], m = tables->table[BGR_TABLE_POST_CRAWFORD].shape[1];
    a -= points > 0 ? points : 0;
    b += points < 0 ? points : 0;
    *chance = a <= 0;
    if (a <= 0 || b <= 0)
        return BGR_OK;
    if (!one_away || (a > 1 && b > 1) || a == b)
        return (uint64_t)a > n || (uint64_t)b > n
                   ? BGR_ERR_DAMAGED
                   : read_number(tables, BGR_TABLE_PRE_CRAWFORD, (uint64_t)(a - 1) * n + (uint64_t)(b - 1), chance);
    uint64_t needs = (uint64_t)(b == 1 ? a : b);
    if (needs > m)
        return BGR_ERR_DAMAGED;
    bgr_status status = read_number(tables, BGR_TABLE_POST_CRAWFORD, (b == 1 ? 0 : m) + needs - 1, chance);
    if (b != 1)
        *chance = 1 - *chance;
    return status;
}

/* The first player's chances after winning or losing a game with one value of the cube. */
typedef struct {
    double won, lost, gammon_won, gammon_lost;
} payoff;

static bgr_status pay(const bgr_tables *tables, int cube_value, payoff *p)
{
    bgr_status status = chance_after(tables, cube_value, &p->won);
    if (status == BGR_OK)
        status = chance_after(tables, -cube_value, &p->lost);
    p->gammon_won = p->won;
    p->gammon_lost = p->lost;
    if (status == BGR_OK && tables->info.gammons)
        status = chance_after(tables, 2 * cube_value, &p->gammon_won);
    if (status == BGR_OK && tables->info.gammons)
        status = chance_after(tables, -2 * cube_value, &p->gammon_lost);
    return status;
}

/* What the plane of a state says of itself: win, gammon, turned, factor, offset, pass, for either player. */
static void describe_state(const bgr_cube_states *states, const cube_state *state, const payoff *p, double *numbers)
{
    int normalised = (p->won - p->lost) / 2 > MIN_SCALE;
    for (int side = 0; side < 2; side++, numbers += N_NUMBERS / 2) {
        double sign = side ? -1 : 1;
        numbers[0] = normalised ? 1 : side ? state->middle - p->lost : p->won - state->middle;
        numbers[1] = sign * ((side ? p->gammon_lost : p->gammon_won) - state->middle) / state->scale;
        numbers[2] = -1;
        numbers[3] = numbers[4] = numbers[5] = 0;
        if (state->turned[side] < 0)
            continue;
        const cube_state *turned = &states->state[state->turned[side]];
        numbers[2] = turned->plane;
        numbers[3] = turned->scale / state->scale;
        numbers[4] = sign * (turned->middle - state->middle) / state->scale;
        numbers[5] = numbers[0];
    }
}

/* The plane with these numbers; -1 if there is none. */
static int find_plane(const double *planes, int n_planes, const double *numbers)
{
    for (int plane = 0; plane < n_planes; plane++, planes += N_NUMBERS) {
        int same = 1;
        for (int k = 0; k < N_NUMBERS; k++)
            same &= fabs(planes[k] - numbers[k]) <= SAME;
        if (same)
            return plane;
    }
    return -1;
}

/* The number of a state that is there. */
static int number_of(const bgr_cube_states *states, int cube_value, cube_place where)
{
    int k = 0;
    while (states->state[k].cube_value != cube_value || states->state[k].place != where)
        k++;
    return k;
}

/* Set up a state; those of twice the value are there already. */
static bgr_status add_state(const bgr_tables *tables, bgr_cube_states *states, int cube_value, cube_place where,
                            const double *planes, const int32_t *columns)
{
    cube_state *state = &states->state[states->n++];
    payoff p;
    bgr_status status = pay(tables, cube_value, &p);
    if (status != BGR_OK)
        return status;
    const int needs[2] = {tables->match.first_needs, tables->match.second_needs};
    int is_crawford = tables->match.crawford && (needs[0] > 1 || needs[1] > 1);
    state->cube_value = cube_value;
    state->place = where;
    state->middle = (p.won + p.lost) / 2;
    state->scale = (p.won - p.lost) / 2 > MIN_SCALE ? (p.won - p.lost) / 2 : 1;
    for (int side = 0; side < 2; side++) {
        int has_access = where == MIDDLE || where == (side ? SECOND : FIRST);
        state->turned[side] = has_access && !is_crawford && needs[side] > cube_value
                                  ? number_of(states, 2 * cube_value, side ? FIRST : SECOND)
                                  : -1;
        state->passed[side] = side ? 1 - p.lost : p.won;
    }
    double numbers[N_NUMBERS];
    describe_state(states, state, &p, numbers);
    state->plane = find_plane(planes, tables->n_planes, numbers);
    if (state->plane < 0)
        return BGR_ERR_DAMAGED;
    for (int side = 0; side < 2; side++) {
        state->column[side] = columns[side * tables->n_planes + state->plane];
        for (int k = 0; k < 2; k++) {
            double paid = fabs(numbers[side * N_NUMBERS / 2 + k]);
            states->most = paid > states->most ? paid : states->most;
        }
    }
    return BGR_OK;
}

/* The planes of the file, and the columns in which either player finds them. */
static bgr_status read_planes(const bgr_tables *tables, double *planes, int32_t *columns)
{
    unsigned char buffer[8 * N_NUMBERS];
    bgr_status status = BGR_OK;
    for (int plane = 0; plane < tables->n_planes && status == BGR_OK; plane++) {
        uint64_t place = tables->table[BGR_TABLE_MATCH_PLANES].offset + sizeof buffer * (uint64_t)plane;
        status = bgr_file_read(&tables->file, place, sizeof buffer, buffer);
        for (int k = 0; k < N_NUMBERS; k++)
            planes[plane * N_NUMBERS + k] = get_f64(buffer + 8 * k);
    }
    for (int k = 0; k < 2 * tables->n_planes && status == BGR_OK; k++) {
        uint64_t place = tables->table[BGR_TABLE_MATCH_COLUMNS].offset + 4 * (uint64_t)k;
        status = bgr_file_read(&tables->file, place, 4, buffer);
        columns[k] = (int32_t)get_u32(buffer);
        if (status == BGR_OK && (columns[k] < 0 || columns[k] >= tables->n_values))
            status = BGR_ERR_DAMAGED;
    }
    return status;
}

static int by_value(const void *a, const void *b)
{
    const cube_state *x = a, *y = b;
    return x->cube_value != y->cube_value ? x->cube_value - y->cube_value : (int)x->place - (int)y->place;
}

/* Put the smallest cube first. */
static void sort_states(bgr_cube_states *states)
{
    cube_state before[BGR_MAX_CUBES];
    memcpy(before, states->state, sizeof before);
    qsort(states->state, (size_t)states->n, sizeof *states->state, by_value);
    for (int k = 0; k < states->n; k++)
        for (int side = 0; side < 2; side++) {
            int *turned = &states->state[k].turned[side];
            if (*turned >= 0)
                *turned = number_of(states, before[*turned].cube_value, before[*turned].place);
        }
}

bgr_status bgr_tables_add_states(bgr_tables *tables)
{
    double planes[BGR_MAX_CUBES * N_NUMBERS];
    int32_t columns[2 * BGR_MAX_CUBES];
    int first = tables->match.first_needs, second = tables->match.second_needs, cube_value = 1;
    while (cube_value < first || cube_value < second)
        cube_value *= 2;
    bgr_cube_states *made = calloc(1, sizeof *made);
    if (!made)
        return BGR_ERR_MEMORY;
    bgr_status status = read_planes(tables, planes, columns);
    for (; cube_value >= 1; cube_value /= 2)
        for (cube_place where = NOWHERE; where < N_PLACES && status == BGR_OK; where++)
            if (where == NOWHERE || (where == MIDDLE) == (cube_value == 1))
                status = add_state(tables, made, cube_value, where, planes, columns);
    if (status != BGR_OK) {
        free(made);
        return status;
    }
    sort_states(made);
    made->win_column = columns[0];
    tables->states = made;
    return BGR_OK;
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
    else {
        bgr_status status = bgr_file_read(&tables->file, place, length, buffer);
        if (status != BGR_OK)
            return status;
    }
    for (int k = 0; k < tables->n_values; k++) {
        values[k] = get_f64(p + 8 * k);
        if (!(fabs(values[k]) <= tables->states->most + SAME)) /* NaN too */
            return BGR_ERR_DAMAGED;
    }
    return BGR_OK;
}

bgr_status bgr_tables_match(const bgr_tables *tables, int first_on_roll, int64_t on_roll, int64_t opponent,
                            bgr_match_value *values)
{
    static const bgr_cube cubes[2][N_PLACES] = {
        {BGR_CUBE_NONE, BGR_CUBE_CENTERED, BGR_CUBE_MINE, BGR_CUBE_THEIRS},
        {BGR_CUBE_NONE, BGR_CUBE_CENTERED, BGR_CUBE_THEIRS, BGR_CUBE_MINE},
    };
    double stored[2 * BGR_MAX_CUBES];
    int side = !first_on_roll;
    const bgr_cube_states *states = tables->states;
    bgr_status status = read_values(tables, on_roll, opponent, stored);
    for (int k = 0; k < states->n && status == BGR_OK; k++) {
        const cube_state *state = &states->state[k];
        bgr_match_value *value = &values[k];
        value->cube_value = state->cube_value;
        value->cube = cubes[side][state->place];
        value->equity = stored[state->column[side]];
        value->no_double = (side ? 1 - state->middle : state->middle) + state->scale * value->equity;
        value->may_double = state->turned[side] >= 0;
        value->double_take = value->double_pass = 0;
        if (!value->may_double)
            continue;
        const cube_state *turned = &states->state[state->turned[side]];
        value->double_take =
            (side ? 1 - turned->middle : turned->middle) + turned->scale * stored[turned->column[side]];
        value->double_pass = state->passed[side];
    }
    return status;
}

bgr_status bgr_tables_match_win(const bgr_tables *tables, int64_t on_roll, int64_t opponent, double *win_probability)
{
    double stored[2 * BGR_MAX_CUBES];
    bgr_status status = read_values(tables, on_roll, opponent, stored);
    double value = status == BGR_OK ? stored[tables->states->win_column] : 0;
    if (status == BGR_OK && !(fabs(value) <= 1 + SAME))
        status = BGR_ERR_DAMAGED;
    if (status == BGR_OK)
        *win_probability = (1 + value) / 2;
    return status;
}
