/* arbiter_kinds.h: the policies, for arbiter.c. */
#ifndef BN_SYNC_ARBITER_KINDS_H
#define BN_SYNC_ARBITER_KINDS_H

#include "sync/arbiter.h"

/* The policy's implementation of the functions of these names in arbiter.h, without instruments */
struct bn_arbiter_kind {
    const char *name;
    bool has_door; /* uses the door when threads outnumber cores */
    void (*enter)(struct bn_arbiter *arbiter, enum bn_arbiter_path path);
    void (*leave)(struct bn_arbiter *arbiter);
    bool (*is_wanted)(const struct bn_arbiter *arbiter);
    void (*await)(struct bn_arbiter *arbiter, struct bn_arbiter_thread *self, bn_arbiter_poll poll, void *context);
};

static inline const struct bn_wait_policy *bn_arbiter_wait(const struct bn_arbiter *arbiter)
{
    return &arbiter->waits[bn_arbiter_is_crowded(arbiter)];
}

void bn_arbiter_priority_enter(struct bn_arbiter *arbiter, enum bn_arbiter_path path);
void bn_arbiter_cohort_enter(struct bn_arbiter *arbiter, enum bn_arbiter_path path);
void bn_arbiter_gang_leave(struct bn_arbiter *arbiter);
bool bn_arbiter_gang_is_wanted(const struct bn_arbiter *arbiter);
void bn_arbiter_driven_await(struct bn_arbiter *arbiter, struct bn_arbiter_thread *self, bn_arbiter_poll poll,
                             void *context);

#endif
