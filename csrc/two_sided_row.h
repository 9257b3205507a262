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

ROW_TARGET
void ROW_FUNCTION(const int16_t *stripe, const int64_t *start, const int32_t *offset, int cut, int16_t *out)
{
    SUM sum[N_VECTORS];
    for (int v = 0; v < N_VECTORS; v++)
        sum[v] = SUM_ZERO;
    /* Rolls are taken two at a time, because the instructions that multiply and add work on pairs. */
    for (int roll = 0; roll < BGR_N_ROLLS; roll += 2) {
        VECTOR best[2][N_VECTORS];
#pragma GCC unroll 2
        for (int second = 0; second < 2; second++) {
            int r = roll + second < BGR_N_ROLLS ? roll + second : roll;
            const int32_t *k = offset + start[r], *end = offset + start[r + 1];
            const int16_t *row = stripe + *k;
            for (int v = 0; v < N_VECTORS; v++)
                best[second][v] = LOAD(row + v * LANES);
            while (++k < end) {
                row = stripe + *k;
                for (int v = 0; v < N_VECTORS; v++)
                    best[second][v] = MAX(best[second][v], LOAD(row + v * LANES));
            }
        }
        int first_weight = bgr_rolls[roll].weight;
        int second_weight = roll + 1 < BGR_N_ROLLS ? bgr_rolls[roll + 1].weight : 0;
        for (int v = 0; v < N_VECTORS; v++)
            SUM_ADD(sum[v], best[0][v], best[1][v], first_weight, second_weight);
    }
    for (int v = 0; v < N_VECTORS; v++)
        STORE(out + v * LANES, cut ? SUM_CUT(sum[v]) : SUM_ROUND(sum[v]));
}
