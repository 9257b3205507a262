/* What tiles are solved with: the order of rolls, the function for each kind of processor, and the scalar twin of all
 * of them. */

#include "solve/two_sided.h"

#include <string.h>

/* Bytes, measured: up to seven checkers on six points. */
enum { SMALL_STRIPE = 320 * 1024 };

/* 3, 4, 4, 5, 5, 6, 6, 7, 7, 7, 8, 8, 8, 9, 9, 10, 11, 12, 16, 20, 24 pips */
const uint8_t bgr_roll_order[BGR_N_ROLLS] = {1, 3, 0, 4, 6, 7, 10, 8, 11, 15, 12, 16, 2, 13, 17, 18, 19, 5, 9, 14, 20};

const bgr_roll_groups *bgr_choose_roll_groups(int64_t stripe_bytes)
{
    static const bgr_roll_groups one_group = {1, {0, BGR_N_ROLLS}};
    static const bgr_roll_groups by_pips = {BGR_MOST_ROLL_GROUPS, {0, 3, 7, 10, 13, 17, BGR_N_ROLLS}};
    return stripe_bytes <= SMALL_STRIPE ? &one_group : &by_pips;
}

static const struct {
    bgr_tile_function tile;
    int (*available)(void);
} paths[BGR_N_PATHS] = {
    [BGR_PATH_SCALAR] = {bgr_tile_scalar, bgr_have_scalar}, [BGR_PATH_SSE2] = {bgr_tile_sse2, bgr_have_sse2},
    [BGR_PATH_AVX2] = {bgr_tile_avx2, bgr_have_avx2},       [BGR_PATH_AVX512] = {bgr_tile_avx512, bgr_have_avx512},
    [BGR_PATH_NEON] = {bgr_tile_neon, bgr_have_neon},
};

int bgr_path_available(bgr_path path)
{
    if (path == BGR_PATH_BEST)
        return 1;
    return path > BGR_PATH_BEST && path < BGR_N_PATHS && paths[path].available();
}

bgr_tile_function bgr_choose_tile(bgr_path path)
{
    static const bgr_path order[] = {BGR_PATH_AVX512, BGR_PATH_AVX2, BGR_PATH_SSE2, BGR_PATH_NEON, BGR_PATH_SCALAR};
    if (path != BGR_PATH_BEST)
        return bgr_path_available(path) ? paths[path].tile : NULL;
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        if (bgr_path_available(order[k]))
            return paths[order[k]].tile;
    return NULL;
}

void bgr_tile_scalar(const int16_t *stripe, const bgr_block_rolls *rolls, int cut, int16_t (*out)[BGR_ROW])
{
    int32_t sum[16][BGR_ROW] = {{0}};
    const uint16_t *n_results = rolls->n_results;
    const int32_t *offset = rolls->offset;
    for (int group = 0; group < rolls->groups->n_groups; group++)
        for (int i = 0; i < rolls->n_rows; i++)
            for (int k = rolls->groups->start[group]; k < rolls->groups->start[group + 1]; k++) {
                const int32_t *end = offset + *n_results++;
                int16_t best[BGR_ROW];
                memcpy(best, stripe + *offset, sizeof best);
                while (++offset < end)
                    for (int e = 0; e < BGR_ROW; e++)
                        if (stripe[*offset + e] > best[e])
                            best[e] = stripe[*offset + e];
                for (int e = 0; e < BGR_ROW; e++)
                    sum[i][e] += bgr_rolls[bgr_roll_order[k]].weight * best[e];
            }
    for (int i = 0; i < rolls->n_rows; i++)
        for (int e = 0; e < BGR_ROW; e++)
            out[i][e] = cut ? bgr_cut_36(sum[i][e]) : bgr_round_36(sum[i][e]);
}

int bgr_have_scalar(void) { return 1; }
