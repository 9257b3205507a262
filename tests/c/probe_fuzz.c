/* Run tests/fuzz/open.c without libFuzzer, on a file that is damaged in several ways: no crash, no impossible answer.
 *
 *     probe_fuzz FILE ROUNDS SEED
 *
 * Each round tries one damage twice, with the checksum of the directory corrected or not.
 * Prints the numbers of rounds and of opened files. */
#include "../fuzz/open.c"
#include "random.h"

#include <stdio.h>

static size_t below(size_t n) { return (size_t)(next_random() % n); }

/* Draw a number near the limits of a directory; the numbers of an entry begin at its byte 40. */
static uint64_t hostile_number(size_t size)
{
    switch (below(5)) {
    case 0:
        return next_random();
    case 1: /* checkers, points and versions, and one more */
        return below(26);
    case 2:
        return size / (1 + below(2)) + below(3) - 1;
    default: /* near the limits of integer types */
        return ((uint64_t)2 << below(64)) - below(2);
    }
}

/* Damage a file, which has room for size + 64 bytes, and return its new size. */
static size_t damage(uint8_t *bytes, size_t size)
{
    enum { HEADER = 56, ENTRY = 104 };
    const uint64_t values[] = {0x7FF8000000000000U, 0x7FF0000000000000U, 0xBFF0000000000000U, 0x8000800080008000U};
    size_t n_entries = bytes[40], length = 1 + below(size / 4);
    uint8_t *entry = bytes + HEADER + ENTRY * below(n_entries);
    uint64_t number = hostile_number(size);
    switch (below(7)) {
    case 0:
        for (size_t k = 1 + below(8); k > 0; k--)
            bytes[below(size)] ^= (uint8_t)(1U << below(8));
        return size;
    case 1:
        return below(4) ? below(size) : below(200);
    case 2:
        memset(bytes + size, (int)below(256), 64);
        return size + 1 + below(64);
    case 3: /* a piece of another place */
        memmove(bytes + below(size - length), bytes + below(size - length), length);
        return size;
    case 4: /* impossible values */
        for (size_t k = 1 + below(40); k > 0; k--)
            memcpy(bytes + DIRECTORY + 8 * below((size - DIRECTORY) / 8 - 1), &values[below(4)], 8);
        return size;
    case 5: /* a number of the header or of an entry, or a whole entry */
        if (below(3))
            memcpy(below(2) ? bytes + 8 + 4 * below(9) : entry + 40 + 4 * below(15), &number, below(2) ? 4 : 8);
        else
            memmove(entry, bytes + HEADER + ENTRY * below(n_entries), below(3) ? ENTRY : 40);
        return size;
    default: /* anything in the directory */
        for (size_t k = 1 + below(4); k > 0; k--)
            bytes[below(HEADER + ENTRY * n_entries)] = (uint8_t)next_random();
        return size;
    }
}

int main(int argc, char **argv)
{
    static uint8_t whole[1 << 22], bytes[(1 << 22) + 64];
    FILE *file = argc == 4 ? fopen(argv[1], "rb") : NULL;
    size_t size = file ? fread(whole, 1, sizeof whole, file) : 0;
    if (!file || fclose(file) != 0 || size < DIRECTORY || size == sizeof whole)
        return 2;
    state = strtoull(argv[3], NULL, 10);
    for (long round = atol(argv[2]); round > 0; round--) {
        memcpy(bytes, whole, size);
        size_t n = damage(bytes, size);
        LLVMFuzzerTestOneInput(bytes, n); /* if the last byte is odd, the checksum is corrected */
        if (n > 0)
            bytes[n - 1] ^= 1;
        LLVMFuzzerTestOneInput(bytes, n);
    }
    printf("%s %ld\n", argv[2], n_opened);
    return 0;
}
