/* Rows of a stripe, written once for every vector width and either precision.  No guard: before including this file
 * define
 *
 *   ROW(name)            names, in one precision and on one path
 *   ROW_TARGET           attributes
 *   REAL, VECTOR, LANES  type of a number, and of a vector of LANES of them
 *   LOAD(p), STORE(p, v), SET(x), MAX(a, b), ADD(a, b), MULTIPLY(a, b), DIVIDE(a, b)
 *   MASK, GREATER(a, b), SELECT(mask, a, b)     a where a mask is set, else b
 */

enum { ROW(line) = BGR_LINE_BYTES / (int)sizeof(REAL), ROW(per_line) = ROW(line) / LANES };

/* n_lines is a constant wherever these are called, and the arrays become registers. */
ROW_TARGET static inline void ROW(best_lines)(const REAL *stripe, const int stride, const int64_t *start,
                                              const int32_t *result, const int n_lines, REAL *out)
{
    VECTOR sum[2 * ROW(per_line)];
    const int n = n_lines * ROW(per_line);
    for (int v = 0; v < n; v++)
        sum[v] = SET(0);
    for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
        VECTOR best[2 * ROW(per_line)], weight = SET(bgr_rolls[roll].weight);
        const int32_t *k = result + start[roll], *end = result + start[roll + 1];
        const REAL *row = stripe + (int64_t)*k * stride;
        for (int v = 0; v < n; v++)
            best[v] = LOAD(row + v * LANES);
        while (++k < end) {
            row = stripe + (int64_t)*k * stride;
            for (int v = 0; v < n; v++)
                best[v] = MAX(best[v], LOAD(row + v * LANES));
        }
        for (int v = 0; v < n; v++)
            sum[v] = ADD(sum[v], MULTIPLY(weight, best[v]));
    }
    for (int v = 0; v < n; v++)
        STORE(out + v * LANES, DIVIDE(sum[v], SET(36)));
}

ROW_TARGET static BGR_BEST_FUNCTION(ROW(best), REAL)
{
    const int stride = n_lines * ROW(line);
    int at = 0;
    for (; at + 2 <= n_lines; at += 2)
        ROW(best_lines)(stripe + at * ROW(line), stride, start, result, 2, out + at * ROW(line));
    if (at < n_lines)
        ROW(best_lines)(stripe + at * ROW(line), stride, start, result, 1, out + at * ROW(line));
}

ROW_TARGET static inline void ROW(follow_lines)(const REAL *stripe, const int64_t *start, const int32_t *result,
                                                const int n_lines, REAL *out)
{
    const int stride = n_lines * ROW(line);
    for (int part = 0; part < ROW(per_line); part++) {
        VECTOR sum[BGR_ROW_LINES];
        for (int l = 0; l < n_lines; l++)
            sum[l] = SET(0);
        for (int roll = 0; roll < BGR_N_ROLLS; roll++) {
            VECTOR best[BGR_ROW_LINES], weight = SET(bgr_rolls[roll].weight);
            const int32_t *k = result + start[roll], *end = result + start[roll + 1];
            const REAL *row = stripe + (int64_t)*k * stride + part * LANES;
            for (int l = 0; l < n_lines; l++)
                best[l] = LOAD(row + l * ROW(line));
            while (++k < end) {
                row = stripe + (int64_t)*k * stride + part * LANES;
                VECTOR leader = LOAD(row);
                MASK better = GREATER(leader, best[0]);
                best[0] = SELECT(better, leader, best[0]);
                for (int l = 1; l < n_lines; l++)
                    best[l] = SELECT(better, LOAD(row + l * ROW(line)), best[l]);
            }
            for (int l = 0; l < n_lines; l++)
                sum[l] = ADD(sum[l], MULTIPLY(weight, best[l]));
        }
        for (int l = 0; l < n_lines; l++)
            STORE(out + l * ROW(line) + part * LANES, DIVIDE(sum[l], SET(36)));
    }
}

ROW_TARGET static BGR_FOLLOW_FUNCTION(ROW(follow), REAL)
{
    if (n_lines == 2)
        ROW(follow_lines)(stripe, start, result, 2, out);
    else if (n_lines == 3)
        ROW(follow_lines)(stripe, start, result, 3, out);
    else if (n_lines == 4)
        ROW(follow_lines)(stripe, start, result, 4, out);
    else
        ROW(follow_lines)(stripe, start, result, 5, out);
}

ROW_TARGET static inline void ROW(mix_lines)(const REAL *stripe, const int stride, int64_t n, const int32_t *result,
                                             const float *ways, const int n_lines, REAL *out)
{
    VECTOR sum[4 * ROW(per_line)];
    const int n_vectors = n_lines * ROW(per_line);
    for (int v = 0; v < n_vectors; v++)
        sum[v] = SET(0);
    for (int64_t k = 0; k < n; k++) {
        const REAL *row = stripe + (int64_t)result[k] * stride;
        VECTOR weight = SET((REAL)ways[k]);
        for (int v = 0; v < n_vectors; v++)
            sum[v] = ADD(sum[v], MULTIPLY(weight, LOAD(row + v * LANES)));
    }
    for (int v = 0; v < n_vectors; v++)
        STORE(out + v * LANES, DIVIDE(sum[v], SET(36)));
}

ROW_TARGET static BGR_MIX_FUNCTION(ROW(mix), REAL)
{
    const int stride = n_lines * ROW(line);
    int at = 0;
    for (; at + 4 <= n_lines; at += 4)
        ROW(mix_lines)(stripe + at * ROW(line), stride, n, result, ways, 4, out + at * ROW(line));
    for (; at + 2 <= n_lines; at += 2)
        ROW(mix_lines)(stripe + at * ROW(line), stride, n, result, ways, 2, out + at * ROW(line));
    if (at < n_lines)
        ROW(mix_lines)(stripe + at * ROW(line), stride, n, result, ways, 1, out + at * ROW(line));
}

#undef ROW
#undef REAL
#undef VECTOR
#undef LANES
#undef LOAD
#undef STORE
#undef SET
#undef MAX
#undef ADD
#undef MULTIPLY
#undef DIVIDE
#undef MASK
#undef GREATER
#undef SELECT
