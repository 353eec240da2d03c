/*
 * shmem.c: the transport for OpenSHMEM 1.4.
 *
 * The settings that Open MPI needs in containers (docs/design/009-clusters.md) are put into the environment of this
 * process before the library reads it, unless they are set already: plain oshrun is enough to start a program.
 */
#include "transport/transport.h"

#include "platform/library.h"
#include "platform/memory.h"
#include "platform/pause.h"
#include "transport/signal.h"
#include "platform/process.h"

#include <sched.h>
#include <shmem.h>

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Serves requests of other processes; part of Open MPI, absent elsewhere. */
extern void opal_progress(void) __attribute__((weak));

/* Part of AddressSanitizer (upcc -fsanitize=address), absent elsewhere */
extern void __asan_init(void) __attribute__((weak));

/* The default options of AddressSanitizer, which ASAN_OPTIONS or a function of the program can override: no search for
 * leaks, because it finds those of the library, and occasionally fails on the library's threads. */
__attribute__((weak, visibility("default"))) const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

static unsigned char *base;

/* Whether opal_progress yields, as prepare_environment requests unless the setting exists already */
static bool yields;

/* The value of the first of these variables that holds a number; `none` if there is no such variable. */
static int number_of(const char *const *names, size_t count, int none)
{
    for (size_t i = 0; i < count; i++) {
        const char *text = getenv(names[i]);
        if (text && *text >= '0' && *text <= '9')
            return atoi(text);
    }
    return none;
}

/* Set by Open MPI and PRRTE; by PMI of MPICH's Hydra and of Slurm; in a step of Slurm */
static int launched_rank(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
    int rank = number_of(names, sizeof names / sizeof names[0], -1);
    /* Slurm also numbers the process that runs the script of a job, which is not a step. */
    return rank < 0 && getenv("SLURM_STEP_NUM_TASKS") ? number_of((const char *[]){"SLURM_PROCID"}, 1, -1) : rank;
}

static int launched_count(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
    return number_of(names, sizeof names / sizeof names[0], 0);
}

/* The number of tasks on a node, from Slurm's notation such as "2(x3),1": two tasks on each of three nodes, one on the
 * next */
static int slurm_tasks_of(const char *text, int node)
{
    while (*text >= '0' && *text <= '9') {
        char *end;
        long tasks = strtol(text, &end, 10);
        long nodes = strncmp(end, "(x", 2) == 0 ? strtol(end + 2, &end, 10) : 1;
        if (node < nodes)
            return (int)tasks;
        node -= (int)nodes;
        text = end + strspn(end, "),");
    }
    return 1;
}

static int local_count(void)
{
    const char *tasks = getenv("SLURM_STEP_TASKS_PER_NODE");
    int count = number_of((const char *[]){"OMPI_COMM_WORLD_LOCAL_SIZE"}, 1, 0);
    if (count == 0 && tasks)
        count = slurm_tasks_of(tasks, number_of((const char *[]){"SLURM_NODEID"}, 1, 0));
    return count > 0 ? count : 1;
}

static int local_rank(void)
{
    return number_of((const char *[]){"OMPI_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID"}, 2, 0);
}

/* srun connects processes only on request; otherwise Open MPI prints a page of errors for each of them. */
static const char *why_unconnected(void)
{
    static const char *const connected[] = {"OMPI_COMM_WORLD_RANK", "PMIX_NAMESPACE", "PMI_RANK", "PMI_FD",
                                            "PMI_JOBID"};
    for (size_t i = 0; i < sizeof connected / sizeof connected[0]; i++) {
        if (getenv(connected[i]))
            return NULL;
    }
    return getenv("SLURM_STEP_NUM_TASKS") ? "srun has not connected its processes: start them by srun --mpi=pmix, or "
                                            "by upcrun inside salloc or sbatch"
                                          : NULL;
}

/* UCX allocates the heap in shared memory only if it may use such a transport. */
static bool has_shared_memory(const char *transports)
{
    static const char *const names[] = {"all", "shm", "sm", "posix", "sysv", "mm", "^"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strstr(transports, names[i]))
            return true;
    }
    return false;
}

/* If UCX is loaded with the program, as by Open MPI 5, it has installed handlers for crash signals, and its sigaction
 * keeps others from replacing them. */
static const char ucx_leaves_signals[] = "ucs_debug_disable_signals";

static bool is_ucx_loaded(void)
{
    return bn_library_loaded_symbol(ucx_leaves_signals) != NULL;
}

static void leave_signals(void)
{
    void (*leave)(void) = (void (*)(void))bn_library_loaded_symbol(ucx_leaves_signals);
    if (leave)
        leave();
}

/* Open MPI's default address of the heap, 0xff000000, lies in AddressSanitizer's shadow memory; this address is below
 * where Linux loads programs. */
static void leave_room_for_sanitizer(void)
{
    if (__asan_init)
        setenv("OMPI_MCA_sshmem_base_start_address", "0x551000000000", 0);
}

