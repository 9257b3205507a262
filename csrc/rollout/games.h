/* Races played out with random dice, by what one solution says of every pair on the way. */
#ifndef BGR_GAMES_H
#define BGR_GAMES_H

#include "rollout/one_game.h"

/* How games begin: with the cube as it is, after a double that is taken, or after a beaver. */
typedef enum bgr_game_start { BGR_START_AS_IT_IS, BGR_START_DOUBLED, BGR_START_BEAVERED } bgr_game_start;

/* One game: its outcome and the luck of the dice in it, in the unit of values, for the player on roll now; and whether
 * it ended at a pair that is known exactly. */
typedef struct bgr_game_result {
    double outcome, luck;
    int exactly;
} bgr_game_result;

/* Solve a race, with the cube in a place, keeping values, with_chance: of the chance to win as well; what memory is
 * left after options->memory_bytes decides how many positions share a place.  answer [out]: to be freed as that of
 * bgr_solve.  The statuses of bgr_solve, and BGR_ERR_STAKES if the cube cannot be there. */
bgr_status bgr_games_new(const bgr_solver *solver, const int8_t *on_roll, const int8_t *opponent,
                         const bgr_stakes *stakes, const bgr_solve_options *options, bgr_cube cube, int with_chance,
                         bgr_games **games, bgr_answer **answer);
void bgr_games_free(bgr_games *games); /* NULL is allowed */

/* Play games number first .. first + n - 1 of a seed.  The first roll is thrown whether or not the player would double.
 * results [out] n; they don't depend on the threads.  The solver must still be there.  BGR_ERR_STAKES if there is no
 * such double, BGR_ERR_MEMORY. */
bgr_status bgr_games_play(bgr_games *games, bgr_game_start start, uint64_t seed, int64_t first, int64_t n,
                          const bgr_parallel *parallel, bgr_game_result *results);

/* Bounds by one game (dual.c), for the player on roll, in the unit of values: of the chance to win, and of
 * rolling and of doubling with the cube in its place; NAN where that player may not double.  The means of many are at
 * most and at least the true values. */
enum { BGR_BOUND_WIN, BGR_BOUND_NO_DOUBLE, BGR_BOUND_DOUBLE_TAKE, BGR_N_BOUNDS };
typedef struct bgr_game_bounds {
    double low[BGR_N_BOUNDS], high[BGR_N_BOUNDS];
} bgr_game_bounds;

/* Bounds of games number first .. first + n - 1 of a seed; they don't depend on the threads.  results [out] n.  The
 * solver must still be there.  BGR_ERR_ARGUMENT if games were made without the chance, BGR_ERR_SIZE if plays lead to
 * too many positions, BGR_ERR_MEMORY. */
bgr_status bgr_games_bound(const bgr_games *games, uint64_t seed, int64_t first, int64_t n,
                           const bgr_parallel *parallel, bgr_game_bounds *results);

#endif
