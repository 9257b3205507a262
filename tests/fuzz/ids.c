/* libFuzzer: any text as a position ID.  A position that is read must be written with the same ID. */
#include "bgrace.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int8_t on_roll[BGR_MAX_POINTS], opponent[BGR_MAX_POINTS], counts[2 * BGR_MAX_POINTS];
    char id[BGR_POSITION_ID_SIZE], *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    if (bgr_read_position_id(text, on_roll, opponent) == BGR_OK &&
        (bgr_position_id(BGR_MAX_POINTS, on_roll, opponent, id) != BGR_OK || memcmp(id, text, sizeof id - 1) != 0))
        abort();
    free(text);
    if (size >= sizeof counts) { /* any counts as a position */
        memcpy(counts, data, sizeof counts);
        if (bgr_position_id(BGR_MAX_POINTS, counts, counts + BGR_MAX_POINTS, id) == BGR_OK) {
            bgr_status status = bgr_read_position_id(id, on_roll, opponent);
            if (status != BGR_ERR_CONTACT && (status != BGR_OK || memcmp(on_roll, counts, sizeof on_roll) != 0))
                abort();
        }
    }
    return 0;
}
