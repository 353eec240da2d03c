#include "tune/measure.h"

#include "coll/plan.h"
#include "empty_reduction.h"
#include "platform/clock.h"
#include "tune/job.h"

#include <algorithm>

namespace bn::tune {

namespace {

constexpr int kMinRounds = 3;
constexpr int kMaxRounds = 64;
constexpr int kMinCalls = 4;  // with fewer, what the previous way left in the caches would be measured

// The times of one way for one size
struct WayTimes {
    int rounds;
    double us[kMaxRounds];
};

// What thread 0 tells the others and the parent; in shared memory, with the times behind it
struct Board {
    int calls;     // per round
    bool goes_on;  // another round begins
    size_t used;   // of the times
    WayTimes* times;
};

bn_call make_call(const Plan& plan, const Arrays& arrays, size_t nbytes, bn_fold* fold)
{
    bn_call call = {};
    call.src = arrays.src.addr;
    call.dst = arrays.dst.addr;
    call.perm = arrays.perm.addr;
    call.nbytes = nbytes;
    call.in = call.out = mode_of(plan.sync);
    call.fold = fold;
    return call;
}

std::vector<const bn_entry*> entries_for(const Plan& plan, size_t nbytes)
{
    int count;
    const bn_entry* entries = bn_registry(plan.operation, &count);
    std::vector<const bn_entry*> able;
    for (int i = 0; i < count; i++) {
        if (!bn_entry_is_there(&entries[i], &bn_context.team))
            continue;
        size_t limit_bytes = bn_entry_limit_among(&entries[i], plan.thread_count, plan.thread_count);
        if (limit_bytes == 0 || nbytes <= limit_bytes)
            able.push_back(&entries[i]);
    }
    return able;
}

// One round: every way in turn, after a call that is not counted
void measure_round(const Plan& plan, const bn_call& call, const std::vector<const bn_entry*>& entries, int round,
                   size_t first_place, Board* board)
{
    bn_team* team = &bn_context.team;
    for (size_t i = 0; i < entries.size(); i++) {
        bn_plans_force(team, plan.operation, entries[i]->name);
        run_calls(plan.operation, call, 1);
        double us = run_calls(plan.operation, call, board->calls);
        if (team->rank != 0)
            continue;
        WayTimes* times = &board->times[first_place + i];
        times->us[round] = us;
        times->rounds = round + 1;
    }
}

void measure_size(const Plan& plan, const Arrays& arrays, size_t nbytes, Board* board)
{
    EmptyReduction reduction;
    bn_call call = make_call(plan, arrays, nbytes, &reduction.fold);
    bn_team* team = &bn_context.team;
    size_t first_place = board->used;
    uint64_t begin = bn_clock_ns();
    std::vector<const bn_entry*> entries = entries_for(plan, nbytes);
    bn_plans_force(team, plan.operation, entries[0]->name);
    run_calls(plan.operation, call, 1);
    double once_us = run_calls(plan.operation, call, kMinCalls);
    if (team->rank == 0)
        board->calls = std::clamp(static_cast<int>(plan.round_us / once_us), kMinCalls, 1000);
    bn_team_barrier(team);
    for (int round = 0; round < plan.rounds; round++) {
        measure_round(plan, call, entries, round, first_place, board);
        if (team->rank == 0)
            board->goes_on = round + 1 < kMinRounds || static_cast<double>(bn_clock_ns() - begin) * 1e-3 < plan.size_us;
        bn_team_barrier(team);
        bool goes_on = board->goes_on;
        bn_team_barrier(team);
        if (!goes_on)
            break;
    }
    if (team->rank == 0)
        board->used += entries.size();
    bn_team_barrier(team);
}

std::vector<Result> collect(const Plan& plan, Board* board)
{
    std::vector<Result> results;
    size_t place = 0;
    for (size_t nbytes : plan.sizes) {
        for (const bn_entry* entry : entries_for(plan, nbytes)) {
            WayTimes* times = &board->times[place++];
            std::sort(times->us, times->us + times->rounds);
            results.push_back({nbytes, entry->name, times->us[times->rounds / 2]});
        }
    }
    return results;
}

}  // namespace

const char* sync_name(Sync sync)
{
    static const char* const kNames[] = {"all", "partners", "none"};
    return kNames[static_cast<int>(sync)];
}

std::vector<Result> measure(const Plan& asked)
{
    Plan plan = asked;
    plan.rounds = std::min(plan.rounds, kMaxRounds);
    if (!bn_operation_has_blocks(plan.operation))
        plan.sizes = {sizeof(double)};
    std::erase_if(plan.sizes, [&](size_t nbytes) {
        return bn_operation_bytes(plan.operation, nbytes, plan.thread_count) > kArrayBytes;
    });
    int way_count;
    bn_registry(plan.operation, &way_count);
    size_t board_bytes = sizeof(Board) + plan.sizes.size() * static_cast<size_t>(way_count) * sizeof(WayTimes);
    Board* board = static_cast<Board*>(share(board_bytes));
    if (!board)
        return {};
    board->times = reinterpret_cast<WayTimes*>(board + 1);
    auto body = [&](const Arrays& arrays) {
        for (size_t nbytes : plan.sizes)
            measure_size(plan, arrays, nbytes, board);
    };
    std::vector<Result> results;
    if (run({plan.thread_count, plan.core_count, body}))
        results = collect(plan, board);
    unshare(board, board_bytes);
    return results;
}

}  // namespace bn::tune
