/* Fetch pages with a function of the caller, check them, and keep them in a cache of fixed size. */

#include "probe/ranges.h"

#include "base/bytes.h"
#include "base/crc32.h"
#include "base/lock.h"
#include "base/memory.h"
#include "base/position.h"
#include "base/try.h"

#include <string.h>

enum { WAYS = 8, PAGE = BGR_PAGE_BYTES };
enum { DEFAULT_CACHE = 16 << 20, MIN_CACHE = 1 << 18, MAX_CACHE = 1 << 30 };

/* A slot of the cache. */
typedef struct {
    uint64_t number; /* number of the page plus 1; 0: empty */
    uint64_t used;   /* time of the last use */
} kept_page;

struct bgr_ranges {
    bgr_reader reader;
    bgr_crc32 crc; /* only its tables are used */
    bgr_lock lock; /* protects the members below */
    int n_tables;
    bgr_paged table[BGR_MAX_PAGED];
    uint64_t checksums;
    uint64_t n_sets, now;
    kept_page *slots;     /* WAYS of each set */
    unsigned char *pages; /* page k of the cache belongs to slot k */
    unsigned char head[BGR_HEAD_BYTES];
};

static bgr_status read_now(const bgr_ranges *ranges, const bgr_range *range, int n)
{
    return ranges->reader.read(ranges->reader.context, range, n) ? BGR_ERR_READ : BGR_OK;
}

bgr_status bgr_ranges_new(const bgr_reader *reader, bgr_ranges **ranges)
{
    int64_t cache = reader->cache_bytes ? reader->cache_bytes : DEFAULT_CACHE;
    *ranges = NULL;
    if (!reader->read)
        return BGR_ERR_ARGUMENT;
    if (cache < MIN_CACHE || cache > MAX_CACHE)
        return BGR_ERR_SIZE;
    bgr_ranges *fresh = calloc(1, sizeof *fresh);
    if (!fresh || !bgr_lock_init(&fresh->lock)) {
        free(fresh);
        return BGR_ERR_MEMORY;
    }
    fresh->reader = *reader;
    fresh->n_sets = (uint64_t)cache / ((PAGE + sizeof(kept_page)) * WAYS);
    fresh->slots = calloc((size_t)fresh->n_sets * WAYS, sizeof *fresh->slots);
    fresh->pages = malloc((size_t)fresh->n_sets * WAYS * PAGE);
    bgr_crc32_init(&fresh->crc);
    const bgr_range head = {0, reader->file_size < BGR_HEAD_BYTES ? (size_t)reader->file_size : BGR_HEAD_BYTES,
                            fresh->head};
    bgr_status status = fresh->slots && fresh->pages ? read_now(fresh, &head, 1) : BGR_ERR_MEMORY;
    BGR_HAND_OVER(status, fresh, ranges, bgr_ranges_free);
}

void bgr_ranges_free(bgr_ranges *ranges)
{
    if (!ranges)
        return;
    bgr_lock_free(&ranges->lock);
    BGR_FREE(ranges->slots, ranges->pages, ranges);
}

void bgr_ranges_set_pages(bgr_ranges *ranges, const bgr_paged *tables, int n, uint64_t checksums)
{
    memcpy(ranges->table, tables, (size_t)n * sizeof *tables);
    ranges->checksums = checksums;
    ranges->n_tables = n;
}

/* ------------------------------------------------------------------ the cache */

/* The cache slot of a page; if it is not cached, the least recently used slot of its set. */
static kept_page *place_of_page(bgr_ranges *ranges, uint64_t page)
{
    kept_page *set = ranges->slots + page % ranges->n_sets * WAYS, *oldest = set;
    for (int way = 0; way < WAYS; way++) {
        if (set[way].number == page + 1)
            return &set[way];
        if (set[way].used < oldest->used)
            oldest = &set[way];
    }
    return oldest;
}

static unsigned char *bytes_of(bgr_ranges *ranges, const kept_page *kept)
{
    return ranges->pages + (size_t)(kept - ranges->slots) * PAGE;
}

