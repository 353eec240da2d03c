// program.h: what a word of the command line is.
#pragma once

#include "abi.h"

#include <optional>
#include <string>

namespace bn::launch {

struct Program {
    enum class Kind {
        kDynamic,  // loads shared objects, ours too
        kStatic,   // loads none
        kScript,
        kOther,  // may be run but not read, or is for another machine
    };
    std::string path;
    Kind kind = Kind::kOther;
    std::string interpreter;  // of a script, or the loader of a dynamic program
    bool is_launcher = false;
    bool is_privileged = false;   // runs as another user: the loader of the system ignores LD_PRELOAD
    bool has_mpi_inside = false;  // MPI was linked into it as an archive
    std::optional<Abi> abi;       // which it uses, or which a launcher belongs to
    std::string why;              // what tells the ABI: "links libmpi.so.40"
    std::string sanitizer;        // AddressSanitizer's library, which must be loaded before all others; empty: none
};

// Looks at the file that a word names, by its path or along PATH and in the working directory; nothing if there is no
// such file that may be executed.  Reads the file, and runs the loader of a dynamic program (not the program), which
// takes some milliseconds.
std::optional<Program> look_at(const std::string& word);

// Looks for mpi4py as this Python finds it, and sets what it links as the ABI.
void look_for_mpi4py(Program& python);

}  // namespace bn::launch
