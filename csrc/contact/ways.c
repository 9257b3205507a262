/* The plays of a roll against men behind, with their notation. */

#include "contact/ways.h"

#include "base/play_text.h"
#include "contact/shots.h"

#include <string.h>

/* Add a way unless its result is listed already. */
static int add_way(bgr_contact_way *ways, int n, const bgr_contact_way *way)
{
    for (int k = 0; k < n; k++)
        if (ways[k].place == way->place && !memcmp(ways[k].counts, way->counts, sizeof way->counts))
            return n;
    ways[n] = *way;
    return n + 1;
}

/* Play one more die from each of n ways; an empty board stays.  `to` has n_to ways already; returns the new number. */
static int play_one_die(const bgr_contact_way *from, int n, int die, int men, bgr_contact_way *to, int n_to)
{
    for (int k = 0; k < n; k++) {
        const bgr_contact_way *way = &from[k];
        int highest = bgr_highest(BGR_HOME_POINTS, way->counts);
        if (!highest)
            n_to = add_way(to, n_to, way);
        for (int source = die < highest ? die : highest; source && source <= highest; source++) {
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

/* Merge the ways that end with an empty board into one: the game is over, regardless of hits. */
static int join_empty(bgr_contact_way *ways, int n, int place)
{
    int kept = 0, seen = 0;
    for (int k = 0; k < n; k++) {
        if (!bgr_n_checkers(BGR_HOME_POINTS, ways[k].counts)) {
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
    if (!n_both) /* then one die can be played: not all points are blocked */
        n_both = play_one_die(&start, 1, larger, men, ways, 0);
    if (!n_both)
        n_both = play_one_die(&start, 1, smaller, men, ways, 0);
    return join_empty(ways, n_both, contact->place);
}

/* ------------------------------------------------------------------ notation */

/* The route of one checker; only hits and the last stop are written. */
typedef struct {
    int8_t n_stops;
    bgr_contact_move stops[4];
} route;

static const bgr_contact_move *last_stop(const route *way) { return &way->stops[way->n_stops - 1]; }

/* Join moves to routes, from the highest point down: a move continues the route that ends at its start. */
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

static void write_route(char *text, const route *checker)
{
    text = bgr_write_point(text, checker->stops[0].from);
    for (int k = 0; k < checker->n_stops; k++) {
        const bgr_contact_move *stop = &checker->stops[k];
        if (!stop->hits && k < checker->n_stops - 1)
            continue;
        *text++ = '/';
        text = bgr_write_point(text, stop->to);
        if (stop->hits)
            *text++ = '*';
    }
    *text = 0;
}

void bgr_write_way(const bgr_contact_way *way, int is_double, char *text)
{
    route routes[4];
    bgr_written_move moves[4];
    int n = join_moves(way, routes);
    for (int k = 0; k < n; k++) {
        moves[k].from = routes[k].stops[0].from;
        moves[k].to = last_stop(&routes[k])->to;
        write_route(moves[k].text, &routes[k]);
    }
    bgr_write_moves(moves, n, is_double, text);
}
