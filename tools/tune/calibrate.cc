#include "tune/calibrate.h"

#include "tune/job.h"

#include "coll/run.h"
#include "coll/table.h"
#include "date.h"
#include "platform/clock.h"
#include "platform/cpus.h"
#include "topology/machine.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace bn::tune {

namespace {

constexpr size_t kCachedBytes = 256 << 10;  // still in caches when it is copied again
constexpr int kRepeats = 31, kRepeatsOfLarge = 5;
constexpr int kBursts = 100;

// Written by one thread of the job, read by this process
struct Samples {
    double ns[kCopySizeCount];
    double each[kRepeats];
    double bursts[kBursts];
    double of_thread[64];
};

// Leaves out most of what other programs add.
double lower_quarter(double* times, int count)
{
    std::sort(times, times + count);
    return times[count / 4];
}

double ns_since(uint64_t begin)
{
    return static_cast<double>(bn_clock_ns() - begin);
}

int repeats_for(size_t nbytes)
{
    return nbytes <= kCachedBytes ? kRepeats : kRepeatsOfLarge;
}

// Nanoseconds from one thread to the other, measured with flags there and back
double measure_line(const std::vector<int>& pus, int core_count, Samples* samples)
{
    constexpr uint32_t kRounds = 100;  // short enough to fit between two time slices of other programs
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

// Copies of data that the thread itself has just written
bool measure_own_copies(int pu, Samples* samples)
{
    return run_on({pu}, 1, [&](const Arrays& arrays) {
        unsigned char* dst = bn_team_at(&bn_context.team, arrays.dst.addr, 0);
        unsigned char* src = bn_team_at(&bn_context.team, arrays.src.addr, 0);
        for (size_t i = 0; i < kCopySizeCount; i++) {
            // Small copies together: consecutive pieces of the same written area
            size_t area = std::max<size_t>(kCopySizes[i], 16384);
            for (int repeat = 0; repeat < repeats_for(area); repeat++) {
                memset(src, repeat, area);
                uint64_t begin = bn_clock_ns();
                for (size_t done = 0; done < area; done += kCopySizes[i])
                    bn_copy(dst + done, src + done, kCopySizes[i]);
                samples->each[repeat] =
                    ns_since(begin) * static_cast<double>(kCopySizes[i]) / static_cast<double>(area);
            }
            samples->ns[i] = lower_quarter(samples->each, repeats_for(area));
        }
    });
}

// Bytes per nanosecond when all threads of a memory region copy at once, each the data that the next one has just
// written
double measure_memory(const std::vector<int>& pus, size_t size_bytes, Samples* samples)
{
    bool is_run = run_on(pus, static_cast<int>(pus.size()), [&](const Arrays& arrays) {
        bn_team* team = &bn_context.team;
        unsigned char* own = bn_team_at(team, arrays.src.addr, team->rank);
        unsigned char* dst = bn_team_at(team, arrays.dst.addr, team->rank);
        unsigned char* src = bn_team_at(team, arrays.src.addr, bn_team_rotate(team, team->rank, 1) % team->size);
        double times[kRepeats];
        int count = repeats_for(size_bytes);
        for (int repeat = 0; repeat < count; repeat++) {
            memset(own, repeat, size_bytes);
            bn_team_barrier(team);
            uint64_t begin = bn_clock_ns();
            bn_copy(dst, src, size_bytes);
            times[repeat] = ns_since(begin);
            bn_team_barrier(team);
        }
        samples->of_thread[team->rank] = static_cast<double>(size_bytes) / lower_quarter(times, count);
    });
    double sum = 0;
    for (size_t i = 0; i < pus.size(); i++)
        sum += samples->of_thread[i];
    return is_run ? sum : -1;
}

// A call that moves next to nothing, in a job with one thread
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
            samples->each[repeat] = ns_since(begin) / kCalls;
        }
    });
    return is_run ? lower_quarter(samples->each, kRepeats) : -1;
}

// The innermost part of this machine that two of its processing units share
bn_level distance(const bn_machine_pu& a, const bn_machine_pu& b)
{
    int level = BN_LEVEL_CORE;
    while (level < BN_LEVEL_NODE && a.parts[level] != b.parts[level])
        level++;
    return static_cast<bn_level>(level);
}

std::string head(bool has_network)
{
    char machine[BN_TABLE_MACHINE_BYTES];
    bn_table_machine(machine, sizeof machine);
    return std::string("# ") + machine + "\n# measured by banyan-tune --calibrate on " + date_today() +
           "; turn is a third of the nearest line.\n" +
           (has_network ? ""
                        : "# nic and link are not measured: add what your network does, or measure it with --hosts.\n");
}

}  // namespace

