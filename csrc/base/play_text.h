/* Moves as players write them. */
#pragma once

#include "bgrace.h"

typedef struct bgr_written_move {
    int from, to;
    char text[16]; /* such as 24/20, with an asterisk after a point where it hits */
} bgr_written_move;

/* Write moves in the usual order, with equal ones joined.  text [out] BGR_PLAY_SIZE. */
void bgr_write_moves(bgr_written_move *moves, int n, int is_double, char *text);

/* Write a number, or "off".  Returns the end of the text. */
char *bgr_write_point(char *text, int point);
