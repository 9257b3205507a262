/* Pairs of equal turns.
 *
 * Two sides that each play by their own position alone reach few positions after t rolls each: R_t(P) and R_t(Q), the
 * layers of csrc/turns/reach.h.  Turns alternate, so only pairs of equal turns ever meet: the first side on roll at x
 * in R_t(P) against y in R_t(Q), and the second on roll at y in R_t(Q) against x' in R_{t+1}(P).  They are solved
 * backward from the last turn.  With N the value of rolling now, E that with the right to double first, and V the value
 * of having just moved,
 *
 *     V(x', y)[plane] = - E(y, x')[plane]                  E = max(N, min(factor N[turned] + offset, passed))
 *     N(x, y)[plane]  = mean over the 36 throws of the greatest V(x', y)[plane] over the results x' that are kept,
 *
 * or, with one result for each roll, the mean itself: an operator on rows, which is the same for every plane (cubeless,
 * my cube, a cube in the middle, the opponent's; or every cube state of a match score) and for every column y.  So one
 * column is one lane of a vector.  The error of an answer is what the kept plays lose against all plays; if all are
 * kept, it is exact.
 *
 * Followers are chances under the plays of cubeless play: on each roll they are those of the result with the greatest
 * cubeless value.  Each is the value of a plane on which only one side's gammons, or backgammons, pay.
 *
 * Only V of two consecutive half turns is kept.  It lies in stripes: a block of columns, one cache line of each plane,
 * for all rows; lines are grouped so that the rows that a position on roll reads fit into a cache.  A tile, a block of
 * positions on roll against a block of columns, is solved from one stripe and turned over into rows of the stripe of
 * its own block.  Pairs that are known beforehand, the boundary, are those of the first positions of both layers; tiles
 * that lie entirely in the boundary are not solved.
 *
 * The game ends when a side is off.  The side that is certain to be off first has the last turn, in which every play
 * leads to the empty board, local number 0 of every layer but the first. */

#include "turns/pairs.h"

#include "base/memory.h"
#include "base/try.h"
#include "simd/kernels.h"

#include <string.h>

enum {
    CHUNK_BLOCKS = 8,  /* blocks of positions on roll that are solved at a time */
    BATCH_TASKS = 16,  /* tasks of a worker between two reports of progress: a few hundredths of a second at most */
    FEW_TILES = 512,   /* waking other threads takes longer than solving fewer */
    CACHE = 384 << 10, /* bytes that a group of lines of a stripe should not exceed */
    GROUP_LINES = 4    /* lines of a group at most, except the followers' group */
};

typedef struct {
    int n, first[BGR_MAX_LINES + 1];
} line_groups;

typedef struct {
    const bgr_pairs_options *options;
    const bgr_rows *rows;
    const bgr_reach *reach[2];
    int last_side, last_turn;
    int n_lines, n_following;        /* followers are lines 1 .. n_following, behind their leader, line 0 */
    bgr_plane planes[BGR_MAX_LINES]; /* by line; a follower is a plane on which only its own losses pay */
    int place_of_line[BGR_MAX_LINES];
    int64_t value_bytes[2]; /* greatest bytes of V, for even and for odd half turns */
    int64_t n_pairs;        /* of all half turns, known pairs included */
} turn_plan;

/* ------------------------------------------------------------------ turns */

static const bgr_reach_layer *layer_against(const turn_plan *p, int side, int turn)
{
    return &p->reach[!side]->layers[turn + side];
}

/* Whether the last layer is the end of the race, not just a horizon. */
static int ends(const bgr_reach *reach)
{
    const bgr_reach_layer *last = &reach->layers[reach->n_layers - 1];
    return reach->n_layers > 1 && last->n == 1 && reach->checkers[last->node[0]] == 0;
}

static bgr_status find_last_turn(turn_plan *p)
{
    int turns[2] = {p->reach[0]->n_layers - 1, p->reach[1]->n_layers - 1};
    int over[2] = {ends(p->reach[0]), ends(p->reach[1])};
    p->last_side = !(over[0] && (!over[1] || turns[0] <= turns[1]));
    p->last_turn = turns[p->last_side] - 1;
    int needed = p->last_turn + p->last_side;
    return over[p->last_side] && turns[!p->last_side] >= needed ? BGR_OK : BGR_ERR_SIZE;
}

/* The number of rows of V: positions, then blends. */
static int64_t rows_of(const bgr_reach_layer *layer) { return (int64_t)layer->n + layer->n_blends; }

static int64_t within(const turn_plan *p, const bgr_reach_layer *layer)
{
    return p->options->boundary.checkers ? layer->n_within[p->options->boundary.checkers] : 0;
}

/* ------------------------------------------------------------------ lines */

static const int side_of_follower[BGR_N_FOLLOWERS] = {0, 1, 0, 1};

static bgr_plane plane_of_follower(int k)
{
    bgr_plane plane = {{{0}}, {-1, -1}, {0}, {0}, {0}, {0}};
    for (int loss = k < BGR_BACKGAMMON_FIRST ? BGR_LOST_GAMMON : BGR_LOST_BACKGAMMON; loss < BGR_N_LOSSES; loss++)
        plane.win[loss][side_of_follower[k]] = 1;
    return plane;
}

/* Convert a line's value to the side on roll into the one that is returned: followers change sign with the side. */
static double returned_value(const turn_plan *p, int l, int side, double value)
{
    int follower = p->place_of_line[l] - BGR_MAX_PLANES;
    return follower >= 0 && side_of_follower[follower] != side ? 0 - value : value;
}

