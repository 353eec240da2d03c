#include "sync/arbiter.h"

#include "platform/clock.h"
#include "sync/arbiter_kinds.h"

#include <stdlib.h>
#include <string.h>

/* ---- Policies of one level ---- */

static void mutex_enter(struct bn_arbiter *arbiter, enum bn_arbiter_path path)
{
    (void)path;
    pthread_mutex_lock(&arbiter->mutex);
}

static void mutex_leave(struct bn_arbiter *arbiter)
{
    pthread_mutex_unlock(&arbiter->mutex);
}

static bool mutex_is_wanted(const struct bn_arbiter *arbiter)
{
    (void)arbiter;
    return true;
}

static void ticket_enter(struct bn_arbiter *arbiter, enum bn_arbiter_path path)
{
    (void)path;
    bn_ticket_enter(&arbiter->outer, bn_arbiter_wait(arbiter));
}

static void ticket_leave(struct bn_arbiter *arbiter)
{
    bn_ticket_leave(&arbiter->outer);
}

static bool ticket_is_wanted(const struct bn_arbiter *arbiter)
{
    return bn_ticket_is_wanted(&arbiter->outer);
}

static void open_enter(struct bn_arbiter *arbiter, enum bn_arbiter_path path)
{
    (void)arbiter;
    (void)path;
}

static void open_leave(struct bn_arbiter *arbiter)
{
    (void)arbiter;
}

/* Each thread polls for itself, and stays inside between two polls while no other thread wants to enter. */
static void await_alone(struct bn_arbiter *arbiter, struct bn_arbiter_thread *self, bn_arbiter_poll poll, void *context)
{
    const struct bn_wait_policy *wait = bn_arbiter_wait(arbiter);
    uint32_t step = 0;
    bn_arbiter_enter(arbiter, self, BN_PATH_PROGRESS);
    while (!poll(context)) {
        if (step < wait->spin_count && !bn_arbiter_is_wanted(arbiter)) {
            bn_wait_step(&step, wait);
            continue;
        }
        bn_arbiter_leave(arbiter, self);
        bn_wait_step(&step, wait);
        bn_arbiter_enter(arbiter, self, BN_PATH_PROGRESS);
    }
    bn_arbiter_leave(arbiter, self);
}

static const struct bn_arbiter_kind kinds[BN_ARBITER_POLICY_COUNT] = {
    [BN_ARBITER_MUTEX] = {"mutex", false, mutex_enter, mutex_leave, mutex_is_wanted, await_alone},
    [BN_ARBITER_TICKET] = {"ticket", true, ticket_enter, ticket_leave, ticket_is_wanted, await_alone},
    [BN_ARBITER_PRIORITY] = {"priority", true, bn_arbiter_priority_enter, bn_arbiter_gang_leave,
                             bn_arbiter_gang_is_wanted, await_alone},
    [BN_ARBITER_COHORT] = {"cohort", true, bn_arbiter_cohort_enter, bn_arbiter_gang_leave, bn_arbiter_gang_is_wanted,
                           await_alone},
    [BN_ARBITER_DRIVEN] = {"driven", true, bn_arbiter_priority_enter, bn_arbiter_gang_leave, bn_arbiter_gang_is_wanted,
                           bn_arbiter_driven_await},
    [BN_ARBITER_OPEN] = {"open", false, open_enter, open_leave, mutex_is_wanted, await_alone},
};

const char *bn_arbiter_policy_name(enum bn_arbiter_policy policy)
{
    return kinds[policy].name;
}

/* ---- Threads ---- */

enum { LOOK_EVERY = 1024 }; /* entries between two checks whether the first thread enters the section, too */

/* Sets is_crowded for thread_count threads that need a core each. */
static void set_crowded(struct bn_arbiter *arbiter, int thread_count)
{
    __atomic_store_n(&arbiter->is_crowded, thread_count > arbiter->threads_at_ease, __ATOMIC_RELAXED);
}

/* Changes the number of participants; under join_lock, or before other threads use the arbiter. */
static void count(struct bn_arbiter *arbiter, int more)
{
    struct bn_watch *watch = &arbiter->watch;
    arbiter->thread_count += more;
    bn_spinlock_acquire(&watch->lock);
    if ((uint64_t)arbiter->thread_count > watch->record.most_threads)
        watch->record.most_threads = (uint64_t)arbiter->thread_count;
    bn_spinlock_release(&watch->lock);
    set_crowded(arbiter, arbiter->thread_count);
}

/* Called inside the section */
static void look_for_first(struct bn_arbiter *arbiter)
{
    bn_spinlock_acquire(&arbiter->join_lock);
    bool is_idle = arbiter->first && __atomic_exchange_n(&arbiter->first->has_asked, 0, __ATOMIC_RELAXED) == 0;
    set_crowded(arbiter, arbiter->thread_count - is_idle);
    bn_spinlock_release(&arbiter->join_lock);
}

