/* Choose the positions that stay in a layer that has too many, and blend the others from them.
 *
 * Apart from the cube and the choice of later plays, the value of a position against any opponent is linear in its
 * chances to be off within n rolls, for all n: its shape.  So a position may be replaced by a mean of others that has
 * the same shape, even if these have other numbers of checkers.
 *
 * Positions of a kind are sorted into strata by the number that best distinguishes those of equal mean, and by mean
 * within a stratum.  In each stratum some stay, more of them where positions are likely.  Any other one becomes a blend
 * of two neighbours that stay, one with a lesser and one with a greater mean, with shares that preserve its mean
 * (corrected for the chance to win: reach.c); the pair that comes closest to its shape is taken.  A second pair, whose
 * error is opposite, reduces the difference further. */

#include "turns/merge.h"

#include "base/memory.h"
#include "base/path.h"
#include "base/sort.h"
#include "base/tuning.h"

#include <math.h>

/* ------------------------------------------------------------------ positions that stay */

enum { MAX_SHAPE = 128 };

/* Mark `keep` positions of a stratum sorted by mean to stay, the first and the last included. */
static void thin_out(const int32_t *x, const double *weight, int64_t n, int64_t keep, uint8_t *stays)
{
    double all = 0, sum = 0;
    int64_t n_left = 0;
    for (int64_t k = 0; k < n; k++)
        all += weight[x[k]];
    for (int64_t k = 0; k < n; k++) {
        sum += k ? weight[x[k]] : 0;
        if (k == 0 || k == n - 1 || sum / all * (double)(keep - 1) >= (double)n_left) {
            n_left++;
            stays[x[k]] = 1;
        }
    }
}

/* ------------------------------------------------------------------ blends */

typedef struct {
    const bgr_alike *positions;
    int n_shape;
    const int32_t *left; /* positions that stay, by mean */
    int64_t n_left;
    int64_t n_low; /* number of these whose mean is not greater than that of the position to blend */
} staying;

static inline double squared(const double *x, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += x[k] * x[k];
    return sum;
}

/* Neighbours of a position among those that stay: those with a mean that is not greater, the nearest first, and from
 * TUNED_NEIGHBOURS on those with a greater mean. */
typedef struct {
    int n_low, n_high;
    const bgr_alike *of[2 * TUNED_NEIGHBOURS];
    /* The error of each neighbour, by component of the shape; and the inner products of two errors that are needed. */
    double off[MAX_SHAPE][2 * TUNED_NEIGHBOURS];
    double product[2 * TUNED_NEIGHBOURS][2 * TUNED_NEIGHBOURS];
} neighbours;

/* A mean of two neighbours: the share of the first, the squared error of the mean, and the same with a penalty for
 * their distance. */
typedef struct {
    int low, high;
    double share, off, cost;
} mean_of_two;

static void find_about(const staying *s, neighbours *a)
{
    a->n_low = a->n_high = 0;
    for (int64_t i = s->n_low - 1; i >= 0 && a->n_low < TUNED_NEIGHBOURS; i--)
        a->of[a->n_low++] = &s->positions[s->left[i]];
    for (int64_t i = s->n_low; i < s->n_left && a->n_high < TUNED_NEIGHBOURS; i++)
        a->of[TUNED_NEIGHBOURS + a->n_high++] = &s->positions[s->left[i]];
}

static void find_off(int n_shape, const double *shape, neighbours *a)
{
    for (int i = 0; i < 2 * TUNED_NEIGHBOURS; i++) {
        int present = i < TUNED_NEIGHBOURS ? i < a->n_low : i - TUNED_NEIGHBOURS < a->n_high;
        const float *of = present ? a->of[i]->shape : NULL;
        for (int k = 0; k < n_shape; k++)
            a->off[k][i] = of ? (double)of[k] - shape[k] : 0;
    }
}

/* Inner products of one error with the TUNED_NEIGHBOURS errors from `first` on, stored symmetrically.  All are summed
 * at a time, in the order of the components. */
