// banyan-tune: measures the ways of all collectives on this machine and writes the resulting rules.

#include "base/draft.h"
#include "base/log.h"
#include "base/options.h"
#include "coll/registry.h"
#include "coll/table.h"
#include "command_line.h"
#include "date.h"
#include "json_text.h"
#include "platform/cpus.h"
#include "platform/signals.h"
#include "tune/calibrate.h"
#include "tune/interruption.h"
#include "tune/network.h"
#include "tune/rules.h"
#include "tune/sizes.h"
#include "tune/thread_counts.h"
#include "tune/times.h"
#include "usual_file.h"
#include "whole_file.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace {

using Json = nlohmann::ordered_json;
using bn::tune::Group;
using bn::tune::Plan;
using bn::tune::Sync;

constexpr int kSweepsLeast = 5, kSweepsMost = 24;
constexpr std::chrono::seconds kSweepsWithTimes(120);

struct Wishes {
    bool is_quick = false;
    bool starts_over = false;
    bool calibrates = false;
    std::string file;
    std::string times_file;
    std::vector<int> thread_counts;
    std::vector<std::string> hosts;
};

std::vector<Plan> make_plans(const Wishes& wishes, int core_count)
{
    std::vector<size_t> sizes = {8, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576};
    if (wishes.is_quick)
        sizes = {8, 64, 1024, 8192, 65536, 524288};
    std::vector<Plan> plans;
    for (int operation = 0; operation < BN_UPC_OPERATION_COUNT; operation++) {
        for (int thread_count : wishes.thread_counts) {
            int sync_count = operation == BN_BARRIER ? 1 : static_cast<int>(Sync::kCount);
            for (int sync = 0; sync < sync_count; sync++) {
                Plan plan = {static_cast<bn_operation>(operation),
                             static_cast<Sync>(sync),
                             thread_count,
                             core_count,
                             sizes,
                             wishes.is_quick ? 7 : 41,
                             wishes.is_quick ? 50.0 : 300.0,
                             0};
                plans.push_back(plan);
            }
        }
    }
    double all_us = wishes.is_quick ? 16e6 : 300e6;  // the rest is spent on starting jobs
    for (Plan& plan : plans)
        plan.size_us = all_us / static_cast<double>(plans.size() * sizes.size());
    return plans;
}

std::string machine_text()
{
    char machine[BN_TABLE_MACHINE_BYTES];
    bn_table_machine(machine, sizeof machine);
    return machine;
}

Json to_json(const Group& group)
{
    Json json;
    json["operation"] = bn_operation_name(group.plan.operation);
    json["sync"] = bn::tune::sync_name(group.plan.sync);
    json["threads"] = group.plan.thread_count;
    for (const bn::tune::Result& result : group.results)
        json["medians_us"].push_back({result.nbytes, result.entry, result.median_us});
    return json;
}

bool is_of_plan(const Json& json, const Plan& plan)
{
    return json.at("operation") == bn_operation_name(plan.operation) &&
           json.at("sync") == bn::tune::sync_name(plan.sync) && json.at("threads") == plan.thread_count;
}

// Takes over what an interrupted run has measured already.  Throws Json::exception if the file is something else.
bool find_done(const Json& part, const Plan& plan, Group* group)
{
    for (const Json& json : part.at("groups")) {
        if (!is_of_plan(json, plan))
            continue;
        group->plan = plan;
        for (const Json& row : json.at("medians_us")) {
            std::string way = row.at(1).get<std::string>();
            if (bn_registry_find(plan.operation, way.c_str()))
                group->results.push_back({row.at(0).get<size_t>(), way, row.at(2).get<double>()});
        }
        return !group->results.empty();
    }
    return false;
}

// The file that is kept next to the table until everything is measured
Json empty_part()
{
    return {{"machine", machine_text()}, {"version", BN_VERSION}, {"groups", Json::array()}};
}

