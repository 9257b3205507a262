"""Men behind a bearoff: where they are, and the least chance of ever being hit."""

from libc.math cimport isnan
from libc.stdint cimport int8_t

from bgrace._kernels.cbgrace cimport *
from bgrace._kernels.positions cimport check

KNOWN, RACE, MANY, APART = BGR_CONTACT_KNOWN, BGR_CONTACT_RACE, BGR_CONTACT_MANY, BGR_CONTACT_APART


def contact_of(on_roll not None: Sequence[int], opponent not None: Sequence[int]) -> ContactFound:
    """Kind of contact, its text, whether the side that bears off is on roll, its six counts, number of men behind, and
    places of the man farthest behind and of the one least far behind.  Both sides are 25 counts."""
    cdef int8_t[25] mine = on_roll, theirs = opponent
    cdef bgr_contact contact
    check(bgr_contact_of(mine, theirs, &contact), "the board")
    return (contact.kind, bgr_contact_text(contact.kind).decode(), bool(contact.on_roll),
            tuple([contact.counts[j] for j in range(6)]), contact.men, contact.place, contact.other_place)


cdef bgr_contact contact_from(counts, int place, int men) except *:
    """Make a contact of home counts with the side that bears off on roll, and all men behind on one place."""
    cdef bgr_contact contact
    contact.kind = BGR_CONTACT_KNOWN
    contact.on_roll = 1
    contact.men = men
    contact.place = contact.other_place = place
    contact.counts = counts
    return contact


cdef tuple numbers_of(const bgr_risk *risk):
    never = None if isnan(risk.never_hit) else risk.never_hit
    never_on_roll = None if isnan(risk.never_hit_on_roll) else risk.never_hit_on_roll
    return risk.shots, risk.least, never, risk.least_on_roll, never_on_roll, risk.epc


cdef class Risks:
    """Tables of risk for every place and number of men behind; any number of threads may use them."""

    cdef bgr_risks *tables

    def __cinit__(self) -> None:
        with nogil:
            status = bgr_risks_new(&self.tables)
        check(status, "tables of risk")

    def __dealloc__(self):
        bgr_risks_free(self.tables)

    def of(self, counts not None: Sequence[int], int place, int men) -> RiskNumbers:
        """The risk of a position: shots, least, never_hit, least_on_roll, never_hit_on_roll, EPC."""
        cdef bgr_contact contact = contact_from(counts, place, men)
        cdef bgr_risk risk
        check(bgr_ask_risk(self.tables, &contact, &risk), f"{counts}, {men} men on place {place}")
        return numbers_of(&risk)

    def plays(self, counts not None: Sequence[int], int place, int men, int die1, int die2) -> list[RiskPlay]:
        """Text, counts, the men's place afterwards, and the risk of every play, in rising order of risk."""
        cdef bgr_contact contact = contact_from(counts, place, men)
        cdef bgr_risk_play plays[BGR_MAX_RISK_PLAYS]
        cdef int n, k
        check(bgr_ask_risk_plays(self.tables, &contact, die1, die2, BGR_MAX_RISK_PLAYS, plays, &n),
              f"{counts}, {men} men on place {place}, roll {die1}, {die2}")
        return [(plays[k].text.decode(), tuple([plays[k].counts[j] for j in range(6)]), plays[k].place,
                 numbers_of(&plays[k].risk)) for k in range(n)]
