/*
 * report.h: the report on the collective operations of a job, as a table or JSON.
 *
 * The first member of each communicator keeps its ledger; communicators with the same name and size are one part of the
 * report.  At the end the parts of all processes are collected as rows.
 */
#ifndef BN_MPI_HOST_REPORT_H
#define BN_MPI_HOST_REPORT_H

#include "host/ledger.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BN_REPORT_NAME_BYTES = 64 };

/* The calls of one operation and size class on communicators with the same name and size */
struct bn_report_row {
    char name[BN_REPORT_NAME_BYTES];
    int size;
    uint64_t communicators;
    enum bn_mpi_operation operation;
    unsigned size_class;
    struct bn_account account;
};

struct bn_report_facts {
    const char *library; /* the MPI library below, with its version */
    int processes;
};

/** Whether BANYAN_MPI_REPORT asks for a report. */
bool bn_report_is_wanted(void);

/** Adds the ledger of a communicator that is no longer used. */
void bn_report_add(const char *name, int size, const struct bn_ledger *ledger);

/** The rows of this process; free() releases them.  Null: none, or no memory. */
struct bn_report_row *bn_report_rows(size_t *count_p);

/** Sorts and merges rows, and writes them to standard error, or to the file that the option names (host/files.h).
 *  @errors A file that cannot be written is reported. */
void bn_report_write(struct bn_report_row *rows, size_t count, const struct bn_report_facts *facts);

#ifdef __cplusplus
}
#endif

#endif
