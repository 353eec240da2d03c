/*
 * pthreads.c: threads are POSIX threads of one or more processes (upcc -pthreads, docs/design/014-pthreads.md; only in
 * libbanyan-pthreads.a and libbanyan-shmem-pthreads.a).
 *
 * The first thread of a process is its first POSIX thread, so it has the stack that the system gives a program.
 * Programs are linked with -Wl,--wrap=exit and --wrap=atexit: exit ends a thread and not its process, and functions
 * registered by atexit are called by the thread that registered them.
 */
#include "upc/start/launch.h"

#include "base/log.h"
#include "base/options.h"
#include "banyan/per_thread.h"
#include "boot/crash.h"
#include "boot/job.h"
#include "platform/atomic_word.h"
#include "upc/check/check.h"
#include "upc/fatal.h"
#include "upc/start/inherit.h"
#include "upc/start/lifetime.h"
#include "upc/start/start.h"
#include "upc/start/units.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

extern char **environ;

/* Threads per process; 0: all in one process.  Programs linked with upcc -pthreads=N define this variable. */
__attribute__((weak)) int bn_option_pthreads;

const bool bn_launch_forks_each = false;

/* What the threads need to run the program; written before they are created. */
static struct {
    int (*run)(int argc, char **argv, char **environment);
    int argc;
    char **argv;
    struct bn_launch_threads threads; /* the threads of this process */
    int *statuses;                    /* exit status of each thread of this process */
    uint32_t ended;                   /* number of threads that have ended */
} program;

/* Protects the images, shared by the threads, in which initial values are computed, and lets one thread at a time call
 * its constructors, since what they do was written for the time before there are threads. */
static pthread_mutex_t begin_lock = PTHREAD_MUTEX_INITIALIZER;

static BN_PER_THREAD bool begins; /* whether this thread holds begin_lock */

static void end_beginning(void)
{
    if (!begins)
        return;
    begins = false;
    pthread_mutex_unlock(&begin_lock);
}

/* ---- The end of a thread ---- */

struct end_call {
    struct end_call *next;
    void (*function)(void);
};

static BN_PER_THREAD struct end_call *end_calls; /* the last one first */

__attribute__((noreturn)) void __real_exit(int status);
int __real_atexit(void (*function)(void));
__attribute__((noreturn)) void __wrap_exit(int status);
int __wrap_atexit(void (*function)(void));

int __wrap_atexit(void (*function)(void))
{
    if (bn_job_thread() < 0)
        return __real_atexit(function);
    struct end_call *call = malloc(sizeof *call);
    if (!call)
        return -1;
    *call = (struct end_call){end_calls, function};
    end_calls = call;
    return 0;
}

static void call_end_calls(void)
{
    while (end_calls) {
        struct end_call call = *end_calls;
        free(end_calls);
        end_calls = call.next;
        call.function();
    }
}

/* Called by the last thread of a process: ends the process, with the status of the lowest thread that has failed. */
__attribute__((noreturn)) static void end_process(void)
{
    for (int i = 0; i < program.threads.end - program.threads.first; ++i) {
        if ((program.statuses[i] & 0xff) != 0)
            __real_exit(program.statuses[i]);
    }
    __real_exit(EXIT_SUCCESS);
}

__attribute__((noreturn)) static void end_thread(int status)
{
    call_end_calls();
    if (bn_job_thread() < 0) /* in a process that a thread has forked, or in a POSIX thread created by the program
                                itself */
        __real_exit(status);
    bn_lifetime_end();
    end_beginning(); /* if a constructor has come here */
    program.statuses[bn_job_thread() - program.threads.first] = bn_launch_leave(status);
    if (bn_word_add(&program.ended, 1) == (uint32_t)(program.threads.end - program.threads.first))
        end_process();
    for (;;)
        pause();
}

void __wrap_exit(int status)
{
    end_thread(status);
}

/* Handles pthread_exit in a UPC thread. */
static void end_by_pthread_exit(void *nothing)
{
    (void)nothing;
    end_thread(EXIT_SUCCESS);
}

/* ---- The start of a thread ---- */

