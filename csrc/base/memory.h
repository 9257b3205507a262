/* Reserving address space and giving pages back. */
#ifndef BGR_MEMORY_H
#define BGR_MEMORY_H

#include <stddef.h>

/* Large pages are for what is touched in large pieces, and given back in such, if at all; small ones for what is given
 * back in small pieces. */
typedef enum { BGR_ANY_PAGES, BGR_LARGE_PAGES, BGR_SMALL_PAGES } bgr_pages;

/* Memory that is zero, that can be given back piece by piece, and whose untouched parts cost nothing.  NULL if there is
 * no room.  Where the system can't do that, giving back does nothing.  Pages are a wish. */
void *bgr_reserve(size_t n_bytes, bgr_pages pages);
size_t bgr_page_bytes(void); /* the least that is free at once when it is given back; 0 if nothing is */
void bgr_give_back(void *start, size_t n_bytes); /* whole pages within the range; they read as zero, or as before */
void bgr_unreserve(void *start, size_t n_bytes); /* NULL is allowed */

#endif
