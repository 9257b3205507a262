/* bgrace: why a decision is right.  The licence is that of bgrace.h.
 *
 * The margin of each decision is a sum of terms (docs/why-a-take.md): those of the deciding player's chance to win, and
 * those of the chance that the cube requires.  The player on roll decides on a double, the opponent on a take.  Terms
 * are in points per unit of the present cube. */
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
    BGR_TERM_PIPS = 1,        /* the lead in pips, on roll half of the time, with usual wastage of both sides */
    BGR_TERM_ROLL = 2,        /* being on roll, or not */
    BGR_TERM_WASTE = 3,       /* pips that the deciding side wastes beyond the usual */
    BGR_TERM_OTHER_WASTE = 4, /* pips that the other side wastes beyond the usual */
    BGR_TERM_SPREAD = 5,      /* the spread of both sides' numbers of rolls */
    BGR_TERM_PLAY = 6,        /* both sides playing to win, not each to save rolls */
    BGR_TERM_PRICE = 7,       /* the chance that a dead cube requires for money without gammons: 1/4 to take, 1/2 to
                               * double */
    BGR_TERM_SCORE = 8,       /* how much more, or less, a dead cube requires at this score */
    BGR_TERM_GAMMONS = 9,     /* gammons won and lost */
    BGR_TERM_CUBE = 10,       /* turning the cube later, by either side */
    BGR_TERM_PASS = 11,       /* for a double: the opponent may pass */
    BGR_N_TERMS = 12,
    BGR_MAX_TERMS = 16 /* room for later ones */
} bgr_term;

/* Return the name of a term, a static string: "even", "pips", "roll", "waste", "other_waste", ...; NULL for any other
 * number. */
const char *bgr_term_name(int term);

#define BGR_MAX_PHRASES 12
#define BGR_MAX_PHRASE_VALUES 4

/* A part of a sentence: the key of a text in a language file, and the numbers in it by name.  Strings are static. */
typedef struct bgr_phrase {
    const char *key;
    int n;
    const char *name[BGR_MAX_PHRASE_VALUES];
    double value[BGR_MAX_PHRASE_VALUES];
} bgr_phrase;

/* Why one decision is right. */
typedef struct bgr_reason {
    /* Value of yes minus value of no, in points: a double with the best reply against rolling; a take against a pass.
     */
    double margin;
    double term[BGR_MAX_TERMS]; /* terms that add up to the margin */
    double of_chance;           /* value of a chance of 1 with a dead cube, in points; 0: the chance does not matter */
    double chance;              /* of the deciding player to win */
    double needed;              /* the least chance at which yes is right in a race of this length; 0 for a double
                                 * that costs nothing; NaN: there is none */
    double pips;                /* how many more pips of the deciding player would make no as good as yes; below 0 if
                                 * no is right; NaN beyond 40, if a double costs nothing, and if the position is too
                                 * good to double */
    int decides;                /* the greatest term without which the decision would change; -1: none */
    int n_phrases;
    bgr_phrase phrase[BGR_MAX_PHRASES];
} bgr_reason;

typedef struct bgr_reasons {
    size_t size; /* [in] */
    int pips[2]; /* of the player on roll and the opponent */
    double epc[2], waste[2];
    double usual_waste[2];  /* typical of races of that length */
    double unit;            /* value of a point in the unit of bgr_cube_values: 1 for money */
    int market_losers;      /* of the 36 rolls of the player on roll, those after which the opponent should have
                             * passed, before the opponent rolls; -1: not known */
    int may_double;         /* 0: the player on roll cannot double, and `twice` and `take` are all zeros */
    bgr_reason twice, take; /* to double, to take */
} bgr_reasons;

/* Explain the cube decision of an answer.  cache: may be NULL; it saves work if checkers are outside the home board.
 * BGR_ERR_STAKES if a cube of this value cannot be there, BGR_ERR_ARGUMENT, BGR_ERR_MEMORY. */
bgr_status bgr_answer_reasons(const bgr_solver *solver, bgr_cache *cache, const bgr_answer *answer, bgr_cube cube,
                              bgr_reasons *reasons);

/* Why one play of a roll is better than another.  Arrays of 2: after the better play, after the other one. */
typedef struct bgr_play_reason {
    size_t size;              /* [in] */
    int checkers[2], pips[2]; /* left after it */
    double epc[2];
    int misses[2]; /* of the 36 next rolls, those with a die that bears no checker off; -1: not all checkers are home */
    bgr_chances chances[2]; /* NaN: not known */
    int n_phrases;
    bgr_phrase phrase[BGR_MAX_PHRASES];
} bgr_play_reason;

/* Explain why a play is better than another.  better, other: the player on roll's position after each, `points` counts,
 * results of one roll that the answer knows.  cache: as for bgr_answer_reasons.  The errors of bgr_answer_move, and
 * BGR_ERR_MEMORY. */
bgr_status bgr_answer_play_reason(const bgr_solver *solver, bgr_cache *cache, const bgr_answer *answer, int points,
                                  const int8_t *better, const int8_t *other, bgr_play_reason *reason);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
