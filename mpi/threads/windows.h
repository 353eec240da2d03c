/* windows.h: what is kept of the synchronisation of windows. */
#ifndef BN_MPI_THREADS_WINDOWS_H
#define BN_MPI_THREADS_WINDOWS_H

#include "threads/library.h"

/** In the turn of order.h in which it has been fenced. */
void bn_window_is_fenced(MPI_Win window, int assert);

#endif
