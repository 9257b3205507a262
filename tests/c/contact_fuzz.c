/* Ask about random positions with contact, most of them impossible: no crash, no impossible answer.
 *
 *     contact_fuzz ROUNDS SEED
 *
 * Prints the numbers of answers and of refusals. */
#include "bgrace_contact.h"
#include "random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int ask_anything(const bgr_risks *risks, long rounds)
{
    static bgr_risk_play plays[3];
    long n_answers = 0, n_refused = 0;
    for (long round = 0; round < rounds; round++) {
        bgr_contact contact = {0};
        int8_t bytes[64];
        int n = 0;
        for (int k = 0; k < 64; k++) {
            int value = (int)(next_random() >> 33);
            bytes[k] = (int8_t)(round % 3 ? value % 3 * (value / 3 % 4 == 0) : value % 256 - 128);
        }
        if (bgr_contact_of(bytes, bytes + 25, &contact) == BGR_OK && (unsigned)contact.kind >= BGR_N_CONTACTS)
            return 4;
        contact.kind = (bgr_contact_kind)(round % 17 ? BGR_CONTACT_KNOWN : bytes[50]);
        if (round % 2) {
            memcpy(contact.counts, bytes + 51, sizeof contact.counts);
            contact.men = bytes[57];
            contact.place = bytes[58];
            contact.other_place = bytes[round % 5 ? 58 : 61];
        }
        bgr_risk risk = {.least = -1};
        bgr_status status = bgr_ask_risk(risks, &contact, &risk);
        if (status == BGR_OK && !(risk.least >= 0 && risk.least <= 1 && risk.shots >= 0 && risk.shots <= 36 &&
                                  (contact.men == 1 || contact.other_place == contact.place)))
            return 5;
        if (status != BGR_OK && risk.least != -1)
            return 6;
        int die1 = bytes[59] % 8, die2 = bytes[60] % 8;
        bgr_status listed = bgr_ask_risk_plays(risks, &contact, die1, die2, 3, plays, &n);
        int is_roll = die1 > 0 && die1 < 7 && die2 > 0 && die2 < 7;
        if (listed != (status == BGR_OK && !is_roll ? BGR_ERR_ROLL : status) || (listed == BGR_OK && n < 1))
            return 7;
        status == BGR_OK ? n_answers++ : n_refused++;
    }
    printf("%ld %ld\n", n_answers, n_refused);
    return 0;
}

int main(int argc, char **argv)
{
    bgr_risks *risks;
    if (argc != 3 || bgr_risks_new(&risks) != BGR_OK)
        return 8;
    state = strtoull(argv[2], NULL, 10);
    int failed = ask_anything(risks, atol(argv[1]));
    bgr_risks_free(risks);
    bgr_risks_free(NULL);
    return failed;
}
