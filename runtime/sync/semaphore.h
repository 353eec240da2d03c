/*
 * semaphore.h: counting semaphores in memory that processes share.
 *
 * Everything that a thread did before a post is visible to the thread that gets the units.
 */
#ifndef BN_SYNC_SEMAPHORE_H
#define BN_SYNC_SEMAPHORE_H

#include "sync/wait.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All zero is a semaphore of value 0.  Across nodes the two words together are one, the value
 * (pgas/remote/semaphore.c). */
struct bn_semaphore {
    uint32_t value;
    uint32_t sleepers; /* threads that sleep, or are about to */
} __attribute__((aligned(8)));

/** Adds units; does nothing and returns false if the value would exceed max_value. @cost Two atomic operations; a
 * system call only if a thread sleeps. */
bool bn_semaphore_post(struct bn_semaphore *semaphore, uint32_t units, uint32_t max_value);

/** Sets the value to 1, whatever it was, and wakes all waiters. */
void bn_semaphore_raise(struct bn_semaphore *semaphore);

/** Takes the units if there are enough. */
bool bn_semaphore_try(struct bn_semaphore *semaphore, uint32_t units);

/** Waits until there are enough units, and takes them.  Threads that wait for many units may be overtaken by threads
 * that wait for few. */
void bn_semaphore_wait(struct bn_semaphore *semaphore, uint32_t units, const struct bn_wait_policy *policy);

/** The current value. */
uint32_t bn_semaphore_value(const struct bn_semaphore *semaphore);

/** Waits until there are enough units, without taking them.  Does not sleep. */
void bn_semaphore_watch(const struct bn_semaphore *semaphore, uint32_t units, const struct bn_wait_policy *policy);

#ifdef __cplusplus
}
#endif

#endif
