#include "tune/sizes.h"

#include "base/options.h"
#include "coll/plan.h"
#include "tune/job.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace bn::tune {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kMostRounds = 41;
constexpr int kCalls = 8;
constexpr size_t kChunkedBytes = size_t{1} << 20;  // the size of a message that goes in chunks
constexpr const char* kInChunks[] = {"pull/binomial.binomial.flat/chunks", "push/binomial.binomial.flat/chunks"};
constexpr const char* kInHalves = "pull/binomial.binomial.binomial/halves";

// A message of nbytes that uses this way, with these sizes
struct Setting {
    const char* way;
    size_t nbytes;
    size_t chunk_bytes, halves_from_bytes;
};

// The median for each setting; settings take turns.  Empty if the job could not be run.
std::vector<double> measure(const std::vector<Setting>& settings, int thread_count, int core_count, int rounds)
{
    size_t board_bytes = settings.size() * kMostRounds * sizeof(double);
    auto* times = static_cast<double*>(share(board_bytes));
    if (!times)
        return {};
    auto body = [&](const Arrays& arrays) {
        bn_team* team = &bn_context.team;
        for (int round = 0; round < rounds; round++) {
            for (size_t i = 0; i < settings.size(); i++) {
                bn_call call = {};
                call.src = arrays.src.addr;
                call.dst = arrays.dst.addr;
                call.nbytes = settings[i].nbytes;
                team->plans->tuning.chunk_bytes = settings[i].chunk_bytes;
                team->plans->tuning.halves_from_bytes = settings[i].halves_from_bytes;
                bn_plans_force(team, BN_BROADCAST, settings[i].way);
                run_calls(BN_BROADCAST, call, 1);
                double us = run_calls(BN_BROADCAST, call, kCalls);
                if (team->rank == 0)
                    times[i * kMostRounds + static_cast<size_t>(round)] = us;
            }
        }
    };
    std::vector<double> medians;
    bool is_done = run({thread_count, core_count, body});
    for (size_t i = 0; is_done && i < settings.size(); i++) {
        double* own = times + i * kMostRounds;
        std::sort(own, own + rounds);
        medians.push_back(own[rounds / 2]);
    }
    unshare(times, board_bytes);
    return medians;
}

size_t default_of(bn_option_id option)
{
    return static_cast<size_t>(bn_option_describe(option)->fallback);
}

std::string in_words(size_t nbytes, double us)
{
    char text[64];
    snprintf(text, sizeof text, "%zu bytes: %.2f us", nbytes, us);
    return text;
}

// False if the job could not be run, like the next function.  Both directions count equally, since the way is chosen
// independently of the size.
bool choose_chunk(int thread_count, int core_count, int rounds, Json* sizes)
{
    size_t usual = default_of(BN_OPTION_COLL_CHUNK);
    std::vector<size_t> chunks = {usual};
    for (size_t bytes = usual / 4; bytes <= usual * 8; bytes *= 2) {
        if (bytes != usual)
            chunks.push_back(bytes);
    }
    std::vector<Setting> settings;
    for (size_t chunk_bytes : chunks) {
        for (const char* way : kInChunks)
            settings.push_back({way, kChunkedBytes, chunk_bytes, default_of(BN_OPTION_COLL_HALVES)});
    }
    std::vector<double> medians = measure(settings, thread_count, core_count, rounds);
    if (medians.empty())
        return false;
    size_t best = 0;
    auto both = [&](size_t i) { return medians[2 * i] + medians[2 * i + 1]; };
    for (size_t i = 1; i < chunks.size(); i++) {
        if (both(i) < both(best))
            best = i;
    }
    if (both(best) > kWorthwhile * both(0))
        best = 0;
    (*sizes)["chunk_bytes"] = chunks[best];
    (*sizes)["evidence"]["chunk_bytes"] = in_words(chunks[best], both(best)) + "; " + in_words(chunks[0], both(0));
    return true;
}

// The smallest size from which on halves are worthwhile for all measured sizes; if there is none, the default stays.
bool choose_halves(int thread_count, int core_count, int rounds, Json* sizes)
{
    size_t usual = default_of(BN_OPTION_COLL_HALVES);
    std::vector<Setting> settings;
    for (size_t nbytes = usual / 4; nbytes <= usual * 32; nbytes *= 2) {
        settings.push_back({kInHalves, nbytes, default_of(BN_OPTION_COLL_CHUNK), nbytes});
        settings.push_back({kInHalves, nbytes, default_of(BN_OPTION_COLL_CHUNK), nbytes + 1});
    }
    std::vector<double> medians = measure(settings, thread_count, core_count, rounds);
    size_t from = medians.size();
    while (from >= 2 && medians[from - 2] < kWorthwhile * medians[from - 1])
        from -= 2;
    if (from + 4 > medians.size())  // a single size may be chance
        return !medians.empty();
    (*sizes)["halves_from_bytes"] = settings[from].nbytes;
    (*sizes)["evidence"]["halves_from_bytes"] = in_words(settings[from].nbytes, medians[from]) +
                                                "; whole: " + in_words(settings[from].nbytes, medians[from + 1]);
    return true;
}

}  // namespace

Json measure_sizes(int core_count, bool is_quick)
{
    Json sizes = Json::object();
    int thread_count = std::max(core_count, 2);
    int rounds = is_quick ? 9 : kMostRounds;
    bool is_measured = choose_chunk(thread_count, core_count, rounds, &sizes) &&
                       choose_halves(thread_count, core_count, rounds, &sizes);
    return is_measured ? sizes : Json();
}

}  // namespace bn::tune
