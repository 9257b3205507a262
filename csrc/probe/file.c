/* Files on every system: opening, mapping, reading, and checking for changes. */

#include "base/system.h"

#if defined(BGR_NO_FILES)
#elif defined(_WIN32)
#include <windows.h>
#undef near /* macros of windows.h */
#undef far
#else
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#include "probe/file.h"

#include "base/memory.h"
#include "base/threads.h"
#include "base/try.h"

#include <stdlib.h>
#include <string.h>

/* Bytes that every system can read in one call. */
enum { MAX_AT_ONCE = 1 << 30 };
enum { READ_AHEAD = 1 << 26 }; /* bytes; read-ahead does not pay off for larger files */

#if defined(BGR_NO_FILES)

/* Nothing can be opened, so the other functions are never called. */
static intptr_t open_handle(const char *path) { return (void)path, -1; }
static intptr_t share_handle(intptr_t handle) { return (void)handle, -1; }
static void close_handle(intptr_t handle) { (void)handle; }
static const unsigned char *map(const bgr_file *file) { return (void)file, NULL; }
static void unmap(const bgr_file *file) { (void)file; }

static int look(intptr_t handle, uint64_t *size, int64_t *changed)
{
    return (void)handle, (void)size, (void)changed, -1;
}

static int64_t read_some(const bgr_file *file, uint64_t offset, size_t n, void *out)
{
    return (void)file, (void)offset, (void)n, (void)out, -1;
}

#elif defined(_WIN32)

static int look(intptr_t file, uint64_t *size, int64_t *changed)
{
    HANDLE handle = (HANDLE)file;
    BY_HANDLE_FILE_INFORMATION info;
    if (GetFileType(handle) != FILE_TYPE_DISK || !GetFileInformationByHandle(handle, &info))
        return -1;
    *size = (uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow;
    changed[0] = info.ftLastWriteTime.dwHighDateTime;
    changed[1] = info.ftLastWriteTime.dwLowDateTime;
    return 0;
}

static intptr_t open_handle(const char *path) /* in UTF-8 */
{
    int n = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0);
    wchar_t *wide = n > 0 ? malloc((size_t)n * sizeof *wide) : NULL;
    HANDLE handle = INVALID_HANDLE_VALUE;
    if (wide && MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, n) == n)
        handle = CreateFileW(wide, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                             FILE_ATTRIBUTE_NORMAL, NULL);
    free(wide);
    return (intptr_t)handle; /* INVALID_HANDLE_VALUE is -1 */
}

static void close_handle(intptr_t handle) { CloseHandle((HANDLE)handle); }

static intptr_t share_handle(intptr_t handle)
{
    HANDLE process = GetCurrentProcess(), shared;
    int done = DuplicateHandle(process, (HANDLE)handle, process, &shared, 0, FALSE, DUPLICATE_SAME_ACCESS);
    return done ? (intptr_t)shared : -1;
}

static const unsigned char *map(const bgr_file *file)
{
    HANDLE mapping = CreateFileMappingW((HANDLE)file->handle, NULL, PAGE_READONLY, 0, 0, NULL);
    if (!mapping)
        return NULL;
    const unsigned char *bytes = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, (SIZE_T)file->size);
    CloseHandle(mapping); /* the view keeps it open */
    return bytes;
}

static void unmap(const bgr_file *file) { UnmapViewOfFile(file->bytes); }

/* Read some bytes: returns their number, 0 at the end of the file, -1 on failure. */
static int64_t read_some(const bgr_file *file, uint64_t offset, size_t n, void *out)
{
    OVERLAPPED place = {0};
    place.Offset = (DWORD)offset;
    place.OffsetHigh = (DWORD)(offset >> 32);
    DWORD n_read;
    if (ReadFile((HANDLE)file->handle, out, (DWORD)n, &n_read, &place))
        return n_read;
    return GetLastError() == ERROR_HANDLE_EOF ? 0 : -1;
}

#else