/* Open MPI has read the size of the heap from several names.  Version 4 refuses to start if the two that it knows
 * differ, as one from the user may, or one that Open MPI exports to the threads of an outer job; version 5.0.10 warns
 * if both of those that it knows are set.  So each version finds one. */
static void set_heap_size(uint64_t heap_bytes)
{
    static const char *const names[] = {"SHMEM_SYMMETRIC_SIZE", "SHMEM_SYMMETRIC_HEAP_SIZE"};
    enum { SPARE_BYTES = 16 << 20 }; /* for the library itself, and for alignment */
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)(heap_bytes + SPARE_BYTES));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        setenv(names[i], text, 1);
    unsetenv("SMA_SYMMETRIC_SIZE");
}

static void prepare_environment(uint64_t heap_bytes)
{
    const char *transports = getenv("UCX_TLS");
    set_heap_size(heap_bytes);
    setenv("OMPI_MCA_opal_common_ucx_opal_mem_hooks", "0", 0); /* otherwise it crashes at exit */
    setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);            /* more processes than cores */
    if (is_ucx_loaded()) {
        setenv("OMPI_MCA_memheap_base_key_exchange", "0", 0);     /* instead of it: exchange_keys */
        setenv("OMPI_MCA_memheap_base_max_segments", "10000", 0); /* otherwise it may warn of the parts named there */
    } else { /* later UCX would warn that these settings come too late */
        setenv("UCX_HANDLE_ERRORS", "none", 0);
        setenv("UCX_DEBUG_SIGNO", "0", 0); /* otherwise SIGHUP makes it print pages, and does not end the process */
    }
    setenv("UCX_TCP_TX_SEG_SIZE", "128k", 0); /* fewer, larger messages: docs/tuning/clusters.md */
    setenv("UCX_TCP_RX_SEG_SIZE", "256k", 0); /* must hold one */
    yields = opal_progress && strcmp(getenv("OMPI_MCA_mpi_yield_when_idle"), "1") == 0;
    if (!bn_process_may_read_others())
        setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 0); /* otherwise each large message prints that it
                                                                        * failed */
    if (transports && !has_shared_memory(transports))
        setenv("OMPI_MCA_sshmem", "sysv", 0);
    leave_room_for_sanitizer();
}

static void initialize(bool has_threads)
{
    int provided; /* calls are never concurrent, so a lower level suffices with all known libraries */
    if (has_threads)
        shmem_init_thread(SHMEM_THREAD_SERIALIZED, &provided);
    else
        shmem_init();
}

/* Open MPI's OpenSHMEM handles two signals: the process would survive SIGTERM, and exit on SIGUSR1. */
static void initialize_without_signals(bool has_threads)
{
    static const int taken[] = {SIGTERM, SIGUSR1};
    enum { COUNT = sizeof taken / sizeof taken[0] };
    struct sigaction before[COUNT];
    for (int i = 0; i < COUNT; i++)
        sigaction(taken[i], NULL, &before[i]);
    initialize(has_threads);
    for (int i = 0; i < COUNT; i++)
        sigaction(taken[i], &before[i], NULL);
}

static void start(uint64_t heap_bytes, bool has_threads, int *thread_p, int *thread_count_p)
{
    bool is_ours = getenv("HWLOC_COMPONENTS") == NULL;
    prepare_environment(heap_bytes);
    if (is_ours) /* looking for OpenCL takes time, and Mesa's ends a program that has AddressSanitizer */
        setenv("HWLOC_COMPONENTS", "-opencl", 1);
    initialize_without_signals(has_threads);
    if (is_ours)
        unsetenv("HWLOC_COMPONENTS");
    *thread_p = shmem_my_pe();
    *thread_count_p = shmem_n_pes();
}

/* Open MPI's launcher ends the others when a process exits.  Slurm's lets them wait for it, so the process takes part
 * until it can end them.  Messages of the library about this are discarded, since the reason has been reported. */
__attribute__((noreturn)) static void give_up(int status)
{
    int nowhere = getenv("OMPI_COMM_WORLD_RANK") ? -1 : open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) {
        dup2(nowhere, STDERR_FILENO);
        prepare_environment(0);
        shmem_init();
        shmem_global_exit(status);
    }
    _exit(status);
}

/* Has the library ask each process for the key of its heap.
 *
 * Otherwise Open MPI exchanges, in shmem_init, the keys of all memory that it takes for static data of the program.  In
 * Ubuntu 26.04 (5.0.10) that includes the libraries, because the symbol _end, where the program's data ends, is that of
 * Open MPI's own library.  How many parts this memory has differs between processes, so about one start of two threads
 * in four crashed there. */
static void exchange_keys(void)
{
    int count = shmem_n_pes();
    for (int step = 1; base && step < count; step++)
        shmem_addr_accessible(base, (shmem_my_pe() + step) % count);
}

static void *allocate(uint64_t size_bytes)
{
    base = shmem_align(bn_memory_page_bytes(), size_bytes);
    if (is_ucx_loaded())
        exchange_keys();
    return base;
}