BGR_EVERY_WIDTH static void multiply(neighbours *a, int n_shape, int one, int first)
{
    double sum[TUNED_NEIGHBOURS] = {0};
    for (int k = 0; k < n_shape; k++)
        for (int j = 0; j < TUNED_NEIGHBOURS; j++)
            sum[j] += a->off[k][one] * a->off[k][first + j];
    for (int j = 0; j < TUNED_NEIGHBOURS; j++)
        a->product[one][first + j] = a->product[first + j][one] = sum[j];
}

/* Inner products of each lower neighbour with each higher one, and of each with itself. */
BGR_EVERY_WIDTH static void multiply_all(neighbours *a, int n_shape)
{
    double square[2 * TUNED_NEIGHBOURS] = {0};
    for (int k = 0; k < n_shape; k++)
        for (int i = 0; i < 2 * TUNED_NEIGHBOURS; i++)
            square[i] += a->off[k][i] * a->off[k][i];
    for (int i = 0; i < 2 * TUNED_NEIGHBOURS; i++)
        a->product[i][i] = square[i];
    for (int i = 0; i < a->n_low; i++)
        multiply(a, n_shape, i, TUNED_NEIGHBOURS);
}

/* The inner product of the errors of two means. */
static inline double product_of(const neighbours *a, const mean_of_two *x, const mean_of_two *y)
{
    return x->share * (y->share * a->product[x->low][y->low] + (1 - y->share) * a->product[x->low][y->high]) +
           (1 - x->share) * (y->share * a->product[x->high][y->low] + (1 - y->share) * a->product[x->high][y->high]);
}

/* All pairs of one lower and one higher neighbour, with shares that preserve the mean of x.  Returns their number. */
static int list_pairs(const neighbours *a, const bgr_alike *x, mean_of_two *pairs)
{
    int n = 0;
    for (int i = 0; i < a->n_low; i++)
        for (int j = TUNED_NEIGHBOURS; j < TUNED_NEIGHBOURS + a->n_high; j++)
            pairs[n++] = (mean_of_two){i, j, (a->of[j]->mean - x->mean) / (a->of[j]->mean - a->of[i]->mean), 0, 0};
    if (!n) { /* x has the greatest mean of all, or the least */
        int only = a->n_low ? 0 : TUNED_NEIGHBOURS;
        pairs[n++] = (mean_of_two){only, only, 1, 0, 0};
    }
    for (int k = 0; k < n; k++) {
        mean_of_two *p = &pairs[k];
        double apart = a->of[p->high]->mean - a->of[p->low]->mean;
        double costs = tuned_by_apart * p->share * (1 - p->share) * apart * apart;
        p->off = product_of(a, p, p);
        p->cost = p->off + costs * costs;
    }
    return n;
}

/* The blend of positions that is closest to x in mean and to this shape. */
static bgr_blend blend_of(const staying *s, const bgr_alike *x, const double *shape)
{
    neighbours a;
    mean_of_two pairs[TUNED_NEIGHBOURS * TUNED_NEIGHBOURS];
    find_about(s, &a);
    find_off(s->n_shape, shape, &a);
    multiply_all(&a, s->n_shape);
    int n = list_pairs(&a, x, pairs), best = 0, second = 0;
    for (int k = 1; k < n; k++)
        if (pairs[k].cost < pairs[best].cost)
            best = k;
    if (n > 1) { /* combine the best pair with each other pair */
        multiply(&a, s->n_shape, pairs[best].low, 0);
        multiply(&a, s->n_shape, pairs[best].high, TUNED_NEIGHBOURS);
    }
    double share = 1, least = pairs[best].cost;
    for (int k = 0; k < n && least > 0; k++) {
        /* The square of (1 - part) best + part other is least where its slope is 0. */
        double both = product_of(&a, &pairs[best], &pairs[k]), apart = pairs[best].off - 2 * both + pairs[k].off,
               part = apart > 0 ? (pairs[best].off - both) / apart : 0;
        if (part <= 0 || part >= 1)
            continue;
        double cost = pairs[best].off - part * part * apart + (1 - part) * (pairs[best].cost - pairs[best].off) +
                      part * (pairs[k].cost - pairs[k].off);
        if (cost < least) {
            least = cost;
            second = k;
            share = 1 - part;
        }
    }
    const mean_of_two *x1 = &pairs[best], *x2 = &pairs[second];
    const int parts[BGR_BLEND_PARTS] = {x1->low, x1->high, x2->low, x2->high};
    const double shares[BGR_BLEND_PARTS] = {share * x1->share, share * (1 - x1->share), (1 - share) * x2->share,
                                            (1 - share) * (1 - x2->share)};
    bgr_blend blend;
    int used = 0;
    for (int k = 0; k < BGR_BLEND_PARTS; k++)
        if (shares[k] > 0) {
            blend.part[used] = (int32_t)(a.of[parts[k]] - s->positions);
            blend.share[used++] = (float)shares[k];
        }
    for (; used < BGR_BLEND_PARTS; used++) {
        blend.part[used] = blend.part[0];
        blend.share[used] = 0;
    }
    return blend;
}

