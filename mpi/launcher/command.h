// command.h: what the words of the command line together mean, and the resulting command.
#pragma once

#include "abi.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bn::launch {

struct Wishes {
    std::optional<Abi> abi;
    std::string mode;     // on, off, learn; empty: from the environment
    std::string report;   // 1 or json:FILE; empty: from the environment
    std::string threads;  // arbitrate, learn, count, off; empty: from the environment
    bool shares_heap = false;
};

// What to execute.  `library` is preloaded, unless there is a problem: then the command runs unchanged.
struct Command {
    std::vector<std::string> words;
    std::vector<std::pair<std::string, std::string>> variables;
    std::optional<Abi> abi;
    std::string library, heap, threads;  // preloaded before and behind `library`; empty: none
    std::string sanitizer;               // before all others, if the program needs one; else empty
    std::vector<std::string> notes;      // how the ABI was found, for --verbose
    std::vector<std::string> warnings;   // what may not work as the user wants
    std::string problem;                 // why nothing is preloaded, and what to do about that
};

// `words` is the user's command; `folder` contains our libraries.
Command make_command(const std::vector<std::string>& words, const Wishes& wishes, const std::string& folder);

// The word quoted for a shell.
std::string quoted(const std::string& word);

}  // namespace bn::launch
