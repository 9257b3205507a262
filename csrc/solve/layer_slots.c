/* How many positions a layer has. */

#include "solve/layer_slots.h"

#include "base/position.h"
#include <string.h>

int64_t bgr_count_sequences(int checkers, const int8_t *most, int n, int64_t count[][BGR_MAX_CHECKERS + 1])
{
    for (int v = 0; v <= checkers; v++)
        count[n - 1][v] = 1;
    for (int j = n - 2; j >= 0; j--) {
        int64_t sum = 0;
        for (int v = 0; v <= checkers; v++) {
            if (v <= most[j + 1])
                sum += count[j + 1][v];
            count[j][v] = sum;
        }
    }
    return count[0][checkers];
}

bgr_status bgr_layer_init(const bgr_home *home, int points, const int8_t *most, bgr_layer *l)
{
    memset(l, 0, sizeof *l);
    if (points <= BGR_HOME_POINTS || points > BGR_MAX_POINTS)
        return BGR_ERR_POINTS;
    if (most[0] < home->stop || most[0] > home->space.checkers)
        return BGR_ERR_CHECKERS;
    for (int j = 1; j < points; j++)
        if (most[j] < 0 || most[j] > most[j - 1])
            return BGR_ERR_POSITION;
    l->home = home;
    l->points = points;
    l->checkers = most[0];
    memcpy(l->most, most, (size_t)points);
    l->size = bgr_count_sequences(l->checkers, l->most, points, l->count);
    l->n_slots = home->space.size + l->size;
    return BGR_OK;
}

bgr_status bgr_layer_size(const bgr_home *home, int points, const int8_t *most, int64_t *size)
{
    bgr_layer l;
    bgr_status status = bgr_layer_init(home, points, most, &l);
    if (status == BGR_OK)
        *size = l.size;
    return status;
}
