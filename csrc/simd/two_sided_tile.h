/* One tile, written once for every vector width.  Before including this file define
 *
 *   TILE_FUNCTION       name
 *   TILE_TARGET         attribute of functions that use the instructions
 *   VECTOR, LANES       type of a vector of LANES 16-bit integers
 *   LOAD(p), STORE(p, v), MAX(a, b)
 *   SUM                 type of a pair of vectors of 32-bit sums
 *   SUM_ZERO            its value at the start
 *   SUM_ADD(s, a, b, w) s += w.first * a + w.second * b, element by element, in any fixed arrangement
 *   SUM_ROUND(s)        sums / 36 to nearest, halves to even, back in the arrangement of a VECTOR
 *   SUM_CUT(s)          the same toward zero
 */

enum { N_VECTORS = BGR_ROW / LANES };

/* Element-wise maximum of n rows of a stripe. */
TILE_TARGET
static inline void best_of(const int16_t *stripe, const int32_t *offset, int n, VECTOR *best)
{
    const int32_t *end = offset + n;
    const int16_t *row = stripe + *offset;
    for (int v = 0; v < N_VECTORS; v++)
        best[v] = LOAD(row + v * LANES);
    while (++offset < end) {
        row = stripe + *offset;
        for (int v = 0; v < N_VECTORS; v++)
            best[v] = MAX(best[v], LOAD(row + v * LANES));
    }
}

TILE_TARGET
void TILE_FUNCTION(const int16_t *stripe, const bgr_block_rolls *rolls, int cut, int16_t (*out)[BGR_ROW])
{
    SUM sums[16][N_VECTORS];
    const uint16_t *n_results = rolls->n_results;
    const int32_t *offset = rolls->offset;
    int n_groups = rolls->groups->n_groups;
    for (int group = 0; group < n_groups; group++)
        for (int i = 0; i < rolls->n_rows; i++) {
            SUM sum[N_VECTORS];
            for (int v = 0; v < N_VECTORS; v++)
                sum[v] = group > 0 ? sums[i][v] : SUM_ZERO;
            /* Rolls are taken two at a time, because the instructions that multiply and add work on pairs; an odd one
             * is paired with itself, weight 0.  Each has its own code, so that its maxima stay in registers. */
            int k = rolls->groups->start[group], end = rolls->groups->start[group + 1];
            for (; k + 1 < end; k += 2, n_results += 2) {
                VECTOR first[N_VECTORS], second[N_VECTORS];
                best_of(stripe, offset, n_results[0], first);
                offset += n_results[0];
                best_of(stripe, offset, n_results[1], second);
                offset += n_results[1];
                int first_weight = bgr_rolls[bgr_roll_order[k]].weight;
                int second_weight = bgr_rolls[bgr_roll_order[k + 1]].weight;
                for (int v = 0; v < N_VECTORS; v++)
                    SUM_ADD(sum[v], first[v], second[v], first_weight, second_weight);
            }
            if (k < end) {
                VECTOR best[N_VECTORS];
                best_of(stripe, offset, *n_results, best);
                offset += *n_results++;
                int weight = bgr_rolls[bgr_roll_order[k]].weight;
                for (int v = 0; v < N_VECTORS; v++)
                    SUM_ADD(sum[v], best[v], best[v], weight, 0);
            }
            if (group + 1 < n_groups)
                for (int v = 0; v < N_VECTORS; v++)
                    sums[i][v] = sum[v];
            else
                for (int v = 0; v < N_VECTORS; v++)
                    STORE(out[i] + v * LANES, cut ? SUM_CUT(sum[v]) : SUM_ROUND(sum[v]));
        }
}
