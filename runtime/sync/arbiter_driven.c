/*
 * One of the waiting threads is the driver: inside the section it polls for its own operation and for those of the
 * others, which meanwhile wait outside and occupy neither the lock nor, once they sleep, a core.  It notifies the
 * threads whose operation has completed.  When its own has, it makes the thread that has waited longest the driver.
 *
 *     posted   null      no thread waits
 *              DRIVER    there is a driver, and no new thread for it
 *              a thread  the newest one posted since the driver last gathered; linked by next, up to DRIVER
 *
 * A thread is notified by its event: value + 1 means that its operation has completed; value + 2 means that it is now
 * the driver, and the waiting threads are linked to it.
 *
 * tests/models/arbiter_driven.pml checks these steps:
 *
 *     D1  posted: null -> DRIVER, is the driver        D4  posted: DRIVER -> null, if no thread waits: done
 *     D2  else posted: old -> self                     D5  else tell the first waiting thread that it is the driver
 *     D3  posted: old -> DRIVER; take the old list
 */
#include "sync/arbiter_kinds.h"

#include <stddef.h>

static struct bn_arbiter_thread driver_mark;
#define DRIVER (&driver_mark)

/* The waiting threads, oldest first */
struct line {
    struct bn_arbiter_thread *first;
    struct bn_arbiter_thread **end;
};

/* D1, D2: whether self is the driver */
static bool post(struct bn_arbiter *arbiter, struct bn_arbiter_thread *self)
{
    struct bn_arbiter_thread *before = __atomic_load_n(&arbiter->posted, __ATOMIC_RELAXED);
    do
        self->next = before;
    while (!__atomic_compare_exchange_n(&arbiter->posted, &before, before ? self : DRIVER, true, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED));
    return before == NULL;
}

/* D3: appends the posted threads to the line, in the order in which they were posted. */
static void gather(struct bn_arbiter *arbiter, struct line *line)
{
    if (__atomic_load_n(&arbiter->posted, __ATOMIC_RELAXED) == DRIVER)
        return;
    struct bn_arbiter_thread *last = __atomic_exchange_n(&arbiter->posted, DRIVER, __ATOMIC_ACQ_REL), *list = NULL;
    struct bn_arbiter_thread **end = last == DRIVER ? line->end : &last->next;
    while (last != DRIVER) {
        struct bn_arbiter_thread *before = last->next;
        last->next = list;
        list = last;
        last = before;
    }
    *line->end = list;
    line->end = end;
}

static void let_others_in(struct bn_arbiter *arbiter, struct bn_arbiter_thread *self)
{
    if (!bn_arbiter_is_wanted(arbiter))
        return;
    bn_arbiter_leave(arbiter, self);
    bn_arbiter_enter(arbiter, self, BN_PATH_PROGRESS);
}

/* Inside: polls for all threads and notifies those whose operation has completed.  Returns whether that of self has. */
static bool look(struct bn_arbiter *arbiter, struct bn_arbiter_thread *self, struct line *line)
{
    bool has_come = self->poll(self->context);
    for (struct bn_arbiter_thread **link = &line->first; *link;) {
        struct bn_arbiter_thread *thread = *link, *next = thread->next;
        let_others_in(arbiter, self);
        if (!thread->poll(thread->context)) {
            link = &thread->next;
            continue;
        }
        *link = next;
        if (!next)
            line->end = link;
        bn_event_publish(&thread->told, thread->turn + 1); /* from now on the thread may be gone */
    }
    return has_come;
}

static void drive(struct bn_arbiter *arbiter, struct bn_arbiter_thread *self, struct line *line)
{
    const struct bn_wait_policy *wait = bn_arbiter_wait(arbiter);
    uint32_t step = 0;
    bn_arbiter_enter(arbiter, self, BN_PATH_PROGRESS);
    for (;;) {
        gather(arbiter, line);
        if (look(arbiter, self, line))
            break;
        if (step < wait->spin_count && !bn_arbiter_is_wanted(arbiter)) {
            bn_wait_step(&step, wait);
            continue;
        }
        bn_arbiter_leave(arbiter, self);
        bn_wait_step(&step, wait);
        bn_arbiter_enter(arbiter, self, BN_PATH_PROGRESS);
    }
    bn_arbiter_leave(arbiter, self);
}

/* Makes another thread the driver, or none if no thread waits. */
static void hand_over(struct bn_arbiter *arbiter, struct line *line)
{
    struct bn_arbiter_thread *mark = DRIVER;
    if (!line->first &&
        __atomic_compare_exchange_n(&arbiter->posted, &mark, NULL, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) /* D4 */
        return;
    gather(arbiter, line);
    bn_event_publish(&line->first->told, line->first->turn + 2); /* D5 */
}

void bn_arbiter_driven_await(struct bn_arbiter *arbiter, struct bn_arbiter_thread *self, bn_arbiter_poll poll,
                             void *context)
{
    struct line line = {NULL, &line.first};
    self->poll = poll;
    self->context = context;
    self->turn = self->told.value;
    if (!post(arbiter, self)) {
        bn_event_wait(&self->told, self->turn + 1, bn_arbiter_wait(arbiter));
        if (!bn_event_has_reached(&self->told, self->turn + 2))
            return;
        line.first = self->next;
        while (*line.end)
            line.end = &(*line.end)->next;
    }
    drive(arbiter, self, &line);
    hand_over(arbiter, &line);
}
