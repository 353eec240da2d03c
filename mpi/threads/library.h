/*
 * library.h: the MPI library below, and tools behind this one (front/tools.h).
 *
 * Nothing of it is linked: this library is also loaded into processes that have no MPI library, or will load one later.
 */
#ifndef BN_MPI_THREADS_LIBRARY_H
#define BN_MPI_THREADS_LIBRARY_H

#include "host/names.h"
#include "host/predefined.h"
#include "threads/calls.h"

#include <stdbool.h>
#include <stdint.h>

/* Its functions, and those of the next tool; null: there is none */
extern struct bn_calls bn_real, bn_tools;

/* Its predefined handles, which are objects of it in some ABIs */
struct bn_handles {
    MPI_Comm world, self, no_comm;
    MPI_Info no_info;
    MPI_Errhandler errors_return;
    MPI_Message no_process;
    MPI_Datatype byte, integer, packed, number; /* number: uint64_t */
    MPI_Datatype no_type;
    MPI_Op largest, smallest, bits, sum, replace, no_op;
#define BN_HANDLES_ONE_MORE(...) +1
    MPI_Op ops[BN_PREDEFINED_OPS(BN_HANDLES_ONE_MORE)];
    MPI_Datatype types[BN_PREDEFINED_TYPES(BN_HANDLES_ONE_MORE)];
    MPI_Datatype texts[3]; /* that nobody reckons with */
};
extern struct bn_handles bn_handles;

/** Finds all that.  False: no MPI library has been loaded into this process yet. */
bool bn_library_look(void);

/** The same, and ends the process if there is none: there is nothing that a call could be handed to. */
void bn_library_need(void);

/** Ends the job, after what has been said.  Returns where the library's own function does. */
void bn_library_abort(MPI_Comm comm);

/** The library below as dlopen has it, or null: who finds the functions of this library finds by it objects, functions
 * that have no entry points here, and who stands between. */
BN_EXPORT void *banyan_mpi_library(void);

/** A function of the next tool behind this library; null: there is none, or it lets that be.  Who stands in front has
 * the tool see what he does not hand on. */
BN_EXPORT void *banyan_mpi_tool(const char *name);

#endif
