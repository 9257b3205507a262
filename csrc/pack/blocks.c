/* Pack and unpack tables of pairs, stripe by stripe. */

#include "pack/blocks.h"

#include "base/crc32.h"
#include "base/threads.h"
#include "pack/products.h"

#include <stdlib.h>
#include <string.h>

/* Values or remainders of a block, plane by plane. */
typedef int16_t bgr_block_array[BGR_N_PLANES][BGR_BLOCK_PLACES];

/* A block within a stripe: its columns, and the transposed factors of its rows, plane after plane. */
typedef struct {
    const bgr_factors *factors;
    const int16_t *turned;
    bgr_multiply multiply;
    int64_t column;
    int n_rows, n_columns;
} extent;

/* Convert sums to products, modulo 2^16: divided by 2^shift and rounded, as by bgr_product(). */
BGR_EVERY_WIDTH
static void round_sums(const uint32_t *sums, int shift, int n, int16_t *products)
{
    if (shift == 0)
        for (int k = 0; k < n; k++)
            products[k] = bgr_stored_value((int)sums[k], 0);
    else
        for (int k = 0; k < n; k++) {
            int32_t above = (int32_t)sums[k] >> (shift - 1);
            products[k] = bgr_stored_value((above >> 1) + (above & 1), 0);
        }
}

/* Find the sums of a block in one plane: column by column, 32 rows each. */
static void multiply_plane(const extent *e, int plane, uint32_t sums[BGR_BLOCK_PLACES])
{
    const bgr_factors *f = e->factors;
    const int16_t *turned = e->turned, *columns = f->opponent + e->column * f->n_factors + f->first[plane];
    for (int k = 0; k < plane; k++)
        turned += bgr_turned_size(f->count[k]);
    e->multiply(turned, columns, f->n_factors, e->n_columns, f->count[plane], sums);
}

/* Find the products of a block in one plane. */
static void multiply(const extent *e, int plane, int16_t products[BGR_BLOCK_PLACES])
{
    uint32_t sums[BGR_BLOCK_PLACES];
    multiply_plane(e, plane, sums);
    round_sums(sums, e->factors->shift[plane], e->n_columns * BGR_BLOCK_SIDE, products);
}

/* Find the remainders of a block. */
static void take_products(const extent *e, const int16_t *values, bgr_block_array left)
{
    bgr_block_array products;
    for (int plane = 0; plane < BGR_N_PLANES; plane++)
        multiply(e, plane, products[plane]);
    for (int i = 0; i < e->n_rows; i++) {
        const int16_t *row = values + (i * e->factors->n + e->column) * BGR_N_PLANES;
        for (int j = 0; j < e->n_columns; j++)
            for (int plane = 0; plane < BGR_N_PLANES; plane++)
                left[plane][i * BGR_BLOCK_SIDE + j] =
                    bgr_stored_value(row[j * BGR_N_PLANES + plane], -products[plane][j * BGR_BLOCK_SIDE + i]);
    }
}

static uint32_t crc_of(const extent *e, const bgr_crc32 *start, const int16_t *values)
{
    bgr_crc32 crc = *start;
    for (int i = 0; i < e->n_rows; i++) {
        const int16_t *row = values + (i * e->factors->n + e->column) * BGR_N_PLANES;
        bgr_crc32_add(&crc, (const unsigned char *)row, (size_t)e->n_columns * BGR_N_PLANES * sizeof *row);
    }
    return crc.value;
}

/* The coding of one plane of a block. */
typedef struct {
    int base, low_bits, n_words; /* as in bgr_block_plane */
    uint16_t folded[BGR_BLOCK_PLACES];
} plane_code;

