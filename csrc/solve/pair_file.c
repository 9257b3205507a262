/* A table of pairs in a file. */

#include "base/system.h"

#include <errno.h>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

#include "base/planes.h"
#include "solve/pair_file.h"

enum { PAIR_BYTES = BGR_N_PLANES * (int)sizeof(int16_t) };

#ifdef _WIN32

/* Only one thread writes at a time. */
static int64_t write_some(int descriptor, const void *bytes, size_t n, int64_t place)
{
    if (_lseeki64(descriptor, place, SEEK_SET) < 0)
        return -1;
    return _write(descriptor, bytes, (unsigned)(n < 1 << 30 ? n : 1 << 30));
}

#else

static int64_t write_some(int descriptor, const void *bytes, size_t n, int64_t place)
{
    return pwrite(descriptor, bytes, n, (off_t)place);
}

#endif

static int write_all(int descriptor, const unsigned char *bytes, size_t n, int64_t place)
{
    while (n > 0) {
        int64_t written = write_some(descriptor, bytes, n, place);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            errno = written < 0 ? errno : EIO;
            return 0;
        }
        bytes += written;
        place += written;
        n -= (size_t)written;
    }
    return 1;
}

bgr_status bgr_pair_file_write(bgr_pair_file *file, bgr_crc32 *crc, int64_t n_ranks, const bgr_pair_band *band,
                               const int16_t *pairs)
{
    size_t n_bytes = (size_t)band->n_against * PAIR_BYTES;
    for (int64_t i = 0; i < band->n_ranks; i++) {
        const unsigned char *bytes = (const unsigned char *)(pairs + i * band->n_against * BGR_N_PLANES);
        int64_t rank = band->first_rank + i;
        crc->value = file->row_crc32[rank];
        bgr_crc32_add(crc, bytes, n_bytes);
        file->row_crc32[rank] = crc->value;
        if (!write_all(file->descriptor, bytes, n_bytes,
                       file->offset + (rank * n_ranks + band->first_against) * PAIR_BYTES)) {
            file->error = errno;
            return BGR_ERR_WRITE;
        }
    }
    return BGR_OK;
}

void bgr_pair_rows_crc32(const int16_t *table, int64_t n_ranks, const bgr_pair_band *band, uint32_t *row_crc32)
{
    bgr_crc32 crc;
    bgr_crc32_init(&crc);
    for (int64_t i = 0; i < band->n_ranks; i++) {
        int64_t rank = band->first_rank + i;
        const int16_t *row = table + (rank * n_ranks + band->first_against) * BGR_N_PLANES;
        crc.value = row_crc32[rank];
        bgr_crc32_add(&crc, (const unsigned char *)row, (size_t)band->n_against * PAIR_BYTES);
        row_crc32[rank] = crc.value;
    }
}

/* A linear map of CRCs: what becomes of each bit. */
typedef struct {
    uint32_t bit[32];
} crc_map;

static uint32_t apply(const crc_map *map, uint32_t crc)
{
    uint32_t sum = 0;
    for (int k = 0; k < 32; k++)
        sum ^= crc >> k & 1 ? map->bit[k] : 0;
    return sum;
}

static crc_map after(const crc_map *second, const crc_map *first)
{
    crc_map both;
    for (int k = 0; k < 32; k++)
        both.bit[k] = apply(second, first->bit[k]);
    return both;
}

/* What so many zero bytes make of a CRC: the map of one byte, squared and multiplied. */
static crc_map zero_bytes(uint64_t n)
{
    bgr_crc32 crc;
    crc_map power, all;
    bgr_crc32_init(&crc);
    for (int k = 0; k < 32; k++) {
        uint32_t bit = (uint32_t)1 << k;
        power.bit[k] = bit >> 8 ^ crc.table[0][bit & 0xFF];
        all.bit[k] = bit;
    }
    for (; n > 0; n >>= 1) {
        if (n & 1)
            all = after(&power, &all);
        power = after(&power, &power);
    }
    return all;
}

uint32_t bgr_pair_table_crc32(const uint32_t *row_crc32, int64_t n_ranks)
{
    crc_map row = zero_bytes((uint64_t)n_ranks * PAIR_BYTES);
    uint32_t crc = 0;
    for (int64_t rank = 0; rank < n_ranks; rank++)
        crc = apply(&row, crc) ^ row_crc32[rank];
    return crc;
}
