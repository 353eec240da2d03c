// world.h: a team whose members are POSIX threads, with memory for each of them, for tests of operations; or processes,
// whose memory the others access through the kernel or with the owner's help (transport/kernel.h).
#pragma once

#include "coll/operation.h"
#include "coll/library.h"
#include "coll/plan.h"
#include "coll/run.h"
#include "coll/stage.h"

#include "base/default_options.h"
#include "platform/copy.h"
#include "transport/kernel.h"

#include <gtest/gtest.h>

#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <thread>
#include <vector>

constexpr size_t kSharedBytes = size_t{64} << 20;          // per rank, accessible to all
constexpr size_t kStride = (size_t{5} << 20) + 4096 + 64;  // memory of one rank

// What the members of a team are.
enum class Layout { kOneRegion, kTwoRegions, kCyclicRegions, kTwoNodes, kManyNodes, kNodesInTurn, kCount };

inline bn_hierarchy* make_hierarchy(int members, Layout layout)
{
    std::vector<bn_place> places(static_cast<size_t>(members));
    for (int i = 0; i < members; i++) {
        bool is_second = layout == Layout::kCyclicRegions ? i % 2 : layout != Layout::kOneRegion && i >= members / 2;
        uint32_t half = is_second ? 1 : 0;
        uint32_t node = layout == Layout::kTwoNodes      ? half
                        : layout == Layout::kManyNodes   ? static_cast<uint32_t>(i) / 2
                        : layout == Layout::kNodesInTurn ? static_cast<uint32_t>(i) % 3
                                                         : 0;
        bn_place& place = places[static_cast<size_t>(i)];
        place.is_near_network = false;
        place.parts[BN_LEVEL_SWITCH] = 0;
        place.parts[BN_LEVEL_NODE] = place.parts[BN_LEVEL_BOARD] = node;
        uint32_t region = layout == Layout::kManyNodes || layout == Layout::kNodesInTurn ? node : half;
        place.parts[BN_LEVEL_SOCKET] = place.parts[BN_LEVEL_NUMA] = place.parts[BN_LEVEL_DIE] = region;
        place.parts[BN_LEVEL_CACHE] = region * 100 + static_cast<uint32_t>(i) / 3;
        place.parts[BN_LEVEL_CORE] = static_cast<uint32_t>(i) + region * 1000;
    }
    bn_hierarchy* hierarchy = nullptr;
    return bn_hierarchy_create(places.data(), members, &hierarchy) == BN_OK ? hierarchy : nullptr;
}

// Random delays of a thread where members meet: mostly none, sometimes long enough for the others to get far ahead.
inline thread_local std::minstd_rand delay_random;
inline void delay_at_random()
{
    unsigned chance = static_cast<unsigned>(delay_random()) % 256;
    if (chance < 1)
        usleep(static_cast<unsigned>(delay_random()) % 300);
    else if (chance < 12)
        sched_yield();
}

class World {
public:
    enum class Members { kThreads, kProcesses };

