/*
 * board.c: what each thread is doing, and where, on a board that all threads see.
 *
 * Barriers and collective calls are items: each thread passes the same items in the same order, and the end of a thread
 * is its last item.  The first thread to reach item k records it, the others compare.  All threads have begun item k
 * before any begins k + 1, so a few slots hold all items that matter.  Threads that wait at an item count as running
 * again when the last thread has reached it, which that thread records for all of them.
 *
 * The board is in thread 0's memory; what a thread is doing is recorded in its own memory.  Both may be on another
 * node, so they are copied before they are read.  While thread 0 computes, threads of other nodes may have to wait for
 * the board, as for everything that they request from thread 0.
 *
 * Deadlock detection: a waiting thread records what it waits for.  If the last thread begins to wait and no thread has
 * what it waits for, none ever will: only a running thread could help.  All this happens under one lock, so nobody
 * begins or ends a wait in the meantime.  A thread has what it waits for if:
 *
 *     barrier, collective, end    all threads have begun the item
 *     lock                        no other thread holds it.  A lock that is being handed over has no holder until the
 *                                 next one runs; a freed lock has none, and locking it fails
 *     semaphore                   it has the units; units are taken under the lock of the board
 */
#include "base/log.h"
#include "base/options.h"
#include "platform/copy.h"
#include "sync/lock.h"
#include "sync/semaphore.h"
#include "upc/check/check.h"
#include "upc/check/place.h"
#include "upc/check/thread.h"
#include "upc/context.h"
#include "upc/fatal.h"

#include <stdio.h>
#include <string.h>

enum { SLOTS = 4, NAME_BYTES = 48, FILE_BYTES = 200, MOST_LINES = 32 };

enum activity { RUNS, IN_BARRIER, IN_COLLECTIVE, AT_END, WANTS_LOCK, WANTS_UNITS };

struct place {
    char function[NAME_BYTES];
    char file[FILE_BYTES]; /* empty for unchecked code */
    int line;
};

struct item {
    uint32_t number; /* number of the item; if it differs, the slot is empty */
    int begun;       /* threads that have begun the item */
    int waiters;     /* those of them that wait for the others */
    enum activity kind;
    int thread; /* the thread that came first */
    struct place place;
    bool has_value;
    int value, value_thread;
    struct place value_place;
    int argument_count;
    uint64_t arguments[BN_CHECK_ARGUMENTS];
};

struct thread_state {
    enum activity activity;
    uint32_t items; /* items begun */
    uint32_t units;
    const void *object; /* lock or semaphore, at one address in all processes */
    struct place place;
} __attribute__((aligned(BN_LINE_BYTES)));

struct board {
    unsigned char lock[BN_LOCK_BYTES] __attribute__((aligned(BN_LINE_BYTES)));
    int waiting; /* threads that wait, and do not yet have what they wait for */
    struct item items[SLOTS];
};

/* The part of each thread */
struct part {
    struct board board; /* only thread 0's is used */
    struct thread_state state;
} __attribute__((aligned(BN_LINE_BYTES)));

static struct bn_check_parts parts;
static struct board *board;

uint64_t bn_check_board_bytes(void)
{
    return sizeof(struct part);
}

bn_status_t bn_check_board_create(void)
{
    int first, end;
    bn_status_t status = bn_check_parts_create(bn_check_board_bytes(), &parts);
    if (status != BN_OK)
        return status;
    board = &((struct part *)bn_check_part_of(&parts, 0))->board;
    bn_check_makes(&first, &end);
    if (first == 0)
        bn_lock_init((struct bn_lock *)board->lock);
    return BN_OK;
}

static void take_board(void)
{
    bn_lock_acquire((struct bn_lock *)board->lock, bn_context.thread, &bn_context.locks);
}

static void give_board(void)
{
    bn_lock_release((struct bn_lock *)board->lock, bn_context.thread);
}

/* The state of this thread; others read it while they hold the board. */
static struct thread_state *self(void)
{
    return &((struct part *)bn_check_part_of(&parts, bn_context.thread))->state;
}

