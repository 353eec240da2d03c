#include "platform/process.h"

#include <gtest/gtest.h>
#include <cerrno>
#include <cstring>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

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

TEST(Process, ItsTracerHasANameAndACommandLine)
{
    char own[16], byte = 0;
    int ends[2], status;
    prctl(PR_GET_NAME, own);
    ASSERT_EQ(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        char name[64];
        bool is_told = read(ends[0], &byte, 1) == 1;
        bn_process_tracer_name(name, sizeof name);
        _exit(is_told && bn_process_is_traced() && strcmp(name, own) == 0 &&
                      bn_process_tracer_was_told(program_invocation_short_name) &&
                      !bn_process_tracer_was_told("no such word")
                  ? 0
                  : 1);
    }
    bool may_trace = ptrace(PTRACE_SEIZE, child, nullptr, nullptr) == 0;
    EXPECT_EQ(write(ends[1], &byte, 1), 1);
    close(ends[0]);
    close(ends[1]);
    waitpid(child, &status, 0);
    if (!may_trace)
        GTEST_SKIP() << "this process may not trace its child";
    EXPECT_EQ(status, 0);
}

}  // namespace