static int look(intptr_t handle, uint64_t *size, int64_t *changed)
{
    struct stat info;
    if (fstat((int)handle, &info) != 0)
        return -1;
    if (!S_ISREG(info.st_mode)) {
        errno = S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
        return -1;
    }
    *size = (uint64_t)info.st_size;
#if defined(__APPLE__)
    changed[0] = info.st_mtimespec.tv_sec;
    changed[1] = info.st_mtimespec.tv_nsec;
#else
    changed[0] = info.st_mtim.tv_sec;
    changed[1] = info.st_mtim.tv_nsec;
#endif
    return 0;
}

static void close_handle(intptr_t handle)
{
    int kept = errno;
    close((int)handle);
    errno = kept;
}

/* O_NONBLOCK keeps a pipe from blocking; it has no effect on regular files. */
static intptr_t open_handle(const char *path) { return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK); }

static intptr_t share_handle(intptr_t handle) { return fcntl((int)handle, F_DUPFD_CLOEXEC, 0); }

static const unsigned char *map(const bgr_file *file)
{
    void *bytes = mmap(NULL, (size_t)file->size, PROT_READ, MAP_SHARED, (int)file->handle, 0);
    if (bytes == MAP_FAILED)
        return NULL;
#ifdef MADV_RANDOM
    /* Access is random.  Unless told otherwise, the system reads 128 KB around each page that is not in memory, which
     * helps only with small files. */
    if (file->size > READ_AHEAD)
        (void)madvise(bytes, (size_t)file->size, MADV_RANDOM);
#endif
    return bytes;
}

static void unmap(const bgr_file *file) { munmap((void *)(uintptr_t)file->bytes, (size_t)file->size); }

static int64_t read_some(const bgr_file *file, uint64_t offset, size_t n, void *out)
{
    ssize_t n_read;
    do
        n_read = pread((int)file->handle, out, n, (off_t)offset);
    while (n_read < 0 && errno == EINTR);
    return n_read;
}

#endif

/* Whether this is more than the machine's memory: other systems than Windows may still allocate it. */
static int more_than_memory(uint64_t size)
{
#ifdef _SC_PHYS_PAGES
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 && size / (uint64_t)page >= (uint64_t)pages;
#else
    (void)size;
    return 0;
#endif
}

/* Take over a handle if it is that of a regular file, else close it; -1 is allowed. */
static bgr_status take_over(bgr_file *file, intptr_t handle)
{
    memset(file, 0, sizeof *file);
    file->handle = handle;
    if (handle != -1 && look(handle, &file->size, file->changed)) {
        close_handle(handle);
        file->handle = -1;
    }
    return file->handle == -1 ? BGR_ERR_OPEN : BGR_OK;
}

bgr_status bgr_file_open(const char *path, bgr_file *file) { return take_over(file, open_handle(path)); }

bgr_status bgr_file_share(intptr_t handle, bgr_file *file) { return take_over(file, share_handle(handle)); }

void bgr_file_map(bgr_file *file)
{
    if (file->bytes || file->size == 0 || file->size > SIZE_MAX / 2)
        return;
    file->bytes = map(file);
    file->mapped = file->bytes != NULL;
}

static bgr_status copy_bytes(const bgr_file *file, uint64_t offset, size_t n, void *out)
{
    if (file->ranges)
        return bgr_ranges_read(file->ranges, offset, n, out);
    if (file->handle == -1 && n > 0) {
        memcpy(out, file->bytes + offset, n);
        return BGR_OK;
    }
    unsigned char *to = out;
    while (n > 0) {
        int64_t n_read = read_some(file, offset, n < MAX_AT_ONCE ? n : MAX_AT_ONCE, to);
        if (n_read <= 0)
            return n_read < 0 ? BGR_ERR_READ : BGR_ERR_CHANGED;
        to += n_read;
        offset += (uint64_t)n_read;
        n -= (size_t)n_read;
    }
    return BGR_OK;
}

