/* Weigh results that do not have the least mean by what they can gain.
 *
 * The best play for the mean is often not the best against an opponent who needs two more rolls.  Let F_n(x) be the
 * chance to be off within n rolls from x, with the best plays for that n.  Against an opponent who leaves time for
 * exactly n more rolls after this one, with chance q_n, a result x gains over those that are kept at most
 *
 *     sum over n of q_n max(0, F_n(x) - greatest F_n of those kept),
 *
 * as if the opponent's number of rolls were known.  Times the chance of the roll and of reaching the position, that is
 * the most that leaving x out can cost the first position, in chance to win.  Results are taken in order of this gain,
 * each compared with those before it, so a lower threshold keeps a superset; and most results whose mean is close to
 * the best gain nothing at all.  Gammons are saved in the same way, with the chance that the first of 15 checkers is
 * off within n rolls.
 *
 * F is computed over the results in the graph, like the means. */

#include "turns/weigh.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/try.h"

#include <math.h>
#include <string.h>

/* Compute the chances of a node: for each roll the greatest of its results. */
static void fill_chances(const bgr_nodes *nodes, int32_t i, const bgr_off_chances *of, float *out)
{
    const uint16_t *n_edges;
    const uint32_t *edges = bgr_edges_of(nodes, i, &n_edges);
    bgr_off_chances sum = {0};
    for (int roll = 0; roll < BGR_N_ROLLS; edges += n_edges[roll++]) {
        bgr_off_chances best;
        float weight = (float)bgr_rolls[roll].weight;
        memcpy(best, of[bgr_edge_node(edges[0])], sizeof best);
        for (int k = 1; k < n_edges[roll]; k++) {
            const float *other = of[bgr_edge_node(edges[k])];
            for (int n = 0; n < BGR_OFF_WIDTH; n++)
                best[n] = other[n] > best[n] ? other[n] : best[n];
        }
        for (int n = 0; n < BGR_OFF_WIDTH; n++)
            sum[n] += weight * best[n];
    }
    out[0] = 0;
    for (int n = 1; n < BGR_OFF_WIDTH; n++)
        out[n] = sum[n - 1] / 36;
}

/* A result is judged by its chance to be off within n rolls, by its mean for n and n + 1, and by its mean for n - 1 to
 * n + 1: a play that is second best for every n can be the best if n is not known. */
enum { MEANS = 4 }; /* the last one is 0: side by side they fill a vector */

typedef float judged[BGR_OFF_WIDTH][MEANS];

/* The numbers of rolls that may be left, from `low` on, and the weight of each mean. */
typedef struct {
    int low, n;
    judged weight;
    float all;
} time_left;

typedef struct {
    bgr_nodes *nodes;
    int n_judged;                      /* length of the two arrays below: 2, or 1 without gammons */
    const bgr_off_chances *chances[2]; /* to bear off the last checker, and the first of 15 */
    judged *judged[2];                 /* numbers of the results of a roll, by kind of chance */
    int64_t room[2];
    time_left left; /* at the node that is being weighed */
    const double *in_time;
    int n;
    double *turn; /* by node: the mean number of rolls to reach it, times its chance */
} weighing;

static void take_means(const float *of, const time_left *left, judged out)
{
    for (int k = 0; k < left->n; k++) {
        int n = left->low + k;
        float before = n ? of[n - 1] : 0, after = n < BGR_OFF_WIDTH - 1 ? of[n + 1] : of[n];
        out[k][0] = of[n];
        out[k][1] = (of[n] + after) / 2;
        out[k][2] = (before + 2 * of[n] + after) / 4;
        out[k][3] = 0;
    }
}

/* Find the chances that 0, 1, .. more rolls count after one more roll from a node. */
static void find_time_left(const weighing *w, int32_t i, time_left *left)
{
    double chance = w->nodes->node[i].chance, turn = chance > 0 ? w->turn[i] / chance : w->nodes->node[i].turns;
    int whole = (int)turn;
    /* A node is reached in several turns: spread over the neighbouring ones. */
    double part = turn - whole, share[4] = {(1 - part) / 4, 0.5 - part / 4, 0.25 + part / 4, part / 4};
    bgr_off_chances of;
    int low = BGR_OFF_WIDTH, high = 0;
    for (int n = 0; n < BGR_OFF_WIDTH; n++) {
        double sum = 0;
        for (int k = 0; k < 4; k++) {
            int at = whole + n + k;
            sum += at < w->n ? share[k] * w->in_time[at] : 0;
        }
        of[n] = (float)sum;
        if (sum > tuned_least_weight) {
            low = n < low ? n : low;
            high = n + 1;
        }
    }
    left->low = low;
    left->n = high > low ? high - low : 0;
    left->all = 0;
    for (int k = 0; k < left->n; k++)
        left->all += of[low + k];
    take_means(of, left, left->weight);
}

