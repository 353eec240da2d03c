/*
 * lessons.h: what has been learned in a run, for the next one: a file that BANYAN_MPI_TABLE names.
 *
 *     {"schema": "banyan-mpi-choices-1", "choices": [
 *      {"machine": "...", "library": "Open MPI v4.1.4", "operation": "BCAST", "processes": 4, "up_to_bytes": 1024,
 *       "by": "banyan", "banyan_ns": 480, "mpi_ns": 950}, ...]}
 *
 * Lessons of other machines, processors and numbers of cores that is, and of other libraries stay in the file.
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

/* A list; all zero: an empty one */
struct bn_lessons {
    struct bn_lesson *lessons;
    size_t count;
};

/** The file that the options name; null: nothing is to be kept. */
const char *bn_lessons_file(void);

/** Reads a file into an empty list; one that is not there is empty.  @errors False, reported: it is no such file, or
 * there is no memory. */
bool bn_lessons_read(struct bn_lessons *lessons, const char *file);

/** Adds a lesson, in place of an older one about the same.  @errors False: no memory. */
bool bn_lessons_add(struct bn_lessons *lessons, const struct bn_lesson *lesson);

/** Writes a list.  @errors Reported, if it cannot be. */
void bn_lessons_write(const struct bn_lessons *lessons, const char *file);

/** Leaves only lessons of this machine and a library. */
void bn_lessons_select(struct bn_lessons *lessons, const char *library);

/** What has been decided about an operation on communicators of a size is decided in its accounts. */
void bn_lessons_apply(const struct bn_lessons *lessons, enum bn_mpi_operation operation, int processes,
                      struct bn_account *accounts);

void bn_lessons_destroy(struct bn_lessons *lessons);

#ifdef __cplusplus
}
#endif

#endif