/* Copy bytes of a page, if it is cached; out may be NULL.  Returns whether it is. */
static int copy_kept(bgr_ranges *ranges, uint64_t page, size_t from, size_t n, unsigned char *out)
{
    bgr_lock_take(&ranges->lock);
    kept_page *kept = place_of_page(ranges, page);
    int is_there = kept->number == page + 1;
    if (is_there) {
        kept->used = ++ranges->now;
        if (out)
            memcpy(out, bytes_of(ranges, kept) + from, n);
    }
    bgr_lock_release(&ranges->lock);
    return is_there;
}

static void keep_page(bgr_ranges *ranges, uint64_t page, const unsigned char *bytes, size_t n)
{
    bgr_lock_take(&ranges->lock);
    kept_page *kept = place_of_page(ranges, page);
    kept->number = page + 1;
    kept->used = ++ranges->now;
    memcpy(bytes_of(ranges, kept), bytes, n);
    bgr_lock_release(&ranges->lock);
}

/* ------------------------------------------------------------------ pages */

/* The table at an offset; NULL if there is none, or before bgr_ranges_set_pages. */
static const bgr_paged *table_at(const bgr_ranges *ranges, uint64_t offset)
{
    for (int k = 0; k < ranges->n_tables; k++)
        if (offset >= ranges->table[k].offset && offset - ranges->table[k].offset < ranges->table[k].n_bytes)
            return &ranges->table[k];
    return NULL;
}

static const bgr_paged *table_of_page(const bgr_ranges *ranges, uint64_t page)
{
    int k = ranges->n_tables - 1;
    while (k > 0 && page < ranges->table[k].first_page)
        k--;
    return &ranges->table[k];
}

/* The number of bytes of a page. */
static size_t page_size(const bgr_ranges *ranges, uint64_t page)
{
    const bgr_paged *table = table_of_page(ranges, page);
    uint64_t left = table->n_bytes - (page - table->first_page) * PAGE;
    return left < PAGE ? (size_t)left : PAGE;
}

/* Pages to read: two ranges for each run of pages, of the pages and of their checksums, consecutive in memory. */
typedef struct {
    const uint64_t *page; /* rising */
    int n, n_ranges;
    bgr_range range[2 * BGR_MAX_WANTED];
    unsigned char *bytes;
} fetching;

static void plan_ranges(const bgr_ranges *ranges, fetching *f)
{
    size_t used = 0;
    for (int first = 0, past; first < f->n; first = past) {
        const bgr_paged *table = table_of_page(ranges, f->page[first]);
        size_t size = page_size(ranges, f->page[first]);
        for (past = first + 1; past < f->n && f->page[past] == f->page[past - 1] + 1; past++) {
            if (table_of_page(ranges, f->page[past]) != table)
                break;
            size += page_size(ranges, f->page[past]);
        }
        uint64_t offset = table->offset + (f->page[first] - table->first_page) * PAGE;
        f->range[f->n_ranges++] = (bgr_range){offset, size, f->bytes + used};
        used += size;
        size = 4 * (size_t)(past - first);
        f->range[f->n_ranges++] = (bgr_range){ranges->checksums + 4 * f->page[first], size, f->bytes + used};
        used += size;
    }
}

static bgr_status check_and_keep(bgr_ranges *ranges, const fetching *f)
{
    int k = 0;
    for (int i = 0; i < f->n_ranges; i += 2) {
        const unsigned char *bytes = f->range[i].bytes, *sums = f->range[i + 1].bytes;
        for (size_t left = f->range[i].size; left > 0; k++, sums += 4) {
            size_t size = page_size(ranges, f->page[k]);
            bgr_crc32 crc = ranges->crc;
            bgr_crc32_add(&crc, bytes, size);
            if (crc.value != get_u32(sums))
                return BGR_ERR_DAMAGED;
            keep_page(ranges, f->page[k], bytes, size);
            bytes += size;
            left -= size;
        }
    }
    return BGR_OK;
}