bgr_status bgr_file_add_crc(const bgr_file *file, uint64_t first, uint64_t past, bgr_crc32 *crc)
{
    enum { ROOM = 1 << 18 };
    unsigned char *buffer = malloc(ROOM);
    bgr_status status = buffer ? BGR_OK : BGR_ERR_MEMORY;
    while (status == BGR_OK && first < past) {
        size_t n = past - first < ROOM ? (size_t)(past - first) : ROOM;
        /* Read even if mapped, since a file that is truncated meanwhile must not end the process. */
        status = copy_bytes(file, first, n, buffer);
        if (status == BGR_OK)
            bgr_crc32_add(crc, buffer, n);
        first += n;
    }
    free(buffer);
    return status;
}

/* Check the blocks that contain n bytes, unless that has been done. */
static bgr_status check_blocks(const bgr_file *file, uint64_t offset, size_t n)
{
    const bgr_block_sums *sums = file->sums;
    int64_t block = 0, beyond = sums->n;
    while (block < beyond) {
        int64_t middle = block + (beyond - block) / 2;
        if (sums->past[middle] <= offset)
            block = middle + 1;
        else
            beyond = middle;
    }
    for (; block < sums->n && sums->start[block] < offset + n; block++)
        if (!bgr_read(&sums->is_right[block])) {
            bgr_crc32 crc;
            bgr_crc32_init(&crc);
            BGR_TRY(bgr_file_add_crc(file, sums->start[block], sums->past[block], &crc));
            if (crc.value != sums->crc32[block])
                return BGR_ERR_DAMAGED;
            bgr_write(&sums->is_right[block], 1);
        }
    return BGR_OK;
}

bgr_status bgr_file_read_part(const bgr_file *file, uint64_t offset, size_t n, void *out)
{
    if (file->sums)
        BGR_TRY(check_blocks(file, offset, n));
    return copy_bytes(file, offset, n, out);
}

bgr_status bgr_file_read(const bgr_file *file, uint64_t offset, size_t n, void *out)
{
    BGR_TRY(bgr_file_read_part(file, offset, n, out));
    /* Checked after reading, so that the bytes are known to be from the file that was opened. */
    return bgr_file_unchanged(file);
}

void bgr_file_expect(const bgr_file *file, uint64_t offset, size_t n)
{
#ifdef POSIX_FADV_WILLNEED
    if (file->handle != -1)
        (void)posix_fadvise((int)file->handle, (off_t)offset, (off_t)n, POSIX_FADV_WILLNEED);
#else
    (void)file;
    (void)offset;
    (void)n;
#endif
}

bgr_status bgr_file_unchanged(const bgr_file *file)
{
    uint64_t size;
    int64_t changed[2];
    if (file->handle == -1)
        return BGR_OK;
    if (look(file->handle, &size, changed) != 0)
        return BGR_ERR_READ;
    return size == file->size && changed[0] == file->changed[0] && changed[1] == file->changed[1] ? BGR_OK
                                                                                                  : BGR_ERR_CHANGED;
}

bgr_status bgr_file_load(bgr_file *file)
{
    if (file->size > SIZE_MAX / 2 || more_than_memory(file->size))
        return BGR_ERR_MEMORY;
    unsigned char *copy = bgr_reserve((size_t)file->size, BGR_LARGE_PAGES);
    if (!copy)
        return BGR_ERR_MEMORY;
    bgr_status status = bgr_file_read(file, 0, (size_t)file->size, copy);
    if (status != BGR_OK) {
        bgr_unreserve(copy, (size_t)file->size);
        return status;
    }
    close_handle(file->handle);
    file->handle = -1;
    file->bytes = copy;
    file->loaded = 1;
    return BGR_OK;
}

void bgr_file_close(bgr_file *file)
{
    if (file->mapped)
        unmap(file);
    if (file->loaded)
        bgr_unreserve((void *)(uintptr_t)file->bytes, (size_t)file->size);
    if (file->handle != -1)
        close_handle(file->handle);
    bgr_ranges_free(file->ranges);
    memset(file, 0, sizeof *file);
    file->handle = -1;
}
