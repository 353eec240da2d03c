#include "threads/gate.h"

#include "base/log.h"
#include "platform/pause.h"
#include "threads/direct.h"

#include <pthread.h>

enum bn_gate_state bn_gate_state;
_Thread_local struct bn_gate_self bn_gate_self;

/* In separate cache lines: each call reads its trial, and must not miss because of changes to the arbiter. */
_Alignas(BN_LINE_BYTES) struct bn_arbiter bn_gate_arbiter;
_Alignas(BN_LINE_BYTES) struct bn_trial bn_gate_trials[BN_USE_COUNT] = {
    [BN_USE_STREAM] = {.is_settled = true},
    [BN_USE_MESSAGE] = {.is_settled = true},
    [BN_USE_TRANSFER] = {.is_settled = true},
};

static pthread_key_t at_end; /* its destructor runs at the end of a thread that has joined */

void bn_gate_find(void)
{
    bn_library_need();
    bn_gate_state = BN_GATE_OPEN;
}

static void part(void *thread)
{
    bn_direct_part();
    bn_gate_self.thread = NULL; /* destructors that run later may call MPI */
    bn_arbiter_part(&bn_gate_arbiter, thread);
}

static __attribute__((noinline)) void join(void)
{
    bn_gate_self.thread = bn_arbiter_join(&bn_gate_arbiter);
    if (!bn_gate_self.thread || pthread_setspecific(at_end, bn_gate_self.thread) != 0) {
        bn_log_error("there is no memory for one more thread that calls MPI");
        bn_library_abort(bn_handles.world);
    }
}

void bn_gate_go_in(enum bn_arbiter_path path)
{
    if (__builtin_expect(!bn_gate_self.thread, 0))
        join();
    bn_arbiter_enter(&bn_gate_arbiter, bn_gate_self.thread, path);
    bn_gate_self.place = BN_GATE_INSIDE;
    if (bn_gate_state >= BN_GATE_ARBITRATES)
        bn_gate_self.yields = BN_YIELDS_LATER;
    bn_idups_look();
}

void bn_gate_come_out(void)
{
    bool is_due = bn_gate_self.yields == BN_YIELDS_IS_DUE;
    bn_gate_self.yields = BN_YIELDS_NOW;
    bn_gate_self.place = BN_GATE_OUTSIDE;
    bn_arbiter_leave(&bn_gate_arbiter, bn_gate_self.thread);
    if (is_due)
        bn_cpu_yield();
}

struct look {
    bn_arbiter_poll poll;
    void *context;
};

/* Runs in whichever thread polls on behalf of the waiting one. */
static bool look_inside(void *context)
{
    const struct look *look = context;
    bn_gate_self.place = BN_GATE_INSIDE;
    bn_gate_self.yields = BN_YIELDS_LATER;
    bn_idups_look();
    bool has_come = look->poll(look->context);
    bn_gate_self.yields = BN_YIELDS_NOW; /* the waiting code yields by its own policy */
    bn_gate_self.place = BN_GATE_OUTSIDE;
    return has_come;
}

void bn_gate_await(bn_arbiter_poll poll, void *context)
{
    struct look look = {poll, context};
    bn_arbiter_await(&bn_gate_arbiter, bn_gate_self.thread, look_inside, &look);
}

void bn_gate_await_inside(bn_arbiter_poll poll, void *context)
{
    if (poll(context))
        return;
    bn_gate_leave();
    bn_gate_await(poll, context);
    bn_gate_go_in(BN_PATH_MAIN);
}

void bn_gate_begin(enum bn_gate_state state, enum bn_arbiter_policy policy, bool is_watched,
                   const struct bn_arbiter_place *place)
{
    pthread_key_create(&at_end, part);
    bn_arbiter_init(&bn_gate_arbiter, policy, is_watched, place);
    for (int use = 0; use < BN_USE_COUNT; use++)
        bn_gate_trials[use] = state == BN_GATE_LEARNS
                                  ? (struct bn_trial){.way = BN_TRIAL_SECOND, .choice = BN_TRIAL_SECOND}
                                  : (struct bn_trial){.is_settled = true};
    bn_gate_state = state;
}

void bn_gate_settle_for_one(void)
{
    for (int use = 0; use < BN_USE_COUNT; use++)
        bn_trial_settle(&bn_gate_trials[use], BN_TRIAL_SECOND);
}

bool bn_gate_settles_for_one(void)
{
    return bn_gate_trials[0].is_settled && bn_gate_trials[0].way == BN_TRIAL_SECOND;
}

/* The arbiter is kept, since threads may still exist and leave it when they end. */
void bn_gate_end(void)
{
    bn_gate_state = BN_GATE_OPEN;
}
