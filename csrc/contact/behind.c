/* Find the men behind a bearoff. */

#include "contact/shots.h"

#include "base/position.h"

enum { N_PLACES_OF_SIDE = BGR_MAX_POINTS + 1, BAR_OF_SIDE = BGR_MAX_POINTS };

static const char *const refusals[BGR_N_CONTACTS] = {
    "a bearoff against men behind",
    "a race, where nobody can be hit",
    "neither side has all its checkers home",
    "more than two men are behind",
    "the men behind are in different places",
    "the other side has no checkers but those behind, which could not always wait",
};

const char *bgr_contact_text(bgr_contact_kind kind)
{
    return (unsigned)kind < BGR_N_CONTACTS ? refusals[kind] : "no kind of contact";
}

/* Find the men of `other` behind the highest point of the side that bears off; place p of `other` is N_PLACES_OF_SIDE -
 * p of that side. */
static void find_men(const int8_t *other, int n_other, bgr_contact *contact)
{
    int highest = bgr_highest(BGR_HOME_POINTS, contact->counts);
    for (int place = BGR_BAR; place < highest; place++) {
        int n = other[BAR_OF_SIDE - place];
        if (!n)
            continue;
        if (!contact->men)
            contact->place = place;
        contact->other_place = place;
        contact->men += n;
    }
    contact->kind = contact->men > 2                         ? BGR_CONTACT_MANY
                    : contact->place != contact->other_place ? BGR_CONTACT_APART
                    : contact->men == n_other                ? BGR_CONTACT_ALONE
                                                             : BGR_CONTACT_KNOWN;
}

bgr_status bgr_contact_of(const int8_t *on_roll, const int8_t *opponent, bgr_contact *contact)
{
    int n[2] = {bgr_checked_checkers(N_PLACES_OF_SIDE, on_roll), bgr_checked_checkers(N_PLACES_OF_SIDE, opponent)};
    if (n[0] <= 0 || n[1] <= 0)
        return BGR_ERR_POSITION;
    for (int j = 0; j < BGR_MAX_POINTS; j++)
        if (on_roll[j] && opponent[BGR_MAX_POINTS - 1 - j])
            return BGR_ERR_POSITION;
    int mine = bgr_highest(N_PLACES_OF_SIDE, on_roll), theirs = bgr_highest(N_PLACES_OF_SIDE, opponent);
    bgr_contact seen = {.kind = BGR_CONTACT_NOT_HOME, .on_roll = mine <= BGR_HOME_POINTS};
    if (mine + theirs < N_PLACES_OF_SIDE) {
        seen.kind = BGR_CONTACT_RACE;
        seen.on_roll = 0;
    } else if (seen.on_roll || theirs <= BGR_HOME_POINTS) {
        for (int j = 0; j < BGR_HOME_POINTS; j++)
            seen.counts[j] = (seen.on_roll ? on_roll : opponent)[j];
        find_men(seen.on_roll ? opponent : on_roll, n[seen.on_roll], &seen);
    }
    *contact = seen;
    return BGR_OK;
}

bgr_status bgr_check_contact(const bgr_contact *contact)
{
    if (contact->kind != BGR_CONTACT_KNOWN)
        return BGR_ERR_COVERAGE;
    const int8_t *counts = contact->counts;
    if (bgr_checked_checkers(BGR_HOME_POINTS, counts) <= 0)
        return BGR_ERR_POSITION;
    int place = contact->place;
    if (contact->men < 1 || contact->men > 2 || place < BGR_BAR || place >= bgr_highest(BGR_HOME_POINTS, counts) ||
        (place != BGR_BAR && counts[place - 1]) || (contact->men == 2 && contact->other_place != place))
        return BGR_ERR_ARGUMENT;
    return BGR_OK;
}
