/* The questions of a page: numbers and arrays in, numbers and arrays out.  bgrace/embed/js/engine.js is the one that
 * calls this; nothing else should.  Memory comes from malloc and goes back with free, which are exported too. Positions
 * are BGR_MAX_POINTS int8_t counts.  A status is that of bgrace.h. */

#if defined(__wasm__)

#include "answer/answer.h"
#include "answer/counts.h"
#include "base/plays.h"
#include "bgrace_contact.h"
#include "bgrace_prove.h"
#include "bgrace_why.h"
#include "turns/question.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

void *EXPORT(page_malloc)(size_t n) { return malloc(n); }
void EXPORT(page_free)(void *memory) { free(memory); }
const char *EXPORT(page_version)(void) { return BGR_VERSION; }
const char *EXPORT(page_strerror)(int status) { return bgr_strerror((bgr_status)status); }

/* -1: not a position. */
double EXPORT(page_index)(int points, int checkers, const int8_t *counts)
{
    bgr_space space;
    int64_t index;
    if (bgr_space_init(points, checkers, &space) != BGR_OK || bgr_index(&space, counts, &index) != BGR_OK)
        return -1;
    return (double)index;
}

/* The tables stay the caller's, and must stay as long as the stakes.  NULL without memory. */
bgr_stakes *EXPORT(page_stakes)(int match, int gammons, int jacoby, int beavers, int on_roll_needs, int opponent_needs,
                                int crawford, int cube_value, int met_length, int post_length, const double *before,
                                const double *after)
{
    bgr_stakes *stakes = malloc(sizeof *stakes);
    if (stakes)
        *stakes = (bgr_stakes){
            sizeof *stakes,         match,      gammons,     jacoby, beavers, on_roll_needs, opponent_needs, crawford,
            match ? cube_value : 0, met_length, post_length, before, after};
    return stakes;
}

int EXPORT(page_solver_new)(bgr_solver **solver) { return bgr_solver_begin(solver); }
int EXPORT(page_cache_new)(bgr_cache **cache) { return bgr_cache_new(cache); }

int EXPORT(page_prepare)(bgr_solver *solver, const bgr_stakes *stakes, int checkers)
{
    return bgr_solver_prepare(solver, stakes, checkers);
}

/* ------------------------------------------------------------------ a pair */

/* The page hears how much is done, 0 to 1, and stops the work with anything but 0. */
__attribute__((import_module("page"), import_name("progress"))) int page_progress(double done);

static int tell(void *context, double done)
{
    (void)context;
    return page_progress(done);
}

int EXPORT(page_ask)(const bgr_solver *solver, bgr_cache *cache, const int8_t *on_roll, const int8_t *opponent,
                     const bgr_stakes *stakes, double seconds, double memory_bytes, int die1, int die2, int rolls,
                     int way, const bgr_db *database, bgr_answer **answer)
{
    const bgr_solve_options options = {.size = sizeof options,
                                       .seconds = seconds,
                                       .memory_bytes = (int64_t)memory_bytes,
                                       .dice = {die1, die2},
                                       .rolls = rolls,
                                       .database = database,
                                       .progress = tell,
                                       .way = (bgr_way)way,
                                       .cache = cache};
    return bgr_ask(solver, BGR_MAX_POINTS, on_roll, opponent, stakes, &options, answer);
}

int EXPORT(page_follow)(const bgr_answer *answer, const int8_t *on_roll, const int8_t *opponent, int swapped,
                        bgr_answer **followed)
{
    return bgr_answer_follow(answer, BGR_MAX_POINTS, on_roll, opponent, swapped, followed);
}

/* The proof of a verdict.  out [out] 16: how, the budget that it took, and bounds of the chances to win, to win a
 * gammon and to lose one, of rolling, of a double that is taken and of the value; the verdict, and whether it is
 * proved. */
int EXPORT(page_prove)(bgr_cache *cache, const int8_t *on_roll, const int8_t *opponent, const bgr_stakes *stakes,
                       double seconds, double memory_bytes, int cube, double *out)
{
    const bgr_solve_options options = {
        .size = sizeof options, .seconds = seconds, .memory_bytes = (int64_t)memory_bytes, .cache = cache};
    bgr_proof *proof;
    bgr_proof_info info = {.size = sizeof info};
    bgr_chance_bounds c;
    bgr_cube_bounds b;
    bgr_status status = bgr_prove_verdict(BGR_MAX_POINTS, on_roll, opponent, stakes, &options, (bgr_cube)cube, &proof);
    if (status != BGR_OK)
        return status;
    bgr_proof_describe(proof, &info);
    status = bgr_proof_chances(proof, &c);
    if (status == BGR_OK)
        status = bgr_proof_cube(proof, (bgr_cube)cube, &b);
    bgr_proof_free(proof);
    if (status != BGR_OK)
        return status;
    const bgr_interval bounds[] = {c.win, c.win_gammon, c.lose_gammon, b.no_double, b.double_take, b.value};
    out[0] = info.method;
    out[1] = info.seconds;
    memcpy(out + 2, bounds, sizeof bounds);
    out[14] = b.verdict;
    out[15] = b.proved;
    return BGR_OK;
}

