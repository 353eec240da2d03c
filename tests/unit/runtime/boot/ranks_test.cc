// Ranks of a launcher that become threads: what rank 0 learns about the others, and how they stand by.
#include "boot/ranks.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace {

// Starts `size` processes like a launcher; rank 0 runs leader after all others stand by.  Returns their exit statuses.
std::vector<int> launch(
    int size, const std::function<void(const bn_ranks&)>& leader, const std::function<void(int)>& prepare = [](int) {})
{
    std::vector<pid_t> processes;
    for (int rank = 0; rank < size; rank++) {
        pid_t process = fork();
        if (process == 0) {
            setenv("OMPI_COMM_WORLD_RANK", std::to_string(rank).c_str(), 1);
            setenv("OMPI_COMM_WORLD_SIZE", std::to_string(size).c_str(), 1);
            setenv("OMPI_COMM_WORLD_LOCAL_SIZE", std::to_string(size).c_str(), 1);
            setenv("WHO", ("rank " + std::to_string(rank)).c_str(), 1);
            prepare(rank);
            bn_ranks ranks;
            if (bn_ranks_gather(&ranks) != BN_OK)
                _exit(3);
            leader(ranks);
            int status = testing::Test::HasFailure() ? 2 : 0;
            bn_ranks_dismiss(&ranks, status);
            _exit(status);
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

TEST(Ranks, NobodyHasStartedThisProcess)
{
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"})
        unsetenv(name);
    bn_ranks ranks;
    EXPECT_EQ(bn_ranks_gather(&ranks), BN_OK);
    EXPECT_EQ(ranks.count, 0);
    bn_ranks_become(&ranks, 0);
}

TEST(Ranks, ThreadsTakeOverTheEnvironments)
{
    for (int size : {1, 2, 5}) {
        std::vector<int> statuses = launch(size, [size](const bn_ranks& ranks) {
            EXPECT_EQ(ranks.count, size);
            for (int rank = 0; rank < size; rank++) {
                pid_t thread = fork();
                if (thread == 0) {
                    bn_ranks_become(&ranks, rank);
                    const char* who = getenv("WHO");
                    _exit(who && who == "rank " + std::to_string(rank) ? 0 : 1);
                }
                int status = -1;
                waitpid(thread, &status, 0);
                EXPECT_EQ(status, 0) << "rank " << rank << " of " << size;
            }
        });
        EXPECT_EQ(statuses, std::vector<int>(static_cast<size_t>(size), 0));
    }
}

TEST(Ranks, FilesOfTheLauncherComeWithThem)
{
    std::vector<int> statuses = launch(
        3,
        [](const bn_ranks& ranks) {
            EXPECT_EQ(ranks.ranks[0].launcher_file, -1) << "rank 0 has its own";
            for (int rank = 1; rank < 3; rank++) {
                pid_t thread = fork();
                if (thread == 0) {
                    bn_ranks_become(&ranks, rank);
                    char text[8] = {0};
                    int file = atoi(getenv("PMI_FD"));
                    bool is_right = pread(file, text, 6, 0) == 6 && text == "file " + std::to_string(rank);
                    _exit(is_right && (fcntl(file, F_GETFD) & FD_CLOEXEC) == 0 ? 0 : 1);
                }
                int status = -1;
                waitpid(thread, &status, 0);
                EXPECT_EQ(status, 0) << rank;
            }
        },
        [](int rank) {
            FILE* file = tmpfile();
            fprintf(file, "file %d", rank);
            fflush(file);
            setenv("PMI_FD", std::to_string(fileno(file)).c_str(), 1);
        });
    EXPECT_EQ(statuses, std::vector<int>(3, 0));
}

TEST(Ranks, ProcessorsOfAllAreTheLeaders)
{
    bn_pu_set all;
    bn_cpus_affinity(&all);
    if (bn_pu_set_count(&all) < 2)
        GTEST_SKIP() << "one processor";
    int first = bn_pu_set_next(&all, 0), second = bn_pu_set_next(&all, first + 1);
    std::vector<int> statuses = launch(
        2,
        [=](const bn_ranks& ranks) {
            bn_pu_set now;
            bn_cpus_affinity(&now);
            EXPECT_TRUE(bn_pu_set_has(&now, first) && bn_pu_set_has(&now, second));
            bn_ranks_become(&ranks, 1);
            bn_cpus_affinity(&now);
            EXPECT_EQ(bn_pu_set_count(&now), 1);
            EXPECT_TRUE(bn_pu_set_has(&now, second));
        },
        [=](int rank) {
            bn_pu_set own = {};
            bn_pu_set_add(&own, rank == 0 ? first : second);
            bn_cpus_bind(&own);
        });
    EXPECT_EQ(statuses, std::vector<int>(2, 0));
}

TEST(Ranks, ThoseThatStandByEndAsTheJob)
{
    std::vector<int> statuses = launch(3, [](const bn_ranks& ranks) {
        bn_ranks_dismiss(&ranks, 9);
        _exit(9);
    });
    EXPECT_EQ(statuses, std::vector<int>(3, 9 << 8));
    statuses = launch(3, [](const bn_ranks&) { raise(SIGKILL); });
    EXPECT_EQ(statuses, (std::vector<int>{SIGKILL, 1 << 8, 1 << 8}));
}

// Connects to rank 0 as another user, and waits until rank 0 closes the connection.  Returns whether it did.
bool disturb_as_other_user(const std::string& launch)
{
    const std::string name = "banyan-ranks-" + std::to_string(getuid()) + "-" + launch;
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    memcpy(address.sun_path + 1, name.c_str(), name.size());
    const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    pid_t other = fork();
    if (other == 0) {
        int connection = socket(AF_UNIX, SOCK_STREAM, 0);
        if (connection < 0 || setuid(65534) != 0)
            _exit(1);
        while (connect(connection, reinterpret_cast<sockaddr*>(&address), bytes) != 0)
            usleep(1000);
        char byte;
        _exit(read(connection, &byte, 1) == 0 ? 0 : 1);
    }
    int status = -1;
    waitpid(other, &status, 0);
    return status == 0;
}

TEST(Ranks, AnotherUserDoesNotDisturb)
{
    if (getuid() != 0)
        GTEST_SKIP() << "only root can become another user";
    const std::string launch_name = "disturbed-" + std::to_string(getpid());
    std::vector<int> statuses = launch(
        3, [](const bn_ranks& ranks) { EXPECT_EQ(ranks.count, 3); },
        [&](int rank) {
            setenv("PMIX_NAMESPACE", launch_name.c_str(), 1);
            if (rank == 1 && !disturb_as_other_user(launch_name))
                _exit(4);
        });
    EXPECT_EQ(statuses, std::vector<int>(3, 0));
}

void expect_refusal(const std::vector<std::pair<const char*, const char*>>& variables)
{
    for (const auto& [name, value] : variables)
        setenv(name, value, 1);
    bn_ranks ranks;
    testing::internal::CaptureStderr();
    EXPECT_EQ(bn_ranks_gather(&ranks), BN_ERR_LIMIT);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("4 ranks were started, 2 of them on this machine"),
              std::string::npos);
    for (const auto& [name, value] : variables)
        unsetenv(name);
}

TEST(Ranks, SeveralMachinesAreRefused)
{
    expect_refusal({{"PMI_RANK", "1"}, {"PMI_SIZE", "4"}, {"MPI_LOCALNRANKS", "2"}});
    // Flux also says that it was asked through PMI.
    expect_refusal({{"FLUX_TASK_RANK", "3"},
                    {"FLUX_JOB_SIZE", "4"},
                    {"FLUX_JOB_NNODES", "2"},
                    {"PMI_RANK", "3"},
                    {"PMI_SIZE", "4"}});
}

}  // namespace
