/* report.h: the report on the arbiter's instruments (sync/arbiter_watch.h), as a table or JSON. */
#ifndef BN_MPI_THREADS_REPORT_H
#define BN_MPI_THREADS_REPORT_H

#include <stdbool.h>

/** Whether BANYAN_MPI_THREADS_REPORT asks for a report. */
bool bn_threads_report_is_wanted(void);

/** If a report is wanted, writes what all processes of MPI_COMM_WORLD together have measured, or learned.  Called by
 * all, outside. */
void bn_threads_report_write(bool learns);

#endif
