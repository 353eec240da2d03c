/*
 * handles.h: lets a file name predefined handles although the MPI library is not linked.
 *
 * The file defines BN_HANDLES_LOOK(name), the address of an object of the library (bn_library_object).
 */
#ifndef BN_MPI_TYPES_HANDLES_H
#define BN_MPI_TYPES_HANDLES_H

#include <mpi.h>

/* Open MPI's predefined handles are addresses of objects, which its header names through this macro. */
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, global) ((type)BN_HANDLES_LOOK(#global))

#endif
