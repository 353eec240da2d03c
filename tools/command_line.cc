#include "command_line.h"

#include "base/log.h"

#include <cerrno>
#include <cstdlib>
#include <new>
#include <utility>

#include <CLI/CLI.hpp>

namespace bn {

namespace {

struct CommandFormatter : CLI::Formatter {
    std::string make_usage(const CLI::App*, std::string name) const override
    {
        return "Usage: " + name + " [OPTIONS] COMMAND [ARGUMENTS]\n";
    }
};

[[noreturn]] void end_without_memory()
{
    bn_log_error("%s: there is not enough memory; lift limits on it ('ulimit -v', 'ulimit -d'), or ask for less, such "
                 "as fewer threads",
                 program_invocation_short_name);
    std::_Exit(EXIT_FAILURE);
}

// Set before main(), whose variables need memory.
[[maybe_unused]] const std::new_handler before = std::set_new_handler(end_without_memory);

}  // namespace

Option Option::required()
{
    option_->required();
    return *this;
}

Option Option::range(int least, int most)
{
    option_->check(CLI::Range(least, most));
    return *this;
}

Option Option::one_of(std::initializer_list<const char*> values)
{
    option_->check(CLI::IsMember(std::vector<std::string>(values.begin(), values.end())));
    return *this;
}

Option Option::takes(int least, int most)
{
    option_->expected(least, most);
    return *this;
}

Option Option::needs(const char* other)
{
    option_->needs(other);
    return *this;
}

Option Option::excludes(const char* other)
{
    option_->excludes(other);
    return *this;
}

CommandLine::CommandLine(const std::string& description, const std::string& name)
    : app_(std::make_unique<CLI::App>(description, name))
{
}

CommandLine::~CommandLine() = default;

void CommandLine::version(const std::string& text)
{
    app_->set_version_flag("--version", text, "print the version");
}

Option CommandLine::value(const std::string& names, int& variable, const std::string& type, const std::string& help)
{
    return Option(app_->add_option(names, variable, help)->type_name(type));
}

Option CommandLine::value(const std::string& names, std::string& variable, const std::string& type,
                          const std::string& help)
{
    return Option(app_->add_option(names, variable, help)->type_name(type));
}

Option CommandLine::list(const std::string& names, std::vector<int>& variable, const std::string& type,
                         const std::string& help)
{
    return Option(app_->add_option(names, variable, help)->type_name(type)->delimiter(','));
}

Option CommandLine::list(const std::string& names, std::vector<std::string>& variable, const std::string& type,
                         const std::string& help)
{
    return Option(app_->add_option(names, variable, help)->type_name(type)->delimiter(','));
}

Option CommandLine::words(const std::string& names, std::vector<std::string>& variable, const std::string& type,
                          const std::string& help)
{
    return Option(app_->add_option(names, variable, help)->type_name(type));
}

Option CommandLine::flag(const std::string& names, bool& variable, const std::string& help)
{
    return Option(app_->add_flag(names, variable, help));
}

Option CommandLine::flag(const std::string& names, std::string& variable, const std::string& help)
{
    return Option(app_->add_flag(names, variable, help));
}

void CommandLine::ends_with_command()
{
    app_->prefix_command();
    app_->formatter(std::make_shared<CommandFormatter>());
}

void CommandLine::footer(const std::string& text)
{
    app_->footer(text);
}

void CommandLine::check(std::function<std::string()> check)
{
    app_->callback([check = std::move(check)] {
        const std::string complaint = check();
        if (!complaint.empty())
            throw CLI::ValidationError(complaint);
    });
}

std::optional<int> CommandLine::parse(int argc, char** argv)
{
    try {
        app_->parse(argc, argv);
        return std::nullopt;
    } catch (const CLI::ParseError& error) {
        if (app_->exit(error) != EXIT_SUCCESS)
            return 2;
        return bn_log_output_arrived() ? EXIT_SUCCESS : EXIT_FAILURE;
    }
}

bool CommandLine::has(const char* name) const
{
    return app_->count(name) > 0;
}

std::vector<std::string> CommandLine::rest() const
{
    return app_->remaining();
}

}  // namespace bn
