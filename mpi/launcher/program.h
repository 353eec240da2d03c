// program.h: what a word of the command line is.
#pragma once

#include "abi.h"

#include <optional>
#include <string>

namespace bn::launch {

struct Program {
    enum class Kind {
        kDynamic,  // loads shared objects, including ours
        kStatic,   // loads no shared objects
        kScript,
        kOther,  // executable but not readable, or for another machine
    };
    std::string path;
    Kind kind = Kind::kOther;
    std::string interpreter;  // interpreter of a script, or loader of a dynamic program
    bool is_launcher = false;
    bool is_privileged = false;   // runs as another user, so the loader ignores LD_PRELOAD
    bool has_mpi_inside = false;  // MPI is statically linked into it
    std::optional<Abi> abi;       // the one that it uses, or to which a launcher belongs
    std::string why;              // how the ABI is known: "links libmpi.so.40"
    std::string sanitizer;        // AddressSanitizer's library, which must be loaded first; empty: none
};

// Examines the file that a word names, by its path, or along PATH and in the working directory; nothing if there is no
// such executable file.  Reads the file, and runs the loader of a dynamic program (not the program itself), which takes
// some milliseconds.
std::optional<Program> look_at(const std::string& word);

// Looks for the mpi4py that this Python finds, and sets the ABI to that of the MPI library that it links.
void look_for_mpi4py(Program& python);

}  // namespace bn::launch
