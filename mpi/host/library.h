/*
 * library.h: where the MPI library of this process is.
 *
 * It may be part of the process from the beginning, or be loaded later and for somebody alone, as Python does.
 */
#ifndef BN_MPI_HOST_LIBRARY_H
#define BN_MPI_HOST_LIBRARY_H

/** As dlopen has it: what stands behind the shared object that calls this and has a function of that name; else what
 * has it in the whole process, but not the caller itself; else what somebody has loaded that is called libmpi.  Null:
 *  nothing yet. */
void *bn_library_find(const char *function_name);

#endif