/* Fold remainders, relative to their mean; places outside the table become 0. */
BGR_EVERY_WIDTH
static int fold(const extent *e, const int16_t left[BGR_BLOCK_PLACES], plane_code *code)
{
    int sum = 0, n = e->n_rows * e->n_columns;
    unsigned any = 0;
    for (int i = 0; i < e->n_rows; i++)
        for (int j = 0; j < e->n_columns; j++)
            sum += left[i * BGR_BLOCK_SIDE + j];
    code->base = (sum >= 0 ? sum + n / 2 : sum - n / 2) / n;
    memset(code->folded, 0, sizeof code->folded);
    for (int i = 0; i < e->n_rows; i++)
        for (int j = 0; j < e->n_columns; j++) {
            int at = i * BGR_BLOCK_SIDE + j;
            int16_t rest = bgr_stored_value(left[at], -code->base);
            code->folded[at] = (uint16_t)((unsigned)rest << 1 ^ (0 - (unsigned)(rest < 0)));
            any |= code->folded[at];
        }
    return any != 0;
}

static int cost(const plane_code *code, int low_bits)
{
    int sum = BGR_BLOCK_PLACES;
    for (int k = 0; k < BGR_BLOCK_PLACES; k++)
        sum += code->folded[k] >> low_bits;
    return (sum + 63) / 64; /* words */
}

/* Choose the number of low bits with the shortest code, the smallest if several have it. */
BGR_EVERY_WIDTH
static void choose(const extent *e, const int16_t left[BGR_BLOCK_PLACES], plane_code *code)
{
    enum { LOW_WORDS = BGR_BLOCK_PLACES / 64, MAX_WORDS = (1 << 12) - 1 };
    int best = -1;
    code->low_bits = code->n_words = 0;
    if (!fold(e, left, code))
        return;
    for (int low_bits = 0; low_bits <= BGR_MAX_LOW_BITS; low_bits++) {
        int n_words = cost(code, low_bits), all = n_words + LOW_WORDS * low_bits;
        if (n_words > MAX_WORDS)
            continue;
        if (best >= 0 && all >= best)
            break; /* it only rises from here on */
        best = all;
        code->low_bits = low_bits;
        code->n_words = n_words;
    }
}

static inline void put(unsigned char *to, uint64_t bits, int n_bytes)
{
    for (int k = 0; k < n_bytes; k++)
        to[k] = (unsigned char)(bits >> 8 * k);
}

static void write_low(const plane_code *code, unsigned char *to)
{
    uint64_t bits = 0;
    int n = 0, width = code->low_bits;
    if (width == 0)
        return;
    for (int k = 0; k < BGR_BLOCK_PLACES; k++) {
        bits |= (uint64_t)(code->folded[k] & ((1U << width) - 1)) << n;
        n += width;
        if (n >= 32) {
            put(to, bits, 4);
            to += 4;
            bits >>= 32;
            n -= 32;
        }
    }
}

static void write_high(const plane_code *code, unsigned char *to)
{
    uint64_t word = 0;
    int at = 0;
    unsigned char *end = to + 8 * code->n_words;
    if (code->n_words == 0)
        return;
    for (int k = 0; k < BGR_BLOCK_PLACES; k++) {
        at += code->folded[k] >> code->low_bits;
        for (; at >= 64; at -= 64, to += 8, word = 0)
            put(to, word, 8);
        word |= (uint64_t)1 << at;
        if (++at == 64) {
            put(to, word, 8);
            at = 0, to += 8, word = 0;
        }
    }
    if (to < end)
        put(to, word, 8);
}

/* Write a block; returns the number of bytes. */
static int32_t write_block(const plane_code code[BGR_N_PLANES], unsigned char *to)
{
    unsigned char *next = to + BGR_BLOCK_HEAD;
    for (int plane = 0; plane < BGR_N_PLANES; plane++) {
        const plane_code *c = &code[plane];
        put(to + 4 * plane, (uint32_t)c->base & 0xFFFF, 2);
        put(to + 4 * plane + 2, (unsigned)c->low_bits | (unsigned)c->n_words << 4, 2);
        write_low(c, next);
        next += c->low_bits * (BGR_BLOCK_PLACES / 8);
    }
    for (int plane = 0; plane < BGR_N_PLANES; plane++) {
        write_high(&code[plane], next);
        next += 8 * code[plane].n_words;
    }
    return (int32_t)(next - to);
}

