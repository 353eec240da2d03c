/* start.h: from MPI_Init to MPI_Finalize. */
#ifndef BN_MPI_FRONT_START_H
#define BN_MPI_FRONT_START_H

/** The library below is up: from now on calls may be ours.  Called by all processes of MPI_COMM_WORLD. */
void bn_front_begin(void);

/** The library below is about to be shut down. */
void bn_front_end(void);

#endif
