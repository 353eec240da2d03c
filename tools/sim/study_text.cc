#include "sim/study.h"

#include "sim/platform.h"
#include "sim/text.h"

#include <algorithm>

namespace bn::sim {

namespace {

std::string network_text(const Description& description)
{
    if (description.network.kind == Net::kPlatform)
        return "the platform " + description.network.platform->file();
    static constexpr const char* kNames[] = {"a network without bottlenecks", "a tree of switches", "a torus",
                                             "a dragonfly"};
    std::string text = kNames[static_cast<size_t>(description.network.kind)];
    for (size_t i = 0; i < description.network.sizes.size(); i++)
        text += (i == 0 ? " of " : " x ") + std::to_string(description.network.sizes[i]);
    return text;
}

// "broadcast of 64 KiB among 1,024 threads"
std::string title_of(const Study& study, const Cell& cell)
{
    std::string text = bn_operation_name(study.operation);
    if (bn_operation_has_blocks(study.operation))
        text += " of " + bytes_text(static_cast<double>(cell.nbytes));
    return text + " among " + count_text(static_cast<uint64_t>(cell.thread_count), "thread");
}

std::string where_text(const Study& study, const Cell& cell)
{
    std::string text = "on " + count_text(static_cast<uint64_t>(cell.node_count), "node") + " of " +
                       count_text(static_cast<uint64_t>(cell.pus_of_node), "processing unit");
    if (cell.node_count > 1)
        text += ", at " + network_text(study.description);
    text += " (" + study.description.origin + "), placed by " + study.order;
    if (cell.is_crowded)
        text += "; threads share cores";
    return text;
}

std::string levels_text(const Outcome& outcome)
{
    const std::string head = "\n  " + left("both ends share", 18) + right("copies", 14) + right("bytes", 12) +
                             right("flags heard", 16) + "\n";
    std::string text;
    for (size_t level = 0; level < kLevels; level++) {
        const Traffic& traffic = outcome.copies[level];
        if (traffic.messages == 0 && outcome.signals[level] == 0)
            continue;
        const char* name = level == BN_LEVEL_CORE      ? "the core"
                           : level == BN_LEVEL_CLUSTER ? "the cluster"
                                                       : bn_level_name(static_cast<bn_level>(level));
        text += "  " + left(name, 18) + right(with_commas(traffic.messages), 14) +
                right(bytes_text(traffic.bytes), 12) + right(with_commas(outcome.signals[level]), 16) + "\n";
    }
    return text.empty() ? "" : head + text;
}

std::string row(const char* name, const std::string& value)
{
    return "  " + left(name, 18) + value + "\n";
}

std::string details_text(const Run& run)
{
    const Outcome& outcome = run.outcome;
    std::string text = row("way", std::string(run.way->name) + (run.is_usual ? "  (the usual one)" : ""));
    text += row("time", time_text(outcome.ns) + "; half of the threads are done after " + time_text(outcome.median_ns));
    if (outcome.busiest.busy_ns > 0) {
        int percent = static_cast<int>(100 * outcome.busiest.busy_ns / outcome.ns + 0.5);
        text += row("busiest", outcome.busiest.name + ": " + bytes_text(outcome.busiest.bytes) + ", busy for " +
                                   std::to_string(percent) + " % of the time");
    }
    const ControlMemory& memory = run.memory;
    text += row("control memory", with_commas(memory.shared) + " bytes a thread that others see, " +
                                      with_commas(memory.plans) + " of plans, " + with_commas(memory.trees) +
                                      " of trees, " + with_commas(memory.machine) + " of the hierarchy");
    text += row("simulated in", time_text(run.simulation_s * 1e9) +
                                    " of processor time: " + with_commas(outcome.step_count) + " steps");
    return text + levels_text(outcome);
}

std::string ranking_text(const Cell& cell)
{
    size_t width = 10;
    for (const Run& run : cell.runs)
        width = std::max(width, std::string(run.way->name).size());
    std::string text;
    for (const Run& run : cell.runs) {
        text += "  " + left(run.way->name, width);
        if (run.refusal) {
            text += "  " + *run.refusal + "\n";
            continue;
        }
        uint64_t messages = 0;
        double bytes = 0;
        for (size_t level = BN_LEVEL_SWITCH; level < kLevels; level++) {
            messages += run.outcome.copies[level].messages;
            bytes += run.outcome.copies[level].bytes;
        }
        text += right(time_text(run.outcome.ns), 12);
        if (cell.node_count > 1)
            text += right(with_commas(messages), 14) + left(messages == 1 ? " message" : " messages", 9) +
                    right(bytes_text(bytes), 12);
        text += run.is_usual ? "  usual\n" : "\n";
    }
    return text;
}

}  // namespace

std::string study_text(const Study& study)
{
    std::string text, where;
    for (const Cell& cell : study.cells) {
        std::string place = where_text(study, cell);
        text += (text.empty() ? "" : "\n") + title_of(study, cell);
        text += place == where ? "\n" : "\n" + place + "\n";
        where = place;
        text += cell.runs.size() == 1 ? details_text(cell.runs[0]) : ranking_text(cell);
    }
    return text;
}

}  // namespace bn::sim
