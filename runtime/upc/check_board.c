/*
 * check_board.c: what each thread does, and where, on a board that all threads see.
 *
 * Barriers and collective calls are items: each thread passes the same items in the same order, and the end of a thread
 * is the last.  Whoever comes first to item k writes it down, the others compare.  All threads have begun item k before
 * any begins k + 1, so a few slots hold all items that matter.
 *
 * Deadlock.  A thread that waits says for what.  When the last thread begins to wait and none of them has got what it
 * waits for, no one ever will: only a thread that runs could help.  All this happens under one lock, so nobody begins
 * or ends a wait meanwhile.  What counts as got:
 *
 *     barrier, collective, end    all threads have begun the item
 *     lock                        no other thread holds it; when handed over, it has no holder until the next one runs
 *     semaphore                   it has the units; they are taken under the lock of the board
 */
#include "base/log.h"
#include "base/options.h"
#include "platform/atomic_word.h"
#include "platform/memory.h"
#include "sync/lock.h"
#include "sync/semaphore.h"
#include "sync/spinlock.h"
#include "upc/check_thread.h"
#include "upc/context.h"
#include "upc/fatal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 4, NAME_BYTES = 48, FILE_BYTES = 200, MOST_LINES = 32 };

enum activity { RUNS, IN_BARRIER, IN_COLLECTIVE, AT_END, WANTS_LOCK, WANTS_UNITS };

struct place {
    char function[NAME_BYTES];
    char file[FILE_BYTES]; /* empty for unchecked code */
    int line;
};

struct item {
    uint32_t number; /* of the item; the slot holds none if it differs */
    enum activity kind;
    int thread; /* which came first */
    struct place place;
    bool has_value;
    int value, value_thread;
    struct place value_place;
    int argument_count;
    uint64_t arguments[BN_CHECK_ARGUMENTS];
};

struct thread_state {
    enum activity activity;
    uint32_t items; /* begun */
    uint32_t units;
    const void *object; /* lock or semaphore, at one address in all processes */
    struct place place;
} __attribute__((aligned(BN_LINE_BYTES)));

struct board {
    struct bn_spinlock lock;
    int waiting; /* threads that do not run */
    struct item items[SLOTS];
    struct bn_barrier *meeting;
    struct thread_state threads[];
};

static struct board *board;

bn_status_t bn_check_board_create(void)
{
    void *memory;
    size_t thread_count = (size_t)bn_context.thread_count;
    size_t board_bytes = (sizeof(struct board) + thread_count * sizeof(struct thread_state) + BN_LINE_BYTES - 1) &
                         ~(size_t)(BN_LINE_BYTES - 1);
    bn_status_t status = bn_memory_share(board_bytes + bn_barrier_size_bytes(), &memory);
    if (status != BN_OK)
        return status;
    board = memory;
    board->meeting = (struct bn_barrier *)((char *)memory + board_bytes);
    bn_barrier_init(board->meeting, bn_context.thread_count, bn_context.policy);
    return BN_OK;
}

static struct thread_state *self(void)
{
    return &board->threads[bn_context.thread];
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

enum { WORDS_BYTES = NAME_BYTES + FILE_BYTES + 24 };

/* ---- Deadlock ---- */

static bool all_have_begun(uint32_t item)
{
    for (int thread = 0; thread < bn_context.thread_count; thread++) {
        if ((int32_t)(board->threads[thread].items - item) < 0)
            return false;
    }
    return true;
}

static uint32_t holder_of(const struct bn_lock *lock)
{
    return bn_word_get(&lock->holder);
}

static bool can_go_on(int thread)
{
    const struct thread_state *state = &board->threads[thread];
    switch (state->activity) {
    case RUNS:
        return true;
    case IN_BARRIER:
    case IN_COLLECTIVE:
    case AT_END:
        return all_have_begun(state->items);
    case WANTS_LOCK: {
        uint32_t holder = holder_of(state->object);
        return holder == 0 || holder == (uint32_t)thread + 1;
    }
    case WANTS_UNITS: {
        const struct bn_semaphore *semaphore = state->object;
        return bn_word_get(&semaphore->value) >= state->units;
    }
    }
    return true;
}

static bool is_deadlocked(void)
{
    if (board->waiting < bn_context.thread_count)
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
    case AT_END:
        snprintf(text, text_bytes, "ended");
        break;
    case WANTS_LOCK:
        snprintf(text, text_bytes, "%s in %s, for a lock that thread %d holds", verb, words,
                 (int)holder_of(state->object) - 1);
        break;
    case WANTS_UNITS:
        snprintf(text, text_bytes, "%s in %s, for a post", verb, words);
        break;
    default:
        snprintf(text, text_bytes, "%s in %s", verb, words);
    }
}

/* Whether two threads wait for the same at the same place */
static bool is_alike(const struct thread_state *a, const struct thread_state *b)
{
    return a->activity == b->activity && a->object == b->object && a->place.line == b->place.line &&
           strcmp(a->place.file, b->place.file) == 0 && strcmp(a->place.function, b->place.function) == 0;
}

