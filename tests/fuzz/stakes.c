/* libFuzzer: solve and ask races with any stakes, options and positions.
 *
 * Positions mostly have one to three checkers a side, and little time and memory, so that a run takes a millisecond.
 * tests/c/turns_fuzz.c tries the corpus and random bytes without libFuzzer. */
#include "bgrace_prove.h"
#include "bgrace_why.h"

#include <stdlib.h>
#include <string.h>

enum { LENGTH = 4 };

static long n_answers, n_refused;
static const bgr_db *database; /* for some questions, if not NULL */

typedef struct {
    const uint8_t *at;
    size_t left;
} input;

static int byte(input *in)
{
    if (!in->left)
        return 0;
    in->left--;
    return *in->at++;
}

/* Read mostly a small number, now and then any number. */
static int number(input *in, int below)
{
    int first = byte(in);
    if (first < 250)
        return first % below;
    int32_t any = (int32_t)((uint32_t)byte(in) << 24 | (uint32_t)byte(in) << 12 | (uint32_t)byte(in));
    return any;
}

static double real(input *in)
{
    double value = 0;
    uint8_t bytes[sizeof value];
    int first = byte(in);
    if (first < 250)
        return first / 249.0;
    for (size_t k = 0; k < sizeof bytes; k++)
        bytes[k] = (uint8_t)byte(in);
    memcpy(&value, bytes, sizeof value);
    return value;
}

static int stop_at(void *context, double done)
{
    if (!(done >= 0 && done <= 1.0000001))
        abort();
    return context && --*(int *)context == 0; /* NULL if `size` ends before the context */
}