/* The gain of a result over those that are kept.  share [out]: how often it is better. */
static float gain_of(const time_left *left, judged of, judged kept, float *share)
{
    float most = 0, gain[MEANS] = {0}, better[MEANS] = {0};
    *share = 0;
    for (int k = 0; k < left->n; k++)
        for (int m = 0; m < MEANS; m++) {
            float more = of[k][m] - kept[k][m], weight = more > 0 ? left->weight[k][m] : 0;
            gain[m] += weight * more;
            better[m] += weight;
        }
    for (int m = 0; m < MEANS; m++)
        if (gain[m] > most) {
            most = gain[m];
            *share = better[m];
        }
    return most;
}

static void keep_too(const time_left *left, judged of, judged kept)
{
    for (int k = 0; k < left->n; k++)
        for (int m = 0; m < MEANS; m++)
            kept[k][m] = of[k][m] > kept[k][m] ? of[k][m] : kept[k][m];
}

static void swap_edges(const weighing *w, int64_t start, int a, int b)
{
    uint32_t *edges = w->nodes->edges.edge + start, edge = edges[a];
    judged held;
    edges[a] = edges[b];
    edges[b] = edge;
    for (int k = 0; k < w->n_judged; k++) {
        memcpy(held, w->judged[k][a], sizeof held);
        memcpy(w->judged[k][a], w->judged[k][b], sizeof held);
        memcpy(w->judged[k][b], held, sizeof held);
    }
}

/* Put results that are always kept first, after the best.  Returns the index of the first other one. */
static int put_kept_first(const weighing *w, int64_t start, int n)
{
    int at = 1;
    for (int k = 1; k < n; k++)
        if (w->nodes->edges.edge[start + k] & BGR_EDGE_ALWAYS) {
            swap_edges(w, start, k, at);
            w->nodes->edges.gain[start + at++] = INFINITY;
        }
    return at;
}

/* The greatest gain of results at .. n - 1 of a roll over those that are kept.  chosen [out]: its index; share [out]:
 * how often it is better.  with_cube: 1 adds the gain of a play that is right for the cube. */
static float greatest_gain(const weighing *w, const uint32_t *edges, int with_cube, int at, int n, int *chosen,
                           float *share)
{
    const bgr_node *node = w->nodes->node;
    float greatest = 0;
    for (int k = at; k < n; k++) {
        float gain = 0, share_of_gain = 0;
        for (int j = 0; j < w->n_judged; j++) {
            float better;
            gain += (j ? tuned_gammon_weight : 1) * gain_of(&w->left, w->judged[j][k], w->judged[j][0], &better);
            share_of_gain = better > share_of_gain ? better : share_of_gain;
        }
        if (with_cube) {
            double behind = node[bgr_edge_node(edges[k])].mean - node[bgr_edge_node(edges[0])].mean;
            gain += (float)(tuned_cube_gain * bgr_exp(fmax(-behind / tuned_off_best, -700))) * w->left.all;
        }
        if (gain > greatest) {
            greatest = gain;
            *chosen = k;
            *share = share_of_gain;
        }
    }
    return greatest;
}

/* Weigh and sort the edges of one roll, from `start` on, and pass the node's chance on. */
static bgr_status weigh_roll(weighing *w, int32_t i, int64_t start, int n, int roll)
{
    bgr_nodes *nodes = w->nodes;
    const uint32_t *edges = nodes->edges.edge + start;
    float *gains = nodes->edges.gain + start;
    double part = bgr_rolls[roll].weight / 36.0, chance = nodes->node[i].chance * part, turn = w->turn[i] * part;
    int few = bgr_packed_count(nodes->node[i].position, 0) >= BGR_MAX_CHECKERS - TUNED_FEW_FOR_CUBE;
    for (int j = 0; j < w->n_judged; j++) {
        if (!bgr_make_room((void **)&w->judged[j], &w->room[j], n, sizeof *w->judged[j]))
            return BGR_ERR_MEMORY;
        for (int k = 0; n > 1 && k < n; k++)
            take_means(w->chances[j][bgr_edge_node(edges[k])], &w->left, w->judged[j][k]);
    }
    gains[0] = INFINITY;
    nodes->node[bgr_edge_node(edges[0])].chance += chance;
    w->turn[bgr_edge_node(edges[0])] += turn + chance;
    int at = put_kept_first(w, start, n);
    for (; at < n; at++) {
        int chosen = at;
        float better = 0, gain = greatest_gain(w, edges, few, at, n, &chosen, &better);
        if (gain <= 0)
            break;
        swap_edges(w, start, chosen, at);
        gains[at] = (float)(chance * gain);
        int32_t to = bgr_edge_node(edges[at]);
        double share = fmax(better / w->left.all, tuned_least_share);
        nodes->node[to].chance += share * chance;
        w->turn[to] += share * (turn + chance);
        for (int j = 0; j < w->n_judged; j++)
            keep_too(&w->left, w->judged[j][at], w->judged[j][0]);
    }
    for (; at < n; at++)
        gains[at] = 0;
    return BGR_OK;
}

