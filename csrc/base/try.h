/* Errors and results handed on. */
#pragma once

/* Return what a call returns, unless that is BGR_OK: where there is nothing to be freed. */
#define BGR_TRY(call)                                                                                                  \
    do {                                                                                                               \
        bgr_status tried = (call);                                                                                     \
        if (tried != BGR_OK)                                                                                           \
            return tried;                                                                                              \
    } while (0)

/* Give the caller what was made, or free it if that failed; return which.  `fresh` may be NULL then. */
#define BGR_HAND_OVER(status, fresh, place, free_it)                                                                   \
    do {                                                                                                               \
        if ((status) == BGR_OK)                                                                                        \
            *(place) = (fresh);                                                                                        \
        else                                                                                                           \
            free_it(fresh);                                                                                            \
        return status;                                                                                                 \
    } while (0)
