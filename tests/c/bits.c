/* Print a hash of the bits of some answers, with every kind of number of the solver. */
#include "match.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint64_t hash = 14695981039346656037u;

static void add(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int k = 0; k < 64; k += 8)
        hash = (hash ^ (bits >> k & 255)) * 1099511628211u;
}

static int solve(const bgr_solver *solver, const int8_t *on_roll, const int8_t *opponent, const bgr_stakes *stakes,
                 double exactness)
{
    bgr_solve_options options = {
        .size = sizeof options, .seconds = 0.02, .memory_bytes = 1 << 26, .exactness = exactness, .dice = {6, 5}};
    bgr_answer *answer;
    bgr_chances chances;
    bgr_answer_info info = {.size = sizeof info};
    bgr_ranked_play plays[20];
    int n;
    if (bgr_ask(solver, 12, on_roll, opponent, stakes, &options, &answer) != BGR_OK)
        return 1;
    bgr_answer_chances(answer, &chances);
    bgr_answer_describe(answer, &info);
    add(chances.win);
    add(chances.win_gammon);
    add(chances.lose_gammon);
    add(chances.cubeless_win);
    add(info.error);
    add(info.delta);
    for (int cube = 0; cube < BGR_N_CUBES; cube++) {
        bgr_cube_values values;
        if (bgr_answer_cube(answer, (bgr_cube)cube, &values) != BGR_OK)
            continue;
        add(values.value);
        if (bgr_answer_plays(answer, 6, 5, (bgr_cube)cube, 20, plays, &n) != BGR_OK)
            return 1;
        for (int k = 0; k < n && k < 20; k++)
            add(plays[k].value);
    }
    bgr_answer_free(answer);
    return 0;
}

int main(void)
{
    static const int8_t pairs[][2][12] = {{{1, 0, 1, 2}, {0, 2, 0, 0, 1}},
                                          {{0, 2, 1}, {5, 4, 3, 2, 1}},
                                          {{0, 0, 1, 1, 0, 1, 0, 1}, {1, 0, 1, 0, 1, 1}},
                                          {{1, 0, 1, 0, 1, 1}, {0, 0, 1, 1, 0, 1, 0, 1}}};
    const bgr_stakes jacoby = {.size = sizeof jacoby, .gammons = 1, .jacoby = 1};
    enum { N = sizeof pairs / sizeof *pairs };
    bgr_solver *solver;
    if (bgr_solver_new(&solver) != BGR_OK)
        return 1;
    for (int i = 0; i < N; i++)
        if (solve(solver, pairs[i][0], pairs[i][1], &jacoby, i == 2 ? -1 : 0) != 0 ||
            solve(solver, pairs[i][0], pairs[i][1], &match, i == 3 ? 0.02 : 0) != 0)
            return 1;
    bgr_solver_free(solver);
    printf("solved %016" PRIx64 "\n", hash);
    return 0;
}
