// world.h: a team whose members are POSIX threads, with memory for each of them, for tests of operations.
#pragma once

#include "coll/operation.h"
#include "coll/library.h"
#include "coll/plan.h"
#include "coll/run.h"

#include "base/default_options.h"

#include <sched.h>
#include <sys/mman.h>
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

constexpr size_t kStride = (size_t{5} << 20) + 4096 + 64;  // memory of one rank

// Where the members of a team are.
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

// Delays of a thread where members meet: mostly none, at times long enough that the others get far ahead.
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
    World(int members, Layout layout, bool has_delays, int tree_max, bn_wait_choice wait = BN_WAIT_AUTO)
        : library(members), members_(members), hierarchy_(make_hierarchy(members, layout)),
          plans_(new bn_plans[static_cast<size_t>(members)]())
    {
        bn_wait_policy policy = bn_wait_policy_make(members, 2, wait);
        size_t control_bytes = (bn_team_control_bytes(members) + 63) / 64 * 64;
        control_ = aligned_alloc(BN_LINE_BYTES, control_bytes);
        memset(control_, 0, control_bytes);
        bn_team_control_init(control_, members, policy);
        memory_ =
            static_cast<unsigned char*>(mmap(nullptr, kStride * static_cast<size_t>(members), PROT_READ | PROT_WRITE,
                                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
        mail_.resize(static_cast<size_t>(members));
        load_default_options();
        for (int rank = 0; rank < members; rank++) {
            teams.push_back(bn_team_join(control_, rank, members, kStride, 2, policy));
            bn_team& team = teams.back();
            team.host = {this, alloc, release, find_hierarchy, &library.native(), nullptr};
            team.mail = mail_.data();
            team.mail_stride = sizeof(bn_member_mail);
            team.before_step = has_delays ? delay_at_random : nullptr;
            bn_plans_init(&team, &plans_[static_cast<size_t>(rank)], nullptr);
            team.plans->tuning.tree_max = tree_max;
            team.plans->tuning.chunk_bytes = 4096;  // so that small messages go in many
            team.plans->tuning.halves_from_bytes = 1024;
        }
    }
    ~World()
    {
        for (bn_team& team : teams) {
            bn_plans_destroy(&team);
            bn_team_leave(&team);
        }
        munmap(memory_, kStride * static_cast<size_t>(members_));
        free(control_);
        free(hierarchy_);
    }
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    int size() const { return members_; }
    unsigned char* memory(int rank) const { return memory_ + kStride * static_cast<size_t>(rank); }

    void run(const std::function<void(bn_team*)>& body)
    {
        std::vector<std::thread> threads;
        for (bn_team& team : teams)
            threads.emplace_back([&body, &team] { body(&team); });
        for (std::thread& thread : threads)
            thread.join();
    }

    std::vector<bn_team> teams;
    Library library;
    std::atomic<size_t> buffer_limit{SIZE_MAX};  // the largest buffer that teams get

private:
    static uint64_t alloc(void* context, size_t size_bytes)
    {
        bool has_memory = size_bytes <= static_cast<World*>(context)->buffer_limit;
        return has_memory ? reinterpret_cast<uint64_t>(aligned_alloc(64, (size_bytes + 63) / 64 * 64)) : 0;
    }
    static void release(void*, uint64_t address) { free(reinterpret_cast<void*>(address)); }
    static const bn_hierarchy* find_hierarchy(void* context) { return static_cast<World*>(context)->hierarchy_; }

    int members_;
    std::vector<bn_member_mail> mail_;
    bn_hierarchy* hierarchy_;
    std::unique_ptr<bn_plans[]> plans_;
    void* control_;
    unsigned char* memory_;
};

inline Library& Library::of(const bn_team* team)
{
    return static_cast<World*>(team->host.context)->library;
}
