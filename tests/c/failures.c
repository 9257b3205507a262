/* Let one allocation or system call of the library fail after the other: failures files|solver|races STRIDE FILE...
 *
 * The program asks its questions once without a failure, then with the first call failing, then with each STRIDE-th
 * call after it.  Each time a question must have the same answer, or a status that says why not; and memory, mappings
 * and descriptors must be given back.  Compile the library with -DBGR_OWN_MALLOC=own_malloc
 * -DBGR_OWN_REALLOC=own_realloc -DBGR_OWN_FREE=own_free, and link with -Wl,--wrap=NAME for each __wrap_NAME here. */
#include "match.h"

#include "bgrace_why.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static long calls, failing = -1, held;

static int fails(void) { return ++calls == failing; }

static void *counted(void *memory)
{
    held += memory != NULL;
    return memory;
}

void *__real_mmap(void *at, size_t n, int protection, int flags, int file, off_t offset);
int __real_munmap(void *at, size_t n);
int __real_open(const char *path, int flags, ...);
int __real_close(int file);
ssize_t __real_pread(int file, void *bytes, size_t n, off_t offset);
int __real_fstat(int file, struct stat *status);

/* The allocator that the library is compiled with. */
void *own_malloc(size_t n) { return fails() ? NULL : counted(malloc(n)); }

void *own_realloc(void *memory, size_t n)
{
    if (fails())
        return NULL;
    held += !memory;
    return realloc(memory, n);
}

void own_free(void *memory)
{
    held -= memory != NULL;
    free(memory);
}

void *__wrap_mmap(void *at, size_t n, int protection, int flags, int file, off_t offset)
{
    if (fails()) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    held++;
    return __real_mmap(at, n, protection, flags, file, offset);
}

int __wrap_munmap(void *at, size_t n)
{
    held--;
    return __real_munmap(at, n);
}

int __wrap_open(const char *path, int flags, ...)
{
    if (fails()) {
        errno = EMFILE;
        return -1;
    }
    int file = __real_open(path, flags, 0600);
    held += file >= 0;
    return file;
}

int __wrap_close(int file)
{
    held--;
    return __real_close(file);
}

ssize_t __wrap_pread(int file, void *bytes, size_t n, off_t offset)
{
    if (fails()) {
        errno = EIO;
        return -1;
    }
    return __real_pread(file, bytes, n > 1000 && calls % 2 ? n / 2 : n, offset); /* every other long read is short */
}

int __wrap_fstat(int file, struct stat *status)
{
    if (fails()) {
        errno = EIO;
        return -1;
    }
    return __real_fstat(file, status);
}

/* The names in a library with large files on every machine. */
int __wrap_open64(const char *path, int flags, ...) __attribute__((alias("__wrap_open")));
ssize_t __wrap_pread64(int file, void *bytes, size_t n, off_t offset) __attribute__((alias("__wrap_pread")));
void *__wrap_mmap64(void *at, size_t n, int protection, int flags, int file, off_t offset)
    __attribute__((alias("__wrap_mmap")));
int __wrap_fstat64(int file, struct stat *status) __attribute__((alias("__wrap_fstat")));

enum { ANSWERS = 4000 };

/* Values of answers in order, each with its status. */
typedef struct transcript {
    int n;
    int status[ANSWERS];
    double value[ANSWERS];
} transcript;

static const double done = 1, not_closed = -1;

/* Note a status and a value, which is read here, after the call that has written it. */
static void note(transcript *answers, bgr_status status, const double *value)
{
    answers->status[answers->n] = (int)status;
    answers->value[answers->n++] = status == BGR_OK ? *value : 0;
}

static const int8_t mine[6] = {1, 1, 0, 0, 1, 0}, theirs[6] = {0, 1, 1, 0, 0, 0};
static const int8_t outside[10] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 1}, home[10] = {2, 1, 0, 0, 0, 1};

static void ask_file(const char *path, transcript *answers)
{
    for (int access = BGR_MAP; access <= BGR_READ; access++) {
        bgr_db *db = NULL;
        bgr_status status = bgr_open(path, (bgr_access)access, &db);
        note(answers, status, &done);
        double value = 0, variance = 0, rolls[BGR_MAX_WIDTH] = {0};
        bgr_equities equities = {0};
        if (status != BGR_OK) {
            if (db)
                note(answers, BGR_OK, &not_closed); /* the caller would not close it */
            for (int k = 0; k < 6; k++)
                note(answers, status, &done);
            continue;
        }
        note(answers, bgr_verify(db), &done);
        note(answers, bgr_probe_epc(db, 6, mine, &value), &value);
        note(answers, bgr_probe_rolls(db, 6, mine, &value, &variance), &variance);
        note(answers, bgr_probe_roll_distribution(db, 6, mine, BGR_MAX_WIDTH, rolls), &rolls[2]);
        note(answers, bgr_probe_win_probability(db, 6, mine, theirs, &value, NULL), &value);
        status = bgr_probe_equities(db, 6, mine, theirs, &equities);
        note(answers, status, &equities.mine);
        bgr_close(db);
    }
}

static void note_answer(transcript *answers, bgr_status status, bgr_answer *answer)
{
    bgr_chances chances = {0};
    bgr_cube_values cube = {0};
    bgr_ranked_play plays[4] = {{{0}, 0, 0}};
    int n = 0;
    if (status == BGR_OK)
        bgr_answer_chances(answer, &chances);
    note(answers, status, &chances.win);
    note(answers, status == BGR_OK ? bgr_answer_cube(answer, BGR_CUBE_CENTERED, &cube) : status, &cube.value);
    bgr_status listed = status == BGR_OK ? bgr_answer_plays(answer, 2, 1, BGR_CUBE_CENTERED, 4, plays, &n) : status;
    note(answers, listed, &plays[0].value);
    bgr_answer_free(answer);
}

