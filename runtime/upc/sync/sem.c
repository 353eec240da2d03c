/* sem.c: <bupc_sem.h>.  A semaphore lies in the local heap of the thread that made it. */
#include "upc/sync/sem.h"

#include "platform/copy.h"
#include "profile/span.h"
#include "sync/semaphore.h"
#include "upc/check/check.h"
#include "upc/context.h"
#include "upc/fatal.h"

#include <stddef.h>

enum { FLAG_BOOLEAN = 1, FLAG_INTEGER = 2, ALL_FLAGS = 63, MAX_VALUE = 65535 };

static const uint64_t MAGIC = 0x6f6870616d65736e; /* unlikely to occur in a freed or foreign block */

struct sem {
    uint64_t magic;
    int flags;
    struct bn_semaphore semaphore;
};

bn_pts_t bupc_sem_alloc(int flags)
{
    if ((flags & ~ALL_FLAGS) != 0 || ((flags & FLAG_BOOLEAN) && (flags & FLAG_INTEGER)))
        bn_upc_fatal("bupc_sem_alloc",
                     "flags are 0x%x; combine BUPC_SEM_BOOLEAN or BUPC_SEM_INTEGER with one of "
                     "S/MPRODUCER and one of S/MCONSUMER",
                     (unsigned)flags);
    uint64_t address = bn_heaps_alloc_local(&bn_context.heaps, bn_context.thread, sizeof(struct sem));
    if (address == 0)
        return bn_null();
    *(struct sem *)address = (struct sem){.magic = MAGIC, .flags = flags};
    return bn_at((const void *)address);
}

/* The flags of the semaphore at ptr, which may be on another node */
static int flags_of(const char *function, bn_pts_t ptr)
{
    struct sem found;
    if (ptr.addr == 0)
        bn_upc_fatal(function, "the pointer to the semaphore is null; allocate the semaphore first");
    if (bn_check_is_on)
        bn_check_made(function, "semaphore", ptr);
    bn_copy(&found, bn_local(ptr), offsetof(struct sem, semaphore));
    if (found.magic != MAGIC)
        bn_upc_fatal(function, "there is no semaphore at 0x%llx; it was freed, or never allocated",
                     (unsigned long long)ptr.addr);
    return found.flags;
}

static struct bn_semaphore *semaphore_at(bn_pts_t ptr)
{
    return &((struct sem *)bn_local(ptr))->semaphore;
}

void bupc_sem_free(bn_pts_t ptr)
{
    if (ptr.addr == 0)
        return;
    static const uint64_t freed = 0;
    (void)flags_of("bupc_sem_free", ptr);
    bn_copy(bn_local(ptr), &freed, sizeof freed);
    if (bn_check_is_on)
        bn_check_free_made(ptr.addr, sizeof(struct sem));
    else if (bn_heaps_free(&bn_context.heaps, bn_context.thread, ptr.addr) != BN_HEAPS_FREED)
        bn_upc_fatal("bupc_sem_free", "there is no semaphore at 0x%llx", (unsigned long long)ptr.addr);
}

/* Checks that a semaphore can hold n units. */
static uint32_t units(const char *function, size_t n)
{
    if (n > MAX_VALUE)
        bn_upc_fatal(function, "%zu is more than BUPC_SEM_MAXVALUE, %d", n, MAX_VALUE);
    return (uint32_t)n;
}

static void post(const char *function, bn_pts_t ptr, size_t n)
{
    int flags = flags_of(function, ptr);
    bn_fence();
    if (flags & FLAG_BOOLEAN) {
        if (n != 0)
            bn_semaphore_raise(semaphore_at(ptr));
    } else if (!bn_semaphore_post(semaphore_at(ptr), units(function, n), MAX_VALUE)) {
        bn_upc_fatal(function, "the value would exceed BUPC_SEM_MAXVALUE, %d; let the consumer wait more often",
                     MAX_VALUE);
    }
}

static void wait(const char *function, bn_pts_t ptr, size_t n)
{
    struct bn_semaphore *semaphore = semaphore_at(ptr);
    (void)flags_of(function, ptr);
    if (bn_check_is_on)
        bn_check_semaphore_wait(function, semaphore, units(function, n));
    else
        bn_semaphore_wait(semaphore, units(function, n), &bn_context.policy);
    bn_fence();
}

static int try(const char *function, bn_pts_t ptr, size_t n)
{
    (void)flags_of(function, ptr);
    bool has_taken = bn_semaphore_try(semaphore_at(ptr), units(function, n));
    bn_fence();
    return has_taken;
}

void bupc_sem_post(bn_pts_t ptr)
{
    BN_SPAN(BN_PROFILE_POST, 0, (int)ptr.thread, BN_NOBODY);
    post("bupc_sem_post", ptr, 1);
}

void bupc_sem_postN(bn_pts_t ptr, size_t n)
{
    BN_SPAN(BN_PROFILE_POST, 0, (int)ptr.thread, BN_NOBODY);
    post("bupc_sem_postN", ptr, n);
}

void bupc_sem_wait(bn_pts_t ptr)
{
    BN_SPAN(BN_PROFILE_AWAIT, 0, (int)ptr.thread, BN_NOBODY);
    wait("bupc_sem_wait", ptr, 1);
}

void bupc_sem_waitN(bn_pts_t ptr, size_t n)
{
    BN_SPAN(BN_PROFILE_AWAIT, 0, (int)ptr.thread, BN_NOBODY);
    wait("bupc_sem_waitN", ptr, n);
}

int bupc_sem_try(bn_pts_t ptr)
{
    BN_SPAN(BN_PROFILE_AWAIT, 0, (int)ptr.thread, BN_NOBODY);
    return try("bupc_sem_try", ptr, 1);
}

int bupc_sem_tryN(bn_pts_t ptr, size_t n)
{
    BN_SPAN(BN_PROFILE_AWAIT, 0, (int)ptr.thread, BN_NOBODY);
    return try("bupc_sem_tryN", ptr, n);
}

void bupc_memput_signal(bn_pts_t dst, const void *src, size_t nbytes, bn_pts_t ptr, size_t n)
{
    BN_SPAN(BN_PROFILE_PUT, nbytes, BN_NOBODY, (int)dst.thread);
    bn_check_block("bupc_memput_signal", "dst", dst, nbytes);
    bn_copy(bn_local(dst), src, nbytes);
    post("bupc_memput_signal", ptr, n);
}

void bupc_memput_signal_async(bn_pts_t dst, const void *src, size_t nbytes, bn_pts_t ptr, size_t n)
{
    BN_SPAN(BN_PROFILE_PUT, nbytes, BN_NOBODY, (int)dst.thread);
    bn_check_block("bupc_memput_signal_async", "dst", dst, nbytes);
    bn_copy(bn_local(dst), src, nbytes);
    post("bupc_memput_signal_async", ptr, n);
}
