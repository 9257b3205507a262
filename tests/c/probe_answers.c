/* Answer every question about the pairs on standard input: probe_answers map|load|read FILE.
 *
 * A line of input has the number of points, the counts of the player on roll, and those of the opponent.  A line of
 * output has the name of a question, the status, and the results to the bit. */
#include "bgrace.h"

#include <stdio.h>

static void print_values(const char *name, bgr_status status, const double *values, int n)
{
    printf("%s %d", name, (int)status);
    for (int k = 0; status == BGR_OK && k < n; k++)
        printf(" %a", values[k]);
    printf("\n");
}

int main(int argc, char **argv)
{
    bgr_db *db;
    int points;
    bgr_access access = argv[1][0] == 'm' ? BGR_MAP : argv[1][0] == 'l' ? BGR_LOAD : BGR_READ;
    if (argc != 3 || bgr_open(argv[2], access, &db) != BGR_OK)
        return 1;
    int8_t a[BGR_MAX_POINTS + 1], b[BGR_MAX_POINTS + 1];
    while (scanf("%d", &points) == 1) {
        for (int j = 0; j < 2 * points; j++) {
            int count;
            if (scanf("%d", &count) != 1)
                return 1;
            (j < points ? a : b - points)[j] = (int8_t)count;
        }
        double value[BGR_MAX_WIDTH];
        bgr_method method = BGR_TWO_SIDED;
        bgr_equities e;
        bgr_status status = bgr_probe_epc(db, points, a, value);
        print_values("epc", status, value, 1);
        status = bgr_probe_rolls(db, points, a, value, value + 1);
        print_values("rolls", status, value, 2);
        status = bgr_probe_roll_distribution(db, points, a, BGR_MAX_WIDTH, value);
        print_values("distribution", status, value, BGR_MAX_WIDTH);
        status = bgr_probe_first_checker_distribution(db, points, a, BGR_MAX_WIDTH, value);
        print_values("first", status, value, BGR_MAX_WIDTH);
        status = bgr_probe_win_probability(db, points, a, b, value, &method);
        value[1] = method;
        print_values("win", status, value, 2);
        status = bgr_probe_equities(db, points, a, b, &e);
        const double equities[] = {e.cubeless,      e.centered,  e.mine,   e.theirs,
                                   e.centered_roll, e.mine_roll, e.jacoby, e.jacoby_roll};
        print_values("equities", status, equities, 8);
    }
    bgr_close(db);
    return 0;
}
