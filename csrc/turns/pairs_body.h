/* The solver of equal turns in one precision.  No guard: before including this file define REAL, its name NAMED(x), and
 * ROWS, the member of bgr_rows for it. */

enum { NAMED(columns) = BGR_LINE_BYTES / (int)sizeof(REAL) };

/* What a half turn is solved from: V of the side on roll, rows its positions after the roll, columns the positions of
 * the other side, in stripes of a block of columns: [block][group][row][line of the group][column]. */
typedef struct {
    REAL *v;
    int64_t n_rows, n_columns;
    shape groups;
} NAMED(values);

static int64_t NAMED(stripe)(const NAMED(values) *in, int n_lines) { return in->n_rows * n_lines * NAMED(columns); }

static REAL *NAMED(group)(const NAMED(values) *in, int n_lines, int64_t block, int group)
{
    return in->v + block * NAMED(stripe)(in, n_lines) + NAMED(stripe)(in, in->groups.first[group]);
}

/* One half turn. */
typedef struct {
    const plan *p;
    int side, turn;
    const bgr_reach_layer *from, *against; /* the side on roll, its opponent */
    NAMED(values) in, out;                 /* out.v is NULL if nothing comes before this half turn */
    REAL *rooms;                           /* for each worker: CHUNK x COLUMNS x n_lines x COLUMNS */
    double *given;                         /* for each worker: values of the boundary, or NULL */
    int64_t n_blocks, n_against, n_chunks; /* blocks of columns */
    double *values;                        /* or NULL: of the pairs of the first position on roll */
} NAMED(step);

/* The row of those who have borne off their last checker, against a block of positions of the other side. */
static void NAMED(finish)(const plan *p, const NAMED(values) *in, int side, const bgr_reach *loser,
                          const bgr_reach_layer *layer, int64_t block)
{
    for (int group = 0; group < in->groups.n; group++) {
        REAL *row = NAMED(group)(in, p->n_lines, block, group);
        for (int l = in->groups.first[group]; l < in->groups.first[group + 1]; l++, row += NAMED(columns))
            for (int j = 0; j < NAMED(columns); j++) {
                int64_t k = block * NAMED(columns) + j;
                row[j] = (REAL)(k < layer->n ? won(p, l, side, how_lost(loser, layer->node[k])) : 0);
            }
    }
}

/* The boundary's values of a tile: [COLUMNS on roll][line][COLUMNS of the opponent], as far as both are in it. */
static void NAMED(take_boundary)(const NAMED(step) *s, int64_t block, int64_t against, double *given, REAL *now)
{
    const plan *p = s->p;
    int32_t mine[NAMED(columns)], theirs[NAMED(columns)];
    const bgr_reach *roller = p->reach[s->side], *other = p->reach[!s->side];
    int64_t n = within(p, s->from) - block * NAMED(columns), m = within(p, s->against) - against * NAMED(columns);
    n = n < NAMED(columns) ? n : NAMED(columns);
    m = m < NAMED(columns) ? m : NAMED(columns);
    if (n <= 0 || m <= 0)
        return;
    for (int i = 0; i < n; i++)
        mine[i] = roller->home_index[s->from->node[block * NAMED(columns) + i]];
    for (int j = 0; j < m; j++)
        theirs[j] = other->home_index[s->against->node[against * NAMED(columns) + j]];
    p->options->boundary.values(p->options->boundary.context, s->side, mine, (int)n, theirs, (int)m, given);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int l = 0; l < p->n_lines; l++)
                now[(i * p->n_lines + l) * NAMED(columns) + j] =
                    (REAL)given[(i * m + j) * p->n_values + p->value_of_line[l]];
}

