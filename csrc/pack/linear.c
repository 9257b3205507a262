/* The algebra that finds factors. */

#include "pack/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Make a symmetric matrix tridiagonal by reflections, from the last row up (Householder; Wilkinson and Reinsch,
 * "Linear Algebra", 1971, contribution II/2).  Row i, left of the diagonal, keeps the vector u of the reflection
 * I - u u' / half[i] that made it so; half[i] is 0 where none was needed. */
static void make_tridiagonal(double *a, int64_t n, double *diagonal, double *beside, double *half, double *p)
{
    for (int64_t i = n - 1; i > 0; i--) {
        double *u = a + i * n, norm = 0;
        for (int64_t k = 0; k < i; k++)
            norm += u[k] * u[k];
        double rest = norm - u[i - 1] * u[i - 1];
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
        for (int64_t j = 0; j < i; j++) {
            const double *row = a + j * n;
            double factor = u[j];
            for (int64_t k = 0; k < i; k++)
                p[k] += factor * row[k];
        }
        double dot = 0;
        for (int64_t k = 0; k < i; k++) {
            p[k] /= half[i];
            dot += p[k] * u[k];
        }
        double share = dot / (2 * half[i]);
        for (int64_t k = 0; k < i; k++)
            p[k] -= share * u[k];
        for (int64_t j = 0; j < i; j++) {
            double *row = a + j * n, of_p = u[j], of_u = p[j];
            for (int64_t k = 0; k < i; k++)
                row[k] -= of_p * p[k] + of_u * u[k];
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
            double dot = 0;
            if (half[i] == 0)
                continue;
            for (int64_t j = 0; j < i; j++)
                dot += u[j] * row[j];
            dot /= half[i];
            for (int64_t j = 0; j < i; j++)
                row[j] -= dot * u[j];
        }
    }
}

/* Eigenvalues of a tridiagonal matrix by rotations (QL with implicit shifts; the same book, contribution II/4), which are
 * carried out on rows of `vectors` too.  0 if it does not end. */
static int turn_diagonal(double *d, double *e, int64_t n, double *vectors)
{
    enum { MOST_TURNS = 60 };
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
            if (turns == MOST_TURNS)
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

typedef struct {
    double value;
    int64_t number;
} numbered;

static int falling(const void *a, const void *b)
{
    const numbered *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? 1 : -1;
    return (x->number > y->number) - (x->number < y->number);
}

bgr_status bgr_eigen(double *matrix, int64_t n, double *values, double *vectors)
{
    if (n < 1)
        return BGR_ERR_SIZE;
    double *room = malloc((size_t)n * 3 * sizeof *room), *turned = calloc((size_t)(n * n), sizeof *turned);
    numbered *sorted = malloc((size_t)n * sizeof *sorted);
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
                sorted[k] = (numbered){values[k], k};
            qsort(sorted, (size_t)n, sizeof *sorted, falling);
            for (int64_t k = 0; k < n; k++) {
                values[k] = sorted[k].value;
                memcpy(vectors + k * n, turned + sorted[k].number * n, (size_t)n * sizeof *vectors);
            }
        }
    }
    free(room);
    free(turned);
    free(sorted);
    return status;
}

/* The lower triangle L of G = L L', by columns: column k of L is row k of the array, so that all loops run along rows.
 * A pivot that is lost in rounding makes its column 0. */
static void make_cholesky(double *g, int64_t r)
{
    for (int64_t k = 0; k < r; k++) {
        double *row = g + k * r;
        double least = 1e-13 * row[k];
        for (int64_t j = 0; j < k; j++) {
            const double *earlier = g + j * r;
            double factor = earlier[k];
            for (int64_t i = k; i < r; i++)
                row[i] -= factor * earlier[i];
        }
        double pivot = row[k] > least ? sqrt(row[k]) : 0;
        for (int64_t i = k; i < r; i++)
            row[i] = pivot > 0 ? row[i] / pivot : 0;
        row[k] = pivot;
    }
}

static void solve_row(const double *l, const double *turned, int64_t r, double *x)
{
    for (int64_t k = 0; k < r; k++) { /* L y = b */
        const double *column = l + k * r;
        x[k] = column[k] > 0 ? x[k] / column[k] : 0;
        for (int64_t i = k + 1; i < r; i++)
            x[i] -= x[k] * column[i];
    }
    for (int64_t k = r - 1; k >= 0; k--) { /* L' x = y */
        const double *row = turned + k * r;
        x[k] = row[k] > 0 ? x[k] / row[k] : 0;
        for (int64_t i = 0; i < k; i++)
            x[i] -= x[k] * row[i];
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
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (int64_t i = 0; i < n; i++)
        solve_row(gram, turned, r, rows + i * r);
    free(turned);
    return BGR_OK;
}
