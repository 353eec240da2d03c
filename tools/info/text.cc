#include "info/text.h"

#include "info/reach.h"
#include "info/shape.h"
#include "info/words.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace bn::info {

using Json = nlohmann::ordered_json;

namespace {

// "24.0 GiB": rounded, for display
std::string size_text(uint64_t bytes)
{
    static constexpr std::array units = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double value = static_cast<double>(bytes);
    size_t unit = 0;
    while (value >= 1024 && unit + 1 < units.size()) {
        value /= 1024;
        ++unit;
    }
    char text[32];
    bool is_whole = value == static_cast<double>(static_cast<uint64_t>(value));
    std::snprintf(text, sizeof text, is_whole ? "%.0f %s" : "%.1f %s", value, units[unit]);
    return text;
}

std::string known_size_text(const Json& bytes, const std::string& unknown)
{
    return bytes.is_null() ? unknown : size_text(bytes.get<uint64_t>());
}

std::string row(const std::string& name, const std::string& value)
{
    std::string line = "  " + name;
    line.resize(line.size() < 18 ? 18 : line.size() + 1, ' ');
    return line + value + "\n";
}

std::string quota_text(const Json& usable)
{
    if (usable["quota"].is_null())
        return "";
    char text[80];
    std::snprintf(text, sizeof text, ", of whose time the control group grants %g", usable["quota"].get<double>());
    return text;
}

std::string usable_text(const Json& usable)
{
    return row("usable", counted(usable["cores"].get<int>(), "core") + ": processors " +
                             usable["processors"].get<std::string>() + quota_text(usable)) +
           row("free memory", known_size_text(usable["memory_bytes"], "unknown") + " for this process");
}

// "      2 memory regions, 24 GiB each"
std::string structure_line(const Json& part)
{
    int count = part["count"].get<int>();
    auto bytes = part["bytes"].get<uint64_t>();
    std::string text(4 + 2 * part["depth"].get<size_t>(), ' ');
    text += part["depth"] == 0 ? part["what"].get<std::string>() : counted(count, part["what"].get<std::string>());
    if (bytes > 0)
        text += ", " + size_text(bytes) + (count > 1 ? " each" : "");
    return text + "\n";
}

// "0-3 | 4-7 | ...": the groups of one level
std::string groups_text(const Json& groups)
{
    constexpr size_t kGroupsMax = 12;
    std::string text;
    for (size_t i = 0; i < groups.size() && i < kGroupsMax; ++i)
        text += (i > 0 ? " | " : "") + ranges_text(groups[i].get<std::vector<int>>());
    if (groups.size() > kGroupsMax)
        text += " | ... (" + std::to_string(groups.size()) + " groups)";
    return text;
}

std::string hierarchy_text(const Json& hierarchy)
{
    std::string text = hierarchy.empty() ? "" : row("hierarchy", "threads that share a");
    for (const Json& level : hierarchy) {
        std::string names;
        for (const Json& name : level["levels"])
            names += (names.empty() ? "" : ", ") + name.get<std::string>();
        text += "    " + names + ": " + groups_text(level["groups"]) + "\n";
    }
    return text;
}

std::string mpi_text(const Json& mpi)
{
    std::string text;
    for (const Json& abi : mpi) {
        text += (text.empty() ? "" : "; ") + abi["name"].get<std::string>();
        if (!abi["is_built"].get<bool>())
            text += ": not built in, needs " + abi["missing"].get<std::string>();
    }
    return row("MPI", text);
}

std::string simgrid_text(const Json& simgrid)
{
    return simgrid["is_built"].get<bool>() ? "banyan-sim --fluid"
                                           : "not built in, needs " + simgrid["missing"].get<std::string>();
}

}  // namespace

