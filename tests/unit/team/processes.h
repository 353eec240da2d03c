// processes.h: the environment of team tests: processes that join a team, whose failures are the test's.
#ifndef BN_TESTS_TEAM_PROCESSES_H
#define BN_TESTS_TEAM_PROCESSES_H

#include "banyan/team.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <string>
#include <vector>

// Whether the last error message contains this text
inline bool says(const char* text)
{
    return std::string(banyan_error()).find(text) != std::string::npos;
}

// Runs body in each of `count` processes; returns their wait statuses.
inline std::vector<int> in_processes(int count, const std::function<void(int number)>& body)
{
    std::vector<pid_t> processes;
    for (int number = 0; number < count; number++) {
        pid_t process = fork();
        if (process == 0) {
            alarm(60);
            body(number);
            _exit(testing::Test::HasFailure() ? 1 : 0);
        }
        processes.push_back(process);
    }
    std::vector<int> statuses;
    for (pid_t process : processes) {
        int status = -1;
        waitpid(process, &status, 0);
        statuses.push_back(status);
    }
    return statuses;
}

// Runs body on each member of a team; members that end by themselves must succeed.
inline void in_team(int size, const std::function<void(banyan_team* team)>& body)
{
    char name[BANYAN_NAME_MAX + 1];
    banyan_team_new_name(name);
    std::vector<int> statuses = in_processes(size, [&](int rank) {
        banyan_team* team = nullptr;
        ASSERT_EQ(banyan_team_join(name, rank, size, 30, &team), BANYAN_OK) << banyan_error();
        ASSERT_EQ(banyan_team_rank(team), rank);
        ASSERT_EQ(banyan_team_size(team), size);
        body(team);
        banyan_team_leave(team);
    });
    for (int status : statuses)
        EXPECT_TRUE(status == 0 || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)) << status;
}

#endif