/* A thread with a core of its own spins for a while before it sleeps: a wake-up takes longer than most stays inside. */
static void make_mutex(struct bn_arbiter *arbiter)
{
    bool spins = arbiter->policy == BN_ARBITER_MUTEX && arbiter->threads_at_ease > 1;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, spins ? PTHREAD_MUTEX_ADAPTIVE_NP : PTHREAD_MUTEX_DEFAULT);
    pthread_mutex_init(&arbiter->mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

void bn_arbiter_init(struct bn_arbiter *arbiter, enum bn_arbiter_policy policy, bool is_watched,
                     const struct bn_arbiter_place *place)
{
    memset(arbiter, 0, sizeof *arbiter);
    arbiter->policy = policy;
    arbiter->is_watched = is_watched;
    arbiter->waits[0] = bn_wait_policy_make(1, 1, place->wait);
    arbiter->waits[1] = bn_wait_policy_make(2, 1, place->wait == BN_WAIT_AUTO ? BN_WAIT_SLEEP : place->wait);
    arbiter->threads_at_ease = place->core_count / place->processes;
    make_mutex(arbiter);
    if (is_watched)
        bn_clock_start(); /* once, before several threads read the clock */
    count(arbiter, 0);
}

void bn_arbiter_destroy(struct bn_arbiter *arbiter)
{
    while (arbiter->free_threads) {
        struct bn_arbiter_thread *thread = arbiter->free_threads;
        arbiter->free_threads = thread->next;
        free(thread);
    }
    pthread_mutex_destroy(&arbiter->mutex);
}

/* The memory of a parted thread is reused, and freed only with the arbiter: a thread that published to its event may
 * still be checking whether it sleeps. */
static struct bn_arbiter_thread *take_thread(struct bn_arbiter *arbiter)
{
    struct bn_arbiter_thread *thread = arbiter->free_threads;
    if (thread) {
        arbiter->free_threads = thread->next;
        return thread;
    }
    thread = aligned_alloc(BN_LINE_BYTES, sizeof *thread);
    return thread ? memset(thread, 0, sizeof *thread) : NULL;
}

struct bn_arbiter_thread *bn_arbiter_join(struct bn_arbiter *arbiter)
{
    bn_spinlock_acquire(&arbiter->join_lock);
    struct bn_arbiter_thread *thread = take_thread(arbiter);
    if (arbiter->thread_count == 0)
        arbiter->first = thread;
    count(arbiter, thread ? 1 : 0);
    bn_spinlock_release(&arbiter->join_lock);
    return thread;
}

void bn_arbiter_part(struct bn_arbiter *arbiter, struct bn_arbiter_thread *self)
{
    bn_spinlock_acquire(&arbiter->join_lock);
    self->next = arbiter->free_threads;
    arbiter->free_threads = self;
    if (self == arbiter->first)
        arbiter->first = NULL;
    count(arbiter, -1);
    bn_spinlock_release(&arbiter->join_lock);
}

/* ---- The door ---- */

static void pass_door(struct bn_arbiter *arbiter, struct bn_arbiter_thread *self)
{
    self->has_door = kinds[arbiter->policy].has_door && bn_arbiter_is_crowded(arbiter);
    if (self->has_door)
        pthread_mutex_lock(&arbiter->mutex);
}

/* ---- Public functions ---- */

void bn_arbiter_enter(struct bn_arbiter *arbiter, struct bn_arbiter_thread *self, enum bn_arbiter_path path)
{
    if (__builtin_expect(arbiter->is_watched, 0))
        bn_watch_ask(&arbiter->watch, &self->watch, path);
    __atomic_store_n(&self->has_asked, 1, __ATOMIC_RELAXED);
    pass_door(arbiter, self);
    kinds[arbiter->policy].enter(arbiter, path);
    if (arbiter->policy != BN_ARBITER_OPEN && ++arbiter->entries % LOOK_EVERY == 0)
        look_for_first(arbiter);
    if (__builtin_expect(arbiter->is_watched, 0) && arbiter->policy != BN_ARBITER_OPEN)
        bn_watch_enter(&arbiter->watch, &self->watch);
}

void bn_arbiter_leave(struct bn_arbiter *arbiter, struct bn_arbiter_thread *self)
{
    /* With the open policy, the library admits threads by its own locks, which are not visible here; the order in which
     * they leave counts. */
    if (__builtin_expect(arbiter->is_watched, 0) && arbiter->policy == BN_ARBITER_OPEN)
        bn_watch_enter(&arbiter->watch, &self->watch);
    if (__builtin_expect(arbiter->is_watched, 0))
        bn_watch_leave(&arbiter->watch, &self->watch);
    kinds[arbiter->policy].leave(arbiter);
    if (self->has_door)
        pthread_mutex_unlock(&arbiter->mutex);
}

bool bn_arbiter_is_wanted(const struct bn_arbiter *arbiter)
{
    return bn_arbiter_is_crowded(arbiter) || kinds[arbiter->policy].is_wanted(arbiter);
}

void bn_arbiter_await(struct bn_arbiter *arbiter, struct bn_arbiter_thread *self, bn_arbiter_poll poll, void *context)
{
    kinds[arbiter->policy].await(arbiter, self, poll, context);
}
