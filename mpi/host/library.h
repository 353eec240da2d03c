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

/** The address at which the shared object is mapped that contains a function; null for none. */
const void *bn_library_begin_of(const void *function);

/** The next function of that name behind the caller's shared object; null if it is in the library, which begins at
 * library_begin, or if there is none. */
void *bn_library_tool(const char *name, const void *library_begin);

/** An object of the library, or the program's copy of it, which counts if there is one.  `look` finds symbols in the
 * library. */
void *bn_library_object(const char *name, void *(*look)(const char *name));

#endif