/* With the right to double, seen by the other side, and turned over: rows of its V. */
BGR_EVERY_WIDTH static void NAMED(meet)(const NAMED(step) *s, int64_t block, int64_t against, const REAL *now)
{
    const plan *p = s->p;
    const int row = p->n_lines * NAMED(columns);
    int64_t n = s->against->n - against * NAMED(columns);
    int n_rows = n < NAMED(columns) ? (int)n : NAMED(columns);
    for (int group = 0; group < s->out.groups.n; group++) {
        int first = s->out.groups.first[group], n_lines = s->out.groups.first[group + 1] - first;
        REAL *rows = NAMED(group)(&s->out, p->n_lines, block, group) + against * NAMED(columns) * n_lines * NAMED(columns);
        for (int l = 0; l < n_lines; l++) {
            const line *mine = &p->lines[first + l];
            const double_rule *rule = &p->rules[s->side][first + l];
            REAL factor = (REAL)rule->factor, beaver = (REAL)rule->beaver, offset = (REAL)rule->offset,
                 passed = (REAL)rule->passed;
            REAL met[NAMED(columns)][NAMED(columns)];
            for (int i = 0; i < NAMED(columns); i++) {
                const REAL *roll = now + i * row + (first + l) * NAMED(columns);
                if (mine->follower) {
                    for (int j = 0; j < NAMED(columns); j++)
                        met[j][i] = roll[j];
                    continue;
                }
                if (rule->turned < 0) {
                    for (int j = 0; j < NAMED(columns); j++)
                        met[j][i] = -roll[j];
                    continue;
                }
                const REAL *turned = now + i * row + rule->turned * NAMED(columns);
                REAL best[NAMED(columns)];
                for (int j = 0; j < NAMED(columns); j++) {
                    REAL taken = factor * turned[j], beavered = beaver * turned[j];
                    taken = (taken < beavered ? taken : beavered) + offset;
                    REAL doubled = taken < passed ? taken : passed;
                    best[j] = doubled > roll[j] ? doubled : roll[j];
                }
                for (int j = 0; j < NAMED(columns); j++)
                    met[j][i] = -best[j];
            }
            for (int j = 0; j < n_rows; j++)
                memcpy(rows + (j * n_lines + l) * NAMED(columns), met[j], sizeof met[j]);
        }
    }
    if (against == 0) /* the row of the empty board: its owner has won before the side on roll could roll */
        NAMED(finish)(p, &s->out, !s->side, p->reach[s->side], s->from, block);
}

/* A block of columns against some blocks of positions on roll. */
static void NAMED(task)(void *argument, int64_t k, int worker)
{
    const NAMED(step) *s = argument;
    const plan *p = s->p;
    const bgr_rows *rows = p->rows;
    int64_t against = k / s->n_chunks, chunk = k % s->n_chunks * CHUNK_BLOCKS;
    int64_t end = chunk + CHUNK_BLOCKS < s->n_blocks ? chunk + CHUNK_BLOCKS : s->n_blocks;
    int64_t row = (int64_t)p->n_lines * NAMED(columns), first = chunk * NAMED(columns);
    int64_t last = end * NAMED(columns) < s->from->n ? end * NAMED(columns) : s->from->n;
    REAL *room = s->rooms + (int64_t)worker * CHUNK_BLOCKS * NAMED(columns) * row;
    double *given = s->given ? s->given + (int64_t)worker * NAMED(columns) * NAMED(columns) * p->n_values : NULL;
    int64_t start = first; /* those before are in the boundary against this whole block */
    if (given && within(p, s->against) >= (against + 1) * NAMED(columns) && within(p, s->from) > first)
        start = within(p, s->from) < last ? within(p, s->from) : last;
    for (int group = 0; group < s->in.groups.n; group++) {
        int from = s->in.groups.first[group], n_lines = s->in.groups.first[group + 1] - from;
        const REAL *stripe = NAMED(group)(&s->in, p->n_lines, against, group);
        for (int64_t i = start; i < last; i++) {
            REAL *out = room + (i - first) * row + from * NAMED(columns);
            const int64_t *bounds = s->from->start + (s->from->choices ? BGR_N_ROLLS * i : i);
            if (!s->from->choices)
                rows->ROWS.mix(stripe, n_lines, bounds[1] - bounds[0], s->from->result + bounds[0],
                               s->from->ways + bounds[0], out);
            else if (group == 0 && p->n_following)
                rows->ROWS.follow(stripe, n_lines, bounds, s->from->result, out);
            else
                rows->ROWS.best(stripe, n_lines, bounds, s->from->result, out);
        }
    }
    for (int64_t block = chunk; block < end; block++) {
        REAL *now = room + (block - chunk) * NAMED(columns) * row;
        if (given)
            NAMED(take_boundary)(s, block, against, given, now);
        if (s->out.v)
            NAMED(meet)(s, block, against, now);
    }
    if (s->values && chunk == 0)
        for (int j = 0; j < NAMED(columns) && against * NAMED(columns) + j < s->against->n; j++)
            for (int l = 0; l < p->n_lines; l++)
                s->values[(against * NAMED(columns) + j) * BGR_MAX_LINES + p->place_of_line[l]] =
                    (double)room[l * NAMED(columns) + j];
}

