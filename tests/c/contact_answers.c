/* Bearing off against men behind, asked as an engine asks.
 *
 *     contact_answers < QUESTIONS     lines of 25 counts of the player on roll, 25 of the opponent, and two dice
 *     contact_answers ROUNDS SEED     any bytes instead: prints how many were answered and how many refused
 *
 * For each question: the kind of contact, the risk, and each play with what it leaves. */
#include "bgrace_contact.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_risk(const bgr_risk *risk)
{
    printf(" %d %.17g %.17g %.17g %.17g %.17g", risk->shots, risk->least, risk->never_hit, risk->least_on_roll,
           risk->never_hit_on_roll, risk->epc);
}

static int answer(const bgr_risks *risks, const int8_t *sides, int die1, int die2)
{
    static bgr_risk_play plays[BGR_MAX_RISK_PLAYS];
    bgr_contact contact;
    bgr_risk risk;
    int n;
    bgr_status status = bgr_contact_of(sides, sides + 25, &contact);
    if (status != BGR_OK)
        return printf("%d\n", status) < 0;
    printf("0 %d %d %d %d", contact.kind, contact.on_roll, contact.men, contact.place);
    if (bgr_ask_risk(risks, &contact, &risk) != (contact.kind == BGR_CONTACT_KNOWN ? BGR_OK : BGR_ERR_COVERAGE))
        return 1;
    if (contact.kind == BGR_CONTACT_KNOWN) {
        print_risk(&risk);
        if (bgr_ask_risk_plays(risks, &contact, die1, die2, 0, NULL, &n) != BGR_OK || n > BGR_MAX_RISK_PLAYS)
            return 2;
        if (bgr_ask_risk_plays(risks, &contact, die1, die2, BGR_MAX_RISK_PLAYS, plays, &n) != BGR_OK)
            return 3;
        for (int k = 0; k < n; k++) {
            printf(";%s;", plays[k].text);
            print_risk(&plays[k].risk);
        }
    }
    printf("\n");
    return 0;
}

/* Contacts that nobody should ask about, and others. */
static int ask_anything(const bgr_risks *risks, long rounds, uint64_t state)
{
    static bgr_risk_play plays[3];
    long n_answers = 0, n_refused = 0;
    for (long round = 0; round < rounds; round++) {
        bgr_contact contact = {0};
        int8_t bytes[64];
        int n = 0;
        for (int k = 0; k < 64; k++) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            int value = (int)(state >> 33);
            bytes[k] = (int8_t)(round % 3 ? value % 3 * (value / 3 % 4 == 0) : value % 256 - 128);
        }
        if (bgr_contact_of(bytes, bytes + 25, &contact) == BGR_OK && (unsigned)contact.kind >= BGR_N_CONTACTS)
            return 4;
        contact.kind = (bgr_contact_kind)(round % 17 ? BGR_CONTACT_KNOWN : bytes[50]);
        if (round % 2) {
            memcpy(contact.counts, bytes + 51, sizeof contact.counts);
            contact.men = bytes[57];
            contact.place = bytes[58];
        }
        bgr_risk risk = {.least = -1};
        bgr_status status = bgr_ask_risk(risks, &contact, &risk);
        if (status == BGR_OK && !(risk.least >= 0 && risk.least <= 1 && risk.shots >= 0 && risk.shots <= 36))
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
    int8_t sides[50];
    int failed = 0, number, die1, die2;
    if (bgr_risks_new(&risks) != BGR_OK)
        return 8;
    if (argc > 2)
        failed = ask_anything(risks, atol(argv[1]), strtoull(argv[2], NULL, 10));
    while (argc == 1 && !failed && scanf("%d", &number) == 1) {
        sides[0] = (int8_t)number;
        for (int k = 1; k < 50; k++)
            sides[k] = (int8_t)(scanf("%d", &number) == 1 ? number : 0);
        if (scanf("%d %d", &die1, &die2) != 2)
            return 9;
        failed = answer(risks, sides, die1, die2);
    }
    bgr_risks_free(risks);
    bgr_risks_free(NULL);
    return failed;
}
