/* What is kept of each position while one player is solved: the best results of a few dice of one size. */
#ifndef BGR_CHAINS_H
#define BGR_CHAINS_H

/* Means of different positions differ by at least 3.77e-7 rolls on six points unless their distributions are equal;
 * equal ones differ by rounding only. */
#define BGR_TIE 1e-10

/* Best results of single dice, six each: of three dice of one size, of one, of two.  In this order all that goes on
 * from a die of one size is within 16 elements. */
enum { BGR_THREE_DICE = 0, BGR_ONE_DIE = 6, BGR_TWO_DICE = 12, BGR_N_CHAINS = 18 };

/* The element of 1 to 3 dice of one size. */
static inline int bgr_chain(int dice, int size) { return 6 * (dice % 3) + size - 1; }

#endif
