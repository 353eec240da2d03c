/*
 * Two-level locks: each gang has a lock of its own, and there is an outer lock, which a gang keeps while its members
 * want it, but for no more than a bounded number of turns while others wait for it.
 *
 *     priority   the gangs are the main path and the progress loop; the latter never keeps the outer lock.  These are
 *                the three tickets of figure VI.10: high, low, and the one by which high blocks low.  The bound is
 *                needed because threads that always have new work would otherwise keep out those whose work is
 *                long complete
 *     cohort     the gangs are sockets: the lock stays near its data (Dice, Marathe, Shavit: Lock Cohorting)
 *
 * tests/models/arbiter.pml checks these steps:
 *
 *     G1  the gang's lock                      H1  keep the outer lock if the gang wants it and may have it
 *     G2  the outer lock, if the gang has not  H2  else give it up
 *         kept it                              H3  give up the gang's lock
 */
#include "sync/arbiter_kinds.h"

static void enter(struct bn_arbiter *arbiter, struct bn_gang *gang)
{
    const struct bn_wait_policy *wait = bn_arbiter_wait(arbiter);
    bn_ticket_enter(&gang->own, wait); /* G1 */
    if (!gang->has_outer) {
        bn_ticket_enter(&arbiter->outer, wait); /* G2 */
        gang->has_outer = true;
        gang->turns = 0;
    }
    arbiter->gang = gang;
}

void bn_arbiter_priority_enter(struct bn_arbiter *arbiter, enum bn_arbiter_path path)
{
    enter(arbiter, &arbiter->gangs[path]);
}

void bn_arbiter_cohort_enter(struct bn_arbiter *arbiter, enum bn_arbiter_path path)
{
    (void)path;
    enter(arbiter, &arbiter->gangs[bn_watch_socket() % BN_ARBITER_GANGS]);
}

static bool may_keep(const struct bn_arbiter *arbiter, const struct bn_gang *gang)
{
    bool is_progress = arbiter->policy != BN_ARBITER_COHORT && gang == &arbiter->gangs[BN_PATH_PROGRESS];
    return gang->turns < (is_progress ? 0 : BN_ARBITER_BOUND) || !bn_ticket_is_wanted(&arbiter->outer);
}

void bn_arbiter_gang_leave(struct bn_arbiter *arbiter)
{
    struct bn_gang *gang = arbiter->gang;
    if (bn_ticket_is_wanted(&gang->own) && may_keep(arbiter, gang)) { /* H1 */
        gang->turns++;
    } else {
        gang->has_outer = false;
        bn_ticket_leave(&arbiter->outer); /* H2 */
    }
    bn_ticket_leave(&gang->own); /* H3 */
}

bool bn_arbiter_gang_is_wanted(const struct bn_arbiter *arbiter)
{
    return bn_ticket_is_wanted(&arbiter->gang->own) || bn_ticket_is_wanted(&arbiter->outer);
}
