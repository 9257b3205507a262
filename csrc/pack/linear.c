/* The algebra that finds factors. */

#include "pack/linear.h"

#include "base/path.h"
#include "base/threads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Eight sums side by side, so that vectors of any width add in the same order. */
BGR_EVERY_WIDTH
static double dot(const double *a, const double *b, int64_t n)
{
    enum { LANES = 8 };
    double sum[LANES] = {0};
    int64_t k = 0;
    for (; k + LANES <= n; k += LANES)
        for (int lane = 0; lane < LANES; lane++)
            sum[lane] += a[k + lane] * b[k + lane];
    for (; k < n; k++)
        sum[k % LANES] += a[k] * b[k];
    return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

/* to += factor * from */
BGR_EVERY_WIDTH
static void add_multiple(double *to, double factor, const double *from, int64_t n)
{
    for (int64_t k = 0; k < n; k++)
        to[k] += factor * from[k];
}

typedef struct {
    const double *rows, *matrix;
    int64_t n, count;
    double *products;
} row_products;

enum { ROWS = 8, WIDTH = 256 }; /* these fit into the first cache */

/* Multiply the rows of a band by a symmetric matrix. */
static void multiply_band(void *of, int64_t band)
{
    const row_products *p = of;
    int64_t n = p->n, first = band * ROWS, past = first + ROWS < p->count ? first + ROWS : p->count;
    for (int64_t i = first; i < past; i++)
        memset(p->products + i * n, 0, (size_t)n * sizeof *p->products);
    for (int64_t left = 0; left < n; left += WIDTH) {
        int64_t width = n - left < WIDTH ? n - left : WIDTH;
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = first; i < past; i++)
                add_multiple(p->products + i * n + left, p->rows[i * n + j], p->matrix + j * n + left, width);
    }
}

/* Make rows orthogonal and of length 1, one after the other; twice, which is enough (Kahan; Parlett, "The Symmetric
 * Eigenvalue Problem", section 6.9).  A row that depends linearly on others becomes 0. */
static void make_orthonormal(double *rows, int64_t n, int64_t count)
{
    for (int64_t k = 0; k < count; k++) {
        double *row = rows + k * n, before = dot(row, row, n);
        for (int pass = 0; pass < 2; pass++)
            for (int64_t j = 0; j < k; j++)
                add_multiple(row, -dot(row, rows + j * n, n), rows + j * n, n);
        double after = dot(row, row, n), factor = after > 1e-28 * before ? 1 / sqrt(after) : 0;
        for (int64_t i = 0; i < n; i++)
            row[i] *= factor;
    }
}

/* Fill with pseudorandom signs (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014). */
static void fill_with_signs(double *rows, int64_t size)
{
    uint64_t state = 0;
    for (int64_t k = 0; k < size; k++) {
        uint64_t x = state += 0x9E3779B97F4A7C15U;
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9U;
        x = (x ^ x >> 27) * 0x94D049BB133111EBU;
        rows[k] = (x ^ x >> 31) & 1 ? 1 : -1;
    }
}

bgr_status bgr_leading_vectors(const double *matrix, int64_t n, int64_t count, const bgr_work *work, double *values,
                               double *vectors)
{
    enum { TURNS = 8 };
    size_t size = (size_t)(count * n);
    double *products = malloc(size * sizeof *products);
    if (!products)
        return BGR_ERR_MEMORY;
    row_products multiplied = {vectors, matrix, n, count, products};
    bgr_status status = BGR_OK;
    fill_with_signs(products, count * n);
    for (int turn = 0; turn <= TURNS && status == BGR_OK; turn++) {
        memcpy(vectors, products, size * sizeof *vectors);
        make_orthonormal(vectors, n, count);
        bgr_each(work->parallel, 0, (count + ROWS - 1) / ROWS, 1, multiply_band, &multiplied);
        status = bgr_tell(work, 0, turn, TURNS) ? BGR_ERR_STOPPED : BGR_OK;
    }
    for (int64_t k = 0; k < count; k++)
        values[k] = dot(vectors + k * n, products + k * n, n);
    free(products);
    return status;
}

/* The lower triangle L of G = L L', by columns: column k of L is row k of the array, so that all loops run along rows.
 * A pivot that is lost in rounding makes its column 0. */
static void make_cholesky(double *g, int64_t r)
{
    for (int64_t k = 0; k < r; k++) {
        double *row = g + k * r;
        double least = 1e-13 * row[k];
        for (int64_t j = 0; j < k; j++)
            add_multiple(row + k, -g[j * r + k], g + j * r + k, r - k);
        double pivot = row[k] > least ? sqrt(row[k]) : 0;
        for (int64_t i = k; i < r; i++)
            row[i] = pivot > 0 ? row[i] / pivot : 0;
        row[k] = pivot;
    }
}

typedef struct {
    const double *l, *turned;
    int64_t r;
    double *rows;
} row_equations;

static void solve_row(void *of, int64_t i)
{
    const row_equations *e = of;
    int64_t r = e->r;
    double *x = e->rows + i * r;
    for (int64_t k = 0; k < r; k++) { /* L y = b */
        const double *column = e->l + k * r;
        x[k] = column[k] > 0 ? x[k] / column[k] : 0;
        add_multiple(x + k + 1, -x[k], column + k + 1, r - k - 1);
    }
    for (int64_t k = r - 1; k >= 0; k--) { /* L' x = y */
        const double *row = e->turned + k * r;
        x[k] = row[k] > 0 ? x[k] / row[k] : 0;
        add_multiple(x, -x[k], row, k);
    }
}

bgr_status bgr_solve_rows(double *gram, int64_t r, double *rows, int64_t n, int n_threads)
{
    double *turned = malloc((size_t)(r * r) * sizeof *turned);
    if (!turned)
        return BGR_ERR_MEMORY;
    make_cholesky(gram, r);
    for (int64_t i = 0; i < r; i++)
        for (int64_t k = 0; k <= i; k++)
            turned[i * r + k] = gram[k * r + i];
    row_equations of = {gram, turned, r, rows};
    bgr_run(n_threads, n, 64, solve_row, &of);
    free(turned);
    return BGR_OK;
}
