/* Questions to a database one by one, for scripts/bench_probe.py; those in batches are functions of the library. */
#include "bgrace.h"

#define ONE_BY_ONE(name, type, CALL)                                                                                   \
    bgr_status name(const bgr_db *db, int points, const int8_t *on_roll, const int8_t *opponent, int64_t n, type *out) \
    {                                                                                                                  \
        bgr_status status = BGR_OK;                                                                                    \
        for (int64_t i = 0; i < n && status == BGR_OK; i++) {                                                          \
            const int8_t *mine = on_roll + i * points, *theirs = opponent + i * points;                                \
            status = CALL;                                                                                             \
        }                                                                                                              \
        return status;                                                                                                 \
    }
ONE_BY_ONE(equities_one_by_one, bgr_equities, bgr_probe_equities(db, points, mine, theirs, out + i))
ONE_BY_ONE(win_probability_one_by_one, double, bgr_probe_win_probability(db, points, mine, theirs, out + i, NULL))
