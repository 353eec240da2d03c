#include "info/facts.h"

#include "banyan/access.h"
#include "base/options.h"
#include "boot/bind.h"
#include "launcher/abi.h"
#include "pgas/segment.h"
#include "platform/cpus.h"
#include "platform/huge_pages.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace bn::info {

using Json = nlohmann::ordered_json;

namespace {

std::string format_set(const bn_pu_set& set)
{
    char text[BN_PU_SET_TEXT_BYTES];
    bn_pu_set_format(&set, text, sizeof text);
    return text;
}

const char* bind_name(bn_bind_choice choice)
{
    static const char* const names[] = {"auto", "none", "core", "numa"};
    return names[choice];
}

// Where each thread would run, and why.
Json binding_facts(const bn_options& options, int thread_count)
{
    auto wish = static_cast<bn_bind_choice>(options.values[BN_OPTION_BIND].number);
    int usable = bn_cpus_usable_count();
    bn_bind_choice choice = bn_bind_resolve(wish, usable, thread_count);
    auto machine = std::make_unique<bn_bind_machine>();
    bn_bind_machine_read("", machine.get());

    Json facts;
    facts["kind"] = bind_name(choice);
    if (wish != BN_BIND_AUTO)
        facts["why"] = std::string(options.values[BN_OPTION_BIND].source_name) + " asks for it";
    else if (choice == BN_BIND_CORE && thread_count > usable)
        facts["why"] = "all usable cores get as many threads";
    else if (choice == BN_BIND_CORE)
        facts["why"] = "there are enough usable cores for all threads";
    else if (thread_count == 1)
        facts["why"] = "one thread alone finds its place better by itself";
    else
        facts["why"] = "the threads cannot be dealt out evenly over the usable cores";
    facts["threads"] = Json::array();
    for (int thread = 0; thread < thread_count; ++thread) {
        bn_pu_set set;
        bn_bind_plan(machine.get(), choice, thread_count, thread, &set);
        int first = bn_pu_set_next(&set, 0);
        int numa = 0;
        for (int i = 0; i < machine->place_count; ++i) {
            if (machine->places[i].pu == first)
                numa = machine->places[i].numa;
        }
        Json row;
        row["thread"] = thread;
        row["processors"] = format_set(set);
        if (choice != BN_BIND_NONE)
            row["numa"] = numa;
        facts["threads"].push_back(row);
    }
    return facts;
}

Json heap_facts(const bn_options& options, int thread_count)
{
    const bn_option_value& wish = options.values[BN_OPTION_SHARED_HEAP];
    Json available = available_memory_facts();
    Json facts;
    facts["available_bytes"] = available;
    if (wish.source != BN_OPTION_FROM_DEFAULT) {
        facts["limit_bytes"] = wish.number;
        facts["why"] = std::string(wish.source_name) + " asks for it";
    } else {
        facts["limit_bytes"] =
            available.is_null() ? available : Json(available.get<uint64_t>() / static_cast<uint64_t>(thread_count));
        facts["why"] = "memory available to this process, shared by the threads, less static shared data";
    }
    facts["grows"] = "on demand";
    return facts;
}

// Whether large blocks are in huge pages, and why (not)
Json huge_page_facts(const bn_options& options)
{
    static constexpr const char* kWays[] = {"none", "on request", "on touch"};
    bn_huge_pages found = bn_huge_pages_read("");
    const bn_option_value& wish = options.values[BN_OPTION_HUGE_PAGES];
    if (wish.number == BN_HUGE_CHOICE_NO && found.way == BN_HUGE_ON_REQUEST)
        found = {BN_HUGE_NONE, "BANYAN_HUGE_PAGES=no"};
    Json facts;
    facts["way"] = kWays[found.way];
    facts["why"] = found.why;
    if (found.way != BN_HUGE_ON_REQUEST)
        return facts;
    facts["of"] =
        wish.number == BN_HUGE_CHOICE_ALL ? "blocks of 4 MiB and more, static data" : "blocks of 4 MiB and more";
    int error = bn_huge_pages_try();
    if (error != 0) {
        facts["way"] = "none";
        facts["why"] = std::string("the system refused one (MADV_COLLAPSE, Linux 6.1 or newer): ") + strerror(error);
    }
    return facts;
}

// The MPI libraries that libbanyan-mpi was built for, and what to install for the others
Json mpi_facts()
{
    const std::string built = "," BN_MPI_ABIS ",";
    Json facts = Json::array();
    for (const bn::launch::AbiFacts& abi : bn::launch::kAbis) {
        Json row;
        row["abi"] = abi.option;
        row["name"] = abi.name;
        row["is_built"] = built.find("," + std::string(abi.option) + ",") != std::string::npos;
        if (!row["is_built"].get<bool>())
            row["missing"] = abi.missing;
        facts.push_back(row);
    }
    return facts;
}

}  // namespace

Json build_facts()
{
    Json facts;
    facts["version"] = BN_VERSION;
    facts["compiler"] = BN_BUILD_COMPILER;
    facts["build_type"] = BN_BUILD_TYPE;
    facts["network"] = "smp";
    facts["mpi"] = mpi_facts();
    facts["simgrid"] = {{"is_built", BN_HAS_SIMGRID != 0}, {"missing", "libsimgrid-dev"}};
    facts["interface"] = static_cast<int>(BN_ABI);
    facts["window_base"] = BN_WINDOW_BASE;
    facts["segment_bytes"] = BN_SEGMENT_BYTES;
    facts["heap_max_bytes"] = BN_SEGMENT_HALF_BYTES;
    facts["threads_max"] = static_cast<int>(BN_THREAD_MAX);
    facts["pointer_to_shared_bytes"] = sizeof(bn_pts_t);
    return facts;
}

Json job_facts(const bn_options& options, int thread_count)
{
    const bn_option_value& wish = options.values[BN_OPTION_THREADS];
    Json facts;
    std::string why = "-n asks for it";
    if (thread_count == 0 && wish.source != BN_OPTION_FROM_DEFAULT) {
        thread_count = static_cast<int>(wish.number);
        why = std::string(wish.source_name) + " asks for it";
    } else if (thread_count == 0) {
        thread_count = bn_cpus_usable_count();
        why = "as many as there are usable cores";
    }
    facts["threads"] = thread_count;
    facts["why"] = why;
    facts["binding"] = binding_facts(options, thread_count);
    facts["hierarchy"] = hierarchy_facts(options, thread_count);
    facts["heap"] = heap_facts(options, thread_count);
    facts["huge_pages"] = huge_page_facts(options);
    return facts;
}

Json option_facts(const bn_options& options)
{
    Json list = Json::array();
    for (int id = 0; id < BN_OPTION_COUNT; ++id) {
        auto option_id = static_cast<bn_option_id>(id);
        const struct bn_option* option = bn_option_describe(option_id);
        const bn_option_value& value = options.values[id];
        if (option->is_internal)
            continue;
        char size_text[BN_OPTION_SIZE_BYTES];
        Json row;
        row["name"] = option->name;
        if (option->alias)
            row["alias"] = option->alias;
        if (option->second_alias)
            row["second_alias"] = option->second_alias;
        if (option->flag)
            row["switch"] = option->flag;
        if (option->choices)
            row["choices"] = option->choices;
        row["value"] = bn_option_text(&options, option_id, size_text);
        row["from"] = value.source == BN_OPTION_FROM_DEFAULT ? "default" : value.source_name;
        row["default"] = option->fallback_text;
        row["help"] = option->help;
        list.push_back(row);
    }
    return list;
}

}  // namespace bn::info
