// installation.h: where Banyan's headers and library are installed, and which C compiler is the back end.
#pragma once

#include <string>
#include <vector>

namespace bn::driver {

struct Installation {
    std::string include_dir;            // holds banyan/ and upc/
    std::string library_dir;            // holds libbanyan.a
    std::string share_dir;              // holds the files from which the library for clusters is built
    std::vector<std::string> compiler;  // program and leading arguments, from CC or the configuration
    std::string compiler_remedy = "CC chooses the C compiler, for example CC=gcc";  // if it cannot be run
};

// Splits a value like that of CC: one program if a program of that whole name exists, else a program and leading
// arguments
std::vector<std::string> program_and_arguments(const std::string& text);

// Path of the running program
std::string own_program();

// Finds the installation relative to the running program, so that an installed tree can be moved. Returns false, after
// a message, if the headers are missing.
bool find_installation(Installation& installation_p);

// Whether a file of the installation is there; prints a message if not.
bool has_part(const std::string& path);

// The compiler for programs that use MPI: program and leading arguments from MPICC, or mpicc
std::vector<std::string> mpi_compiler();

// Returns false, after a message that says what to install, if it is missing.
bool find_mpi_compiler();

// Makes it the compiler to call, and makes it call our C compiler in turn.
void use_mpi_compiler(Installation& installation);

// Arguments needed to link programs because of the way the runtime was built (sanitizers)
std::vector<std::string> runtime_link_flags();

// The library for clusters, and the arguments that link OpenSHMEM
struct ShmemLibrary {
    std::string dir;
    std::vector<std::string> link_flags;
};

// Finds the library, or compiles it for the OpenSHMEM of this machine, which takes a while the first time.  Returns
// false, after a message that says what is missing, if that is impossible.  With `is_dry`, prints the compile command
// for a missing library instead of running it.
bool find_shmem_library(const Installation& installation, bool for_pthreads, bool is_shown, bool is_dry,
                        ShmemLibrary& library_p);

std::string version();

}  // namespace bn::driver
