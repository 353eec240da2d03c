#include "boot/orphans.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

// A process that waits for ever, whose parent has ended; in a session of its own if it is a daemon.
pid_t make_orphan(bool is_daemon)
{
    std::array<int, 2> files{};
    EXPECT_EQ(pipe(files.data()), 0);
    const pid_t parent = fork();
    if (parent == 0) {
        const pid_t orphan = fork();
        if (orphan == 0) {
            if (is_daemon)
                setsid();
            const pid_t self = getpid();
            (void)!write(files[1], &self, sizeof self);
            for (;;)
                pause();
        }
        _exit(0);
    }
    pid_t orphan = 0;
    EXPECT_EQ(read(files[0], &orphan, sizeof orphan), static_cast<ssize_t>(sizeof orphan));
    EXPECT_EQ(waitpid(parent, nullptr, 0), parent);
    close(files[0]);
    close(files[1]);
    return orphan;
}

TEST(Orphans, AreAdoptedAndKilledButForDaemons)
{
    bn_orphans_adopt();
    const pid_t orphan = make_orphan(false), daemon = make_orphan(true);
    bn_orphans_kill();
    EXPECT_EQ(kill(orphan, 0), -1);
    EXPECT_EQ(errno, ESRCH);
    EXPECT_EQ(waitpid(daemon, nullptr, WNOHANG), 0);  // a child that lives
    kill(daemon, SIGKILL);
    EXPECT_EQ(waitpid(daemon, nullptr, 0), daemon);
    bn_orphans_kill();  // nobody is left
    prctl(PR_SET_CHILD_SUBREAPER, 0);
}

}  // namespace
