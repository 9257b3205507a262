/* Memory: arrays that grow and go, address space that is reserved, and pages that are given back. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Large pages are for what is touched in large pieces, and given back in such, if at all; small ones for what is given
 * back in small pieces. */
typedef enum { BGR_ANY_PAGES, BGR_LARGE_PAGES, BGR_SMALL_PAGES } bgr_pages;

/* Memory that is zero, that can be given back piece by piece, and whose untouched parts cost nothing.  NULL if there is
 * no room.  Where the system can't do that, giving back does nothing.  Pages are a wish. */
void *bgr_reserve(size_t n_bytes, bgr_pages pages);
size_t bgr_page_bytes(void); /* the least that is free at once when it is given back; 0 if nothing is */
void bgr_give_back(void *start, size_t n_bytes); /* whole pages within the range; they read as zero, or as before */
void bgr_unreserve(void *start, size_t n_bytes); /* NULL is allowed */

/* malloc, in large pages where the system can: for large arrays that are read at random, where finding a small page
 * takes longer than reading from it. */
void *bgr_malloc_large(size_t n_bytes);

/* Make room for as many elements of an array as are needed, at least twice as many as there were; 0 without memory. */
static inline int bgr_make_room(void **array, int64_t *room, int64_t needed, size_t size)
{
    if (needed <= *room)
        return 1;
    int64_t wanted = *room * 2 > needed ? *room * 2 : needed;
    void *larger = realloc(*array, (size_t)wanted * size);
    if (!larger)
        return 0;
    *array = larger;
    *room = wanted;
    return 1;
}

/* Free several arrays; any may be NULL. */
#define BGR_FREE(...)                                                                                                  \
    do {                                                                                                               \
        void *freed[] = {__VA_ARGS__};                                                                                 \
        for (size_t nth_freed = 0; nth_freed < sizeof freed / sizeof *freed; nth_freed++)                              \
            free(freed[nth_freed]);                                                                                    \
    } while (0)
