/* The order in which a row takes its rolls, and the shape that goes with it. */

#include "simd/row.h"

#include "base/dice.h"

#include <string.h>

int bgr_sort_rolls(const int32_t *n_results, int doubles, int *sorted)
{
    int n = 0;
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        if ((bgr_rolls[roll].larger == bgr_rolls[roll].smaller) != doubles)
            continue;
        int at = n++;
        for (; at > 0 && n_results[sorted[at - 1]] > n_results[roll]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = roll;
    }
    return n;
}

int bgr_row_shape(const int32_t *n_results, int *order, uint16_t *shape)
{
    int length = 0;
    for (int doubles = 0; doubles < 2; doubles++) {
        int n = bgr_sort_rolls(n_results, doubles, order);
        uint16_t *n_of_size = shape + length;
        memset(n_of_size, 0, (BGR_ROW_SIZES + 1) * sizeof *n_of_size);
        length += BGR_ROW_SIZES + 1;
        for (; n > 0; n--) {
            int size = n_results[*order++];
            if (size > BGR_ROW_SIZES)
                shape[length++] = (uint16_t)size;
            n_of_size[size > BGR_ROW_SIZES ? BGR_ROW_SIZES : size - 1]++;
        }
    }
    return length;
}