static void *map(int thread)
{
    return thread == shmem_my_pe() ? base : shmem_ptr(base, thread);
}

static void get(void *dst, int thread, uint64_t offset, uint64_t size_bytes)
{
    shmem_getmem(dst, base + offset, size_bytes, thread);
}

static void put(int thread, uint64_t offset, const void *src, uint64_t size_bytes)
{
    shmem_putmem(base + offset, src, size_bytes, thread);
}

static void get_begin(void *dst, int thread, uint64_t offset, uint64_t size_bytes)
{
    shmem_getmem_nbi(dst, base + offset, size_bytes, thread);
}

static void put_begin(int thread, uint64_t offset, const void *src, uint64_t size_bytes)
{
    shmem_putmem_nbi(base + offset, src, size_bytes, thread);
}

/* OpenSHMEM provides these atomics for unsigned long, which has 64 bits on all systems that Banyan supports. */
_Static_assert(sizeof(unsigned long) == sizeof(uint64_t), "words of 64 bits");

static unsigned long *word(uint64_t offset)
{
    return (unsigned long *)(base + offset);
}

static void store(int thread, uint64_t offset, uint64_t value)
{
    shmem_ulong_p(word(offset), value, thread);
}

static void put_signal(int thread, uint64_t offset, const void *src, uint64_t size_bytes, uint64_t word_offset,
                       uint64_t value)
{
    bn_shmem_put_signal(base + offset, src, size_bytes, (uint64_t *)(void *)(base + word_offset), value, thread);
}

static uint64_t load(int thread, uint64_t offset)
{
    return shmem_ulong_atomic_fetch(word(offset), thread);
}

static uint64_t swap(int thread, uint64_t offset, uint64_t value)
{
    return shmem_ulong_atomic_swap(word(offset), value, thread);
}

static uint64_t change(int thread, uint64_t offset, uint64_t expected, uint64_t value)
{
    return shmem_ulong_atomic_compare_swap(word(offset), expected, value, thread);
}

static uint64_t add(int thread, uint64_t offset, uint64_t value)
{
    return shmem_ulong_atomic_fetch_add(word(offset), value, thread);
}

#define DEFINE_ATOMIC(NAME, T)                                                                                         \
    static T atomic_##NAME(enum bn_transport_op op, int thread, uint64_t offset, T a, T b)                             \
    {                                                                                                                  \
        T *target = (T *)(base + offset);                                                                              \
        switch (op) {                                                                                                  \
        case BN_TRANSPORT_SWAP: return shmem_##NAME##_atomic_swap(target, a, thread);                                  \
        case BN_TRANSPORT_CHANGE: return shmem_##NAME##_atomic_compare_swap(target, a, b, thread);                     \
        case BN_TRANSPORT_ADD: return shmem_##NAME##_atomic_fetch_add(target, a, thread);                              \
        default: return shmem_##NAME##_atomic_fetch(target, thread);                                                   \
        }                                                                                                              \
    }

DEFINE_ATOMIC(uint, unsigned)
DEFINE_ATOMIC(ulong, unsigned long)

/* Open MPI 4.1.4 writes 8 bytes of result to a variable of 4: "stack smashing detected". */
static bool can_change_narrow(void)
{
    return !opal_progress;
}

static uint64_t atomic(enum bn_transport_op op, unsigned bytes, int thread, uint64_t offset, uint64_t a, uint64_t b)
{
    return bytes == sizeof(unsigned) ? atomic_uint(op, thread, offset, (unsigned)a, (unsigned)b)
                                     : atomic_ulong(op, thread, offset, a, b);
}

/* The library's own waits call sched_yield; this definition makes them obey our policy, unless the program defines a
 * function of that name. */
__attribute__((visibility("default"), weak)) int sched_yield(void)
{
    bn_cpu_yield();
    return 0;
}

static bool poll(void)
{
    if (opal_progress)
        opal_progress();
    return yields;
}

static void finish(void)
{
    shmem_finalize();
}

__attribute__((noreturn)) static void abort_job(int status)
{
    shmem_global_exit(status);
    for (;;)
        bn_cpu_yield();
}

const struct bn_transport bn_transport_shmem = {
    .launched_rank = launched_rank,
    .launched_count = launched_count,
    .local_count = local_count,
    .local_rank = local_rank,
    .why_unconnected = why_unconnected,
    .leave_signals = leave_signals,
    .start = start,
    .give_up = give_up,
    .allocate = allocate,
    .map = map,
    .get = get,
    .put = put,
    .get_begin = get_begin,
    .put_begin = put_begin,
    .store = store,
    .load = load,
    .swap = swap,
    .change = change,
    .add = add,
    .can_change_narrow = can_change_narrow,
    .atomic = atomic,
    .put_signal = put_signal,
    .order = shmem_fence,
    .complete = shmem_quiet,
    .poll = poll,
    .barrier = shmem_barrier_all,
    .collectives = &bn_transport_shmem_collectives,
    .finish = finish,
    .abort = abort_job,
};
