/*
 * fault_tolerant.c: linked into a program, makes any MPI library look like an Open MPI whose fault tolerance is on; in
 * Open MPI 5, which reads it from the environment, this is its own variable.
 */
#include <stdbool.h>

bool ompi_ftmpi_enabled = true;
