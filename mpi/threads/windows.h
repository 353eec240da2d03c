/* windows.h: state of the synchronisation of windows. */
#ifndef BN_MPI_THREADS_WINDOWS_H
#define BN_MPI_THREADS_WINDOWS_H

#include "threads/library.h"

/** Called after MPI_Win_fence, in its turn of order.h. */
void bn_window_is_fenced(MPI_Win window, int assert);

#endif
