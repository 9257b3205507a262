/* Answer a race by a table that has its pair, and so every pair that its plays reach. */

#include "answer/ways.h"

#include "answer/answer.h"
#include "answer/state.h"
#include "base/plays.h"
#include "base/try.h"
#include "probe/tables.h"
#include "turns/known_pairs.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_RESULTS = BGR_N_ROLLS * BGR_MAX_HOME_PLAYS };

/* List every distinct result of rolls first_roll .. past - 1 that has a checker left.  indices [out] MAX_RESULTS: on
 * six points. */
static bgr_status list_results(const bgr_space *home, int64_t index, int first_roll, int past, int32_t *indices, int *n)
{
    int64_t results[BGR_MAX_HOME_PLAYS];
    *n = 0;
    for (int roll = first_roll; roll < past; roll++) {
        int n_results, n_known = *n;
        BGR_TRY(bgr_plays(home, index, bgr_rolls[roll].larger, bgr_rolls[roll].smaller, results, &n_results));
        for (int k = 0; k < n_results; k++) {
            int at = 0;
            while (at < n_known && indices[at] != results[k])
                at++;
            if (at == n_known && results[k])
                indices[(*n)++] = (int32_t)results[k];
        }
    }
    return BGR_OK;
}

/* Allocate the results of an answer, and set their positions. */
static bgr_status new_results(const bgr_space *home, const int32_t *indices, int n, bgr_answer *answer)
{
    answer->listed.n = n;
    answer->listed.results = calloc((size_t)n + 1, sizeof *answer->listed.results);
    if (!answer->listed.results)
        return BGR_ERR_MEMORY;
    for (int k = 0; k < n; k++)
        BGR_TRY(bgr_position(home, indices[k], answer->listed.results[k].counts));
    return BGR_OK;
}

/* Complete an answer whose values are set. */
static bgr_status finish(const bgr_question *q, bgr_way way, bgr_answer *answer)
{
    bgr_sort_results(answer);
    answer->planes = q->planes;
    answer->info.way = way;
    bgr_answer_begin(&q->asked, answer);
    bgr_chances_of_row(answer, 0, answer->now, &answer->chances);
    answer->info.exact = 1;
    answer->info.delta = INFINITY;
    answer->info.pairs = answer->info.positions[0] = 1 + answer->listed.n;
    answer->info.positions[1] = 1;
    return BGR_OK;
}

static bgr_status take_from_table(bgr_question *q, bgr_answer *answer)
{
    bgr_space home;
    int32_t sides[2], indices[MAX_RESULTS];
    int64_t index;
    int n;
    BGR_TRY(bgr_space_init(BGR_HOME_POINTS, BGR_MAX_CHECKERS, &home));
    for (int side = 0; side < 2; side++) {
        BGR_TRY(bgr_index(&home, q->asked.counts[side], &index));
        sides[side] = (int32_t)index;
    }
    BGR_TRY(list_results(&home, sides[0], 0, BGR_N_ROLLS, indices, &n));
    BGR_TRY(new_results(&home, indices, n, answer));
    bgr_pair_table_values(&q->known.lookup, 0, sides[0], &sides[1], 1, answer->now);
    for (int k = 0; k < n; k++)
        bgr_pair_table_values(&q->known.lookup, 1, sides[1], &indices[k], 1, answer->listed.results[k].values);
    answer->info.boundary_checkers = q->pairs.boundary.checkers;
    return finish(q, BGR_ALL_PAIRS, answer);
}

/* The greater number of checkers of the two sides; -1 if a checker is not home. */
static int most_at_home(const bgr_asked *asked)
{
    int most = 0;
    for (int side = 0; side < 2; side++) {
        int checkers = bgr_n_checkers(BGR_HOME_POINTS, asked->counts[side]);
        most = checkers > most ? checkers : most;
        if (bgr_question_highest(asked->counts[side]) > BGR_HOME_POINTS)
            return -1;
    }
    return most;
}

bgr_status bgr_answer_by_table(bgr_question *q, bgr_answer **answer)
{
    int most = most_at_home(&q->asked);
    if (!q->solver->n_tables || most < 0 || most > BGR_TABLE_CHECKERS)
        return BGR_OK;
    BGR_TRY(bgr_question_planes(q));
    bgr_find_table(q);
    if (q->pairs.boundary.values != bgr_pair_table_values || q->pairs.boundary.checkers < most)
        return BGR_OK;
    bgr_answer *fresh = calloc(1, sizeof *fresh);
    bgr_status status = fresh ? take_from_table(q, fresh) : BGR_ERR_MEMORY;
    BGR_HAND_OVER(status, fresh, answer, bgr_answer_free);
}

