/* bgrace: why a decision is right.  The licence is that of bgrace.h.
 *
 * Each decision is a sum (docs/why-a-take.md): of what makes the deciding player's chance to win, and of what the cube
 * asks for.  The player on roll decides on a double, the opponent on a take.  The terms are in points per unit of the
 * present cube, and add up to the margin. */
#ifndef BGRACE_WHY_H
#define BGRACE_WHY_H

#include "bgrace.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

typedef enum bgr_term {
    BGR_TERM_EVEN = 0,        /* half of all games */
    BGR_TERM_PIPS = 1,        /* the lead in pips, on roll half of the time, both sides wasting what is usual */
    BGR_TERM_ROLL = 2,        /* being on roll, or not */
    BGR_TERM_WASTE = 3,       /* pips that the deciding side wastes beyond the usual */
    BGR_TERM_OTHER_WASTE = 4, /* pips that the other side wastes beyond the usual */
    BGR_TERM_SPREAD = 5,      /* how far the numbers of rolls of both sides spread */
    BGR_TERM_PLAY = 6,        /* both sides playing to win, not each to save rolls */
    BGR_TERM_PRICE = 7,   /* what a dead cube asks for, for money without gammons: a fourth, or a half, of the games */
    BGR_TERM_SCORE = 8,   /* how much more, or less, it asks for at this score */
    BGR_TERM_GAMMONS = 9, /* gammons won and lost */
    BGR_TERM_CUBE = 10,   /* turning the cube later, by either side */
    BGR_TERM_PASS = 11,   /* of a double: the opponent may pass */
    BGR_N_TERMS = 12,
    BGR_MAX_TERMS = 16 /* room for later ones */
} bgr_term;

/* Its name, static: "even", "pips", "roll", "waste", "other_waste", ...; NULL for any other number. */
const char *bgr_term_name(int term);

#define BGR_MAX_PHRASES 12
#define BGR_MAX_PHRASE_VALUES 4

/* A part of a sentence, as a key to a text of a language file with its numbers by name.  Strings are static. */
typedef struct bgr_phrase {
    const char *key;
    int n;
    const char *name[BGR_MAX_PHRASE_VALUES];
    double value[BGR_MAX_PHRASE_VALUES];
} bgr_phrase;

/* Why one decision is right. */
typedef struct bgr_reason {
    /* Points by which yes beats no: a double, answered well, against rolling; a take against a pass. */
    double margin;
    double term[BGR_MAX_TERMS]; /* terms that add up to the margin */
    double of_chance;           /* points that a chance of 1 is worth with a dead cube; 0: nothing hangs on it */
    double chance;              /* of the deciding player to win */
    double needed;              /* the chance from which on yes is right in a race of this length; 0 for a double that
                                 * costs nothing; NaN: there is none */
    double pips;                /* pips that the deciding player could have more before no is as good; below 0 if no is
                                 * right; NaN beyond 40, where a double costs nothing, and in a position that is too
                                 * good to double */
    int decides;                /* the greatest term without which the decision would be another one; -1: none */
    int n_phrases;
    bgr_phrase phrase[BGR_MAX_PHRASES];
} bgr_reason;

typedef struct bgr_reasons {
    size_t size; /* [in] */
    int pips[2]; /* of the player on roll and the opponent */
    double epc[2], waste[2];
    double usual_waste[2];  /* of played races of that length */
    double unit;            /* what a point is worth in the unit of bgr_cube_values: 1 for money */
    int market_losers;      /* rolls, of 36, of the player on roll after which the opponent had better have passed,
                             * before rolling in reply; -1: not known */
    int may_double;         /* 0: there is no cube to turn, and `twice` and `take` are all zeros */
    bgr_reason twice, take; /* to double, to take */
} bgr_reasons;

/* Why the cube decision of an answer is as it is.  cache: NULL is allowed; it spares work where checkers are outside
 * the home board.  BGR_ERR_STAKES if a cube of this value cannot be there, BGR_ERR_ARGUMENT,
 * BGR_ERR_MEMORY. */
bgr_status bgr_answer_reasons(const bgr_solver *solver, bgr_cache *cache, const bgr_answer *answer, bgr_cube cube,
                              bgr_reasons *reasons);

/* The difference of a play of a roll from a better one.  Numbers come in pairs: after the better play, after this one.
 */
typedef struct bgr_play_reason {
    size_t size;              /* [in] */
    int checkers[2], pips[2]; /* what is left */
    double epc[2];
    int misses[2]; /* rolls, of 36, with which a die bears nothing off next time; -1: not all checkers are home */
    bgr_chances chances[2]; /* NaN: not known */
    int n_phrases;
    bgr_phrase phrase[BGR_MAX_PHRASES];
} bgr_play_reason;

/* better, other: `points` counts each, the player on roll's after two plays of a roll that the answer knows.  cache: as
 * for bgr_answer_reasons.  The errors of bgr_answer_move, and BGR_ERR_MEMORY. */
bgr_status bgr_answer_play_reason(const bgr_solver *solver, bgr_cache *cache, const bgr_answer *answer, int points,
                                  const int8_t *better, const int8_t *other, bgr_play_reason *reason);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
