/*
 * library.h: the MPI library below, and tools behind this library (front/tools.h).
 *
 * The MPI library is not linked, because this library is also loaded into processes that have none, or load it later.
 */
#ifndef BN_MPI_THREADS_LIBRARY_H
#define BN_MPI_THREADS_LIBRARY_H

#include "host/names.h"
#include "host/predefined.h"
#include "threads/calls.h"

#include <stdbool.h>
#include <stdint.h>

/* Its functions, and those of the next tool; null: no such function */
extern struct bn_calls bn_below, bn_next_tool;

/* Its predefined handles, which are objects in the library in some ABIs */
struct bn_handles {
    MPI_Comm world, self, no_comm;
    MPI_Group no_group;
    MPI_Info no_info;
    MPI_Errhandler errors_return;
    MPI_Message no_process;
    MPI_Request no_request;
    MPI_Datatype byte, integer, packed, number; /* number: uint64_t */
    MPI_Datatype no_type;
    MPI_Op largest, smallest, bits, sum, replace, no_op;
#define BN_HANDLES_ONE_MORE(...) +1
    MPI_Op ops[BN_PREDEFINED_OPS(BN_HANDLES_ONE_MORE)];
    MPI_Datatype types[BN_PREDEFINED_TYPES(BN_HANDLES_ONE_MORE)];
    MPI_Datatype texts[3]; /* types for which no arithmetic is defined */
};
extern struct bn_handles bn_handles;

/** Fills in all of the above.  False: no MPI library has been loaded into this process yet. */
bool bn_library_look(void);

/** The same, but ends the process if there is none, since calls could not be handed to anything. */
void bn_library_need(void);

/** Aborts the job once log output has been read. */
void bn_library_abort(MPI_Comm comm) __attribute__((noreturn));

/** A dlopen handle of the library below, or null.  A library in front that has found this one uses it to find objects
 * and functions that this one does not define. */
BN_EXPORT void *banyan_mpi_library(void);

/** A function of the next tool behind this library; null: no tool, or it does not intercept that function.  A library
 * in front uses this to show the tool the calls that it does not hand on. */
BN_EXPORT void *banyan_mpi_tool(const char *name);

#endif