/* Blend x, with error diffusion: errors of blends, weighted by their chances, are carried over to later blends, and
 * each corrects as much as its own error typically is. */
static bgr_blend blend_and_owe(const staying *s, const bgr_alike *x, double *owed, double *typical)
{
    double wanted[MAX_SHAPE], off[MAX_SHAPE];
    double debt = x->chance > 0 ? sqrt(squared(owed, s->n_shape)) / x->chance : 0;
    double part = debt > 0 ? fmin(1, *typical / debt) / x->chance : 0;
    for (int k = 0; k < s->n_shape; k++)
        wanted[k] = (double)x->shape[k] - part * owed[k];
    bgr_blend blend = blend_of(s, x, wanted);
    for (int k = 0; k < s->n_shape; k++) {
        off[k] = -(double)x->shape[k];
        for (int i = 0; i < BGR_BLEND_PARTS; i++)
            off[k] += (double)blend.share[i] * (double)s->positions[blend.part[i]].shape[k];
        owed[k] += x->chance * off[k];
    }
    *typical += (sqrt(squared(off, s->n_shape)) - *typical) / tuned_remembered;
    return blend;
}

/* ------------------------------------------------------------------ all of it */

/* Working memory of merging. */
typedef struct {
    const bgr_alike *positions;
    int n_shape;
    double *weight;
    int32_t *by_other, *by_mean; /* numbers of positions sorted by kind, then by other, or by mean */
    int32_t *list;               /* room for as many numbers */
    uint8_t *stratum;
} merging;

/* Sort numbers of positions by kind, then by mean or by `other`.  keyed: room for 2 n.
 * list [out] n. */
static void sort_alike(const bgr_alike *positions, int64_t n, int by_mean, bgr_keyed *keyed, int32_t *list)
{
    for (int64_t k = 0; k < n; k++)
        keyed[k] = (bgr_keyed){bgr_key_of(by_mean ? positions[k].mean : positions[k].other), (int32_t)k};
    bgr_sort_keyed(keyed, keyed + n, n);
    for (int64_t k = 0; k < n; k++)
        keyed[k].key = bgr_key_of(positions[keyed[k].number].kind);
    bgr_sort_keyed(keyed, keyed + n, n);
    for (int64_t k = 0; k < n; k++)
        list[k] = keyed[k].number;
}

