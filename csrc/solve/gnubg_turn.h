/* The two-sided solver in GNU Backgammon's arithmetic. */
#ifndef BGR_GNUBG_TURN_H
#define BGR_GNUBG_TURN_H

#include <stdint.h>

/* Turn one row of values of rolling without doubling, N, into the row of V for the player who meets this one: the head
 * of two_sided.c says what V is.  Like bgr_two_sided_turn, which needs `half`, half a unit of equity; here it is not
 * used.  n and v: 16 columns of four planes, plane after plane. */
void bgr_gnubg_turn(const int16_t *n, int16_t half, int16_t *v);

#endif
