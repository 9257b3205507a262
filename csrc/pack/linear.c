/* The algebra that finds factors. */

#include "pack/linear.h"

#include "base/memory.h"
#include "base/path.h"
#include "base/sort.h"
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

/* Make a symmetric matrix tridiagonal by reflections, from the last row up (Householder; Wilkinson and Reinsch,
 * "Linear Algebra", 1971, contribution II/2).  Row i, left of the diagonal, keeps the vector u of the reflection
 * I - u u' / half[i] that made it so; half[i] is 0 where none was needed. */
static void make_tridiagonal(double *a, int64_t n, double *diagonal, double *beside, double *half, double *p)
{
    for (int64_t i = n - 1; i > 0; i--) {
        double *u = a + i * n, rest = dot(u, u, i - 1), norm = rest + u[i - 1] * u[i - 1];
        diagonal[i] = u[i];
        half[i] = 0;
        if (!(rest > 0)) {
            beside[i] = u[i - 1];
            continue;
        }
        double length = u[i - 1] > 0 ? -sqrt(norm) : sqrt(norm);
        beside[i] = length;
        half[i] = norm - u[i - 1] * length;
        u[i - 1] -= length;
        /* p = A u / half, of the leading i x i part, by rows: A is symmetric and kept whole. */
        memset(p, 0, (size_t)i * sizeof *p);
        for (int64_t j = 0; j < i; j++)
            add_multiple(p, u[j], a + j * n, i);
        for (int64_t k = 0; k < i; k++)
            p[k] /= half[i];
        add_multiple(p, -dot(p, u, i) / (2 * half[i]), u, i);
        for (int64_t j = 0; j < i; j++) {
            double of_p = u[j], of_u = p[j];
            add_multiple(a + j * n, -of_p, p, i);
            add_multiple(a + j * n, -of_u, u, i);
        }
    }
    diagonal[0] = a[0];
    beside[0] = half[0] = 0;
}

/* Undo the reflections on the rows of `vectors`, which are in the tridiagonal matrix's coordinates. */
static void reflect_back(const double *a, const double *half, int64_t n, double *vectors)
{
    for (int64_t k = 0; k < n; k++) {
        double *row = vectors + k * n;
        for (int64_t i = 1; i < n; i++) {
            const double *u = a + i * n;
            if (half[i] != 0)
                add_multiple(row, -dot(u, row, i) / half[i], u, i);
        }
    }
}

/* Eigenvalues of a tridiagonal matrix by rotations (QL with implicit shifts; the same book, contribution II/4), which
 * are carried out on rows of `vectors` too.  0 if it does not end. */
static int turn_diagonal(double *d, double *e, int64_t n, double *vectors)
{
    enum { MAX_TURNS = 60 };
    for (int64_t k = 1; k < n; k++)
        e[k - 1] = e[k];
    e[n - 1] = 0;
    for (int64_t low = 0; low < n; low++)
        for (int turns = 0;; turns++) {
            int64_t m = low;
            for (; m < n - 1; m++) {
                double size = fabs(d[m]) + fabs(d[m + 1]);
                if (fabs(e[m]) <= 2.220446049250313e-16 * size)
                    break;
            }
            if (m == low)
                break;
            if (turns == MAX_TURNS)
                return 0;
            double g = (d[low + 1] - d[low]) / (2 * e[low]), r = sqrt(g * g + 1);
            g = d[m] - d[low] + e[low] / (g + (g < 0 ? -r : r));
            double s = 1, c = 1, p = 0;
            int64_t i = m - 1;
            for (; i >= low; i--) {
                double f = s * e[i], b = c * e[i];
                r = sqrt(f * f + g * g);
                e[i + 1] = r;
                if (r == 0) {
                    d[i + 1] -= p;
                    e[m] = 0;
                    break;
                }
                s = f / r;
                c = g / r;
                g = d[i + 1] - p;
                r = (d[i] - g) * s + 2 * c * b;
                p = s * r;
                d[i + 1] = g + p;
                g = c * r - b;
                double *above = vectors + i * n, *below = above + n;
                for (int64_t k = 0; k < n; k++) {
                    double x = below[k], y = above[k];
                    below[k] = s * y + c * x;
                    above[k] = c * y - s * x;
                }
            }
            if (r == 0 && i >= low)
                continue;
            d[low] -= p;
            e[low] = g;
            e[m] = 0;
        }
    return 1;
}

