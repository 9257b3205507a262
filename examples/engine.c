/* A small engine: the values of a bearoff, the cube action, and the best play of a roll.
 *
 *     cc $(python -m bgrace.embed --cflags) engine.c $(python -m bgrace.embed --libs --static) -o engine
 *     ./engine bearoff.h5 2,2,2,1,0,0 1,1,1,1,1,1 31
 */
#include "bgrace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 6 };

static void stop(const char *what, bgr_status status)
{
    fprintf(stderr, "%s: %s\n", what, bgr_strerror(status));
    exit(1);
}

/* "5,1,8,1,0,0" */
static void read_position(const char *text, int8_t *counts)
{
    int c[POINTS];
    char more;
    if (sscanf(text, "%d,%d,%d,%d,%d,%d%c", &c[0], &c[1], &c[2], &c[3], &c[4], &c[5], &more) != POINTS)
        stop(text, BGR_ERR_POSITION);
    for (int j = 0; j < POINTS; j++) {
        if (c[j] < 0 || c[j] > BGR_MAX_CHECKERS)
            stop(text, BGR_ERR_POSITION);
        counts[j] = (int8_t)c[j];
    }
}

static void print_position(const int8_t *counts)
{
    for (int j = 0; j < POINTS; j++)
        printf("%s%d", j ? "," : "", counts[j]);
}

static int is_finished(const int8_t *counts)
{
    static const int8_t nobody[POINTS];
    return memcmp(counts, nobody, POINTS) == 0;
}

/* The equity with the cube in the middle, to the player who has just moved to `left`. */
static double worth(const bgr_db *db, const int8_t *left, const int8_t *opponent)
{
    bgr_equities equities;
    if (is_finished(left)) {
        int n = 0;
        for (int j = 0; j < POINTS; j++)
            n += opponent[j];
        return n == BGR_MAX_CHECKERS ? 2 : 1;
    }
    bgr_status status = bgr_probe_equities(db, POINTS, opponent, left, &equities);
    if (status != BGR_OK)
        stop("best play", status);
    return -equities.centered;
}

/* Play the dice in this order in every way, and keep the best result. */
static void play(const bgr_db *db, const int8_t *counts, const int8_t *opponent, const int *dice, int n_dice,
                 int8_t *best, double *best_worth)
{
    if (n_dice == 0 || is_finished(counts)) {
        double w = worth(db, counts, opponent);
        if (w > *best_worth) {
            *best_worth = w;
            memcpy(best, counts, POINTS);
        }
        return;
    }
    int highest = POINTS - 1;
    while (counts[highest] == 0)
        highest--;
    for (int from = 0; from <= highest; from++) {
        int to = from - dice[0];
        if (counts[from] == 0 || (to < -1 && from < highest)) /* a larger die bears off from the highest point only */
            continue;
        int8_t next[POINTS];
        memcpy(next, counts, POINTS);
        next[from]--;
        if (to >= 0)
            next[to]++;
        play(db, next, opponent, dice + 1, n_dice - 1, best, best_worth);
    }
}

int main(int argc, char **argv)
{
    if (argc != 5 || strlen(argv[4]) != 2) {
        fprintf(stderr,
                "usage: engine FILE POSITION OPPONENT ROLL, such as engine bearoff.h5 6,0,0,0,0,0 0,2,0,0,0,0 31\n");
        return 2;
    }
    int8_t on_roll[POINTS], opponent[POINTS], best[POINTS];
    int first = argv[4][0] - '0', second = argv[4][1] - '0';
    read_position(argv[2], on_roll);
    read_position(argv[3], opponent);
    if (first < 1 || first > 6 || second < 1 || second > 6)
        stop(argv[4], BGR_ERR_ROLL);
    if (is_finished(on_roll) || is_finished(opponent)) {
        fprintf(stderr, "the game is over: there is nothing to decide\n");
        return 1;
    }

    bgr_db *db;
    bgr_status status = bgr_open(argv[1], BGR_MAP, &db);
    if (status != BGR_OK)
        stop(argv[1], status);

    double epc, win;
    bgr_method method;
    bgr_equities e;
    if ((status = bgr_probe_epc(db, POINTS, on_roll, &epc)) != BGR_OK)
        stop("expected pip count", status);
    printf("expected pip count %.6f\n", epc);
    if ((status = bgr_probe_win_probability(db, POINTS, on_roll, opponent, &win, &method)) != BGR_OK)
        stop("win probability", status);
    printf("win probability %.6f (%s)\n", win, method == BGR_TWO_SIDED ? "exact" : "estimate");
    if ((status = bgr_probe_equities(db, POINTS, on_roll, opponent, &e)) != BGR_OK)
        stop("equities", status);
    printf("equities %.6f %.6f %.6f %.6f\n", e.cubeless, e.centered, e.mine, e.theirs);

    double taken = 2 * e.theirs, doubled = taken < 1 ? taken : 1;
    const char *verdict = doubled < e.centered_roll ? "no double" : taken <= 1 ? "double/take" : "double/pass";
    printf("cube %s\n", verdict);

    int dice[4] = {first, second, first, first}, swapped[2] = {second, first};
    double best_worth = -1e9;
    play(db, on_roll, opponent, dice, first == second ? 4 : 2, best, &best_worth);
    if (first != second)
        play(db, on_roll, opponent, swapped, 2, best, &best_worth);
    printf("best play leaves ");
    print_position(best);
    printf(" worth %.6f\n", best_worth);
    bgr_close(db);
    return 0;
}
