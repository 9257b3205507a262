/* Errors handed on. */
#ifndef BGR_TRY_H
#define BGR_TRY_H

/* Return what a call returns, unless that is BGR_OK: where there is nothing to be freed. */
#define BGR_TRY(call)                                                                                                  \
    do {                                                                                                               \
        bgr_status tried = (call);                                                                                     \
        if (tried != BGR_OK)                                                                                           \
            return tried;                                                                                              \
    } while (0)

#endif
