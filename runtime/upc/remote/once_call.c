/*
 * once_call.c: collective calls that thread 0 carries out; it tells the others the result in a separate barrier.  The
 * barrier's value is a hash of function and arguments, so that a thread that makes a different call is detected.
 */
#include "upc/sync/once_call.h"

#include "pgas/remote/barrier.h"
#include "upc/context.h"
#include "upc/fatal.h"
#include "upc/remote/barriers.h"

/* FNV-1a over the bytes of a word */
static uint32_t hash_word(uint32_t hash, uint64_t word)
{
    for (unsigned shift = 0; shift < 64; shift += 8)
        hash = (hash ^ (uint32_t)(word >> shift & 0xff)) * 16777619U;
    return hash;
}

/* The hash of the function is in the bits above that of its arguments */
enum { ARGUMENT_BITS = 16 };

static int number_of(const struct bn_once_call *call)
{
    uint32_t function = 2166136261U;
    uint32_t arguments = hash_word(hash_word(function, call->arguments[0]), call->arguments[1]);
    for (const char *at = call->function; *at != '\0'; at++)
        function = hash_word(function, (unsigned char)*at);
    return (int)((function << ARGUMENT_BITS & INT32_MAX) |
                 (arguments ^ arguments >> ARGUMENT_BITS) % (1U << ARGUMENT_BITS));
}

__attribute__((noreturn)) static void refuse(const struct bn_once_call *call,
                                             const struct bn_barrier_conflict *conflict)
{
    if (conflict->own_value >> ARGUMENT_BITS != conflict->other_value >> ARGUMENT_BITS)
        bn_upc_fatal(
            call->function,
            "thread %d calls another function instead; all threads must make the same collective calls in the same "
            "order",
            conflict->other_thread);
    bn_upc_fatal(call->function, "thread %d gives other arguments; they must be the same on all threads",
                 conflict->other_thread);
}

static BN_PER_THREAD struct bn_barrier *barrier;
static BN_PER_THREAD struct bn_barrier_member member;

static void join(void)
{
    if (barrier)
        return;
    barrier = bn_remote_barrier(BN_BARRIER_OF_CALLS);
    member = bn_barrier_join(bn_context.thread);
}

static void meet(struct bn_once_call *call)
{
    struct bn_barrier_conflict conflict;
    struct bn_barrier_value value = {true, number_of(call)};
    join();
    enum bn_barrier_result result = bn_barrier_tell(barrier, &member, value, &call->result, &conflict);
    if (result == BN_BARRIER_ABANDONED)
        bn_upc_fatal(
            call->function,
            "thread %d has ended and will never come to this call; let all threads call the same collective functions",
            conflict.other_thread);
    if (result != BN_BARRIER_OK)
        refuse(call, &conflict);
}

void bn_once_calls_abandon(void)
{
    join();
    bn_barrier_abandon(barrier, &member);
}

bool bn_once_call_begin(struct bn_once_call *call)
{
    bn_context_check_collective(call->function);
    call->result = 0;
    if (bn_context.thread == 0)
        return true;
    meet(call);
    return false;
}

void bn_once_call_publish(struct bn_once_call *call, uint64_t result)
{
    call->result = result;
    meet(call);
}

bool bn_once_call_end(struct bn_once_call *call)
{
    (void)call;
    return bn_context.thread == 0;
}
