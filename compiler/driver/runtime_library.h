// runtime_library.h: adds the runtime to the arguments of a link.
#pragma once

#include <string>
#include <vector>

#include "driver/command.h"
#include "driver/installation.h"

namespace bn::driver {

// Appends the static runtime, which is linked into a program: only the parts that it calls, or all of it if the program
// exports its symbols to libraries loaded at run time (-rdynamic).  Returns false, after a message, if there is none
// for the network.
bool add_runtime_of_program(const Command& command, const Installation& installation,
                            std::vector<std::string>& arguments);

// Appends the shared runtime, with which programs other than UPC programs can load a UPC library; in a program that
// contains the runtime, the program's copy takes precedence.  Libraries that call nothing of it are not linked with it,
// nor is anything with -pthreads or -network=shmem, whose threads start before main.
void add_runtime_of_library(const Command& command, const Installation& installation,
                            std::vector<std::string>& arguments);

}  // namespace bn::driver