static int stripe_fits(const bgr_factors *f, int64_t row, int n_rows)
{
    int fits = f->n >= 1 && f->n_factors <= BGR_MAX_FACTORS && row >= 0 && row % BGR_BLOCK_SIDE == 0 && n_rows >= 1 &&
               n_rows <= BGR_BLOCK_SIDE && row + n_rows <= f->n;
    for (int plane = 0; plane < BGR_N_PLANES; plane++)
        fits = fits && f->first[plane] >= 0 && f->count[plane] >= 0 &&
               f->first[plane] + f->count[plane] <= f->n_factors && f->shift[plane] >= 0 &&
               f->shift[plane] <= BGR_MAX_SHIFT;
    return fits;
}

static int64_t blocks_across(const bgr_factors *f) { return (f->n + BGR_BLOCK_SIDE - 1) / BGR_BLOCK_SIDE; }

/* Arguments of the loops over the blocks of a stripe. */
typedef struct {
    const bgr_stripe *of;
    int16_t *turned;
    bgr_multiply multiply;
    const int16_t *values;
    int16_t *decoded;
    int32_t *size;
    uint32_t *crc;
    unsigned char *codes;
    const bgr_coded *coded;
    int64_t n_damaged;
    bgr_crc32 fresh;
    int plane, most;
    uint16_t *missed;
} stripe;

enum { PIECE = 8 }; /* blocks */

/* Transpose the factors of the rows; free `turned` in any case. */
static bgr_status init_stripe(stripe *s)
{
    const bgr_factors *f = s->of->factors;
    size_t size = 0;
    if (!stripe_fits(f, s->of->row, s->of->n_rows))
        return BGR_ERR_SIZE;
    s->multiply = bgr_choose_multiply(s->of->path);
    if (!s->multiply)
        return BGR_ERR_ARGUMENT;
    for (int plane = 0; plane < BGR_N_PLANES; plane++)
        size += bgr_turned_size(f->count[plane]);
    s->turned = malloc((size + 1) * sizeof *s->turned);
    if (!s->turned)
        return BGR_ERR_MEMORY;
    int16_t *turned = s->turned;
    for (int plane = 0; plane < BGR_N_PLANES; plane++) {
        const int16_t *rows = f->on_roll + s->of->row * f->n_factors + f->first[plane];
        bgr_turn_factors(rows, f->n_factors, s->of->n_rows, f->count[plane], turned);
        turned += bgr_turned_size(f->count[plane]);
    }
    bgr_crc32_init(&s->fresh);
    return BGR_OK;
}

static void run_stripe(stripe *s, bgr_element body)
{
    bgr_run(s->of->n_threads, blocks_across(s->of->factors), PIECE, body, s);
}

static extent extent_of(const stripe *s, int64_t block)
{
    int64_t column = block * BGR_BLOCK_SIDE, beyond = s->of->factors->n - column;
    int n_columns = beyond < BGR_BLOCK_SIDE ? (int)beyond : BGR_BLOCK_SIDE;
    return (extent){s->of->factors, s->turned, s->multiply, column, s->of->n_rows, n_columns};
}

static void pack_block(void *of, int64_t k)
{
    const stripe *s = of;
    extent e = extent_of(s, k);
    bgr_block_array left;
    plane_code code[BGR_N_PLANES];
    take_products(&e, s->values, left);
    for (int plane = 0; plane < BGR_N_PLANES; plane++)
        choose(&e, left[plane], &code[plane]);
    s->crc[k] = crc_of(&e, &s->fresh, s->values);
    s->size[k] = write_block(code, s->codes + k * BGR_MAX_BLOCK_BYTES);
}

