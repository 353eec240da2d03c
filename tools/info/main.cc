// banyan-info: what Banyan is, what the machine is, what a job started now would do, and why.

#include "base/log.h"
#include "base/options.h"
#include "info/explain.h"
#include "info/facts.h"
#include "info/memory.h"
#include "info/shape.h"
#include "info/text.h"
#include "json_text.h"
#include "parse.h"

#include <CLI/CLI.hpp>
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

void add_shape_options(CLI::App& app, bn::info::ShapeWish& shape)
{
    CLI::Option* name = app.add_option("--shape", shape.name,
                                       "draw a tree or ring of collectives: 1 to 5 of flat, binomial, knomial-K, chain "
                                       "with dots between them; distance; ring; ring-by-rank")
                            ->type_name("NAME");
    app.add_option("--threads", shape.thread_count,
                   "for --shape: number of threads; by default one for each processing unit")
        ->type_name("N")
        ->needs(name)
        ->check(CLI::Range(1, int{bn::info::SHAPE_THREADS_MAX}));
    app.add_option("--nodes-per-switch", shape.nodes_per_switch, "for --shape: number of machines per switch")
        ->type_name("N")
        ->needs(name)
        ->check(CLI::Range(1, int{bn::info::SHAPE_THREADS_MAX}));
    app.add_option("--root", shape.root, "for --shape: the root of the tree")->type_name("THREAD")->needs(name);
    app.add_option("--order", shape.order, "for --shape: placement of threads: block, cyclic, random:SEED")
        ->type_name("ORDER")
        ->needs(name);
    app.add_option("--format", shape.format, "for --shape: text, dot or svg")
        ->type_name("FORMAT")
        ->needs(name)
        ->check(CLI::IsMember({"text", "dot", "svg"}));
}

void add_options(CLI::App& app, Wishes& wishes)
{
    app.set_version_flag("--version", "banyan-info (Banyan) " BN_VERSION, "print the version");
    app.add_option("-n", wishes.thread_count, "show where each of N threads would run")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    app.add_flag("--build", wishes.shows_build, "show how this Banyan was built, and its limits");
    app.add_option(
           "--machine", wishes.described,
           "show the machine, and which parts of it may be used; or another one, from an XML file of lstopo or in "
           "hwloc's notation")
        ->type_name("[MACHINE]")
        ->expected(0, 1);
    app.add_flag("--options", wishes.shows_options, "show all options, their values, and where the values come from");
    app.add_option(
           "--explain", wishes.explained,
           "print which way (algorithm) a collective operation, such as broadcast, uses with N threads and SIZE "
           "bytes, and why")
        ->type_name("OPERATION [SIZE]")
        ->expected(1, 2);
    app.add_option("--nodes", wishes.node_count,
                   "for --explain and --shape: number of machines; by default 2 for --explain, 1 for --shape")
        ->type_name("N")
        ->check(CLI::Range(1, int{bn::info::SHAPE_THREADS_MAX}));
    app.add_flag("--memory", wishes.shows_memory,
                 "show the memory for control data per thread, for N threads; by default for 2, 64 and 512");
    app.add_flag("--json", wishes.is_json, "print JSON");
    add_shape_options(app, wishes.shape);
    app.callback([&wishes] {
        if (wishes.node_count > 0 && wishes.shape.name.empty() && wishes.explained.empty())
            throw CLI::ValidationError("--nodes", "needs --explain or --shape");
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
    else if (wishes.shows_memory)
        facts["memory"] = bn::info::memory_facts(wishes.thread_count);
    else if (wishes.thread_count > 0 || wishes.shows_all())
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
    CLI::App app("What Banyan is, what the machine is, and what a job started now would do.", "banyan-info");
    add_options(app, wishes);
    if (std::optional<int> status = bn::parse_command_line(app, argc, argv))
        return *status;
    wishes.shows_machine = app.count("--machine") > 0;
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
    bool is_complete = has("machine", "structure") && has("job", "hierarchy");
    bool is_written = print(wishes.is_json ? bn::json_text(facts, 2) + "\n" : to_text(facts));
    return is_complete && is_written ? EXIT_SUCCESS : EXIT_FAILURE;
}