void EXPORT(page_answer_free)(bgr_answer *answer) { bgr_answer_free(answer); }

/* out [out] 8: way, whether exact, error, and the chances to win, to win a gammon and a backgammon, to lose them. */
void EXPORT(page_answer)(const bgr_answer *answer, double *out)
{
    bgr_answer_info info = {.size = sizeof info};
    bgr_chances c;
    bgr_answer_describe(answer, &info);
    bgr_answer_chances(answer, &c);
    const double numbers[] = {info.way,     info.exact,       info.error,    c.win,
                              c.win_gammon, c.win_backgammon, c.lose_gammon, c.lose_backgammon};
    memcpy(out, numbers, sizeof numbers);
}

/* out [out] 12: no double, double/take, double/pass and the value with the right to double, the same four normalised,
 * whether to double, to take and to beaver, and the verdict; what there is not is NaN. */
int EXPORT(page_cube)(const bgr_answer *answer, int cube, double *out)
{
    bgr_cube_values v;
    bgr_status status = bgr_answer_cube(answer, (bgr_cube)cube, &v);
    if (status != BGR_OK)
        return status;
    const double values[] = {v.no_double, v.double_take, v.double_pass, v.value};
    const double rest[] = {v.doubles, v.takes, v.beavers, v.verdict};
    for (int k = 0; k < 4; k++) {
        out[k] = values[k];
        out[4 + k] = bgr_answer_normalised(answer, values[k]);
        out[8 + k] = rest[k];
    }
    return BGR_OK;
}

/* How many phrases; of each where its key stands, how many values it has, and of each where its name stands, and the
 * value. */
static double *tell_phrases(const bgr_phrase *phrases, int n, double *out)
{
    *out++ = n;
    for (int k = 0; k < BGR_MAX_PHRASES; k++) {
        const bgr_phrase *phrase = &phrases[k];
        *out++ = (double)(uintptr_t)phrase->key;
        *out++ = phrase->n;
        for (int i = 0; i < BGR_MAX_PHRASE_VALUES; i++) {
            *out++ = (double)(uintptr_t)phrase->name[i];
            *out++ = phrase->value[i];
        }
    }
    return out;
}

/* Of one decision: margin, terms, of_chance, chance, needed, pips, which term decides, and its phrases. */
static double *tell_reason(const bgr_reason *reason, double *out)
{
    *out++ = reason->margin;
    for (int k = 0; k < BGR_N_TERMS; k++)
        *out++ = reason->term[k];
    const double rest[] = {reason->of_chance, reason->chance, reason->needed, reason->pips, reason->decides};
    memcpy(out, rest, sizeof rest);
    return tell_phrases(reason->phrase, reason->n_phrases, out + 5);
}

/* The difference of a play from a better one.  out [out] 135: checkers, pips, EPC, misses, chances to win, to win and
 * to lose a gammon, of both, and phrases. */
int EXPORT(page_play_reason)(const bgr_solver *solver, bgr_cache *cache, const bgr_answer *answer, const int8_t *better,
                             const int8_t *other, double *out)
{
    bgr_play_reason r = {.size = sizeof r};
    bgr_status status = bgr_answer_play_reason(solver, cache, answer, BGR_MAX_POINTS, better, other, &r);
    if (status != BGR_OK)
        return status;
    for (int k = 0; k < 2; k++) {
        const bgr_chances *c = &r.chances[k];
        const double of[] = {r.checkers[k], r.pips[k], r.epc[k], r.misses[k], c->win, c->win_gammon, c->lose_gammon};
        for (int i = 0; i < 7; i++)
            out[2 * i + k] = of[i];
    }
    tell_phrases(r.phrase, r.n_phrases, out + 14);
    return BGR_OK;
}

const char *EXPORT(page_term_name)(int term) { return bgr_term_name(term); }

