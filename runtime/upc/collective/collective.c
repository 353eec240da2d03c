/*
 * collective.c: collectives that move data: maps UPC's functions to calls of runtime/coll.
 */
#include "upc/collective/collective.h"

#include "coll/registry.h"
#include "coll/run.h"
#include "profile/span.h"
#include "upc/check/check.h"
#include "upc/collective/exchange.h"
#include "upc/fatal.h"
#include "upc/hierarchy.h"
#include "upc/upc_c.h"

static uint64_t alloc(void *context, size_t size_bytes)
{
    const struct bn_context *self = context;
    return bn_heaps_alloc_local(&self->heaps, self->thread, size_bytes);
}

static void release(void *context, uint64_t address)
{
    const struct bn_context *self = context;
    bn_heaps_free(&self->heaps, self->thread, address);
}

static const struct bn_hierarchy *find_hierarchy(void *context)
{
    (void)context;
    return bn_upc_hierarchy();
}

static void abandoned(void *context, int thread)
{
    const struct bn_context *self = context;
    bn_upc_fatal(
        self->collective,
        "thread %d has ended and will never come to this call; let all threads call the same collective functions",
        thread);
}

void bn_collective_attach(struct bn_context *context, const struct bn_team *team)
{
    context->team = *team;
    context->team.host = (struct bn_team_host){context, alloc, release, find_hierarchy, NULL, abandoned, NULL};
    bn_plans_init(&context->team, &context->plans, context->coll_table);
}

void bn_collective_share_barrier(struct bn_context *context)
{
    bn_barrier_extend(&context->user_member, context->user_lines, &context->team.barrier_groups);
    bn_barrier_choose(&context->user_member, context->team.member.kind);
}

void bn_context_check_collective(const char *function)
{
    bn_context.collective = function;
    if (bn_context.user_member.has_notified) {
        bn_context_refuse_forked(function);
        bn_upc_fatal(function,
                     "called between upc_notify and upc_wait; move the call before the one or after the other");
    }
    if (bn_check_is_on)
        bn_check_collective(function);
}

/* For -fcheck: flags name at most one way of synchronisation at entry, and one at exit. */
__attribute__((cold, noinline)) static void check_flags(const char *function, int flags)
{
    enum { IN = BN_IN_ALLSYNC | BN_IN_MYSYNC | BN_IN_NOSYNC, OUT = BN_OUT_ALLSYNC | BN_OUT_MYSYNC | BN_OUT_NOSYNC };
    int in = flags & IN, out = flags & OUT;
    if (flags != (in | out))
        bn_upc_fatal(function, "flags is 0x%x; it must be one of UPC_IN_... | one of UPC_OUT_...", (unsigned)flags);
    if ((in & (in - 1)) != 0 || (out & (out - 1)) != 0)
        bn_upc_fatal(function, "flags names more than one of UPC_%s_ALLSYNC, _MYSYNC and _NOSYNC; choose one",
                     (in & (in - 1)) != 0 ? "IN" : "OUT");
}

void bn_collective_check(const char *function, int flags)
{
    if (__builtin_expect(bn_check_here.file != NULL, 0))
        check_flags(function, flags);
    bn_context_check_collective(function);
}

/* For a profile: notes the number of the way that such calls use, which has been chosen by now. */
__attribute__((cold, noinline)) static void note_way(enum bn_operation operation, const struct bn_call *call)
{
    const struct bn_plans *plans = &bn_context.plans;
    unsigned sync = (unsigned)call->in * BN_SYNC_COUNT + (unsigned)call->out;
    unsigned plan = plans->chosen[operation][sync][bn_size_class(call->nbytes)];
    int count;
    if (plan != 0)
        bn_span_way((uint32_t)(plans->plans[plan - 1].entry - bn_registry(operation, &count)));
}

void bn_collective_run(const char *function, enum bn_operation operation, const struct bn_call *call)
{
    if (__builtin_expect(bn_operation_run(&bn_context.team, operation, call) != BN_OK, 0))
        bn_upc_fatal(function, "cannot be carried out, for the reason above");
    if (__builtin_expect(bn_profile_is_on, 0))
        note_way(operation, call);
}

/* Runs a call with dst and src, one of which is at the root while the other begins on thread 0. */
static void run(const char *function, enum bn_operation operation, bn_pts_t dst, bn_pts_t src, int root, size_t nbytes,
                int flags)
{
    const struct bn_call call = {
        .dst = dst.addr,
        .src = src.addr,
        .nbytes = nbytes,
        .root = root,
        .in = bn_sync_at_entry(flags),
        .out = bn_sync_at_exit(flags),
    };
    bn_collective_check(function, flags);
    bn_collective_run(function, operation, &call);
}

/* The same pointer, moved to thread 0 */
static bn_pts_t on_first(bn_pts_t ptr)
{
    return (bn_pts_t){ptr.addr - bn_stride(ptr.thread), 0, ptr.phase};
}

/* Bytes of one block for each thread */
static size_t of_all(size_t nbytes)
{
    return nbytes * (size_t)bn_context.thread_count;
}

/* For a profile: notes that a block comes from each thread. */
__attribute__((cold, noinline)) static void note_from_all(size_t nbytes)
{
    for (int thread = 0; thread < bn_context.thread_count; thread++)
        bn_span_flow(thread, nbytes, 0);
}

