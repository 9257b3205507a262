/* bgrace: bounds of values that are proved.  The licence is that of bgrace.h. */
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
    BGR_PROOF_NONE = 0,     /* nothing was; not of a proof that is returned */
    BGR_PROOF_CLOCKS = 1,   /* the other side as soon off as it can be by any roll, or sooner */
    BGR_PROOF_CONFINED = 2, /* one side confined to a shortlist, the other one free */
    BGR_PROOF_EXACT = 3     /* all pairs: bounds enclose the rounding alone */
} bgr_proof_method;

/* A value that is proved to be no less than `low` and no more than `high`. */
typedef struct bgr_interval {
    double low, high;
} bgr_interval;

typedef struct bgr_proof_info {
    size_t size; /* [in] */
    bgr_proof_method method;
    double delta;         /* the width of the shortlists, in rolls */
    int64_t positions[2]; /* that either side can come to; 0 if they were too many to list */
    int64_t kept[2];      /* positions of either shortlist */
    double seconds;       /* the budget that it was proved within */
} bgr_proof_info;

/* Chances of the player on roll, as in bgr_chances where all pairs are solved. */
typedef struct bgr_chance_bounds {
    bgr_interval win, win_gammon, lose_gammon;
} bgr_chance_bounds;

/* One place of the cube, as bgr_cube_values has it. */
typedef struct bgr_cube_bounds {
    bgr_interval no_double, double_take, value;
    bgr_cube_verdict verdict; /* one that is right if `proved` */
    int proved;               /* 1: every value within the bounds gives this verdict */
} bgr_cube_bounds;

/* Bounds of a race at its stakes.  Opaque; owned by the caller; read by any number of threads. */
typedef struct bgr_proof bgr_proof;

/* Prove bounds for every value, as narrow as `seconds` and `memory_bytes` of the options allow, counted and not timed:
 * what one common processor does in that time, whatever `parallel` is, so that bounds don't depend on it; far from
 * home some .3 seconds at least, and 1.3 where both sides have 15 checkers there, however few are allowed;
 * or with the shortlists of an `exactness` other than 0, as far as memory allows: a delta, BGR_BEST_BY_MEAN for 0,
 * INFINITY for all pairs.  Of the other options `parallel`, `progress`, `stop` and `cache` count.  `progress` is told
 * how much of the budget is used, which need not be all of it.  Free the proof with bgr_proof_free.  The same errors as
 * bgr_ask. */
bgr_status bgr_prove(int points, const int8_t *on_roll, const int8_t *opponent, const bgr_stakes *stakes,
                     const bgr_solve_options *options, bgr_proof **proof);

/* The same within budgets that rise up to `seconds`, until one proves the verdict with the cube in this place;
 * `progress` begins anew with each of them.  The same errors, and BGR_ERR_STAKES if a cube of this value cannot be
 * there. */
bgr_status bgr_prove_verdict(int points, const int8_t *on_roll, const int8_t *opponent, const bgr_stakes *stakes,
                             const bgr_solve_options *options, bgr_cube cube, bgr_proof **proof);
void bgr_proof_free(bgr_proof *proof); /* NULL is allowed */

bgr_status bgr_proof_describe(const bgr_proof *proof, bgr_proof_info *info); /* BGR_ERR_ARGUMENT */

/* BGR_ERR_STAKES if a cube of this value cannot be there. */
bgr_status bgr_proof_chances(const bgr_proof *proof, bgr_chance_bounds *chances);
bgr_status bgr_proof_cube(const bgr_proof *proof, bgr_cube cube, bgr_cube_bounds *bounds);

/* Move values of an answer that lie outside proven bounds to the nearer end, and its chances too.  `proof` is of the
 * same race at the same stakes, to the seconds of any options.  From then on `error` of bgr_answer_info is no more than
 * the distance to the farther end, of rolling and of a double that is taken, with the cube in this place.  Values after
 * the plays stay as they were.  BGR_ERR_STAKES if a cube of this value cannot be there, or the stakes are others. */
bgr_status bgr_answer_bound(bgr_answer *answer, const bgr_proof *proof, bgr_cube cube);

/* The shortlist of a side, 0 on roll: *n positions of BGR_MAX_POINTS counts, which belong to the proof.
 * BGR_ERR_ARGUMENT if none was used. */
bgr_status bgr_proof_shortlist(const bgr_proof *proof, int side, const int8_t **counts, int64_t *n);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
