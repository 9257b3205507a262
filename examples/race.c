/* Any race at any stakes: chances, cube action, and the best plays of a roll, without a database.
 *
 *     cc $(python -m bgrace.embed --cflags) race.c $(python -m bgrace.embed --libs --static) -o race
 *     ./race 0,2,2,3,3,3,1,0,1 1,1,2,2,3,4,1,1 31           money
 *     ./race 0,2,2,3,3,3,1,0,1 1,1,2,2,3,4,1,1 31 4,2       4 points to go against 2; 4,1,crawford is the Crawford game
 *
 * Positions are counts, the ace point first.
 */
#include "bgrace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A match equity table: Kazaross XG2, up to 5 points.  Row: what the player on roll needs; column: the opponent. */
enum { LENGTH = 5 };
static const double before_crawford[LENGTH * LENGTH] = {
    0.5,     0.67736, 0.75076, 0.81436, 0.84179, /* 1 to go */
    0.32264, 0.5,     0.59947, 0.6687,  0.74359, /* 2 */
    0.24924, 0.40053, 0.5,     0.5715,  0.64795, /* 3 */
    0.18564, 0.3313,  0.4285,  0.5,     0.57732, /* 4 */
    0.15821, 0.25641, 0.35205, 0.42268, 0.5      /* 5 */
};
/* After the Crawford game: chances of the trailing player, if that is the player on roll, then the opponent. */
static const double after_crawford[2 * LENGTH] = {0.5, 0.48803, 0.32264, 0.31002, 0.19012,
                                                  0.5, 0.48803, 0.32264, 0.31002, 0.19012};

static void stop(const char *what, bgr_status status)
{
    fprintf(stderr, "%s: %s\n", what, bgr_strerror(status));
    exit(1);
}

static void read_position(const char *text, int8_t *counts)
{
    const char *at = text;
    memset(counts, 0, BGR_MAX_POINTS);
    for (int j = 0; j < BGR_MAX_POINTS; j++) {
        char *end;
        long n = strtol(at, &end, 10);
        if (end == at || n < 0 || n > BGR_MAX_CHECKERS || (*end && *end != ','))
            break;
        counts[j] = (int8_t)n;
        if (!*end)
            return;
        at = end + 1;
    }
    stop(text, BGR_ERR_POSITION);
}

static void print_position(const int8_t *counts)
{
    int last = BGR_MAX_POINTS - 1;
    while (last > 0 && !counts[last])
        last--;
    for (int j = 0; j <= last; j++)
        printf("%s%d", j ? "," : "", counts[j]);
}

static void print_cube(const bgr_answer *answer, bgr_cube cube, const char *name)
{
    static const char *const verdicts[] = {"no cube",        "no double",    "double, take",
                                           "double, beaver", "double, pass", "too good to double"};
    bgr_cube_values v;
    if (bgr_answer_cube(answer, cube, &v) != BGR_OK)
        return; /* impossible for a cube of this value */
    printf("%s: %s; no double %+.6f", name, verdicts[v.verdict], v.no_double);
    if (v.verdict != BGR_VERDICT_NO_CUBE)
        printf(", double/take %+.6f, double/pass %+.6f", v.double_take, v.double_pass);
    printf("\n");
}

int main(int argc, char **argv)
{
    if (argc < 4 || argc > 5 || strlen(argv[3]) != 2) {
        fprintf(stderr, "usage: race ON_ROLL OPPONENT ROLL [NEEDS,NEEDS[,crawford]]\n");
        return 2;
    }
    int8_t on_roll[BGR_MAX_POINTS], opponent[BGR_MAX_POINTS];
    int die1 = argv[3][0] - '0', die2 = argv[3][1] - '0';
    read_position(argv[1], on_roll);
    read_position(argv[2], opponent);

    bgr_stakes stakes = {.size = sizeof stakes, .gammons = 1}; /* money */
    if (argc == 5) {
        char word[16] = "";
        if (sscanf(argv[4], "%d,%d,%15s", &stakes.on_roll_needs, &stakes.opponent_needs, word) < 2)
            stop(argv[4], BGR_ERR_STAKES);
        stakes.match = 1;
        stakes.cube_value = 1;
        stakes.crawford = strcmp(word, "crawford") == 0;
        stakes.met_length = stakes.post_length = LENGTH;
        stakes.pre_crawford = before_crawford;
        stakes.post_crawford = after_crawford;
    }

    bgr_solver *solver; /* one serves all questions of a program */
    bgr_status status = bgr_solver_new(&solver);
    if (status == BGR_OK)
        status = bgr_solver_prepare(solver, &stakes, 6); /* useful for several races at the same stakes */
    if (status != BGR_OK)
        stop("solver", status);

    bgr_solve_options options = {.size = sizeof options, .dice = {die1, die2}};
    bgr_answer *answer;
    status = bgr_ask(solver, BGR_MAX_POINTS, on_roll, opponent, &stakes, &options, &answer);
    if (status != BGR_OK)
        stop("race", status);

    bgr_chances chances;
    bgr_answer_info info = {.size = sizeof info};
    bgr_answer_chances(answer, &chances);
    bgr_answer_describe(answer, &info);
    printf("win %.6f, gammon %.6f, backgammon %.6f; lose a gammon %.6f, a backgammon %.6f\n", chances.win,
           chances.win_gammon, chances.win_backgammon, chances.lose_gammon, chances.lose_backgammon);
    print_cube(answer, BGR_CUBE_CENTERED, "centered");
    print_cube(answer, BGR_CUBE_MINE, "mine");
    print_cube(answer, BGR_CUBE_THEIRS, "theirs");

    bgr_ranked_play plays[3];
    int n;
    if ((status = bgr_answer_plays(answer, die1, die2, BGR_CUBE_CENTERED, 3, plays, &n)) != BGR_OK)
        stop("plays", status);
    for (int k = 0; k < n && k < 3; k++) {
        printf("play %d of %d: ", k + 1, n);
        print_position(plays[k].counts);
        printf(" %+.6f (%+.6f)\n", plays[k].value, 0 - plays[k].loss);
    }
    if (info.exact)
        printf("every play compared\n");
    else
        printf("plays within %.3f rolls of the best compared: good to %.4f\n", info.delta, info.error);
    bgr_answer_free(answer);
    bgr_solver_free(solver);
    return 0;
}
