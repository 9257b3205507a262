/* Stakes as planes.
 *
 * Money is one list: the chance to win, cubeless play, my cube, a centered cube and the opponent's; doubling leads to
 * the plane of twice the stake.
 *
 * A match: a cube state is a value c and an owner: (1, nobody), or (c, a player) for c = 2, 4, 8, ...  The owner of the
 * cube, or either side if it is centered, may turn it to 2c and hand it over, unless c already wins that side the
 * match: then the cube is dead for it.  From (1, nobody) two chains of states start, one for each first doubler, and
 * each ends where the owner's cube is dead.  With R(k) the chance of winning the match after winning the game by k
 * points, for the player on roll
 *
 *     N[c, owner] = mean over the rolls of the best play: R(c) or R(2c) if it ends the game, else 1 - E of the opponent
 *
 *     E[c, owner] = N, or max(N, min(N[2c, other], R(c))) for a player who may turn the cube
 *
 * Zadeh, "On doubling in tournament backgammon", Management Science 23 (1977), has the same rules of the cube, but no
 * positions.  Every plane is in normalised equities of its own cube, and a double leads to a plane on another scale.
 * Without gammons all dead cubes are then the same plane, 2W - 1, W the chance to win the game; and the planes of a
 * score are those of the score with the sides exchanged. */

#include "base/stakes.h"

#include "base/position.h"
#include "base/sized.h"
#include "base/try.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CUBE = 1 << 20, MAX_MATCH = 256 };

int bgr_loss_of(const int8_t *counts)
{
    if (bgr_n_checkers(BGR_MAX_POINTS, counts) < BGR_MAX_CHECKERS)
        return BGR_LOST_SINGLE;
    return bgr_n_checkers(BGR_HOME_POINTS, counts + BGR_OTHER_HOME - 1) ? BGR_LOST_BACKGAMMON : BGR_LOST_GAMMON;
}

/* ------------------------------------------------------------------ money */

static void set_money(const bgr_stakes *stakes, int worst_loss, bgr_planes *planes)
{
    enum { MINE = 2, CENTERED, THEIRS };
    double points[BGR_N_LOSSES] = {1, worst_loss == BGR_LOST_SINGLE ? 1 : 2, 1 + worst_loss};
    double beaver = stakes->beavers ? 4 : 2;
    planes->n = THEIRS + 1;
    planes->won = 1;
    planes->lost = -1;
    for (int side = 0; side < 2; side++)
        for (int loss = 0; loss < BGR_N_LOSSES; loss++)
            planes->pays[side][loss] = loss + 1;
    for (int k = 0; k < planes->n; k++) {
        bgr_plane *plane = &planes->plane[k];
        int once = k == BGR_PLANE_WIN || (k == CENTERED && stakes->jacoby);
        for (int side = 0; side < 2; side++) {
            int may = k == CENTERED || k == (side ? THEIRS : MINE);
            for (int loss = 0; loss < BGR_N_LOSSES; loss++)
                plane->win[loss][side] = once ? 1 : points[loss];
            plane->turned[side] = may ? side ? MINE : THEIRS : -1;
            plane->factor[side] = may ? 2 : 0;
            plane->beaver[side] = may ? beaver : 0;
            plane->offset[side] = 0;
            plane->passed[side] = may;
        }
    }
    static const int of_place[BGR_N_CUBES] = {[BGR_CUBE_NONE] = BGR_PLANE_CUBELESS,
                                              [BGR_CUBE_CENTERED] = CENTERED,
                                              [BGR_CUBE_MINE] = MINE,
                                              [BGR_CUBE_THEIRS] = THEIRS};
    for (int at = 0; at < BGR_N_CUBES; at++) {
        bgr_place *place = &planes->place[at];
        place->now = (bgr_scaled_plane){of_place[at], 0, 1};
        for (int side = 0; side < 2; side++)
            place->turned[side] = (bgr_scaled_plane){planes->plane[of_place[at]].turned[side], 0, 2};
    }
}

/* ------------------------------------------------------------------ a match */

/* The first side's chance to win the match after a game that it wins by `points` points, or loses if negative. */
static double chance_of_match(const bgr_stakes *s, int points)
{
    int mine = s->on_roll_needs - (points > 0 ? points : 0), theirs = s->opponent_needs - (points < 0 ? -points : 0);
    if (mine <= 0 || theirs <= 0)
        return mine <= 0;
    int crawford = s->on_roll_needs > 1 && s->opponent_needs > 1; /* if a side is 1 away then, it has just got there */
    if (crawford || (mine > 1 && theirs > 1) || mine == theirs)
        return s->pre_crawford[(mine - 1) * s->met_length + theirs - 1];
    return theirs == 1 ? s->post_crawford[mine - 1] : 1 - s->post_crawford[s->post_length + theirs - 1];
}