void upc_all_broadcast(bn_pts_t dst, bn_pts_t src, size_t nbytes, int flags)
{
    BN_SPAN(BN_PROFILE_BROADCAST, nbytes, (int)src.thread, BN_NOBODY);
    bn_check_arguments("dst src nbytes flags", dst.addr, src.addr, nbytes, (uint64_t)flags);
    bn_check_part("upc_all_broadcast", "dst", dst, nbytes);
    bn_check_block("upc_all_broadcast", "src", src, nbytes);
    run("upc_all_broadcast", BN_BROADCAST, on_first(dst), src, (int)src.thread, nbytes, flags);
}

void upc_all_scatter(bn_pts_t dst, bn_pts_t src, size_t nbytes, int flags)
{
    BN_SPAN(BN_PROFILE_SCATTER, nbytes, (int)src.thread, BN_NOBODY);
    bn_check_arguments("dst src nbytes flags", dst.addr, src.addr, nbytes, (uint64_t)flags);
    bn_check_part("upc_all_scatter", "dst", dst, nbytes);
    bn_check_block("upc_all_scatter", "src", src, of_all(nbytes));
    run("upc_all_scatter", BN_SCATTER, on_first(dst), src, (int)src.thread, nbytes, flags);
}

void upc_all_gather(bn_pts_t dst, bn_pts_t src, size_t nbytes, int flags)
{
    BN_SPAN(BN_PROFILE_GATHER, nbytes, BN_NOBODY, (int)dst.thread);
    bn_check_arguments("dst src nbytes flags", dst.addr, src.addr, nbytes, (uint64_t)flags);
    bn_check_block("upc_all_gather", "dst", dst, of_all(nbytes));
    bn_check_part("upc_all_gather", "src", src, nbytes);
    run("upc_all_gather", BN_GATHER, dst, on_first(src), (int)dst.thread, nbytes, flags);
}

void upc_all_gather_all(bn_pts_t dst, bn_pts_t src, size_t nbytes, int flags)
{
    BN_SPAN(BN_PROFILE_GATHER_ALL, of_all(nbytes), BN_NOBODY, BN_NOBODY);
    if (bn_span)
        note_from_all(nbytes);
    bn_check_arguments("dst src nbytes flags", dst.addr, src.addr, nbytes, (uint64_t)flags);
    bn_check_part("upc_all_gather_all", "dst", dst, of_all(nbytes));
    bn_check_part("upc_all_gather_all", "src", src, nbytes);
    run("upc_all_gather_all", BN_GATHER_ALL, on_first(dst), on_first(src), 0, nbytes, flags);
}

void upc_all_exchange(bn_pts_t dst, bn_pts_t src, size_t nbytes, int flags)
{
    BN_SPAN(BN_PROFILE_EXCHANGE, of_all(nbytes), BN_NOBODY, BN_NOBODY);
    if (bn_span)
        note_from_all(nbytes);
    bn_check_arguments("dst src nbytes flags", dst.addr, src.addr, nbytes, (uint64_t)flags);
    bn_check_part("upc_all_exchange", "dst", dst, of_all(nbytes));
    bn_check_part("upc_all_exchange", "src", src, of_all(nbytes));
    run("upc_all_exchange", BN_EXCHANGE, on_first(dst), on_first(src), 0, nbytes, flags);
}

/* For -fcheck: all threads have entered, so each may read its own entry.  Entries out of range are detected later. */
__attribute__((cold, noinline)) static void check_permutation(bn_pts_t perm)
{
    int to = *(const int *)bn_part(perm, bn_context.thread);
    bn_exchange_show("upc_all_permute", &to, sizeof to);
    for (int thread = 0; thread < bn_context.thread && to >= 0 && to < bn_context.thread_count; thread++) {
        if (*(const int *)bn_exchange_shown(thread, sizeof to) == to)
            bn_upc_fatal("upc_all_permute",
                         "perm sends the blocks of threads %d and %d to thread %d; let it name each thread once",
                         thread, bn_context.thread, to);
    }
}

void upc_all_permute(bn_pts_t dst, bn_pts_t src, bn_pts_t perm, size_t nbytes, int flags)
{
    BN_SPAN(BN_PROFILE_PERMUTE, nbytes, BN_NOBODY, BN_NOBODY);
    bn_check_arguments("dst src perm nbytes flags", dst.addr, src.addr, perm.addr, nbytes, (uint64_t)flags);
    bn_check_part("upc_all_permute", "dst", dst, nbytes);
    bn_check_part("upc_all_permute", "src", src, nbytes);
    bn_check_part("upc_all_permute", "perm", perm, sizeof(int));
    const struct bn_call call = {
        .dst = on_first(dst).addr,
        .src = on_first(src).addr,
        .perm = on_first(perm).addr,
        .nbytes = nbytes,
        .in = bn_sync_at_entry(flags),
        .out = bn_sync_at_exit(flags),
    };
    bn_collective_check("upc_all_permute", flags);
    if (__builtin_expect(bn_check_is_on, 0))
        check_permutation(perm);
    bn_collective_run("upc_all_permute", BN_PERMUTE, &call);
    if (bn_span)
        bn_span_flow(*(const int *)bn_part(perm, bn_context.thread), 0, nbytes);
}
