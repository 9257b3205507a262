/* Questions about the risk of being hit: making all tables, one position, and the plays of a roll. */

#include "base/memory.h"
#include "base/position.h"
#include "base/try.h"
#include "contact/risk.h"
#include "contact/ways.h"
#include "solve/one_sided.h"

#include <math.h>
#include <string.h>

enum { TO_HIT, TO_BEAR_OFF, N_TURNS };

/* Rows of `space.size` numbers: for one man and for two, by place, without BGR_PAST. */
struct bgr_risks {
    bgr_space space;
    double *mean_rolls;
    double *one[2][N_TURNS]; /* by BGR_WAITS or BGR_RUNS */
    double *two[N_TURNS];
};

static bgr_status solve_risks(bgr_risks *risks)
{
    const bgr_one_sided means = {&risks->space, .stop = 1, .n_threads = 1, .mean_rolls = risks->mean_rolls};
    BGR_TRY(bgr_one_sided_means(&means));
    for (int behind = BGR_WAITS; behind <= BGR_RUNS; behind++)
        BGR_TRY(bgr_risk_of_one(&risks->space, (bgr_behind)behind, risks->one[behind][TO_HIT],
                                risks->one[behind][TO_BEAR_OFF]));
    for (int place = BGR_BAR; place < BGR_HOME_POINTS; place++) {
        int64_t row = place * risks->space.size;
        BGR_TRY(bgr_risk_of_two(&risks->space, place, risks->two[TO_HIT] + row, risks->two[TO_BEAR_OFF] + row));
    }
    return BGR_OK;
}

bgr_status bgr_risks_new(bgr_risks **risks)
{
    bgr_risks *fresh = calloc(1, sizeof *fresh);
    *risks = NULL;
    if (!fresh)
        return BGR_ERR_MEMORY;
    bgr_status status = bgr_space_init(BGR_HOME_POINTS, BGR_MAX_CHECKERS, &fresh->space);
    size_t size = (size_t)fresh->space.size;
    double *row = malloc((1 + 2 * N_TURNS * BGR_N_PLACES + N_TURNS * BGR_HOME_POINTS) * size * sizeof *row);
    fresh->mean_rolls = row;
    if (!row) {
        free(fresh);
        return BGR_ERR_MEMORY;
    }
    row += size;
    for (int turn = 0; turn < N_TURNS; turn++) {
        for (int behind = 0; behind < 2; behind++, row += BGR_N_PLACES * size)
            fresh->one[behind][turn] = row;
        fresh->two[turn] = row;
        row += BGR_HOME_POINTS * size;
    }
    if (status == BGR_OK)
        status = solve_risks(fresh);
    BGR_HAND_OVER(status, fresh, risks, bgr_risks_free);
}

void bgr_risks_free(bgr_risks *risks)
{
    if (!risks)
        return;
    BGR_FREE(risks->mean_rolls, risks);
}

static void look_up_risk(const bgr_risks *risks, int64_t index, int place, int men, bgr_risk *risk)
{
    int64_t entry = place * risks->space.size + index;
    int8_t counts[BGR_HOME_POINTS];
    (void)bgr_position(&risks->space, index, counts);
    double *const *least = men == 1 ? risks->one[BGR_WAITS] : risks->two;
    *risk = (bgr_risk){.shots = bgr_shots(counts, place, men),
                       .least = least[TO_HIT][entry],
                       .never_hit = men == 1 ? 1 - risks->one[BGR_RUNS][TO_HIT][entry] : NAN,
                       .least_on_roll = least[TO_BEAR_OFF][entry],
                       .never_hit_on_roll = men == 1 ? 1 - risks->one[BGR_RUNS][TO_BEAR_OFF][entry] : NAN,
                       .epc = BGR_MEAN_PIPS * risks->mean_rolls[index]};
}

bgr_status bgr_ask_risk(const bgr_risks *risks, const bgr_contact *contact, bgr_risk *risk)
{
    int64_t index;
    BGR_TRY(bgr_check_contact(contact));
    BGR_TRY(bgr_index(&risks->space, contact->counts, &index));
    look_up_risk(risks, index, contact->place, contact->men, risk);
    return BGR_OK;
}

/* The risk by which plays are sorted: an upper bound against a single man, the risk with waiting against two. */
static double risk_to_go_by(const bgr_risk *risk) { return isnan(risk->never_hit) ? risk->least : 1 - risk->never_hit; }

/* Rising risk; ties by the risk against waiting men, then nearer to the end, then by the smaller index. */
static int compare_risk_plays(const void *a, const void *b)
{
    const bgr_risk_play *x = a, *y = b;
    const double keys[][2] = {
        {risk_to_go_by(&x->risk), risk_to_go_by(&y->risk)}, {x->risk.least, y->risk.least}, {x->risk.epc, y->risk.epc}};
    for (int k = 0; k < 3; k++)
        if (keys[k][0] < keys[k][1] || keys[k][0] > keys[k][1])
            return keys[k][0] < keys[k][1] ? -1 : 1;
    int order = 0, of_x[BGR_HOME_POINTS], of_y[BGR_HOME_POINTS];
    bgr_suffix_sums(BGR_HOME_POINTS, x->counts, of_x);
    bgr_suffix_sums(BGR_HOME_POINTS, y->counts, of_y);
    for (int j = 0; !order && j < BGR_HOME_POINTS; j++) /* the order of indices */
        order = of_x[j] - of_y[j];
    return order ? order : x->place - y->place;
}

bgr_status bgr_ask_risk_plays(const bgr_risks *risks, const bgr_contact *contact, int die1, int die2, int most,
                              bgr_risk_play *plays, int *n)
{
    bgr_contact_way ways[BGR_MAX_CONTACT_WAYS];
    bgr_risk_play ranked[BGR_MAX_CONTACT_WAYS];
    BGR_TRY(bgr_check_contact(contact));
    if (die1 < 1 || die1 > 6 || die2 < 1 || die2 > 6)
        return BGR_ERR_ROLL;
    int n_ways = bgr_contact_ways(contact, die1 > die2 ? die1 : die2, die1 > die2 ? die2 : die1, ways);
    for (int k = 0; k < n_ways; k++) {
        bgr_risk_play *play = &ranked[k];
        int64_t index = 0;
        memset(play, 0, sizeof *play);
        memcpy(play->counts, ways[k].counts, sizeof play->counts);
        play->place = ways[k].place;
        bgr_write_way(&ways[k], die1 == die2, play->text);
        (void)bgr_index(&risks->space, play->counts, &index);
        look_up_risk(risks, index, play->place, contact->men, &play->risk);
    }
    qsort(ranked, (size_t)n_ways, sizeof *ranked, compare_risk_plays);
    if (most > 0)
        memcpy(plays, ranked, (size_t)(n_ways < most ? n_ways : most) * sizeof *ranked);
    *n = n_ways;
    return BGR_OK;
}
