/*
 * library.h: finds the MPI library of this process.
 *
 * It may be linked to the program, or be loaded later with local scope, as Python does.
 */
#ifndef BN_MPI_HOST_LIBRARY_H
#define BN_MPI_HOST_LIBRARY_H

/** A dlopen handle of the first of these: the shared object behind the caller in the search order that has a function
 * of that name; the one in the whole process that has it, except the caller itself; a library loaded with local scope
 * whose name begins with libmpi.  Null: none is loaded yet. */
void *bn_library_find(const char *function_name);

#endif
