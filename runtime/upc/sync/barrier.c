/* barrier.c: the statements upc_notify, upc_wait and upc_barrier. */
#include "base/log.h"
#include "base/options.h"
#include "profile/span.h"
#include "upc/check/check.h"
#include "upc/context.h"
#include "upc/fatal.h"

static const struct bn_barrier_value no_value = {false, 0};

__attribute__((cold, noinline)) static void report(const char *statement, enum bn_barrier_result result,
                                                   const struct bn_barrier_conflict *conflict)
{
    switch (result) {
    case BN_BARRIER_OK: return;
    case BN_BARRIER_NOTIFIED_TWICE:
        bn_context_refuse_forked(statement);
        bn_upc_fatal(statement, "this thread has notified already; execute upc_wait before the next upc_notify or "
                                "upc_barrier");
    case BN_BARRIER_NOT_NOTIFIED:
        bn_upc_fatal(statement, "this thread has not notified; execute upc_notify before upc_wait");
    case BN_BARRIER_ABANDONED:
        bn_upc_fatal(statement,
                     "thread %d has ended and will never come to this barrier; let all threads execute the same number "
                     "of barriers",
                     conflict->other_thread);
    case BN_BARRIER_NOTIFY_MISMATCH:
    case BN_BARRIER_WAIT_MISMATCH:
        if (bn_option_number(BN_OPTION_BARRIER_MISMATCH_WARNS)) {
            bn_log_warning("%s: value %d does not match value %d of thread %d", statement, conflict->own_value,
                           conflict->other_value, conflict->other_thread);
            return;
        }
        bn_upc_fatal(statement, "value %d does not match value %d of thread %d; the threads are at different barriers",
                     conflict->own_value, conflict->other_value, conflict->other_thread);
    }
}

static void notify(const char *statement, struct bn_barrier_value value)
{
    if (bn_check_is_on && !bn_context.user_member.has_notified)
        bn_check_barrier_notify(statement, value.given, value.value);
    enum bn_barrier_result result = bn_barrier_notify(bn_context.user_barrier, &bn_context.user_member, value);
    if (result != BN_BARRIER_OK)
        report(statement, result, NULL);
}

static void wait(const char *statement, struct bn_barrier_value value)
{
    struct bn_barrier_conflict conflict;
    if (bn_check_is_on && bn_context.user_member.has_notified)
        bn_check_barrier_wait(statement);
    enum bn_barrier_result result = bn_barrier_wait(bn_context.user_barrier, &bn_context.user_member, value, &conflict);
    if (result != BN_BARRIER_OK)
        report(statement, result, &conflict);
}

/*
 * The notifies of different threads must be ordered with each other and with the accesses around them, so a full fence
 * separates a notify from later reads of the same thread, and so must the waits, after which reads must not be older
 * than the writes before.  In upc_barrier the wait follows the notify immediately, and together they provide the order.
 */

static void pass_notify(struct bn_barrier_value value, const void *caller)
{
    BN_SPAN_FROM(caller, BN_PROFILE_NOTIFY, 0, BN_NOBODY, BN_NOBODY);
    notify("upc_notify", value);
    bn_fence();
}

static void pass_wait(struct bn_barrier_value value, const void *caller)
{
    BN_SPAN_FROM(caller, BN_PROFILE_WAIT, 0, BN_NOBODY, BN_NOBODY);
    wait("upc_wait", value);
    bn_fence();
}

static void pass_barrier(struct bn_barrier_value value, const void *caller)
{
    BN_SPAN_FROM(caller, BN_PROFILE_BARRIER, 0, BN_NOBODY, BN_NOBODY);
    if (bn_check_is_on && !bn_context.user_member.has_notified)
        bn_check_barrier_cross("upc_barrier", value.given, value.value);
    struct bn_barrier_conflict conflict;
    enum bn_barrier_result result =
        bn_barrier_cross(bn_context.user_barrier, &bn_context.user_member, value, &conflict);
    if (result != BN_BARRIER_OK)
        report("upc_barrier", result, &conflict);
}

/* Defines the functions that programs call, and their variants for code that was compiled with -fcheck. */
#define DEFINE(NAME)                                                                                                   \
    void bn_##NAME(void)                                                                                               \
    {                                                                                                                  \
        pass_##NAME(no_value, __builtin_return_address(0));                                                            \
    }                                                                                                                  \
                                                                                                                       \
    void bn_##NAME##_value(int value)                                                                                  \
    {                                                                                                                  \
        pass_##NAME((struct bn_barrier_value){true, value}, __builtin_return_address(0));                              \
    }                                                                                                                  \
                                                                                                                       \
    void bn_check_##NAME(const char *file, int line)                                                                   \
    {                                                                                                                  \
        struct bn_check_place outer = bn_check_enter(file, line);                                                      \
        pass_##NAME(no_value, __builtin_return_address(0));                                                            \
        bn_check_leave(&outer);                                                                                        \
    }                                                                                                                  \
                                                                                                                       \
    void bn_check_##NAME##_value(int value, const char *file, int line)                                                \
    {                                                                                                                  \
        struct bn_check_place outer = bn_check_enter(file, line);                                                      \
        pass_##NAME((struct bn_barrier_value){true, value}, __builtin_return_address(0));                              \
        bn_check_leave(&outer);                                                                                        \
    }

DEFINE(notify)
DEFINE(wait)
DEFINE(barrier)
