/*
 * banyan_aggregate.h: small items that threads send each other, carried in blocks.  An extension of this system.
 *
 * An update of a single element of another machine costs a message, tens of microseconds over Ethernet.  Here a thread
 * pushes items, each with the thread that it is for; they are collected until a block is full, travel together, and the
 * receiver's function takes them: to count, to insert into its part of a table, to answer by pushes of its own.
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
 * Items are taken by the thread that they are for, in calls of banyan_aggregate_push, _poll and _end, on whichever
 * aggregate: nothing interrupts the thread in between.  Items of one thread for another are taken in the order of their
 * pushes.  What a thread wrote to shared memory before a push is no more visible to the taker than without.
 *
 * Between its first push of a phase and the end of it, a thread must not wait for others in another way (a barrier, a
 * lock that they hold, a collective function): they may wait for it to take what they have sent.
 *
 * Plain C.  Misuse ends the program with a message.
 */
#ifndef BANYAN_AGGREGATE_H
#define BANYAN_AGGREGATE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One thread's end of it; valid on that thread only */
typedef struct banyan_aggregate banyan_aggregate_t;

/*
 * Takes count items (1 or more) that thread from has pushed, which lie behind each other and are gone when it returns.
 * It may push into aggregates that were made after the one that it takes from, for instance an answer; it must neither
 * push into that one and earlier ones, nor end or free any, nor wait for other threads.
 */
typedef void banyan_aggregate_take_t(void *context, int from, const void *items, size_t count);

/*
 * Makes an aggregate for items of item_bytes, 1 or more, that travel in blocks of up to block_bytes; 0 leaves that to
 * the system (8 KiB, or one item if that is larger).  Collective, with the same sizes on all threads; take and context,
 * which take gets as it is, are each thread's own.  All threads make aggregates in the same order.
 *
 * Cost: three blocks for each thread of the job, on each thread, two of them in shared memory.
 */
banyan_aggregate_t *banyan_aggregate_all_make(size_t item_bytes, size_t block_bytes, banyan_aggregate_take_t *take,
                                              void *context);

/* Sends an item, which may be changed on return, to a thread, which may be the caller.  May call take functions. */
void banyan_aggregate_push(banyan_aggregate_t *aggregate, int thread, const void *item);

/* Takes what has arrived, for threads that do not push for a while.  Does not wait. */
void banyan_aggregate_poll(banyan_aggregate_t *aggregate);

/*
 * Ends a phase: sends what is left, and returns when this thread has taken all that others pushed for it before they
 * came to their own banyan_aggregate_end of this phase.  Collective, but no barrier; the next phase may begin at once.
 * Answers are in an aggregate of their own, which ends after the one with the questions.
 *
 * Cost: a message to each other thread.
 */
void banyan_aggregate_end(banyan_aggregate_t *aggregate);

/* Collective.  All that was pushed must have been ended.  Null is ignored. */
void banyan_aggregate_all_free(banyan_aggregate_t *aggregate);

#ifdef __cplusplus
}
#endif

#endif