bgr_status bgr_pack_stripe(const bgr_stripe *asked, const int16_t *values, int32_t *size, uint32_t *crc,
                           unsigned char *codes)
{
    stripe s = {.of = asked, .values = values, .size = size, .crc = crc, .codes = codes};
    bgr_status status = init_stripe(&s);
    if (status == BGR_OK) {
        run_stripe(&s, pack_block);
        unsigned char *to = codes;
        for (int64_t k = 0; k < blocks_across(asked->factors); k++) {
            memmove(to, codes + k * BGR_MAX_BLOCK_BYTES, (size_t)size[k]);
            to += size[k];
        }
    }
    free(s.turned);
    return status;
}

static void miss_block(void *of, int64_t k)
{
    const stripe *s = of;
    const bgr_factors *f = s->of->factors;
    uint32_t sums[BGR_BLOCK_PLACES];
    int shift = f->shift[s->plane];
    extent e = extent_of(s, k);
    multiply_plane(&e, s->plane, sums);
    for (int i = 0; i < e.n_rows; i++) {
        const int16_t *values = s->values + i * f->n + e.column;
        uint16_t *missed = s->missed + i * f->n + e.column;
        for (int j = 0; j < e.n_columns; j++) {
            int value = bgr_product((int32_t)sums[j * BGR_BLOCK_SIDE + i], shift);
            value = value > s->most ? s->most : value < -s->most ? -s->most : value;
            missed[j] = (uint16_t)(value > values[j] ? value - values[j] : values[j] - value);
        }
    }
}

bgr_status bgr_miss_stripe(const bgr_stripe *asked, int plane, int most, const int16_t *values, uint16_t *missed)
{
    stripe s = {.of = asked, .values = values, .plane = plane, .most = most, .missed = missed};
    bgr_status status =
        plane < 0 || plane >= BGR_N_PLANES || most < 0 || most > INT16_MAX ? BGR_ERR_ARGUMENT : init_stripe(&s);
    if (status == BGR_OK)
        run_stripe(&s, miss_block);
    free(s.turned);
    return status;
}

/* Whether a block can be decoded and has its checksum. */
static int is_whole(const stripe *s, int64_t k)
{
    const extent across = extent_of(s, k), *e = &across;
    const bgr_coded *c = s->coded;
    const int64_t *start = c->start + k;
    bgr_block_plane planes[BGR_N_PLANES];
    int16_t products[BGR_BLOCK_PLACES], left[BGR_BLOCK_PLACES];
    int whole = start[0] >= 0 && start[0] <= start[1] && start[1] <= c->n_bytes &&
                bgr_block_read(c->codes + start[0], (size_t)(start[1] - start[0]), planes) == BGR_OK;
    for (int plane = 0; plane < BGR_N_PLANES && whole; plane++) {
        whole = bgr_block_values(&planes[plane], left) == BGR_OK;
        if (!whole)
            break;
        multiply(e, plane, products);
        for (int i = 0; i < e->n_rows; i++)
            for (int j = 0; j < e->n_columns; j++) {
                int at = i * BGR_BLOCK_SIDE + j;
                s->decoded[(i * e->factors->n + e->column + j) * BGR_N_PLANES + plane] =
                    bgr_stored_value(products[j * BGR_BLOCK_SIDE + i], left[at]);
            }
    }
    return whole && crc_of(e, &s->fresh, s->decoded) == c->crc[k];
}

static void unpack_block(void *of, int64_t k)
{
    stripe *s = of;
    if (!is_whole(s, k))
        bgr_add(&s->n_damaged, 1);
}

bgr_status bgr_unpack_stripe(const bgr_stripe *asked, const bgr_coded *coded, int16_t *values, int64_t *damaged,
                             int64_t *first)
{
    stripe s = {.of = asked, .decoded = values, .coded = coded};
    bgr_status status = init_stripe(&s);
    if (status == BGR_OK) {
        run_stripe(&s, unpack_block);
        *damaged = s.n_damaged;
        *first = -1;
        for (int64_t k = 0; s.n_damaged && *first < 0; k++)
            if (!is_whole(&s, k)) /* decodes again, without a change */
                *first = k;
    }
    free(s.turned);
    return status;
}
