/* libFuzzer: any bytes as a block of a packed table of pairs, or as a stripe of blocks.  A value that is decoded alone
 * must be the one that is decoded with all others. */
#include "pack/blocks.h"

#include <stdlib.h>
#include <string.h>

enum { FACTORS = 16, ROWS = 2 * BGR_BLOCK_SIDE + 3, BLOCKS = 3 };

static uint8_t *copied(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1); /* of exactly this size, so that sanitizers see reads beyond it */
    if (!copy)
        abort();
    memcpy(copy, data, size);
    return copy;
}

static void try_block(const uint8_t *data, size_t size)
{
    uint8_t *block = copied(data, size);
    bgr_block_plane planes[BGR_N_PLANES];
    int16_t left[BGR_BLOCK_PLACES];
    if (bgr_block_read(block, size, planes) == BGR_OK)
        for (int k = 0; k < BGR_N_PLANES; k++) {
            bgr_status all = bgr_block_values(&planes[k], left);
            for (int place = 0; place < BGR_BLOCK_PLACES; place += 1 + place / 64) {
                int value;
                bgr_status one = bgr_block_value(&planes[k], place, &value);
                if (all == BGR_OK && (one != BGR_OK || bgr_stored_value(0, value) != left[place]))
                    abort();
            }
        }
    free(block);
}

/* The first bytes give the starts of blocks and the shifts of products; the rest are codes. */
static void try_stripe(const uint8_t *data, size_t size)
{
    enum { HEAD = 3 * BLOCKS + 8 };
    if (size < HEAD)
        return;
    int16_t factors[ROWS * FACTORS];
    for (int k = 0; k < ROWS * FACTORS; k++)
        factors[k] = (int16_t)(data[k % (int)size] * 257 - 32768);
    bgr_factors c = {.on_roll = factors, .opponent = factors, .n = ROWS, .n_factors = FACTORS};
    for (int k = 0; k < BGR_N_PLANES; k++) {
        c.first[k] = data[k] % 9;
        c.count[k] = data[k] % 8;
        c.shift[k] = data[k + 4] % 32 - 1;
    }
    int64_t start[BLOCKS + 1] = {0};
    uint32_t crc[BLOCKS] = {0};
    for (int k = 0; k < BLOCKS; k++) {
        const uint8_t *p = data + 8 + 3 * k;
        start[k + 1] = p[2] == 255 ? INT64_MIN + p[0] : (p[2] < 128 ? start[k] : 0) + (p[0] | p[1] << 8);
    }
    uint8_t *codes = copied(data + HEAD, size - HEAD);
    int16_t *values = malloc(sizeof *values * BGR_BLOCK_SIDE * ROWS * BGR_N_PLANES);
    int64_t damaged, first;
    if (!values)
        abort();
    const bgr_stripe stripe = {&c, 0, BGR_BLOCK_SIDE, 1, BGR_PATH_SCALAR};
    const bgr_coded coded = {codes, (int64_t)(size - HEAD), start, crc};
    bgr_status status = bgr_unpack_stripe(&stripe, &coded, values, &damaged, &first);
    if (status == BGR_OK && (damaged < 0 || damaged > BLOCKS || (damaged > 0) != (first >= 0)))
        abort();
    free(values);
    free(codes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size && data[0] & 1)
        try_stripe(data + 1, size - 1);
    else if (size)
        try_block(data + 1, size - 1);
    return 0;
}
