/* extern.c: <bupc_extern.h> and <bupc_tentative.h>: the interface of UPC for other languages. */
#include "upc/start/extern.h"

#include "banyan/access.h"
#include "boot/job.h"
#include "upc/context.h"
#include "upc/fatal.h"
#include "upc/start/start.h"
#include "upc/upc_c.h"

#include <stdlib.h>

/* This file defines the variables with their values, so they are not weak here. */
#define BN_TENTATIVE extern __attribute__((visibility("default")))
#include "upc/bupc_tentative.h"

/* ---- Start and end ---- */

void bupc_init(int *argc, char ***argv)
{
    if (!bn_job())
        bn_upc_start(argc, *argv);
}

BN_OWN_DEFINE(bupc_init);

static _Noreturn void run_as_threads(int *argc, char ***argv, int (*pmain_func)(int, char **))
{
    BN_OWN(bupc_init)(argc, argv);
    exit(pmain_func(*argc, *argv));
}

void bupc_init_reentrant(int *argc, char ***argv, int (*pmain_func)(int, char **))
{
    run_as_threads(argc, argv, pmain_func);
}

void bupc_exit(int exitcode)
{
    exit(exitcode);
}

static void check_started(const char *function)
{
    if (!bn_job())
        bn_upc_fatal(function, "called before the threads were started; call bupc_init first in main");
}

/* ---- Threads ---- */

int bupc_extern_mythread(void)
{
    check_started("bupc_extern_mythread");
    return bn_mythread();
}

int bupc_extern_threads(void)
{
    check_started("bupc_extern_threads");
    return bn_threads();
}

char *bupc_extern_getenv(const char *env_name)
{
    return getenv(env_name);
}

void bupc_extern_notify(int barrier_id)
{
    check_started("bupc_extern_notify");
    bn_notify_value(barrier_id);
}

void bupc_extern_wait(int barrier_id)
{
    check_started("bupc_extern_wait");
    bn_wait_value(barrier_id);
}

void bupc_extern_barrier(int barrier_id)
{
    check_started("bupc_extern_barrier");
    bn_barrier_value(barrier_id);
}

/* ---- Memory ---- */

void *bupc_extern_alloc(size_t bytes)
{
    check_started("bupc_extern_alloc");
    return bn_local(BN_OWN(upc_alloc)(bytes));
}

void *bupc_extern_all_alloc(size_t nblocks, size_t blocksz)
{
    check_started("bupc_extern_all_alloc");
    bn_pts_t first = BN_OWN(upc_all_alloc)(nblocks, blocksz);
    return first.addr == 0 ? NULL : (void *)(uintptr_t)(first.addr + bn_stride((bn_u64)bn_mythread()));
}

/* The pointer that the allocation function returned, given that ptr is the part of thread: the parts of an object in
 * the global heap are identified by that of thread 0. */
static bn_pts_t whole(const char *function, void *ptr, int thread)
{
    int owner;
    uint64_t offset;
    check_started(function);
    if (!ptr)
        return bn_null();
    enum bn_segment_place place = bn_segment_classify(&bn_context.segments, (uint64_t)(uintptr_t)ptr, &owner, &offset);
    if (place == BN_PLACE_OUTSIDE || owner != thread)
        bn_upc_fatal(function,
                     "%p is not in the shared memory of thread %d; pass what the allocation function "
                     "returned and the thread that it returned it to",
                     ptr, thread);
    uint64_t address = (uint64_t)(uintptr_t)ptr;
    return bn_at((void *)(uintptr_t)(place == BN_PLACE_GLOBAL_HEAP ? address - bn_stride((bn_u64)thread) : address));
}

void bupc_extern_free(void *ptr, int thread)
{
    BN_OWN(upc_free)(whole("bupc_extern_free", ptr, thread));
}

void bupc_extern_all_free(void *ptr, int thread)
{
    BN_OWN(upc_all_free)(whole("bupc_extern_all_free", ptr, thread));
}

/* ---- The same functions as variables ---- */

BN_OWN_DEFINE(bupc_extern_mythread);
BN_OWN_DEFINE(bupc_extern_threads);
BN_OWN_DEFINE(bupc_extern_getenv);
BN_OWN_DEFINE(bupc_extern_notify);
BN_OWN_DEFINE(bupc_extern_wait);
BN_OWN_DEFINE(bupc_extern_barrier);
BN_OWN_DEFINE(bupc_extern_alloc);
BN_OWN_DEFINE(bupc_extern_all_alloc);
BN_OWN_DEFINE(bupc_extern_free);
BN_OWN_DEFINE(bupc_extern_all_free);

void (*bupc_tentative_init)(int *argc, char ***argv) = BN_OWN(bupc_init);
void (*bupc_tentative_init_reentrant)(int *, char ***, int (*)(int, char **)) = run_as_threads;
void (*bupc_tentative_exit)(int) = exit;
int (*bupc_tentative_mythread)(void) = BN_OWN(bupc_extern_mythread);
int (*bupc_tentative_threads)(void) = BN_OWN(bupc_extern_threads);
char *(*bupc_tentative_getenv)(const char *) = BN_OWN(bupc_extern_getenv);
void (*bupc_tentative_notify)(int) = BN_OWN(bupc_extern_notify);
void (*bupc_tentative_wait)(int) = BN_OWN(bupc_extern_wait);
void (*bupc_tentative_barrier)(int) = BN_OWN(bupc_extern_barrier);
void *(*bupc_tentative_alloc)(size_t) = BN_OWN(bupc_extern_alloc);
void *(*bupc_tentative_all_alloc)(size_t, size_t) = BN_OWN(bupc_extern_all_alloc);
void (*bupc_tentative_free)(void *, int) = BN_OWN(bupc_extern_free);
void (*bupc_tentative_all_free)(void *, int) = BN_OWN(bupc_extern_all_free);
