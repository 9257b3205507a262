/* Many games of one side at once.
 *
 * Each step is done for all lanes before the next step: a block of random bits, its throws in pairs, twelve turns. Then
 * finished lanes are removed, and the others are compacted.  No step has a branch that depends on the dice, a turn
 * looks up as many lanes as the processor can wait for at once, and the other steps are loops that compilers vectorize.
 * All numbers are integers, so results do not depend on the instructions. */

#include "rollout/lanes.h"

#include "base/path.h"

enum { GROUP = 16 }; /* lanes are padded to whole groups with finished ones */
enum { HALF_PAIRS = BGR_BLOCK_THROWS / 4 };

void bgr_throw_pairs_init(bgr_throw_pairs *pairs)
{
    for (uint32_t both = 0; both < 36 * 36; both++) {
        uint32_t word = 0;
        for (int k = 0; k < 2; k++) {
            uint32_t number = k ? both % 36 : both / 36, roll = bgr_roll_of_throw[number];
            uint32_t pips = (uint32_t)bgr_roll_pips(bgr_rolls[roll].larger, bgr_rolls[roll].smaller);
            word |= roll << 8 * k | pips << (16 + 8 * k);
        }
        pairs->of[both] = word;
    }
}

/* Throws of the next block of n lanes: words[2 * half + 1] and words[2 * half] are the high and the low 32 bits of a
 * fraction of six digits in base 36; see bgr_throws.  Two digits at a time are one digit in base 36 * 36. */
BGR_EVERY_WIDTH
static void throw_dice(const bgr_throw_pairs *of, uint64_t seed, uint32_t side, const bgr_lanes *l, int n,
                       uint32_t (*pairs)[BGR_LANES])
{
    uint32_t words[4][BGR_LANES];
    for (int j = 0; j < n; j++) {
        uint32_t counter[4] = {(uint32_t)l->game[j], (uint32_t)(l->game[j] >> 32), side, l->block[j]};
        const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
        bgr_philox(counter, key);
        for (int k = 0; k < 4; k++)
            words[k][j] = counter[k];
    }
    for (int half = 0; half < 2; half++) {
        uint32_t (*to)[BGR_LANES] = pairs + half * HALF_PAIRS;
        for (int j = 0; j < n; j++) {
            uint64_t low = words[2 * half][j], high = words[2 * half + 1][j];
            for (int k = 0; k < HALF_PAIRS; k++) {
                low *= 36 * 36;
                high = high * (36 * 36) + (low >> 32);
                to[k][j] = (uint32_t)(high >> 32);
                low &= 0xFFFFFFFFu;
                high &= 0xFFFFFFFFu;
            }
        }
    }
    for (int k = 0; k < 2 * HALF_PAIRS; k++)
        for (int j = 0; j < n; j++)
            pairs[k][j] = of->of[pairs[k][j]];
}

/* One turn of n lanes, the k-th of this block. */
static inline void take_turn(const bgr_policy *policy, const uint32_t *pairs, int k, int skipping, int n, bgr_lanes *l)
{
    int shift = 8 * (k % 2);
    for (int j = 0; j < n; j++) {
        int32_t now = !skipping || l->skipped[j] <= k;
        l->rolls[j] += now & (l->index[j] != 0);
        l->model_rolls[j] += now & (l->model_pips[j] > 0);
        l->model_pips[j] -= now ? (int32_t)(pairs[j] >> 16 >> shift & 255) : 0;
    }
    for (int j = 0; j < n; j++) {
        size_t at = (size_t)l->index[j] * BGR_N_ROLLS + (pairs[j] >> shift & 255);
        uint32_t next = policy->narrow ? policy->narrow[at] : (uint32_t)policy->best[at];
        l->index[j] = skipping && l->skipped[j] > k ? l->index[j] : next;
    }
}

/* Whether any lane is unfinished. */
static inline int any_left(int n, const bgr_lanes *l)
{
    uint32_t left = 0;
    for (int j = 0; j < n; j++)
        left |= l->index[j] | (uint32_t)(l->model_pips[j] > 0);
    return left != 0;
}

BGR_EVERY_WIDTH
static void take_turns(const bgr_policy *policy, uint32_t (*pairs)[BGR_LANES], int skipping, int n, bgr_lanes *l)
{
    n = n / GROUP * GROUP; /* no change, but the compiler then knows */
    for (int k = 0; k < BGR_BLOCK_THROWS && any_left(n, l); k += 2)
        for (int second = 0; second < 2; second++) {
            /* Two loops, without a condition inside. */
            if (skipping)
                take_turn(policy, pairs[k / 2], k + second, 1, n, l);
            else
                take_turn(policy, pairs[k / 2], k + second, 0, n, l);
        }
}

void bgr_lanes_play(const bgr_policy *policy, const bgr_throw_pairs *pairs, uint64_t seed, uint32_t side, bgr_lanes *l,
                    int32_t *rolls, int32_t *model_rolls)
{
    uint32_t thrown[BGR_BLOCK_THROWS / 2][BGR_LANES];
    int32_t lane[BGR_LANES];
    for (int j = 0; j < l->n; j++)
        lane[j] = j;
    while (l->n) {
        int padded = (l->n + GROUP - 1) / GROUP * GROUP, left = 0;
        for (int j = l->n; j < padded; j++)
            bgr_begin_lane(l, j, 0, 0, 0);
        throw_dice(pairs, seed, side, l, padded, thrown);
        take_turns(policy, thrown, l->skipping, padded, l);
        for (int j = 0; j < l->n; j++) {
            rolls[lane[j]] = l->rolls[j];
            model_rolls[lane[j]] = l->model_rolls[j];
            /* Always written, but kept only if the lane is unfinished. */
            lane[left] = lane[j];
            l->game[left] = l->game[j];
            l->block[left] = l->block[j] + 1;
            l->index[left] = l->index[j];
            l->model_pips[left] = l->model_pips[j];
            l->rolls[left] = l->rolls[j];
            l->model_rolls[left] = l->model_rolls[j];
            left += (l->index[j] != 0) | (l->model_pips[j] > 0);
        }
        l->n = left;
        l->skipping = 0;
    }
}
