/* bgrace: backgammon bearoff positions and their numbers.
 *
 * This is the only header that a user of the C code includes.  The functions work on memory that the caller owns, keep
 * no state between calls and print nothing.  All of them may be called from several threads at once as long as no two
 * calls write to the same memory.
 *
 * Words.  A *position* is one player's checkers: counts[0] stand on the ace point, counts[points - 1] on the highest
 * point of the space; checkers that are not listed have been borne off.  An *index* is its number in the perfect hash.
 */
#ifndef BGRACE_H
#define BGRACE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BGR_MAX_POINTS 24
#define BGR_MAX_CHECKERS 15

typedef enum bgr_status {
    BGR_OK = 0,
    BGR_ERR_POINTS,   /* number of points outside 1 .. BGR_MAX_POINTS */
    BGR_ERR_CHECKERS, /* number of checkers outside 1 .. BGR_MAX_CHECKERS */
    BGR_ERR_POSITION, /* a negative count, or more checkers than the space holds */
    BGR_ERR_INDEX,    /* index outside 0 .. size - 1 */
    BGR_ERR_ROLL,     /* a die outside 1 .. 6 */
    BGR_ERR_SIZE,     /* a space too large for this function */
    BGR_ERR_CLOSED,   /* a set of positions that some play leaves */
    BGR_ERR_MEMORY,   /* out of memory; nothing was written */
    BGR_ERR_STOPPED,  /* the progress function asked to stop */
    BGR_N_STATUS      /* how many there are; not a status */
} bgr_status;

/* A sentence that says what a status means; never NULL. */
const char *bgr_strerror(bgr_status status);

/* ------------------------------------------------------------------ positions */

/* All positions of at most `checkers` checkers on `points` points.  Fill it with bgr_space_init; read only. */
typedef struct bgr_space {
    int points;
    int checkers;
    int64_t size; /* number of positions, C(checkers + points, points) */
    /* What point j adds to the index when t checkers stand on it or beyond: C(t + points - 1 - j, points - j). */
    int64_t term[BGR_MAX_POINTS][BGR_MAX_CHECKERS + 1];
} bgr_space;

/* Set up a space.  points: 1 .. BGR_MAX_POINTS, checkers: 1 .. BGR_MAX_CHECKERS.
 * BGR_ERR_POINTS, BGR_ERR_CHECKERS. */
bgr_status bgr_space_init(int points, int checkers, bgr_space *space);

/* Index of one position.  counts: `points` numbers.  BGR_ERR_POSITION. */
bgr_status bgr_index(const bgr_space *space, const int8_t *counts, int64_t *index);

/* The position with an index.  counts: room for `points` numbers.  BGR_ERR_INDEX. */
bgr_status bgr_position(const bgr_space *space, int64_t index, int8_t *counts);

/* The same for n positions stored one after another.  *n_done counts the ones before the first that cannot be
 * converted; it is n exactly when BGR_OK comes back. */
bgr_status bgr_index_batch_i8(const bgr_space *space, const int8_t *counts, int64_t n, int64_t *indices,
                              int64_t *n_done);
bgr_status bgr_index_batch_i64(const bgr_space *space, const int64_t *counts, int64_t n, int64_t *indices,
                               int64_t *n_done);
bgr_status bgr_position_batch(const bgr_space *space, const int64_t *indices, int64_t n, int8_t *counts,
                              int64_t *n_done);

#ifdef __cplusplus
}
#endif
#endif
