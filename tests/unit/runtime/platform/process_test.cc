#include "platform/process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>

namespace {

TEST(Process, CommandsHaveTheirLimitWhereSignalsCome)
{
    struct sigaction action = {}, before;
    action.sa_handler = [](int) {};
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, &before);
    const itimerval tick = {{0, 1000}, {0, 1000}}, none = {};
    setitimer(ITIMER_REAL, &tick, nullptr);
    char sleep[] = "sleep", long_s[] = "20", output[16];
    char* const arguments[] = {sleep, long_s, nullptr};
    int64_t begin_ns = bn_process_now_ns();
    EXPECT_FALSE(bn_process_capture(arguments, 50, output, sizeof output));
    EXPECT_LT(bn_process_now_ns() - begin_ns, INT64_C(15000000000));
    setitimer(ITIMER_REAL, &none, nullptr);
    sigaction(SIGALRM, &before, nullptr);
}

}  // namespace