// What an interrupted run has left, if it was on this machine with as many cores and of this version; reports it if
// not.
Json read_part(const std::string& file, const std::vector<Plan>& plans)
{
    Json empty = empty_part();
    std::error_code error;
    if (!std::filesystem::exists(file, error))
        return empty;
    try {
        const Json part = bn::json_of_file(file);
        for (const Plan& plan : plans) {
            Group group;
            find_done(part, plan, &group);
        }
        if (part.at("machine") == empty["machine"] && part.at("version") == empty["version"])
            return part;
    } catch (const Json::exception&) {
    }
    bn_log_warning("%s is of another version, machine or number of cores; everything is measured again", file.c_str());
    return empty;
}

bool complain_of(const std::string& file)
{
    bn_log_error("%s cannot be written: %s", file.c_str(), strerror(errno));
    return false;
}

// Checks this before minutes are spent on measurements; also makes the folder.  Reports a failure.
bool can_write(const std::string& file)
{
    std::error_code error;
    std::filesystem::path folder = std::filesystem::path(file).parent_path();
    if (!folder.empty())
        std::filesystem::create_directories(folder, error);
    return bn_draft_is_possible(file.c_str()) || complain_of(file);
}

// Whether a file that the user names is a table, empty, or not there yet; another one was named by mistake.
bool is_for_table(const std::string& file)
{
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error) || std::filesystem::is_empty(file, error))
        return true;
    const Json found = bn::json_of_file(file);
    if (found.is_object() && found.value("schema", Json()) == BN_TABLE_SCHEMA)
        return true;
    bn_log_error("%s exists and is not a table of rules; name another file", file.c_str());
    return false;
}

// Reports where the file is, or that it cannot be written.
bool write_result(const std::string& file, const std::string& text)
{
    if (!bn::write_whole_file(file, text))
        return complain_of(file);
    printf("%s\n", file.c_str());
    return true;
}

// So that an interrupted run can be resumed.  Warns once where that is impossible.
void keep(const Json& part, const std::string& file)
{
    static bool is_warned = false;
    if (bn::write_whole_file(file, bn::json_text(part) + "\n")) {
        bn::tune::say_when_interrupted(file);
    } else if (!is_warned) {
        bn_log_warning("%s cannot be written: %s; if this run is interrupted, the next one starts from the beginning",
                       file.c_str(), strerror(errno));
        is_warned = true;
    }
}

Json make_table(const std::vector<Group>& groups, const Json& sizes)
{
    Json table;
    table["schema"] = BN_TABLE_SCHEMA;
    table["machine"] = machine_text();
    table["date"] = bn::date_today();
    for (int operation = 0; operation < BN_UPC_OPERATION_COUNT; operation++) {
        bn_operation number = static_cast<bn_operation>(operation);
        table["rules"][bn_operation_name(number)] = bn::tune::rules_of(groups, number);
    }
    table["sizes"] = sizes;
    return table;
}

void show_progress(size_t done, size_t count, const Plan& plan)
{
    if (!isatty(STDERR_FILENO))
        return;
    fprintf(stderr, "\r\033[K%3zu of %zu: %s with %d threads, synchronising with %s", done, count,
            bn_operation_name(plan.operation), plan.thread_count, bn::tune::sync_name(plan.sync));
}

int tune(const Wishes& wishes)
{
    int core_count = bn_cpus_usable_count();
    std::vector<Plan> plans = make_plans(wishes, core_count);
    std::string partial = wishes.file + (wishes.is_quick ? ".quick-part" : ".part");
    Json part = wishes.starts_over ? empty_part() : read_part(partial, plans);
    std::vector<Group> groups;
    for (size_t i = 0; i < plans.size(); i++) {
        Group group;
        show_progress(i + 1, plans.size(), plans[i]);
        if (!find_done(part, plans[i], &group)) {
            group = {plans[i], bn::tune::measure(plans[i])};
            if (group.results.empty())
                return EXIT_FAILURE;
            part["groups"].push_back(to_json(group));
            keep(part, partial);
        }
        groups.push_back(group);
    }
    Json sizes = bn::tune::measure_sizes(core_count, wishes.is_quick);
    if (sizes.is_null())
        return EXIT_FAILURE;
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
    if (!write_result(wishes.file, bn::json_text(make_table(groups, sizes), 1) + "\n"))
        return EXIT_FAILURE;
    unlink(partial.c_str());
    return EXIT_SUCCESS;
}

