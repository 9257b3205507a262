/* The order in which the positions of a layer are solved, and for how long their chains are needed. */
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

/* Pieces of the memory of the chains. */
typedef struct {
    size_t n_bytes; /* of a piece */
    int32_t *piece; /* by the level after which nobody looks at them, then by place */
    int64_t *start; /* n_levels + 2: the first piece of each level, and of those that are always needed */
    int64_t most;   /* bytes of pieces that are needed at a time */
} bgr_chain_pieces;

bgr_status bgr_chain_pieces_new(const bgr_layer *l, const bgr_layer_blocks *b,
                                bgr_chain_pieces *pieces); /* BGR_ERR_MEMORY */
void bgr_chain_pieces_free(bgr_chain_pieces *pieces);

/* The most bytes of chains that are needed at a time while a layer is solved, if they can be given back; otherwise of
 * all.  BGR_ERR_MEMORY. */
bgr_status bgr_layer_chain_bytes(const bgr_layer *l, int64_t *n_bytes);

/* Give back what nobody looks at after a level has been solved. */
void bgr_chain_pieces_give_back(const bgr_layer *l, const bgr_chain_pieces *pieces, int level);

#endif
