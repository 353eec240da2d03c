/*
 * library.h: optional libraries, which are loaded only when they are needed.
 */
#ifndef BN_PLATFORM_LIBRARY_H
#define BN_PLATFORM_LIBRARY_H

#ifdef __cplusplus
extern "C" {
#endif

/* Loads a library.  Returns null if there is none of this name, or if the program cannot load libraries (a static
 * executable). */
void *bn_library_open(const char *name);

/* The address of a function of the library; null if it has none of this name. */
void *bn_library_symbol(void *library, const char *name);

/* The address of a function of the program or of the libraries loaded with it; null if there is none of this name. */
void *bn_library_loaded_symbol(const char *name);

/* Makes dlclose leave the library that contains this address in its place until the process ends; does nothing for an
 * address of the program itself.  May be called by constructors of that library. */
void bn_library_keep(const void *address);

#ifdef __cplusplus
}
#endif

#endif
