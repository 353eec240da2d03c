// runtime_library.h: the runtime among the arguments of a link.
#pragma once

#include <string>
#include <vector>

#include "driver/command.h"
#include "driver/installation.h"

namespace bn::driver {

// Appends the runtime, of which a program holds a copy: what it calls of it, or all if it lends its symbols to
// libraries that it loads while it runs (-rdynamic).  False, after a message, if there is none for the network.
bool add_runtime_of_program(const Command& command, const Installation& installation,
                            std::vector<std::string>& arguments);

// Appends the shared runtime, by which a library of UPC can be loaded by what is no UPC program; where the program has
// the runtime, its own comes first.  Nothing is linked with what calls nothing of it, nor with -pthreads or
// -network=shmem, whose threads start before main.
void add_runtime_of_library(const Command& command, const Installation& installation,
                            std::vector<std::string>& arguments);

}  // namespace bn::driver
