/* The plays of a race as players and GNU Backgammon write them. */

#include "base/play_text.h"

#include "base/position.h"

#include <string.h>

/* Highest point first; from one point the longer move of a double first, but the shorter of two different dice. */
static int comes_before(const bgr_written_move *a, const bgr_written_move *b, int is_double)
{
    if (a->from != b->from)
        return a->from > b->from;
    return is_double ? a->to < b->to : a->to > b->to;
}

void bgr_write_moves(bgr_written_move *moves, int n, int is_double, char *text)
{
    for (int k = 1; k < n; k++)
        for (int at = k; at > 0 && comes_before(&moves[at], &moves[at - 1], is_double); at--) {
            bgr_written_move swap = moves[at];
            moves[at] = moves[at - 1];
            moves[at - 1] = swap;
        }
    *text = 0;
    for (int k = 0, n_equal; k < n; k += n_equal) {
        char count[] = "(1)";
        for (n_equal = 1; k + n_equal < n && !strcmp(moves[k].text, moves[k + n_equal].text); n_equal++)
            count[1]++;
        strcat(strcat(strcat(text, k ? " " : ""), moves[k].text), n_equal > 1 ? count : "");
    }
}

char *bgr_write_point(char *text, int point)
{
    if (!point)
        return (char *)memcpy(text, "off", 4) + 3;
    if (point > 9)
        *text++ = (char)('0' + point / 10);
    *text++ = (char)('0' + point % 10);
    *text = 0;
    return text;
}

/* The positions before and after, and the moves between them. */
typedef struct {
    int8_t counts[BGR_MAX_POINTS], wanted[BGR_MAX_POINTS];
    int n;
    bgr_written_move moves[4];
} written_play;

static void add_move(written_play *p, int from, int to)
{
    bgr_written_move *move = &p->moves[p->n++];
    move->from = from;
    move->to = to;
    char *end = bgr_write_point(move->text, from);
    *end = '/';
    bgr_write_point(end + 1, to);
}

static int farthest(const int8_t *counts) { return bgr_highest(BGR_MAX_POINTS, counts); }

/* Move a checker by a die, changing counts.  Returns its new point, 0 for off, -1 if the move is illegal. */
static int move_checker(int8_t *counts, int from, int die)
{
    int to = from > die ? from - die : 0;
    if (from < 1 || !counts[from - 1] || (!to && farthest(counts) > (from == die ? BGR_HOME_POINTS : from)))
        return -1;
    counts[from - 1]--;
    if (to)
        counts[to - 1]++;
    return to;
}

static int find_two(written_play *p, int die, int other)
{
    for (int from = 1; from <= BGR_MAX_POINTS; from++) {
        int8_t counts[BGR_MAX_POINTS];
        memcpy(counts, p->counts, sizeof counts);
        int to = move_checker(counts, from, die), next = BGR_MAX_POINTS;
        if (to < 0)
            continue;
        if (!farthest(counts)) {
            if (!farthest(p->wanted))
                add_move(p, from, to);
            return p->n;
        }
        /* The second checker came from the highest point that still differs. */
        while (next && counts[next - 1] == p->wanted[next - 1])
            next--;
        int end = move_checker(counts, next, other);
        if (end < 0 || memcmp(counts, p->wanted, sizeof counts))
            continue;
        if (to == next)
            add_move(p, from, end);
        else if (end == from)
            add_move(p, next, to);
        else {
            add_move(p, from, to);
            add_move(p, next, end);
        }
        return 1;
    }
    return 0;
}

/* Steps from each point are found from the top down: checkers that left plus those that arrived. */
static int is_double_play(const written_play *p, int die)
{
    int steps[BGR_MAX_POINTS + 7] = {0}, all = 0;
    for (int point = BGR_MAX_POINTS; point > 0; point--) {
        steps[point] = p->counts[point - 1] - p->wanted[point - 1] + steps[point + die];
        all += steps[point];
        if (steps[point] < 0 ||
            (steps[point] && point <= die && farthest(p->wanted) > (point == die ? BGR_HOME_POINTS : point)))
            return 0;
    }
    return all == 4 || (all < 4 && !farthest(p->wanted));
}

/* A checker stays on points a multiple of the die apart.  The nearest checkers' moves end first, so that those behind
 * go farther. */
static void find_double(written_play *p, int die)
{
    for (int lane = 1; lane <= die; lane++) {
        int waiting[BGR_MAX_CHECKERS], n = 0;
        for (int point = lane + (BGR_MAX_POINTS - lane) / die * die; point > 0; point -= die) {
            int change = p->counts[point - 1] - p->wanted[point - 1];
            for (; change > 0; change--)
                waiting[n++] = point;
            for (; change < 0; change++)
                add_move(p, waiting[--n], point);
        }
        for (int k = 0; k < n; k++)
            add_move(p, waiting[k], 0);
    }
}

bgr_status bgr_play_text(int points, const int8_t *before, const int8_t *after, int die1, int die2, char *text)
{
    written_play p = {.n = 0};
    int larger = die1 > die2 ? die1 : die2, smaller = die1 > die2 ? die2 : die1;
    if (points < 1 || points > BGR_MAX_POINTS)
        return BGR_ERR_POINTS;
    if (smaller < 1 || larger > 6)
        return BGR_ERR_ROLL;
    memcpy(p.counts, before, (size_t)points);
    memcpy(p.wanted, after, (size_t)points);
    if (bgr_checked_checkers(points, before) <= 0 || bgr_checked_checkers(points, after) < 0)
        return BGR_ERR_POSITION;
    if (larger != smaller) {
        if (!find_two(&p, larger, smaller))
            find_two(&p, smaller, larger);
    } else if (is_double_play(&p, larger))
        find_double(&p, larger);
    if (!p.n)
        return BGR_ERR_ARGUMENT;
    bgr_write_moves(p.moves, p.n, larger == smaller, text);
    return BGR_OK;
}
