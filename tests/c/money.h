/* The planes of money without gammons, and the plane that each is for the opponent. */
#include "solve/exact.h"

static const bgr_plane money[] = {
    {.win = {{1, 1}, {1, 1}}, .turned = {-1, -1}},
    {.win = {{1, 1}, {1, 1}}, .turned = {3, -1}, .factor = {2}, .passed = {1}},
    {.win = {{1, 1}, {1, 1}}, .turned = {3, 1}, .factor = {2, 2}, .passed = {1, 1}},
    {.win = {{1, 1}, {1, 1}}, .turned = {-1, 1}, .factor = {0, 2}, .passed = {0, 1}},
};
static const int exchanged[] = {0, 3, 2, 1};
