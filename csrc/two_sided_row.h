/* One row of a tile, written once for every vector width.  Before including this file define
 *
 *   ROW_FUNCTION        name
 *   VECTOR, LANES       type of a vector of LANES 16-bit integers
 *   LOAD(p), STORE(p, v), MAX(a, b)
 *   SUM                 type of a pair of vectors of 32-bit sums
 *   SUM_ZERO            its value at the start
 *   SUM_ADD(s, a, b, w) s += w.first * a + w.second * b, element by element, in any fixed arrangement
 *   SUM_ROUND(s)        sums / 36 to nearest, halves to even, back in the arrangement of a VECTOR
 *   SUM_CUT(s)          the same toward zero
 */

enum { N_VECTORS = BGR_ROW / LANES };

/* Element-wise maximum of some rows. */
ROW_TARGET
static inline void best_of(const int16_t *stripe, const int32_t *k, const int32_t *end, VECTOR *best)
{
    const int16_t *row = stripe + *k;
    for (int v = 0; v < N_VECTORS; v++)
        best[v] = LOAD(row + v * LANES);
    while (++k < end) {
        row = stripe + *k;
        for (int v = 0; v < N_VECTORS; v++)
            best[v] = MAX(best[v], LOAD(row + v * LANES));
    }
}

ROW_TARGET
void ROW_FUNCTION(const int16_t *stripe, const int64_t *start, const int32_t *offset, int cut, int16_t *out)
{
    SUM sum[N_VECTORS];
    for (int v = 0; v < N_VECTORS; v++)
        sum[v] = SUM_ZERO;
    /* Rolls are taken two at a time, because the instructions that multiply and add work on pairs; the odd one at the
     * end with itself, which counts nothing.  Each has its own code, so that its maxima stay in registers. */
    for (int roll = 0; roll < BGR_N_ROLLS; roll += 2) {
        VECTOR first[N_VECTORS], second[N_VECTORS];
        int next = roll + 1 < BGR_N_ROLLS ? roll + 1 : roll;
        int first_weight = bgr_rolls[roll].weight, second_weight = next > roll ? bgr_rolls[next].weight : 0;
        best_of(stripe, offset + start[roll], offset + start[roll + 1], first);
        best_of(stripe, offset + start[next], offset + start[next + 1], second);
        for (int v = 0; v < N_VECTORS; v++)
            SUM_ADD(sum[v], first[v], second[v], first_weight, second_weight);
    }
    for (int v = 0; v < N_VECTORS; v++)
        STORE(out + v * LANES, cut ? SUM_CUT(sum[v]) : SUM_ROUND(sum[v]));
}
