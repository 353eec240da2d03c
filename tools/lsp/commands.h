// commands.h: the command that compiles an edited file, from compile_commands.json or from the settings.
#pragma once

#include <ctime>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "driver/command.h"
#include "driver/installation.h"
#include "lsp/settings.h"

namespace bn::lsp {

// The parsed command of one file
struct CompileCommand {
    driver::Command command;  // has one input, named by its path
    driver::Installation installation;
    std::string directory;  // relative names start here
    std::string trouble;    // why its options were rejected; empty if they were not
};

// The upcc options in the arguments of a compile command: without the program, its launcher, the file itself, and
// options that only say where results go.
std::vector<std::string> options_of(const std::vector<std::string>& arguments, const std::string& file,
                                    const std::string& directory);

class Commands {
public:
    explicit Commands(driver::Installation installation) : installation_(std::move(installation)) {}

    CompileCommand of(const std::string& path, const Settings& settings);

private:
    struct Entry {
        std::string file;  // absolute
        std::string directory;
        std::vector<std::string> arguments;
    };
    struct Database {
        timespec changed = {};
        std::vector<Entry> entries;
        std::string trouble;
    };

    const Database& read(const std::string& path);
    std::string database_for(const std::string& path, const Settings& settings) const;

    driver::Installation installation_;
    std::map<std::string, Database> databases_;  // by path
};

}  // namespace bn::lsp