/* ------------------------------------------------------------------ a file that is read by ranges */

/* The values of pairs in a file, one array for each kind of value. */
typedef struct {
    int64_t on_roll[MAX_RESULTS], opponent[MAX_RESULTS];
    double value[BGR_N_CUBES][MAX_RESULTS], win[MAX_RESULTS];
} file_values;

static bgr_status look_pairs_up(const bgr_tables *tables, int jacoby, int n, file_values *v)
{
    int64_t n_done;
    const bgr_columns columns = {0,
                                 jacoby,
                                 v->value[BGR_CUBE_NONE],
                                 v->value[BGR_CUBE_CENTERED],
                                 v->value[BGR_CUBE_MINE],
                                 v->value[BGR_CUBE_THEIRS]};
    BGR_TRY(bgr_tables_equities_batch(tables, v->on_roll, v->opponent, n, &columns, &n_done));
    return bgr_tables_win_probability_batch(tables, v->on_roll, v->opponent, n, v->win, &n_done);
}

/* Fill the row of pair k of an answer, with side `first` on roll.  If only one side can lose a gammon, its chance is
 * what gammons add to the value. */
static void fill_row(const bgr_question *q, int first, const file_values *v, int k, double *row)
{
    double win = 2 * v->win[k] - 1, gained = (first ? -1 : 1) * (v->value[BGR_CUBE_NONE][k] - win);
    int both = q->asked.loses[0] >= BGR_LOST_GAMMON && q->asked.loses[1] >= BGR_LOST_GAMMON;
    for (int cube = 0; cube < BGR_N_CUBES; cube++)
        row[q->planes.place[cube].now.plane] = v->value[first ? bgr_cube_of_other((bgr_cube)cube) : (bgr_cube)cube][k];
    row[BGR_PLANE_WIN] = win;
    row[BGR_MAX_PLANES + BGR_GAMMON_FIRST] = both ? NAN : fmax(gained, 0);
    row[BGR_MAX_PLANES + BGR_GAMMON_SECOND] = both ? NAN : fmax(-gained, 0);
}

static bgr_status take_from_file(const bgr_question *q, const bgr_tables *tables, file_values *v, bgr_answer *answer)
{
    int32_t indices[MAX_RESULTS];
    int n, every = q->asked.first_roll == BGR_EVERY_FIRST_ROLL, first = every ? 0 : q->asked.first_roll - 1;
    int jacoby = q->asked.stakes.jacoby && q->asked.stakes.gammons;
    const bgr_space *home = &tables->space;
    BGR_TRY(bgr_index(home, q->asked.counts[0], &v->on_roll[0]));
    BGR_TRY(bgr_index(home, q->asked.counts[1], &v->opponent[0]));
    int64_t mine = v->on_roll[0], theirs = v->opponent[0];
    BGR_TRY(look_pairs_up(tables, jacoby, 1, v));
    fill_row(q, 0, v, 0, answer->now);
    BGR_TRY(list_results(home, mine, first < 0 ? 0 : first, every ? BGR_N_ROLLS : first + 1, indices, &n));
    BGR_TRY(new_results(home, indices, n, answer));
    for (int k = 0; k < n; k++) {
        v->on_roll[k] = theirs;
        v->opponent[k] = indices[k];
    }
    BGR_TRY(look_pairs_up(tables, jacoby, n, v));
    for (int k = 0; k < n; k++)
        fill_row(q, 1, v, k, answer->listed.results[k].values);
    answer->listed.followers = q->pairs.followers;
    answer->info.from_database = 1;
    return finish(q, BGR_FROM_FILE, answer);
}

bgr_status bgr_answer_by_file(bgr_question *q, bgr_answer **answer)
{
    const bgr_tables *tables = q->known.stored.tables;
    int most = most_at_home(&q->asked), full = most == BGR_MAX_CHECKERS, gammons = q->asked.stakes.gammons;
    if (!tables || !tables->file.ranges || q->asked.stakes.match || tables->info.points != BGR_HOME_POINTS ||
        !tables->info.equities || most < 0 || most > tables->info.two_sided_checkers ||
        (full && (gammons != tables->info.gammons || (gammons && q->asked.stakes.beavers))))
        return BGR_OK;
    BGR_TRY(bgr_question_planes(q));
    file_values *v = malloc(sizeof *v);
    bgr_answer *fresh = calloc(1, sizeof *fresh);
    bgr_status status = v && fresh ? take_from_file(q, tables, v, fresh) : BGR_ERR_MEMORY;
    free(v);
    BGR_HAND_OVER(status, fresh, answer, bgr_answer_free);
}
