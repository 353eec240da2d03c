// command_line.h: the command line of a tool: options bound to variables, its help, and its complaints.  Only
// command_line.cc includes CLI11, which takes a compiler as long as all else in a tool.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace bn {

// One option of a tool.  Each call says more of it.
class Option {
public:
    explicit Option(CLI::Option* option) : option_(option) {}

    Option required();
    Option range(int least, int most);
    Option one_of(std::initializer_list<const char*> values);
    // How many words after the option are its values; otherwise one, or any number for a list.
    Option takes(int least, int most);
    // Those named must have been added before.
    Option needs(const char* other);
    Option excludes(const char* other);

private:
    CLI::Option* option_;
};

// In a tool that has one, operator new ends the tool if there is no memory, with a message.
class CommandLine {
public:
    // `name` is what --help calls the tool; without one, it is the path by which the tool was called.
    explicit CommandLine(const std::string& description, const std::string& name = "");
    ~CommandLine();

    // --version prints `text`.
    void version(const std::string& text);

    // Adds an option, such as "-n" or "-v,--verbose", or an argument if `names` has no dash.  `type` stands for the
    // value in the help.  The variable keeps its value if the option is not given, and must live as long as this
    // object.
    Option value(const std::string& names, int& variable, const std::string& type, const std::string& help);
    Option value(const std::string& names, std::string& variable, const std::string& type, const std::string& help);
    // Values are separated by commas, or are several words.
    Option list(const std::string& names, std::vector<int>& variable, const std::string& type, const std::string& help);
    Option list(const std::string& names, std::vector<std::string>& variable, const std::string& type,
                const std::string& help);
    // Values are words, whatever is in them.
    Option words(const std::string& names, std::vector<std::string>& variable, const std::string& type,
                 const std::string& help);
    Option flag(const std::string& names, bool& variable, const std::string& help);
    // A flag that may have a value, as in --report=FILE; "true" stands for none.
    Option flag(const std::string& names, std::string& variable, const std::string& help);

    // Options end where a command with words of its own begins; the usage calls it COMMAND [ARGUMENTS].
    void ends_with_command();
    // The last paragraph of the help
    void footer(const std::string& text);
    // `check` is called after everything has been parsed; it returns a complaint, which begins with the option's name
    // and a colon, or nothing if all is well.
    void check(std::function<std::string()> check);

    // Parses the command line.  If a value is returned, everything has been printed, and the program must end with that
    // exit status: 0 after --help, 1 if the help could not be written, 2 after a mistake, as for upcrun (CLI11 has a
    // status of its own for each kind of mistake, up to 114).
    std::optional<int> parse(int argc, char** argv);

    // After parse()
    bool has(const char* name) const;
    // With ends_with_command(): the command, or what else could not be understood
    std::vector<std::string> rest() const;

private:
    std::unique_ptr<CLI::App> app_;
};

}  // namespace bn
