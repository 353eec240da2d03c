// process.h: running the C compiler.
#pragma once

#include <string>
#include <vector>

namespace bn::driver {

struct Job {
    std::vector<std::string> arguments;  // the program first; it is searched in PATH
    std::string* output = nullptr;       // receives its standard output; null to let it share ours
    std::string* errors = nullptr;       // receives its standard error; null to let it share ours
    bool is_shown = false;               // print the command first
    bool is_dry = false;                 // do not run it
    int most_seconds = 0;                // if it has `output`: longer, or with more of it, it is killed, with all that
    size_t most_bytes = 0;               // it started, and has failed; 0 is no limit
};

// Runs a program and waits for it.  Returns its exit status: 0 if it succeeded.  If it cannot be started or dies by a
// signal, says so and returns 1; if the signal was one from the terminal, ends the driver by the same signal.
int run(const Job& job);

// The command as a shell would take it
std::string shell_quoted(const std::vector<std::string>& arguments);

}  // namespace bn::driver