static bgr_status weigh_node(weighing *w, int32_t i)
{
    bgr_nodes *nodes = w->nodes;
    int64_t row = (int64_t)nodes->node[i].row * BGR_N_ROLLS, start = nodes->node[i].edges;
    find_time_left(w, i, &w->left);
    for (int roll = 0; roll < BGR_N_ROLLS; start += nodes->edges.n_of_roll[row + roll++])
        BGR_TRY(weigh_roll(w, i, start, nodes->edges.n_of_roll[row + roll], roll));
    return BGR_OK;
}

bgr_status bgr_nodes_find_chances(bgr_nodes *nodes, int gammons)
{
    BGR_FREE(nodes->off.last, nodes->off.first);
    nodes->off.last = calloc((size_t)nodes->n, sizeof *nodes->off.last);
    nodes->off.first = gammons ? calloc((size_t)nodes->n, sizeof *nodes->off.first) : NULL;
    if (!nodes->off.last || (gammons && !nodes->off.first))
        return BGR_ERR_MEMORY;
    for (int k = 0; k < BGR_OFF_WIDTH; k++)
        nodes->off.last[0][k] = 1;
    for (int64_t i = 0; gammons && i < nodes->n; i++)
        for (int k = 0; bgr_packed_any_off(nodes->node[i].position) && k < BGR_OFF_WIDTH; k++)
            nodes->off.first[i][k] = 1;
    int64_t n_done = 0;
    for (int pips = 1; pips <= BGR_MAX_BOARD_PIPS; pips++)
        for (int32_t i = nodes->with_pips[pips]; i >= 0; i = nodes->node[i].next)
            if (bgr_expanded(&nodes->node[i])) {
                if (bgr_nodes_stopped(nodes, n_done++, BGR_BETWEEN_TELLS))
                    return BGR_ERR_STOPPED;
                fill_chances(nodes, i, (const bgr_off_chances *)nodes->off.last, nodes->off.last[i]);
                if (gammons && !bgr_packed_any_off(nodes->node[i].position))
                    fill_chances(nodes, i, (const bgr_off_chances *)nodes->off.first, nodes->off.first[i]);
            }
    return BGR_OK;
}

bgr_status bgr_nodes_weigh(bgr_nodes *nodes, const double *in_time, int n, int gammons)
{
    double *turn = calloc((size_t)nodes->n, sizeof *turn);
    free(nodes->edges.gain);
    nodes->edges.gain = malloc((size_t)nodes->edges.n * sizeof *nodes->edges.gain);
    bgr_status status = turn && nodes->edges.gain ? bgr_nodes_find_chances(nodes, gammons) : BGR_ERR_MEMORY;
    if (status == BGR_OK) {
        for (int64_t i = 0; i < nodes->n; i++)
            nodes->node[i].chance = i == BGR_START;
        weighing w = {.nodes = nodes,
                      .n_judged = gammons ? 2 : 1,
                      .chances = {(const bgr_off_chances *)nodes->off.last, (const bgr_off_chances *)nodes->off.first},
                      .in_time = in_time,
                      .n = n,
                      .turn = turn};
        int64_t n_done = 0;
        for (int pips = BGR_MAX_BOARD_PIPS; pips > 0; pips--)
            for (int32_t i = nodes->with_pips[pips]; i >= 0 && status == BGR_OK; i = nodes->node[i].next)
                if (bgr_expanded(&nodes->node[i]))
                    status =
                        bgr_nodes_stopped(nodes, n_done++, BGR_BETWEEN_TELLS) ? BGR_ERR_STOPPED : weigh_node(&w, i);
        BGR_FREE(w.judged[0], w.judged[1]);
        for (int64_t k = 0; bgr_expanded(&nodes->node[BGR_EMPTY_BOARD]) && k < BGR_N_ROLLS; k++)
            nodes->edges.gain[nodes->node[BGR_EMPTY_BOARD].edges + k] = INFINITY;
    }
    free(turn);
    return status;
}

void bgr_nodes_keep(bgr_nodes *nodes, double least_gain)
{
    for (int64_t i = 0; i < nodes->n; i++) {
        const bgr_node *node = &nodes->node[i];
        const float *gain = nodes->edges.gain ? nodes->edges.gain + node->edges : NULL;
        for (int roll = 0; bgr_expanded(node) && roll < BGR_N_ROLLS; roll++) {
            int64_t row = (int64_t)node->row * BGR_N_ROLLS + roll;
            int n = nodes->edges.n_of_roll[row], kept = gain || isinf(least_gain) ? 1 : n;
            while (gain && kept < n && (isinf(gain[kept]) || (double)gain[kept] > least_gain))
                kept++;
            nodes->edges.n_kept[row] = (uint16_t)kept;
            if (gain)
                gain += n;
        }
    }
}
