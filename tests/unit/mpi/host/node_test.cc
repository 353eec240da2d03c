#include "host/ledger.h"

#include "base/options.h"
#include "coll/run.h"
#include "host/operations.h"
#include "node/agree.h"
#include "node/team.h"
#include "transport/kernel.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <vector>

#include "../../runtime/transport/forbid.h"

namespace {

constexpr int kProcesses = 3;

// Replaces an MPI library's communication between the processes, through memory inherited from their parent
struct Board {
    pthread_barrier_t barrier;
    unsigned char told[1024];
    int agreed[2];
    unsigned turn;
    uint64_t address;
};

class Node : public testing::Test {
protected:
    Node()
    {
        void* memory = mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        board_ = static_cast<Board*>(memory);
        pthread_barrierattr_t attributes;
        pthread_barrierattr_init(&attributes);
        pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
        pthread_barrier_init(&board_->barrier, &attributes, kProcesses);
    }

    void meet() { pthread_barrier_wait(&board_->barrier); }

    static bool tell(void* context, void* data, size_t size_bytes)
    {
        Node* node = static_cast<Node*>(context);
        if (node->self_ == 0)
            memcpy(node->board_->told, data, size_bytes);
        node->meet();
        memcpy(data, node->board_->told, size_bytes);
        node->meet();
        return true;
    }

    static bool all(void* context, bool mine)
    {
        Node* node = static_cast<Node*>(context);
        if (node->self_ == 0)
            node->board_->agreed[0] = 1;
        node->meet();
        if (!mine)
            __atomic_store_n(&node->board_->agreed[0], 0, __ATOMIC_SEQ_CST);
        node->meet();
        bool is_agreed = node->board_->agreed[0] != 0;
        node->meet();
        return is_agreed;
    }

    void fork_all(const std::function<void(int self)>& body)
    {
        std::vector<pid_t> processes;
        for (int self = 0; self < kProcesses; self++) {
            pid_t process = fork();
            ASSERT_GE(process, 0);
            if (process == 0) {
                alarm(60);
                self_ = self;
                body(self);
                _exit(HasFailure() ? 1 : 0);
            }
            processes.push_back(process);
        }
        for (pid_t process : processes) {
            int status;
            ASSERT_EQ(waitpid(process, &status, 0), process);
            EXPECT_EQ(status, 0);
        }
    }

    // What each process does after joining
    void run(const std::function<void(int self)>& body)
    {
        fork_all([&](int self) {
            bn_options options;
            char* list[] = {option_, nullptr};
            bn_options_read(&options, list);
            bn_options_load(&options);
            const bn_talk talk = {this, tell, all, nullptr};
            const char* why;
            world_ = bn_world_join(&talk, self, kProcesses, false, &why);
            EXPECT_NE(world_, nullptr) << why;
            bn_kernel_use_everywhere(bn_world_kernel(world_));
            bn_wait_progress = bn_kernel_progress;
            bn_wait_bed = bn_kernel_bed();
            if (!HasFailure())
                body(self);
        });
    }

