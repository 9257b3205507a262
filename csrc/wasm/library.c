/* What the library takes of a C library, where WebAssembly has none: memory, sorting, searching, copying.
 *
 * Memory.  Blocks lie one behind the other, each with a head of 8 bytes in front: the size of the block before it, and
 * its own with a bit that says whether it is in use.  Sizes are multiples of 16 and count the head.  Free blocks are in
 * lists by size, four lists between powers of two, and two neighbours are never both free.  The last block is followed
 * by a head of size 0 that is in use. */

#if defined(__wasm__) && !defined(__wasi__)

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    USED = 1,
    HEAD = 8,
    ALIGNED = 16,
    PAGE = 65536,
    MOST_PAGES = 256, /* to grow by at a time, if fewer will do */
    LEAST = 32,       /* head and links, in sixteens */
    N_LISTS = 128,
    MOST_SIZE = 0x7FFF0000
};

typedef struct block {
    uint32_t size_before, size_and_use;
    struct block *next, *previous; /* in a list, if it is free */
} block;

static block *lists[N_LISTS];
static char *end; /* of the memory: the head of size 0 is in front of it */

static uint32_t size_of(const block *b) { return b->size_and_use & ~(uint32_t)USED; }
static block *behind(block *b) { return (block *)((char *)b + size_of(b)); }
static block *before(block *b) { return (block *)((char *)b - b->size_before); }
static int is_free(const block *b) { return !(b->size_and_use & USED); }

/* The list for blocks of a size. */
static int list_for(uint32_t size)
{
    int log = 31 - __builtin_clz(size);
    return 4 * log + (int)(size >> (log - 2) & 3);
}

static void set_size(block *b, uint32_t size, uint32_t use)
{
    b->size_and_use = size | use;
    behind(b)->size_before = size;
}

static void take_out(block *b)
{
    if (b->next)
        b->next->previous = b->previous;
    if (b->previous)
        b->previous->next = b->next;
    else
        lists[list_for(size_of(b))] = b->next;
}

static void put_in(block *b)
{
    block **list = &lists[list_for(size_of(b))];
    b->previous = NULL;
    b->next = *list;
    if (*list)
        (*list)->previous = b;
    *list = b;
}

/* Make a block free, with its neighbours if they are. */
static void release(block *b)
{
    uint32_t size = size_of(b);
    block *next = behind(b), *previous = before(b);
    if (is_free(next)) {
        take_out(next);
        size += size_of(next);
    }
    if (b->size_before && is_free(previous)) {
        take_out(previous);
        size += size_of(previous);
        b = previous;
    }
    set_size(b, size, 0);
    put_in(b);
}

/* Get pages for a block of a size, and put them in as a free one: a quarter more than there is, up to 16 MiB, because
 * growing takes its time, or just what is needed if there is no more. */
static int grow(uint32_t size)
{
    size_t needed = ((size_t)size + 2 * ALIGNED + PAGE - 1) / PAGE, pages = __builtin_wasm_memory_size(0) / 4;
    pages = pages > MOST_PAGES ? MOST_PAGES : pages;
    pages = pages > needed ? pages : needed;
    size_t from = __builtin_wasm_memory_grow(0, pages);
    if (from == SIZE_MAX)
        from = __builtin_wasm_memory_grow(0, pages = needed);
    if (from == SIZE_MAX)
        return 0;
    char *start = (char *)(from * PAGE);
    block *last = (block *)(start + pages * PAGE - HEAD), *b = (block *)(start + HEAD);
    if (end == start) /* the head at the end becomes that of the new block */
        b = (block *)(start - HEAD);
    else
        b->size_before = 0;
    end = start + pages * PAGE;
    last->size_and_use = USED;
    set_size(b, (uint32_t)((char *)last - (char *)b), USED);
    release(b);
    return 1;
}

/* A free block of at least a size.  The lists above that of the size hold none that is too small. */
static block *find(uint32_t size)
{
    int list = list_for(size);
    for (block *b = lists[list]; b; b = b->next)
        if (size_of(b) >= size)
            return b;
    while (++list < N_LISTS)
        if (lists[list])
            return lists[list];
    return NULL;
}

