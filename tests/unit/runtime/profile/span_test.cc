#include "profile/span.h"

#include "platform/clock.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

namespace {

enum { THREADS = 3, ME = 1, ROOM = 4 };
const unsigned char distances[THREADS] = {BN_TO_NODE, BN_TO_SELF, BN_TO_FAR};

// The book of thread 1 of three
class Spans : public testing::Test {
protected:
    void SetUp() override
    {
        bn_profile_is_on = true;
        begin(ROOM);
    }

    void TearDown() override
    {
        bn_book_end();
        free(book);
        bn_profile_is_on = false;
    }

    void begin(uint32_t room)
    {
        bn_book_end();
        free(book);
        uint64_t bytes = bn_book_bytes(THREADS, room);
        book = static_cast<bn_book*>(aligned_alloc(4096, bytes));
        memset(static_cast<void*>(book), 0, bytes);
        bn_book_begin(book, ME, THREADS, room, distances);
    }

    const bn_tally& tally(bn_profile_operation operation) const { return book->rows[operation].all; }

    const bn_book_flow& flow(int thread) const
    {
        return reinterpret_cast<bn_book_flow*>(reinterpret_cast<char*>(book) + bn_book_flows_offset())[thread];
    }

    const bn_book_event& event(int i) const
    {
        return reinterpret_cast<bn_book_event*>(reinterpret_cast<char*>(book) + bn_book_events_offset(THREADS))[i];
    }

