/*
 * span.c: spans, and their records in the book of their thread.
 *
 * Reading the clock takes 10 to 30 ns, as long as ten small copies.  So of brief operations only the first TIMED_CALLS
 * calls are timed, and after that one in EVERY, if they take BRIEF_TICKS or less on average.  A trace times all calls.
 */
#include "profile/span.h"

#include "banyan/per_thread.h"
#include "platform/clock.h"

enum { TIMED_CALLS = 1024, EVERY = 61, BRIEF_TICKS = 1024, CALIBRATED_TICKS = 1 << 20 };

bool bn_profile_is_on;

static BN_PER_THREAD struct {
    struct bn_book *book; /* null before and after main */
    struct bn_book_flow *flows;
    struct bn_book_event *events;
    const unsigned char *distances;
    struct bn_span *current; /* the outermost one */
    uint32_t depth;
    int thread;
} own;

void bn_book_begin(struct bn_book *book, int thread, int thread_count, uint32_t event_room,
                   const unsigned char *distances)
{
    book->thread_count = (uint32_t)thread_count;
    book->event_room = event_room;
    own.flows = (struct bn_book_flow *)((char *)book + bn_book_flows_offset());
    own.events = (struct bn_book_event *)((char *)book + bn_book_events_offset((uint32_t)thread_count));
    own.distances = distances;
    own.thread = thread;
    own.depth = 0;
    book->begin_ticks = bn_clock_ticks();
    book->begin_ns = bn_clock_ns();
    own.book = book;
}

void bn_book_end(void)
{
    struct bn_book *book = own.book;
    own.book = NULL;
    if (!book)
        return;
    book->end_ns = bn_clock_ns();
    book->ns_of_ticks = bn_clock_ticks_to_ns(CALIBRATED_TICKS);
}

static bool is_timed(const struct bn_book *book, enum bn_profile_operation operation)
{
    const struct bn_tally *tally = &book->rows[operation].all;
    return book->event_room > 0 || !bn_profile_is_brief(operation) || tally->calls < TIMED_CALLS ||
           tally->calls % EVERY == 0 || tally->time > tally->timed_calls * BRIEF_TICKS;
}

struct bn_span *bn_span_open(struct bn_span *span, enum bn_profile_operation operation, uint64_t bytes, int from,
                             int to, const void *caller)
{
    span->is_inner = own.depth++ > 0 || !own.book;
    if (span->is_inner)
        return span;
    own.current = span;
    span->operation = (uint16_t)operation;
    span->way = 0;
    span->bytes = bytes;
    span->from = from;
    span->to = to;
    span->pc = (uint64_t)caller;
    span->other_ticks = 0;
    span->begin_ticks = is_timed(own.book, operation) ? bn_clock_ticks() : 0;
    return span;
}

static void note_thread(struct bn_book_row *row, int thread, uint64_t bytes)
{
    enum bn_distance distance = (enum bn_distance)own.distances[thread];
    row->calls_to[distance]++;
    row->bytes_to[distance] += bytes;
}

/* For a copy between two other threads, the distance is that of the farther one. */
static void note_threads(struct bn_book_row *row, const struct bn_span *span)
{
    int from = span->from, to = span->to;
    if (from >= 0)
        own.flows[from].taken_bytes += span->bytes;
    if (to >= 0)
        own.flows[to].given_bytes += span->bytes;
    if (from >= 0 && (to < 0 || own.distances[from] >= own.distances[to]))
        note_thread(row, from, span->bytes);
    else if (to >= 0)
        note_thread(row, to, span->bytes);
}

static void note_event(struct bn_book *book, const struct bn_span *span, uint64_t end_ticks)
{
    if (book->event_count == book->event_room) {
        book->dropped_events++;
        return;
    }
    own.events[book->event_count++] = (struct bn_book_event){
        .begin_ticks = span->begin_ticks,
        .end_ticks = end_ticks,
        .bytes = span->bytes,
        .peer = span->from >= 0 && span->from != own.thread ? span->from
                : span->to >= 0                             ? span->to
                                                            : span->from,
        .operation = span->operation,
        .way = span->way,
    };
}

void bn_span_close(struct bn_span *span)
{
    own.depth--;
    if (span->is_inner)
        return;
    own.current = NULL;
    struct bn_book *book = own.book;
    if (!book)
        return;
    enum bn_profile_operation operation = (enum bn_profile_operation)span->operation;
    uint64_t end_ticks = span->begin_ticks != 0 ? bn_clock_ticks() : 0;
    const struct bn_tally tally = {
        .calls = 1,
        .bytes = span->bytes,
        .timed_calls = span->begin_ticks != 0,
        .time = end_ticks - span->begin_ticks - span->other_ticks,
    };
    struct bn_book_row *row = &book->rows[operation];
    bn_tally_add(&row->all, &tally);
    note_threads(row, span);
    struct bn_book_site *site = bn_book_site(book, span->pc, operation);
    if (site)
        bn_tally_add(&site->tally, &tally);
    struct bn_book_way *way = span->way != 0 ? bn_book_way(book, operation, span->way - 1U) : NULL;
    if (way)
        bn_tally_add(&way->tally, &tally);
    if (book->event_room > 0)
        note_event(book, span, end_ticks);
}

void bn_span_count(enum bn_profile_operation operation, uint64_t bytes, int thread, const void *caller)
{
    if (!own.book || own.depth > 0)
        return;
    const struct bn_tally tally = {.calls = 1, .bytes = bytes};
    struct bn_book_site *site = bn_book_site(own.book, (uint64_t)caller, operation);
    bn_tally_add(&own.book->rows[operation].all, &tally);
    note_thread(&own.book->rows[operation], thread, bytes);
    own.flows[thread].taken_bytes += bytes;
    if (site)
        bn_tally_add(&site->tally, &tally);
}

void bn_span_bytes(uint64_t bytes)
{
    if (own.current && own.depth == 1)
        own.current->bytes += bytes;
}

void bn_span_flow(int thread, uint64_t taken_bytes, uint64_t given_bytes)
{
    if (!own.current || own.depth != 1)
        return;
    struct bn_book_row *row = &own.book->rows[own.current->operation];
    row->bytes_to[own.distances[thread]] += taken_bytes + given_bytes;
    own.flows[thread].taken_bytes += taken_bytes;
    own.flows[thread].given_bytes += given_bytes;
}

void bn_span_way(uint32_t way)
{
    if (own.current && own.depth == 1)
        own.current->way = (uint16_t)(way + 1);
}

struct bn_span_pause bn_span_pause(void)
{
    struct bn_span_pause pause = {own.current, 0, own.depth};
    if (!pause.span)
        return pause;
    own.current = NULL;
    own.depth = 0;
    pause.begin_ticks = bn_clock_ticks();
    return pause;
}

void bn_span_resume(const struct bn_span_pause *pause)
{
    if (!pause->span)
        return;
    own.current = pause->span;
    own.depth = pause->depth;
    if (pause->span->begin_ticks != 0)
        pause->span->other_ticks += bn_clock_ticks() - pause->begin_ticks;
}
