#include "boot/forks.h"

#include "platform/process.h"
#include "transport/forbid.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <set>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr int each = BN_FORKS_EACH_MIN;
constexpr int many = 2 * each + 3;

/* Forks `count` processes, each of which exits with its number modulo 100 if the caller is its parent, otherwise with
 * 100. */
void expect_all(int count, int cores)
{
    SCOPED_TRACE(testing::Message() << count << " processes, " << cores << " cores");
    std::vector<pid_t> names(static_cast<size_t>(count));
    const pid_t monitor = getpid();
    int error = -1;
    const int process = bn_forks_make(names.data(), count, cores, &error);
    if (process != BN_FORKS_PARENT)
        _exit(getppid() == monitor ? process % 100 : 100);
    EXPECT_EQ(error, 0);
    EXPECT_EQ(std::set<pid_t>(names.begin(), names.end()).size(), names.size());
    for (int i = 0; i < count; ++i) {
        int status = 0;
        ASSERT_EQ(waitpid(names[static_cast<size_t>(i)], &status, 0), names[static_cast<size_t>(i)]);
        EXPECT_TRUE(WIFEXITED(status));
        EXPECT_EQ(WEXITSTATUS(status), i % 100);
    }
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1); /* no helper is left */
}

TEST(Forks, AllAreChildrenOfTheCaller)
{
    for (const int count : {1, 7, each, many, 4 * each})
        for (const int cores : {1, 2, 3, 64})
            expect_all(count, cores);
}

TEST(Forks, WhereNobodyCanBeAdoptedTheCallerForksAll)
{
    constexpr int skips = 77;
    const pid_t caller = fork();
    if (caller == 0) {
        if (!forbid_calls(SYS_prctl, SYS_prctl, EPERM))
            _exit(skips);
        expect_all(many, 2);
        _exit(HasFailure() ? 1 : 0);
    }
    int status = 0;
    waitpid(caller, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == skips)
        GTEST_SKIP() << "the system has no filters of system calls";
    EXPECT_EQ(status, 0);
}

void sleep_us(long us)
{
    const timespec time = {.tv_sec = 0, .tv_nsec = us * 1000};
    nanosleep(&time, nullptr);
}

/* All processes with the writing end must exit within ten seconds. */
bool all_have_gone(int reading_end)
{
    pollfd end = {.fd = reading_end, .events = 0, .revents = 0};
    return poll(&end, 1, 10000) == 1 && (end.revents & POLLHUP) != 0;
}

TEST(Forks, NobodyIsLeftOfACallerThatIsKilled)
{
    for (long us = 0; us < 60000; us += 4000) {
        std::array<int, 2> ends{};
        ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
        const pid_t caller = fork();
        if (caller == 0) {
            std::vector<pid_t> names(many);
            int error = 0;
            const pid_t self = getpid();
            if (bn_forks_make(names.data(), many, 2, &error) != BN_FORKS_PARENT)
                bn_process_die_with(self);
            for (;;)
                pause();
        }
        close(ends[1]);
        sleep_us(us);
        kill(caller, SIGKILL);
        waitpid(caller, nullptr, 0);
        EXPECT_TRUE(all_have_gone(ends[0])) << us << " us";
        close(ends[0]);
    }
}

/* The children of a process, by the system's list */
std::vector<pid_t> children_of(pid_t process)
{
    std::vector<pid_t> found;
    const std::string path = "/proc/" + std::to_string(process) + "/task/" + std::to_string(process) + "/children";
    if (FILE* file = fopen(path.c_str(), "r")) {
        for (int child = 0; fscanf(file, "%d", &child) == 1;)
            found.push_back(child);
        fclose(file);
    }
    return found;
}

/* Kills the first child of a process that runs bn_forks_make; returns the process's exit status: 42 if it was told, 0
   if the helper had finished before. */
int kill_a_helper(int writing_end, int reading_end)
{
    const pid_t caller = fork();
    if (caller == 0) {
        close(reading_end);
        std::vector<pid_t> names(4 * each);
        int error = 0;
        const pid_t self = getpid();
        if (bn_forks_make(names.data(), 4 * each, 2, &error) != BN_FORKS_PARENT) {
            bn_process_die_with(self);
            for (;;)
                pause();
        }
        _exit(error == ECHILD ? 42 : error);
    }
    close(writing_end);
    std::vector<pid_t> children;
    while (children.empty())
        children = children_of(caller);
    kill(children[0], SIGKILL);
    int status = 0;
    waitpid(caller, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Forks, AHelperThatIsKilledIsToldOf)
{
    if (access("/proc/thread-self/children", R_OK) != 0)
        GTEST_SKIP() << "the kernel lists no children";
    bool is_told = false;
    for (int i = 0; i < 20 && !is_told; ++i) {
        std::array<int, 2> ends{};
        ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
        const int end = kill_a_helper(ends[1], ends[0]);
        is_told = end == 42;
        EXPECT_TRUE(end == 42 || end == 0) << end;
        EXPECT_TRUE(all_have_gone(ends[0]));
        close(ends[0]);
    }
    EXPECT_TRUE(is_told);
}

}  // namespace