/* Read pages, rising and distinct, in one call. */
static bgr_status fetch_pages(bgr_ranges *ranges, const uint64_t *page, int n)
{
    fetching *f = malloc(sizeof *f);
    if (!f)
        return BGR_ERR_MEMORY;
    *f = (fetching){.page = page, .n = n, .bytes = malloc((size_t)n * (PAGE + 4))};
    bgr_status status = f->bytes ? BGR_OK : BGR_ERR_MEMORY;
    if (status == BGR_OK) {
        plan_ranges(ranges, f);
        status = read_now(ranges, f->range, f->n_ranges);
    }
    if (status == BGR_OK)
        status = check_and_keep(ranges, f);
    BGR_FREE(f->bytes, f);
    return status;
}

void bgr_want(bgr_wanted *wanted, uint64_t offset, uint64_t n)
{
    const bgr_paged *table = table_at(wanted->ranges, offset);
    if (!table || n == 0 || n > table->n_bytes - (offset - table->offset))
        return;
    uint64_t page = table->first_page + (offset - table->offset) / PAGE;
    uint64_t last = table->first_page + (offset - table->offset + n - 1) / PAGE;
    for (; page <= last && wanted->n < BGR_MAX_WANTED; page++)
        if (!(wanted->n && wanted->page[wanted->n - 1] == page) && !copy_kept(wanted->ranges, page, 0, 0, NULL))
            wanted->page[wanted->n++] = page;
}

bgr_status bgr_fetch_wanted(bgr_wanted *wanted)
{
    int n = 0, given = wanted->n;
    wanted->n = 0;
    qsort(wanted->page, (size_t)given, sizeof wanted->page[0], bgr_compare_indices);
    for (int k = 0; k < given; k++)
        if (n == 0 || wanted->page[n - 1] != wanted->page[k])
            wanted->page[n++] = wanted->page[k];
    return n ? fetch_pages(wanted->ranges, wanted->page, n) : BGR_OK;
}

/* ------------------------------------------------------------------ bytes */

/* Read bytes outside tables: of the directory, and of HDF5. */
static bgr_status read_unchecked(bgr_ranges *ranges, uint64_t offset, size_t n, void *out)
{
    if (offset >= BGR_HEAD_BYTES || n > BGR_HEAD_BYTES - offset) {
        const bgr_range range = {offset, n, out};
        return read_now(ranges, &range, 1);
    }
    memcpy(out, ranges->head + offset, n);
    return BGR_OK;
}

/* Copy bytes of a page, which is cached if it was not.  Other threads may evict it from a small cache before the copy,
 * so this is repeated. */
static bgr_status read_page(bgr_ranges *ranges, uint64_t page, size_t from, size_t n, unsigned char *out)
{
    enum { TRIES = 100 };
    for (int k = 0; k < TRIES; k++) {
        if (copy_kept(ranges, page, from, n, out))
            return BGR_OK;
        BGR_TRY(fetch_pages(ranges, &page, 1));
    }
    return BGR_ERR_MEMORY;
}

bgr_status bgr_ranges_read(bgr_ranges *ranges, uint64_t offset, size_t n, void *out)
{
    unsigned char *to = out;
    while (n > 0) {
        const bgr_paged *table = table_at(ranges, offset);
        if (!table)
            return read_unchecked(ranges, offset, n, to);
        uint64_t in_table = offset - table->offset, page = table->first_page + in_table / PAGE;
        size_t from = (size_t)(in_table % PAGE), left = page_size(ranges, page) - from, part = n < left ? n : left;
        if (part < n && !copy_kept(ranges, page, 0, 0, NULL)) { /* fetch several pages at once */
            bgr_wanted wanted = {.ranges = ranges};
            uint64_t in_all = table->n_bytes - in_table;
            bgr_want(&wanted, offset, n < in_all ? n : in_all);
            BGR_TRY(bgr_fetch_wanted(&wanted));
        }
        BGR_TRY(read_page(ranges, page, from, part, to));
        offset += part;
        n -= part;
        to += part;
    }
    return BGR_OK;
}