int describe(const Wishes& wishes)
{
    std::string network;
    if (!wishes.hosts.empty()) {
        std::string folder = std::filesystem::path(wishes.file).parent_path().string();
        network = bn::tune::calibrate_network(wishes.hosts, folder.empty() ? "." : folder);
        if (network.empty())
            return EXIT_FAILURE;
    }
    int core_count = bn_cpus_usable_count();
    bool has_times = !wishes.times_file.empty();
    bn::tune::Calibration calibration;
    bn::tune::Times times(wishes.thread_counts, core_count);
    if (!calibration.look_at_machine())
        return EXIT_FAILURE;
    bn::tune::Neighbours neighbours(calibration.neighbours());
    auto begin = std::chrono::steady_clock::now();
    auto goes_on = [&](int done) {
        bool has_time_left = std::chrono::steady_clock::now() - begin < kSweepsWithTimes;
        return done < kSweepsLeast || (has_times && done < kSweepsMost && has_time_left);
    };
    for (int i = 0; goes_on(i); i++) {
        if (!neighbours.look() || !calibration.sweep(neighbours) || (has_times && !times.sweep(&neighbours)))
            return EXIT_FAILURE;
    }
    if (!neighbours.look() || !write_result(wishes.file, calibration.text(network, neighbours)))
        return EXIT_FAILURE;
    return !has_times || write_result(wishes.times_file, bn::json_text(times.result(neighbours)) + "\n") ? EXIT_SUCCESS
                                                                                                         : EXIT_FAILURE;
}

// Where programs look for a table, or banyan-sim for this machine's description; if there is no folder, here
std::string result_file(bool is_machine)
{
    const char* name = is_machine ? "machine" : "collectives.json";
    std::filesystem::path usual = bn::usual_file(name);
    return usual.empty() ? name : usual;
}

}  // namespace

int main(int argc, char** argv)
{
    bn::CommandLine line(
        "Measures all ways (algorithms) of the collective operations on this machine, and writes rules that "
        "programs then follow.  An interrupted run resumes where it stopped.");
    Wishes wishes;
    line.version("banyan-tune (Banyan) " BN_VERSION);
    line.flag("--quick", wishes.is_quick, "take 20 seconds instead of minutes");
    line.flag("--over", wishes.starts_over, "start over and ignore what an interrupted run has left");
    line.value("-o", wishes.file, "FILE", "write to FILE; by default to the file that programs look for");
    line.flag("--calibrate", wishes.calibrates,
              "instead, measure what banyan-sim has to know of this machine, in 10 seconds")
        .excludes("--quick")
        .excludes("--over");
    line.list("-n", wishes.thread_counts, "N", "numbers of threads, separated by commas").range(2, BN_THREAD_MAX);
    line.value("--times", wishes.times_file, "FILE",
               "for --calibrate: also measure all ways, and write their times to FILE, for comparison with banyan-sim")
        .needs("--calibrate");
    line.list("--hosts", wishes.hosts, "A,B,...",
              "for --calibrate: also measure the network from the first of these hosts to each of the others")
        .needs("--calibrate");
    if (std::optional<int> status = line.parse(argc, argv))
        return *status;
    if (wishes.hosts.size() == 1) {
        bn_log_error("--hosts takes two names or more: --hosts one,two");
        return 2;
    }
    bn_options options;
    if (bn_options_read(&options, environ) != BN_OK)
        return EXIT_FAILURE;
    bn_options_load(&options);
    bn_signals_expect_children();
    if (!wishes.file.empty() && !wishes.calibrates && !is_for_table(wishes.file))
        return EXIT_FAILURE;
    if (wishes.file.empty())
        wishes.file = result_file(wishes.calibrates);
    if (wishes.thread_counts.empty())
        wishes.thread_counts = bn::tune::default_thread_counts(bn_cpus_usable_count(), BN_THREAD_MAX);
    if (!can_write(wishes.file) || (!wishes.times_file.empty() && !can_write(wishes.times_file)))
        return EXIT_FAILURE;
    return wishes.calibrates ? describe(wishes) : tune(wishes);
}
