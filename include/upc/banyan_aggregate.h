/*
 * banyan_aggregate.h: message aggregation: threads send each other small items, which travel in blocks.  A Banyan
 * extension.
 *
 * Updating a single element on another machine costs a message, tens of microseconds over Ethernet.  Instead, a thread
 * pushes items, each addressed to a thread; they are collected until a block is full and travel together.  A function
 * of the receiver then takes them, for example to count them, to insert them into its part of a table, or to answer by
 * pushes of its own.
 *
 *     static void take(void *context, int from, const void *items, size_t count)
 *     {
 *         const long *places = items;
 *         for (size_t i = 0; i < count; i++)
 *             my_part[places[i]]++;
 *     }
 *
 *     banyan_aggregate_t *updates = banyan_aggregate_all_make(sizeof(long), 0, take, NULL);
 *     for (...)
 *         banyan_aggregate_push(updates, owner, &place);
 *     banyan_aggregate_end(updates);               all updates of my part, by all threads, are done
 *     banyan_aggregate_all_free(updates);
 *
 * Items are taken by the thread that they are addressed to, inside its calls of banyan_aggregate_push, _poll and _end
 * on any aggregate; nothing interrupts the thread in between.  Items from one thread to another are taken in the order
 * of their pushes.  A push does not order memory accesses: what a thread wrote to shared memory before it is not
 * thereby visible to the taker.
 *
 * Between its first push of a phase and the end of it, a thread must not wait for other threads by other means (a
 * barrier, a lock that they hold, a collective function): they may be waiting for it to take what they have sent.
 *
 * Plain C.  Misuse ends the program with a message.
 */
#ifndef BANYAN_AGGREGATE_H
#define BANYAN_AGGREGATE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One thread's end of an aggregate; valid on that thread only */
typedef struct banyan_aggregate banyan_aggregate_t;

/*
 * Takes count items (1 or more) pushed by thread `from`, which are contiguous and invalid once it returns.  It may
 * push, for instance an answer, into aggregates made later than the one it takes from; it must neither push into that
 * one or an earlier one, nor end or free any, nor wait for other threads.
 */
typedef void banyan_aggregate_take_t(void *context, int from, const void *items, size_t count);

/*
 * Makes an aggregate for items of item_bytes, 1 or more, that travel in blocks of up to block_bytes; 0 leaves that to
 * the system (8 KiB, or one item if that is larger).  Collective, with the same sizes on all threads; each thread has
 * its own take and context, which is passed to take unchanged.  All threads make aggregates in the same order.
 *
 * Cost: three blocks for each thread of the job, on each thread, two of them in shared memory.
 */
banyan_aggregate_t *banyan_aggregate_all_make(size_t item_bytes, size_t block_bytes, banyan_aggregate_take_t *take,
                                              void *context);

/* Sends an item to a thread, which may be the caller.  The item may be changed on return.  May call take functions. */
void banyan_aggregate_push(banyan_aggregate_t *aggregate, int thread, const void *item);

/* Takes items that have arrived, for threads that do not push for a while.  Does not wait. */
void banyan_aggregate_poll(banyan_aggregate_t *aggregate);

/*
 * Ends a phase: sends the remaining items, and returns when this thread has taken all items that others pushed to it
 * before their own banyan_aggregate_end of this phase.  Collective, but not a barrier; the next phase may begin
 * immediately. Answers need an aggregate of their own, to be ended after the one that carries the questions.
 *
 * Cost: a message to each other thread.
 */
void banyan_aggregate_end(banyan_aggregate_t *aggregate);

/* Collective.  Every phase with pushes must have been ended.  Null is ignored. */
void banyan_aggregate_all_free(banyan_aggregate_t *aggregate);

#ifdef __cplusplus
}
#endif

#endif
