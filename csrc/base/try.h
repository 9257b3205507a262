/* Propagating errors and results. */
#pragma once

/* Return the status of a call unless it is BGR_OK; for functions with nothing to free. */
#define BGR_TRY(call)                                                                                                  \
    do {                                                                                                               \
        bgr_status tried = (call);                                                                                     \
        if (tried != BGR_OK)                                                                                           \
            return tried;                                                                                              \
    } while (0)

/* Return `status`, after storing `fresh` in *place, or on failure, when it may be NULL, freeing it. */
#define BGR_HAND_OVER(status, fresh, place, free_it)                                                                   \
    do {                                                                                                               \
        if ((status) == BGR_OK)                                                                                        \
            *(place) = (fresh);                                                                                        \
        else                                                                                                           \
            free_it(fresh);                                                                                            \
        return status;                                                                                                 \
    } while (0)
