// command.h: what all words of the command line together mean, and what comes of it.
#pragma once

#include "abi.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bn::launch {

struct Wishes {
    std::optional<Abi> abi;
    std::string mode;     // on, off, learn; empty: as the environment has it
    std::string report;   // 1 or json:FILE; empty: as the environment has it
    std::string threads;  // arbitrate, learn, count, off; empty: as the environment has it
    bool shares_heap = false;
};

// What is to be executed.  Without a problem `library` is what is preloaded; with one the command runs as it is.
struct Command {
    std::vector<std::string> words;
    std::vector<std::pair<std::string, std::string>> variables;
    std::optional<Abi> abi;
    std::string library, heap, threads;  // heap in front of it, threads behind it; empty: none
    std::string sanitizer;               // in front of all, if the program has one; else empty
    std::vector<std::string> notes;      // how it was found, for --verbose
    std::vector<std::string> warnings;   // what may not be as it is wished
    std::string problem;                 // why nothing is preloaded, and what to do about it
};

// `words` is the command of the user; `folder` is where our libraries are.
Command make_command(const std::vector<std::string>& words, const Wishes& wishes, const std::string& folder);

// As a shell reads it back.
std::string quoted(const std::string& word);

}  // namespace bn::launch
