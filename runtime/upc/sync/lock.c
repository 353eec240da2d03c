/*
 * lock.c: locks of the program.  A lock lies in the local heap of the thread that made it, so that making one takes no
 * memory elsewhere; in the collective call the first thread to arrive makes the lock.
 */
#include "platform/atomic_pair.h"
#include "profile/span.h"
#include "upc/check/check.h"
#include "upc/context.h"
#include "upc/fatal.h"
#include "upc/sync/once_call.h"
#include "upc/upc_c.h"
#include "upc/watched.h"

static uint64_t make_lock(void)
{
    uint64_t address = bn_heaps_alloc_local(&bn_context.heaps, bn_context.thread, BN_LOCK_BYTES);
    if (address != 0)
        bn_lock_init((struct bn_lock *)address);
    return address;
}

bn_pts_t upc_global_lock_alloc(void)
{
    BN_SPAN(BN_PROFILE_ALLOC, 0, BN_NOBODY, BN_NOBODY);
    return bn_pointer_to(make_lock());
}

bn_pts_t upc_all_lock_alloc(void)
{
    BN_SPAN(BN_PROFILE_ALL_ALLOC, 0, BN_NOBODY, BN_NOBODY);
    struct bn_once_call call = {.function = "upc_all_lock_alloc"};
    if (bn_once_call_begin(&call))
        bn_once_call_publish(&call, make_lock());
    bn_once_call_end(&call);
    return bn_pointer_to(call.result);
}

/* Ends the program unless result means success */
static void check(const char *function, bn_pts_t ptr, enum bn_lock_result result)
{
    switch (result) {
    case BN_LOCK_OK:
    case BN_LOCK_BUSY: return;
    case BN_LOCK_NO_LOCK:
        bn_upc_fatal(function, "there is no lock at 0x%llx; it was freed, or never allocated",
                     (unsigned long long)ptr.addr);
    case BN_LOCK_HELD_BY_SELF:
        bn_upc_fatal(function, "this thread holds the lock already and would wait for itself; unlock it first");
    case BN_LOCK_NOT_HELD:
        bn_upc_fatal(function, "this thread does not hold the lock; only the thread that locked it may unlock it");
    case BN_LOCK_HOLDER_ENDED:
        bn_upc_fatal(function, "thread %d holds the lock and has ended without upc_unlock, so nobody will ever get it",
                     (int)bn_lock_holder(bn_local(ptr)) - 1);
    }
}

static struct bn_lock *lock_at(const char *function, bn_pts_t ptr)
{
    if (ptr.addr == 0)
        bn_upc_fatal(function, "the pointer to the lock is null; allocate the lock first");
    if (__builtin_expect(bn_upc_is_watched, 0) && bn_check_is_on)
        bn_check_made(function, "lock", ptr);
    return bn_local(ptr);
}

/* As bn_lock_acquire, but records on the board of -fcheck that this thread waits. */
static enum bn_lock_result acquire_watched(struct bn_lock *lock)
{
    enum bn_lock_result result = bn_lock_try(lock, bn_context.thread);
    if (result != BN_LOCK_BUSY)
        return result;
    bn_check_lock_wait("upc_lock", lock);
    result = bn_lock_acquire(lock, bn_context.thread, &bn_context.locks);
    bn_check_resume();
    return result;
}

/* upc_lock and upc_unlock imply strict accesses: what the thread wrote before can be seen before it reads anything
 * after. Both have changed the lock atomically. */
static void order(void)
{
    if (!BN_RMW_ORDERS_ALL)
        bn_fence();
}

/* With only one test if nothing is watched, as in memory/copy.c */

static void lock(bn_pts_t ptr)
{
    enum bn_lock_result result = bn_lock_acquire(lock_at("upc_lock", ptr), bn_context.thread, &bn_context.locks);
    if (result != BN_LOCK_OK)
        check("upc_lock", ptr, result);
    order();
}

__attribute__((cold, noinline)) static void lock_watched(bn_pts_t ptr, const void *caller)
{
    BN_SPAN_FROM(caller, BN_PROFILE_LOCK, 0, (int)ptr.thread, BN_NOBODY);
    if (!bn_check_is_on) {
        lock(ptr);
        return;
    }
    check("upc_lock", ptr, acquire_watched(lock_at("upc_lock", ptr)));
    order();
}

void upc_lock(bn_pts_t ptr)
{
    if (__builtin_expect(bn_upc_is_watched, 0))
        lock_watched(ptr, __builtin_return_address(0));
    else
        lock(ptr);
}

int upc_lock_attempt(bn_pts_t ptr)
{
    BN_SPAN(BN_PROFILE_LOCK_ATTEMPT, 0, (int)ptr.thread, BN_NOBODY);
    enum bn_lock_result result = bn_lock_try(lock_at("upc_lock_attempt", ptr), bn_context.thread);
    if (result != BN_LOCK_OK)
        check("upc_lock_attempt", ptr, result);
    order();
    return result == BN_LOCK_OK;
}

static void unlock(bn_pts_t ptr)
{
    enum bn_lock_result result = bn_lock_release(lock_at("upc_unlock", ptr), bn_context.thread);
    if (result != BN_LOCK_OK)
        check("upc_unlock", ptr, result);
    order();
}

__attribute__((cold, noinline)) static void unlock_watched(bn_pts_t ptr, const void *caller)
{
    BN_SPAN_FROM(caller, BN_PROFILE_UNLOCK, 0, (int)ptr.thread, BN_NOBODY);
    unlock(ptr);
}

void upc_unlock(bn_pts_t ptr)
{
    if (__builtin_expect(bn_upc_is_watched, 0))
        unlock_watched(ptr, __builtin_return_address(0));
    else
        unlock(ptr);
}

static void free_lock(const char *function, bn_pts_t ptr)
{
    struct bn_lock *lock = lock_at(function, ptr);
    int waiter = bn_check_is_on ? bn_check_lock_waiter(lock) : -1;
    if (waiter >= 0)
        bn_upc_fatal(function, "thread %d waits for the lock; free it when nobody needs it any more", waiter);
    check(function, ptr, bn_lock_destroy(lock));
    if (bn_check_is_on)
        bn_check_free_made(ptr.addr, BN_LOCK_BYTES);
    else if (bn_heaps_free(&bn_context.heaps, bn_context.thread, ptr.addr) != BN_HEAPS_FREED)
        check(function, ptr, BN_LOCK_NO_LOCK);
}

void upc_lock_free(bn_pts_t ptr)
{
    BN_SPAN(BN_PROFILE_FREE, 0, BN_NOBODY, BN_NOBODY);
    if (ptr.addr != 0)
        free_lock("upc_lock_free", ptr);
}

void upc_all_lock_free(bn_pts_t ptr)
{
    BN_SPAN(BN_PROFILE_ALL_FREE, 0, BN_NOBODY, BN_NOBODY);
    if (bn_once_call_is_last("upc_all_lock_free", ptr) && ptr.addr != 0)
        free_lock("upc_all_lock_free", ptr);
}

BN_ALSO(bupc_all_lock_free, upc_all_lock_free);