    World(int members, Layout layout, bool has_delays, int tree_max, bn_wait_choice wait = BN_WAIT_AUTO,
          Members kind = Members::kThreads)
        : library(members), kind_(kind), members_(members), hierarchy_(make_hierarchy(members, layout)),
          plans_(new bn_plans[static_cast<size_t>(members)]())
    {
        bn_wait_policy policy = bn_wait_policy_make(members, 2, wait);
        size_t stages_begin = (bn_team_control_bytes(members) + 4095) / 4096 * 4096;
        control_bytes_ = stages_begin + static_cast<size_t>(members) * sizeof(bn_member_stage);
        kernel_bytes_ = is_processes() ? bn_kernel_shared_bytes(members) : 0;
        control_ =
            mmap(nullptr, control_bytes_ + kernel_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        bn_team_control_init(control_, members, policy);
        memory_ =
            static_cast<unsigned char*>(mmap(nullptr, kStride * static_cast<size_t>(members), PROT_READ | PROT_WRITE,
                                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
        mail_.resize(static_cast<size_t>(members));
        for (int rank = 0; rank < members; rank++)
            hosts_.push_back({this, rank, is_processes() ? bn_kernel_bits(rank) : 0});
        buffers_ = mmap(nullptr, kSharedBytes * static_cast<size_t>(members), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        load_default_options();
        for (int rank = 0; rank < members; rank++) {
            teams.push_back(bn_team_join(control_, rank, members, kStride, 2, policy));
            bn_team& team = teams.back();
            Host* host = &hosts_[static_cast<size_t>(rank)];
            team.host = {host, alloc, release, find_hierarchy, &library.native(), nullptr, nullptr};
            team.mail = is_processes() ? nullptr : mail_.data();
            team.announces = is_processes();
            team.stages = reinterpret_cast<bn_member_stage*>(static_cast<char*>(control_) + stages_begin);
            team.mail_stride = sizeof(bn_member_mail);
            team.before_step = has_delays ? delay_at_random : nullptr;
            bn_plans_init(&team, &plans_[static_cast<size_t>(rank)], nullptr);
            team.plans->tuning.tree_max = tree_max;
            team.plans->tuning.chunk_bytes = 4096;  // so that small messages are split into many
            team.plans->tuning.halves_from_bytes = 1024;
            team.plans->tuning.piece_bytes = 1024;
        }
    }
    ~World()
    {
        for (bn_team& team : teams) {
            bn_plans_destroy(&team);
            bn_team_leave(&team);
        }
        munmap(memory_, kStride * static_cast<size_t>(members_));
        munmap(control_, control_bytes_ + kernel_bytes_);
        munmap(buffers_, kSharedBytes * static_cast<size_t>(members_));
        free(hierarchy_);
    }
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    int size() const { return members_; }
    bool is_processes() const { return kind_ == Members::kProcesses; }
    unsigned char* memory(int rank) const { return memory_ + kStride * static_cast<size_t>(rank); }

    void run(const std::function<void(bn_team*)>& body)
    {
        if (is_processes())
            run_processes(body);
        else
            run_threads(body);
    }

    std::vector<bn_team> teams;
    Library library;
    std::atomic<size_t> buffer_limit{SIZE_MAX};  // limit on the buffers that teams get
    bool has_shared_buffers = false;             // processes map them at the same addresses
    std::function<void(int rank)> before_run;    // in each process

private:
    // Functions for a member; buffers of a process have fixed places
    struct Host {
        World* world;
        int rank;
        uint64_t bits;
    };

    // Each process ends with a status of its own.  Teams end as they began, since the processes have copies of them.
    void run_processes(const std::function<void(bn_team*)>& body)
    {
        std::vector<pid_t> processes;
        for (bn_team& team : teams) {
            pid_t process = fork();
            ASSERT_GE(process, 0);
            if (process == 0) {
                team.process = bn_kernel_bits(team.rank);
                ASSERT_TRUE(
                    bn_kernel_join(static_cast<unsigned char*>(control_) + control_bytes_, team.rank, members_));
                bn_wait_progress = bn_kernel_progress;
                bn_wait_bed = bn_kernel_bed();
                if (before_run)
                    before_run(team.rank);
                bn_team_barrier(&team);
                body(&team);
                _exit(testing::Test::HasFailure() ? 1 : 0);
            }
            processes.push_back(process);
        }
        for (pid_t process : processes) {
            int status;
            ASSERT_EQ(waitpid(process, &status, 0), process);
            EXPECT_EQ(status, 0);
        }
    }

    void run_threads(const std::function<void(bn_team*)>& body)
    {
        std::vector<std::thread> threads;
        for (bn_team& team : teams)
            threads.emplace_back([&body, &team] { body(&team); });
        for (std::thread& thread : threads)
            thread.join();
    }

    uint64_t shared_buffer(int rank) const
    {
        return reinterpret_cast<uint64_t>(buffers_) + static_cast<uint64_t>(rank) * kSharedBytes;
    }
    static uint64_t alloc(void* context, size_t size_bytes)
    {
        const Host* host = static_cast<Host*>(context);
        if (size_bytes > host->world->buffer_limit)
            return 0;
        if (host->world->has_shared_buffers)  // a member has only one at a time
            return size_bytes > kSharedBytes ? 0 : host->world->shared_buffer(host->rank);
        return reinterpret_cast<uint64_t>(aligned_alloc(64, (size_bytes + 63) / 64 * 64)) | host->bits;
    }
    static void release(void* context, uint64_t place)
    {
        const Host* host = static_cast<Host*>(context);
        if (!host->world->has_shared_buffers)
            free(reinterpret_cast<void*>(place & ~host->bits));
    }
    static const bn_hierarchy* find_hierarchy(void* context) { return static_cast<Host*>(context)->world->hierarchy_; }

    friend class Library;
    Members kind_;
    size_t control_bytes_, kernel_bytes_;
    std::vector<Host> hosts_;
    int members_;
    std::vector<bn_member_mail> mail_;
    bn_hierarchy* hierarchy_;
    std::unique_ptr<bn_plans[]> plans_;
    void* control_;
    void* buffers_;
    unsigned char* memory_;
};

inline Library& Library::of(const bn_team* team)
{
    return static_cast<World::Host*>(team->host.context)->world->library;
}