/* out [out] 288: may_double, market_losers, pips, EPC, waste and usual waste of both, and both decisions. */
int EXPORT(page_reasons)(const bgr_solver *solver, bgr_cache *cache, const bgr_answer *answer, int cube, double *out)
{
    bgr_reasons r = {.size = sizeof r};
    bgr_status status = bgr_answer_reasons(solver, cache, answer, (bgr_cube)cube, &r);
    if (status != BGR_OK)
        return status;
    const double both[] = {r.may_double, r.market_losers, r.pips[0],  r.pips[1],        r.epc[0],
                           r.epc[1],     r.waste[0],      r.waste[1], r.usual_waste[0], r.usual_waste[1]};
    memcpy(out, both, sizeof both);
    tell_reason(&r.take, tell_reason(&r.twice, out + 10));
    return BGR_OK;
}

/* In points per unit of the cube; where the match equity table does not tell winning from losing, the chances
 * themselves still rank the plays. */
static double rank_value(const bgr_answer *answer, double value)
{
    const bgr_planes *planes = bgr_answer_planes(answer);
    double equity = bgr_answer_normalised(answer, value);
    return equity == equity ? equity : (2 * value - planes->won - planes->lost) / 2;
}

/* Every play of a roll, best first.  counts [out] *n x BGR_MAX_POINTS; values [out] *n x 2: its value, and what it is
 * ranked by; room for BGR_MAX_PLAYS. */
int EXPORT(page_plays)(const bgr_answer *answer, int die1, int die2, int cube, int8_t *counts, double *values, int *n)
{
    bgr_ranked_play *plays = malloc(BGR_MAX_PLAYS * sizeof *plays);
    bgr_status status =
        plays ? bgr_answer_plays(answer, die1, die2, (bgr_cube)cube, BGR_MAX_PLAYS, plays, n) : BGR_ERR_MEMORY;
    for (int k = 0; status == BGR_OK && k < *n; k++) {
        memcpy(counts + k * BGR_MAX_POINTS, plays[k].counts, BGR_MAX_POINTS);
        values[2 * k] = plays[k].value;
        values[2 * k + 1] = rank_value(answer, plays[k].value);
    }
    free(plays);
    return status;
}

int EXPORT(page_max_plays)(void) { return BGR_MAX_PLAYS; }

/* One side by itself.  out [out] 3 + BGR_MAX_WIDTH: mean, variance, the most rolls, and the chances of 0, 1, ... */
int EXPORT(page_side)(const bgr_solver *solver, bgr_cache *cache, const int8_t *counts, double *out)
{
    bgr_side side = {.size = sizeof side};
    bgr_status status = bgr_ask_side(solver, cache, BGR_MAX_POINTS, counts, &side);
    out[0] = side.mean_rolls;
    out[1] = side.variance_rolls;
    out[2] = side.n_rolls;
    if (status == BGR_OK)
        memcpy(out + 3, side.distribution, sizeof side.distribution);
    return status;
}

/* ------------------------------------------------------------------ players' counts */

int EXPORT(page_n_counts)(void) { return BGR_N_COUNTS; }
const char *EXPORT(page_count_name)(int count) { return bgr_count_name(count); }
const char *EXPORT(page_count_problem)(int count) { return bgr_count_problem(count); }
const char *EXPORT(page_culprit_name)(int term) { return bgr_culprit_name(term); }

/* truth: the numbers of a bgr_count_truth; out [out] 43 a count: those of a bgr_judged_count. */
void EXPORT(page_counts)(const int8_t *on_roll, const int8_t *opponent, const double *truth, double *out)
{
    _Static_assert(sizeof(bgr_judged_count) == 43 * sizeof *out, "as the page reads it");
    bgr_judge_counts(on_roll, opponent, (const bgr_count_truth *)truth, (bgr_judged_count *)out);
}

/* ------------------------------------------------------------------ men behind */

int EXPORT(page_risks_new)(bgr_risks **risks) { return bgr_risks_new(risks); }
const char *EXPORT(page_contact_text)(int kind) { return bgr_contact_text((bgr_contact_kind)kind); }

/* out [out] 6: shots, least, never_hit, least_on_roll, never_hit_on_roll, epc. */
static void tell_risk(const bgr_risk *risk, double *out)
{
    const double numbers[] = {risk->shots, risk->least, risk->never_hit, risk->least_on_roll, risk->never_hit_on_roll,
                              risk->epc};
    memcpy(out, numbers, sizeof numbers);
}

/* on_roll, opponent: 25 counts.  contact [out] 11: kind, on_roll, the six counts, men, place, other_place.  risk [out]
 * 6, if the kind is BGR_CONTACT_KNOWN. */
