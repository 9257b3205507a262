/* Memory: growing and freeing arrays, reserving address space, and giving pages back. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Large pages are for memory that is used, and given back if at all, in large pieces; small ones for memory that is
 * given back in small pieces. */
typedef enum { BGR_ANY_PAGES, BGR_LARGE_PAGES, BGR_SMALL_PAGES } bgr_pages;

/* Reserve zeroed memory that can be given back in pieces, and whose untouched parts cost nothing.  NULL if memory is
 * out.  If the system cannot give memory back, that does nothing.  pages: only a hint. */
void *bgr_reserve(size_t n_bytes, bgr_pages pages);
size_t bgr_page_bytes(void);                     /* the unit in which memory is given back; 0 if that is impossible */
void bgr_give_back(void *start, size_t n_bytes); /* whole pages within the range; they read as zero, or as before */
void bgr_unreserve(void *start, size_t n_bytes); /* NULL is allowed */

/* malloc, in large pages where the system can: for large arrays that are read at random, where finding a small page
 * takes longer than reading from it. */
void *bgr_malloc_large(size_t n_bytes);

/* Grow an array to the elements needed, at least to twice its room; returns 0 if memory is out. */
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
