/* Stakes as planes: bgrace/match/cube_states.py says what the planes of a match score are and how they come about.
 *
 * Money is one more list: the chance to win, cubeless play, and a cube of mine, in the middle and of the opponent's,
 * where doubling leads from one plane to another of twice its size. */

#include "turns/stakes.h"

#include <math.h>
#include <string.h>

/* Where winning and losing differ by less than twice this, planes hold chances, and ties are told by them. */
static const double least_scale = 1e-5;

enum { LARGEST_CUBE = 1 << 20, LONGEST_MATCH = 256 };

/* ------------------------------------------------------------------ money */

static void money(const bgr_stakes *stakes, int gammons, int backgammons, bgr_planes *planes)
{
    enum { MINE = 2, CENTERED, THEIRS };
    double points[BGR_N_LOSSES] = {1, gammons ? 2 : 1, gammons ? backgammons ? 3 : 2 : 1};
    double beaver = stakes->beavers ? 4 : 2;
    planes->n = THEIRS + 1;
    planes->won = 1;
    planes->lost = -1;
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
    for (int where = 0; where < BGR_N_CUBES; where++) {
        bgr_place *place = &planes->place[where];
        place->now = (bgr_view){of_place[where], 0, 1};
        for (int side = 0; side < 2; side++)
            place->turned[side] = (bgr_view){planes->plane[of_place[where]].turned[side], 0, 2};
    }
}

/* ------------------------------------------------------------------ a match */

/* The chance of the first side after a game that it wins by so many points, or loses if negative. */
static double after(const bgr_stakes *s, int points)
{
    int mine = s->on_roll_needs - (points > 0 ? points : 0), theirs = s->opponent_needs - (points < 0 ? -points : 0);
    if (mine <= 0 || theirs <= 0)
        return mine <= 0;
    int crawford = s->on_roll_needs > 1 && s->opponent_needs > 1; /* if a side is 1 away now, it has just come there */
    if (crawford || (mine > 1 && theirs > 1) || mine == theirs)
        return s->pre_crawford[(mine - 1) * s->met_length + theirs - 1];
    return theirs == 1 ? s->post_crawford[mine - 1] : 1 - s->post_crawford[s->post_length + theirs - 1];
}

static int may_double(const bgr_stakes *s, int side, int cube)
{
    return !s->crawford && (side ? s->opponent_needs : s->on_roll_needs) > cube;
}

static int same(const bgr_plane *a, const bgr_plane *b)
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

static int add(bgr_planes *planes, const bgr_plane *plane)
{
    int k = 0;
    while (k < planes->n && !same(&planes->plane[k], plane))
        k++;
    if (k == planes->n && planes->n < BGR_MAX_PLANES)
        planes->plane[planes->n++] = *plane;
    return k;
}

/* The state of a cube of a value in a place; those that doubling leads to are added before it. */
static bgr_place state(const bgr_stakes *s, int gammons, int backgammons, int cube, bgr_cube where, bgr_planes *planes)
{
    bgr_place found = {{-1, 0, 0}, {{-1, 0, 0}, {-1, 0, 0}}};
    double won = after(s, cube), lost = after(s, -cube), middle = (won + lost) / 2, scale = (won - lost) / 2;
    int normalised = scale > least_scale;
    bgr_plane plane = {{{0}}, {-1, -1}, {0}, {0}, {0}, {0}};
    for (int side = 0; side < 2; side++) {
        int has = where == BGR_CUBE_CENTERED || where == (side ? BGR_CUBE_THEIRS : BGR_CUBE_MINE);
        if (has && may_double(s, side, cube))
            found.turned[side] =
                state(s, gammons, backgammons, 2 * cube, side ? BGR_CUBE_MINE : BGR_CUBE_THEIRS, planes).now;
    }
    if (!normalised)
        scale = 1;
    for (int side = 0; side < 2; side++) {
        int sign = side ? -1 : 1;
        const bgr_view *turned = &found.turned[side];
        plane.win[BGR_LOST_SINGLE][side] = normalised ? 1 : sign * ((side ? lost : won) - middle);
        for (int loss = BGR_LOST_GAMMON; loss < BGR_N_LOSSES; loss++) {
            int points = loss == BGR_LOST_BACKGAMMON && backgammons ? 3 : 2;
            plane.win[loss][side] =
                gammons ? sign * (after(s, sign * points * cube) - middle) / scale : plane.win[BGR_LOST_SINGLE][side];
        }
        plane.turned[side] = turned->plane;
        if (turned->plane >= 0) {
            plane.factor[side] = plane.beaver[side] = turned->scale / scale;
            plane.offset[side] = sign * (turned->middle - middle) / scale;
            plane.passed[side] = plane.win[BGR_LOST_SINGLE][side];
        }
    }
    found.now = (bgr_view){add(planes, &plane), middle, scale};
    return found;
}