static struct thread_state state_of(int thread)
{
    struct thread_state state;
    bn_copy(&state, &((struct part *)bn_check_part_of(&parts, thread))->state, sizeof state);
    return state;
}

/* Changes the number of waiting threads, and returns the new number. */
static int add_waiting(int change)
{
    int waiting;
    bn_copy(&waiting, &board->waiting, sizeof waiting);
    waiting += change;
    bn_copy(&board->waiting, &waiting, sizeof waiting);
    return waiting;
}

static struct place place_here(const char *function)
{
    struct place place = {.line = bn_check_here.line};
    snprintf(place.function, sizeof place.function, "%s", function);
    snprintf(place.file, sizeof place.file, "%s", bn_check_here.file ? bn_check_here.file : "");
    return place;
}

/* "upc_barrier at a.upc:7" */
static const char *in_words(const struct place *place, char *text, size_t text_bytes)
{
    if (place->file[0])
        snprintf(text, text_bytes, "%s at %s:%d", place->function, place->file, place->line);
    else
        snprintf(text, text_bytes, "%s", place->function);
    return text;
}

enum { WORDS_BYTES = NAME_BYTES + FILE_BYTES + 24, ARGUMENT_BYTES = 24 };
#define LEAST_ADDRESS (UINT64_C(1) << 40) /* lowest address where a shared segment can lie; no size is that large */

/* ---- Deadlock ---- */

static bool all_have_begun(uint32_t number)
{
    struct item item;
    bn_copy(&item, &board->items[number % SLOTS], sizeof item);
    return item.number != number || item.begun == bn_context.thread_count;
}

static bool can_go_on(int thread)
{
    const struct thread_state state = state_of(thread);
    switch (state.activity) {
    case RUNS: return true;
    case IN_BARRIER:
    case IN_COLLECTIVE:
    case AT_END: return all_have_begun(state.items);
    case WANTS_LOCK: {
        uint32_t holder = bn_lock_holder(state.object);
        return holder == 0 || holder == (uint32_t)thread + 1;
    }
    case WANTS_UNITS: return bn_semaphore_value(state.object) >= state.units;
    }
    return true;
}

/* Called when this thread has just begun to wait.  Usually it already has what it waits for, such as a barrier that all
 * have reached. */
static bool is_deadlocked(int waiting)
{
    if (waiting < bn_context.thread_count || can_go_on(bn_context.thread))
        return false;
    for (int thread = 0; thread < bn_context.thread_count; thread++) {
        if (can_go_on(thread))
            return false;
    }
    return true;
}

/* What a thread waits for, after "thread 3 " or "threads 3 to 5 " */
static void print_wait(const struct thread_state *state, const char *verb, char *text, size_t text_bytes)
{
    char words[WORDS_BYTES];
    in_words(&state->place, words, sizeof words);
    switch (state->activity) {
    case AT_END: snprintf(text, text_bytes, "ended"); break;
    case WANTS_LOCK:
        snprintf(text, text_bytes, "%s in %s, for a lock that thread %d holds", verb, words,
                 (int)bn_lock_holder(state->object) - 1);
        break;
    case WANTS_UNITS: snprintf(text, text_bytes, "%s in %s, for a post", verb, words); break;
    default: snprintf(text, text_bytes, "%s in %s", verb, words);
    }
}

/* Whether two threads wait for the same thing at the same place */
static bool is_alike(const struct thread_state *a, const struct thread_state *b)
{
    return a->activity == b->activity && a->object == b->object && a->place.line == b->place.line &&
           strcmp(a->place.file, b->place.file) == 0 && strcmp(a->place.function, b->place.function) == 0;
}

static void report_waits(void)
{
    int count = bn_context.thread_count;
    for (int first = 0, lines = 0; first < count; lines++) {
        int last = first;
        char wait[WORDS_BYTES + 64];
        const struct thread_state state = state_of(first);
        if (lines == MOST_LINES) {
            bn_log_error("deadlock: ... and %d threads more", count - first);
            return;
        }
        for (; last + 1 < count; last++) {
            const struct thread_state next = state_of(last + 1);
            if (!is_alike(&state, &next))
                break;
        }
        print_wait(&state, first == last ? "waits" : "wait", wait, sizeof wait);
        if (first == last)
            bn_log_error("deadlock: thread %d %s", first, wait);
        else
            bn_log_error("deadlock: threads %d to %d %s", first, last, wait);
        first = last + 1;
    }
}

