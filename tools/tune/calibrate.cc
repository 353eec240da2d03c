#include "tune/calibrate.h"

#include "tune/job.h"

#include "coll/run.h"
#include "coll/table.h"
#include "platform/clock.h"
#include "platform/cpus.h"
#include "topology/machine.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <vector>

namespace bn::tune {

namespace {

constexpr size_t kSizes[] = {64, 512, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216};
constexpr size_t kSizeCount = sizeof kSizes / sizeof kSizes[0];
constexpr size_t kCachedBytes = 256 << 10;  // what is in caches when it is copied again
constexpr int kRepeats = 31;
constexpr int kBursts = 400;
constexpr size_t kLargest = kSizes[kSizeCount - 1];

// Written by one thread of a job, read here
struct Samples {
    double ns[kSizeCount];
    double each[kSizeCount][kRepeats];
    double bursts[kBursts];
    double of_thread[64];
};

// What other programs add is left out as far as it can be.
double lower_quarter(double* times, int count)
{
    std::sort(times, times + count);
    return times[count / 4];
}

double ns_since(uint64_t begin)
{
    return static_cast<double>(bn_clock_ns() - begin);
}

void bind_to(int pu)
{
    bn_pu_set set = {};
    bn_pu_set_add(&set, pu);
    bn_cpus_bind(&set);
}

// Runs threads that are bound to pus.  core_count: how many the waiting policy is to count on.
bool run_on(const std::vector<int>& pus, int core_count, const std::function<void(const Arrays&)>& body)
{
    return run({static_cast<int>(pus.size()), core_count,
                [&](const Arrays& arrays) {
                    bind_to(pus[static_cast<size_t>(bn_context.team.rank)]);
                    bn_team_barrier(&bn_context.team);
                    body(arrays);
                    bn_team_barrier(&bn_context.team);
                },
                kLargest});
}

// Nanoseconds from one thread of two to the other: by flags, there and back
double measure_line(const std::vector<int>& pus, int core_count, Samples* samples)
{
    constexpr uint32_t kRounds = 100;  // short enough to come between two turns of other programs
    bool is_run = run_on(pus, core_count, [&](const Arrays&) {
        bn_team* team = &bn_context.team;
        for (int repeat = 0; repeat < kBursts; repeat++) {
            bn_team_begin(team);
            uint64_t begin = bn_clock_ns();
            for (uint32_t round = 1; round <= kRounds; round++) {
                if (team->rank == 0)
                    bn_team_say(team, round);
                bn_team_hear(team, 1 - team->rank, round);
                if (team->rank == 1)
                    bn_team_say(team, round);
            }
            if (team->rank == 0)
                samples->bursts[repeat] = ns_since(begin) / (2.0 * kRounds);
            bn_team_barrier(team);
        }
    });
    return is_run ? lower_quarter(samples->bursts, kBursts) : -1;
}

// Copies by the first thread from memory of the last one, or to it, which has just written there
bool measure_copies(const std::vector<int>& pus, bool is_brought, Samples* samples)
{
    return run_on(pus, static_cast<int>(pus.size()), [&](const Arrays& arrays) {
        bn_team* team = &bn_context.team;
        int writer = team->size - 1;
        unsigned char* dst = bn_team_at(team, arrays.dst.addr, is_brought ? writer : 0);
        unsigned char* src = bn_team_at(team, arrays.src.addr, is_brought ? 0 : writer);
        for (size_t i = 0; i < kSizeCount; i++) {
            // Small ones together: pieces of the same written area, one behind the other
            size_t area = std::max<size_t>(kSizes[i], 16384);
            for (int repeat = 0; repeat < kRepeats; repeat++) {
                if (team->rank == writer)
                    memset(is_brought ? dst : src, repeat, area);
                bn_team_barrier(team);
                uint64_t begin = bn_clock_ns();
                for (size_t done = 0; team->rank == 0 && done < area; done += kSizes[i])
                    bn_copy(dst + done, src + done, kSizes[i]);
                if (team->rank == 0)
                    samples->each[i][repeat] =
                        ns_since(begin) * static_cast<double>(kSizes[i]) / static_cast<double>(area);
                bn_team_barrier(team);
            }
            if (team->rank == 0)
                samples->ns[i] = lower_quarter(samples->each[i], kRepeats);
        }
    });
}

// Bytes in a nanosecond when all threads of a memory region copy at once, each what the next one has just written
double measure_memory(const std::vector<int>& pus, size_t size_bytes, Samples* samples)
{
    bool is_run = run_on(pus, static_cast<int>(pus.size()), [&](const Arrays& arrays) {
        bn_team* team = &bn_context.team;
        unsigned char* own = bn_team_at(team, arrays.src.addr, team->rank);
        unsigned char* dst = bn_team_at(team, arrays.dst.addr, team->rank);
        unsigned char* src = bn_team_at(team, arrays.src.addr, bn_team_rotate(team, team->rank, 1) % team->size);
        double times[kRepeats];
        for (int repeat = 0; repeat < kRepeats; repeat++) {
            memset(own, repeat, size_bytes);
            bn_team_barrier(team);
            uint64_t begin = bn_clock_ns();
            bn_copy(dst, src, size_bytes);
            times[repeat] = ns_since(begin);
            bn_team_barrier(team);
        }
        samples->of_thread[team->rank] = static_cast<double>(size_bytes) / lower_quarter(times, kRepeats);
    });
    double sum = 0;
    for (size_t i = 0; i < pus.size(); i++)
        sum += samples->of_thread[i];
    return is_run ? sum : -1;
}

// A call that moves next to nothing, of a job of one thread
double measure_call(int pu, Samples* samples)
{
    constexpr int kCalls = 2000;
    bool is_run = run_on({pu}, 1, [&](const Arrays& arrays) {
        bn_team* team = &bn_context.team;
        bn_call call = {};
        call.src = arrays.src.addr;
        call.dst = arrays.dst.addr;
        call.nbytes = sizeof(double);
        call.in = call.out = BN_SYNC_NO;
        for (int repeat = 0; repeat < kRepeats; repeat++) {
            uint64_t begin = bn_clock_ns();
            for (int i = 0; i < kCalls; i++)
                bn_operation_run(team, BN_SCATTER, &call);
            samples->each[0][repeat] = ns_since(begin) / kCalls;
        }
    });
    return is_run ? lower_quarter(samples->each[0], kRepeats) : -1;
}

// The innermost part of this machine that two of its pus share
bn_level distance(const bn_machine_pu& a, const bn_machine_pu& b)
{
    int level = BN_LEVEL_CORE;
    while (level < BN_LEVEL_NODE && a.parts[level] != b.parts[level])
        level++;
    return static_cast<bn_level>(level);
}

struct Found {
    std::map<bn_level, int> partners;  // of the first pu
    std::vector<int> in_region;        // one pu of each core of its memory region
    int first = 0;
};

bool look_at_machine(Found* found)
{
    bn_machine* machine = nullptr;
    bn_pu_set usable;
    bn_cpus_affinity(&usable);
    if (bn_machine_read(nullptr, &usable, false, &machine) != BN_OK)
        return false;
    const bn_machine_pu& first = machine->pus[0];
    found->first = first.os_number;
    for (int i = 0; i < machine->pu_count; i++) {
        const bn_machine_pu& pu = machine->pus[i];
        if (i > 0)
            found->partners.try_emplace(distance(first, pu), pu.os_number);
        if (pu.core_rank == 0 && distance(first, pu) <= BN_LEVEL_NUMA && found->in_region.size() < 64)
            found->in_region.push_back(pu.os_number);
    }
    bn_machine_destroy(machine);
    size_t can_run = static_cast<size_t>(bn_cpus_usable_count());
    if (found->in_region.size() > can_run)
        found->in_region.resize(can_run);
    return true;
}

std::string copies_line(const char* what, const char* part, const Samples& samples)
{
    std::string text = std::string(what) + part;
    char word[64];
    for (size_t i = 0; i < kSizeCount; i++) {
        snprintf(word, sizeof word, " %zu=%.3gns", kSizes[i], samples.ns[i]);
        text += word;
    }
    return text + "\n";
}

std::string head(bool has_network)
{
    char machine[BN_TABLE_MACHINE_BYTES], date[32];
    time_t now = time(nullptr);
    bn_table_machine(machine, sizeof machine);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    return std::string("# ") + machine + "\n# measured by banyan-tune --calibrate on " + date +
           "; turn is a third of the nearest line.\n" +
           (has_network ? ""
                        : "# nic and link are not measured: add what your network does, or measure it with --hosts.\n");
}

std::string measure_all(const Found& found, const std::string& network, Samples* samples)
{
    char text[128];
    std::string lines = "line   ", copies;
    if (!measure_copies({found.first}, false, samples))
        return "";
    copies += copies_line("copy    ", "self", *samples);
    double nearest = 0;
    for (const auto& [level, pu] : found.partners) {
        double ns = measure_line({found.first, pu}, 2, samples);
        if (ns < 0 || !measure_copies({found.first, pu}, false, samples))
            return "";
        copies += copies_line("copy    ", bn_level_name(level), *samples);
        if (!measure_copies({found.first, pu}, true, samples))
            return "";
        copies += copies_line("bring   ", bn_level_name(level), *samples);
        nearest = nearest > 0 ? nearest : ns;
        snprintf(text, sizeof text, " %s=%.3gns", bn_level_name(level), ns);
        lines += text;
    }
    double memory = measure_memory(found.in_region, kLargest, samples);
    double cached = measure_memory(found.in_region, kCachedBytes, samples);
    double change = measure_line({found.first, found.first}, 1, samples);
    double call = measure_call(found.first, samples);
    if (memory < 0 || cached < 0 || change < 0 || call < 0)
        return "";
    std::string result = head(!network.empty()) + network + (found.partners.empty() ? "" : lines + "\n") + copies;
    snprintf(text, sizeof text, "memory  bandwidth=%.3gG cached=%.3gG fits=%zu\nswitch  %.3gns\ncall    %.3gns\n",
             memory, cached, 4 * kCachedBytes, change, call);
    result += text;
    if (nearest > 0) {
        snprintf(text, sizeof text, "turn    %.3gns\n", nearest / 3);
        result += text;
    }
    return result;
}

}  // namespace

std::string calibrate(const std::string& network)
{
    Found found;
    auto* samples = static_cast<Samples*>(share(sizeof(Samples)));
    if (!samples || !look_at_machine(&found))
        return "";
    std::string text = measure_all(found, network, samples);
    unshare(samples, sizeof(Samples));
    return text;
}

}  // namespace bn::tune
