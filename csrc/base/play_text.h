/* Moves as players write them. */
#pragma once

#include "bgrace.h"

typedef struct bgr_written_move {
    int from, to;
    char text[16]; /* such as 24/20, with an asterisk after a point where it hits */
} bgr_written_move;

/* In their order, equal ones together.  text [out] BGR_PLAY_SIZE. */
void bgr_write_moves(bgr_written_move *moves, int n, int is_double, char *text);

/* "off" or a number.  Gives the end of the text. */
char *bgr_write_point(char *text, int point);
