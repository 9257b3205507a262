/* Games of random races at random stakes and tiny budgets: each ends, with numbers, and nothing is read or written that
 * is not there.
 *
 *     games ROUNDS SEED
 *
 * Prints how many races were played. */
#include "rollout/games.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned state;

static int below(int n)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (unsigned)n);
}

/* So many checkers within some points. */
static void set_up(int8_t *counts, int points)
{
    for (int k = 1 + below(BGR_MAX_CHECKERS); k > 0; k--)
        counts[below(points)]++;
}

static int pips_of(const int8_t *counts)
{
    int pips = 0;
    for (int j = 0; j < BGR_MAX_POINTS; j++)
        pips += (j + 1) * counts[j];
    return pips;
}

int main(int argc, char **argv)
{
    enum { LENGTH = 6, GAMES = 10, FEW_PIPS = 130 };
    static const double chances[LENGTH * LENGTH] = {
        0.5,  0.7,  0.75, 0.82, 0.84, 0.9,  0.3,  0.5,  0.6,  0.66, 0.75, 0.8,  0.25, 0.4, 0.5, 0.57, 0.65, 0.7,
        0.18, 0.34, 0.43, 0.5,  0.58, 0.63, 0.16, 0.25, 0.35, 0.42, 0.5,  0.56, 0.1,  0.2, 0.3, 0.37, 0.44, 0.5};
    static const double after[2 * LENGTH] = {0.5, 0.51, 0.68, 0.7, 0.81, 0.82, 0.5, 0.49, 0.32, 0.3, 0.19, 0.18};
    static const double budgets[] = {1e-4, 2e-3, 0.02};
    bgr_solver *solver;
    int played = 0, rounds = argc == 3 ? atoi(argv[1]) : 0;
    if (argc != 3 || bgr_solver_new(&solver) != BGR_OK)
        return 2;
    state = (unsigned)atoi(argv[2]);
    for (int round = 0; round < rounds; round++) {
        int8_t sides[2][BGR_MAX_POINTS] = {{0}};
        int mine = 1 + below(BGR_MAX_POINTS - 1);
        set_up(sides[0], mine);
        set_up(sides[1], BGR_MAX_POINTS - mine);
        bgr_stakes stakes = {.size = sizeof stakes,
                             .match = below(2),
                             .gammons = 1,
                             .jacoby = !below(4),
                             .beavers = below(2),
                             .on_roll_needs = 1 + below(LENGTH),
                             .opponent_needs = 1 + below(LENGTH),
                             .cube_value = 1,
                             .met_length = LENGTH,
                             .post_length = LENGTH,
                             .pre_crawford = chances,
                             .post_crawford = after};
        bgr_solve_options options = {
            .size = sizeof options, .seconds = budgets[below(3)], .memory_bytes = 1 << (20 + below(6))};
        bgr_games *games;
        bgr_answer *answer;
        bgr_cube cube = (bgr_cube)below(BGR_N_CUBES + 1);
        bgr_status status = bgr_games_new(solver, sides[0], sides[1], &stakes, &options, cube, 1, &games, &answer);
        if (status != BGR_OK) {
            if (status != BGR_ERR_STAKES || games || answer)
                return 1;
            continue;
        }
        bgr_game_result results[GAMES];
        for (int start = BGR_START_AS_IT_IS; start <= BGR_START_BEAVERED; start++) {
            status = bgr_games_play(games, (bgr_game_start)start, 7, 0, GAMES, NULL, results);
            if (status != BGR_OK && !(status == BGR_ERR_STAKES && start))
                return 1;
            for (int k = 0; status == BGR_OK && k < GAMES; k++)
                if (!isfinite(results[k].outcome) || !isfinite(results[k].luck) || fabs(results[k].luck) > 1000)
                    return 1;
        }
        if (pips_of(sides[0]) + pips_of(sides[1]) < FEW_PIPS) {
            bgr_game_bounds bounds;
            if (bgr_games_bound(games, 7, 0, 1, NULL, &bounds) != BGR_OK || !(bounds.high[BGR_BOUND_WIN] < 1000) ||
                !(bounds.low[BGR_BOUND_NO_DOUBLE] > -1e6))
                return 1;
        }
        played++;
        bgr_games_free(games);
        bgr_answer_free(answer);
    }
    bgr_solver_free(solver);
    printf("%d played\n", played);
    return 0;
}
