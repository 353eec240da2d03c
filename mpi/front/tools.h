/*
 * tools.h: tools that intercept MPI calls through the profiling interface, and hand them on by the name PMPI_...
 *
 * This library defines both names of everything that it carries out.  A tool in front of it is called first, and calls
 * it by PMPI_...; a tool behind it gets the calls that arrive by MPI_...  So every tool sees every call.  Open MPI's
 * Fortran interface, and part of MPICH's, also call PMPI_...
 */
#ifndef BN_MPI_FRONT_TOOLS_H
#define BN_MPI_FRONT_TOOLS_H

#include <mpi.h>

#define BN_TOOLS_FUNCTION(name, ...) __typeof__(MPI_##name) *name;

/* The functions of the next tool behind this library; null: there is no tool, or it does not intercept them. */
extern struct bn_next_tool {
#define COUNT int
#define OFFSET int
#define COLLECTIVE BN_TOOLS_FUNCTION
#define COLLECTIVE_WITHOUT_COUNTS BN_TOOLS_FUNCTION
#include "front/collectives.def"
#undef COLLECTIVE
#undef COLLECTIVE_WITHOUT_COUNTS
#undef COUNT
#undef OFFSET
    BN_TOOLS_FUNCTION(Comm_disconnect)
    BN_TOOLS_FUNCTION(Comm_free)
    BN_TOOLS_FUNCTION(Init)
    BN_TOOLS_FUNCTION(Init_thread)
    BN_TOOLS_FUNCTION(Finalize)
    BN_TOOLS_FUNCTION(Op_free)
    BN_TOOLS_FUNCTION(Type_free)
} bn_next_tool;

/** Finds these functions, also behind libbanyan-mpi-threads.  `of_library` is a function of the library below, which is
 * not a tool. */
void bn_tools_find(const void *of_library);

/** Finds one more function of that tool, after bn_tools_find. */
void *bn_tools_symbol(const char *name);

#endif
