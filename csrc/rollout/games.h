/* Races played out with random dice, by what one solution says of every pair on the way. */
#ifndef BGR_GAMES_H
#define BGR_GAMES_H

#include "answer/ways.h"

/* A race solved, with the values of all of its turns.  Opaque; owned by the caller. */
typedef struct bgr_games bgr_games;

/* How games begin: with the cube as it is, after a double that is taken, or after a beaver. */
typedef enum bgr_game_start { BGR_START_AS_IT_IS, BGR_START_DOUBLED, BGR_START_BEAVERED } bgr_game_start;

/* One game: its outcome and the luck of the dice in it, in the unit of values, for the player on roll now; and whether
 * it ended at a pair that is known exactly. */
typedef struct bgr_game_result {
    double outcome, luck;
    int exactly;
} bgr_game_result;

/* Solve a race, with the cube in a place, keeping values; what memory is left after options->memory_bytes decides how
 * many positions share a place.  answer [out]: to be freed as that of bgr_solve.  The statuses of bgr_solve, and
 * BGR_ERR_STAKES if the cube cannot be there. */
bgr_status bgr_games_new(const bgr_solver *solver, const int8_t *on_roll, const int8_t *opponent,
                         const bgr_stakes *stakes, const bgr_solve_options *options, bgr_cube cube, bgr_games **games,
                         bgr_answer **answer);
void bgr_games_free(bgr_games *games); /* NULL is allowed */

/* Play games number first .. first + n - 1 of a seed.  The first roll is thrown whether or not the player would double.
 * results [out] n; they don't depend on the threads.  The solver must still be there.  BGR_ERR_STAKES if there is no
 * such double, BGR_ERR_MEMORY. */
bgr_status bgr_games_play(bgr_games *games, bgr_game_start start, uint64_t seed, int64_t first, int64_t n,
                          const bgr_parallel *parallel, bgr_game_result *results);

#endif
