/* Find the pairs of few checkers that are known for a question: in a table of the solver, a kept table, or a new table;
 * or in a database. */

#include "turns/known_pairs.h"

#include "base/try.h"
#include "probe/tables.h"

#include <math.h>

static int use_table(bgr_known_pairs *known, bgr_pairs_options *pairs, const bgr_pair_table *table, int checkers)
{
    if (!bgr_pair_table_find(table, pairs->planes, &known->lookup))
        return 0;
    pairs->boundary = (bgr_boundary){bgr_pair_table_values, &known->lookup, checkers, 0};
    return 1;
}

/* Use a kept table that has the same values. */
static int use_kept(bgr_known_pairs *known, bgr_pairs_options *pairs, int checkers)
{
    if (!known->kept)
        return 0;
    bgr_lock_take(known->kept->lock);
    for (int k = 0; k < BGR_KEPT_TABLES && !known->own_table; k++) {
        bgr_pair_table *table = known->kept->table[k];
        if (table && bgr_pair_table_checkers(table) >= checkers && bgr_pair_table_is_of(table, pairs->planes))
            known->own_table = bgr_pair_table_hold(table);
    }
    bgr_lock_release(known->kept->lock);
    return known->own_table && use_table(known, pairs, known->own_table, checkers);
}

/* Keep a table in place of the oldest one. */
static void keep_table(bgr_kept_tables *kept, bgr_pair_table *table)
{
    bgr_lock_take(kept->lock);
    bgr_pair_table **slot = &kept->table[kept->oldest], *before = *slot;
    kept->oldest = (kept->oldest + 1) % BGR_KEPT_TABLES;
    *slot = bgr_pair_table_hold(table);
    bgr_lock_release(kept->lock);
    bgr_pair_table_free(before);
}

static void use_file(bgr_known_pairs *known, bgr_pairs_options *pairs, int checkers)
{
    pairs->boundary = (bgr_boundary){bgr_stored_values, &known->stored, checkers, bgr_stored_work(&known->stored)};
}

void bgr_find_table(bgr_question *q)
{
    bgr_known_pairs *known = &q->known;
    bgr_pairs_options *pairs = &q->pairs;
    int in_file = bgr_stored_find(&known->stored, pairs->planes);
    int at_once = known->stored.in_place ? in_file : 0;
    for (int64_t k = 0; k < q->solver->n_tables; k++)
        if (bgr_pair_table_checkers(q->solver->tables[k]) >= at_once &&
            use_table(known, pairs, q->solver->tables[k], bgr_pair_table_checkers(q->solver->tables[k])))
            return;
    if (at_once)
        use_file(known, pairs, in_file);
}

/* Look pairs up in a file, which is slow, if there are few. */
static bgr_status try_file(bgr_question *q)
{
    const bgr_boundary none = q->pairs.boundary;
    int in_file = bgr_stored_find(&q->known.stored, q->pairs.planes);
    int64_t before = q->size.operations;
    if (!in_file || none.checkers || q->known.stored.tables->file.ranges)
        return BGR_OK;
    use_file(&q->known, &q->pairs, in_file);
    bgr_status status = bgr_pairs_measure(q->reach[0], q->reach[1], &q->pairs, &q->size);
    if (status == BGR_OK && q->size.operations <= before)
        return BGR_OK;
    q->pairs.boundary = none;
    return status == BGR_OK ? bgr_pairs_measure(q->reach[0], q->reach[1], &q->pairs, &q->size) : status;
}

static int tell(void *context, int level, int64_t done, int64_t total)
{
    const bgr_solve_options *options = context;
    (void)level, (void)done, (void)total;
    return options->progress && options->progress(options->progress_context, 0);
}

bgr_status bgr_make_table(bgr_question *q)
{
    const bgr_work alone = {NULL, tell, &q->asked.options};
    bgr_known_pairs *known = &q->known;
    bgr_pairs_options *pairs = &q->pairs;
    /* Row operations that are spent on a table even for a small race: a share of the budget. */
    double few =
        fmin((double)tuned_few_operations, tuned_share_of_table * q->asked.options.seconds * tuned_operations_a_second);
    int64_t bytes, operations, spent_anyway = isinf(q->chosen.delta) ? 0 : (int64_t)few;
    BGR_TRY(try_file(q));
    for (int checkers = BGR_TABLE_CHECKERS; checkers >= TUNED_FEWEST_IN_TABLE && !pairs->boundary.checkers;
         checkers--) {
        bgr_pair_table_measure(pairs->planes, checkers, &bytes, &operations);
        if ((operations > q->size.operations / 6 && operations > spent_anyway) ||
            2 * bytes > q->asked.options.memory_bytes / 2)
            continue;
        if (use_kept(known, pairs, checkers))
            return BGR_OK;
        BGR_TRY(bgr_pair_table_new(pairs->planes, checkers, &alone, &known->own_table));
        use_table(known, pairs, known->own_table, checkers);
        if (known->kept && bytes <= tuned_most_kept)
            keep_table(known->kept, known->own_table);
    }
    return BGR_OK;
}