    bn_book* book = nullptr;
};

const void* const caller = reinterpret_cast<const void*>(0x4000);

void span(bn_profile_operation operation, uint64_t bytes, int from, int to)
{
    BN_SPAN_FROM(caller, operation, bytes, from, to);
}

TEST_F(Spans, LeaveCallsBytesDistancesFlowsAndPlaces)
{
    span(BN_PROFILE_GET, 8, 2, BN_NOBODY);
    span(BN_PROFILE_GET, 4, 1, BN_NOBODY);
    span(BN_PROFILE_PUT, 2, BN_NOBODY, 0);
    EXPECT_EQ(tally(BN_PROFILE_GET).calls, 2U);
    EXPECT_EQ(tally(BN_PROFILE_GET).bytes, 12U);
    const bn_book_row& gets = book->rows[BN_PROFILE_GET];
    EXPECT_EQ(gets.bytes_to[BN_TO_FAR], 8U);
    EXPECT_EQ(gets.bytes_to[BN_TO_SELF], 4U);
    EXPECT_EQ(gets.calls_to[BN_TO_NODE], 0U);
    EXPECT_EQ(flow(2).taken_bytes, 8U);
    EXPECT_EQ(flow(0).given_bytes, 2U);
    EXPECT_EQ(flow(0).taken_bytes, 0U);
    EXPECT_EQ(bn_book_site(book, 0x4000, BN_PROFILE_GET)->tally.calls, 2U);
}

// A copy between two other threads counts with the farther distance, and as passing through this thread.
TEST_F(Spans, CopiesBetweenOthers)
{
    span(BN_PROFILE_COPY, 16, 0, 2);
    EXPECT_EQ(book->rows[BN_PROFILE_COPY].bytes_to[BN_TO_FAR], 16U);
    EXPECT_EQ(book->rows[BN_PROFILE_COPY].bytes_to[BN_TO_NODE], 0U);
    EXPECT_EQ(flow(0).taken_bytes, 16U);
    EXPECT_EQ(flow(2).given_bytes, 16U);
}

TEST_F(Spans, InnerOnesArePartsOfTheOuter)
{
    {
        BN_SPAN_FROM(caller, BN_PROFILE_ALL_ALLOC, 0, BN_NOBODY, BN_NOBODY);
        span(BN_PROFILE_BARRIER, 0, BN_NOBODY, BN_NOBODY);
        bn_span_bytes(5);
        bn_span_flow(2, 3, 4);
    }
    EXPECT_EQ(tally(BN_PROFILE_BARRIER).calls, 0U);
    EXPECT_EQ(tally(BN_PROFILE_ALL_ALLOC).calls, 1U);
    EXPECT_EQ(tally(BN_PROFILE_ALL_ALLOC).bytes, 5U);
    EXPECT_EQ(flow(2).taken_bytes, 3U);
    EXPECT_EQ(flow(2).given_bytes, 4U);
    EXPECT_EQ(book->rows[BN_PROFILE_ALL_ALLOC].bytes_to[BN_TO_FAR], 7U);
}

// What the program does within an operation is the program's own.
TEST_F(Spans, Pauses)
{
    {
        BN_SPAN_FROM(caller, BN_PROFILE_ITEMS, 0, BN_NOBODY, BN_NOBODY);
        struct bn_span_pause pause = bn_span_pause();
        span(BN_PROFILE_GET, 1, 0, BN_NOBODY);
        uint64_t begin = bn_clock_ticks();
        while (bn_clock_ticks() < begin + 1000000)
            ;
        bn_span_resume(&pause);
    }
    EXPECT_EQ(tally(BN_PROFILE_GET).calls, 1U);
    EXPECT_EQ(tally(BN_PROFILE_ITEMS).calls, 1U);
    EXPECT_LT(tally(BN_PROFILE_ITEMS).time, event(1).end_ticks - event(1).begin_ticks - 1000000 + 1);
}

TEST_F(Spans, EventsAreTimedAndBounded)
{
    for (int i = 0; i < ROOM + 3; i++)
        span(BN_PROFILE_PUT, static_cast<uint64_t>(i), BN_NOBODY, 2);
    EXPECT_EQ(book->event_count, static_cast<uint64_t>(ROOM));
    EXPECT_EQ(book->dropped_events, 3U);
    EXPECT_EQ(tally(BN_PROFILE_PUT).timed_calls, ROOM + 3U);
    for (int i = 0; i < ROOM; i++) {
        EXPECT_EQ(event(i).bytes, static_cast<uint64_t>(i));
        EXPECT_EQ(event(i).peer, 2);
        EXPECT_LE(event(i).begin_ticks, event(i).end_ticks);
        EXPECT_GE(event(i).begin_ticks, book->begin_ticks);
    }
}

// Without a trace, only some of many short calls are timed, but all of those that wait.
TEST_F(Spans, BriefCallsAreSampled)
{
    begin(0);
    enum { MANY = 100000 };
    for (int i = 0; i < MANY; i++) {
        span(BN_PROFILE_GET, 1, 0, BN_NOBODY);
        span(BN_PROFILE_BARRIER, 0, BN_NOBODY, BN_NOBODY);
    }
    EXPECT_EQ(tally(BN_PROFILE_GET).calls, static_cast<uint64_t>(MANY));
    EXPECT_LT(tally(BN_PROFILE_GET).timed_calls, static_cast<uint64_t>(MANY));
    EXPECT_GT(tally(BN_PROFILE_GET).timed_calls, 1024U);
    EXPECT_EQ(tally(BN_PROFILE_BARRIER).timed_calls, static_cast<uint64_t>(MANY));
}

TEST_F(Spans, Ways)
{
    for (uint32_t way : {4U, 7U, 4U}) {
        BN_SPAN_FROM(caller, BN_PROFILE_SCATTER, 1, BN_NOBODY, BN_NOBODY);
        bn_span_way(way);
    }
    EXPECT_EQ(bn_book_way(book, BN_PROFILE_SCATTER, 4)->tally.calls, 2U);
    EXPECT_EQ(bn_book_way(book, BN_PROFILE_SCATTER, 7)->tally.calls, 1U);
    EXPECT_EQ(event(1).way, 8U);
}

TEST_F(Spans, AccessesAreCountedAndNeitherTimedNorTraced)
{
    bn_span_count(BN_PROFILE_ACCESS, 4, 0, caller);
    {
        BN_SPAN_FROM(caller, BN_PROFILE_LOCK, 0, 0, BN_NOBODY);
        bn_span_count(BN_PROFILE_ACCESS, 4, 0, caller);
    }
    EXPECT_EQ(tally(BN_PROFILE_ACCESS).calls, 1U);
    EXPECT_EQ(tally(BN_PROFILE_ACCESS).timed_calls, 0U);
    EXPECT_EQ(book->rows[BN_PROFILE_ACCESS].calls_to[BN_TO_NODE], 1U);
    EXPECT_EQ(book->event_count, 1U);
}

TEST_F(Spans, NothingIsCountedBeforeAndBehind)
{
    bn_book_end();
    span(BN_PROFILE_GET, 8, 0, BN_NOBODY);
    bn_span_count(BN_PROFILE_ACCESS, 8, 0, caller);
    EXPECT_EQ(tally(BN_PROFILE_GET).calls, 0U);
    EXPECT_NE(book->end_ns, 0U);
    EXPECT_NE(book->ns_of_ticks, 0U);
}

}  // namespace
