/* libFuzzer: any bytes as a database file, opened in memory and with a reader, and asked every question.  If the last
 * byte is odd, the checksum of the directory is corrected first, because a fuzzer cannot guess it. */
#include "bgrace.h"

#include <stdlib.h>
#include <string.h>

enum { DIRECTORY = 4096, CHECKSUM = 48, MOST = 24 };

static long n_opened;

static uint32_t crc32_of(const uint8_t *bytes, size_t n)
{
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t k = 0; k < n; k++) {
        crc ^= bytes[k];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

static void put_right(uint8_t *file, size_t size)
{
    if (size < DIRECTORY)
        return;
    for (int k = 0; k < 8; k++) /* the size of the file, which the directory repeats */
        file[16 + k] = (uint8_t)((uint64_t)size >> 8 * k);
    memset(file + CHECKSUM, 0, 4);
    uint32_t crc = crc32_of(file, DIRECTORY);
    for (int k = 0; k < 4; k++)
        file[CHECKSUM + k] = (uint8_t)(crc >> 8 * k);
}

static void ask(const bgr_db *db, const int8_t *mine, const int8_t *theirs, int points)
{
    double value, other, row[BGR_MAX_WIDTH];
    int64_t n_done;
    bgr_method method;
    bgr_equities equities;
    bgr_info info = {.size = sizeof info};
    bgr_file_info(db, 0, &info);
    if (bgr_probe_win_probability(db, points, mine, theirs, &value, &method) == BGR_OK && !(value >= 0 && value <= 1))
        abort();
    if (bgr_probe_epc(db, points, mine, &value) == BGR_OK && !(value >= 0))
        abort();
    bgr_probe_rolls_batch(db, points, mine, 1, &value, &other, &n_done);
    bgr_probe_roll_distribution(db, points, theirs, BGR_MAX_WIDTH, row);
    bgr_probe_first_checker_distribution(db, points, theirs, BGR_MAX_WIDTH, row);
    bgr_probe_equities(db, points, mine, theirs, &equities);
    bgr_probe_win_probability_batch(db, points, mine, theirs, 1, &value, &n_done);
    bgr_probe_equities_batch(db, points, theirs, mine, 1, &equities, &n_done);
    bgr_probe_epc_batch(db, points, theirs, 1, &value, &n_done);
    bgr_probe_roll_distribution_batch(db, points, mine, 1, points, row, &n_done);
}

typedef struct {
    const uint8_t *bytes;
    size_t size;
} whole_file;

static int read_ranges(void *context, const bgr_range *range, int n)
{
    const whole_file *file = context;
    for (int k = 0; k < n; k++) {
        if (range[k].size > file->size || range[k].offset > file->size - range[k].size)
            abort();
        memcpy(range[k].bytes, file->bytes + range[k].offset, range[k].size);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bgr_db *db;
    uint8_t *file = malloc(size ? size : 1); /* of exactly this size, so that sanitizers see reads beyond it */
    if (!file)
        return 0;
    memcpy(file, data, size);
    if (size && data[size - 1] & 1)
        put_right(file, size);
    whole_file whole = {file, size};
    const bgr_reader reader = {sizeof reader, size, read_ranges, &whole, 1 << 18};
    for (int by_reader = 0; by_reader < 2; by_reader++) {
        if ((by_reader ? bgr_open_reader(&reader, &db) : bgr_open_memory(file, size, &db)) != BGR_OK)
            continue;
        n_opened += !by_reader;
        int8_t mine[MOST] = {0}, theirs[MOST] = {0};
        for (int k = 0; k < MOST && (size_t)k < size / 2; k++) {
            mine[k] = (int8_t)(data[size - 1 - (size_t)k] % 5 ? 0 : data[size / 2 + (size_t)k] % 4);
            theirs[k] = (int8_t)(data[size / 2 + (size_t)k] % 5 ? 0 : 1);
        }
        for (int points = 1; points <= MOST; points += 5)
            ask(db, mine, theirs, points);
        bgr_verify(db);
        bgr_close(db);
    }
    free(file);
    return 0;
}
