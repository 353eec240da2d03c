#include "sim/description.h"

#include "base/parse.h"
#include "file_text.h"
#include "root_folder.h"
#include "sim/network.h"
#include "sim/platform.h"
#include "sim/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

namespace bn::sim {

namespace {

using Words = std::vector<std::string>;

// An error in a line of a description
struct Mistake {
    std::string text;
};

// The limit holds for any unit; larger numbers would become infinite some steps later.
double number_of(const std::string& text, const char** end)
{
    constexpr double kMost = 1e12;
    double value = 0;
    bool is_number = !text.empty() && (text[0] == '.' || (text[0] >= '0' && text[0] <= '9'));
    auto [behind, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (!is_number || error != std::errc() || value > kMost)
        throw Mistake{"\"" + text + "\" does not begin with a number, or with too large a number"};
    *end = behind;
    return value;
}

double duration_of(const std::string& text)
{
    const char* unit = nullptr;
    double value = number_of(text, &unit);
    static constexpr struct {
        const char* name;
        double ns;
    } kUnits[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    for (const auto& row : kUnits) {
        if (std::string(unit) == row.name)
            return value * row.ns;
    }
    throw Mistake{"\"" + text + "\" is not a time, such as 80ns, 1.5us, 2ms"};
}

// Bytes per second, as "12G", "1.25G"; powers of ten, as for network products
double bandwidth_of(const std::string& text)
{
    const char* unit = nullptr;
    double value = number_of(text, &unit);
    double bytes = std::string(unit) == "G" ? value : std::string(unit) == "M" ? value * 1e-3 : 0;
    if (bytes < 1e-9)
        throw Mistake{"\"" + text + "\" is not a bandwidth in bytes per second, such as 12G or 800M"};
    return bytes;
}

double size_of(const std::string& text)
{
    uint64_t bytes = 0;
    if (!bn_parse_bytes(text.c_str(), 1, &bytes) || bytes == 0)
        throw Mistake{"\"" + text + "\" is not a number of bytes"};
    return static_cast<double>(bytes);
}

int count_of(const std::string& text)
{
    int64_t value = 0;
    if (!bn_parse_int(text.c_str(), &value) || value < 1 || value > 1 << 20)
        throw Mistake{"\"" + text + "\" is not a number from 1 to 1048576"};
    return static_cast<int>(value);
}

std::vector<int> lengths_of(const std::string& text, size_t least, size_t most)
{
    std::vector<int> lengths;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, 'x');)
        lengths.push_back(count_of(part));
    if (text.ends_with('x') || lengths.size() < least || lengths.size() > most)
        throw Mistake{"\"" + text + "\" has too few or too many numbers for this network; write, for example, 8x8x8"};
    return lengths;
}

// A million nodes need fewer links in any topology that is built, and the model takes memory for each one.
void refuse_vast(const Network& network, const std::string& text)
{
    constexpr double kMost = 1 << 24;
    Extent extent = extent_of(network);
    if (std::max(extent.nodes, extent.links) > kMost)
        throw Mistake{"\"" + text + "\" has more than 16777216 nodes or links; use smaller numbers"};
}

int distance_named(const std::string& name)
{
    if (name == "self")
        return kSelf;
    for (int level = 0; level <= BN_LEVEL_NODE; level++) {
        if (name == bn_level_name(static_cast<bn_level>(level)))
            return distance_of(static_cast<bn_level>(level));
    }
    throw Mistake{"\"" + name + "\" is not a distance; there are self, core, cache, die, numa, socket, board, node"};
}

// The two sides of "name=value"
std::pair<std::string, std::string> sides_of(const std::string& word)
{
    size_t place = word.find('=');
    if (place == std::string::npos || place == 0)
        throw Mistake{"\"" + word + "\" is not of the form NAME=VALUE"};
    return {word.substr(0, place), word.substr(place + 1)};
}

struct Field {
    const char* name;
    double Parameters::* value;
    double (*parse)(const std::string&);
};

void read_fields(const Words& words, const std::vector<Field>& fields, Parameters* parameters)
{
    for (size_t i = 1; i < words.size(); i++) {
        const std::pair<std::string, std::string> sides = sides_of(words[i]);
        auto is_named = [&](const Field& each) { return sides.first == each.name; };
        auto field = std::find_if(fields.begin(), fields.end(), is_named);
        if (field == fields.end())
            throw Mistake{"\"" + words[0] + "\" has no " + sides.first};
        parameters->*field->value = field->parse(sides.second);
    }
}

std::shared_ptr<Platform> open_platform(const std::string& file)
{
    std::string why;
    std::shared_ptr<Platform> platform = Platform::open(file, &why);
    return platform ? platform : throw Mistake{why};
}

// `folder`: the folder that the file of a platform is relative to
void read_network(const Words& words, const std::filesystem::path& folder, Network* network)
{
    const std::string kind = words.size() > 1 ? words[1] : "";
    bool has_sizes = words.size() == 3;
    *network = {};
    if (kind == "flat" && words.size() == 2)
        return;
    if (kind == "platform" && has_sizes) {
        network->kind = Net::kPlatform;
        network->platform = open_platform(folder / words[2]);
        return;
    }
    if (kind == "tree" && has_sizes)
        *network = {Net::kTree, {count_of(words[2])}};
    else if (kind == "torus" && has_sizes)
        *network = {Net::kTorus, lengths_of(words[2], 1, 6)};
    else if (kind == "dragonfly" && has_sizes)
        *network = {Net::kDragonfly, lengths_of(words[2], 3, 3)};
    else
        throw Mistake{"a network is flat, tree NODES, torus AxBxC, dragonfly GROUPSxROUTERSxNODES or platform FILE"};
    if (kind != "tree")
        refuse_vast(*network, words[2]);
}

// Which distances a file gives values for
struct Given {
    std::array<bool, kDistances> lines{};
    std::array<std::array<bool, kDistances>, kTargets> copies{}, brought{};
    int of_links = 0;  // the last line of the file that gives values for links
    std::set<std::string> names;
};

// What a line gives: its keyword, the keyword and the distance of times, or the keyword and the name of each value
std::vector<std::string> names_of(const Words& words)
{
    const std::string& what = words[0];
    if (what == "copy" || what == "bring") {
        bool has_target = words.size() > 2 && words[2].starts_with("to=");
        return {what + (words.size() > 1 ? " " + words[1] : "") + (has_target ? " " + words[2] : "")};
    }
    if (what != "nic" && what != "link" && what != "memory" && what != "line" && what != "between")
        return {what};
    std::vector<std::string> names;
    for (size_t i = 1; i < words.size(); i++)
        names.push_back(what + " " + words[i].substr(0, words[i].find('=')));
    return names;
}

void refuse_repeated(const Words& words, Given* given)
{
    for (const std::string& name : names_of(words)) {
        if (!given->names.insert(name).second)
            throw Mistake{"\"" + name + "\" is given twice"};
    }
}

// From the first words after the distance.  By default, memory that `bring` writes to was written by the other thread.
Target target_of(const Words& words, bool is_copy)
{
    if (words.size() < 3 || !words[2].starts_with("to="))
        return is_copy ? kTargetOwn : kTargetWritten;
    if (words[2] == "to=read")
        return kTargetRead;
    return words[2] == "to=written" ? kTargetWritten
                                    : throw Mistake{"\"" + words[2] + "\" is neither to=read nor to=written"};
}

void read_copy(const Words& words, Parameters* parameters, Given* given)
{
    bool is_copy = words[0] == "copy";
    Target target = target_of(words, is_copy);
    size_t first = words.size() > 2 && words[2].starts_with("to=") ? 3 : 2;
    if (words.size() <= first)
        throw Mistake{words[0] + " takes a distance and BYTES=TIME"};
    CopyTimes times;
    for (size_t i = first; i < words.size(); i++) {
        auto [bytes, time] = sides_of(words[i]);
        times.points.push_back({size_of(bytes), duration_of(time)});
        if (times.points.back().ns <= 0)
            throw Mistake{"\"" + words[i] + "\": the time must be above 0"};
    }
    auto is_less = [](const CopyTimes::Point& a, const CopyTimes::Point& b) { return a.bytes < b.bytes; };
    std::sort(times.points.begin(), times.points.end(), is_less);
    for (size_t i = 1; i < times.points.size(); i++) {
        if (times.points[i].bytes == times.points[i - 1].bytes)
            throw Mistake{words[0] + " has two times for the same size"};
    }
    auto distance = static_cast<size_t>(distance_named(words[1]));
    (is_copy ? parameters->copies : parameters->brought)[target][distance] = times;
    (is_copy ? given->copies : given->brought)[target][distance] = true;
    parameters->knows_targets = parameters->knows_targets || first == 3;
}

void read_held(const Words& words, Parameters* parameters)
{
    parameters->held.clear();
    for (size_t i = 1; i < words.size(); i++) {
        auto [bytes, part] = sides_of(words[i]);
        const char* unit = nullptr;
        double percent = number_of(part, &unit);
        if (std::string(unit) != "%" || percent > 100)
            throw Mistake{"\"" + part + "\" is not a percentage, such as 60%"};
        parameters->held.push_back({size_of(bytes), percent / 100});
    }
    if (parameters->held.empty())
        throw Mistake{"held takes BYTES=PART"};
    std::sort(parameters->held.begin(), parameters->held.end(),
              [](const HeldPoint& a, const HeldPoint& b) { return a.bytes < b.bytes; });
}

void read_between(const Words& words, Parameters* parameters)
{
    for (size_t i = 1; i < words.size(); i++) {
        auto [name, value] = sides_of(words[i]);
        int distance = distance_named(name);
        if (distance == kSelf || distance == distance_of(BN_LEVEL_NODE))
            throw Mistake{"between " + name +
                          ": the parts are core, cache, die, numa, socket, board; for nodes use nic"};
        parameters->between_bytes_per_ns[static_cast<size_t>(distance)] = bandwidth_of(value);
    }
}

void read_line(const Words& words, const std::string& rest, const std::filesystem::path& folder,
               Description* description, Given* given)
{
    Parameters* parameters = &description->parameters;
    const std::string& what = words[0];
    auto only_value = [&]() -> const std::string& {
        if (words.size() != 2)
            throw Mistake{what + " takes one value"};
        return words[1];
    };
    if (what == "node") {
        if (rest.empty())
            throw Mistake{"node takes a description, or a file of lstopo"};
        description->node = rest;
    } else if (what == "nodes") {
        description->node_count = count_of(only_value());
    } else if (what == "network") {
        read_network(words, folder, &description->network);
    } else if (what == "nic") {
        read_fields(words,
                    {{"latency", &Parameters::nic_latency_ns, duration_of},
                     {"overhead", &Parameters::nic_overhead_ns, duration_of},
                     {"gap", &Parameters::nic_gap_ns, duration_of},
                     {"bandwidth", &Parameters::nic_bytes_per_ns, bandwidth_of}},
                    parameters);
    } else if (what == "link") {
        read_fields(
            words,
            {{"hop", &Parameters::hop_ns, duration_of}, {"bandwidth", &Parameters::link_bytes_per_ns, bandwidth_of}},
            parameters);
    } else if (what == "memory") {
        read_fields(words,
                    {{"bandwidth", &Parameters::memory_bytes_per_ns, bandwidth_of},
                     {"cached", &Parameters::cached_bytes_per_ns, bandwidth_of},
                     {"fits", &Parameters::fits_bytes, size_of}},
                    parameters);
    } else if (what == "line") {
        for (size_t i = 1; i < words.size(); i++) {
            auto [name, value] = sides_of(words[i]);
            auto distance = static_cast<size_t>(distance_named(name));
            parameters->line_ns[distance] = duration_of(value);
            given->lines[distance] = true;
        }
    } else if (what == "copy" || what == "bring") {
        read_copy(words, parameters, given);
    } else if (what == "between") {
        read_between(words, parameters);
    } else if (what == "held") {
        read_held(words, parameters);
    } else if (what == "turn") {
        parameters->turn_ns = duration_of(only_value());
    } else if (what == "switch") {
        parameters->switch_ns = duration_of(only_value());
    } else if (what == "call") {
        parameters->call_ns = duration_of(only_value());
    } else {
        throw Mistake{
            "\"" + what +
            "\" is not a keyword of machine descriptions; there are node, nodes, network, nic, link, line, turn, copy, "
            "bring, memory, between, held, switch, call"};
    }
}

// Defaults where nothing has been measured: a typical node with several sockets of a cluster of 2020
void set_defaults(Parameters* parameters)
{
    static constexpr double kLines[kDistances] = {10, 20, 60, 70, 80, 110, 130, 150};
    static constexpr double kSlower[kDistances] = {0.6, 0.8, 1, 1, 1.05, 1.3, 1.5, 1.6};
    static constexpr CopyTimes::Point kCopy[] = {{64, 20},      {1024, 80},       {4096, 350},      {16384, 2000},
                                                 {65536, 6000}, {1048576, 80000}, {4194304, 420000}};
    for (size_t i = 0; i < kDistances; i++) {
        parameters->line_ns[i] = kLines[i];
        for (const CopyTimes::Point& point : kCopy)
            parameters->copies[kTargetOwn][i].points.push_back({point.bytes, point.ns * kSlower[i]});
    }
}

// Missing distances are as the next nearer one that is given, or else as `fallback`.
void fill_distances(const std::array<bool, kDistances>& given, const std::array<CopyTimes, kDistances>& fallback,
                    std::array<CopyTimes, kDistances>* times)
{
    bool has_one = false;
    for (size_t i = 0; i < kDistances; i++) {
        if (!given[i])
            (*times)[i] = has_one ? (*times)[i - 1] : fallback[i];
        has_one = has_one || given[i];
    }
}

// Missing distances are as the next nearer one that is given; `bring` defaults to `copy`, and each target to the
// default target.
void fill_gaps(const Given& given, Parameters* parameters)
{
    for (size_t i = 1; i < kDistances; i++) {
        bool has_nearer = std::find(given.lines.begin(), given.lines.begin() + i, true) != given.lines.begin() + i;
        if (has_nearer && !given.lines[i])
            parameters->line_ns[i] = parameters->line_ns[i - 1];
    }
    CopyTable& copies = parameters->copies;
    CopyTable& brought = parameters->brought;
    const std::array<CopyTimes, kDistances> usual = copies[kTargetOwn];
    fill_distances(given.copies[kTargetOwn], usual, &copies[kTargetOwn]);
    for (Target target : {kTargetRead, kTargetWritten})
        fill_distances(given.copies[target], copies[kTargetOwn], &copies[target]);
    fill_distances(given.brought[kTargetWritten], copies[kTargetOwn], &brought[kTargetWritten]);
    for (Target target : {kTargetRead, kTargetOwn})
        fill_distances(given.brought[target], brought[kTargetWritten], &brought[target]);
}

bool says_what_links_do(const Words& words)
{
    auto is_of_link = [](const std::string& word) {
        return word.starts_with("latency=") || word.starts_with("bandwidth=");
    };
    return words[0] == "link" || (words[0] == "nic" && std::any_of(words.begin(), words.end(), is_of_link));
}

bool read_lines(const std::string& path, const std::string& lines, Description* description)
{
    std::istringstream stream(lines);
    Given given;
    int number = 0;
    try {
        for (std::string line; std::getline(stream, line);) {
            number++;
            line = line.substr(0, line.find('#'));
            std::istringstream parts(line);
            Words words;
            for (std::string word; parts >> word;)
                words.push_back(word);
            if (words.empty())
                continue;
            size_t begin = line.find(words[0]) + words[0].size();
            size_t first = line.find_first_not_of(" \t", begin);
            size_t last = line.find_last_not_of(" \t\r");
            read_line(words, first == std::string::npos ? "" : line.substr(first, last - first + 1),
                      std::filesystem::path(path).parent_path(), description, &given);
            refuse_repeated(words, &given);
            if (says_what_links_do(words))
                given.of_links = number;
            if (words[0] == "node")
                description->node_at = path + ":" + std::to_string(number);
        }
        if (description->network.kind == Net::kPlatform && given.of_links > 0) {
            number = given.of_links;
            throw Mistake{"latency and bandwidth of links come from the platform file; remove them here (nic may have "
                          "overhead and gap)"};
        }
    } catch (const Mistake& mistake) {
        return complain(path + ":" + std::to_string(number) + ": " + mistake.text);
    }
    fill_gaps(given, &description->parameters);
    return true;
}

std::filesystem::path known_machines()
{
    return root_folder() / "share/banyan/machines";
}

// The file that `text` means, by its path or by the name of a known machine; empty if there is none
std::string file_of(const std::string& text)
{
    std::error_code error;
    if (std::filesystem::is_regular_file(text, error))
        return text;
    std::filesystem::path known = known_machines() / text;
    return known.parent_path() == known_machines() && std::filesystem::is_regular_file(known, error) ? known : "";
}

}  // namespace

double CopyTimes::ns_of(double bytes) const
{
    if (points.empty() || bytes <= 0)
        return 0;
    if (bytes <= points.front().bytes)
        return points.front().ns;
    if (bytes >= points.back().bytes)
        return points.back().ns * bytes / points.back().bytes;
    size_t place = 1;
    while (points[place].bytes < bytes)
        place++;
    const Point& before = points[place - 1];
    const Point& behind = points[place];
    double share = std::log(bytes / before.bytes) / std::log(behind.bytes / before.bytes);
    return before.ns * std::pow(behind.ns / before.ns, share);
}

double Parameters::part_held(double bytes) const
{
    HeldPoint before = {0, 1};
    for (const HeldPoint& point : held) {
        if (bytes < point.bytes)
            return before.part + (point.part - before.part) * (bytes - before.bytes) / (point.bytes - before.bytes);
        before = point;
    }
    return before.part;
}

std::string known_machine_names()
{
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(known_machines(), error))
        names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

bool take_platform(const std::string& file, Description* description)
{
    try {
        description->network = {Net::kPlatform, {}, open_platform(file)};
    } catch (const Mistake& mistake) {
        return complain(mistake.text);
    }
    return true;
}

bool read_description(const std::string& text, Description* description)
{
    *description = {};
    description->origin = text.empty() ? "this machine" : text;
    set_defaults(&description->parameters);
    fill_gaps({}, &description->parameters);
    if (text.empty())
        return true;
    std::string file = file_of(text);
    if (file.empty()) {
        description->node = text;
        return true;
    }
    std::optional<std::string> lines = file_text(file);
    if (!lines)
        return complain(file + " cannot be read");
    size_t first = lines->find_first_not_of(" \t\r\n");
    if (first != std::string::npos && (*lines)[first] == '<') {
        description->node = file;
        return true;
    }
    return read_lines(file, *lines, description);
}

}  // namespace bn::sim
