// banyan-info: what Banyan is, what the machine is, what a job started now would do, and why.

#include "base/log.h"
#include "base/options.h"
#include "command_line.h"
#include "info/explain.h"
#include "info/facts.h"
#include "info/memory.h"
#include "info/shape.h"
#include "info/text.h"
#include "json_text.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace {

using Json = nlohmann::ordered_json;

struct Wishes {
    int thread_count = 0;
    bool shows_build = false;
    bool shows_machine = false;
    bool shows_options = false;
    bool shows_memory = false;
    bool is_json = false;
    int node_count = 0;     // 0: not given
    std::string described;  // value of --machine
    std::vector<std::string> explained;
    bn::info::ShapeWish shape;

    bool shows_all() const
    {
        return !shows_build && !shows_machine && !shows_options && !shows_memory && thread_count == 0 &&
               explained.empty();
    }
};

// A drawing stands alone.
void add_shape_options(bn::CommandLine& line, bn::info::ShapeWish& shape)
{
    bn::Option name =
        line.value("--shape", shape.name, "NAME",
                   "draw a tree or ring of collectives: 1 to 5 of flat, binomial, knomial-K, chain with dots between "
                   "them; distance; ring; ring-by-rank");
    for (const char* other : {"--build", "--options", "--explain", "--memory", "--json"})
        name.excludes(other);
    line.value("--threads", shape.thread_count, "N",
               "for --shape: number of threads; by default one for each processing unit")
        .needs("--shape")
        .excludes("-n")
        .range(1, bn::info::SHAPE_THREADS_MAX);
    line.value("--nodes-per-switch", shape.nodes_per_switch, "N", "for --shape: number of machines per switch")
        .needs("--shape")
        .range(1, bn::info::SHAPE_THREADS_MAX);
    line.value("--root", shape.root, "THREAD", "for --shape: the root of the tree").needs("--shape");
    line.value("--order", shape.order, "ORDER", "for --shape: placement of threads: block, cyclic, random:SEED")
        .needs("--shape");
    line.value("--format", shape.format, "FORMAT", "for --shape: text, dot or svg")
        .needs("--shape")
        .one_of({"text", "dot", "svg"});
}

void add_options(bn::CommandLine& line, Wishes& wishes)
{
    line.version("banyan-info (Banyan) " BN_VERSION);
    line.value("-n", wishes.thread_count, "N", "show where each of N threads would run").range(1, BN_THREAD_MAX);
    line.flag("--build", wishes.shows_build, "show how this Banyan was built, and its limits");
    line.value("--machine", wishes.described, "[MACHINE]",
               "show the machine, and which parts of it may be used; or another one, from an XML file of lstopo or in "
               "hwloc's notation")
        .takes(0, 1);
    line.flag("--options", wishes.shows_options, "show all options, their values, and where the values come from");
    line.words("--explain", wishes.explained, "OPERATION [SIZE]",
               "print which way (algorithm) a collective operation, such as broadcast, uses with N threads and SIZE "
               "bytes, and why")
        .takes(1, 2);
    line.value("--nodes", wishes.node_count, "N",
               "for --explain and --shape: number of machines; by default 2 for --explain, 1 for --shape")
        .range(1, bn::info::SHAPE_THREADS_MAX);
    line.flag("--memory", wishes.shows_memory,
              "show the memory for control data per thread, for N threads; by default for 2, 64 and 512");
    line.flag("--json", wishes.is_json, "print JSON");
    add_shape_options(line, wishes.shape);
    line.check([&wishes] {
        bool is_alone = wishes.node_count > 0 && wishes.shape.name.empty() && wishes.explained.empty();
        return is_alone ? "--nodes: needs --explain or --shape" : "";
    });
}

Json described_facts(const std::string& description)
{
    Json facts;
    facts["description"] = description;
    facts["structure"] = bn::info::structure_facts(description);
    return facts;
}

Json collect(const Wishes& wishes, const bn_options& options)
{
    Json facts;
    if (wishes.shows_build || wishes.shows_all())
        facts["build"] = bn::info::build_facts();
    if (wishes.shows_machine || wishes.shows_all())
        facts["machine"] = wishes.described.empty() ? bn::info::machine_facts() : described_facts(wishes.described);
    if (!wishes.explained.empty())
        facts["collective"] =
            bn::info::collective_facts(options, wishes.explained, wishes.thread_count, wishes.node_count);
    if (wishes.shows_memory)
        facts["memory"] = bn::info::memory_facts(wishes.thread_count);
    if (wishes.shows_all() || (wishes.thread_count > 0 && wishes.explained.empty() && !wishes.shows_memory))
        facts["job"] = bn::info::job_facts(options, wishes.thread_count);
    if (wishes.shows_options || (wishes.shows_all() && wishes.is_json))
        facts["options"] = bn::info::option_facts(options);
    return facts;
}

std::string to_text(const Json& facts)
{
    static constexpr struct {
        const char* name;
        std::string (*print)(const Json&);
    } sections[] = {{"build", bn::info::build_text},   {"machine", bn::info::machine_text},
                    {"job", bn::info::job_text},       {"collective", bn::info::collective_text},
                    {"memory", bn::info::memory_text}, {"options", bn::info::option_text}};
    std::string text;
    for (const auto& section : sections) {
        if (facts.contains(section.name))
            text += (text.empty() ? "" : "\n") + section.print(facts[section.name]);
    }
    return text;
}

bool print(const std::string& text)
{
    std::fwrite(text.data(), 1, text.size(), stdout);
    return bn_log_output_arrived();
}

int draw(const Wishes& wishes)
{
    bn::info::ShapeWish wish = wishes.shape;
    wish.machine = wishes.described;
    wish.node_count = std::max(wishes.node_count, 1);
    if (wish.thread_count == 0)
        wish.thread_count = wishes.thread_count;
    std::optional<bn::info::Drawing> drawing = bn::info::make_drawing(wish);
    if (!drawing)
        return EXIT_FAILURE;
    std::string text = wish.format == "dot"   ? bn::info::draw_dot(*drawing)
                       : wish.format == "svg" ? bn::info::draw_svg(*drawing)
                                              : bn::info::draw_text(*drawing);
    return print(text) ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv)
{
    Wishes wishes;
    bn::CommandLine line("What Banyan is, what the machine is, and what a job started now would do.", "banyan-info");
    add_options(line, wishes);
    if (std::optional<int> status = line.parse(argc, argv))
        return *status;
    wishes.shows_machine = line.has("--machine");
    if (!wishes.shape.name.empty())
        return draw(wishes);
    bn_options options;
    if (bn_options_read(&options, environ) != BN_OK)
        return EXIT_FAILURE;
    Json facts = collect(wishes, options);
    if (facts.contains("collective") && facts["collective"].is_null())
        return EXIT_FAILURE;
    auto has = [&](const char* section, const char* part) {
        return !facts.contains(section) || !facts[section][part].empty();
    };
    if (!wishes.described.empty() && !has("machine", "structure"))
        return EXIT_FAILURE;
    bool is_complete = has("machine", "structure") && has("job", "hierarchy");
    bool is_written = print(wishes.is_json ? bn::json_text(facts, 2) + "\n" : to_text(facts));
    return is_complete && is_written ? EXIT_SUCCESS : EXIT_FAILURE;
}