int bgr_same_plane(const bgr_plane *a, const bgr_plane *b)
{
    for (int side = 0; side < 2; side++) {
        for (int loss = 0; loss < BGR_N_LOSSES; loss++)
            if (a->win[loss][side] != b->win[loss][side])
                return 0;
        if (a->turned[side] != b->turned[side] || a->factor[side] != b->factor[side] ||
            a->beaver[side] != b->beaver[side] || a->offset[side] != b->offset[side] ||
            a->passed[side] != b->passed[side])
            return 0;
    }
    return 1;
}

int bgr_add_plane(bgr_planes *planes, const bgr_plane *plane)
{
    int k = 0;
    while (k < planes->n && !bgr_same_plane(&planes->plane[k], plane))
        k++;
    if (k == planes->n)
        planes->plane[planes->n++] = *plane;
    return k;
}

/* Add the state of a cube value in a position, after those that doubling leads to. */
static bgr_place add_state(const bgr_stakes *s, int worst_loss, int cube, bgr_cube at, bgr_planes *planes)
{
    bgr_place one = {{-1, 0, 0}, {{-1, 0, 0}, {-1, 0, 0}}};
    double won = chance_of_match(s, cube), lost = chance_of_match(s, -cube), middle = (won + lost) / 2,
           scale = (won - lost) / 2;
    int normalised = scale > bgr_least_unit;
    bgr_plane plane = {{{0}}, {-1, -1}, {0}, {0}, {0}, {0}};
    for (int side = 0; side < 2; side++) {
        int has = at == BGR_CUBE_CENTERED || at == (side ? BGR_CUBE_THEIRS : BGR_CUBE_MINE);
        if (has && !s->crawford && (side ? s->opponent_needs : s->on_roll_needs) > cube)
            one.turned[side] = add_state(s, worst_loss, 2 * cube, side ? BGR_CUBE_MINE : BGR_CUBE_THEIRS, planes).now;
    }
    if (!normalised)
        scale = 1;
    for (int side = 0; side < 2; side++) {
        int sign = side ? -1 : 1;
        const bgr_scaled_plane *turned = &one.turned[side];
        plane.win[BGR_LOST_SINGLE][side] = normalised ? 1 : sign * ((side ? lost : won) - middle);
        for (int loss = BGR_LOST_GAMMON; loss < BGR_N_LOSSES; loss++) {
            int points = 1 + (loss < worst_loss ? loss : worst_loss);
            plane.win[loss][side] = points > 1 ? sign * (chance_of_match(s, sign * points * cube) - middle) / scale
                                               : plane.win[BGR_LOST_SINGLE][side];
        }
        plane.turned[side] = turned->plane;
        if (turned->plane >= 0) {
            plane.factor[side] = plane.beaver[side] = turned->scale / scale;
            plane.offset[side] = sign * (turned->middle - middle) / scale;
            plane.passed[side] = plane.win[BGR_LOST_SINGLE][side];
        }
    }
    one.now = (bgr_scaled_plane){bgr_add_plane(planes, &plane), middle, scale};
    return one;
}

static int are_chances(int n, const double *values)
{
    for (int i = 0; i < n; i++)
        if (!(values[i] >= 0 && values[i] <= 1))
            return 0;
    return 1;
}

/* The table as seen by either player on roll. */
struct bgr_met {
    int length, post_length;
    double *before[2], *after[2];
};

bgr_status bgr_met_new(int length, const double *before, int post_length, const double *after, bgr_met **met)
{
    *met = NULL;
    if (length < 1 || length > MAX_MATCH || post_length < 1 || post_length > MAX_MATCH || !before || !after ||
        !are_chances(length * length, before) || !are_chances(2 * post_length, after))
        return BGR_ERR_STAKES;
    size_t n = (size_t)length * (size_t)length, n_after = 2 * (size_t)post_length;
    bgr_met *fresh = calloc(1, sizeof *fresh + 2 * (n + n_after) * sizeof(double));
    if (!fresh)
        return BGR_ERR_MEMORY;
    double *room = (double *)(fresh + 1);
    fresh->length = length;
    fresh->post_length = post_length;
    for (int side = 0; side < 2; side++) {
        fresh->before[side] = room + (size_t)side * n;
        fresh->after[side] = room + 2 * n + (size_t)side * n_after;
        for (int i = 0; i < length; i++)
            for (int j = 0; j < length; j++)
                fresh->before[side][i * length + j] = side ? 1 - before[j * length + i] : before[i * length + j];
        for (int i = 0; i < post_length; i++)
            for (int row = 0; row < 2; row++)
                fresh->after[side][row * post_length + i] = after[(row ^ side) * post_length + i];
    }
    *met = fresh;
    return BGR_OK;
}

void bgr_met_free(bgr_met *met) { free(met); }

