/* runtime.c: the shared memory, barriers and heaps of a job over several nodes. */
#include "upc/remote/runtime.h"

#include "base/log.h"
#include "base/options.h"
#include "pgas/remote/barrier.h"
#include "pgas/statics.h"
#include "platform/atomic_word.h"
#include "platform/clock.h"
#include "upc/check/check.h"
#include "upc/collective/collective.h"
#include "upc/context.h"
#include "upc/fatal.h"
#include "upc/memory/self.h"
#include "upc/nodes.h"
#include "upc/profile/profile.h"
#include "upc/remote/barriers.h"
#include "upc/remote/check_place.h"
#include "upc/remote/hierarchy.h"
#include "upc/remote/native.h"
#include "upc/remote/profile_place.h"
#include "upc/remote/rules.h"
#include "upc/start/describe.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

BN_PER_THREAD struct bn_context bn_context;

BN_PER_THREAD int bn_forall_depth;

/* Programs see bn_self as constant; only this file has a name by which it can be written. */
static BN_PER_THREAD struct bn_self self;
extern BN_PER_THREAD const struct bn_self bn_self __attribute__((alias("self")));

/* Each thread's data for collectives, after its static data in the segment, where others can access it */
struct area {
    struct bn_member_lines lines;
    struct bn_member_mail mail;
    struct bn_shown shown;
    struct bn_place place;
};

_Static_assert((int)BN_REMOTE_THREADS == (int)BN_THREAD_MAX, "programs know the limit");
_Static_assert((int)BN_REMOTE_THREADS <= (int)BN_TEAM_MAIL_MEMBERS, "a flag for each sender");

/* Where the area begins in a segment */
static uint64_t area_offset;

/* The rules of thread 0's machine, followed by all threads; null if there are none */
static struct bn_table *rules;

static struct area *area_of(int thread)
{
    return (struct area *)(bn_context.segments.base + bn_stride((uint64_t)thread) + area_offset);
}

bn_status_t bn_remote_runtime_prepare(const struct bn_unit *units, uint64_t heap_limit_bytes, uint64_t *static_bytes_p)
{
    struct bn_static_room statics;
    bn_status_t status = bn_plans_check_options();
    if (status == BN_OK)
        status = bn_statics_layout(units, bn_check_is_on ? BN_CHECK_GRANULE : 0, &statics);
    if (status != BN_OK)
        return status;
    area_offset = (statics.size_bytes + BN_LINE_BYTES - 1) & ~(uint64_t)(BN_LINE_BYTES - 1);
    *static_bytes_p = bn_profile_place_layout(area_offset + sizeof(struct area));
    if (bn_check_is_on)
        *static_bytes_p = bn_check_place_layout(statics.size_bytes, *static_bytes_p, heap_limit_bytes);
    return BN_OK;
}

/* Checks that all threads run the same program, because machines may have different files under one path.  The first
 * thread whose program differs from thread 0's reports it. */
static bn_status_t check_program(const struct bn_unit *units, uint64_t static_bytes, uint64_t heap_limit_bytes)
{
    const struct bn_transport *transport = bn_remote.transport;
    uint64_t mine = bn_statics_fingerprint(units) + static_bytes * 31 + heap_limit_bytes;
    char host[256] = "this machine";
    for (int thread = bn_remote.first_thread; thread < bn_remote.end_thread; thread++)
        bn_word64_set(&bn_remote.controls[thread]->program, mine);
    transport->barrier();
    uint64_t first = transport->load(0, BN_CONTROL_OFFSET(program));
    if (first == mine)
        return BN_OK;
    for (int thread = 1; thread < bn_remote.thread_count; thread++) {
        if (transport->load(thread, BN_CONTROL_OFFSET(program)) == first)
            continue;
        while (thread < bn_remote.first_thread || thread >= bn_remote.end_thread)
            pause();
        break;
    }
    gethostname(host, sizeof host - 1);
    bn_log_error("host %s runs another program than thread 0: its shared objects, its -T or the room for its heaps "
                 "differ; copy one program to all machines, and give them one BANYAN_SHARED_HEAP",
                 host);
    return BN_ERR_MISMATCH;
}