static void make_solver(const char *path, transcript *answers)
{
    (void)path;
    bgr_solver *solver = NULL;
    bgr_side side = {.size = sizeof side};
    bgr_cache *cache = NULL;
    bgr_status status = bgr_solver_new(&solver);
    if (status == BGR_OK)
        status = bgr_cache_new(&cache);
    note(answers, status, &done);
    note(answers, status == BGR_OK ? bgr_ask_side(solver, cache, 10, outside, &side) : status, &side.mean_rolls);
    note(answers, status == BGR_OK ? bgr_ask_side(solver, NULL, 10, outside, &side) : status, &side.mean_rolls);
    note(answers, status == BGR_OK ? bgr_solver_prepare(solver, &money, 2) : status, &done);
    bgr_cache_free(cache);
    bgr_solver_free(solver);
}

static bgr_solver *made; /* made once, without a failure, because that takes longer than all the questions */

/* Ask why 5/3 1/off is better than 5/3 2/1. */
static void note_why(transcript *answers, bgr_status status, const bgr_solve_options *options)
{
    static const int8_t better[6] = {0, 1, 1}, other[6] = {2, 0, 1};
    bgr_play_reason reason = {.size = sizeof reason};
    bgr_answer *answer = NULL;
    if (status == BGR_OK)
        status = bgr_ask(made, 6, mine, theirs, &money, options, &answer);
    if (status == BGR_OK)
        status = bgr_answer_play_reason(made, options->cache, answer, 6, better, other, &reason);
    const double misses = reason.misses[0] + 36 * reason.misses[1];
    note(answers, status, &misses);
    bgr_answer_free(answer);
}

static void ask_races(const char *path, transcript *answers)
{
    const bgr_way ways[] = {BGR_ALL_PAIRS, BGR_BY_TURNS, BGR_ANY_WAY, BGR_BY_TURNS};
    bgr_cache *cache = NULL;
    bgr_map_case both[2] = {{.stakes = match, .cube = BGR_CUBE_CENTERED}, {.stakes = match, .cube = BGR_CUBE_CENTERED}};
    both[1].stakes.on_roll_needs = 2;
    bgr_db *db = NULL;
    bgr_status begun = bgr_open(path, BGR_READ, &db);
    if (begun == BGR_OK)
        begun = bgr_cache_new(&cache);
    for (int k = 0; k < 4; k++) {
        bgr_solve_options options = {.size = sizeof options, .dice = {2, 1}, .way = ways[k], .cache = cache};
        options.database = k == 3 ? db : NULL;
        options.exactness = k % 2 ? 0.05 : 0;
        bgr_answer *answer = NULL;
        bgr_status status = begun;
        if (begun == BGR_OK)
            status = bgr_ask(made, 10, outside, home, &money, &options, &answer);
        note_answer(answers, status, answer);
    }
    bgr_solve_options shared = {.size = sizeof shared, .cache = cache};
    note(answers, begun == BGR_OK ? bgr_ask_map(6, mine, theirs, both, 2, &shared) : begun, &both[1].values.value);
    note_why(answers, begun, &shared);
    bgr_cache_free(cache);
    bgr_close(db);
}

static int try_all(const char *name, void (*ask)(const char *, transcript *), const char *path, long stride)
{
    static transcript expected, answers;
    const long before = held;
    expected.n = 0;
    calls = 0;
    failing = -1;
    ask(path, &expected);
    long total = calls, wrong = held != before, refused = 0;
    for (long n = 1; n <= total; n += stride) {
        answers.n = 0;
        calls = 0;
        failing = n;
        ask(path, &answers);
        failing = -1;
        int is_same = answers.n == expected.n;
        for (int k = 0; is_same && k < answers.n; k++) {
            refused += answers.status[k] != expected.status[k];
            is_same = answers.status[k] != BGR_OK || memcmp(&answers.value[k], &expected.value[k], sizeof(double)) == 0;
            if (!is_same)
                printf("answer %d is %.17g, not %.17g\n", k, answers.value[k], expected.value[k]);
        }
        if (!is_same || held != before) {
            wrong++;
            printf("%s: call %ld of %ld fails: %s, %ld things kept\n", name, n, total,
                   is_same ? "answers are right" : "a WRONG ANSWER", held - before);
            held = before;
        }
    }
    printf("%s %s: %ld calls failed one by one, %ld answers refused, %ld wrong\n", name, path,
           (total + stride - 1) / stride, refused, wrong);
    return wrong != 0;
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    long stride = argc > 3 ? atol(argv[2]) : 0;
    if (stride < 1) {
        fprintf(stderr, "usage: %s files|solver|races STRIDE FILE...\n", argv[0]);
        return 2;
    }
    if (strcmp(argv[1], "solver") == 0)
        return try_all("solver", make_solver, argv[3], stride);
    if (strcmp(argv[1], "races") == 0) {
        static transcript warm;
        if (bgr_solver_new(&made) != BGR_OK)
            return 2;
        ask_races(argv[3], &warm); /* fills the caches of the solver */
        int wrong = try_all("races", ask_races, argv[3], stride);
        bgr_solver_free(made);
        return wrong || held;
    }
    int wrong = 0;
    for (int k = 3; k < argc; k++)
        wrong |= try_all("file", ask_file, argv[k], stride);
    return wrong;
}
