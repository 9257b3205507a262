/* Functions of the system that fail on demand: LD_PRELOAD this into Python, with glibc.
 *
 * begin_failing begins to count calls for files below a folder, and allocations by bgrace's own modules.  The n-th call
 * fails in one of four ways: alone, with all later calls, after half of its work, or with the end of the process after
 * half of its work.  end_failing returns the number of calls, n_unsafe the number of renamings of files whose bytes had
 * not been synced. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { ONCE, EVER_AFTER, HALF, KILL };
enum { FILES = 4096, MODULES = 64, KEPT = 256 };

static atomic_long calls;
static long failing_call = -1;
static int kind, error_number, n_modules, n_synced;
static long unsafe;
static char folder[1024];
static unsigned char is_ours[FILES];
static struct {
    uintptr_t first, past;
} module[MODULES];
static struct {
    ino_t file;
    unsigned long hash;
} synced[KEPT];

#define REAL(name)                                                                                                     \
    static __typeof__(name) *real;                                                                                     \
    if (!real)                                                                                                         \
    real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *memory, size_t n);
void *__libc_memalign(size_t alignment, size_t n);

static int is_below(const char *path) { return folder[0] && path && !strncmp(path, folder, strlen(folder)); }
static int is_file(int file) { return file >= 0 && file < FILES && is_ours[file]; }

/* Return 1 if this call fails, 2 if it does half of its work, 3 if the process ends then. */
static int fails(void)
{
    long n = ++calls;
    if (failing_call < 0 || n < failing_call || (n > failing_call && kind != EVER_AFTER))
        return 0;
    if (kind == HALF)
        return 2;
    if (kind == KILL)
        return 3;
    errno = error_number;
    return 1;
}

/* Return whether a call fails that cannot do half of its work. */
static int refuses(void)
{
    int how = fails();
    if (how == 3)
        raise(SIGKILL);
    return how == 1;
}

static int of_module(struct dl_phdr_info *about, size_t size, void *unused)
{
    (void)size, (void)unused;
    if (strstr(about->dlpi_name, "/bgrace/_kernels/"))
        for (int k = 0; k < about->dlpi_phnum && n_modules < MODULES; k++)
            if (about->dlpi_phdr[k].p_type == PT_LOAD && about->dlpi_phdr[k].p_flags & PF_X) {
                module[n_modules].first = about->dlpi_addr + about->dlpi_phdr[k].p_vaddr;
                module[n_modules].past = module[n_modules].first + about->dlpi_phdr[k].p_memsz;
                n_modules++;
            }
    return 0;
}

void begin_failing(const char *below, long n, int how, int number)
{
    n_modules = n_synced = 0;
    dl_iterate_phdr(of_module, NULL);
    snprintf(folder, sizeof folder, "%s", below);
    memset(is_ours, 0, sizeof is_ours);
    calls = 0;
    unsafe = 0;
    kind = how, error_number = number, failing_call = n;
}

long end_failing(void)
{
    folder[0] = 0, failing_call = -1;
    return calls;
}

long n_unsafe(void) { return unsafe; }

static int memory_fails(void *caller)
{
    if (!folder[0])
        return 0;
    for (int k = 0; k < n_modules; k++)
        if ((uintptr_t)caller >= module[k].first && (uintptr_t)caller < module[k].past)
            return refuses();
    return 0;
}

#define FAIL_IF_ASKED(value)                                                                                           \
    if (memory_fails(__builtin_return_address(0))) {                                                                   \
        errno = ENOMEM;                                                                                                \
        return value;                                                                                                  \
    }

void *malloc(size_t n)
{
    FAIL_IF_ASKED(NULL)
    return __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    FAIL_IF_ASKED(NULL)
    return __libc_calloc(n, size);
}

void *realloc(void *memory, size_t n)
{
    FAIL_IF_ASKED(NULL)
    return __libc_realloc(memory, n);
}

void *aligned_alloc(size_t alignment, size_t n)
{
    FAIL_IF_ASKED(NULL)
    return __libc_memalign(alignment, n);
}

int posix_memalign(void **memory, size_t alignment, size_t n)
{
    FAIL_IF_ASKED(ENOMEM)
    *memory = __libc_memalign(alignment, n);
    return *memory ? 0 : ENOMEM;
}

#define CHECK(is_counted, value)                                                                                       \
    if ((is_counted) && refuses())                                                                                     \
        return value;

