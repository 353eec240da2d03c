/*
 * ticket.h: a ticket lock for the threads of one process: threads get it in the order of their requests.
 *
 * A thread draws a ticket by one atomic addition.  Each holder calls the next ticket, whose owner waits on a cache line
 * of its own.  Waiters spin, yield and sleep as in wait.h; a call wakes the thread whose turn it is and, if more
 * threads wait than there are lines, those that share its line.  All zero is the free state.
 */
#ifndef BN_SYNC_TICKET_H
#define BN_SYNC_TICKET_H

#include "sync/wait.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BN_TICKET_LINES = 16 };

struct bn_ticket {
    uint32_t next __attribute__((aligned(BN_LINE_BYTES)));    /* the next ticket to be drawn */
    uint32_t serving __attribute__((aligned(BN_LINE_BYTES))); /* the ticket whose turn it is; for the holder */
    struct bn_event lines[BN_TICKET_LINES];                   /* by ticket modulo BN_TICKET_LINES: the last ticket
                                                               * called on this line */
};

/** Returns with the lock held; everything that earlier holders did is visible. @cost One atomic operation if it is
 * free. */
static inline void bn_ticket_enter(struct bn_ticket *ticket, const struct bn_wait_policy *policy)
{
    uint32_t own = __atomic_fetch_add(&ticket->next, 1, __ATOMIC_RELAXED); /* T1 */
    struct bn_event *line = &ticket->lines[own % BN_TICKET_LINES];
    if (!bn_event_has_reached(line, own)) /* T2 */
        bn_event_wait(line, own, policy);
}

/** Whether a thread waits, or is about to.  Called by the holder. */
static inline bool bn_ticket_is_wanted(const struct bn_ticket *ticket)
{
    return __atomic_load_n(&ticket->next, __ATOMIC_RELAXED) != ticket->serving + 1;
}

/** Releases the lock.  Called by the holder. @cost One atomic operation; a system call if the next thread sleeps. */
static inline void bn_ticket_leave(struct bn_ticket *ticket)
{
    uint32_t next = ++ticket->serving;
    bn_event_publish(&ticket->lines[next % BN_TICKET_LINES], next); /* T3 */
}

#ifdef __cplusplus
}
#endif

#endif
