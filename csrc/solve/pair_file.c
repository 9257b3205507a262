/* A table of pairs in a file. */

#include "base/system.h"

#include <errno.h>
#include <string.h>

#ifdef _WIN32
#include <io.h>
#include <windows.h>
#else
#include <fcntl.h>
#include <unistd.h>
#endif

#include "base/planes.h"
#include "solve/pair_file.h"

enum { PAIR_BYTES = BGR_N_PLANES * (int)sizeof(int16_t), PAGE = 4096 };

#ifdef _WIN32

/* Write from `from`, or if that is NULL, read into `to`.  Returns the number of bytes, up to n, or -1. */
static int64_t move_some(int descriptor, const void *from, void *to, size_t n, int64_t place)
{
    HANDLE handle = (HANDLE)_get_osfhandle(descriptor);
    OVERLAPPED at = {0};
    DWORD done, most = (DWORD)(n < 1U << 30 ? n : 1U << 30);
    at.Offset = (DWORD)place;
    at.OffsetHigh = (DWORD)(place >> 32);
    errno = EIO;
    int moved = from ? WriteFile(handle, from, most, &done, &at) : ReadFile(handle, to, most, &done, &at);
    return moved ? (int64_t)done : -1;
}

#else

static int64_t move_some(int descriptor, const void *from, void *to, size_t n, int64_t place)
{
    return from ? pwrite(descriptor, from, n, (off_t)place) : pread(descriptor, to, n, (off_t)place);
}

#endif

/* Whether to repeat a call that has moved `done` bytes or was interrupted. */
static int goes_on(int64_t done)
{
    if (done == 0)
        errno = EIO;
    return done > 0 || (done < 0 && errno == EINTR);
}

static int64_t place_of(const bgr_pair_file *file, int64_t n_ranks, int64_t rank, int64_t against)
{
    return file->offset + (rank * n_ranks + against) * PAIR_BYTES;
}

/* Move all n bytes.  Returns 0 on failure, with errno set. */
static int move_all(int descriptor, const unsigned char *from, unsigned char *to, size_t n, int64_t place)
{
    for (size_t moved = 0; moved < n;) {
        int64_t done = move_some(descriptor, from ? from + moved : NULL, from ? NULL : to + moved, n - moved,
                                 place + (int64_t)moved);
        if (!goes_on(done))
            return 0;
        moved += done > 0 ? (size_t)done : 0;
    }
    return 1;
}

/* Move the rows of a rectangle, as move_all().  Returns 0 on failure, with file->error set. */
static int move_rows(bgr_pair_file *file, int64_t n_ranks, const bgr_rectangle *rectangle, const unsigned char *from,
                     unsigned char *to)
{
    size_t n_bytes = (size_t)rectangle->n_against * PAIR_BYTES;
    for (int64_t rank = rectangle->first_rank; rank < rectangle->first_rank + rectangle->n_ranks; rank++) {
        int64_t place = place_of(file, n_ranks, rank, rectangle->first_against);
        unsigned char *mapped = file->mapped ? file->mapped + (place - file->offset) : NULL;
        if (mapped) {
            memcpy(from ? mapped : to, from ? from : mapped, n_bytes);
        } else if (!move_all(file->descriptor, from, to, n_bytes, place)) {
            file->error = errno;
            return 0;
        }
        if (from)
            from += n_bytes;
        else
            to += n_bytes;
    }
    return 1;
}

/* Continue the checksums of rows by a rectangle. */
static void add_rows(const bgr_crc32 *crc, const bgr_rectangle *rectangle, const int16_t *pairs, uint32_t *row_crc32)
{
    size_t n_bytes = (size_t)rectangle->n_against * PAIR_BYTES;
    const unsigned char *bytes = (const unsigned char *)pairs;
    uint32_t *values = row_crc32 + rectangle->first_rank;
    int64_t i = 0;
    for (; i + BGR_CRC32_LANES <= rectangle->n_ranks; i += BGR_CRC32_LANES) {
        const unsigned char *rows[BGR_CRC32_LANES];
        for (int lane = 0; lane < BGR_CRC32_LANES; lane++)
            rows[lane] = bytes + (size_t)(i + lane) * n_bytes;
        bgr_crc32_add_lanes(crc, rows, n_bytes, values + i);
    }
    for (bgr_crc32 one = *crc; i < rectangle->n_ranks; i++) {
        one.value = values[i];
        bgr_crc32_add(&one, bytes + (size_t)i * n_bytes, n_bytes);
        values[i] = one.value;
    }
}

/* Prefetch the pages in which rows end.  Such a page has the beginning of the next row, which was written long ago: if
 * it is no longer cached, the system has to read it before it can write, which is faster for all rows together. */
static void ask_for_ends(const bgr_pair_file *file, int64_t n_ranks, const bgr_rectangle *rectangle)
{
#ifdef POSIX_FADV_WILLNEED
    int64_t past = rectangle->first_against + rectangle->n_against;
    if (!file->mapped && (n_ranks - past) * PAIR_BYTES < PAGE)
        for (int64_t rank = rectangle->first_rank; rank < rectangle->first_rank + rectangle->n_ranks; rank++)
            (void)posix_fadvise(file->descriptor, (off_t)place_of(file, n_ranks, rank, past), PAGE,
                                POSIX_FADV_WILLNEED);
#else
    (void)file, (void)n_ranks, (void)rectangle;
#endif
}

bgr_status bgr_pair_file_write(bgr_pair_file *file, const bgr_crc32 *crc, int64_t n_ranks,
                               const bgr_rectangle *rectangle, const int16_t *pairs)
{
    ask_for_ends(file, n_ranks, rectangle);
    add_rows(crc, rectangle, pairs, file->row_crc32);
    return move_rows(file, n_ranks, rectangle, (const unsigned char *)pairs, NULL) ? BGR_OK : BGR_ERR_WRITE;
}

bgr_status bgr_pair_file_read(bgr_pair_file *file, int64_t n_ranks, const bgr_rectangle *rectangle, int16_t *pairs)
{
    return move_rows(file, n_ranks, rectangle, NULL, (unsigned char *)pairs) ? BGR_OK : BGR_ERR_READ;
}

/* A linear map of CRCs: the image of each bit. */
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

/* The effect of n zero bytes on a CRC, by repeated squaring of the map of one byte. */
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
