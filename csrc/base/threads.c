/* A team of system threads, with one lock and two condition variables. */

#ifdef BGR_THREADS

#include "base/system.h"

#ifdef _WIN32
#include <process.h>
#include <windows.h>
#else
#include <pthread.h>
#include <signal.h>
#endif

#include "base/lock.h"
#include "base/threads.h"

#include <stdlib.h>

/* ------------------------------------------------------------------ the system */

/* A piece needs some kilobytes of stack; defaults of systems range from 128 KiB to 8 MiB. */
enum { STACK_BYTES = 1 << 20 };

#ifdef _WIN32

typedef CONDITION_VARIABLE signal_to;
typedef HANDLE thread;
typedef unsigned started; /* the result of a thread */
#define STARTED __stdcall

static int new_signal(signal_to *s) { return InitializeConditionVariable(s), 1; }
static void free_signal(signal_to *s) { (void)s; }
static void wait_for(signal_to *s, bgr_lock *l) { SleepConditionVariableSRW(s, (SRWLOCK *)&l->word, INFINITE, 0); }
static void wake_one(signal_to *s) { WakeConditionVariable(s); }
static void wake_all(signal_to *s) { WakeAllConditionVariable(s); }

static int start(thread *t, started(STARTED *run)(void *), void *of)
{
    *t = (HANDLE)_beginthreadex(NULL, STACK_BYTES, run, of, STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
    return *t != 0;
}

static void join(thread t)
{
    WaitForSingleObject(t, INFINITE);
    CloseHandle(t);
}

#else

typedef pthread_cond_t signal_to;
typedef pthread_t thread;
typedef void *started;
#define STARTED

static int new_signal(signal_to *s) { return pthread_cond_init(s, NULL) == 0; }
static void free_signal(signal_to *s) { pthread_cond_destroy(s); }
static void wait_for(signal_to *s, bgr_lock *l) { pthread_cond_wait(s, &l->mutex); }
static void wake_one(signal_to *s) { pthread_cond_signal(s); }
static void wake_all(signal_to *s) { pthread_cond_broadcast(s); }

/* Block signals from outside in workers, since threads of the program may wait for them; not those of faults. */
static int start(thread *t, started(STARTED *run)(void *), void *of)
{
    sigset_t others, before;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes))
        return 0;
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigfillset(&others);
    const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++)
        sigdelset(&others, faults[k]);
    pthread_sigmask(SIG_SETMASK, &others, &before);
    int failed = pthread_create(t, &attributes, run, of);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return !failed;
}

static void join(thread t) { pthread_join(t, NULL); }

#endif

/* ------------------------------------------------------------------ a team */

/* Levels of pips make many short loops, and waking a thread takes longer than one loop.  So a thread spins this many
 * times before it sleeps: some 10 to 40 microseconds, since a pause takes 20 to 140 cycles. */
enum { LOOKS = 1000 };

static inline void pause_a_little(void)
{
#if defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))
    _mm_pause();
#elif defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
    __builtin_ia32_pause();
#elif defined(__GNUC__) && defined(__aarch64__)
    __asm__ volatile("isb" : : : "memory");
#endif
}

/* Spin until another thread changes a number, or the limit is reached. */
static void look_out(int64_t *number, int64_t before)
{
    for (int k = 0; k < LOOKS && bgr_read(number) == before; k++)
        pause_a_little();
}

typedef struct thread_team thread_team;

typedef struct {
    thread_team *team;
    thread thread;
    int number;
} worker;

struct thread_team {
    /* The loop, written by the caller while no worker is inside, and read by workers inside. */
    void (*body)(void *argument, int64_t k, int worker);
    void *argument;
    int64_t past;
    int64_t next; /* the next piece; all threads add to it */
    /* The members below are protected by the lock. */
    bgr_lock lock;
    signal_to begin, end;
    int open; /* 1: workers may still enter the loop */
    int over; /* 1: the team is to end */
    /* These too, but they may be read without it. */
    int64_t loop;   /* the number of the loop; incremented when the team ends */
    int64_t inside; /* number of workers inside */
    /* Only for the caller. */
    int n_workers, most_workers; /* workers beside the caller: started, allowed */
    worker workers[];
};

