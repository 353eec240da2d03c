// compile_entry.h: describes a compilation for tools other than compilers (clang's compile_commands.json).
#pragma once

#include <string>
#include <vector>

#include "driver/command.h"

namespace bn::driver {

// Appends an entry for each source of the command to the file named by -MJ: an object on a line of its own, followed by
// a comma, as clang writes it.  `arguments` are the original arguments of the command.  Returns false, after a message,
// if the file cannot be written.
bool append_compile_entries(const Command& command, const std::vector<std::string>& arguments);

}  // namespace bn::driver
