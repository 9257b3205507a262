/* The two-sided solver in the arithmetic of GNU Backgammon's generator, makebearoff, so that its files can be made byte
 * by byte.
 *
 * Its values are unsigned, equity = u / 32767.5 - 1.  Here they are signed, s = u - 32768, so that winning is 32767,
 * losing -32768, and the other side's value is the bitwise complement -s - 1.  A mean over the rolls is cut toward
 * zero (the `cut` of a row).  What a player with the right to double has comes from integer halves cut toward zero, and
 * doubling is worth at most a pass. */

#include "solve/two_sided.h"

/* nd: without doubling; dt: after double/take, in units of the doubled cube. */
static inline int16_t with_double(int16_t nd, int16_t dt)
{
    int16_t doubled = (int16_t)(dt >= INT16_MAX / 2 ? INT16_MAX : 2 * dt);
    return dt >= nd / 2 ? doubled : nd;
}

BGR_EVERY_WIDTH
void bgr_gnubg_turn(const int16_t *n, int16_t half, int16_t *v)
{
    const int16_t *cubeless = n, *mine = n + 16, *centered = n + 32, *theirs = n + 48;
    (void)half;
    for (int l = 0; l < 16; l++) {
        v[l] = (int16_t)~cubeless[l];
        v[16 + l] = (int16_t)~theirs[l];
        v[32 + l] = (int16_t)~with_double(centered[l], theirs[l]);
        v[48 + l] = (int16_t)~with_double(mine[l], theirs[l]);
    }
}
