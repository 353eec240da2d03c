// names.h: the names of the files that a command makes from an input.
#pragma once

#include <string>

#include "driver/command.h"

namespace bn::driver {

// What -c, -S or -trans makes; `suffix` is that of the default name.
std::string output_of(const Command& command, const Input& input, const char* suffix);

// FOLDER/PROGRAM-STEM or, for a further input with this stem, FOLDER/PROGRAM-STEM-2: so the C compiler begins the names
// of files that it leaves for an input when it links, too.
std::string stem_beside_program(const Command& command, const Input& input);

// A file that -save-temps keeps.  As with gcc 11 and later, it is named after what is made, so that two compilations of
// one source can run at the same time: after the output, or as above when the command links; but PROGRAM.i of a
// PROGRAM made of PROGRAM.upc alone.
std::string kept_file(const Command& command, const Input& input, const char* suffix);

// The file with the rule for make
std::string dependency_file(const Command& command, const Input& input);

// The target of this rule unless -MT or -MQ names one
std::string rule_target(const Command& command, const Input& input);

}  // namespace bn::driver
