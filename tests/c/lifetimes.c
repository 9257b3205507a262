/* Ask answers of every way after their solver, their cache and their database have been freed.
 *
 *     lifetimes DATABASE
 *
 * Prints the number of answers. */
#include "match.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

enum { POINTS = 24 };

static const int8_t near[2][POINTS] = {{0, 1, 1, 0, 1, 1}, {1, 1, 0, 0, 2}},
                    far[2][POINTS] = {[0] = {[5] = 3, [10] = 6, [11] = 6}, [1] = {[5] = 4, [9] = 5, [10] = 6}};

/* Add up the values of an answer and of every play of a roll. */
static double sum_of(const bgr_answer *answer, const int8_t *theirs)
{
    static bgr_ranked_play plays[4];
    double sum = 0;
    int n = 0;
    bgr_cube_values cube;
    bgr_chances chances;
    bgr_answer *followed = NULL;
    if (bgr_answer_cube(answer, BGR_CUBE_CENTERED, &cube) != BGR_OK ||
        bgr_answer_plays(answer, 3, 1, BGR_CUBE_CENTERED, 4, plays, &n) != BGR_OK)
        return NAN;
    sum = cube.no_double;
    for (int k = 0; k < n && k < 4; k++) {
        bgr_moved moved = {.size = sizeof moved};
        if (bgr_answer_move(answer, POINTS, plays[k].counts, BGR_CUBE_CENTERED, &moved) != BGR_OK)
            return NAN;
        sum += moved.value + moved.chances.win;
    }
    if (bgr_answer_follow(answer, POINTS, theirs, plays[0].counts, 1, &followed) == BGR_OK) {
        bgr_answer_chances(followed, &chances);
        sum += chances.win;
    }
    bgr_answer_free(followed);
    return sum;
}

int main(int n_words, char **words)
{
    static const struct {
        bgr_way way;
        int far, database;
        double seconds;
    } cases[] = {{BGR_ALL_PAIRS, 0, 0, 0}, {BGR_BY_TURNS, 0, 0, 0}, {BGR_BY_TURNS, 0, 1, 0},  {BGR_ANY_WAY, 0, 0, 0},
                 {BGR_ANY_WAY, 0, 1, 0},   {BGR_ESTIMATE, 1, 0, 0}, {BGR_ANY_WAY, 1, 1, 1e-5}};
    int n_asked = 0;
    char text[BGR_PLAY_SIZE] = "?";
    bgr_db *none;
    if (bgr_play_text(POINTS, near[0], near[1], INT_MAX, INT_MAX, text) != BGR_ERR_ROLL ||
        bgr_play_text(POINTS, near[0], near[1], 6, 5, text) != BGR_ERR_ARGUMENT || *text != '?' ||
        bgr_open_memory(NULL, 0, &none) != BGR_ERR_FORMAT || none)
        return 1;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bgr_solver *solver = NULL;
        bgr_cache *cache = NULL;
        bgr_db *db = NULL;
        bgr_answer *answer = NULL;
        const int8_t (*race)[POINTS] = cases[k].far ? far : near;
        if (n_words != 2 || bgr_solver_new(&solver) != BGR_OK || bgr_cache_new(&cache) != BGR_OK ||
            bgr_open(words[1], BGR_READ, &db) != BGR_OK)
            return 1;
        const bgr_solve_options options = {.size = sizeof options,
                                           .way = cases[k].way,
                                           .seconds = cases[k].seconds,
                                           .dice = {3, 1},
                                           .cache = cache,
                                           .database = cases[k].database ? db : NULL};
        if (bgr_ask(solver, POINTS, race[0], race[1], &money, &options, &answer) != BGR_OK)
            return 2;
        double before = sum_of(answer, race[1]);
        bgr_solver_free(solver);
        bgr_cache_free(cache);
        bgr_close(db);
        double after = sum_of(answer, race[1]);
        bgr_answer_free(answer);
        if (!(before == after))
            return 3;
        n_asked++;
    }
    printf("%d\n", n_asked);
    return 0;
}
