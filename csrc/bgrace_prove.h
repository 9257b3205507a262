/* bgrace: proven bounds of values.  The licence is that of bgrace.h. */
#ifndef BGRACE_PROVE_H
#define BGRACE_PROVE_H

#include "bgrace.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* How bounds were proved (docs/proofs.md). */
typedef enum bgr_proof_method {
    BGR_PROOF_NONE = 0,     /* nothing was proved; never in a proof that is returned */
    BGR_PROOF_CLOCKS = 1,   /* the opponent bears off within each number of rolls with at least its greatest chance */
    BGR_PROOF_CONFINED = 2, /* one side confined to a shortlist, the other one free */
    BGR_PROOF_EXACT = 3     /* all pairs: bounds allow for rounding only */
} bgr_proof_method;

/* Bounds: the value is proved to lie in low .. high. */
typedef struct bgr_interval {
    double low, high;
} bgr_interval;

typedef struct bgr_proof_info {
    size_t size; /* [in] */
    bgr_proof_method method;
    double delta;         /* the width of the shortlists, in rolls; 0 if there are none */
    int64_t positions[2]; /* that each side can reach; 0 if they were too many to list */
    int64_t kept[2];      /* positions in each shortlist */
    double seconds;       /* the budget of the proof */
} bgr_proof_info;

/* Bounds of chances of the player on roll, as in bgr_chances if all pairs are solved. */
typedef struct bgr_chance_bounds {
    bgr_interval win, win_gammon, lose_gammon;
} bgr_chance_bounds;

/* Bounds with the cube in one position, as in bgr_cube_values. */
typedef struct bgr_cube_bounds {
    bgr_interval no_double, double_take, value;
    bgr_cube_verdict verdict; /* right if `proved` */
    int proved;               /* 1: every value within the bounds gives this verdict */
} bgr_cube_bounds;

/* Bounds of a race at its stakes.  Opaque; owned by the caller; read by any number of threads. */
typedef struct bgr_proof bgr_proof;

/* Prove bounds for every value, as narrow as `seconds` and `memory_bytes` of the options allow.  Seconds are counted as
 * work of one common processor, not timed, so bounds do not depend on `parallel`; far from home at least some .3
 * seconds and 70 MB are used, and 1.3 seconds if both sides have 15 checkers there, even if less is allowed.  If
 * `exactness` is not 0, it gives the width of the shortlists instead, as far as memory allows: a delta,
 * BGR_BEST_BY_MEAN for 0, INFINITY for all pairs.  Of the other options `parallel`, `progress`, `stop` and `cache` are
 * used.  `progress` gets the used share of the budget, which need not reach 1.  Free the proof with bgr_proof_free.
 * BGR_ERR_POSITION also if a side has no checkers; else the errors of bgr_ask. */
bgr_status bgr_prove(int points, const int8_t *on_roll, const int8_t *opponent, const bgr_stakes *stakes,
                     const bgr_solve_options *options, bgr_proof **proof);

/* Prove bounds with rising budgets, up to `seconds`, until one proves the verdict for this position of the cube;
 * `progress` starts from 0 with each.  The same errors, and BGR_ERR_STAKES if a cube of this value cannot be there. */
bgr_status bgr_prove_verdict(int points, const int8_t *on_roll, const int8_t *opponent, const bgr_stakes *stakes,
                             const bgr_solve_options *options, bgr_cube cube, bgr_proof **proof);
void bgr_proof_free(bgr_proof *proof); /* NULL is allowed */

bgr_status bgr_proof_describe(const bgr_proof *proof, bgr_proof_info *info); /* BGR_ERR_ARGUMENT */

/* BGR_ERR_STAKES if a cube of this value cannot be there. */
bgr_status bgr_proof_chances(const bgr_proof *proof, bgr_chance_bounds *chances);
bgr_status bgr_proof_cube(const bgr_proof *proof, bgr_cube cube, bgr_cube_bounds *bounds);

/* Clamp the values and chances of an answer to proven bounds.  `proof` must be of the same race at the same stakes; the
 * options of either do not matter.  `error` of bgr_answer_info is lowered to the distance to the farther bound, of
 * rolling and of double/take with the cube in this position, if that is less.  Values after plays stay as they were.
 * BGR_ERR_STAKES if a cube of this value cannot be there, or if the stakes differ. */
bgr_status bgr_answer_bound(bgr_answer *answer, const bgr_proof *proof, bgr_cube cube);

/* Get the shortlist of a side, 0: on roll.  *counts: *n positions of BGR_MAX_POINTS counts each, owned by the proof.
 * BGR_ERR_ARGUMENT if no shortlist was used. */
bgr_status bgr_proof_shortlist(const bgr_proof *proof, int side, const int8_t **counts, int64_t *n);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
