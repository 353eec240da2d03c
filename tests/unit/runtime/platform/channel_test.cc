#include "platform/channel.h"

#include "platform/clock.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

namespace {

uint64_t in_ms(uint64_t ms)
{
    return bn_clock_ns() + ms * 1000000;
}

// Two ends, and a signal every millisecond to this process, as in programs with a profiler or a timer
class Channel : public testing::Test {
protected:
    void SetUp() override
    {
        ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
        struct sigaction action = {};
        action.sa_handler = [](int) {};
        action.sa_flags = SA_RESTART;
        sigaction(SIGALRM, &action, &before);
        const itimerval tick = {{0, 1000}, {0, 1000}};
        setitimer(ITIMER_REAL, &tick, nullptr);
    }
    void TearDown() override
    {
        const itimerval none = {};
        setitimer(ITIMER_REAL, &none, nullptr);
        sigaction(SIGALRM, &before, nullptr);
        close(ends[0]);
        close(ends[1]);
    }

    int ends[2];
    struct sigaction before;
};

TEST_F(Channel, LimitsHoldWhereSignalsCome)
{
    char byte;
    int file = 7;
    std::vector<char> much(64 << 20);
    EXPECT_FALSE(bn_channel_receive_all(ends[0], &byte, 1, in_ms(30)));
    EXPECT_EQ(errno, ETIMEDOUT);
    EXPECT_FALSE(bn_channel_receive_file(ends[0], &file, in_ms(30)));
    EXPECT_EQ(errno, ETIMEDOUT);
    EXPECT_EQ(file, -1);
    EXPECT_FALSE(bn_channel_send_all(ends[0], much.data(), much.size(), in_ms(30)));
    EXPECT_EQ(errno, ETIMEDOUT);
}

TEST_F(Channel, SignalsEndNoWait)
{
    pid_t other = fork();
    if (other == 0) {
        std::vector<char> much(1 << 20, 'x');
        usleep(30000);
        _exit(bn_channel_send_file(ends[1], STDERR_FILENO, 0) && usleep(30000) == 0 &&
                      bn_channel_send_all(ends[1], much.data(), much.size(), 0)
                  ? 0
                  : 1);
    }
    int file = -1, status;
    std::vector<char> much(1 << 20);
    EXPECT_TRUE(bn_channel_receive_file(ends[0], &file, 0));
    EXPECT_GE(file, 0);
    EXPECT_TRUE(bn_channel_receive_all(ends[0], much.data(), much.size(), in_ms(60000)));
    EXPECT_EQ(much, std::vector<char>(much.size(), 'x'));
    close(file);
    ASSERT_EQ(waitpid(other, &status, 0), other);
    EXPECT_EQ(status, 0);
}

TEST_F(Channel, WhoHasGoneIsNotWaitedFor)
{
    char byte;
    shutdown(ends[1], SHUT_RDWR);
    EXPECT_FALSE(bn_channel_receive_all(ends[0], &byte, 1, 0));
    EXPECT_EQ(errno, ECONNRESET);
    EXPECT_FALSE(bn_channel_send_all(ends[0], &byte, 1, 0));
    EXPECT_EQ(errno, EPIPE);
}

TEST_F(Channel, OtherEndsAreKnown)
{
    EXPECT_TRUE(bn_channel_is_own_user(ends[0]));
    EXPECT_EQ(bn_channel_process(ends[0]), getpid());
}

}  // namespace
