/* Reserving address space and giving pages back. */
#ifndef BGR_MEMORY_H
#define BGR_MEMORY_H

#include <stddef.h>

/* Memory that is zero, that can be given back piece by piece, and whose untouched parts cost nothing.  NULL if there is
 * no room.  Where the system can't do that, giving back does nothing.  `whole` asks for large pages, if the system has
 * them: for what is touched in large pieces, and given back in such, if at all; otherwise it has none. */
void *bgr_reserve(size_t n_bytes, int whole);
size_t bgr_page_bytes(void);                     /* the least that can be given back; 0 if nothing can */
void bgr_give_back(void *start, size_t n_bytes); /* whole pages within the range; they read as zero, or as before */
void bgr_unreserve(void *start, size_t n_bytes); /* NULL is allowed */

#endif