static int is_chance(double x) { return x >= 0 && x <= 1; }

static int table_reaches(const bgr_stakes *s)
{
    int most = s->on_roll_needs > s->opponent_needs ? s->on_roll_needs : s->opponent_needs;
    if (!s->pre_crawford || !s->post_crawford || s->met_length < most || s->met_length > LONGEST_MATCH ||
        s->post_length > LONGEST_MATCH)
        return 0;
    /* Scores after the Crawford game can come up, at the latest, after this one. */
    int crawford_now = s->on_roll_needs == 1 || s->opponent_needs == 1;
    if (crawford_now && most > 1 && s->post_length < most)
        return 0;
    for (int i = 0; i < s->met_length * s->met_length; i++)
        if (!is_chance(s->pre_crawford[i]))
            return 0;
    for (int i = 0; i < 2 * s->post_length; i++)
        if (!is_chance(s->post_crawford[i]))
            return 0;
    return 1;
}

bgr_status bgr_planes_of_stakes(const bgr_stakes *stakes, int gammons, int backgammons, bgr_planes *planes)
{
    bgr_stakes s = {0};
    memset(planes, 0, sizeof *planes);
    if (!stakes || stakes->size < offsetof(bgr_stakes, post_crawford) + sizeof stakes->post_crawford)
        return BGR_ERR_STAKES;
    memcpy(&s, stakes, stakes->size < sizeof s ? stakes->size : sizeof s);
    gammons = gammons && s.gammons;
    backgammons = backgammons && gammons;
    planes->match = s.match != 0;
    if (!s.match) {
        money(&s, gammons, backgammons, planes);
        return BGR_OK;
    }
    if (s.jacoby || s.beavers || s.on_roll_needs < 1 || s.opponent_needs < 1 || s.cube_value < 1 ||
        s.cube_value > LARGEST_CUBE || (s.cube_value & (s.cube_value - 1)) ||
        (s.crawford && s.on_roll_needs > 1 && s.opponent_needs > 1) || !table_reaches(&s))
        return BGR_ERR_STAKES;
    if (s.on_roll_needs == 1 && s.opponent_needs == 1)
        s.crawford = 0; /* double match point: nothing but winning counts */
    bgr_plane win = {{{1, 1}, {1, 1}, {1, 1}}, {-1, -1}, {0}, {0}, {0}, {0}};
    add(planes, &win);
    planes->won = after(&s, s.cube_value);
    planes->lost = after(&s, -s.cube_value);
    for (int where = 0; where < BGR_N_CUBES; where++) {
        int there = where == BGR_CUBE_NONE || (where == BGR_CUBE_CENTERED) == (s.cube_value == 1);
        if (there)
            planes->place[where] = state(&s, gammons, backgammons, s.cube_value, (bgr_cube)where, planes);
        else
            planes->place[where].now.plane = planes->place[where].turned[0].plane =
                planes->place[where].turned[1].plane = -1;
    }
    return planes->n < BGR_MAX_PLANES ? BGR_OK : BGR_ERR_STAKES;
}
