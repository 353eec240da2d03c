// What the stages of all precisions share: recording a piece of work, groups of siblings, and operation counts
//
// BSD-3-Clause, the Banyan authors.
#include "stages.h"

#include "counters.h"

#include <algorithm>
#include <ctime>
#include <omp.h>
#include <optional>

namespace fmm {
namespace {

double thread_seconds()
{
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

} // namespace

void Stages::run(fmm_stage stage, long begin, long end, int thread)
{
    Record &record = records[at(thread)];
    std::int64_t counts[2][FMM_COUNTERS];
    thread_local std::optional<Counters> counters;
    if (counting) {
        if (!counters)
            counters.emplace();
        counters->read(counts[0]);
    }
    double processor = tracing ? thread_seconds() : 0, before = omp_get_wtime();
    work(stage, begin, end, thread);
    double seconds = omp_get_wtime() - before;
    record.seconds[stage] += seconds;
    record.calls[stage]++;
    if (counting) {
        counters->read(counts[1]);
        for (int c = 0; c < FMM_COUNTERS; c++)
            record.counts[stage][c] += static_cast<double>(counts[1][c] - counts[0][c]);
    }
    if (!tracing)
        return;
    processor = thread_seconds() - processor;
    record.processor[stage] += processor;
    record.caught.in([&] {
        record.pieces.push_back({before, seconds, processor, stage, static_cast<std::int32_t>(begin),
                                 static_cast<std::int32_t>(end - begin)});
    });
}

void Stages::find_groups()
{
    group_of.assign(tree.cells.size(), -1);
    for (int level = 0; level < tree.levels(); level++) {
        group_first.push_back(static_cast<std::int32_t>(groups.size()));
        for (long c = tree.level_first[at(level)]; c < tree.level_first[at(level) + 1] && level > 0; c++) {
            if (tree.cells[at(c)].leaf)
                continue;
            for (int n = 0; n < NEIGHBOURS; n++) {
                std::int32_t colleague = tree.colleagues[at(c)][at(n)];
                if (n == NEIGHBOURS / 2 || colleague < 0 || tree.cells[at(colleague)].leaf)
                    continue;
                group_of[at(c)] = static_cast<std::int32_t>(groups.size());
                groups.push_back({static_cast<std::int32_t>(c), {}});
                break;
            }
        }
    }
    group_first.push_back(static_cast<std::int32_t>(groups.size()));
    for (Group &group : groups) {
        for (int direction = 0, n = 0; n < NEIGHBOURS; n++) {
            if (n == NEIGHBOURS / 2)
                continue;
            std::int32_t colleague = tree.colleagues[at(group.cell)][at(n)];
            group.sources[direction++] = colleague < 0 ? -1 : group_of[at(colleague)];
        }
    }
}

void Stages::count_work()
{
    for (std::int32_t leaf : tree.leaves) {
        long sources = 0;
        for (const std::int32_t *u = tree.u.begin(leaf); u != tree.u.end(leaf); u++)
            sources += tree.cells[at(*u)].count;
        most_sources = std::max(most_sources, sources);
        pairs += static_cast<double>(sources) * tree.cells[at(leaf)].count;
    }
    for (const Group &group : groups) {
        v_products += static_cast<double>(26 - std::count(group.sources, group.sources + 26, -1));
    }
}

} // namespace fmm
