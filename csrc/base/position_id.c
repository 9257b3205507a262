/* GNU Backgammon's position IDs.
 *
 * 80 bits: the 24 points and the bar of the opponent, then those of the player on roll, a 1 for every checker and a 0
 * to end every point; the remaining bits are 0.  As ten bytes, each with its lowest bit first, they are written in
 * base 64. */

#include "bgrace.h"

#include <string.h>

enum { LETTERS = 14, BYTES = 10, PLACES = BGR_MAX_POINTS + 1, BAR = BGR_MAX_POINTS };

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

bgr_status bgr_position_id(int points, const int8_t *on_roll, const int8_t *opponent, char *id)
{
    const int8_t *sides[2] = {opponent, on_roll};
    unsigned char key[BYTES + 2] = {0}; /* padded, since three bytes make four letters */
    int bit = 0;
    if (points < 1 || points > BGR_MAX_POINTS)
        return BGR_ERR_POINTS;
    for (int side = 0; side < 2; side++) {
        int checkers = 0;
        for (int j = 0; j < points; j++) {
            if (sides[side][j] < 0 || (checkers += sides[side][j]) > BGR_MAX_CHECKERS)
                return BGR_ERR_POSITION;
            for (int k = 0; k < sides[side][j]; k++, bit++)
                key[bit / 8] |= (unsigned char)(1u << bit % 8);
            bit++;
        }
        bit += PLACES - points;
    }
    for (int k = 0; k < LETTERS; k++) {
        unsigned three = (unsigned)key[k / 4 * 3] << 16 | (unsigned)key[k / 4 * 3 + 1] << 8 | key[k / 4 * 3 + 2];
        id[k] = letters[three >> (18 - 6 * (k % 4)) & 63];
    }
    id[LETTERS] = 0;
    return BGR_OK;
}

bgr_status bgr_read_position_id(const char *id, int8_t *on_roll, int8_t *opponent)
{
    int8_t counts[2][PLACES] = {{0}};
    int checkers[2] = {0, 0}, place = 0;
    unsigned rest = 0;
    unsigned char key[BYTES + 1] = {0};
    for (int k = 0, n = 0, at = 0; k < LETTERS; k++) {
        const char *letter = id[k] ? strchr(letters, id[k]) : NULL;
        if (!letter)
            return BGR_ERR_ARGUMENT;
        rest = rest << 6 | (unsigned)(letter - letters);
        n += 6;
        if (n >= 8) {
            n -= 8;
            key[at++] = (unsigned char)(rest >> n);
            rest &= (1u << n) - 1;
        }
    }
    if (rest || (id[LETTERS] && !strchr("=: \t\r\n", id[LETTERS])))
        return BGR_ERR_ARGUMENT;
    for (int bit = 0; bit < 8 * BYTES; bit++) {
        int one = key[bit / 8] >> bit % 8 & 1, side = place >= PLACES;
        if (one && place == 2 * PLACES)
            return BGR_ERR_ARGUMENT; /* bits after the last point */
        if (!one) {
            place += place < 2 * PLACES;
        } else {
            if (++checkers[side] > BGR_MAX_CHECKERS)
                return BGR_ERR_POSITION;
            counts[side][place % PLACES]++;
        }
    }
    if (place < 2 * PLACES)
        return BGR_ERR_ARGUMENT;
    if (counts[0][BAR] || counts[1][BAR])
        return BGR_ERR_POSITION;
    for (int j = 0; j < BGR_MAX_POINTS; j++)
        if (counts[0][j] && counts[1][BGR_MAX_POINTS - 1 - j])
            return BGR_ERR_CONTACT;
    memcpy(opponent, counts[0], BGR_MAX_POINTS);
    memcpy(on_roll, counts[1], BGR_MAX_POINTS);
    return BGR_OK;
}
