/*
 * stand_in.c: replaces the flags and barriers of sync/flag.c and sync/barrier.c by functions that call the recorder.
 *
 * All functions of those files that the engine uses are defined here, so that the linker takes neither file from the
 * library.
 */
#include "sim/stand_in.h"

#include "sync/barrier_kinds.h"
#include "sync/flag.h"

void bn_flag_raise(struct bn_flag* flag, uint64_t number)
{
    bn_sim_raise((uint64_t)flag, number, true);
}

void bn_flag_raise_for_node(struct bn_flag* flag, uint64_t number)
{
    bn_sim_raise((uint64_t)flag, number, false);
}

void bn_flag_raise_behind(struct bn_flag* flag, uint64_t number, void* dst, const void* src, size_t size_bytes)
{
    bn_sim_bring((uint64_t)flag, number, (uint64_t)dst, (uint64_t)src, size_bytes, false);
}

void bn_flag_hand_over(struct bn_flag* flag, uint64_t number, void* dst, const void* src, size_t size_bytes)
{
    bn_sim_bring((uint64_t)flag, number, (uint64_t)dst, (uint64_t)src, size_bytes, true);
}

void bn_flag_hand_over_part(void* dst, const void* src, size_t size_bytes)
{
    bn_sim_hand_over_part((uint64_t)dst, (uint64_t)src, size_bytes);
}

bool bn_flag_await_for(struct bn_flag* flag, uint64_t number, const struct bn_wait_policy* policy, int64_t timeout_ns)
{
    (void)policy;
    (void)timeout_ns;
    bn_sim_await((uint64_t)flag, number);
    return true;
}

void bn_flag_await(struct bn_flag* flag, uint64_t number, const struct bn_wait_policy* policy)
{
    (void)policy;
    bn_sim_await((uint64_t)flag, number);
}

size_t bn_barrier_size_bytes(void)
{
    return sizeof(struct bn_barrier);
}

void bn_barrier_init(struct bn_barrier* barrier, int thread_count, struct bn_wait_policy policy)
{
    *barrier = (struct bn_barrier){.thread_count = thread_count, .policy = policy};
}

struct bn_barrier_member bn_barrier_join(int thread)
{
    return (struct bn_barrier_member){.thread = thread};
}

size_t bn_barrier_lines_bytes(int thread_count)
{
    return (size_t)thread_count * sizeof(struct bn_barrier_lines);
}

void bn_barrier_extend(struct bn_barrier_member* member, struct bn_barrier_lines* lines,
                       const struct bn_barrier_tree* tree)
{
    member->lines = lines;
    member->tree = tree ? *tree : (struct bn_barrier_tree){.path_length = 0};
}

void bn_barrier_choose(struct bn_barrier_member* member, enum bn_barrier_kind kind)
{
    member->kind = kind;
}

enum bn_barrier_result bn_barrier_cross(struct bn_barrier* barrier, struct bn_barrier_member* member,
                                        struct bn_barrier_value value, struct bn_barrier_conflict* conflict_p)
{
    (void)barrier;
    (void)member;
    (void)value;
    (void)conflict_p;
    bn_sim_barrier();
    return BN_BARRIER_OK;
}

void bn_barrier_abandon(struct bn_barrier* barrier, const struct bn_barrier_member* member)
{
    (void)barrier;
    (void)member;
}
