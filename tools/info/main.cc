// banyan-info: what Banyan is, what the machine is, what a job started now would do, and why.

#include "base/options.h"
#include "info/facts.h"
#include "info/text.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <unistd.h>

namespace
{

using Json = nlohmann::ordered_json;

struct Wishes {
    int thread_count = 0;
    bool shows_build = false;
    bool shows_machine = false;
    bool shows_options = false;
    bool is_json = false;

    bool shows_all() const { return !shows_build && !shows_machine && !shows_options && thread_count == 0; }
};

void add_options(CLI::App& app, Wishes& wishes)
{
    app.set_version_flag("--version", "banyan-info (Banyan) " BN_VERSION, "print the version");
    app.add_option("-n", wishes.thread_count, "show where each of N threads would run")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    app.add_flag("--build", wishes.shows_build, "show how this Banyan was built, and its limits");
    app.add_flag("--machine", wishes.shows_machine, "show the machine, and what of it may be used");
    app.add_flag("--options", wishes.shows_options, "show all options, their values, and where those come from");
    app.add_flag("--json", wishes.is_json, "print for programs");
}

Json collect(const Wishes& wishes, const bn_options& options)
{
    Json facts;
    if (wishes.shows_build || wishes.shows_all())
        facts["build"] = bn::info::build_facts();
    if (wishes.shows_machine || wishes.shows_all())
        facts["machine"] = bn::info::machine_facts();
    if (wishes.thread_count > 0 || wishes.shows_all())
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
    } sections[] = {{"build", bn::info::build_text},
                    {"machine", bn::info::machine_text},
                    {"job", bn::info::job_text},
                    {"options", bn::info::option_text}};
    std::string text;
    for (const auto& section : sections) {
        if (facts.contains(section.name))
            text += (text.empty() ? "" : "\n") + section.print(facts[section.name]);
    }
    return text;
}

} // namespace

int main(int argc, char** argv)
{
    Wishes wishes;
    CLI::App app("What Banyan is, what the machine is, and what a job started now would do.", "banyan-info");
    add_options(app, wishes);
    CLI11_PARSE(app, argc, argv);
    bn_options options;
    if (bn_options_read(&options, environ) != BN_OK)
        return EXIT_FAILURE;
    Json facts = collect(wishes, options);
    std::string text = wishes.is_json ? facts.dump(2) + "\n" : to_text(facts);
    bool is_written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    return is_written ? EXIT_SUCCESS : EXIT_FAILURE;
}
