/* MPI_Wait, MPI_Probe and similar calls. */
#include "threads/completion.h"

#include "platform/clock.h"
#include "threads/errors.h"

#include <string.h>

bool bn_testall_may_fail;

bool bn_is_of_nobody(const MPI_Message *message)
{
    return *message == bn_handles.no_process;
}

bool bn_look_at_one(void *context)
{
    struct bn_wait_one *one = context;
    int has_ended = 0;
    if (one->has_ended)
        return true;
    one->result = bn_errors_test(one->request, &has_ended, one->status, one->comm);
    one->has_ended = has_ended != 0 || one->result != MPI_SUCCESS;
    return one->has_ended;
}

/* Polls once inside, then leaves, and goes on waiting if the poll has failed. */
static void look_and_wait(bn_arbiter_poll poll, void *context)
{
    bool has_come = poll(context);
    bn_gate_leave();
    if (!has_come)
        bn_gate_await(poll, context);
}

int bn_request_complete(int result, MPI_Request *request, MPI_Status *status, MPI_Comm comm)
{
    struct bn_wait_one one = {.request = request, .status = status, .comm = comm};
    if (result != MPI_SUCCESS) {
        bn_gate_leave();
        return result;
    }
    look_and_wait(bn_look_at_one, &one);
    return one.result;
}

/* Arguments and outcome of a call with several requests, or of a probe */
struct wait {
    int count;
    MPI_Request *requests;
    MPI_Status *statuses;
    int *indexes, *index_count;
    int source, tag;
    MPI_Comm comm;
    MPI_Message *message;
    MPI_Win window;
    bool has_looked;
    int complete; /* this many of the first ones are known to be complete */
    int result;
    uint64_t dangling; /* those that were complete at the last poll */
};

static uint64_t dangling; /* sum over all threads; inside */

/* Requests dangle that are complete while their thread still waits for others. */
static void count_dangling(struct wait *wait, bool has_ended)
{
    uint64_t complete = 0;
    for (int i = 0; i < wait->count && !has_ended; i++) {
        int is_complete = 0;
        bn_errors_get_status(wait->requests[i], &is_complete);
        complete += is_complete != 0;
    }
    dangling += complete - wait->dangling;
    wait->dangling = complete;
    bn_watch_dangling(&bn_gate_arbiter.watch, dangling);
}

static bool has_ended(struct wait *wait, int result, int flag)
{
    wait->result = result;
    return flag != 0 || result != MPI_SUCCESS;
}

/* How long a thread keeps polling in vain before others get their turn, if that takes a switch to another thread and
 * back, which takes about as long.  With several messages, the next one is probably about to arrive. */
enum { VAIN_NS = 15000 };

/* Whether all requests may be complete.  MPI_Testall tests every request and lets the library make progress only once,
 * which may complete just one of many; so only the first incomplete one is polled.  Errors are left to the call that
 * frees them.  A library that wants to yield has nothing to do. */
static bool look_at_next(struct wait *wait)
{
    uint64_t end_ns = 0; /* set by the first failed poll */
    while (wait->complete < wait->count) {
        int flag = 1;
        int result = bn_errors_get_status(wait->requests[wait->complete], &flag);
        if (result != MPI_SUCCESS || flag != 0) {
            wait->complete++;
            continue;
        }
        uint64_t now_ns = bn_clock_ns();
        if (end_ns == 0)
            end_ns = now_ns + VAIN_NS;
        bool is_due = now_ns >= end_ns || bn_gate_self.yields == BN_YIELDS_IS_DUE;
        if (is_due || !bn_arbiter_is_crowded(&bn_gate_arbiter))
            return false;
    }
    return true;
}

/* Frees requests that are all complete, without blocking.  Open MPI's MPI_Waitall (4.1) never returns if one of them
 * has failed before the call; MPICH's MPI_Testall does not take all kinds of requests. */
static int free_all(struct wait *wait)
{
    int flag;
    if (strcmp(BN_MPI_ABI, "openmpi") == 0)
        return bn_below.Testall(wait->count, wait->requests, &flag, wait->statuses);
    return bn_below.Waitall(wait->count, wait->requests, wait->statuses);
}

static bool look_at_all(void *context)
{
    struct wait *wait = context;
    int flag = 0;
    bool is_over = false;
    if (!wait->has_looked && !bn_testall_may_fail) {
        int result = bn_below.Testall(wait->count, wait->requests, &flag, wait->statuses);
        is_over = has_ended(wait, result, flag);
    } else if (look_at_next(wait)) {
        wait->result = free_all(wait);
        is_over = true;
    }
    wait->has_looked = true;
    if (bn_gate_arbiter.is_watched)
        count_dangling(wait, is_over);
    return is_over;
}

