/* One row of a stripe in double precision, written once for every vector width.  Before including this file define
 *
 *   ROW_FUNCTION         name
 *   ROW_TARGET           attributes
 *   VECTOR, LANES        type of a vector of LANES doubles
 *   LOAD(p), STORE(p, v), SET(x), MAX(a, b), ADD(a, b), MULTIPLY(a, b), DIVIDE(a, b)
 *   LINES_AT_A_TIME      lines whose maxima and sums fit into the registers, 1 to 8
 */

/* n_vectors is a constant wherever this is called, and the arrays become registers. */
ROW_TARGET static inline void take_vectors(const double *stripe, int length, const int64_t *start,
                                           const int32_t *result, const int n_vectors, double *out)
{
    VECTOR sum[LINES_AT_A_TIME * BGR_LINE / LANES];
    for (int v = 0; v < n_vectors; v++)
        sum[v] = SET(0);
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        VECTOR best[LINES_AT_A_TIME * BGR_LINE / LANES], weight = SET(bgr_rolls[roll].weight);
        const int32_t *k = result + start[roll], *end = result + start[roll + 1];
        const double *row = stripe + (int64_t)*k * length;
        for (int v = 0; v < n_vectors; v++)
            best[v] = LOAD(row + v * LANES);
        while (++k < end) {
            row = stripe + (int64_t)*k * length;
            for (int v = 0; v < n_vectors; v++)
                best[v] = MAX(best[v], LOAD(row + v * LANES));
        }
        for (int v = 0; v < n_vectors; v++)
            sum[v] = ADD(sum[v], MULTIPLY(weight, best[v]));
    }
    for (int v = 0; v < n_vectors; v++)
        STORE(out + v * LANES, DIVIDE(sum[v], SET(36)));
}

ROW_TARGET void ROW_FUNCTION(const double *stripe, int length, const int64_t *start, const int32_t *result, double *out)
{
    enum { STEP = LINES_AT_A_TIME * BGR_LINE, A_LINE = BGR_LINE / LANES };
    int at = 0;
    for (; at + STEP <= length; at += STEP)
        take_vectors(stripe + at, length, start, result, LINES_AT_A_TIME * A_LINE, out + at);
#define REST(n)                                                                                                        \
    case n:                                                                                                            \
        take_vectors(stripe + at, length, start, result, (n) * A_LINE, out + at);                                      \
        break
    switch ((length - at) / BGR_LINE) {
        REST(1);
#if LINES_AT_A_TIME > 2
        REST(2);
        REST(3);
#endif
#if LINES_AT_A_TIME > 4
        REST(4);
        REST(5);
        REST(6);
        REST(7);
#endif
    default:;
    }
#undef REST
}