static void NAMED(shape_values)(const plan *p, REAL *room, int64_t n_rows, int64_t n_columns, NAMED(values) *made)
{
    made->v = room;
    made->n_rows = n_rows;
    made->n_columns = n_columns;
    group_lines(p, n_rows, &made->groups);
}

static bgr_status NAMED(solve)(const plan *p, double *now, double *after)
{
    const bgr_parallel *parallel = p->options->parallel;
    int n_workers = parallel ? parallel->n_workers : 1;
    int64_t tile = (int64_t)NAMED(columns) * NAMED(columns);
    NAMED(step) s = {.p = p, .side = p->last_side, .turn = p->last_turn};
    void *memory[2] = {malloc((size_t)p->value_bytes[0]), malloc((size_t)p->value_bytes[1])};
    s.rooms = calloc((size_t)(n_workers * CHUNK_BLOCKS * tile * p->n_lines), sizeof *s.rooms);
    if (p->options->boundary.checkers)
        s.given = malloc((size_t)(n_workers * tile * p->n_values) * sizeof *s.given);
    bgr_status status =
        !memory[0] || !memory[1] || !s.rooms || (p->options->boundary.checkers && !s.given) ? BGR_ERR_MEMORY : BGR_OK;
    if (status == BGR_OK) {
        const bgr_reach_layer *losing = layer_against(p, s.side, s.turn);
        NAMED(shape_values)(p, on_a_line(memory[0]), 1, losing->n, &s.in);
        for (int64_t block = 0; block * NAMED(columns) < losing->n; block++)
            NAMED(finish)(p, &s.in, s.side, p->reach[!s.side], losing, block);
    }
    for (int k = 0, done = 0; status == BGR_OK && !done; k = !k) {
        done = s.side == 0 && s.turn == 0;
        s.from = &p->reach[s.side]->layers[s.turn];
        s.against = layer_against(p, s.side, s.turn);
        s.n_blocks = (s.from->n + NAMED(columns) - 1) / NAMED(columns);
        s.n_against = (s.against->n + NAMED(columns) - 1) / NAMED(columns);
        s.n_chunks = (s.n_blocks + CHUNK_BLOCKS - 1) / CHUNK_BLOCKS;
        s.values = s.turn ? NULL : s.side ? after : now;
        NAMED(shape_values)(p, done ? NULL : on_a_line(memory[!k]), s.against->n, s.from->n, &s.out);
        if (parallel && s.n_against * s.n_blocks > FEW_TILES)
            parallel->run(parallel->context, s.n_against * s.n_chunks, NAMED(task), &s);
        else
            for (int64_t task = 0; task < s.n_against * s.n_chunks; task++)
                NAMED(task)(&s, task, 0);
        s.in = s.out;
        s.turn -= s.side == 0;
        s.side = !s.side;
    }
    free(memory[0]);
    free(memory[1]);
    free(s.rooms);
    free(s.given);
    return status;
}

#undef REAL
#undef NAMED
#undef ROWS
