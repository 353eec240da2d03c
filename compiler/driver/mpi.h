// mpi.h: programs that use MPI (-uses-mpi), and who starts it in them.
#pragma once

#include <string>

namespace bn::driver {

// Whether an object file, an archive or a shared object names a function that starts MPI, in C or Fortran; false for
// what cannot be read.
bool names_start_of_mpi(const std::string& path);

// C for programs in which nothing does: a function that the runtime calls on each thread before main.  MPI ends when
// the thread does, which waits for the others anyhow.
std::string start_of_mpi();

}  // namespace bn::driver
