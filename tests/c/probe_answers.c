/* Every answer about the pairs on standard input: probe_answers map|load|read FILE....
 *
 * A line of input is a number of points, so many counts of the player on roll, and so many of the opponent.  A line of
 * output is a status and the bits of the results for each question in turn.  Each question is also asked as a batch of
 * everything read, which must agree. */
#include "bgrace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_QUERIES = 100000 };

static void print_values(const char *name, bgr_status status, const double *values, int n)
{
    printf("%s %d", name, (int)status);
    for (int k = 0; status == BGR_OK && k < n; k++) {
        uint64_t bits;
        memcpy(&bits, &values[k], sizeof bits);
        printf(" %016" PRIx64, bits);
    }
    printf(" ");
}

static int differ(const char *what, int64_t n_done, int64_t i, bgr_status got, bgr_status wanted)
{
    if (n_done == i && got == wanted)
        return 0;
    fprintf(stderr, "batch of %s stopped at %" PRId64 " with %d, not at %" PRId64 " with %d\n", what, n_done, (int)got,
            i, (int)wanted);
    return 1;
}

int main(int argc, char **argv)
{
    bgr_db *db;
    int failed, points, length = 0;
    bgr_access access = argv[1][0] == 'm' ? BGR_MAP : argv[1][0] == 'l' ? BGR_LOAD : BGR_READ;
    bgr_status status = bgr_open_all((const char *const *)argv + 2, argc - 2, access, &db, &failed);
    if (status != BGR_OK) {
        printf("open %d of %d\n", (int)status, failed);
        return 0;
    }
    int8_t *mine = calloc(MOST_QUERIES, BGR_MAX_POINTS), *theirs = calloc(MOST_QUERIES, BGR_MAX_POINTS);
    if (!mine || !theirs)
        return 1;
    int64_t n = 0, first_epc = -1, first_win = -1, first_pair = -1;
    bgr_status epc_status = BGR_OK, win_status = BGR_OK, pair_status = BGR_OK;
    while (n < MOST_QUERIES && scanf("%d", &points) == 1) {
        int8_t *a = mine + n * points, *b = theirs + n * points;
        if (length && points != length)
            return 1;
        length = points;
        for (int j = 0; j < 2 * points; j++) {
            int count;
            if (scanf("%d", &count) != 1)
                return 1;
            (j < points ? a : b - points)[j] = (int8_t)count;
        }
        double value[BGR_MAX_WIDTH];
        bgr_method method = BGR_TWO_SIDED;
        bgr_equities e;
        status = bgr_probe_epc(db, points, a, value);
        print_values("epc", status, value, 1);
        if (status != BGR_OK && first_epc < 0) {
            first_epc = n;
            epc_status = status;
        }
        status = bgr_probe_rolls(db, points, a, value, value + 1);
        print_values("rolls", status, value, 2);
        status = bgr_probe_roll_distribution(db, points, a, BGR_MAX_WIDTH, value);
        print_values("distribution", status, value, BGR_MAX_WIDTH);
        status = bgr_probe_first_checker_distribution(db, points, a, BGR_MAX_WIDTH, value);
        print_values("first", status, value, BGR_MAX_WIDTH);
        status = bgr_probe_win_probability(db, points, a, b, value, &method);
        value[1] = method;
        print_values("win", status, value, 2);
        if (status != BGR_OK && first_win < 0) {
            first_win = n;
            win_status = status;
        }
        status = bgr_probe_equities(db, points, a, b, &e);
        const double equities[] = {e.cubeless,      e.centered,  e.mine,   e.theirs,
                                   e.centered_roll, e.mine_roll, e.jacoby, e.jacoby_roll};
        print_values("equities", status, equities, 8);
        if (status != BGR_OK && first_pair < 0) {
            first_pair = n;
            pair_status = status;
        }
        printf("\n");
        n++;
    }
    if (n == 0)
        return 0;
    double *values = malloc((size_t)n * 2 * sizeof *values);
    bgr_method *methods = malloc((size_t)n * sizeof *methods);
    bgr_equities *equities = malloc((size_t)n * sizeof *equities);
    if (!values || !methods || !equities)
        return 1;
    int64_t n_done;
    int wrong = 0;
    status = bgr_probe_epc_batch(db, length, mine, n, values, &n_done);
    wrong |= differ("epc", n_done, first_epc < 0 ? n : first_epc, status, epc_status);
    for (int64_t i = 0; i < n_done; i++) {
        double one;
        wrong |= bgr_probe_epc(db, length, mine + i * length, &one) != BGR_OK || one != values[i];
    }
    status = bgr_probe_rolls_batch(db, length, mine, n, values, values + n, &n_done);
    wrong |= differ("rolls", n_done, first_epc < 0 ? n : first_epc, status, epc_status);
    for (int64_t i = 0; i < n_done; i++) {
        double mean, variance;
        wrong |= bgr_probe_rolls(db, length, mine + i * length, &mean, &variance) != BGR_OK || mean != values[i] ||
                 variance != values[n + i];
    }
    status = bgr_probe_win_probability_batch(db, length, mine, theirs, n, values, methods, &n_done);
    wrong |= differ("win probability", n_done, first_win < 0 ? n : first_win, status, win_status);
    for (int64_t i = 0; i < n_done; i++) {
        double one;
        bgr_method method;
        wrong |=
            bgr_probe_win_probability(db, length, mine + i * length, theirs + i * length, &one, &method) != BGR_OK ||
            one != values[i] || method != methods[i];
    }
    status = bgr_probe_equities_batch(db, length, mine, theirs, n, equities, &n_done);
    wrong |= differ("equities", n_done, first_pair < 0 ? n : first_pair, status, pair_status);
    for (int64_t i = 0; i < n_done; i++) {
        bgr_equities e;
        wrong |= bgr_probe_equities(db, length, mine + i * length, theirs + i * length, &e) != BGR_OK ||
                 memcmp(&e, &equities[i], sizeof e) != 0;
    }
    double *rows = malloc((size_t)n * BGR_MAX_WIDTH * sizeof *rows);
    if (!rows)
        return 1;
    status = bgr_probe_roll_distribution_batch(db, length, mine, n, BGR_MAX_WIDTH, rows, &n_done);
    wrong |= differ("distributions", n_done, first_epc < 0 ? n : first_epc, status, epc_status);
    for (int64_t i = 0; i < n_done; i++) {
        double row[BGR_MAX_WIDTH];
        wrong |= bgr_probe_roll_distribution(db, length, mine + i * length, BGR_MAX_WIDTH, row) != BGR_OK ||
                 memcmp(row, rows + i * BGR_MAX_WIDTH, sizeof row) != 0;
    }
    free(rows);
    free(values);
    free(methods);
    free(equities);
    free(mine);
    free(theirs);
    bgr_close(db);
    return wrong;
}
