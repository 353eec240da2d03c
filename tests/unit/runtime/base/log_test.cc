#include "base/log.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <unistd.h>

namespace {

template <typename Function>
std::string said_by(Function function)
{
    testing::internal::CaptureStderr();
    function();
    return testing::internal::GetCapturedStderr();
}

TEST(Log, OneLineWithPrefix)
{
    EXPECT_EQ(said_by([] { bn_log_error("no %s; buy %d", "bread", 2); }), "banyan: no bread; buy 2\n");
    EXPECT_EQ(said_by([] { bn_log_warning("stale"); }), "banyan: warning: stale\n");
}

TEST(Log, NamesTheThread)
{
    bn_log_set_thread(3);
    EXPECT_EQ(said_by([] { bn_log_error("upc_free: twice"); }), "banyan: thread 3: upc_free: twice\n");
    bn_log_set_thread(-1);
}

TEST(Log, LevelsHideWhatIsLessImportant)
{
    EXPECT_EQ(said_by([] { bn_log_info("detail"); }), "");
    bn_log_set_level(BN_LOG_VERBOSE);
    EXPECT_EQ(said_by([] { bn_log_info("detail"); }), "banyan: detail\n");
    bn_log_set_level(BN_LOG_QUIET);
    EXPECT_EQ(said_by([] { bn_log_warning("stale"); }), "");
    EXPECT_EQ(said_by([] { bn_log_error("broken"); }), "banyan: broken\n");
    bn_log_set_level(BN_LOG_NORMAL);
}

TEST(Log, LongMessagesAreCutButStayLines)
{
    std::string longest(10000, 'x');
    std::string line = said_by([&] { bn_log_error("%s", longest.c_str()); });
    EXPECT_GT(line.size(), 1000u);
    EXPECT_EQ(line.find('\n'), line.size() - 1);
}

TEST(Log, KeepsErrno)
{
    errno = EDOM;
    said_by([] {
        errno = EDOM;
        bn_log_error("x");
        EXPECT_EQ(errno, EDOM);
    });
}

TEST(LogDeathTest, AFailedAssertionAborts)
{
    EXPECT_DEATH(bn_assert(1 + 1 == 3), "this is a bug in Banyan: 1 \\+ 1 == 3 does not hold");
}

/* What the reader has read would have been lost if the writer had ended the job at once. */
TEST(Log, WaitsUntilWhatItSaidHasBeenRead)
{
    int ends[2], kept = dup(STDERR_FILENO);
    ASSERT_EQ(pipe(ends), 0);
    dup2(ends[1], STDERR_FILENO);
    bn_log_error("gone");
    std::atomic<bool> has_read = false;
    std::thread reader([&] {
        char text[64];
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        has_read = true;
        EXPECT_EQ(read(ends[0], text, sizeof text), 13);
    });
    bn_log_await_reader();
    EXPECT_TRUE(has_read);
    reader.join();
    bn_log_await_reader(); /* nothing is pending: returns at once */
    dup2(kept, STDERR_FILENO);
    bn_log_await_reader(); /* works whatever standard error is here */
    close(kept);
    close(ends[0]);
    close(ends[1]);
}

}  // namespace
