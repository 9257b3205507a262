/* Random numbers, which depend on the state alone. */
#include <stdint.h>

static uint64_t state;

static uint64_t next_random(void) /* splitmix64 */
{
    uint64_t z = state += 0x9E3779B97F4A7C15U;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
    z = (z ^ z >> 27) * 0x94D049BB133111EBU;
    return z ^ z >> 31;
}