bool Calibration::look_at_machine()
{
    bn_machine* machine = nullptr;
    bn_pu_set usable;
    bn_cpus_affinity(&usable);
    if (bn_machine_read(nullptr, &usable, false, &machine) != BN_OK)
        return false;
    const bn_machine_pu& first = machine->pus[0];
    first_ = first.os_number;
    for (int i = 0; i < machine->pu_count; i++) {
        const bn_machine_pu& pu = machine->pus[i];
        const std::vector<int> pair = {first_, pu.os_number};
        if (i > 0)
            partners_.try_emplace(distance(first, pu), Partner{pair, PairCopies(pair)});
        if (pu.core_rank == 0 && distance(first, pu) <= BN_LEVEL_NUMA && in_region_.size() < 64)
            in_region_.push_back(pu.os_number);
    }
    bn_machine_destroy(machine);
    size_t can_run = static_cast<size_t>(bn_cpus_usable_count());
    if (in_region_.size() > can_run)
        in_region_.resize(can_run);
    return true;
}

std::vector<int> Calibration::neighbours() const
{
    return partners_.empty() ? std::vector<int>{first_} : partners_.begin()->second.pus;
}

bool Calibration::sweep(const Neighbours& neighbours)
{
    auto* samples = static_cast<Samples*>(share(sizeof(Samples)));
    Sweep sweep = {};
    sweep.look = neighbours.now();
    bool is_run = samples && measure_own_copies(first_, samples);
    if (is_run)
        std::copy(samples->ns, samples->ns + kCopySizeCount, sweep.self_ns);
    for (auto& [level, partner] : partners_) {
        double ns = is_run ? measure_line(partner.pus, 2, samples) : -1;
        is_run = ns >= 0 && partner.copies.sweep();
        sweep.line_ns[level] = ns;
    }
    if (is_run) {
        sweep.memory = measure_memory(in_region_, kLargestCopy, samples);
        sweep.cached = measure_memory(in_region_, kCachedBytes, samples);
        sweep.switch_ns = measure_line({first_, first_}, 1, samples);
        sweep.call_ns = measure_call(first_, samples);
        sweeps_.push_back(sweep);
    }
    if (samples)
        unshare(samples, sizeof(Samples));
    return is_run && sweep.memory > 0 && sweep.cached > 0 && sweep.switch_ns > 0 && sweep.call_ns > 0;
}

std::string Calibration::text(const std::string& network, const Neighbours& neighbours) const
{
    std::vector<bool> counts;
    for (const Sweep& sweep : sweeps_)
        counts.push_back(neighbours.are_usual(sweep.look));
    if (std::find(counts.begin(), counts.end(), true) == counts.end())
        counts.assign(counts.size(), true);
    auto over_all = [&](auto&& value, auto&& better) {
        double best = 0;
        for (size_t i = 0; i < counts.size(); i++) {
            if (counts[i])
                best = best > 0 ? better(best, value(sweeps_[i])) : value(sweeps_[i]);
        }
        return best;
    };
    auto least = [&](auto&& value) { return over_all(value, [](double a, double b) { return std::min(a, b); }); };
    auto most = [&](auto&& value) { return over_all(value, [](double a, double b) { return std::max(a, b); }); };
    char text[160];
    double self_ns[kCopySizeCount], nearest_ns = 0;
    for (size_t i = 0; i < kCopySizeCount; i++)
        self_ns[i] = least([i](const Sweep& sweep) { return sweep.self_ns[i]; });
    std::string lines = "line   ", copies = copies_line("copy    self", self_ns);
    for (const auto& [level, partner] : partners_) {
        double ns = least([key = level](const Sweep& sweep) { return sweep.line_ns.at(key); });
        nearest_ns = nearest_ns > 0 ? nearest_ns : ns;
        snprintf(text, sizeof text, " %s=%.3gns", bn_level_name(level), ns);
        lines += text;
        copies += partner.copies.lines(bn_level_name(level), counts);
    }
    std::string result = head(!network.empty());
    if (nearest_ns > 0) {
        snprintf(text, sizeof text, "# Of %zu looks, the nearest cores were as near to each other as here in %d %%.\n",
                 neighbours.now() + 1, neighbours.usual_percent());
        result += text;
    }
    result += network + (partners_.empty() ? "" : lines + "\n") + copies;
    snprintf(text, sizeof text, "memory  bandwidth=%.3gG cached=%.3gG fits=%zu\nswitch  %.3gns\ncall    %.3gns\n",
             most([](const Sweep& sweep) { return sweep.memory; }),
             most([](const Sweep& sweep) { return sweep.cached; }), 4 * kCachedBytes,
             least([](const Sweep& sweep) { return sweep.switch_ns; }),
             least([](const Sweep& sweep) { return sweep.call_ns; }));
    result += text;
    if (nearest_ns > 0) {
        result += partners_.begin()->second.copies.held_line(counts);
        snprintf(text, sizeof text, "turn    %.3gns\n", nearest_ns / 3);
        result += text;
    }
    return result;
}

}  // namespace bn::tune
