/* report.h: what the instruments of the arbiter have seen (sync/arbiter_watch.h): a table, or JSON. */
#ifndef BN_MPI_THREADS_REPORT_H
#define BN_MPI_THREADS_REPORT_H

#include <stdbool.h>

/** Whether BANYAN_MPI_THREADS_REPORT asks for one. */
bool bn_threads_report_is_wanted(void);

/** Writes what all processes of MPI_COMM_WORLD have seen together, or learned, if it is wanted.  Called by all,
 * outside. */
void bn_threads_report_write(bool learns);

#endif
