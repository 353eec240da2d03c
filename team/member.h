/*
 * member.h: what a process has of a team, and how a call of it begins and ends.
 *
 * A call that cannot be carried to its end, since a member is gone, is left by longjmp from within a wait of the engine
 * to where it began: nothing of the engine holds a lock while it waits.  The team is only good for leaving then.
 */
#ifndef BN_TEAM_MEMBER_H
#define BN_TEAM_MEMBER_H

#include "banyan/team.h"
#include "node/agree.h"
#include "node/team.h"
#include "team/messages.h"

#include <setjmp.h>
#include <stdint.h>

struct banyan_team {
    struct bn_world *world; /* null: it is a team of one */
    struct bn_node_team *node;
    struct bn_agree agree;   /* whether all buffers of a call are shared */
    struct bn_plans *shared; /* how calls go whose buffers are, node->plans for others */
    enum bn_reach reach;     /* of others */
    int rank, size;
    banyan_status broken; /* why no call is possible any more; BANYAN_OK: all are */
    uint32_t generation;  /* of forks: the process that joined */
    uint32_t is_busy;
    jmp_buf escape; /* of the current call */
    /* Of the wait of the current call (watch.c) */
    uint32_t looks;
    uint64_t began_ns, next_look_ns;
    int meeting;    /* its operation, if that is a barrier or has no data, which comes to the same; else -1 */
    int seen_ahead; /* a member that the last look found in another call; -1: nobody */
    uint64_t timeout_ns;
    bool (*gives_up)(void *context);
    void *context;
    void *copy; /* of what is sent and received in place, kept */
    size_t copy_bytes;
    size_t *tables; /* two numbers for each member */
    struct bn_messages messages;
    char name[BANYAN_NAME_MAX + 1];
};

/** Whether there is no such buffer, of count blocks. */
static inline bool bn_is_too_large(size_t count, size_t bytes)
{
    size_t total_bytes;
    return __builtin_mul_overflow(count, bytes, &total_bytes) || total_bytes > PTRDIFF_MAX;
}

/** Whether calls are possible; if so it is this thread's turn until bn_member_end. */
banyan_status bn_member_begin(banyan_team *team);
void bn_member_end(banyan_team *team);

/** Carries out what may wait, between the two; what body returns, or why it was left. */
banyan_status bn_member_call(banyan_team *team, banyan_status (*body)(banyan_team *team, void *context), void *context);

/** Carries out a call of the engine, between the two. */
banyan_status bn_member_run(banyan_team *team, enum bn_operation operation, const struct bn_call *call);

#endif