/* Take pieces until none is left. */
static void take_pieces(thread_team *team, int number)
{
    int64_t k;
    while ((k = bgr_add(&team->next, 1)) < team->past)
        team->body(team->argument, k, number);
}

static started STARTED work(void *of)
{
    const worker *me = of;
    thread_team *team = me->team;
    int64_t last = 0; /* the loop that this worker was last in */
    bgr_lock_take(&team->lock);
    while (!team->over) {
        if (!team->open || team->loop == last) {
            wait_for(&team->begin, &team->lock);
            continue;
        }
        last = team->loop;
        bgr_add(&team->inside, 1);
        bgr_lock_release(&team->lock);
        take_pieces(team, me->number);
        bgr_lock_take(&team->lock);
        if (bgr_add(&team->inside, -1) == 1 && !team->open)
            wake_one(&team->end);
        bgr_lock_release(&team->lock);
        look_out(&team->loop, last);
        bgr_lock_take(&team->lock);
    }
    bgr_lock_release(&team->lock);
    return 0;
}

static thread_team *new_team(int n_threads)
{
    if (n_threads < 2)
        return NULL;
    thread_team *team = calloc(1, sizeof *team + (size_t)(n_threads - 1) * sizeof *team->workers);
    if (!team)
        return NULL;
    team->most_workers = n_threads - 1;
    int has_lock = bgr_lock_init(&team->lock), has_begin = has_lock && new_signal(&team->begin);
    if (has_begin && new_signal(&team->end))
        return team;
    if (has_begin)
        free_signal(&team->begin);
    if (has_lock)
        bgr_lock_free(&team->lock);
    free(team);
    return NULL;
}

/* Start workers up to this number, or fewer if the system refuses. */
static void grow(thread_team *team, int64_t n_workers)
{
    while (team->n_workers < team->most_workers && team->n_workers < n_workers) {
        worker *next = &team->workers[team->n_workers];
        next->team = team;
        next->number = team->n_workers + 1;
        if (!start(&next->thread, work, next))
            team->most_workers = team->n_workers;
        else
            team->n_workers++;
    }
}

/* The function bgr_parallel.run. */
static void run_loop(void *context, int64_t n, void (*body)(void *argument, int64_t k, int worker), void *argument)
{
    thread_team *team = context;
    int64_t helpers = n - 1; /* pieces beside the caller's first */
    grow(team, helpers);
    team->body = body;
    team->argument = argument;
    team->past = n;
    team->next = 0;
    bgr_lock_take(&team->lock);
    team->open = 1;
    bgr_add(&team->loop, 1);
    bgr_lock_release(&team->lock);
    if (helpers < team->n_workers)
        for (int64_t k = 0; k < helpers; k++)
            wake_one(&team->begin);
    else
        wake_all(&team->begin);
    take_pieces(team, 0);
    bgr_lock_take(&team->lock);
    team->open = 0;
    for (int64_t inside; (inside = team->inside) > 0;) {
        bgr_lock_release(&team->lock);
        look_out(&team->inside, inside);
        bgr_lock_take(&team->lock);
        if (team->inside == inside)
            break;
    }
    while (team->inside)
        wait_for(&team->end, &team->lock);
    bgr_lock_release(&team->lock);
}

const bgr_parallel *bgr_threads_begin(bgr_parallel *threads, int n_threads)
{
    thread_team *team = new_team(n_threads);
    *threads = (bgr_parallel){run_loop, team, n_threads};
    return team ? threads : NULL;
}

void bgr_threads_end(bgr_parallel *threads)
{
    thread_team *team = threads->context;
    if (!team)
        return;
    bgr_lock_take(&team->lock);
    team->over = 1;
    bgr_add(&team->loop, 1);
    bgr_lock_release(&team->lock);
    wake_all(&team->begin);
    for (int k = 0; k < team->n_workers; k++)
        join(team->workers[k].thread);
    free_signal(&team->end);
    free_signal(&team->begin);
    bgr_lock_free(&team->lock);
    free(team);
}

#else
typedef int bgr_no_threads; /* ISO C forbids an empty file */
#endif
