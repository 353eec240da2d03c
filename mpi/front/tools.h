/*
 * tools.h: tools that take calls of MPI themselves, by the profiling interface: what they hand on they call by its name
 * PMPI_...
 *
 * This library has both names of what it carries out.  A tool that stands before it is called first, and comes here by
 * PMPI_...; to one that stands behind it goes what comes by MPI_...  So all tools see all calls.  By PMPI_... comes the
 * Fortran of Open MPI, too, and part of that of MPICH.
 */
#ifndef BN_MPI_FRONT_TOOLS_H
#define BN_MPI_FRONT_TOOLS_H

#include <mpi.h>

#define BN_TOOLS_FUNCTION(name, ...) __typeof__(MPI_##name) *name;

/* The functions of the next tool behind this library; null: there is none, or it lets them be. */
extern struct bn_tools {
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
} tools;

/** Finds them, also behind libbanyan-mpi-threads.  `of_library` is a function of the library below, which is no tool.
 */
void bn_tools_find(const void *of_library);

/** One more, after bn_tools_find. */
void *bn_tools_symbol(const char *name);

#endif
