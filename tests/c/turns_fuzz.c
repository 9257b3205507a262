/* Any input: bgr_solve gives a status or an answer, and never crashes.  Prints how many answers there were. */
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

int main(void)
{
    static double before[5 * 5], after[2 * 5];
    bgr_solver *solver;
    int n_answers = 0;
    if (bgr_solver_new(&solver) != BGR_OK)
        return 1;
    for (int k = 0; k < 25; k++)
        before[k] = below(101) / 100.0;
    for (int k = 0; k < 10; k++)
        after[k] = below(101) / 100.0;
    for (int game = 0; game < 400; game++) {
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
                             below(6),
                             below(7),
                             below(4) == 0,
                             1 << below(4),
                             5,
                             5,
                             before,
                             after};
        bgr_solve_options options = {
            .size = sizeof options, .seconds = 0.02, .exactness = below(3) ? 0 : below(4) / 20.0};
        bgr_answer *answer;
        bgr_status status = bgr_solve(solver, points, sides[0], sides[1], &stakes, &options, &answer);
        if (status != BGR_OK) {
            if (answer || status < 0 || status >= BGR_N_STATUS)
                return 1;
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
        n_answers++;
    }
    bgr_solver_free(solver);
    printf("%d\n", n_answers);
    return 0;
}
