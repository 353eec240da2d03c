/* start.h: from MPI_Init to MPI_Finalize. */
#ifndef BN_MPI_FRONT_START_H
#define BN_MPI_FRONT_START_H

/** Called when the library below has started, by all processes of MPI_COMM_WORLD: from now on calls may be ours. */
void bn_front_begin(void);

/** Called when the library below is about to shut down. */
void bn_front_end(void);

#endif
