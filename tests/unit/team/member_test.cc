#include "processes.h"

#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <set>
#include <thread>

#include "../runtime/transport/forbid.h"

namespace {

TEST(Member, WhoHasNoRankGetsOne)
{
    char name[BANYAN_NAME_MAX + 1];
    banyan_team_new_name(name);
    std::vector<int> statuses = in_processes(4, [&](int) {
        banyan_team* team = nullptr;
        int sum[4] = {0, 0, 0, 0};
        ASSERT_EQ(banyan_team_join(name, BANYAN_ANY_RANK, 4, 30, &team), BANYAN_OK) << banyan_error();
        sum[banyan_team_rank(team)] = 1;
        ASSERT_EQ(banyan_allreduce(team, nullptr, sum, 4, BANYAN_INT32, BANYAN_SUM), BANYAN_OK);
        for (int has : sum)
            EXPECT_EQ(has, 1);
        banyan_team_leave(team);
    });
    EXPECT_EQ(statuses, std::vector<int>(4, 0));
}

TEST(Member, ATeamWithoutALauncherIsOfOne)
{
    banyan_team* team = nullptr;
    ASSERT_EQ(banyan_team_join(nullptr, 5, 7, 1, &team), BANYAN_OK) << banyan_error();
    EXPECT_EQ(banyan_team_size(team), 1);
    double x = 3;
    EXPECT_EQ(banyan_allreduce(team, nullptr, &x, 1, BANYAN_FLOAT64, BANYAN_SUM), BANYAN_OK);
    EXPECT_EQ(x, 3);
    void* memory = banyan_alloc(team, 100);
    EXPECT_TRUE(banyan_is_shared(team, memory, 100));
    banyan_free(team, memory);
    banyan_team_leave(team);
}

TEST(Member, NamesAreNewWithoutRandomNumbers)
{
    for (int error : {ENOSYS, EPERM}) {
        std::vector<int> statuses = in_processes(1, [error](int) {
            if (!forbid_calls(SYS_getrandom, SYS_getrandom, error))
                return;
            std::set<std::string> names;
            char name[BANYAN_NAME_MAX + 1];
            for (int i = 0; i < 100; i++)
                names.insert(banyan_team_new_name(name));
            EXPECT_EQ(names.size(), 100U);
            EXPECT_EQ(names.begin()->size(), 32U);
        });
        EXPECT_EQ(statuses, std::vector<int>(1, 0));
    }
}

void set_all(const std::vector<std::pair<const char*, std::string>>& variables)
{
    for (const auto& [name, value] : variables)
        setenv(name, value.c_str(), 1);
}

// Flux and Slurm are the variables here that their manuals describe.
TEST(Member, LaunchersAreRecognised)
{
    for (bool is_flux : {true, false}) {
        std::vector<int> statuses = in_processes(3, [is_flux](int rank) {
            banyan_team* team = nullptr;
            const std::string number = std::to_string(rank);
            if (is_flux)
                set_all({{"FLUX_TASK_RANK", number},
                         {"FLUX_JOB_SIZE", "3"},
                         {"FLUX_JOB_NNODES", "1"},
                         {"FLUX_JOB_ID", "f" + std::to_string(getppid())},
                         {"PMI_RANK", number},
                         {"PMI_SIZE", "3"}});
            else
                set_all({{"SLURM_PROCID", number}, {"SLURM_STEP_NUM_TASKS", "3"}, {"SLURM_STEP_NUM_NODES", "1"}});
            ASSERT_EQ(banyan_team_join(nullptr, 0, 0, 30, &team), BANYAN_OK) << banyan_error();
            EXPECT_EQ(banyan_team_rank(team), rank);
            EXPECT_EQ(banyan_team_size(team), 3);
            EXPECT_EQ(banyan_barrier(team), BANYAN_OK);
            banyan_team_leave(team);
            setenv(is_flux ? "FLUX_JOB_NNODES" : "SLURM_STEP_NUM_NODES", "2", 1);
            EXPECT_EQ(banyan_team_join(nullptr, 0, 0, 30, &team), BANYAN_SYSTEM);
            EXPECT_TRUE(says("are on several machines")) << banyan_error();
        });
        EXPECT_EQ(statuses, std::vector<int>(3, 0));
    }
}

TEST(Member, WrongWishesAreRefused)
{
    banyan_team* team = nullptr;
    const std::string long_name(BANYAN_NAME_MAX + 1, 'x');
    EXPECT_EQ(banyan_team_join("", 0, 1, 1, &team), BANYAN_ARGUMENT);
    EXPECT_EQ(banyan_team_join(long_name.c_str(), 0, 1, 1, &team), BANYAN_ARGUMENT);
    EXPECT_TRUE(says("1 to 63 bytes"));
    EXPECT_EQ(banyan_team_join("x", 0, 0, 1, &team), BANYAN_ARGUMENT);
    EXPECT_EQ(banyan_team_join("x", 0, BANYAN_SIZE_MAX + 1, 1, &team), BANYAN_ARGUMENT);
    EXPECT_EQ(banyan_team_join("x", 3, 3, 1, &team), BANYAN_ARGUMENT);
    EXPECT_TRUE(says("0 to 2, not 3"));
    EXPECT_EQ(banyan_team_join("x", 0, 1, -1, &team), BANYAN_ARGUMENT);
    EXPECT_EQ(banyan_team_join("x", 0, 1, 1, nullptr), BANYAN_ARGUMENT);
    EXPECT_EQ(team, nullptr);
    ASSERT_EQ(banyan_team_join("x", 0, 1, 1, &team), BANYAN_OK);
    const double wrong_limits_s[] = {-1, -INFINITY, NAN};
    for (double limit_s : wrong_limits_s) {
        EXPECT_EQ(banyan_team_set_timeout(team, limit_s), BANYAN_ARGUMENT) << limit_s;
        EXPECT_TRUE(says("a time limit must be 0 (none) or a number of seconds, not"));
    }
    EXPECT_EQ(banyan_team_set_timeout(team, INFINITY), BANYAN_OK);
    EXPECT_EQ(banyan_team_split(team, 7, 0, nullptr), BANYAN_ARGUMENT);
    EXPECT_TRUE(says("the pointer to the team is null"));
    EXPECT_EQ(banyan_team_split(team, -2, 0, &team), BANYAN_ARGUMENT);
    EXPECT_TRUE(says("0 or more, not -2"));
    banyan_team* none = nullptr;
    EXPECT_EQ(banyan_team_split(nullptr, 0, 0, &none), BANYAN_ARGUMENT);
    EXPECT_TRUE(says("the team is null"));
    banyan_team_leave(team);
}

TEST(Member, WhatTheSystemRefusesIsTold)
{
    char name[BANYAN_NAME_MAX + 1];
    banyan_team_new_name(name);
    std::vector<int> statuses = in_processes(2, [&](int rank) {
        banyan_team* team = nullptr;
        const rlimit limit = {102400, 102400};
        ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
        EXPECT_EQ(banyan_team_join(name, rank, 2, 60, &team), BANYAN_SYSTEM);
        EXPECT_TRUE(says("(File too large)") && says("lift the limit on the size of files with 'ulimit -f unlimited'"))
            << banyan_error();
        if (rank == 0 && forbid_calls(SYS_socket, SYS_socket, EACCES)) {
            EXPECT_EQ(banyan_team_join(name, 0, 2, 60, &team), BANYAN_SYSTEM);
            EXPECT_TRUE(says("Permission denied; the container or sandbox must allow the system calls socket"))
                << banyan_error();
        }
        if (rank == 1 && forbid_calls(SYS_socket, SYS_socket, ENOBUFS)) {
            EXPECT_EQ(banyan_team_join(name, 0, 2, 60, &team), BANYAN_SYSTEM);
            EXPECT_TRUE(says("No buffer space available")) << banyan_error();
            EXPECT_FALSE(says("sandbox")) << banyan_error();
        }
    });
    EXPECT_EQ(statuses, std::vector<int>(2, 0));
}

TEST(Member, NoTeamIsNoTeam)
{
    EXPECT_EQ(banyan_team_set_timeout(nullptr, 1), BANYAN_ARGUMENT);
    EXPECT_TRUE(says("the team is null"));
    banyan_team_on_wait(nullptr, nullptr, nullptr);
    EXPECT_EQ(banyan_team_rank(nullptr), -1);
    EXPECT_EQ(banyan_team_size(nullptr), 0);
    EXPECT_STREQ(banyan_team_name(nullptr), "");
}

TEST(Member, WhoIsMissingIsTold)
{
    char name[BANYAN_NAME_MAX + 1];
    banyan_team_new_name(name);
    banyan_team* team = nullptr;
    EXPECT_EQ(banyan_team_join(name, 0, 3, 0.1, &team), BANYAN_TIMEOUT);
    EXPECT_TRUE(says("1 of 3")) << banyan_error();
    EXPECT_TRUE(says("rank 1, 2")) << banyan_error();
    EXPECT_EQ(banyan_team_join(name, 1, 3, 0.1, &team), BANYAN_TIMEOUT);
    EXPECT_TRUE(says("rank 0 has not joined")) << banyan_error();
}

TEST(Member, WhoWantsAnotherTeamIsSentAway)
{
    char name[BANYAN_NAME_MAX + 1];
    banyan_team_new_name(name);
    // Ranks 0 and 1 of 2 make the team in the end; the others ask for something else meanwhile.
    std::vector<int> statuses = in_processes(2, [&](int number) {
        banyan_team* team = nullptr;
        if (number == 0) {
            ASSERT_EQ(banyan_team_join(name, 0, 2, 30, &team), BANYAN_OK) << banyan_error();
        } else {
            EXPECT_EQ(banyan_team_join(name, 1, 3, 30, &team), BANYAN_REFUSED);
            EXPECT_TRUE(says("its size is 2 on rank 0, but 3 in this process")) << banyan_error();
            EXPECT_EQ(banyan_team_join(name, BANYAN_ANY_RANK, 2, 30, &team), BANYAN_REFUSED);
            EXPECT_TRUE(says("some have none")) << banyan_error();
            EXPECT_EQ(banyan_team_join(name, 0, 2, 0.05, &team), BANYAN_TIMEOUT);
            EXPECT_TRUE(says("another process has been rank 0")) << banyan_error();
            setenv("BANYAN_COLL_BROADCAST", "pull/flat/whole", 1);
            EXPECT_EQ(banyan_team_join(name, 1, 2, 30, &team), BANYAN_REFUSED);
            EXPECT_TRUE(says("BANYAN_COLL_")) << banyan_error();
            unsetenv("BANYAN_COLL_BROADCAST");
            ASSERT_EQ(banyan_team_join(name, 1, 2, 30, &team), BANYAN_OK) << banyan_error();
        }
        EXPECT_EQ(banyan_barrier(team), BANYAN_OK);
        banyan_team_leave(team);
    });
    EXPECT_EQ(statuses, std::vector<int>(2, 0));
}

TEST(Member, MemoryOfOneIsMemoryOfAll)
{
    in_team(3, [](banyan_team* team) {
        int rank = banyan_team_rank(team);
        int* shared = nullptr;
        ASSERT_EQ(banyan_alloc_shared(team, 3 * sizeof(int), reinterpret_cast<void**>(&shared)), BANYAN_OK);
        ASSERT_NE(shared, nullptr);
        EXPECT_TRUE(banyan_is_shared(team, shared, 3 * sizeof(int)));
        EXPECT_FALSE(banyan_is_shared(team, &rank, sizeof rank));
        shared[rank] = 10 + rank;
        ASSERT_EQ(banyan_barrier(team), BANYAN_OK);
        for (int r = 0; r < 3; r++)
            EXPECT_EQ(shared[r], 10 + r);
        ASSERT_EQ(banyan_barrier(team), BANYAN_OK);
        if (rank == 2)
            banyan_free(team, shared);
        EXPECT_EQ(banyan_alloc(team, size_t{1} << 50), nullptr);
        EXPECT_TRUE(says("no room for")) << banyan_error();
    });
}

TEST(Member, TeamsOfTeams)
{
    in_team(5, [](banyan_team* team) {
        int rank = banyan_team_rank(team);
        banyan_team *part = nullptr, *none = nullptr;
        ASSERT_EQ(banyan_team_split(team, rank % 2, -rank, &part), BANYAN_OK) << banyan_error();
        EXPECT_EQ(banyan_team_size(part), rank % 2 == 0 ? 3 : 2);
        EXPECT_EQ(banyan_team_rank(part), rank % 2 == 0 ? (4 - rank) / 2 : (3 - rank) / 2);
        int both = 1, sum = rank;
        ASSERT_EQ(banyan_allreduce(part, nullptr, &sum, 1, BANYAN_INT32, BANYAN_SUM), BANYAN_OK);
        EXPECT_EQ(sum, rank % 2 == 0 ? 6 : 4);
        ASSERT_EQ(banyan_allreduce(team, nullptr, &both, 1, BANYAN_INT32, BANYAN_SUM), BANYAN_OK);
        EXPECT_EQ(both, 5);
        banyan_team_leave(part);
        ASSERT_EQ(banyan_team_split(team, -1, 0, &none), BANYAN_OK);
        EXPECT_EQ(none, nullptr);
    });
}

TEST(Member, AProcessMayBeInManyTeams)
{
    in_team(2, [](banyan_team* team) {
        std::vector<banyan_team*> teams(6);
        for (banyan_team*& each : teams)
            ASSERT_EQ(banyan_team_split(team, 0, 0, &each), BANYAN_OK) << banyan_error();
        int sum = 0;
        for (banyan_team* each : teams) {
            std::vector<int> data(20000, 1);
            ASSERT_EQ(banyan_allreduce(each, nullptr, data.data(), data.size(), BANYAN_INT32, BANYAN_SUM), BANYAN_OK);
            sum += data.back();
            banyan_team_leave(each);
        }
        EXPECT_EQ(sum, 12);
    });
}

TEST(Member, WhoDiesIsNoticedByAllAndInEveryCall)
{
    for (int call = 0; call < 4; call++) {
        in_team(3, [call](banyan_team* team) {
            std::vector<double> data(200000, 1), all(600000);
            ASSERT_EQ(banyan_barrier(team), BANYAN_OK);
            if (banyan_team_rank(team) == 1)
                kill(getpid(), SIGKILL);
            banyan_status status =
                call == 0   ? banyan_barrier(team)
                : call == 1 ? banyan_allreduce(team, nullptr, data.data(), 10, BANYAN_FLOAT64, BANYAN_SUM)
                : call == 2 ? banyan_allreduce(team, nullptr, data.data(), data.size(), BANYAN_FLOAT64, BANYAN_SUM)
                            : banyan_allgather(team, data.data(), all.data(), data.size() * 8);
            EXPECT_EQ(status, BANYAN_LOST) << call;
            EXPECT_TRUE(says("rank 1 has ended") || says("has given up")) << banyan_error();
            EXPECT_EQ(banyan_barrier(team), BANYAN_LOST);
            EXPECT_TRUE(says("leave the team"));
        });
    }
}

TEST(Member, WhoLeavesIsMissed)
{
    in_team(3, [](banyan_team* team) {
        ASSERT_EQ(banyan_barrier(team), BANYAN_OK);
        if (banyan_team_rank(team) == 2)
            return;
        double x = 1;
        EXPECT_EQ(banyan_allreduce(team, nullptr, &x, 1, BANYAN_FLOAT64, BANYAN_SUM), BANYAN_LOST);
    });
}

// Members that come to different calls of one team meet in another one first.
void meet_elsewhere(const char* name, int rank)
{
    banyan_team* other = nullptr;
    ASSERT_EQ(banyan_team_join(name, rank, 2, 30, &other), BANYAN_OK) << banyan_error();
    banyan_team_leave(other);
}

TEST(Member, WaitsEndWhenTheyAreAskedTo)
{
    char name[BANYAN_NAME_MAX + 1];
    banyan_team_new_name(name);
    in_team(2, [&name](banyan_team* team) {
        if (banyan_team_rank(team) == 0) {
            int looks = 0;
            banyan_team_on_wait(team, [](void* context) { return ++*static_cast<int*>(context) == 2; }, &looks);
            EXPECT_EQ(banyan_barrier(team), BANYAN_INTERRUPTED);
            EXPECT_EQ(looks, 2);
            meet_elsewhere(name, 0);
        } else {
            meet_elsewhere(name, 1);
            banyan_barrier(team);  // to which the other one had come
            EXPECT_EQ(banyan_barrier(team), BANYAN_LOST);
        }
    });
    in_team(2, [&name](banyan_team* team) {
        banyan_team_set_timeout(team, 0.2);
        if (banyan_team_rank(team) == 0) {
            EXPECT_EQ(banyan_barrier(team), BANYAN_TIMEOUT);
        }
        meet_elsewhere(name, banyan_team_rank(team));
    });
}

TEST(Member, WhoIsForkedIsNoMember)
{
    in_team(2, [](banyan_team* team) {
        std::vector<int> statuses = in_processes(1, [team](int) {
            EXPECT_EQ(banyan_barrier(team), BANYAN_FORKED);
            banyan_team* own = nullptr;
            EXPECT_EQ(banyan_team_join("of the child", 0, 1, 1, &own), BANYAN_OK);
            EXPECT_EQ(banyan_barrier(own), BANYAN_OK);
        });
        EXPECT_EQ(statuses, std::vector<int>(1, 0));
        EXPECT_EQ(banyan_barrier(team), BANYAN_OK);  // as the end of the child changes nothing for its parent
    });
}

TEST(Member, OneThreadAtATime)
{
    in_team(2, [](banyan_team* team) {
        if (banyan_team_rank(team) == 0) {
            std::thread first([team] { EXPECT_EQ(banyan_barrier(team), BANYAN_OK); });
            banyan_status status = BANYAN_OK;
            // The first is in its barrier until rank 1 comes, which waits for the second to be refused.
            banyan_team* other = nullptr;
            while (status != BANYAN_BUSY) {
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
                status = banyan_broadcast(team, nullptr, 8, 0);
            }
            EXPECT_TRUE(says("only one thread at a time"));
            ASSERT_EQ(banyan_team_join("the second was refused", 0, 2, 30, &other), BANYAN_OK) << banyan_error();
            first.join();
            banyan_team_leave(other);
        } else {
            banyan_team* other = nullptr;
            ASSERT_EQ(banyan_team_join("the second was refused", 1, 2, 30, &other), BANYAN_OK) << banyan_error();
            EXPECT_EQ(banyan_barrier(team), BANYAN_OK);
            banyan_team_leave(other);
        }
    });
}

}  // namespace
