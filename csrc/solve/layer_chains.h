/* For how long the chains of a layer are needed. */
#ifndef BGR_LAYER_CHAINS_H
#define BGR_LAYER_CHAINS_H

#include "solve/layer_blocks.h"

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
