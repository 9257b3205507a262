/* Structs of callers that begin with their size, which may be that of an older or newer header. */
#pragma once

#include "bgrace.h"

#include <string.h>

enum { BGR_MAX_SIZE = 1 << 14 }; /* a greater size was never set */

static inline bgr_status bgr_sized(const void *given)
{
    size_t n = given ? *(const size_t *)given : 0;
    return n && n % sizeof n == 0 && n <= BGR_MAX_SIZE ? BGR_OK : BGR_ERR_ARGUMENT;
}

/* Copy a caller's struct into one of `size` bytes: members that the caller's struct lacks are 0, and the size is set.
 * BGR_ERR_ARGUMENT if the caller's struct has further members that are not 0. */
static inline bgr_status bgr_take_sized(const void *given, void *read, size_t size)
{
    memset(read, 0, size);
    if (bgr_sized(given) != BGR_OK)
        return BGR_ERR_ARGUMENT;
    size_t n = *(const size_t *)given;
    for (size_t k = size; k < n; k++)
        if (((const char *)given)[k])
            return BGR_ERR_ARGUMENT;
    memcpy(read, given, n < size ? n : size);
    *(size_t *)read = size;
    return BGR_OK;
}

/* Copy a struct of `size` bytes into a caller's, as far as there is room; further members of the caller's become 0. */
static inline bgr_status bgr_give_sized(const void *whole, size_t size, void *to)
{
    if (bgr_sized(to) != BGR_OK)
        return BGR_ERR_ARGUMENT;
    size_t n = *(size_t *)to, known = n < size ? n : size;
    memcpy((char *)to + sizeof n, (const char *)whole + sizeof n, known - sizeof n);
    memset((char *)to + known, 0, n - known);
    return BGR_OK;
}