int open(const char *path, int flags, ...)
{
    REAL(open);
    __builtin_va_list more;
    __builtin_va_start(more, flags);
    int mode = flags & O_CREAT ? __builtin_va_arg(more, int) : 0;
    __builtin_va_end(more);
    CHECK(is_below(path), -1)
    int file = real(path, flags, mode);
    if (file >= 0 && file < FILES)
        is_ours[file] = is_below(path) != 0;
    return file;
}
int open64(const char *path, int flags, ...) __attribute__((alias("open")));

int close(int file)
{
    REAL(close);
    if (file >= 0 && file < FILES)
        is_ours[file] = 0;
    return real(file);
}

#define MOVE(name, parameters, ...)                                                                                    \
    ssize_t name parameters                                                                                            \
    {                                                                                                                  \
        REAL(name);                                                                                                    \
        int how = is_file(file) ? fails() : 0;                                                                         \
        if (how == 1)                                                                                                  \
            return -1;                                                                                                 \
        n = how && n > 1 ? n / 2 : n;                                                                                  \
        ssize_t done = real(__VA_ARGS__);                                                                              \
        if (how == 3)                                                                                                  \
            raise(SIGKILL);                                                                                            \
        return done;                                                                                                   \
    }
MOVE(read, (int file, void *bytes, size_t n), file, bytes, n)
MOVE(write, (int file, const void *bytes, size_t n), file, bytes, n)
MOVE(pread, (int file, void *bytes, size_t n, off_t offset), file, bytes, n, offset)
ssize_t pread64(int file, void *bytes, size_t n, off_t offset) __attribute__((alias("pread")));
MOVE(pwrite, (int file, const void *bytes, size_t n, off_t offset), file, bytes, n, offset)
ssize_t pwrite64(int file, const void *bytes, size_t n, off_t offset) __attribute__((alias("pwrite")));

static unsigned long hash_of(int file)
{
    REAL(pread);
    unsigned char bytes[8192];
    unsigned long hash = 14695981039346656037UL;
    ssize_t n;
    for (off_t at = 0; (n = real(file, bytes, sizeof bytes, at)) > 0; at += n)
        for (ssize_t k = 0; k < n; k++)
            hash = (hash ^ bytes[k]) * 1099511628211UL;
    return hash;
}

static int sync_of(int file, int (*real)(int))
{
    CHECK(is_file(file), -1)
    struct stat about;
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    if (is_file(file) && fstat(file, &about) == 0 && S_ISREG(about.st_mode) && n_synced < KEPT) {
        int again = open(name, O_RDONLY); /* not counted, as that name is not below the folder */
        synced[n_synced].file = about.st_ino;
        synced[n_synced++].hash = hash_of(again);
        close(again);
    }
    return real(file);
}

int fsync(int file)
{
    REAL(fsync);
    return sync_of(file, real);
}

int fdatasync(int file)
{
    REAL(fdatasync);
    return sync_of(file, real);
}

int rename(const char *from, const char *to)
{
    REAL(rename);
    CHECK(is_below(to), -1)
    struct stat about;
    if (is_below(to) && stat(from, &about) == 0) {
        int is_safe = 0, file = open(from, O_RDONLY); /* counted, but only renaming fails here */
        for (int k = 0; k < n_synced; k++)
            is_safe |= synced[k].file == about.st_ino && synced[k].hash == hash_of(file);
        close(file);
        unsafe += !is_safe;
    }
    return real(from, to);
}

void *mmap(void *at, size_t n, int protection, int flags, int file, off_t offset)
{
    REAL(mmap);
    CHECK(is_file(file), MAP_FAILED)
    return real(at, n, protection, flags, file, offset);
}
void *mmap64(void *at, size_t n, int protection, int flags, int file, off_t offset) __attribute__((alias("mmap")));

int ftruncate(int file, off_t n)
{
    REAL(ftruncate);
    CHECK(is_file(file), -1)
    return real(file, n);
}
int ftruncate64(int file, off_t n) __attribute__((alias("ftruncate")));

int posix_fallocate(int file, off_t first, off_t n)
{
    REAL(posix_fallocate);
    CHECK(is_file(file), error_number)
    return real(file, first, n);
}
int posix_fallocate64(int file, off_t first, off_t n) __attribute__((alias("posix_fallocate")));
