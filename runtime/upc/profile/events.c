#include "upc/profile/events.h"

#include "platform/copy.h"
#include "upc/nodes.h"
#include "upc/profile/place.h"

enum { EVENTS_AT_A_TIME = 128 };

/* The head of a thread's book */
static struct bn_book head_of(int thread)
{
    struct bn_book book;
    bn_copy(&book, bn_profile_book(thread), offsetof(struct bn_book, rows));
    return book;
}

/* When the first thread of a node began.  A thread that ended before it began recording has no book. */
static uint64_t begin_of_node(const struct bn_profile *profile, int node)
{
    uint64_t begin_ns = UINT64_MAX;
    for (int thread = 0; thread < profile->thread_count; thread++) {
        if (profile->nodes[thread] != node)
            continue;
        const struct bn_book book = head_of(thread);
        if (book.begin_ns != 0 && book.begin_ns < begin_ns)
            begin_ns = book.begin_ns;
    }
    return begin_ns;
}

bool bn_events_are_there(const struct bn_profile *profile, int thread)
{
    return !profile->is_early || bn_nodes_first_thread(thread) == bn_nodes_first_thread(0);
}

struct bn_events_thread bn_events_of(const struct bn_profile *profile, int thread,
                                     void (*visit)(void *context, const struct bn_book_event *event, double begin_ns,
                                                   double end_ns),
                                     void *context)
{
    struct bn_book_event events[EVENTS_AT_A_TIME];
    const char *place = (const char *)bn_profile_book(thread);
    const struct bn_book book = head_of(thread);
    double ns_per_tick = bn_profile_ns_per_tick(&book);
    double offset_ns = (double)(int64_t)(book.begin_ns - begin_of_node(profile, profile->nodes[thread]));
    for (uint64_t done = 0, count; visit && done < book.event_count; done += count) {
        count = book.event_count - done < EVENTS_AT_A_TIME ? book.event_count - done : EVENTS_AT_A_TIME;
        bn_copy(events, place + bn_book_events_offset(book.thread_count) + done * sizeof *events,
                count * sizeof *events);
        for (uint64_t i = 0; i < count; i++)
            visit(context, &events[i],
                  offset_ns + (double)(int64_t)(events[i].begin_ticks - book.begin_ticks) * ns_per_tick,
                  offset_ns + (double)(int64_t)(events[i].end_ticks - book.begin_ticks) * ns_per_tick);
    }
    return (struct bn_events_thread){thread, book.event_count, book.dropped_events,
                                     offset_ns + profile->seconds[thread] * 1e9};
}