/* All eigenvalues of a symmetric n x n matrix, falling, and eigenvectors as the rows of `vectors`.  The matrix is
 * overwritten.  BGR_ERR_SIZE if there are none. */
static bgr_status find_all(double *matrix, int64_t n, double *values, double *vectors)
{
    double *room = malloc((size_t)n * 3 * sizeof *room), *turned = calloc((size_t)(n * n), sizeof *turned);
    bgr_keyed *sorted = malloc((size_t)n * 2 * sizeof *sorted);
    bgr_status status = room && turned && sorted ? BGR_OK : BGR_ERR_MEMORY;
    if (status == BGR_OK) {
        double *beside = room, *half = room + n, *p = room + 2 * n;
        make_tridiagonal(matrix, n, values, beside, half, p);
        for (int64_t k = 0; k < n; k++)
            turned[k * n + k] = 1;
        if (!turn_diagonal(values, beside, n, turned))
            status = BGR_ERR_SIZE;
        else {
            reflect_back(matrix, half, n, turned);
            for (int64_t k = 0; k < n; k++)
                sorted[k] = (bgr_keyed){bgr_key_of(-values[k]), (int32_t)k};
            bgr_sort_keyed(sorted, sorted + n, n);
            memcpy(room, values, (size_t)n * sizeof *room);
            for (int64_t k = 0; k < n; k++) {
                values[k] = room[sorted[k].number];
                memcpy(vectors + k * n, turned + sorted[k].number * n, (size_t)n * sizeof *vectors);
            }
        }
    }
    BGR_FREE(room, turned, sorted);
    return status;
}

typedef struct {
    const double *rows, *matrix;
    int64_t n, count;
    double *products;
} row_products;

enum { ROWS = 8, WIDTH = 256 }; /* what stays in the first cache meanwhile */

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

/* rows times a symmetric matrix, count x n */
static void multiply_rows(const double *rows, const double *matrix, int64_t n, int64_t count, int n_threads,
                          double *products)
{
    row_products of = {rows, matrix, n, count, products};
    bgr_run(n_threads, (count + ROWS - 1) / ROWS, 1, multiply_band, &of);
}

/* Make rows orthogonal and of length 1, one after the other; twice, which is enough (Kahan; Parlett, "The Symmetric
 * Eigenvalue Problem", section 6.9).  A row that the others make up becomes 0. */
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

/* Signs that look like nothing in particular (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
 * 2014). */
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

bgr_status bgr_leading_vectors(const double *matrix, int64_t n, int64_t count, int n_threads, bgr_progress progress,
                               void *context, double *values, double *vectors)
{
    enum { TURNS = 4, MORE = 64 };
    if (count < 1 || count > n)
        return BGR_ERR_SIZE;
    int64_t wide = count + MORE < n ? count + MORE : n;
    size_t size = (size_t)(wide * n), square = (size_t)(wide * wide);
    double *rows = malloc(2 * size * sizeof *rows), *small = malloc((2 * square + (size_t)wide) * sizeof *small);
    bgr_status status = rows && small ? BGR_OK : BGR_ERR_MEMORY;
    if (status == BGR_OK) {
        double *products = rows + size, *turned = small + square, *all = turned + square;
        fill_with_signs(rows, wide * n);
        for (int turn = 0; turn <= TURNS && status == BGR_OK; turn++) {
            multiply_rows(rows, matrix, n, wide, n_threads, products);
            if (turn < TURNS) {
                memcpy(rows, products, size * sizeof *rows);
                make_orthonormal(rows, n, wide);
            }
            status = progress(context, 0, turn, TURNS) ? BGR_ERR_STOPPED : BGR_OK;
        }
        for (int64_t i = 0; i < wide && status == BGR_OK; i++)
            for (int64_t k = 0; k <= i; k++)
                small[i * wide + k] = small[k * wide + i] = dot(rows + i * n, products + k * n, n);
        if (status == BGR_OK)
            status = find_all(small, wide, all, turned);
        for (int64_t k = 0; k < count && status == BGR_OK; k++) {
            values[k] = all[k];
            memset(vectors + k * n, 0, (size_t)n * sizeof *vectors);
            for (int64_t i = 0; i < wide; i++)
                add_multiple(vectors + k * n, turned[k * wide + i], rows + i * n, n);
        }
    }
    BGR_FREE(rows, small);
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
    if (r < 1 || n < 0)
        return BGR_ERR_SIZE;
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