static uint32_t block_size(size_t size)
{
    uint32_t wanted = ((uint32_t)size + HEAD + ALIGNED - 1) / ALIGNED * ALIGNED;
    return wanted < LEAST ? LEAST : wanted;
}

/* Cut off what a block in use has beyond a size. */
static void trim(block *b, uint32_t size)
{
    uint32_t all = size_of(b);
    if (all - size < LEAST)
        return;
    set_size(b, size, USED);
    block *rest = behind(b);
    set_size(rest, all - size, USED);
    release(rest);
}

void *malloc(size_t n)
{
    if (n > MOST_SIZE)
        return NULL;
    uint32_t size = block_size(n);
    block *b = find(size);
    if (!b && grow(size))
        b = find(size);
    if (!b)
        return NULL;
    take_out(b);
    b->size_and_use |= USED;
    trim(b, size);
    return (char *)b + HEAD;
}

void free(void *memory)
{
    if (memory)
        release((block *)((char *)memory - HEAD));
}

void *calloc(size_t n, size_t size)
{
    if (size && n > MOST_SIZE / size)
        return NULL;
    void *memory = malloc(n * size);
    return memory ? memset(memory, 0, n * size) : NULL;
}

void *realloc(void *memory, size_t n)
{
    if (!memory)
        return malloc(n);
    if (n > MOST_SIZE)
        return NULL;
    block *b = (block *)((char *)memory - HEAD), *next = behind(b);
    uint32_t size = block_size(n), have = size_of(b);
    if (have < size && is_free(next) && have + size_of(next) >= size) {
        take_out(next);
        set_size(b, have + size_of(next), USED);
        have = size_of(b);
    }
    if (have >= size) {
        trim(b, size);
        return memory;
    }
    void *larger = malloc(n);
    if (larger) {
        memcpy(larger, memory, have - HEAD);
        free(memory);
    }
    return larger;
}

/* ------------------------------------------------------------------ copying: the compiler makes instructions of these
 */

void *memcpy(void *restrict to, const void *restrict from, size_t n) { return __builtin_memcpy(to, from, n); }

void *memmove(void *to, const void *from, size_t n) { return __builtin_memmove(to, from, n); }

void *memset(void *to, int byte, size_t n) { return __builtin_memset(to, byte, n); }

int memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *x = a, *y = b;
    for (; n; n--, x++, y++)
        if (*x != *y)
            return *x - *y;
    return 0;
}

char *strchr(const char *text, int character)
{
    for (; *text != (char)character; text++)
        if (!*text)
            return NULL;
    return (char *)(uintptr_t)text;
}

/* ------------------------------------------------------------------ sorting and searching */

static void exchange(unsigned char *a, unsigned char *b, size_t size)
{
    for (size_t k = 0; k < size; k++) {
        unsigned char kept = a[k];
        a[k] = b[k];
        b[k] = kept;
    }
}

/* Put what stands at the root where it belongs in a heap, the greatest first. */
static void sink(unsigned char *array, size_t root, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    for (size_t child; (child = 2 * root + 1) < n; root = child) {
        if (child + 1 < n && compare(array + child * size, array + (child + 1) * size) < 0)
            child++;
        if (compare(array + root * size, array + child * size) >= 0)
            return;
        exchange(array + root * size, array + child * size, size);
    }
}

/* By a heap: no memory, and n log n whatever is in the array.  Not stable, as qsort need not be: everything that the
 * library sorts is in an order that leaves no ties. */
void qsort(void *array, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    unsigned char *bytes = array;
    for (size_t root = n / 2; root-- > 0;)
        sink(bytes, root, n, size, compare);
    for (size_t left = n; left-- > 1;) {
        exchange(bytes, bytes + left * size, size);
        sink(bytes, 0, left, size, compare);
    }
}

void *bsearch(const void *key, const void *array, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    const unsigned char *bytes = array;
    while (n) {
        const unsigned char *middle = bytes + n / 2 * size;
        int order = compare(key, middle);
        if (order == 0)
            return (void *)(uintptr_t)middle;
        if (order > 0) {
            bytes = middle + size;
            n -= n / 2 + 1;
        } else {
            n /= 2;
        }
    }
    return NULL;
}

#else
typedef int bgr_no_library_is_needed; /* a file of C has to have something in it */
#endif
