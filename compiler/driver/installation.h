// installation.h: where Banyan's headers and library are, and which C compiler is the back end.
#pragma once

#include <string>
#include <vector>

namespace bn::driver {

struct Installation {
    std::string include_dir;            // holds banyan/ and upc/
    std::string library_dir;            // holds libbanyan.a
    std::string share_dir;              // holds what makes the library for clusters
    std::vector<std::string> compiler;  // program and first arguments, from CC or the configuration
};

// What CC and its like name: one program, if there is one of that name, else a program and first arguments
std::vector<std::string> program_and_arguments(const std::string& text);

// The running program
std::string own_program();

// Finds the installation from the place of the running program, so that an installed tree can be moved.
// False, with a message, if there are no headers.
bool find_installation(Installation& installation_p);

// The compiler of programs that use MPI: program and first arguments, from MPICC, or mpicc
std::vector<std::string> mpi_compiler();

// False, with a message that says what to install, if it is not there
bool find_mpi_compiler();

// Uses that in place of the C compiler, and tells it to call the C compiler.
void use_mpi_compiler(Installation& installation);

// Arguments that programs need at the link because of how the runtime was built (sanitizers)
std::vector<std::string> runtime_link_flags();

// The library for clusters, and the arguments that link OpenSHMEM
struct ShmemLibrary {
    std::string dir;
    std::vector<std::string> link_flags;
};

// Finds it, or compiles it for the OpenSHMEM of this machine, which takes a while the first time.  False, after a
// message that says what is missing, if that is impossible.  With `is_dry` and without a library, prints the command
// that would compile it.
bool find_shmem_library(const Installation& installation, bool for_pthreads, bool is_shown, bool is_dry,
                        ShmemLibrary& library_p);

std::string version();

}  // namespace bn::driver