static int table_reaches(const bgr_stakes *s)
{
    int most = s->on_roll_needs > s->opponent_needs ? s->on_roll_needs : s->opponent_needs;
    if (!s->pre_crawford || !s->post_crawford || s->met_length < most || s->met_length > MAX_MATCH ||
        s->post_length < 0 || s->post_length > MAX_MATCH)
        return 0;
    /* Whether scores after the Crawford game are possible after this game. */
    int crawford_now = s->on_roll_needs == 1 || s->opponent_needs == 1;
    if (crawford_now && most > 1 && s->post_length < most)
        return 0;
    return s->met || (are_chances(s->met_length * s->met_length, s->pre_crawford) &&
                      are_chances(2 * s->post_length, s->post_crawford));
}

bgr_status bgr_stakes_read(const bgr_stakes *stakes, bgr_stakes *read)
{
    BGR_TRY(bgr_take_sized(stakes, read, sizeof *read));
    int arrays = read->pre_crawford || read->post_crawford || read->met_length || read->post_length;
    if (!read->match && (read->on_roll_needs || read->opponent_needs || read->crawford || read->cube_value < 0 ||
                         read->cube_value > 1 || read->met || arrays))
        return BGR_ERR_ARGUMENT;
    /* Arrays together with a table are refused, except its own, which stakes have after they were read. */
    if (read->met ? arrays && read->pre_crawford != read->met->before[read->second_on_roll != 0] : read->second_on_roll)
        return BGR_ERR_ARGUMENT;
    if (read->met) {
        read->met_length = read->met->length;
        read->post_length = read->met->post_length;
        read->pre_crawford = read->met->before[read->second_on_roll != 0];
        read->post_crawford = read->met->after[read->second_on_roll != 0];
    }
    return BGR_OK;
}

/* Read a match, and add the plane of the chance to win the game. */
static bgr_status begin_match(bgr_stakes *s, bgr_planes *planes)
{
    if (!s->match || s->jacoby || s->beavers || s->on_roll_needs < 1 || s->opponent_needs < 1 || s->cube_value < 1 ||
        s->cube_value > MAX_CUBE || (s->cube_value & (s->cube_value - 1)) ||
        (s->crawford && s->on_roll_needs > 1 && s->opponent_needs > 1) || !table_reaches(s))
        return BGR_ERR_STAKES;
    if (s->on_roll_needs == 1 && s->opponent_needs == 1)
        s->crawford = 0; /* double match point: only winning counts */
    const bgr_plane win = {{{1, 1}, {1, 1}, {1, 1}}, {-1, -1}, {0}, {0}, {0}, {0}};
    bgr_add_plane(planes, &win);
    planes->match = 1;
    planes->total = 1;
    planes->won = chance_of_match(s, s->cube_value);
    planes->lost = chance_of_match(s, -s->cube_value);
    for (int loss = 0; loss < BGR_N_LOSSES; loss++) {
        planes->pays[0][loss] = chance_of_match(s, (loss + 1) * s->cube_value);
        planes->pays[1][loss] = 1 - chance_of_match(s, -(loss + 1) * s->cube_value);
    }
    return BGR_OK;
}

/* Set the possible positions of the cube: 1 is centered, a larger one is owned. */
static void set_places(const bgr_stakes *s, int worst_loss, bgr_planes *planes)
{
    for (int at = 0; at < BGR_N_CUBES; at++) {
        if (at == BGR_CUBE_NONE || (at == BGR_CUBE_CENTERED) == (s->cube_value == 1))
            planes->place[at] = add_state(s, worst_loss, s->cube_value, (bgr_cube)at, planes);
        else
            planes->place[at].now.plane = planes->place[at].turned[0].plane = planes->place[at].turned[1].plane = -1;
    }
}

bgr_status bgr_planes_of_stakes(const bgr_stakes *stakes, int worst_loss, bgr_planes *planes)
{
    bgr_stakes s;
    memset(planes, 0, sizeof *planes);
    BGR_TRY(bgr_stakes_read(stakes, &s));
    worst_loss = s.gammons ? worst_loss : BGR_LOST_SINGLE;
    if (!s.match) {
        set_money(&s, worst_loss, planes);
        return BGR_OK;
    }
    BGR_TRY(begin_match(&s, planes));
    set_places(&s, worst_loss, planes);
    return BGR_OK;
}

bgr_status bgr_planes_at_cube(const bgr_stakes *stakes, int worst_loss, bgr_planes *planes)
{
    bgr_stakes s;
    const int n = planes->n;
    BGR_TRY(bgr_stakes_read(stakes, &s));
    if (s.match != planes->match)
        return BGR_ERR_STAKES;
    if (!s.match)
        return BGR_OK;
    BGR_TRY(begin_match(&s, planes));
    set_places(&s, s.gammons ? worst_loss : BGR_LOST_SINGLE, planes);
    int n_there = 0;
    for (int at = 0; at < BGR_N_CUBES; at++) {
        if (planes->place[at].now.plane >= n)
            planes->place[at].now.plane = -1;
        n_there += at != BGR_CUBE_NONE && planes->place[at].now.plane >= 0;
    }
    planes->n = n;
    return n_there ? BGR_OK : BGR_ERR_COVERAGE;
}
