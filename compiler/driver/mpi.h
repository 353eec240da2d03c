// mpi.h: programs that use MPI (-uses-mpi), and where MPI is started in them.
#pragma once

#include <string>

namespace bn::driver {

// Whether an object file, an archive or a shared object refers to a function that starts MPI, in C or Fortran; false
// for files that cannot be read.
bool names_start_of_mpi(const std::string& path);

// C code for programs that never start MPI: a function that the runtime calls on each thread before main.  MPI is ended
// at the end of the thread, which waits for the others anyway.
std::string start_of_mpi();

}  // namespace bn::driver
