/* The plays of a roll against men behind, with their notation. */

#include "contact/ways.h"

#include "contact/shots.h"

#include <string.h>

static int is_empty(const int8_t *counts)
{
    int n = 0;
    for (int j = 0; j < BGR_HOME_POINTS; j++)
        n += counts[j];
    return !n;
}

/* Keep a way unless its result is there already. */
static int add_way(bgr_contact_way *ways, int n, const bgr_contact_way *way)
{
    for (int k = 0; k < n; k++)
        if (ways[k].place == way->place && !memcmp(ways[k].counts, way->counts, sizeof way->counts))
            return n;
    ways[n] = *way;
    return n + 1;
}

/* One more die from each of n ways; an empty board stays as it is.  `to` has n_to ways already; their number. */
static int play_one_die(const bgr_contact_way *from, int n, int die, int men, bgr_contact_way *to, int n_to)
{
    for (int k = 0; k < n; k++) {
        const bgr_contact_way *way = &from[k];
        if (is_empty(way->counts))
            n_to = add_way(to, n_to, way);
        int highest = BGR_HOME_POINTS;
        while (highest > 1 && !way->counts[highest - 1])
            highest--;
        for (int source = die < highest ? die : highest; source <= highest; source++) {
            int target = source > die ? source - die : 0;
            int meets = target && target == way->place;
            if (!way->counts[source - 1] || (meets && men > 1))
                continue;
            bgr_contact_way next = *way;
            next.counts[source - 1]--;
            if (target)
                next.counts[target - 1]++;
            if (meets)
                next.place = BGR_BAR;
            next.moves[next.n_moves++] = (bgr_contact_move){(int8_t)source, (int8_t)target, (int8_t)meets};
            n_to = add_way(to, n_to, &next);
        }
    }
    return n_to;
}

/* Whatever was hit on the way, the game is over with the last checker off: one result of all. */
static int join_empty(bgr_contact_way *ways, int n, int place)
{
    int kept = 0, seen = 0;
    for (int k = 0; k < n; k++) {
        if (is_empty(ways[k].counts)) {
            if (seen)
                continue;
            seen = 1;
            ways[k].place = (int8_t)place;
            for (int m = 0; m < ways[k].n_moves; m++)
                ways[k].moves[m].hits = 0;
        }
        ways[kept++] = ways[k];
    }
    return kept;
}

int bgr_contact_ways(const bgr_contact *contact, int larger, int smaller, bgr_contact_way *ways)
{
    bgr_contact_way one[BGR_MAX_CONTACT_WAYS];
    int men = contact->men, n = 1;
    memset(ways, 0, sizeof *ways);
    memcpy(ways->counts, contact->counts, sizeof ways->counts);
    ways->place = (int8_t)contact->place;
    if (larger == smaller) {
        for (int dice = 0; dice < 4; dice++) {
            int n_more = play_one_die(ways, n, larger, men, one, 0);
            if (!n_more)
                break;
            memcpy(ways, one, (size_t)n_more * sizeof *one);
            n = n_more;
        }
        return join_empty(ways, n, contact->place);
    }
    const bgr_contact_way start = *ways;
    int n_one = play_one_die(&start, 1, larger, men, one, 0);
    int n_both = play_one_die(one, n_one, smaller, men, ways, 0);
    n_one = play_one_die(&start, 1, smaller, men, one, 0);
    n_both = play_one_die(one, n_one, larger, men, ways, n_both);
    if (!n_both)
        n_both = play_one_die(&start, 1, larger, men, ways, 0);
    if (!n_both)
        n_both = play_one_die(&start, 1, smaller, men, ways, 0);
    if (!n_both)
        ways[n_both++] = start;
    return join_empty(ways, n_both, contact->place);
}

/* ------------------------------------------------------------------ notation */

/* The way of one checker: its stops, of which only the last and hits are written. */
typedef struct {
    int8_t n_stops;
    bgr_contact_move stops[4];
} route;

static const bgr_contact_move *last_stop(const route *way) { return &way->stops[way->n_stops - 1]; }

/* Highest point first; from one point the longer move of a double first, but the shorter of two different dice. */
static int comes_before(const route *a, const route *b, int is_double)
{
    if (a->stops[0].from != b->stops[0].from)
        return a->stops[0].from > b->stops[0].from;
    int difference = last_stop(a)->to - last_stop(b)->to;
    return is_double ? difference < 0 : difference > 0;
}

/* A checker takes a move that begins where it stands, from the highest point down. */
static int join_moves(const bgr_contact_way *way, route *routes)
{
    int n = 0;
    for (int from = BGR_HOME_POINTS; from > 0; from--)
        for (int m = 0; m < way->n_moves; m++) {
            if (way->moves[m].from != from)
                continue;
            int k = 0;
            while (k < n && last_stop(&routes[k])->to != from)
                k++;
            if (k == n)
                routes[n++] = (route){0};
            routes[k].stops[routes[k].n_stops++] = way->moves[m];
        }
    return n;
}

static char *write_point(char *text, int point)
{
    if (!point) {
        memcpy(text, "off", 3);
        return text + 3;
    }
    *text = (char)('0' + point);
    return text + 1;
}

static char *write_route(char *text, const route *checker)
{
    text = write_point(text, checker->stops[0].from);
    for (int k = 0; k < checker->n_stops; k++) {
        const bgr_contact_move *stop = &checker->stops[k];
        if (!stop->hits && k < checker->n_stops - 1)
            continue;
        *text++ = '/';
        text = write_point(text, stop->to);
        if (stop->hits)
            *text++ = '*';
    }
    return text;
}

void bgr_write_way(const bgr_contact_way *way, int is_double, char *text)
{
    route routes[4];
    int n = join_moves(way, routes);
    for (int k = 1; k < n; k++)
        for (int place = k; place > 0 && comes_before(&routes[place], &routes[place - 1], is_double); place--) {
            route swap = routes[place];
            routes[place] = routes[place - 1];
            routes[place - 1] = swap;
        }
    char *last = text;
    size_t length = 0;
    int n_equal = 0;
    for (int k = 0; k < n; k++) {
        char written[BGR_PLAY_SIZE];
        size_t n_written = (size_t)(write_route(written, &routes[k]) - written);
        n_equal = n_written == length && !memcmp(written, last, length) ? n_equal + 1 : 1;
        if (n_equal > 1) {
            text = last + length;
            *text++ = '(';
            *text++ = (char)('0' + n_equal);
            *text++ = ')';
            continue;
        }
        if (k)
            *text++ = ' ';
        last = text;
        length = n_written;
        memcpy(text, written, length);
        text += length;
    }
    *text = 0;
}