int EXPORT(page_risk)(const bgr_risks *risks, const int8_t *on_roll, const int8_t *opponent, int8_t *contact,
                      double *risk)
{
    bgr_contact seen;
    bgr_risk numbers;
    bgr_status status = bgr_contact_of(on_roll, opponent, &seen);
    if (status != BGR_OK)
        return status;
    contact[0] = (int8_t)seen.kind;
    contact[1] = (int8_t)seen.on_roll;
    memcpy(contact + 2, seen.counts, sizeof seen.counts);
    contact[8] = (int8_t)seen.men;
    contact[9] = (int8_t)seen.place;
    contact[10] = (int8_t)seen.other_place;
    if (seen.kind != BGR_CONTACT_KNOWN)
        return BGR_OK;
    status = bgr_ask_risk(risks, &seen, &numbers);
    if (status == BGR_OK)
        tell_risk(&numbers, risk);
    return status;
}

/* The plays of a roll.  counts, men, place: of the contact.  plays [out] *n x 46: notation and six counts; risks_after
 * [out] *n x 6; room for BGR_MAX_RISK_PLAYS. */
int EXPORT(page_risk_plays)(const bgr_risks *risks, const int8_t *counts, int men, int place, int die1, int die2,
                            char *plays, double *risks_after, int *n)
{
    bgr_risk_play *ranked = malloc(BGR_MAX_RISK_PLAYS * sizeof *ranked);
    bgr_contact contact = {.men = men, .place = place, .other_place = place};
    memcpy(contact.counts, counts, sizeof contact.counts);
    bgr_status status =
        ranked ? bgr_ask_risk_plays(risks, &contact, die1, die2, BGR_MAX_RISK_PLAYS, ranked, n) : BGR_ERR_MEMORY;
    for (int k = 0; status == BGR_OK && k < *n; k++) {
        memcpy(plays, ranked[k].text, BGR_PLAY_SIZE);
        memcpy(plays + BGR_PLAY_SIZE, ranked[k].counts, sizeof ranked[k].counts);
        plays += BGR_PLAY_SIZE + sizeof ranked[k].counts;
        tell_risk(&ranked[k].risk, risks_after + 6 * k);
    }
    free(ranked);
    return status;
}

/* ------------------------------------------------------------------ databases */

int EXPORT(page_open)(const void *bytes, size_t size, bgr_db **db) { return bgr_open_memory(bytes, size, db); }

/* The page copies ranges that it has, and notes the others: anything but 0. */
__attribute__((import_module("page"), import_name("read"))) int page_read(const bgr_range *ranges, int n);

static int read_ranges(void *context, const bgr_range *ranges, int n)
{
    (void)context;
    return page_read(ranges, n);
}

/* A file of which the page has ranges. */
int EXPORT(page_open_ranges)(double file_size, bgr_db **db)
{
    const bgr_reader reader = {sizeof reader, (uint64_t)file_size, read_ranges, NULL, 4 << 20};
    return bgr_open_reader(&reader, db);
}

void EXPORT(page_close)(bgr_db *db) { bgr_close(db); }

/* out [out] 6: points, checkers, two_sided_checkers, gammons, n_rolls, file_size. */
int EXPORT(page_info)(const bgr_db *db, double *out)
{
    bgr_info i = {.size = sizeof i};
    bgr_status status = bgr_file_info(db, 0, &i);
    const double numbers[] = {i.points, i.checkers, i.two_sided_checkers, i.gammons, i.n_rolls, (double)i.file_size};
    if (status == BGR_OK)
        memcpy(out, numbers, sizeof numbers);
    return status;
}

int EXPORT(page_epc)(const bgr_db *db, int points, const int8_t *counts, double *epc)
{
    return bgr_probe_epc(db, points, counts, epc);
}

int EXPORT(page_rolls)(const bgr_db *db, int points, const int8_t *counts, double *out)
{
    return bgr_probe_rolls(db, points, counts, out, out + 1);
}

int EXPORT(page_roll_distribution)(const bgr_db *db, int points, const int8_t *counts, int width, double *out)
{
    return bgr_probe_roll_distribution(db, points, counts, width, out);
}

int EXPORT(page_win_probability)(const bgr_db *db, int points, const int8_t *on_roll, const int8_t *opponent,
                                 double *win, int *method)
{
    bgr_method how = BGR_TWO_SIDED;
    bgr_status status = bgr_probe_win_probability(db, points, on_roll, opponent, win, &how);
    *method = (int)how;
    return status;
}

/* out [out] 8, in the order of bgr_equities. */
int EXPORT(page_equities)(const bgr_db *db, int points, const int8_t *on_roll, const int8_t *opponent, double *out)
{
    return bgr_probe_equities(db, points, on_roll, opponent, (bgr_equities *)out);
}

#else
typedef int bgr_no_page_asks; /* a file of C has to have something in it */
#endif
