/* Reserve address space and free pages, on systems that can. */

#include "base/system.h"

#if (defined(__unix__) || defined(__APPLE__)) && !defined(BGR_NO_FILES) && !defined(BGR_OWN_MALLOC)
#define HAS_PAGES
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "base/memory.h"

#ifdef HAS_PAGES

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

enum { LARGE_PAGE = 1 << 21 }; /* bytes, on most processors */

void *bgr_reserve(size_t n_bytes, bgr_pages pages)
{
    void *start = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
#ifdef MADV_HUGEPAGE
    if (pages != BGR_ANY_PAGES)
        (void)madvise(start, n_bytes, pages == BGR_LARGE_PAGES ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#else
    (void)pages;
#endif
    return start;
}

size_t bgr_page_bytes(void)
{
#ifdef __linux__
    return (size_t)sysconf(_SC_PAGESIZE);
#else
    return 0; /* other systems keep written pages until memory is short */
#endif
}

/* Advise the system about the whole pages within a range; if it refuses, that only costs memory or time. */
static void advise(void *start, size_t n_bytes, int advice)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)start + page - 1) / page * page, past = ((uintptr_t)start + n_bytes) / page * page;
    if (first < past)
        (void)madvise((void *)first, past - first, advice);
}

void bgr_give_back(void *start, size_t n_bytes) { advise(start, n_bytes, MADV_DONTNEED); }

void *bgr_malloc_large(size_t n_bytes)
{
    void *start = malloc(n_bytes);
#ifdef MADV_HUGEPAGE
    if (start && n_bytes >= LARGE_PAGE)
        advise(start, n_bytes, MADV_HUGEPAGE);
#endif
    return start;
}

void bgr_unreserve(void *start, size_t n_bytes)
{
    if (start)
        munmap(start, n_bytes);
}

#else

void *bgr_reserve(size_t n_bytes, bgr_pages pages)
{
    (void)pages;
    return calloc(n_bytes, 1);
}

size_t bgr_page_bytes(void) { return 0; }

void *bgr_malloc_large(size_t n_bytes) { return malloc(n_bytes); }

void bgr_give_back(void *start, size_t n_bytes)
{
    (void)start;
    (void)n_bytes;
}

void bgr_unreserve(void *start, size_t n_bytes)
{
    (void)n_bytes;
    free(start);
}

#endif
