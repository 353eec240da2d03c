// process.h: running the C compiler.
#pragma once

#include <string>
#include <vector>

namespace bn::driver {

void append(std::vector<std::string>& arguments, const std::vector<std::string>& more);
std::vector<std::string> output_arguments(const std::string& path);  // name the output

struct Job {
    std::vector<std::string> arguments;  // the program first; it is looked up in PATH
    std::string* output = nullptr;       // receives its standard output; null to let it share ours
    std::string* errors = nullptr;       // receives its standard error; null to let it share ours
    std::string remedy = {};             // what to do if it cannot be started
    bool is_shown = false;               // print the command first
    bool is_dry = false;                 // do not run it
    bool writes_rules = false;  // follow DEPENDENCIES_OUTPUT and SUNPRO_DEPENDENCIES, which it does not see else
    // Limits for a program with `output`; 0 is no limit.  If it takes longer or writes more, it is killed together with
    // all processes that it started, and counts as failed, without a message.
    int most_seconds = 0;
    size_t most_bytes = 0;
};

// Runs a program and waits for it.  Returns its exit status: 0 if it succeeded.  If it cannot be started or is killed
// by a signal, prints a message and returns 1; if that was a signal from the terminal, ends the driver by the same
// signal.
int run(const Job& job);

// The command, quoted for a shell
std::string shell_quoted(const std::vector<std::string>& arguments);

}  // namespace bn::driver
