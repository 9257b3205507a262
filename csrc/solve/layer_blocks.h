/* The order in which the positions of a layer are solved. */
#ifndef BGR_LAYER_BLOCKS_H
#define BGR_LAYER_BLOCKS_H

#include "solve/layer_slots.h"

typedef struct {
    int last;        /* a block is what t[1] .. t[last] say */
    int64_t *first;  /* local index of the first position of each, by level */
    int64_t *start;  /* n_levels + 1: the first block of each level */
    int64_t *solved; /* n_levels: how many positions a level and those before it have */
    int n_levels;
} bgr_layer_blocks;

bgr_status bgr_layer_blocks_new(const bgr_layer *l, bgr_layer_blocks *b); /* BGR_ERR_MEMORY */
void bgr_layer_blocks_free(bgr_layer_blocks *b);

/* Solves the positions of a block; first: the local index of its first one.  0 if a distribution doesn't fit. */
typedef int (*bgr_solve_block)(const bgr_layer *l, const bgr_layer_blocks *b, int64_t first);

#endif
