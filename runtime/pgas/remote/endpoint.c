#include "pgas/remote/endpoint.h"

#include "banyan/per_thread.h"

/* State of this process; written once, before it has other threads */
static const struct bn_transport *below;
static int threads_each;
static uint64_t share_bytes;
static struct bn_arbiter arbiter;

static BN_PER_THREAD struct bn_arbiter_thread *self;

/* Recursion depth: a thread that dies inside the library reports its end through the same functions, from a signal
 * handler. */
static BN_PER_THREAD int depth;

bool bn_endpoint_join(void)
{
    if (!self)
        self = bn_arbiter_join(&arbiter);
    return self != NULL;
}

static void enter(enum bn_arbiter_path path)
{
    if (depth++ == 0)
        bn_arbiter_enter(&arbiter, self, path);
}

static void leave(void)
{
    if (--depth == 0)
        bn_arbiter_leave(&arbiter, self);
}

static int process_of(int thread)
{
    return thread / threads_each;
}

/* Where the share of a thread begins in the allocation of its process */
static uint64_t share_of(int thread)
{
    return (uint64_t)(thread % threads_each) * share_bytes;
}

/* ---- Called by one thread of each process ---- */

static void *allocate(uint64_t size_bytes)
{
    share_bytes = size_bytes;
    return below->allocate(size_bytes * (uint64_t)threads_each);
}

static void *map(int thread)
{
    unsigned char *allocation = below->map(process_of(thread));
    return allocation ? allocation + share_of(thread) : NULL;
}

static void barrier(void)
{
    below->barrier();
}

/* ---- Called by every thread ---- */

static void get(void *dst, int thread, uint64_t offset, uint64_t size_bytes)
{
    enter(BN_PATH_MAIN);
    below->get(dst, process_of(thread), share_of(thread) + offset, size_bytes);
    leave();
}

static void put(int thread, uint64_t offset, const void *src, uint64_t size_bytes)
{
    enter(BN_PATH_MAIN);
    below->put(process_of(thread), share_of(thread) + offset, src, size_bytes);
    leave();
}

static void get_begin(void *dst, int thread, uint64_t offset, uint64_t size_bytes)
{
    enter(BN_PATH_MAIN);
    below->get_begin(dst, process_of(thread), share_of(thread) + offset, size_bytes);
    leave();
}

static void put_begin(int thread, uint64_t offset, const void *src, uint64_t size_bytes)
{
    enter(BN_PATH_MAIN);
    below->put_begin(process_of(thread), share_of(thread) + offset, src, size_bytes);
    leave();
}

static void store(int thread, uint64_t offset, uint64_t value)
{
    enter(BN_PATH_MAIN);
    below->store(process_of(thread), share_of(thread) + offset, value);
    leave();
}

static uint64_t load(int thread, uint64_t offset)
{
    enter(BN_PATH_MAIN);
    uint64_t value = below->load(process_of(thread), share_of(thread) + offset);
    leave();
    return value;
}

static uint64_t swap(int thread, uint64_t offset, uint64_t value)
{
    enter(BN_PATH_MAIN);
    uint64_t old = below->swap(process_of(thread), share_of(thread) + offset, value);
    leave();
    return old;
}

static uint64_t change(int thread, uint64_t offset, uint64_t expected, uint64_t value)
{
    enter(BN_PATH_MAIN);
    uint64_t old = below->change(process_of(thread), share_of(thread) + offset, expected, value);
    leave();
    return old;
}

static uint64_t add(int thread, uint64_t offset, uint64_t value)
{
    enter(BN_PATH_MAIN);
    uint64_t old = below->add(process_of(thread), share_of(thread) + offset, value);
    leave();
    return old;
}

static bool can_change_narrow(void)
{
    return below->can_change_narrow();
}

static uint64_t atomic(enum bn_transport_op op, unsigned bytes, int thread, uint64_t offset, uint64_t a, uint64_t b)
{
    enter(BN_PATH_MAIN);
    uint64_t old = below->atomic(op, bytes, process_of(thread), share_of(thread) + offset, a, b);
    leave();
    return old;
}

static void put_signal(int thread, uint64_t offset, const void *src, uint64_t size_bytes, uint64_t word_offset,
                       uint64_t value)
{
    uint64_t share = share_of(thread);
    enter(BN_PATH_MAIN);
    below->put_signal(process_of(thread), share + offset, src, size_bytes, share + word_offset, value);
    leave();
}

static void order(void)
{
    enter(BN_PATH_MAIN);
    below->order();
    leave();
}

static void complete(void)
{
    enter(BN_PATH_MAIN);
    below->complete();
    leave();
}

static bool poll(void)
{
    enter(BN_PATH_PROGRESS);
    bool has_yielded = below->poll();
    leave();
    return has_yielded;
}

/* Does not wait for a thread that is inside the library, which may be the one that died. */
__attribute__((noreturn)) static void abort_job(int status)
{
    below->abort(status);
}

const struct bn_transport *bn_endpoint_open(const struct bn_transport *processes, int thread_count_each,
                                            enum bn_arbiter_policy policy, const struct bn_arbiter_place *place)
{
    static const struct bn_transport threads = {
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
        .order = order,
        .complete = complete,
        .poll = poll,
        .barrier = barrier,
        .abort = abort_job,
    };
    below = processes;
    threads_each = thread_count_each;
    bn_arbiter_init(&arbiter, policy, false, place);
    return &threads;
}
