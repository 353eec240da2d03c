// commands.h: how the file of an editor is compiled: as compile_commands.json says, or else as settings say.
#pragma once

#include <ctime>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "driver/command.h"
#include "driver/installation.h"

namespace bn::lsp {

struct Settings {
    std::vector<std::string> arguments;  // for files that no compile_commands.json has
    std::string compile_commands;        // a folder with that file, or the file; empty to look above each source
    enum class Remarks { Off, Inlay, Hints } remarks = Remarks::Inlay;
    bool runs_compiler = true;  // ask the C compiler, too
    int debounce_ms = 150;
};

// Of one file, ready for the stages
struct CompileCommand {
    driver::Command command;  // one input, named by its path
    driver::Installation installation;
    std::string directory;  // relative names begin here
    std::string trouble;    // why its options were not taken; empty if they were
};

// The options for upcc in the arguments of a compile command: without the program, what launches it, the file itself,
// and what only says where results go.
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
