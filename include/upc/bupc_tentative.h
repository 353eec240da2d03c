/*
 * bupc_tentative.h: <bupc_extern.h> for libraries that are also linked into programs without UPC, as in Berkeley UPC.
 *
 * Plain C and C++. For each function there is a variable that points to it in a UPC program and is null in any other
 * program:
 *
 *     int rank = bupc_tentative_mythread ? bupc_tentative_mythread() : 0;
 *
 * The variables are defined here, weakly, so that the header may be included in any number of files.
 */
#ifndef BUPC_TENTATIVE_H
#define BUPC_TENTATIVE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef BN_TENTATIVE
#define BN_TENTATIVE __attribute__((__weak__))
#endif

BN_TENTATIVE void (*bupc_tentative_init)(int *argc, char ***argv);
BN_TENTATIVE void (*bupc_tentative_init_reentrant)(int *argc, char ***argv, int (*pmain_func)(int, char **));
BN_TENTATIVE void (*bupc_tentative_exit)(int exitcode);
BN_TENTATIVE int (*bupc_tentative_mythread)(void);
BN_TENTATIVE int (*bupc_tentative_threads)(void);
BN_TENTATIVE char *(*bupc_tentative_getenv)(const char *env_name);
BN_TENTATIVE void (*bupc_tentative_notify)(int barrier_id);
BN_TENTATIVE void (*bupc_tentative_wait)(int barrier_id);
BN_TENTATIVE void (*bupc_tentative_barrier)(int barrier_id);
BN_TENTATIVE void *(*bupc_tentative_alloc)(size_t bytes);
BN_TENTATIVE void *(*bupc_tentative_all_alloc)(size_t nblocks, size_t blocksz);
BN_TENTATIVE void (*bupc_tentative_free)(void *ptr, int thread);
BN_TENTATIVE void (*bupc_tentative_all_free)(void *ptr, int thread);

#ifdef __cplusplus
}
#endif

#endif
