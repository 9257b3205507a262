#include "answer/int16_tables.h"

#include "solve/two_sided.h"

#include <stdlib.h>

bgr_status bgr_int16_tables(const bgr_graph *a, const bgr_graph *b, int scale, int gammons, unsigned single_planes,
                            const bgr_pairs_work *work, int16_t **table)
{
    const bgr_two_sided_options options = {.scale = scale,
                                           .gammon_checkers = gammons ? BGR_MAX_CHECKERS : 0,
                                           .single_planes = single_planes,
                                           .parallel = work->parallel,
                                           .progress = work->progress,
                                           .context = work->context};
    size_t n_bytes = (size_t)bgr_graph_size(a) * (size_t)bgr_graph_size(b ? b : a) * BGR_N_PLANES * sizeof **table;
    for (int k = 0; k < (b ? 2 : 1); k++)
        if (!(table[k] = malloc(n_bytes)))
            return BGR_ERR_MEMORY;
    return bgr_two_sided(a, b, &options, table[0], table[1]);
}
