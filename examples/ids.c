/* Read position IDs, and print a line with the verdict for money and every number to the bit.
 *
 *     cc $(python -m bgrace.embed --cflags) ids.c $(python -m bgrace.embed --libs --static) -o ids
 *     echo 8d4nAADa7TkAAA | ./ids
 *
 * ids.cc, ids.rs and ids.html do the same in C++, in Rust and in a page.
 */
#include "bgrace.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const verdicts[] = {"no cube",       "no double",   "double/take",
                                       "double/beaver", "double/pass", "too good"};

static void print_bits(double value)
{
    uint64_t bits;
    value += 0.0; /* turns -0 into 0 */
    memcpy(&bits, &value, sizeof bits);
    printf(" %016" PRIx64, bits);
}

/* Ask with every play of 31. */
static bgr_status ask(const bgr_solver *solver, const int8_t *on_roll, const int8_t *opponent, bgr_answer **answer)
{
    const bgr_stakes money = {.size = sizeof money, .gammons = 1, .jacoby = 1};
    const bgr_solve_options options = {
        .size = sizeof options, .seconds = 0.02, .memory_bytes = 1 << 26, .dice = {3, 1}};
    return bgr_ask(solver, BGR_MAX_POINTS, on_roll, opponent, &money, &options, answer);
}

static bgr_status answer_id(const bgr_solver *solver, const char *id)
{
    int8_t on_roll[BGR_MAX_POINTS], opponent[BGR_MAX_POINTS];
    bgr_answer *answer = NULL;
    bgr_chances chances;
    bgr_cube_values cube;
    bgr_ranked_play best;
    int n;
    bgr_status status = bgr_read_position_id(id, on_roll, opponent);
    if (status == BGR_OK)
        status = ask(solver, on_roll, opponent, &answer);
    if (status == BGR_OK)
        status = bgr_answer_cube(answer, BGR_CUBE_CENTERED, &cube);
    if (status == BGR_OK)
        status = bgr_answer_plays(answer, 3, 1, BGR_CUBE_CENTERED, 1, &best, &n);
    if (status == BGR_OK) {
        bgr_answer_chances(answer, &chances);
        printf("%.14s %s", id, verdicts[cube.verdict]);
        print_bits(chances.win);
        print_bits(chances.win_gammon);
        print_bits(chances.lose_gammon);
        print_bits(cube.no_double);
        print_bits(cube.double_take);
        print_bits(best.value);
        printf("\n");
    }
    bgr_answer_free(answer);
    return status;
}

int main(void)
{
    char line[256];
    bgr_solver *solver;
    bgr_status status = bgr_solver_new(&solver);
    while (status == BGR_OK && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = 0;
        if ((status = answer_id(solver, line)) != BGR_OK)
            fprintf(stderr, "%.14s: %s\n", line, bgr_strerror(status));
    }
    bgr_solver_free(solver);
    return status != BGR_OK;
}