/* Records what this thread is doing.  The caller holds the board. */
static void tell(const char *function, enum activity activity, const void *object, uint32_t units)
{
    struct thread_state *state = self();
    state->activity = activity;
    state->object = object;
    state->units = units;
    state->place = place_here(function);
}

/* From now on this thread, which has recorded what it waits for, counts as waiting.  The caller holds the board. */
static void begin_wait(const char *function)
{
    if (is_deadlocked(add_waiting(1)))
        bn_upc_fatal_explained(
            report_waits, function,
            "deadlock: no thread can go on; let each wait for something that another thread will do");
}

static void end_wait(void)
{
    self()->activity = RUNS;
    add_waiting(-1);
}

void bn_check_resume(void)
{
    take_board();
    end_wait();
    give_board();
}

void bn_check_lock_wait(const char *function, const struct bn_lock *lock)
{
    take_board();
    tell(function, WANTS_LOCK, lock, 0);
    begin_wait(function);
    give_board();
}

int bn_check_lock_waiter(const struct bn_lock *lock)
{
    int waiter = -1;
    take_board();
    for (int thread = 0; thread < bn_context.thread_count && waiter < 0; thread++) {
        const struct thread_state state = state_of(thread);
        if (state.activity == WANTS_LOCK && state.object == lock)
            waiter = thread;
    }
    give_board();
    return waiter;
}

void bn_check_semaphore_wait(const char *function, struct bn_semaphore *semaphore, uint32_t units)
{
    bool waits = false;
    for (;;) {
        take_board();
        bool has_taken = bn_semaphore_try(semaphore, units);
        if (has_taken && waits)
            end_wait();
        if (!has_taken && !waits) {
            tell(function, WANTS_UNITS, semaphore, units);
            begin_wait(function);
        }
        waits = true;
        give_board();
        if (has_taken)
            return;
        bn_semaphore_watch(semaphore, units, &bn_context.policy);
    }
}

/* ---- Items ---- */

/* Ends the program: as its next item, this thread is at mine, but another one is at first. */
__attribute__((noreturn)) static void refuse_other_item(const struct item *mine, const struct item *first)
{
    char words[WORDS_BYTES];
    if (mine->kind == AT_END) {
        bn_check_here = (struct bn_check_place){first->place.file[0] ? first->place.file : NULL, first->place.line};
        bn_upc_fatal(first->place.function,
                     "thread %d waits here for thread %d, which has ended; let all threads execute the same "
                     "barriers and collective calls",
                     first->thread, mine->thread);
    }
    if (first->kind == AT_END)
        bn_upc_fatal(mine->place.function,
                     "thread %d has ended and will never come here; let all threads execute the same barriers "
                     "and collective calls",
                     first->thread);
    bn_upc_fatal(mine->place.function,
                 "thread %d is in %s instead; let all threads execute the same barriers and collective calls "
                 "in the same order",
                 first->thread, in_words(&first->place, words, sizeof words));
}

/* Formats sizes, counts and flags in decimal, as programs write them; larger values are addresses, in hexadecimal. */
static const char *argument_text(uint64_t value, bool is_address, char text[ARGUMENT_BYTES])
{
    snprintf(text, ARGUMENT_BYTES, is_address ? "0x%llx" : "%llu", (unsigned long long)value);
    return text;
}

static void compare_arguments(const struct item *mine, const struct item *first)
{
    char words[WORDS_BYTES], own_text[ARGUMENT_BYTES], other_text[ARGUMENT_BYTES];
    const char *name = bn_context.check->call.names;
    for (int i = 0; i < mine->argument_count; i++) {
        int length = (int)strcspn(name, " ");
        uint64_t own = mine->arguments[i], other = first->arguments[i];
        bool are_addresses = own >= LEAST_ADDRESS || other >= LEAST_ADDRESS;
        if (own != other)
            bn_upc_fatal(mine->place.function,
                         "%.*s is %s, but %s on thread %d, in %s; it must be the same on all threads", length, name,
                         argument_text(own, are_addresses, own_text), argument_text(other, are_addresses, other_text),
                         first->thread, in_words(&first->place, words, sizeof words));
        name += length + (name[length] == ' ');
    }
}