bn_status_t bn_remote_runtime_create(const struct bn_transport *transport, const struct bn_unit *units,
                                     struct bn_launch_threads own, int thread_count, int core_count,
                                     uint64_t static_bytes, uint64_t heap_limit_bytes)
{
    struct bn_context *context = &bn_context;
    enum bn_wait_choice choice = (enum bn_wait_choice)bn_option_number(BN_OPTION_WAIT);
    *context = (struct bn_context){
        .thread = own.first, .thread_count = thread_count, .core_count = core_count, .units = units};
    /* Threads of other nodes may share our cores, in tests and with virtual nodes; yielding costs little. */
    context->policy = bn_wait_policy_make(thread_count, core_count, choice);
    self = bn_self_of(own.first, thread_count, BN_WINDOW_BASE);
    bn_status_t status = bn_remote_create(&context->segments, transport, own.first, own.end, thread_count, static_bytes,
                                          heap_limit_bytes, context->policy);
    if (status == BN_OK && own.first == 0)
        status = bn_rules_show(&area_of(0)->mail, &rules);
    if (status == BN_OK)
        status = check_program(units, static_bytes, heap_limit_bytes);
    if (status == BN_OK && own.first != 0)
        status = bn_rules_take(&area_of(0)->mail, &rules);
    if (status != BN_OK)
        return status;
    bn_statics_place(units, context->segments.base);
    status = bn_profile_create(thread_count);
    if (status != BN_OK)
        return status;
    return bn_check_is_on ? bn_check_create() : BN_OK;
}

/* Between nodes there is only one kind of barrier. */
static void warn_of_options(void)
{
    const struct bn_option_value *barrier = bn_option(BN_OPTION_COLL_BARRIER);
    if (barrier->text && barrier->text[0] != '\0')
        bn_log_warning("%s has no effect with -network=shmem: there is only one kind of barrier", barrier->source_name);
}

static int largest_node(void)
{
    int members[BN_REMOTE_THREADS] = {0};
    int largest = 0;
    for (int thread = 0; thread < bn_remote.thread_count; thread++) {
        int count = ++members[bn_remote.leaders[thread]];
        largest = count > largest ? count : largest;
    }
    return largest;
}

static void join_team(struct bn_context *context)
{
    const struct bn_team_memory memory = {
        .barrier = bn_remote_barrier(BN_BARRIER_OF_TEAM),
        .lines = &area_of(0)->lines,
        .line_stride = bn_stride(1),
        .mail = &area_of(0)->mail,
        .mail_stride = bn_stride(1),
        .node_count = bn_remote.node_count,
        .largest_node = largest_node(),
    };
    const struct bn_team team = bn_team_join_apart(&memory, context->thread, context->thread_count, bn_stride(1),
                                                   context->core_count, context->policy);
    bn_collective_attach(context, &team);
    context->team.host.native = bn_native_prepare();
    if (context->thread == 0)
        warn_of_options();
    context->shown = &area_of(0)->shown;
    context->shown_stride = bn_stride(1);
    area_of(context->thread)->place = bn_upc_own_place();
}

const struct bn_place *bn_upc_place_of(int thread)
{
    return &area_of(thread)->place;
}

void bn_runtime_attach(int thread)
{
    struct bn_context *context = &bn_context;
    context->thread = thread;
    context->coll_table = rules;
    self = bn_self_of(thread, context->thread_count, BN_WINDOW_BASE);
    bn_remote_attach(&context->segments, thread);
    if (bn_heaps_create(&context->heaps, &context->segments) != BN_OK)
        bn_upc_fatal("runtime", "the thread has no heaps, for the reason above");
    context->user_barrier = bn_remote_barrier(BN_BARRIER_OF_PROGRAM);
    context->runtime_barrier = bn_remote_barrier(BN_BARRIER_OF_RUNTIME);
    context->user_member = bn_barrier_join(thread);
    context->runtime_member = bn_barrier_join(thread);
    join_team(context);
    bn_clock_start();
    bn_context_expect_forks();
}

bool bn_runtime_finish(void)
{
    const struct bn_end_calls *end_calls = bn_context.end_calls;
    bn_profile_end();
    if (bn_check_is_on)
        bn_check_finish();
    bn_barrier_abandon(bn_context.user_barrier, &bn_context.user_member);
    bn_once_calls_abandon();
    if (end_calls)
        end_calls->before_barrier();
    bn_team_abandon(&bn_context.team);
    bn_runtime_barrier();
    bool is_reported = bn_profile_report();
    if (bn_nodes_is_leader())
        bn_runtime_close();
    return is_reported;
}

void bn_runtime_close(void)
{
    if (bn_context.end_calls)
        bn_context.end_calls->once();
}

void bn_poll(void)
{
    bn_remote_let_go();
    bn_remote_poll();
    bn_barrier_advance(bn_context.user_barrier);
}

void bn_runtime_describe_address(uint64_t address, char *text, int text_bytes)
{
    bn_describe_address(&bn_context.segments, bn_context.units, address, text, (size_t)text_bytes);
    size_t length = strlen(text);
    int thread;
    uint64_t offset;
    if (length > 0 && bn_segment_classify(&bn_context.segments, address, &thread, &offset) != BN_PLACE_OUTSIDE &&
        !bn_is_near((const void *)address))
        snprintf(text + length, (size_t)text_bytes - length,
                 ", which is on another node and cannot be reached by a pointer-to-local");
}