std::string build_text(const Json& facts)
{
    char window[80];
    std::snprintf(window, sizeof window, "0x%llx, %s for each thread",
                  static_cast<unsigned long long>(facts["window_base"].get<uint64_t>()),
                  size_text(facts["segment_bytes"].get<uint64_t>()).c_str());
    return "Banyan " + facts["version"].get<std::string>() + "\n" +
           row("compiled by", facts["compiler"].get<std::string>() + ", " + facts["build_type"].get<std::string>()) +
           row("network", facts["network"].get<std::string>() + " (threads share the memory of one machine)") +
           mpi_text(facts["mpi"]) + row("SimGrid", simgrid_text(facts["simgrid"])) + row("window", window) +
           row("limits", counted(facts["threads_max"].get<int>(), "thread") + ", heaps of " +
                             size_text(facts["heap_max_bytes"].get<uint64_t>()));
}

std::string machine_text(const Json& facts)
{
    std::string text = "Machine\n";
    if (facts.contains("packages")) {
        if (!facts["processor"].get<std::string>().empty())
            text += row("processor", facts["processor"].get<std::string>());
        text += row("parts", counted(facts["packages"].get<int>(), "package") + ", " +
                                 counted(facts["cores"].get<int>(), "core") + ", " +
                                 counted(facts["processing_units"].get<int>(), "processing unit"));
        for (const Json& cache : facts["caches"])
            text += row(cache["level"].get<std::string>() + " cache",
                        std::to_string(cache["count"].get<int>()) + " x " + size_text(cache["bytes"].get<uint64_t>()));
        for (const Json& region : facts["regions"])
            text += row("memory region " + std::to_string(region["numa"].get<int>()),
                        size_text(region["bytes"].get<uint64_t>()) + ", processors " +
                            region["processors"].get<std::string>());
    }
    if (facts.contains("usable"))
        text += usable_text(facts["usable"]);
    if (facts.contains("private_memory"))
        text += row("private memory", reach_text(facts["private_memory"]));
    text += "  structure\n";
    for (const Json& part : facts["structure"])
        text += structure_line(part);
    return text;
}

std::string job_text(const Json& facts)
{
    const Json& binding = facts["binding"];
    const Json& heap = facts["heap"];
    std::string text = "A job started now\n";
    text += row("threads", facts["threads"].dump() + ": " + facts["why"].get<std::string>());
    text += row("binding", binding["kind"].get<std::string>() + ": " + binding["why"].get<std::string>());
    for (const Json& thread : binding["threads"]) {
        if (thread.contains("numa"))
            text += row("  thread " + thread["thread"].dump(), "processors " + thread["processors"].get<std::string>() +
                                                                   ", memory region " + thread["numa"].dump());
    }
    text += hierarchy_text(facts["hierarchy"]);
    text += row("shared heap", "up to " + known_size_text(heap["limit_bytes"], "an unknown size") + " per thread, " +
                                   heap["grows"].get<std::string>() + ": " + heap["why"].get<std::string>());
    const Json& pages = facts["huge_pages"];
    std::string of = pages.contains("of") ? " for " + pages["of"].get<std::string>() : "";
    return text + row("huge pages", pages["way"].get<std::string>() + of + ": " + pages["why"].get<std::string>());
}

std::string option_text(const Json& facts)
{
    std::string text = "Options\n";
    for (const Json& option : facts) {
        std::string names = option["name"].get<std::string>();
        for (const char* key : {"alias", "second_alias"}) {
            if (option.contains(key))
                names += " or " + option[key].get<std::string>();
        }
        if (option.contains("switch"))
            names += ", upcrun " + option["switch"].get<std::string>();
        text += "  " + names + "\n      " + option["help"].get<std::string>();
        if (option.contains("choices"))
            text += " (" + option["choices"].get<std::string>() + ")";
        text += "\n      now: " + option["value"].get<std::string>();
        if (option["from"] != "default")
            text += "   from " + option["from"].get<std::string>();
        text += "\n";
    }
    return text;
}

}  // namespace bn::info
