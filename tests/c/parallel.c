/* Solve with workers of the caller, and prove with 1 and with 16 of them.
 *
 * Prints the numbers of loops that they ran for all pairs, by turns, for a map and for a proof; then 1 if both proofs
 * are the same. */
#include "bgrace_prove.h"
#include "match.h"

#include <stdio.h>
#include <string.h>

static int n_loops;

static void run(void *context, int64_t n, void (*body)(void *argument, int64_t k, int worker), void *argument)
{
    const int *n_workers = context;
    n_loops++;
    for (int64_t k = n - 1; k >= 0; k--)
        body(argument, k, (int)(k % *n_workers));
}

static int describe(const bgr_proof *proof, bgr_proof_info *info, bgr_cube_bounds *cube)
{
    info->size = sizeof *info;
    bgr_proof_describe(proof, info);
    return bgr_proof_cube(proof, BGR_CUBE_CENTERED, cube) == BGR_OK;
}

int main(void)
{
    static const int8_t mine[6] = {0, 0, 1, 1, 2, 2}, theirs[6] = {1, 0, 0, 2, 2, 1};
    int n_workers = 16;
    const bgr_parallel parallel = {run, &n_workers, 16};
    bgr_solver *solver;
    if (bgr_solver_new(&solver) != BGR_OK)
        return 1;
    static const bgr_way ways[] = {BGR_ALL_PAIRS, BGR_BY_TURNS};
    for (int k = 0; k < 2; k++) {
        bgr_answer *answer;
        const bgr_solve_options options = {.size = sizeof options, .parallel = &parallel, .way = ways[k]};
        n_loops = 0;
        if (bgr_ask(solver, 6, mine, theirs, &money, &options, &answer) != BGR_OK)
            return 2;
        printf("%d ", n_loops);
        bgr_answer_free(answer);
    }
    const bgr_solve_options options = {.size = sizeof options, .parallel = &parallel};
    bgr_map_case one = {.stakes = match, .cube = BGR_CUBE_CENTERED};
    n_loops = 0;
    if (bgr_ask_map(6, mine, theirs, &one, 1, &options) != BGR_OK)
        return 3;
    printf("%d ", n_loops);
    bgr_solver_free(solver);
    static bgr_proof_info info[2];
    static bgr_cube_bounds bounds[2];
    for (int k = 0; k < 2; k++) {
        const bgr_parallel some = {run, &n_workers, k ? 16 : 1};
        const bgr_solve_options within = {.size = sizeof within, .parallel = &some, .seconds = 0.02};
        bgr_proof *proof;
        n_workers = some.n_workers;
        n_loops = 0;
        if (bgr_prove(6, mine, theirs, &money, &within, &proof) != BGR_OK || !describe(proof, &info[k], &bounds[k]))
            return 4;
        bgr_proof_free(proof);
    }
    printf("%d %d\n", n_loops,
           info[0].method == info[1].method && info[0].delta == info[1].delta &&
               bounds[0].no_double.low == bounds[1].no_double.low &&
               bounds[0].no_double.high == bounds[1].no_double.high);
    return 0;
}