/* Ask for reasons, proofs, other cubes and verdicts, with one in four inputs. */
static void ask_further(input *in, const bgr_solver *solver, const bgr_answer *answer, bgr_stakes stakes, int points,
                        int8_t sides[2][BGR_MAX_POINTS])
{
    if (byte(in) & 3)
        return;
    bgr_reasons reasons = {.size = sizeof reasons};
    bgr_moved moved = {.size = sizeof moved};
    bgr_cube_values values;
    bgr_chances chances;
    bgr_answer *other = NULL;
    bgr_proof *proof = NULL;
    bgr_cache *cache = NULL; /* so that both sides alone are solved once for all cubes */
    if (bgr_cache_new(&cache) != BGR_OK)
        return;
    for (int cube = -1; cube <= BGR_N_CUBES; cube++)
        if (bgr_answer_reasons(solver, cache, answer, (bgr_cube)cube, &reasons) == BGR_OK)
            for (int k = 0; k < 2; k++) {
                const bgr_reason *why = k ? &reasons.take : &reasons.twice;
                if (why->n_phrases < 0 || why->n_phrases > BGR_MAX_PHRASES)
                    abort();
            }
    bgr_cache_free(cache);
    bgr_answer_move(answer, points, sides[byte(in) & 1], BGR_CUBE_NONE, &moved);
    double first = real(in), second = real(in), third = real(in);
    bgr_decide_cube(first, second, third, number(in, 2), &values);
    if (bgr_answer_follow(answer, points, sides[byte(in) & 1], sides[byte(in) & 1], number(in, 2), &other) == BGR_OK)
        bgr_answer_chances(other, &chances);
    bgr_answer_free(other);
    other = NULL;
    bgr_solve_options options = {.size = sizeof options, .seconds = 0.002, .memory_bytes = 1 << 24};
    if (bgr_prove(points, sides[0], sides[1], &stakes, &options, &proof) == BGR_OK) {
        bgr_chance_bounds bounds;
        bgr_answer_info info = {.size = sizeof info};
        bgr_answer_describe(answer, &info);
        bgr_answer_chances(answer, &chances);
        if (bgr_proof_chances(proof, &bounds) == BGR_OK && info.error == 0 &&
            !(bounds.win.low <= chances.win + 1e-9 && chances.win - 1e-9 <= bounds.win.high))
            abort();
    }
    bgr_proof_free(proof);
    stakes.cube_value = number(in, 70);
    if (bgr_answer_at_cube(answer, &stakes, &other) == BGR_OK)
        for (int cube = -1; cube <= BGR_N_CUBES; cube++)
            bgr_answer_cube(other, (bgr_cube)cube, &values);
    bgr_answer_free(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bgr_solver *solver;
    if (!solver && bgr_solver_new(&solver) != BGR_OK)
        return 0;
    input in = {data, size};
    double *before = malloc(LENGTH * LENGTH * sizeof *before), *after = malloc(2 * LENGTH * sizeof *after);
    if (!before || !after)
        abort();
    for (int k = 0; k < LENGTH * LENGTH; k++)
        before[k] = real(&in);
    for (int k = 0; k < 2 * LENGTH; k++)
        after[k] = real(&in);
    int8_t sides[2][BGR_MAX_POINTS] = {{0}};
    int points = number(&in, 9) + 1, n_checkers = 1 + number(&in, 3), calls = 1 + number(&in, 200);
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < n_checkers && k < 15; k++)
            sides[side][(unsigned)number(&in, points > 0 ? points : 1) % BGR_MAX_POINTS] +=
                (int8_t)(1 + !(byte(&in) & 15));
    int kinds = byte(&in);
    bgr_stakes stakes = {.size = kinds & 128 ? (size_t)byte(&in) % (sizeof stakes + 1) : sizeof stakes,
                         .match = kinds & 1,
                         .gammons = kinds >> 1 & 1,
                         .jacoby = kinds >> 2 & 1 & !(kinds & 1),
                         .beavers = kinds >> 3 & 1 & !(kinds & 1),
                         .on_roll_needs = number(&in, 6),
                         .opponent_needs = number(&in, 6),
                         .crawford = kinds >> 4 & 1,
                         .cube_value = 1 << (byte(&in) & 3),
                         .met_length = byte(&in) % (LENGTH + 1),
                         .post_length = byte(&in) % (LENGTH + 1),
                         .pre_crawford = kinds & 32 ? NULL : before,
                         .post_crawford = kinds & 64 ? NULL : after};
    if (!(byte(&in) & 7))
        stakes.cube_value = number(&in, 70);
    if (!stakes.match && !(kinds & 16)) { /* other values are refused for money */
        stakes.on_roll_needs = stakes.opponent_needs = stakes.cube_value = 0;
        stakes.pre_crawford = stakes.post_crawford = NULL;
    }
    bgr_solve_options options = {.size = sizeof options,
                                 .seconds = 0.001 + real(&in) / 1000,
                                 .memory_bytes = 1 << 24,
                                 .dice = {number(&in, 7), number(&in, 7)},
                                 .rolls = byte(&in) & 1,
                                 .progress = stop_at,
                                 .progress_context = &calls};
    if (!(options.seconds < 0.01))
        options.seconds = 0.002;
    if (in.left) { /* new options come last, so that inputs of the corpus keep their meaning */
        options.exactness = byte(&in) & 1 ? real(&in) / 5 : 0;
        options.database = byte(&in) & 1 ? database : NULL;
        options.size = byte(&in) & 15 ? sizeof options : (size_t)byte(&in) % (sizeof options + 1);
        if (!(byte(&in) & 15))
            options.memory_bytes = number(&in, 1 << 22);
        if (!(byte(&in) & 15))
            bgr_solver_prepare(solver, &stakes, byte(&in) & 3);
    }
    bgr_answer *answer;
    bgr_status status = bgr_ask(solver, points, sides[0], sides[1], &stakes, &options, &answer);
    *(status == BGR_OK ? &n_answers : &n_refused) += 1;
    if ((status == BGR_OK) != (answer != NULL) || (int)status < 0 || status >= BGR_N_STATUS)
        abort();
    if (answer) {
        bgr_chances chances;
        bgr_cube_values values;
        bgr_answer_info info = {.size = sizeof info};
        bgr_ranked_play plays[4];
        bgr_moved moved = {.size = sizeof moved};
        int n;
        bgr_answer_chances(answer, &chances);
        bgr_answer_describe(answer, &info);
        if (!(chances.win >= -1e-6 && chances.win <= 1 + 1e-6) || !(info.error >= 0))
            abort();
        for (int cube = -1; cube <= BGR_N_CUBES; cube++) {
            bgr_answer_cube(answer, (bgr_cube)cube, &values);
            bgr_answer_move(answer, points, sides[1], (bgr_cube)cube, &moved);
            bgr_answer_plays(answer, number(&in, 8), number(&in, 8), (bgr_cube)cube, 4, plays, &n);
        }
        ask_further(&in, solver, answer, stakes, points, sides);
        bgr_answer_free(answer);
    }
    free(before);
    free(after);
    return 0;
}
