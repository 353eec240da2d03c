/*
 * member.h: the state of a team in a process, and how a call begins and ends.
 *
 * A call that cannot be completed because a member is gone is left by longjmp, from a wait within the engine to the
 * start of the call; that is safe because the engine holds no lock while it waits.  After that, the team can only be
 * left.
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
    struct bn_world *world; /* null: a team of one */
    struct bn_node_team *node;
    struct bn_agree agree;   /* on whether all buffers of a call are shared */
    struct bn_plans *shared; /* plans for calls with shared buffers; node->plans for others */
    enum bn_reach reach;     /* for other calls */
    int rank, size;
    banyan_status broken; /* why calls are no longer possible; BANYAN_OK: they are */
    uint32_t generation;  /* number of forks before this process; differs in a forked child */
    uint32_t is_busy;
    jmp_buf escape; /* of the current call */
    /* State of waiting in the current call (watch.c) */
    uint32_t looks;
    uint64_t began_ns, next_look_ns;
    int meeting;    /* its operation, if it has no data and thus is like a barrier; else -1 */
    int seen_ahead; /* a member that the last check found in another call; -1: none */
    uint64_t timeout_ns;
    bool (*gives_up)(void *context);
    void *context;
    void *copy; /* of data sent and received in place; kept for later calls */
    size_t copy_bytes;
    size_t *tables; /* two numbers per member */
    struct bn_messages messages;
    char name[BANYAN_NAME_MAX + 1];
};

/** Whether count blocks are larger than any buffer can be. */
static inline bool bn_is_too_large(size_t count, size_t bytes)
{
    size_t total_bytes;
    return __builtin_mul_overflow(count, bytes, &total_bytes) || total_bytes > PTRDIFF_MAX;
}

/** Begins a call: if BANYAN_OK, no other thread can call until bn_member_end.  Otherwise calls are not possible. */
banyan_status bn_member_begin(banyan_team *team);
void bn_member_end(banyan_team *team);

/** Runs body, which may wait, between begin and end; returns body's result, or the reason why it was left. */
banyan_status bn_member_call(banyan_team *team, banyan_status (*body)(banyan_team *team, void *context), void *context);

/** Runs an operation of the engine, between begin and end. */
banyan_status bn_member_run(banyan_team *team, enum bn_operation operation, const struct bn_call *call);

#endif
