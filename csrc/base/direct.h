/* Writing to a file past the system's cache, many pieces at once.
 *
 * Writing through the cache copies into memory that the system has to find and to clear first; on virtual machines that
 * takes longer than the disk.  Past it, a disk takes about a tenth of a millisecond for a piece, whatever its
 * size, many have to be under way.  Linux does that (its "native" asynchronous requests: a few microseconds each,
 * and no library); elsewhere there is no such writer. */
#ifndef BGR_DIRECT_H
#define BGR_DIRECT_H

#include <stddef.h>
#include <stdint.h>

enum { BGR_PAGE = 4096, BGR_DIRECT_ROOM = 64 << 10 };

typedef struct bgr_direct bgr_direct;

/* direct: the file, open for writing past the cache; through: the same file, for pieces that the system refuses to
 * write so.  NULL if it cannot do that, or has no memory for it. */
bgr_direct *bgr_direct_new(int direct, int through);

/* Waits for what is under way.  NULL is allowed. */
void bgr_direct_free(bgr_direct *writer);

/* Room for the next piece, BGR_DIRECT_ROOM bytes at a page's beginning. */
unsigned char *bgr_direct_room(bgr_direct *writer);

/* Begin to write the first n bytes of that room; n and the place are multiples of BGR_PAGE. */
void bgr_direct_put(bgr_direct *writer, size_t n, int64_t place);

/* Wait until everything is written.  0, or the errno of what could not be written in either way. */
int bgr_direct_wait(bgr_direct *writer);

#endif