static void compare_values(const struct item *mine, struct item *first)
{
    char words[WORDS_BYTES];
    if (!mine->has_value)
        return;
    if (!first->has_value) {
        first->has_value = true;
        first->value = mine->value;
        first->value_thread = mine->thread;
        first->value_place = mine->place;
    } else if (mine->value != first->value && !bn_option_number(BN_OPTION_BARRIER_MISMATCH_WARNS)) {
        bn_upc_fatal(mine->place.function,
                     "value %d does not match value %d of thread %d, in %s; the threads are at different barriers",
                     mine->value, first->value, first->value_thread,
                     in_words(&first->value_place, words, sizeof words));
    }
}

/* Begins the next item of this thread.  The caller holds the board. */
static void begin_item(struct item *mine)
{
    struct item *slot, first;
    mine->number = ++self()->items;
    mine->thread = bn_context.thread;
    slot = &board->items[mine->number % SLOTS];
    bn_copy(&first, slot, sizeof first);
    if (first.number != mine->number) {
        mine->value_thread = mine->thread;
        mine->value_place = mine->place;
        first = *mine;
    } else {
        if (mine->kind != first.kind ||
            (mine->kind == IN_COLLECTIVE && strcmp(mine->place.function, first.place.function) != 0))
            refuse_other_item(mine, &first);
        compare_arguments(mine, &first);
        compare_values(mine, &first);
    }
    if (++first.begun == bn_context.thread_count) {
        add_waiting(-first.waiters);
        first.waiters = 0;
    }
    bn_copy(slot, &first, sizeof first);
}

/* Records that this thread waits for the others to reach its item, unless all have.  The caller holds the board. */
static void wait_for_item(const char *function, enum activity kind)
{
    struct item item, *slot = &board->items[self()->items % SLOTS];
    tell(function, kind, NULL, 0);
    bn_copy(&item, slot, sizeof item);
    if (item.begun == bn_context.thread_count)
        return;
    item.waiters++;
    bn_copy(&slot->waiters, &item.waiters, sizeof item.waiters);
    begin_wait(function);
}

static void come_to_barrier(const char *statement, bool has_value, int value, bool waits)
{
    struct item mine = {.kind = IN_BARRIER, .place = place_here(statement), .has_value = has_value, .value = value};
    take_board();
    begin_item(&mine);
    if (waits)
        wait_for_item(statement, IN_BARRIER);
    give_board();
}

void bn_check_barrier_notify(const char *statement, bool has_value, int value)
{
    come_to_barrier(statement, has_value, value, false);
}

void bn_check_barrier_cross(const char *statement, bool has_value, int value)
{
    come_to_barrier(statement, has_value, value, true);
}

void bn_check_barrier_wait(const char *statement)
{
    take_board();
    wait_for_item(statement, IN_BARRIER);
    give_board();
}

void bn_check_arguments_slow(const char *names, int count, const uint64_t *values)
{
    struct bn_check_call *call = &bn_context.check->call;
    call->names = names;
    call->count = count;
    memcpy(call->values, values, (size_t)count * sizeof *values);
}

void bn_check_collective(const char *function)
{
    struct bn_check_thread *thread = bn_context.check;
    struct item mine = {.kind = IN_COLLECTIVE, .place = place_here(function), .argument_count = thread->call.count};
    memcpy(mine.arguments, thread->call.values, sizeof mine.arguments);
    take_board();
    begin_item(&mine);
    wait_for_item(function, IN_COLLECTIVE);
    give_board();
    thread->call.count = 0;
    bn_runtime_barrier();
}

void bn_check_end(void)
{
    struct item mine = {.kind = AT_END, .place = place_here("the end of the thread")};
    take_board();
    begin_item(&mine);
    wait_for_item("the end of the thread", AT_END);
    give_board();
}
