/* Any input: bgr_solve gives a status or an answer, and never crashes.
 *
 *     turns_fuzz ROUNDS SEED FILE
 *
 * Prints how many answers there were, and how many questions were refused. */
#include "bgrace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned state = 1;

static int below(int n)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (unsigned)n);
}

/* An equity table: mostly chances. */
static void fill(double *table, int n)
{
    static const double strange[] = {NAN, INFINITY, -INFINITY, -0.01, 1.01, 1e308, 5e-324};
    for (int k = 0; k < n; k++)
        table[k] = below(101) / 100.0;
    if (!below(4))
        table[below(n)] = strange[below((int)(sizeof strange / sizeof *strange))];
}

static double any_number(void)
{
    static const double some[] = {NAN, INFINITY, -INFINITY, -1, 1e308, 1e-300};
    return below(8) ? 0.02 : some[below((int)(sizeof some / sizeof *some))];
}

int main(int argc, char **argv)
{
    enum { LENGTH = 5 };
    bgr_solver *solver;
    bgr_db *db;
    int n_answers = 0, n_refused = 0, rounds = argc == 4 ? atoi(argv[1]) : 0;
    if (argc != 4 || bgr_solver_new(&solver) != BGR_OK || bgr_open(argv[3], BGR_MAP, &db) != BGR_OK)
        return 2;
    state = (unsigned)atoi(argv[2]);
    for (int game = 0; game < rounds; game++) {
        /* Of their very size, so that nothing beyond is read unseen. */
        double *before = malloc(LENGTH * LENGTH * sizeof *before), *after = malloc(2 * LENGTH * sizeof *after);
        if (!before || !after)
            return 2;
        fill(before, LENGTH * LENGTH);
        fill(after, 2 * LENGTH);
        int8_t sides[2][BGR_MAX_POINTS] = {{0}};
        int points = below(8) ? 1 + below(12) : below(40) - 5, far = 1 + below(points > 0 ? points : 1);
        for (int side = 0; side < 2; side++)
            for (int k = below(6); k > 0; k--)
                sides[side][below(far) % BGR_MAX_POINTS] = (int8_t)(below(30) ? 1 + below(2) : below(200) - 100);
        bgr_stakes stakes = {below(20) ? sizeof stakes : (size_t)below(200),
                             below(2),
                             below(2),
                             below(4) == 0,
                             below(4) == 0,
                             below(16) ? below(6) : below(2000000000) - 1000000000,
                             below(7),
                             below(4) == 0,
                             below(10) ? 1 << below(4) : below(2000000000) - 1000000000,
                             below(10) ? LENGTH : below(LENGTH + 5) - 5,
                             below(10) ? LENGTH : below(LENGTH + 5) - 5,
                             below(30) ? before : NULL,
                             below(30) ? after : NULL};
        bgr_solve_options options = {.size = below(20) ? sizeof options : (size_t)below(200),
                                     .seconds = any_number(),
                                     .memory_bytes = below(4)   ? 1 << 24
                                                     : below(8) ? below(1 << 22)
                                                                : -below(3),
                                     .exactness = below(3) ? 0 : below(4) / 20.0,
                                     .dice = {below(9) ? 0 : below(8), below(9) ? 0 : below(8)},
                                     .rolls = below(3) == 0,
                                     .database = below(3) ? NULL : db};
        if (!below(10))
            bgr_solver_prepare(solver, &stakes, below(4));
        bgr_answer *answer;
        bgr_status status = bgr_solve(solver, points, sides[0], sides[1], &stakes, &options, &answer);
        if (status != BGR_OK) {
            if (answer || (int)status < 0 || status >= BGR_N_STATUS)
                return 1;
            free(before);
            free(after);
            n_refused++;
            continue;
        }
        bgr_chances chances;
        bgr_cube_values values;
        bgr_answer_info info;
        bgr_ranked_play plays[3];
        double value;
        int n;
        bgr_answer_chances(answer, &chances);
        bgr_answer_describe(answer, &info);
        if (!(chances.win >= -1e-6 && chances.win <= 1 + 1e-6) || !(info.error >= 0))
            return 1;
        for (int cube = -1; cube <= BGR_N_CUBES; cube++) {
            bgr_answer_cube(answer, (bgr_cube)cube, &values);
            bgr_answer_move(answer, points, sides[1], (bgr_cube)cube, &value);
            bgr_answer_plays(answer, below(8), below(8), (bgr_cube)cube, 3, plays, &n);
        }
        bgr_answer_free(answer);
        free(before);
        free(after);
        n_answers++;
    }
    bgr_solver_free(solver);
    bgr_close(db);
    printf("%d %d\n", n_answers, n_refused);
    return 0;
}
