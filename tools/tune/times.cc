#include "tune/times.h"

#include "tune/job.h"

#include "base/log.h"
#include "coll/plan.h"
#include "coll/run.h"
#include "empty_reduction.h"
#include "platform/clock.h"

#include <algorithm>

namespace bn::tune {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kTimed = 21;
constexpr int kMostCells = 512;
constexpr size_t kBlocks[] = {8, 1024, 16384, 65536, 262144, 1048576};

// For one way: when each thread called and returned
struct Stamps {
    uint64_t called[kTimed], returned[kTimed];
};

// In memory shared by all threads and the parent
struct Sheet {
    int count;
    struct {
        size_t nbytes;
        const bn_entry* entry;
        double ns;
    } cells[kMostCells];
    Stamps stamps[];  // by thread
};

// The cost of reading the clock, which is part of each time
double stamp_ns()
{
    constexpr int kStamps = 10000;
    uint64_t begin = bn_clock_ns(), end = begin;
    for (int i = 0; i < kStamps; i++)
        end = bn_clock_ns();
    return static_cast<double>(end - begin) / kStamps;
}

// The lower quartile leaves out most disturbances by other programs on this machine.
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

void time_way(bn_operation operation, const bn_call& call, int cell, Sheet* sheet)
{
    bn_team* team = &bn_context.team;
    Stamps* stamps = &sheet->stamps[team->rank];
    bn_plans_force(team, operation, sheet->cells[cell].entry->name);
    bool has_values = bn_operation_flow(operation).has_values;
    for (int i = 0; i < kTimed; i++) {
        use_data(operation, call, i);
        bn_team_barrier(team);
        stamps->called[i] = bn_clock_ns();
        if (has_values)
            bn_operation_enter(team, call.in);
        bn_operation_run(team, operation, &call);
        if (has_values)
            bn_operation_leave(team, call.out);
        stamps->returned[i] = bn_clock_ns();
    }
    bn_plans_force(team, operation, nullptr);
    bn_team_barrier(team);
    if (team->rank == 0)
        sheet->cells[cell].ns = lower_quarter_of(*sheet, team->size);
    bn_team_barrier(team);
}

bool can_carry(const bn_entry& entry, bn_operation operation, size_t nbytes)
{
    const bn_team* team = &bn_context.team;
    size_t limit = bn_entry_limit(&entry, team);
    return bn_entry_is_there(&entry, team) && (limit == 0 || nbytes <= limit) &&
           bn_operation_bytes(operation, nbytes, team->size) <= kArrayBytes;
}

void time_ways(bn_operation operation, const bn_call& call, Sheet* sheet)
{
    bn_team* team = &bn_context.team;
    int count = 0;
    const bn_entry* entries = bn_registry(operation, &count);
    int first = sheet->count;
    bn_team_barrier(team);
    for (int i = 0; team->rank == 0 && i < count; i++) {
        if (can_carry(entries[i], operation, call.nbytes))
            sheet->cells[sheet->count++] = {call.nbytes, &entries[i], 0};
    }
    bn_team_barrier(team);
    for (int cell = first; cell < sheet->count; cell++)
        time_way(operation, call, cell, sheet);
}

void time_all(bn_operation operation, const Arrays& arrays, Sheet* sheet)
{
    EmptyReduction reduction;
    bn_call call = {};
    call.src = arrays.src.addr;
    call.dst = arrays.dst.addr;
    call.perm = arrays.perm.addr;
    call.fold = &reduction.fold;
    call.in = call.out = BN_SYNC_ALL;
    for (size_t nbytes : kBlocks) {
        call.nbytes = nbytes;
        time_ways(operation, call, sheet);
        if (!bn_operation_has_blocks(operation))
            return;
    }
}

Json cells_of(bn_operation operation, int thread_count, const Sheet& sheet)
{
    Json cells = Json::array();
    for (int i = 0; i < sheet.count; i++) {
        if (i == 0 || sheet.cells[i].nbytes != sheet.cells[i - 1].nbytes)
            cells.push_back({{"operation", bn_operation_name(operation)},
                             {"threads", thread_count},
                             {"bytes", sheet.cells[i].nbytes},
                             {"runs", Json::array()}});
        cells.back()["runs"].push_back({{"way", sheet.cells[i].entry->name}, {"ns", sheet.cells[i].ns}});
    }
    return cells;
}

// Keeps the minimum of two measurements of the same cells
void keep_least(const Json& again, Json* cells)
{
    for (size_t i = 0; i < again.size(); i++) {
        for (size_t run = 0; run < again[i]["runs"].size(); run++) {
            Json& ns = (*cells)[i]["runs"][run]["ns"];
            ns = std::min(ns.get<double>(), again[i]["runs"][run]["ns"].get<double>());
        }
    }
}

}  // namespace

bool Times::sweep(Neighbours* neighbours)
{
    int most_threads = *std::max_element(thread_counts_.begin(), thread_counts_.end());
    size_t sheet_bytes = sizeof(Sheet) + static_cast<size_t>(most_threads) * sizeof(Stamps);
    auto* sheet = static_cast<Sheet*>(share(sheet_bytes));
    bool is_run = sheet != nullptr;
    size_t place = 0;
    for (int i = 0; i < BN_UPC_OPERATION_COUNT; i++) {
        auto operation = static_cast<bn_operation>(i);
        for (int thread_count : thread_counts_) {
            if (!is_run)
                break;
            sheet->count = 0;
            is_run = neighbours->look() && run({thread_count, core_count_,
                                                [&](const Arrays& arrays) { time_all(operation, arrays, sheet); }});
            if (parts_.size() == place)
                parts_.emplace_back();
            parts_[place++].push_back({neighbours->now(), cells_of(operation, thread_count, *sheet)});
        }
    }
    if (sheet)
        unshare(sheet, sheet_bytes);
    return is_run && neighbours->look();
}

Json Times::result(const Neighbours& neighbours) const
{
    Json all = Json::array();
    for (const std::vector<Part>& sweeps : parts_) {
        Json cells;
        for (const Part& part : sweeps) {
            if (!neighbours.are_usual(part.look))
                continue;
            if (cells.is_null())
                cells = part.cells;
            else
                keep_least(part.cells, &cells);
        }
        const Json& first = sweeps.front().cells.front();
        if (cells.is_null())
            bn_log_warning("%s among %d threads is left out: the cores were never as near to each other as usual",
                           first["operation"].get<std::string>().c_str(), first["threads"].get<int>());
        for (const Json& cell : cells)
            all.push_back(cell);
    }
    return {{"stamp_ns", stamp_ns()}, {"cells", all}};
}

}  // namespace bn::tune
