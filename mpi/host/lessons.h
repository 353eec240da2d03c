/*
 * lessons.h: what a run has learned, kept for the next one in the file that BANYAN_MPI_TABLE names.
 *
 *     {"schema": "banyan-mpi-choices-1", "choices": [
 *      {"machine": "...", "library": "Open MPI v4.1.4", "operation": "BCAST", "processes": 4, "up_to_bytes": 1024,
 *       "by": "banyan", "banyan_ns": 480, "mpi_ns": 950}, ...]}
 *
 * Lessons of other libraries, and of other machines (a machine is a processor model and a number of cores), stay in
 * the file.
 */
#ifndef BN_MPI_HOST_LESSONS_H
#define BN_MPI_HOST_LESSONS_H

#include "coll/table.h"
#include "host/ledger.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BN_LESSON_LIBRARY_BYTES = 64 };

struct bn_lesson {
    char machine[BN_TABLE_MACHINE_BYTES];
    char library[BN_LESSON_LIBRARY_BYTES];
    enum bn_mpi_operation operation;
    int processes; /* of the communicator */
    unsigned size_class;
    enum bn_carrier choice;
    double median_ns[BN_CARRIER_COUNT];
};

/* A list of lessons; all zero: empty */
struct bn_lessons {
    struct bn_lesson *lessons;
    size_t count;
};

/** The file that the options name; null: lessons are not kept. */
const char *bn_lessons_file(void);

/** Reads a file into an empty list, which stays empty if the file is missing or empty.  @errors False, reported: the
 * file cannot be read or has another format, or there is no memory. */
bool bn_lessons_read(struct bn_lessons *lessons, const char *file);

/** Adds a lesson; it replaces an older one on the same subject.  @errors False: no memory. */
bool bn_lessons_add(struct bn_lessons *lessons, const struct bn_lesson *lesson);

/** Writes a list to the file.  @errors Reported. */
void bn_lessons_write(const struct bn_lessons *lessons, const char *file);

/** Removes all lessons except those of this machine and the given library. */
void bn_lessons_select(struct bn_lessons *lessons, const char *library);

/** Copies the decisions for an operation on communicators of a given size into its accounts. */
void bn_lessons_apply(const struct bn_lessons *lessons, enum bn_mpi_operation operation, int processes,
                      struct bn_account *accounts);

void bn_lessons_destroy(struct bn_lessons *lessons);

#ifdef __cplusplus
}
#endif

#endif
