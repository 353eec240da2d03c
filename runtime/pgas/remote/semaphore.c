/*
 * Semaphores of sync/semaphore.h over several nodes: one 64-bit word, changed by the transport's atomics.  Waiting
 * threads do not sleep; they poll the word, which is cheap if it lies in their own memory, and make progress on the
 * network.
 */
#include "sync/semaphore.h"

#include "pgas/remote/remote.h"
#include "platform/atomic_word.h"

#include <stdlib.h>

_Static_assert(sizeof(struct bn_semaphore) == sizeof(uint64_t), "a semaphore is one word");

struct place {
    int thread;
    uint64_t offset;
};

/* The caller has made sure that there is a semaphore. */
static struct place place_of(const struct bn_semaphore *semaphore)
{
    struct place place;
    if (!bn_remote_find((uint64_t)semaphore, &place.thread, &place.offset))
        abort();
    return place;
}

bool bn_semaphore_post(struct bn_semaphore *semaphore, uint32_t units, uint32_t max_value)
{
    struct place place = place_of(semaphore);
    uint64_t old = bn_remote.transport->add(place.thread, place.offset, units);
    if (units <= max_value && old <= max_value - units)
        return true;
    bn_remote.transport->add(place.thread, place.offset, (uint64_t)0 - units);
    return false;
}

void bn_semaphore_raise(struct bn_semaphore *semaphore)
{
    struct place place = place_of(semaphore);
    bn_remote.transport->swap(place.thread, place.offset, 1);
}

uint32_t bn_semaphore_value(const struct bn_semaphore *semaphore)
{
    struct place place = place_of(semaphore);
    if (place.thread == bn_remote.thread)
        return (uint32_t)bn_word64_see((const uint64_t *)semaphore);
    return (uint32_t)bn_remote.transport->load(place.thread, place.offset);
}

static bool take(struct bn_semaphore *semaphore, uint32_t units)
{
    struct place place = place_of(semaphore);
    uint64_t value = bn_semaphore_value(semaphore);
    while (value >= units) {
        uint64_t found = bn_remote.transport->change(place.thread, place.offset, value, value - units);
        if (found == value)
            return true;
        value = found;
    }
    return false;
}

bool bn_semaphore_try(struct bn_semaphore *semaphore, uint32_t units)
{
    bn_poll_often(); /* programs use it in waiting loops */
    return take(semaphore, units);
}

void bn_semaphore_wait(struct bn_semaphore *semaphore, uint32_t units, const struct bn_wait_policy *policy)
{
    uint32_t step = 0;
    (void)policy;
    while (!take(semaphore, units))
        bn_remote_step(&step);
}

void bn_semaphore_watch(const struct bn_semaphore *semaphore, uint32_t units, const struct bn_wait_policy *policy)
{
    uint32_t step = 0;
    (void)policy;
    while (bn_semaphore_value(semaphore) < units)
        bn_remote_step(&step);
}
