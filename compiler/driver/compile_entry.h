// compile_entry.h: what tools other than compilers need to know of a compilation (clang's compile_commands.json).
#pragma once

#include <string>
#include <vector>

#include "driver/command.h"

namespace bn::driver {

// Appends an entry for each source of the command to the file that -MJ names: an object on a line of its own, with a
// comma behind it, as clang writes it.  `arguments` are those of the command as it was given.  False, with a message,
// if the file cannot be written.
bool append_compile_entries(const Command& command, const std::vector<std::string>& arguments);

}  // namespace bn::driver