/* Group lines: 0 .. n_following, the leader and its followers, are one group; others are grouped so that their part of
 * a stripe of n_rows rows fits into a cache. */
static void group_lines(const turn_plan *p, int64_t n_rows, line_groups *groups)
{
    int most = GROUP_LINES, at = p->n_following ? p->n_following + 1 : 0;
    while (most > 1 && n_rows * most * BGR_LINE_BYTES > CACHE)
        most--;
    groups->n = 0;
    groups->first[0] = 0;
    if (at)
        groups->first[++groups->n] = at;
    for (; at < p->n_lines; groups->first[++groups->n] = at)
        at = at + most < p->n_lines ? at + most : p->n_lines;
}

static void add_line(turn_plan *p, bgr_plane plane, int place)
{
    p->planes[p->n_lines] = plane;
    p->place_of_line[p->n_lines++] = place;
}

static void list_lines(turn_plan *p)
{
    const bgr_planes *planes = p->options->planes;
    int line_of_plane[BGR_MAX_PLANES], leader = -1;
    if (p->options->followers) {
        leader = planes->place[BGR_CUBE_NONE].now.plane;
        line_of_plane[leader] = p->n_lines;
        add_line(p, planes->plane[leader], leader);
        for (int k = 0; k < BGR_N_FOLLOWERS; k++)
            if (p->options->followers >> k & 1)
                add_line(p, plane_of_follower(k), BGR_MAX_PLANES + k);
        p->n_following = p->n_lines - 1;
    }
    for (int k = 0; k < planes->n; k++)
        if (k != leader) {
            line_of_plane[k] = p->n_lines;
            add_line(p, planes->plane[k], k);
        }
    for (int l = 0; l < p->n_lines; l++)
        for (int side = 0; side < 2; side++)
            if (p->planes[l].turned[side] >= 0)
                p->planes[l].turned[side] = line_of_plane[p->planes[l].turned[side]];
}

/* ------------------------------------------------------------------ solving */

/* Round an address up to a cache line. */
static void *on_a_line(void *memory)
{
    return (char *)memory + (BGR_LINE_BYTES - (uintptr_t)memory % BGR_LINE_BYTES) % BGR_LINE_BYTES;
}

#define REAL float
#define NAMED(x) float_##x
#define ROWS in_float
#include "turns/pairs.inc"

#define REAL double
#define NAMED(x) double_##x
#define ROWS in_double
#include "turns/pairs.inc"

static int64_t columns_of(const turn_plan *p)
{
    return p->options->precision == BGR_FLOAT ? float_columns : double_columns;
}

static int64_t lines_for(const turn_plan *p, int64_t rows, int64_t columns)
{
    return rows * ((columns + columns_of(p) - 1) / columns_of(p));
}

static bgr_status make_plan(const bgr_reach *first, const bgr_reach *second, const bgr_pairs_options *options,
                            turn_plan *p, bgr_pairs_size *size)
{
    memset(p, 0, sizeof *p);
    memset(size, 0, sizeof *size);
    p->options = options;
    p->reach[0] = first;
    p->reach[1] = second;
    p->rows = &bgr_choose_kernels(BGR_PATH_BEST)->rows;
    BGR_TRY(find_last_turn(p));
    list_lines(p);
    int side = p->last_side, k = 1;
    p->value_bytes[0] = lines_for(p, 1, layer_against(p, side, p->last_turn)->n);
    for (int turn = p->last_turn; turn >= 0; turn -= side == 0, side = !side, k = !k) {
        const bgr_reach_layer *from = &p->reach[side]->layers[turn], *against = layer_against(p, side, turn);
        int64_t lines = lines_for(p, rows_of(against), from->n), known = within(p, from) * within(p, against);
        int64_t n_results = from->n_results;
        size->pairs += (int64_t)from->n * against->n - known;
        p->n_pairs += (int64_t)from->n * against->n;
        double left = 1 - (double)known / ((double)from->n * against->n);
        size->operations +=
            (int64_t)((double)lines_for(p, n_results + 8 * (int64_t)from->n, against->n) * left * p->n_lines);
        size->operations += known * p->options->boundary.work;
        if (side == 0 && turn == 0)
            break;
        size->operations += lines_for(p, TUNED_BLEND_WORK * (int64_t)against->n_blends, from->n) * p->n_lines;
        p->value_bytes[k] = lines > p->value_bytes[k] ? lines : p->value_bytes[k];
    }
    for (k = 0; k < 2; k++) {
        p->value_bytes[k] = (p->value_bytes[k] * p->n_lines + 1) * BGR_LINE_BYTES;
        size->bytes += p->value_bytes[k];
    }
    int n_workers = options->parallel ? options->parallel->n_workers : 1;
    size->bytes += CHUNK_BLOCKS * columns_of(p) * p->n_lines * BGR_LINE_BYTES * n_workers;
    return BGR_OK;
}

bgr_status bgr_pairs_measure(const bgr_reach *first, const bgr_reach *second, const bgr_pairs_options *options,
                             bgr_pairs_size *size)
{
    turn_plan p;
    return make_plan(first, second, options, &p, size);
}

bgr_status bgr_pairs_solve(const bgr_reach *first, const bgr_reach *second, const bgr_pairs_options *options,
                           double *now, double *after)
{
    turn_plan p;
    bgr_pairs_size size;
    BGR_TRY(make_plan(first, second, options, &p, &size));
    if ((uint64_t)size.bytes > SIZE_MAX / 2)
        return BGR_ERR_MEMORY; /* on 32 bits */
    return options->precision == BGR_FLOAT ? float_solve(&p, now, after) : double_solve(&p, now, after);
}
