#include "upc/start/runtime.h"

#include "base/options.h"
#include "pgas/statics.h"
#include "platform/clock.h"
#include "platform/huge_pages.h"
#include "platform/memory.h"
#include "upc/check/check.h"
#include "upc/collective/collective.h"
#include "upc/context.h"
#include "upc/fatal.h"
#include "upc/hierarchy.h"
#include "upc/memory/self.h"
#include "upc/profile/profile.h"
#include "upc/start/describe.h"

#include <stdio.h>

BN_PER_THREAD struct bn_context bn_context;

BN_PER_THREAD int bn_forall_depth;

/* Programs see bn_self as constant; only this file has a name by which it can be written. */
static BN_PER_THREAD struct bn_self self;
extern BN_PER_THREAD const struct bn_self bn_self __attribute__((alias("self")));

/* The control memory that all threads share */
struct control {
    struct bn_once once;
    unsigned char rest[] __attribute__((aligned(BN_LINE_BYTES))); /* barriers, waiters, shown values, team */
};

static bn_status_t create_control(struct bn_context *context)
{
    size_t barrier_bytes = bn_barrier_size_bytes();
    size_t thread_count = (size_t)context->thread_count;
    size_t waiters_bytes = thread_count * sizeof(struct bn_lock_waiter);
    size_t shown_bytes = thread_count * sizeof(struct bn_shown);
    size_t user_lines_bytes = bn_barrier_lines_bytes(context->thread_count);
    size_t size_bytes = sizeof(struct control) + 2 * barrier_bytes + waiters_bytes + shown_bytes + user_lines_bytes +
                        bn_team_control_bytes(context->thread_count);
    void *memory;
    bn_status_t status = bn_memory_share(size_bytes, &memory);
    if (status != BN_OK)
        return status;
    struct control *control = memory;
    struct bn_barrier **barriers[] = {&context->user_barrier, &context->runtime_barrier};
    unsigned char *next = control->rest;
    for (size_t i = 0; i < sizeof barriers / sizeof barriers[0]; i++) {
        *barriers[i] = (struct bn_barrier *)next;
        bn_barrier_init(*barriers[i], context->thread_count, context->policy);
        next += barrier_bytes;
    }
    context->once = &control->once;
    context->locks = (struct bn_lock_team){(struct bn_lock_waiter *)next, context->policy};
    context->shown = (struct bn_shown *)(next + waiters_bytes);
    context->shown_stride = sizeof(struct bn_shown);
    context->user_lines = (struct bn_barrier_lines *)(next + waiters_bytes + shown_bytes);
    context->team_control = next + waiters_bytes + shown_bytes + user_lines_bytes;
    bn_team_control_init(context->team_control, context->thread_count, context->policy);
    return BN_OK;
}

bn_status_t bn_runtime_create(const struct bn_unit *units, int thread_count, int core_count, uint64_t heap_limit_bytes)
{
    struct bn_context *context = &bn_context;
    struct bn_static_room statics;
    *context = (struct bn_context){.thread_count = thread_count, .core_count = core_count, .units = units};
    enum bn_wait_choice choice = (enum bn_wait_choice)bn_option_number(BN_OPTION_WAIT);
    context->policy = bn_wait_policy_make(thread_count, core_count, choice);
    bn_status_t status = bn_plans_check_options();
    if (status == BN_OK)
        status = bn_table_load(&context->coll_table, NULL);
    if (status == BN_OK)
        status = bn_statics_layout(units, bn_check_is_on ? BN_CHECK_GRANULE : 0, &statics);
    if (status == BN_OK)
        status = bn_segments_create(&context->segments, BN_WINDOW_BASE, thread_count, statics, heap_limit_bytes);
    if (status != BN_OK)
        return status;
    context->segments.asks_for_huge_pages =
        bn_option_number(BN_OPTION_HUGE_PAGES) != BN_HUGE_CHOICE_NO && bn_huge_pages_read("").way == BN_HUGE_ON_REQUEST;
    status = bn_heaps_create(&context->heaps, &context->segments);
    if (status == BN_OK)
        status = create_control(context);
    if (status == BN_OK)
        status = bn_upc_places_create(thread_count, &context->places);
    if (status == BN_OK)
        status = bn_profile_create(thread_count);
    if (status != BN_OK)
        return status;
    bn_statics_place(units, context->segments.base);
    return bn_check_is_on ? bn_check_create() : BN_OK;
}

void bn_runtime_attach(int thread)
{
    struct bn_context *context = &bn_context;
    context->thread = thread;
    context->user_member = bn_barrier_join(thread);
    context->runtime_member = bn_barrier_join(thread);
    const struct bn_team team = bn_team_join(context->team_control, thread, context->thread_count, bn_stride(1),
                                             context->core_count, context->policy);
    bn_collective_attach(context, &team);
    bn_upc_places_tell(context->places, thread);
    if (bn_option_number(BN_OPTION_HUGE_PAGES) == BN_HUGE_CHOICE_ALL)
        bn_segment_use_huge_pages(&context->segments, thread, 0, context->segments.static_bytes);
    self = bn_self_of(thread, context->thread_count, context->segments.base);
    bn_segments_set();
    bn_clock_start();
    bn_context_expect_forks();
}

void bn_runtime_choose_barriers(void)
{
    if (bn_plans_choose_barrier(&bn_context.team) != BN_OK)
        bn_upc_fatal("runtime", "the requested kind of barrier is not available, for the reason above");
    bn_collective_share_barrier(&bn_context);
}

bool bn_runtime_finish(void)
{
    const struct bn_end_calls *end_calls = bn_context.end_calls;
    bn_profile_end();
    if (bn_check_is_on)
        bn_check_finish();
    bn_barrier_abandon(bn_context.user_barrier, &bn_context.user_member);
    if (!bn_check_is_on) /* -fcheck reports a deadlock itself, with what each thread waits for */
        bn_lock_leave(bn_context.thread, &bn_context.locks);
    if (end_calls)
        end_calls->before_barrier();
    bn_team_abandon(&bn_context.team);
    bn_runtime_barrier();
    bool is_reported = bn_profile_report();
    if (bn_context.thread == 0)
        bn_runtime_close();
    return is_reported;
}

void bn_runtime_close(void)
{
    if (bn_context.end_calls)
        bn_context.end_calls->once();
}

void bn_runtime_describe_address(uint64_t address, char *text, int text_bytes)
{
    bn_describe_address(&bn_context.segments, bn_context.units, address, text, (size_t)text_bytes);
}
