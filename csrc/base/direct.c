/* Writing past the cache, by native asynchronous requests of Linux: see io_submit(2). */

#include "base/system.h"

#include "base/direct.h"

#if defined(__linux__) && defined(__has_include)
#if __has_include(<linux/aio_abi.h>)
#define HAS_REQUESTS
#endif
#endif

#ifdef HAS_REQUESTS

#include "base/memory.h"

#include <errno.h>
#include <linux/aio_abi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { N_PIECES = 128 };

struct bgr_direct {
    int direct, through;
    int refused; /* the system does not write this file past its cache after all */
    int error;
    aio_context_t context;
    unsigned char *room;
    struct iocb piece[N_PIECES]; /* the request for each piece of the room, */
    unsigned char under_way[N_PIECES];
    int idle[N_PIECES]; /* those that are not under way, */
    int n_idle;         /* of which the last one is next */
};

static unsigned char *room_of(const bgr_direct *writer, int piece)
{
    return writer->room + (size_t)piece * BGR_DIRECT_ROOM;
}

/* The ordinary way, which says whether the disk is to blame. */
static void write_through(bgr_direct *writer, int piece)
{
    const struct iocb *request = &writer->piece[piece];
    size_t n = (size_t)request->aio_nbytes;
    for (size_t moved = 0; moved < n && !writer->error;) {
        ssize_t done = pwrite(writer->through, room_of(writer, piece) + moved, n - moved,
                              (off_t)request->aio_offset + (off_t)moved);
        if (done > 0)
            moved += (size_t)done;
        else if (done == 0 || errno != EINTR)
            writer->error = done ? errno : EIO;
    }
    writer->idle[writer->n_idle++] = piece;
}

/* A piece has been written, or not. */
static void end_piece(bgr_direct *writer, int piece, int written)
{
    writer->under_way[piece] = 0;
    if (written) {
        writer->idle[writer->n_idle++] = piece;
    } else {
        writer->refused = 1;
        write_through(writer, piece);
    }
}

/* Wait for some of the pieces under way; or, if the system will not say what became of them, for all. */
static void collect(bgr_direct *writer)
{
    struct io_event done[N_PIECES];
    long n = syscall(SYS_io_getevents, writer->context, 1L, (long)N_PIECES, done, NULL);
    for (long k = 0; k < n; k++)
        end_piece(writer, (int)done[k].data, done[k].res == (int64_t)writer->piece[done[k].data].aio_nbytes);
    if (n >= 0 || errno == EINTR)
        return;
    (void)syscall(SYS_io_destroy, writer->context);
    for (int piece = 0; piece < N_PIECES; piece++)
        if (writer->under_way[piece])
            end_piece(writer, piece, 0);
}

bgr_direct *bgr_direct_new(int direct, int through)
{
    bgr_direct *writer = calloc(1, sizeof *writer);
    if (!writer)
        return NULL;
    writer->direct = direct;
    writer->through = through;
    writer->room = bgr_reserve((size_t)N_PIECES * BGR_DIRECT_ROOM, BGR_LARGE_PAGES);
    if (!writer->room || syscall(SYS_io_setup, (long)N_PIECES, &writer->context)) {
        bgr_unreserve(writer->room, (size_t)N_PIECES * BGR_DIRECT_ROOM);
        free(writer);
        return NULL;
    }
    for (int k = 0; k < N_PIECES; k++)
        writer->idle[writer->n_idle++] = k;
    return writer;
}

void bgr_direct_free(bgr_direct *writer)
{
    if (!writer)
        return;
    (void)syscall(SYS_io_destroy, writer->context);
    bgr_unreserve(writer->room, (size_t)N_PIECES * BGR_DIRECT_ROOM);
    free(writer);
}

unsigned char *bgr_direct_room(bgr_direct *writer)
{
    while (!writer->n_idle)
        collect(writer);
    return room_of(writer, writer->idle[writer->n_idle - 1]);
}

void bgr_direct_put(bgr_direct *writer, size_t n, int64_t place)
{
    int piece = writer->idle[--writer->n_idle];
    struct iocb *request = &writer->piece[piece];
    memset(request, 0, sizeof *request);
    request->aio_data = (uint64_t)piece;
    request->aio_lio_opcode = IOCB_CMD_PWRITE;
    request->aio_fildes = (uint32_t)writer->direct;
    request->aio_buf = (uint64_t)(uintptr_t)room_of(writer, piece);
    request->aio_nbytes = n;
    request->aio_offset = place;
    writer->under_way[piece] = !writer->refused && syscall(SYS_io_submit, writer->context, 1L, &request) == 1;
    if (!writer->under_way[piece])
        end_piece(writer, piece, 0);
}

int bgr_direct_wait(bgr_direct *writer)
{
    while (writer->n_idle < N_PIECES)
        collect(writer);
    return writer->error;
}

#else

bgr_direct *bgr_direct_new(int direct, int through)
{
    (void)direct;
    (void)through;
    return NULL;
}

void bgr_direct_free(bgr_direct *writer) { (void)writer; }

unsigned char *bgr_direct_room(bgr_direct *writer)
{
    (void)writer;
    return NULL;
}

void bgr_direct_put(bgr_direct *writer, size_t n, int64_t place)
{
    (void)writer;
    (void)n;
    (void)place;
}

int bgr_direct_wait(bgr_direct *writer)
{
    (void)writer;
    return 0;
}

#endif