static void report_waits(void)
{
    const struct thread_state *threads = board->threads;
    int count = bn_context.thread_count;
    for (int first = 0, lines = 0; first < count; lines++) {
        int last = first;
        char wait[WORDS_BYTES + 64];
        while (last + 1 < count && is_alike(&threads[first], &threads[last + 1]))
            last++;
        if (lines == MOST_LINES) {
            bn_log_error("deadlock: ... and %d threads more", count - first);
            return;
        }
        print_wait(&threads[first], first == last ? "waits" : "wait", wait, sizeof wait);
        if (first == last)
            bn_log_error("deadlock: thread %d %s", first, wait);
        else
            bn_log_error("deadlock: threads %d to %d %s", first, last, wait);
        first = last + 1;
    }
}

/* Under the lock: this thread does not run from now on. */
static void begin_wait(const char *function, enum activity activity, const void *object, uint32_t units)
{
    struct thread_state *state = self();
    state->activity = activity;
    state->object = object;
    state->units = units;
    state->place = place_here(function);
    board->waiting++;
    if (is_deadlocked())
        bn_upc_fatal_explained(
            report_waits, function,
            "deadlock: no thread can go on; let each wait for something that another thread will do");
}

static void end_wait(void)
{
    self()->activity = RUNS;
    board->waiting--;
}

void bn_check_resume(void)
{
    bn_spinlock_acquire(&board->lock);
    end_wait();
    bn_spinlock_release(&board->lock);
}

void bn_check_lock_wait(const char *function, const struct bn_lock *lock)
{
    bn_spinlock_acquire(&board->lock);
    begin_wait(function, WANTS_LOCK, lock, 0);
    bn_spinlock_release(&board->lock);
}

int bn_check_lock_waiter(const struct bn_lock *lock)
{
    int waiter = -1;
    bn_spinlock_acquire(&board->lock);
    for (int thread = 0; thread < bn_context.thread_count && waiter < 0; thread++) {
        const struct thread_state *state = &board->threads[thread];
        if (state->activity == WANTS_LOCK && state->object == lock)
            waiter = thread;
    }
    bn_spinlock_release(&board->lock);
    return waiter;
}

void bn_check_semaphore_wait(const char *function, struct bn_semaphore *semaphore, uint32_t units)
{
    bool waits = false;
    uint32_t step = 0;
    for (;;) {
        bn_spinlock_acquire(&board->lock);
        bool has_taken = bn_semaphore_try(semaphore, units);
        if (has_taken && waits)
            end_wait();
        if (!has_taken && !waits)
            begin_wait(function, WANTS_UNITS, semaphore, units);
        waits = true;
        bn_spinlock_release(&board->lock);
        if (has_taken)
            return;
        bn_wait_step(&step, &bn_context.policy);
    }
}

/* ---- Items ---- */

/* Ends the program: this thread is at mine, another one elsewhere in the same order. */
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

static void compare_arguments(const struct item *mine, const struct item *first)
{
    char words[WORDS_BYTES];
    const char *name = bn_context.check->call.names;
    for (int i = 0; i < mine->argument_count; i++) {
        int length = (int)strcspn(name, " ");
        if (mine->arguments[i] != first->arguments[i])
            bn_upc_fatal(mine->place.function,
                         "%.*s is 0x%llx, but 0x%llx on thread %d, in %s; it must be the same on all threads", length,
                         name, (unsigned long long)mine->arguments[i], (unsigned long long)first->arguments[i],
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

/* Under the lock: this thread begins its next item. */
static void begin_item(struct item *mine)
{
    mine->number = ++self()->items;
    mine->thread = bn_context.thread;
    struct item *first = &board->items[mine->number % SLOTS];
    if (first->number != mine->number) {
        mine->value_thread = mine->thread;
        mine->value_place = mine->place;
        *first = *mine;
        return;
    }
    if (mine->kind != first->kind ||
        (mine->kind == IN_COLLECTIVE && strcmp(mine->place.function, first->place.function) != 0))
        refuse_other_item(mine, first);
    compare_arguments(mine, first);
    compare_values(mine, first);
}

void bn_check_barrier_notify(const char *statement, bool has_value, int value)
{
    struct item mine = {.kind = IN_BARRIER, .place = place_here(statement), .has_value = has_value, .value = value};
    bn_spinlock_acquire(&board->lock);
    begin_item(&mine);
    bn_spinlock_release(&board->lock);
}

void bn_check_barrier_wait(const char *statement)
{
    bn_spinlock_acquire(&board->lock);
    begin_wait(statement, IN_BARRIER, NULL, 0);
    bn_spinlock_release(&board->lock);
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
    bn_spinlock_acquire(&board->lock);
    begin_item(&mine);
    begin_wait(function, IN_COLLECTIVE, NULL, 0);
    bn_spinlock_release(&board->lock);
    thread->call.count = 0;
    thread->meeting_member.thread = bn_context.thread;
    bn_barrier_pass(board->meeting, &thread->meeting_member);
    bn_check_resume();
}

void bn_check_end(void)
{
    struct item mine = {.kind = AT_END, .place = place_here("the end of the thread")};
    bn_spinlock_acquire(&board->lock);
    begin_item(&mine);
    begin_wait("the end of the thread", AT_END, NULL, 0);
    bn_spinlock_release(&board->lock);
}
