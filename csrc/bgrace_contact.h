/* bgrace: bearing off against contact.  The licence is that of bgrace.h.
 *
 *     bgr_risks *risks;
 *     bgr_contact contact;
 *     bgr_risk risk;
 *     status = bgr_risks_new(&risks);
 *     if (status == BGR_OK)
 *         status = bgr_contact_of(on_roll, opponent, &contact);
 *     if (status == BGR_OK)
 *         status = bgr_ask_risk(risks, &contact, &risk);
 *     bgr_risks_free(risks);
 *
 * One side has all its checkers home; the other has one or two *men behind*, checkers that still have to pass some of
 * these and may hit them.  Points are those of the side that bears off; 0 is the bar.  The *risk* is the chance ever to
 * be hit.  `least` assumes that the men behind wait, and hit whenever a roll can; that a man on the bar that does not
 * hit stays there; that the other checkers of their side can always play the rest of a roll; that two men on a point
 * block it; and that the first hit ends the game.  Chances to win are not computed, so nothing here says which play is
 * best: docs/contact-mathematics.md. */
#ifndef BGRACE_CONTACT_H
#define BGRACE_CONTACT_H

#include "bgrace.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* Whether the tables cover a position; if not, why. */
typedef enum bgr_contact_kind {
    BGR_CONTACT_KNOWN = 0,
    BGR_CONTACT_RACE = 1,     /* nobody can be hit: bgr_ask answers */
    BGR_CONTACT_NOT_HOME = 2, /* neither side has all its checkers home */
    BGR_CONTACT_MANY = 3,     /* more than two men behind */
    BGR_CONTACT_APART = 4,    /* two men behind in different places */
    BGR_CONTACT_ALONE = 5,    /* the other side has no checkers but the men behind, so these cannot always wait */
    BGR_N_CONTACTS = 6
} bgr_contact_kind;

/* Return a few words that explain a kind: a static string, never NULL, for any number. */
const char *bgr_contact_text(bgr_contact_kind kind);

typedef struct bgr_contact {
    bgr_contact_kind kind;
    int on_roll;      /* 1 if the side that bears off is on roll, else 0; all members below are 0, too, if there is no
                       * such side */
    int8_t counts[6]; /* of the side that bears off */
    int men;          /* number of men behind */
    int place;        /* of the rearmost man: 0 or a point */
    int other_place;  /* of the foremost man behind: the same unless they are apart */
} bgr_contact;

/* Find out which side bears off, and the men behind.
 * on_roll, opponent: 25 counts each, from their own ace point, the bar last.
 * BGR_ERR_POSITION, also if a side has no checkers left, or both sides have checkers on one point. */
bgr_status bgr_contact_of(const int8_t *on_roll, const int8_t *opponent, bgr_contact *contact);

/* Tables of risks.  Opaque; owned by the caller; read by any number of threads. */
typedef struct bgr_risks bgr_risks;

/* Make the tables: some 0.5 s and 18 MB, and 73 MB more meanwhile.  BGR_ERR_MEMORY, with *risks NULL. */
bgr_status bgr_risks_new(bgr_risks **risks);
void bgr_risks_free(bgr_risks *risks); /* NULL is allowed */

/* The risk against men behind.  never_hit: a lower bound of the chance never to be hit, however a single man behind is
 * played, if it enters from the bar whenever it can; NaN for two men. */
typedef struct bgr_risk {
    int shots;                               /* rolls, out of 36, that hit at once */
    double least, never_hit;                 /* the side of the men behind on roll */
    double least_on_roll, never_hit_on_roll; /* the side that bears off on roll */
    double epc;                              /* expected pip count, as if there were no men behind */
} bgr_risk;

/* Look up a risk.  BGR_ERR_COVERAGE if the kind is not BGR_CONTACT_KNOWN, BGR_ERR_POSITION, BGR_ERR_ARGUMENT if men
 * cannot be in that place. */
bgr_status bgr_ask_risk(const bgr_risks *risks, const bgr_contact *contact, bgr_risk *risk);

#define BGR_MAX_RISK_PLAYS 252 /* no roll has more results */

/* A play of the side that bears off. */
typedef struct bgr_risk_play {
    char text[BGR_PLAY_SIZE]; /* such as "6/3* 4/2(2)", with an asterisk for a hit; empty if nothing can be played */
    int8_t counts[6];         /* left after it */
    int place;                /* of the men behind after it: 0, the bar, if one was hit */
    bgr_risk risk;            /* after it */
} bgr_risk_play;

/* List every distinct result of a roll, the safest first: by 1 - never_hit against one man, by least against two.  The
 * safest play need not be the best.  plays [out] room for `most`; *n [out] the number of results, of which min(*n,
 * most) were written.  The statuses of bgr_ask_risk, and BGR_ERR_ROLL. */
bgr_status bgr_ask_risk_plays(const bgr_risks *risks, const bgr_contact *contact, int die1, int die2, int most,
                              bgr_risk_play *plays, int *n);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