/* Choose the positions of one kind, n from `start` on in both lists, that stay. */
static void choose_staying(const merging *m, int64_t start, int64_t n, double keep, uint8_t *stays)
{
    const int32_t *by_other = m->by_other + start, *by_mean = m->by_mean + start;
    int64_t n_strata = (int64_t)sqrt(keep / tuned_longer), next[TUNED_MAX_STRATA];
    n_strata = n_strata < 1 ? 1 : n_strata > TUNED_MAX_STRATA ? TUNED_MAX_STRATA : n_strata;
    n_strata = n < n_strata ? n : n_strata;
    double all = 0;
    for (int64_t s = 0; s < n_strata; s++) {
        next[s] = n * s / n_strata;
        for (int64_t k = next[s]; k < n * (s + 1) / n_strata; k++) {
            all += m->weight[by_other[k]];
            m->stratum[by_other[k]] = (uint8_t)s;
        }
    }
    for (int64_t k = 0; k < n; k++)
        m->list[next[m->stratum[by_mean[k]]]++] = by_mean[k];
    for (int64_t s = 0; s < n_strata; s++) {
        int64_t from = n * s / n_strata, past = n * (s + 1) / n_strata;
        double weight = 0;
        for (int64_t k = from; k < past; k++)
            weight += m->weight[by_other[k]];
        int64_t max_staying = (int64_t)(keep * weight / all);
        thin_out(m->list + from, m->weight, past - from, max_staying < 2 ? 2 : max_staying, stays);
    }
}

/* Make blends of the others of that kind. */
static void make_blends(const merging *m, int64_t start, int64_t n, const uint8_t *stays, bgr_blend *blends)
{
    const int32_t *by_mean = m->by_mean + start;
    staying s = {m->positions, m->n_shape, m->list, 0, 0};
    double owed[MAX_SHAPE] = {0}, typical = 0;
    for (int64_t k = 0; k < n; k++)
        if (stays[by_mean[k]])
            m->list[s.n_left++] = by_mean[k];
    for (int64_t k = 0; k < n; k++) {
        const bgr_alike *x = &m->positions[by_mean[k]];
        while (s.n_low < s.n_left && m->positions[s.left[s.n_low]].mean <= x->mean)
            s.n_low++;
        if (!stays[by_mean[k]])
            blends[by_mean[k]] = blend_and_owe(&s, x, owed, &typical);
    }
}

static void find_weights(const bgr_alike *positions, int64_t n, double *weight)
{
    double all = 0;
    for (int64_t k = 0; k < n; k++)
        all += sqrt(positions[k].chance);
    /* Half of the weight by chance, half evenly: 2 in all. */
    for (int64_t k = 0; k < n; k++)
        weight[k] = (all > 0 ? sqrt(positions[k].chance) / all : 1 / (double)n) + 1 / (double)n;
}

static void merge_all(const merging *m, int64_t n, int64_t max_staying, uint8_t *stays, bgr_blend *blends)
{
    for (int64_t k = 0; k < n; k++) {
        stays[k] = 0;
        blends[k] = (bgr_blend){{(int32_t)k, (int32_t)k, (int32_t)k, (int32_t)k}, {1}};
    }
    for (int64_t start = 0, end; start < n; start = end) {
        double weight = 0;
        int kind = m->positions[m->by_other[start]].kind;
        for (end = start; end < n && m->positions[m->by_other[end]].kind == kind; end++)
            weight += m->weight[m->by_other[end]];
        choose_staying(m, start, end - start, (double)max_staying * weight / 2, stays);
        make_blends(m, start, end - start, stays, blends);
    }
}

bgr_status bgr_merge(const bgr_alike *positions, int64_t n, int n_shape, int64_t max_staying, uint8_t *stays,
                     bgr_blend *blends)
{
    size_t size = (size_t)n;
    bgr_keyed *keyed = malloc(2 * size * sizeof *keyed);
    merging m = {.positions = positions,
                 .n_shape = n_shape,
                 .weight = malloc(size * sizeof *m.weight),
                 .by_other = malloc(size * sizeof *m.by_other),
                 .by_mean = malloc(size * sizeof *m.by_mean),
                 .list = malloc(size * sizeof *m.list),
                 .stratum = malloc(size)};
    int there_is_room = keyed && m.weight && m.by_other && m.by_mean && m.list && m.stratum;
    if (there_is_room) {
        find_weights(positions, n, m.weight);
        sort_alike(positions, n, 0, keyed, m.by_other);
        sort_alike(positions, n, 1, keyed, m.by_mean);
        merge_all(&m, n, max_staying, stays, blends);
    }
    BGR_FREE(keyed, m.weight, m.by_other, m.by_mean, m.list, m.stratum);
    return there_is_room ? BGR_OK : BGR_ERR_MEMORY;
}
