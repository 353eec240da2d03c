/*
 * bupc_extern.h: access to UPC from parts of a program written in C, C++ or another language, as in Berkeley UPC.
 *
 * Plain C and C++. A function of a UPC file that neither takes nor returns a pointer-to-shared is a C function and can
 * be called as such. upcc links the program, with -link-with=g++ if parts of it are C++, and with -uses-mpi if it uses
 * MPI.
 *
 *     #include <bupc_extern.h>
 *     int main(int argc, char **argv)
 *     {
 *         bupc_init(&argc, &argv);
 *         work();                     a function of a UPC file
 *         bupc_exit(0);
 *     }
 *
 * Every thread is a process, so nothing here needs a lock.  All functions but those that start the program must be
 * called after bupc_init.
 */
#ifndef BUPC_EXTERN_H
#define BUPC_EXTERN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Makes the program run as THREADS threads from here on, and removes the options of the run from the arguments.  Call
 * it first in main.  A program that upcc (or cc with the flags of pkg-config banyan) has linked already runs as threads
 * when main begins, and the call returns immediately.  Otherwise this process becomes the monitor of the job, and the
 * call returns in each of the threads that it forks.  May be called again.  Ends the process with a message if the job
 * cannot be started.
 */
void bupc_init(int *argc, char ***argv);

/* The same; then calls pmain_func in each thread and exits with its result.  Does not return. */
void bupc_init_reentrant(int *argc, char ***argv, int (*pmain_func)(int, char **)) __attribute__((__noreturn__));

/* Like exit in UPC: waits until all other threads have ended. */
void bupc_exit(int exitcode) __attribute__((__noreturn__));

/* MYTHREAD and THREADS */
int bupc_extern_mythread(void);
int bupc_extern_threads(void);

/* As getenv */
char *bupc_extern_getenv(const char *env_name);

/* upc_notify, upc_wait and upc_barrier with a value; they match those of UPC files. */
void bupc_extern_notify(int barrier_id);
void bupc_extern_wait(int barrier_id);
void bupc_extern_barrier(int barrier_id);

/* upc_alloc: shared memory with affinity to the calling thread; null if there is none left */
void *bupc_extern_alloc(size_t bytes);

/* upc_all_alloc, collective: the address of the calling thread's part, null on all threads if there is no memory.
 * The parts of all threads begin at the same place in their shared memory. */
void *bupc_extern_all_alloc(size_t nblocks, size_t blocksz);

/* Free memory that one of these functions returned on that thread; the second is collective.  Null is ignored.  An
 * address that is not in that thread's shared memory ends the program with a message. */
void bupc_extern_free(void *ptr, int thread);
void bupc_extern_all_free(void *ptr, int thread);

#ifdef __cplusplus
}
#endif

#endif
