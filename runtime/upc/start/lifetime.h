/*
 * lifetime.h: the constructors and destructors of the program, which each thread of a process calls (only in libraries
 * for upcc -pthreads).  Those of libraries that other compilers made are called by the C library, once per process.
 */
#ifndef BN_UPC_START_LIFETIME_H
#define BN_UPC_START_LIFETIME_H

#ifdef __cplusplus
extern "C" {
#endif

/* Calls the constructors for the calling thread, whose private objects have their initial values.  One thread may be
 * inside at a time. */
void bn_lifetime_begin(int argc, char **argv, char **environment);

/* Calls the destructors for the calling thread, if its constructors have been called and its destructors have not. */
void bn_lifetime_end(void);

#ifdef __cplusplus
}
#endif

#endif
