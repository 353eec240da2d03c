#include "tune/times.h"

#include "tune/job.h"

#include "coll/plan.h"
#include "coll/run.h"
#include "platform/clock.h"

#include <algorithm>

namespace bn::tune {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kTimed = 21;
constexpr int kRounds = 5;
constexpr int kMostThreads = 64;
constexpr int kMostCells = 512;
constexpr size_t kBlocks[] = {8, 1024, 16384, 65536, 262144, 1048576};

// Of one way: when each thread called and returned
struct Stamps {
    uint64_t called[kTimed], returned[kTimed];
};

// In memory that all threads and the parent share
struct Sheet {
    Stamps stamps[kMostThreads];
    int count;
    struct {
        size_t nbytes;
        const bn_entry* entry;
        double ns[kRounds];
    } cells[kMostCells];
};

void leave_value(void*, const void*, const bn_fold*) {}

bool moves_nothing(bn_operation operation)
{
    return operation == BN_BARRIER;
}

bool has_no_blocks(bn_operation operation)
{
    return moves_nothing(operation) || operation == BN_REDUCE || operation == BN_REDUCE_ALL || operation == BN_PREFIX;
}

// A quarter of the calls take less: others on this machine are left out as far as they can be.
double lower_quarter_of(const Sheet& sheet, int thread_count)
{
    std::vector<double> times;
    for (int i = 1; i < kTimed; i++) {
        uint64_t last_call = 0, last_return = 0;
        for (int thread = 0; thread < thread_count; thread++) {
            last_call = std::max(last_call, sheet.stamps[thread].called[i]);
            last_return = std::max(last_return, sheet.stamps[thread].returned[i]);
        }
        times.push_back(static_cast<double>(last_return - last_call));
    }
    std::nth_element(times.begin(), times.begin() + kTimed / 4, times.end());
    return times[kTimed / 4];
}

void time_way(bn_operation operation, const bn_call& call, int cell, int round, Sheet* sheet)
{
    bn_team* team = &bn_context.team;
    Stamps* stamps = &sheet->stamps[team->rank];
    bn_plans_force(team, operation, sheet->cells[cell].entry->name);
    bool is_reduction = has_no_blocks(operation) && !moves_nothing(operation);
    for (int i = 0; i < kTimed; i++) {
        use_data(operation, call, i);
        bn_team_barrier(team);
        stamps->called[i] = bn_clock_ns();
        if (is_reduction)
            bn_operation_enter(team, call.in);
        bn_operation_run(team, operation, &call);
        if (is_reduction)
            bn_operation_leave(team, call.out);
        stamps->returned[i] = bn_clock_ns();
    }
    bn_plans_force(team, operation, nullptr);
    bn_team_barrier(team);
    if (team->rank == 0)
        sheet->cells[cell].ns[round] = lower_quarter_of(*sheet, team->size);
    bn_team_barrier(team);
}

bool can_carry(const bn_entry& entry, bn_operation operation, size_t nbytes)
{
    const bn_team* team = &bn_context.team;
    size_t members = static_cast<size_t>(team->size);
    size_t limit = bn_entry_limit(&entry, team);
    bool is_all_at_one =
        operation == BN_SCATTER || operation == BN_GATHER || operation == BN_GATHER_ALL || operation == BN_EXCHANGE;
    return bn_entry_is_there(&entry, team) && (limit == 0 || nbytes <= limit) &&
           nbytes * (is_all_at_one ? members : 1) <= kArrayBytes;
}

// All in turn, round after round
void time_ways(bn_operation operation, const bn_call& call, Sheet* sheet)
{
    bn_team* team = &bn_context.team;
    int count = 0;
    const bn_entry* entries = bn_registry(operation, &count);
    int first = sheet->count;
    bn_team_barrier(team);
    for (int i = 0; team->rank == 0 && i < count; i++) {
        if (can_carry(entries[i], operation, call.nbytes))
            sheet->cells[sheet->count++] = {call.nbytes, &entries[i], {}};
    }
    bn_team_barrier(team);
    for (int round = 0; round < kRounds; round++) {
        for (int cell = first; cell < sheet->count; cell++)
            time_way(operation, call, cell, round, sheet);
    }
}

void time_all(bn_operation operation, const Arrays& arrays, Sheet* sheet)
{
    alignas(16) double value[2] = {1, 0};
    bn_fold fold = {value, true, false, sizeof(double), leave_value, 0, nullptr, BN_VALUE_DOUBLE, false};
    bn_call call = {};
    call.src = arrays.src.addr;
    call.dst = arrays.dst.addr;
    call.perm = arrays.perm.addr;
    call.fold = &fold;
    call.in = call.out = BN_SYNC_ALL;
    for (size_t nbytes : kBlocks) {
        call.nbytes = nbytes;
        time_ways(operation, call, sheet);
        if (has_no_blocks(operation))
            return;
    }
}

double least_of(const double (&times)[kRounds])
{
    return *std::min_element(times, times + kRounds);
}

void add_cells(bn_operation operation, int thread_count, const Sheet& sheet, Json* cells)
{
    for (int i = 0; i < sheet.count; i++) {
        if (i == 0 || sheet.cells[i].nbytes != sheet.cells[i - 1].nbytes)
            cells->push_back({{"operation", bn_operation_name(operation)},
                              {"threads", thread_count},
                              {"bytes", sheet.cells[i].nbytes},
                              {"runs", Json::array()}});
        cells->back()["runs"].push_back({{"way", sheet.cells[i].entry->name}, {"ns", least_of(sheet.cells[i].ns)}});
    }
}

}  // namespace

Json measure_times(const std::vector<int>& thread_counts, int core_count)
{
    Json result;
    result["cells"] = Json::array();
    auto* sheet = static_cast<Sheet*>(share(sizeof(Sheet)));
    if (!sheet)
        return nullptr;
    for (int i = 0; i < BN_UPC_OPERATION_COUNT; i++) {
        auto operation = static_cast<bn_operation>(i);
        for (int thread_count : thread_counts) {
            sheet->count = 0;
            bool is_run =
                run({thread_count, core_count, [&](const Arrays& arrays) { time_all(operation, arrays, sheet); }});
            if (!is_run)
                return nullptr;
            add_cells(operation, thread_count, *sheet, &result["cells"]);
        }
    }
    unshare(sheet, sizeof(Sheet));
    return result;
}

}  // namespace bn::tune