/* Each thread gets a copy of the arguments, because it may modify them. */
static char **copy_arguments(void)
{
    char **copy = calloc((size_t)program.argc + 1, sizeof *copy);
    for (int i = 0; copy && i < program.argc; ++i)
        copy[i] = strdup(program.argv[i]);
    return copy;
}

__attribute__((noreturn)) static void live(int thread)
{
    pthread_mutex_lock(&begin_lock);
    begins = true;
    if (bn_context_inherit() != BN_OK) {
        bn_job_claim_end(EXIT_FAILURE);
        _exit(EXIT_FAILURE);
    }
    bn_launch_become(thread);
    bn_job_note_lines(bn_launch_gives_lines());
    bn_units_initialise(bn_units());
    char **argv = copy_arguments();
    if (!argv)
        bn_upc_fatal(NULL, "no memory for the arguments of the program");
    int status;
    pthread_cleanup_push(end_by_pthread_exit, NULL);
    bn_lifetime_begin(program.argc, argv, environ);
    end_beginning();
    bn_launch_meet();
    status = program.run(program.argc, argv, environ);
    bn_check_forall_done();
    pthread_cleanup_pop(0);
    end_thread(status);
}

static void *live_beside(void *number)
{
    bn_crash_use_own_stack();
    live((int)(intptr_t)number);
}

static int add_own_objects(struct dl_phdr_info *info, size_t info_bytes, void *sum)
{
    (void)info_bytes;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        if (info->dlpi_phdr[i].p_type == PT_TLS)
            *(size_t *)sum += info->dlpi_phdr[i].p_memsz + info->dlpi_phdr[i].p_align;
    }
    return 0;
}

/* Stack size: that of the first POSIX thread, if it has a limit, plus room for thread-local objects, which include the
 * program's private variables and which the C library places on the stack. */
static size_t stack_bytes(void)
{
    enum { NORMAL_BYTES = 8 << 20, LEAST_BYTES = 64 << 10 };
    struct rlimit limit;
    size_t own_bytes = 0;
    dl_iterate_phdr(add_own_objects, &own_bytes);
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return NORMAL_BYTES + own_bytes;
    return (limit.rlim_cur < LEAST_BYTES ? LEAST_BYTES : (size_t)limit.rlim_cur) + own_bytes;
}

/* Threads that libraries make get such a stack as well, since the C library leaves them 2 KiB beside large thread-local
 * objects.  UCX 1.18 makes one as it is loaded, so this comes before the constructors of libraries. */
static void set_stacks(void)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack_bytes());
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
}

__attribute__((section(".preinit_array"), used)) static void (*const set_stacks_first)(void) = set_stacks;

static void start_beside(int thread)
{
    pthread_attr_t attributes;
    pthread_t posix_thread;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    int error = pthread_create(&posix_thread, &attributes, live_beside, (void *)(intptr_t)thread);
    pthread_attr_destroy(&attributes);
    if (error == 0)
        return;
    bn_log_error("cannot start thread %d: %s; use fewer threads (-n), a smaller stack (ulimit -s), or raise the limit "
                 "of processes (ulimit -u, pids.max of the control group)",
                 thread, strerror(error));
    bn_job_claim_end(EXIT_FAILURE);
    _exit(EXIT_FAILURE);
}

int bn_upc_run(int argc, char **argv, int (*run)(int argc, char **argv, char **environment))
{
    bn_launch_prepare(&argc, argv);
    int wished =
        bn_option_number(BN_OPTION_PTHREADS) > 0 ? (int)bn_option_number(BN_OPTION_PTHREADS) : bn_option_pthreads;
    program.threads = bn_launch_processes(wished);
    program.run = run;
    program.argc = argc;
    program.argv = argv;
    bn_context_offer();
    program.statuses = calloc((size_t)(program.threads.end - program.threads.first), sizeof *program.statuses);
    if (!program.statuses)
        bn_upc_fatal(NULL, "no memory for the threads");
    for (int thread = program.threads.first + 1; thread < program.threads.end; ++thread)
        start_beside(thread);
    live(program.threads.first);
}

void bn_upc_start(int *argc, char **argv)
{
    (void)argc;
    (void)argv;
    bn_upc_fatal("bupc_init", "with -pthreads, threads start before main; link the program with upcc -pthreads");
}
