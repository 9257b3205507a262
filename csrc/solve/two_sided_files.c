/* The output of the two-sided solver.
 *
 * A table in a file is solved in rectangles of some megabytes: while one is solved into one of two buffers, the other
 * is written.  Solved pairs are read again only if stripes of V have to be made again. */

#include "solve/two_sided_files.h"

#include "base/memory.h"
#include "base/threads.h"
#include "solve/two_sided_tiles.h"

/* Set the pairs of a rectangle in which a side has no checkers: lost and won. */
static void set_finished(const pair_solver *s, const bgr_rectangle *pairs)
{
    for (int plane = 0; plane < BGR_N_PLANES; plane++) {
        for (int64_t k = 0; k < pairs->n_ranks && pairs->first_against == 0; k++)
            pairs_at(&s->output.now, pairs->first_rank + k, 0)[plane] =
                bgr_two_sided_lost(s, pairs->first_rank + k, plane);
        for (int64_t k = 0; k < pairs->n_against && pairs->first_rank == 0; k++)
            pairs_at(&s->output.now, 0, pairs->first_against + k)[plane] =
                bgr_two_sided_won(s, pairs->first_against + k, plane);
    }
}

void bgr_two_sided_begin_rectangle(void *of, const bgr_rectangle *pairs)
{
    pair_solver *s = of;
    pair_output *output = &s->output;
    output->filling = !output->filling;
    pair_buffer *empty = &output->buffers[output->filling];
    empty->rectangle = *pairs;
    empty->waits = 1;
    output->now = (pair_target){empty->pairs, pairs->n_against, pairs->first_rank, pairs->first_against};
    set_finished(s, pairs);
}

bgr_status bgr_two_sided_save(void *of, int last)
{
    pair_solver *s = of;
    pair_output *output = &s->output;
    pair_buffer *full = &output->buffers[last ? output->filling : !output->filling];
    if (!full->waits)
        return BGR_OK;
    full->waits = 0;
    return bgr_pair_file_write(s->options->file, &output->crc, s->graph->n, &full->rectangle, full->pairs);
}

/* Allocate two buffers for rectangles. */
static bgr_status prepare_buffers(pair_solver *s)
{
    const bgr_levels *levels = &s->graph->levels;
    int64_t n = s->graph->n, most = s->options->file->pairs_at_once;
    for (int level = 0; level < levels->n_levels; level++) {
        int64_t least = 16 * (levels->start[level + 1] - levels->start[level]);
        most = most > least ? most : least;
    }
    s->output.buffer_bytes = (size_t)(most / n < n ? most : n * n) * BGR_N_PLANES * sizeof(int16_t);
    bgr_crc32_init(&s->output.crc);
    for (int k = 0; k < 2; k++) {
        s->output.buffers[k].pairs = bgr_reserve(s->output.buffer_bytes, BGR_LARGE_PAGES);
        if (!s->output.buffers[k].pairs)
            return BGR_ERR_MEMORY;
    }
    return BGR_OK;
}

bgr_status bgr_two_sided_prepare_target(pair_solver *s)
{
    if (s->options->file)
        return prepare_buffers(s);
    s->output.now = (pair_target){s->output.table, s->graph->n, 0, 0};
    set_finished(s, &(bgr_rectangle){0, s->graph->n, 0, s->graph->n});
    return BGR_OK;
}

void bgr_two_sided_free_target(pair_solver *s)
{
    for (int k = 0; k < 2; k++)
        bgr_unreserve(s->output.buffers[k].pairs, s->output.buffer_bytes);
}

pair_target bgr_two_sided_solved(pair_solver *s, const bgr_rectangle *rectangle, int16_t *pairs)
{
    int64_t width = s->graph->n;
    if (!s->options->file)
        return (pair_target){s->output.table, width, 0, 0};
    if (bgr_pair_file_read(s->options->file, width, rectangle, pairs) != BGR_OK)
        bgr_add(&s->output.n_unread, 1);
    return (pair_target){pairs, rectangle->n_against, rectangle->first_rank, rectangle->first_against};
}
