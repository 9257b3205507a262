/* Products of factors, a block at a time.
 *
 * The rows of a stripe are the same for all of its blocks, so these are transposed: one load gets two factors of
 * several rows, which are multiplied with two of a column and added in pairs.  No horizontal sums are needed. */

#include "pack/products.h"

#include <string.h>

void bgr_turn_factors(const int16_t *factors, int64_t stride, int n_positions, int count, int16_t *turned)
{
    memset(turned, 0, bgr_turned_size(count) * sizeof *turned);
    for (int i = 0; i < n_positions; i++)
        for (int k = 0; k < count; k++)
            turned[k / 2 * BGR_TURNED + 2 * i + k % 2] = factors[i * stride + k];
}

static void multiply_scalar(const int16_t *turned, const int16_t *columns, int64_t stride, int n_columns, int count,
                            uint32_t sums[BGR_BLOCK_PLACES])
{
    for (int j = 0; j < n_columns; j++) {
        uint32_t sum[BGR_BLOCK_SIDE] = {0};
        for (int pair = 0; pair < (count + 1) / 2; pair++) {
            const int16_t *a = turned + pair * BGR_TURNED, *b = columns + j * stride + 2 * pair;
            int16_t second = 2 * pair + 1 < count ? b[1] : 0; /* a factor past the end counts as 0 */
            for (int i = 0; i < BGR_BLOCK_SIDE; i++)
                sum[i] += (uint32_t)(a[2 * i] * b[0]) + (uint32_t)(a[2 * i + 1] * second);
        }
        memcpy(sums + j * BGR_BLOCK_SIDE, sum, sizeof sum);
    }
}

#ifdef BGR_HAS_SSE2
#include <emmintrin.h>

#define MULTIPLY(name) name##_sse2
#define TARGET
#define X86(name) _mm_##name
#define X86_WHOLE(name) _mm_##name##_si128
#define INTEGERS __m128i
#define COLUMNS_AT_A_TIME 1 /* and all of the 32 rows: eight sums */
#include "pack/products.inc"
#endif

#ifdef BGR_HAS_AVX
#include <immintrin.h>

#define MULTIPLY(name) name##_avx2
#define TARGET __attribute__((target("avx2")))
#define X86(name) _mm256_##name
#define X86_WHOLE(name) _mm256_##name##_si256
#define INTEGERS __m256i
#define COLUMNS_AT_A_TIME 3 /* twelve sums of sixteen registers */
#include "pack/products.inc"
#endif

bgr_multiply bgr_choose_multiply(bgr_path path)
{
    if (!bgr_path_available(path))
        return NULL;
#ifdef BGR_HAS_AVX
    if (path != BGR_PATH_SCALAR && path != BGR_PATH_SSE2 && bgr_path_available(BGR_PATH_AVX2))
        return multiply_avx2;
#endif
#ifdef BGR_HAS_SSE2
    if (path != BGR_PATH_SCALAR)
        return multiply_sse2;
#endif
    return multiply_scalar;
}