static bool look_at_any(void *context)
{
    struct wait *wait = context;
    int flag = 0;
    int result = bn_below.Testany(wait->count, wait->requests, wait->indexes, &flag, wait->statuses);
    return has_ended(wait, result, flag);
}

static bool look_at_some(void *context)
{
    struct wait *wait = context;
    int result = bn_below.Testsome(wait->count, wait->requests, wait->index_count, wait->indexes, wait->statuses);
    return has_ended(wait, result, *wait->index_count);
}

static bool look_for_message(void *context)
{
    struct wait *wait = context;
    int flag = 0;
    int result = bn_below.Iprobe(wait->source, wait->tag, wait->comm, &flag, wait->statuses);
    return has_ended(wait, result, flag);
}

static bool look_and_take_message(void *context)
{
    struct wait *wait = context;
    int flag = 0;
    int result = bn_below.Improbe(wait->source, wait->tag, wait->comm, &flag, wait->message, wait->statuses);
    return has_ended(wait, result, flag);
}

static bool look_at_window(void *context)
{
    struct wait *wait = context;
    int flag = 0;
    int result = bn_below.Win_test(wait->window, &flag);
    return has_ended(wait, result, flag);
}

static int wait_inside(bn_arbiter_poll poll, struct wait wait)
{
    look_and_wait(poll, &wait);
    return wait.result;
}

/* An entry point: makes the library's own call, or polls */
#define WAITING(name, use, parameters, arguments, poll, ...)                                                           \
    static __attribute__((noinline)) int enter_##name parameters                                                       \
    {                                                                                                                  \
        bool is_inside = bn_gate_enter_for(use, BN_PATH_PROGRESS, 1);                                                  \
        if (bn_gate_waits(is_inside))                                                                                  \
            return wait_inside(poll, (struct wait){__VA_ARGS__});                                                      \
        int result = bn_below.name arguments;                                                                          \
        if (is_inside)                                                                                                 \
            bn_gate_leave();                                                                                           \
        return result;                                                                                                 \
    }                                                                                                                  \
    static int call_##name parameters                                                                                  \
    {                                                                                                                  \
        BN_GATE_PASS_AT_ONCE(use, bn_below.name arguments)                                                             \
        return enter_##name arguments;                                                                                 \
    }                                                                                                                  \
    BN_BOTH_NAMES(int, name, bn_next_tool.name, parameters, arguments)

WAITING(Waitall, BN_USE_STREAM, (int count, MPI_Request requests[], MPI_Status statuses[]), (count, requests, statuses),
        look_at_all, .count = count, .requests = requests, .statuses = statuses)
WAITING(Waitany, BN_USE_STREAM, (int count, MPI_Request requests[], int *index, MPI_Status *status),
        (count, requests, index, status), look_at_any, .count = count, .requests = requests, .indexes = index,
        .statuses = status)
WAITING(Waitsome, BN_USE_STREAM,
        (int count, MPI_Request requests[], int *index_count, int indexes[], MPI_Status statuses[]),
        (count, requests, index_count, indexes, statuses), look_at_some, .count = count, .requests = requests,
        .index_count = index_count, .indexes = indexes, .statuses = statuses)
WAITING(Probe, BN_USE_MESSAGE, (int source, int tag, MPI_Comm comm, MPI_Status *status), (source, tag, comm, status),
        look_for_message, .source = source, .tag = tag, .comm = comm, .statuses = status)
WAITING(Mprobe, BN_USE_MESSAGE, (int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status),
        (source, tag, comm, message, status), look_and_take_message, .source = source, .tag = tag, .comm = comm,
        .message = message, .statuses = status)
WAITING(Win_wait, BN_USE_OTHER, (MPI_Win window), (window), look_at_window, .window = window)

static __attribute__((noinline)) int enter_Wait(MPI_Request *request, MPI_Status *status)
{
    bool is_inside = bn_gate_enter_for(BN_USE_STREAM, BN_PATH_PROGRESS, 1);
    if (bn_gate_waits(is_inside))
        return bn_request_complete(MPI_SUCCESS, request, status, bn_handles.no_comm);
    int result = bn_below.Wait(request, status);
    if (is_inside)
        bn_gate_leave();
    return result;
}

static int call_Wait(MPI_Request *request, MPI_Status *status)
{
    BN_GATE_PASS_AT_ONCE(BN_USE_STREAM, bn_below.Wait(request, status))
    return enter_Wait(request, status);
}

BN_BOTH_NAMES(int, Wait, bn_next_tool.Wait, (MPI_Request * request, MPI_Status *status), (request, status))