    Board* board_;
    bn_world* world_ = nullptr;
    int self_ = 0;
    char* option_ = nullptr;  // NAME=value, in all processes
};

TEST_F(Node, MemoryOfOneIsThereForAllAndAnyReleasesIt)
{
    run([this](int self) {
        EXPECT_GE(bn_world_core_count(world_), 1);
        for (int round = 0; round < 100; round++) {
            int owner = round % kProcesses;
            if (self == owner) {
                board_->address = bn_world_alloc(world_, 100000);
                ASSERT_NE(board_->address, 0U);
                ASSERT_EQ(board_->address % 64, 0U);
                unsigned char* bytes = reinterpret_cast<unsigned char*>(board_->address);
                for (size_t i = 0; i < 100000; i++)
                    ASSERT_EQ(bytes[i], 0);
                memset(bytes, 'A' + owner, 100000);
            }
            meet();
            EXPECT_EQ(reinterpret_cast<unsigned char*>(board_->address)[99999], 'A' + owner);
            meet();
            if (self == (round + 1) % kProcesses)
                bn_world_release(world_, board_->address);
            meet();
        }
    });
}

TEST_F(Node, MemoryHasAnEndThatIsSaid)
{
    run([this](int) { EXPECT_EQ(bn_world_alloc(world_, size_t{1} << 40), 0U); });
}

// More than fits into the smallest of the ranges that are searched
// The last attempt counts: the first one makes no file, the others make some that are not handed over.
TEST_F(Node, FilesThatOthersCannotOpenAreSaid)
{
    fork_all([&](int self) {
        if (!forbid_calls(SYS_memfd_create, SYS_memfd_create, EPERM))
            return;
        const bn_talk talk = {this, tell, all, [](void*, int file) { return file; }};
        const char* why = nullptr;
        EXPECT_EQ(bn_world_join(&talk, self, kProcesses, false, &why), nullptr);
        EXPECT_NE(strstr(why, "cannot open a file that one of them makes"), nullptr) << why;
    });
}

TEST(World, SearchForAnAddressEnds)
{
#if defined(BN_HAS_ASAN) || defined(BN_HAS_TSAN)
    GTEST_SKIP() << "sanitizers need more address space than the limit";
#endif
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        alarm(60);
        rlimit limit = {rlim_t{512} << 20, rlim_t{512} << 20};
        setrlimit(RLIMIT_AS, &limit);
        const bn_talk alone = {nullptr, [](void*, void*, size_t) { return true; },
                               [](void*, bool mine) { return mine; }, nullptr};
        const char* why = "";
        bn_world* world = bn_world_join(&alone, 0, 30, true, &why);
        _exit(world == nullptr && strstr(why, "ulimit -v unlimited") != nullptr ? 0 : 1);
    }
    int status;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

// Many teams of all members, with changing orders of ranks, come and go; leaks would exhaust the memory.
TEST_F(Node, TeamsMoveDataAndLeaveNothingBehind)
{
    run([this](int self) {
        const int processes[kProcesses] = {2, 0, 1};
        int rank = (self + 1) % kProcesses;
        for (int round = 0; round < 6000; round++) {
            if (rank == 0)
                board_->address = bn_node_team_memory_make(world_, kProcesses, sizeof(bn_agree_said) * kProcesses);
            meet();
            ASSERT_NE(board_->address, 0U) << round;
            bn_node_team* team = bn_node_team_join(world_, board_->address, rank, kProcesses, processes, nullptr);
            ASSERT_NE(team, nullptr);
            meet();
            if (round % 500 == 0) {
                std::vector<int> data(30000, rank == 1 ? round : -1);
                bn_call call = {};
                call.dst = reinterpret_cast<uint64_t>(data.data());
                call.src = rank == 1 ? call.dst : 0;
                call.nbytes = data.size() * sizeof(int);
                call.root = 1;
                call.in = call.out = BN_SYNC_MY;
                ASSERT_EQ(bn_operation_run(&team->team, BN_BROADCAST, &call), BN_OK);
                EXPECT_EQ(data.front(), round);
                EXPECT_EQ(data.back(), round);
            }
            bn_node_team_leave(team);
            meet();
        }
    });
}

// Two calls in turn, for one of which only one member knows the sizes, and members that arrive at different times
TEST_F(Node, MembersAgreeOnSizesThatOneKnows)
{
    run([this](int self) {
        const int processes[kProcesses] = {0, 1, 2};
        if (self == 0)
            board_->address = bn_node_team_memory_make(world_, kProcesses, sizeof(bn_agree_said) * kProcesses);
        meet();
        bn_node_team* team = bn_node_team_join(world_, board_->address, self, kProcesses, processes, nullptr);
        ASSERT_NE(team, nullptr);
        bn_agree sizes = {};
        sizes.said = static_cast<bn_agree_said*>(team->extra);
        for (unsigned call = 0; call < 2000; call++) {
            if (call % 97 == static_cast<unsigned>(self) * 31)
                usleep(500);
            bool knows = call / 500 % kProcesses == static_cast<unsigned>(self);
            unsigned known = knows ? 3 + call % 2 * 17 + call / 500 : 0;
            unsigned agreed = bn_agree_on_largest(&sizes, &team->team, BN_MPI_ALLTOALLV, known, BN_LEDGER_NO_SIZE);
            unsigned earlier = call - BN_AGREE_LAG;
            ASSERT_EQ(agreed, call < BN_AGREE_LAG ? unsigned{BN_LEDGER_NO_SIZE} : 3 + earlier % 2 * 17 + earlier / 500)
                << call;
            // Cache lines that others read are written once per epoch.
            ASSERT_EQ(sizes.said[self].flags[BN_MPI_ALLTOALLV].number, call / BN_AGREE_EPOCH) << call;
        }
        meet();
        bn_node_team_leave(team);
    });
}

TEST_F(Node, BarriersOfTeamsAreOfTheKindThatIsAskedFor)
{
    char option[] = "BANYAN_COLL_BARRIER=tree";
    option_ = option;
    run([this](int self) {
        const int processes[kProcesses] = {0, 1, 2};
        if (self == 0)
            board_->address = bn_node_team_memory_make(world_, kProcesses, sizeof(bn_agree_said) * kProcesses);
        meet();
        bn_node_team* team = bn_node_team_join(world_, board_->address, self, kProcesses, processes, nullptr);
        ASSERT_NE(team, nullptr);
        EXPECT_EQ(team->team.member.kind, BN_BARRIER_TREE);
        for (int round = 0; round < 100; round++)
            bn_team_barrier(&team->team);
        bn_node_team_leave(team);
    });
}

}  // namespace
