/*
 * draft.h: a file that appears as a whole once it is written, so who reads or writes it at the same time never meets
 * half of it, and what was there stays if writing fails.
 *
 * A symbolic link stays, and what it names is written.  What is no plain file (a device such as /dev/null, a pipe) is
 * written as it is: a file in its place would take it away from everybody.
 */
#ifndef BN_BASE_DRAFT_H
#define BN_BASE_DRAFT_H

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Between begin and end only `file` is for others; all else is draft.c's. */
struct bn_draft {
    FILE *file;
    char *name; /* of what is to be written, behind all links */
    char *path; /* of what is written until then; null: `name` itself */
};

/** Whether begin will open it, for who works long before there is something to write.  Nothing changes.  False: errno
 * says why. */
bool bn_draft_is_possible(const char *name);

/** Opens what is to become the file `name`.  False: it cannot be, errno says why, and no end is to follow. */
bool bn_draft_begin(struct bn_draft *draft, const char *name);

/** Closes it and puts it in its place.  False: something could not be written, errno says what; what was there stays.
 */
bool bn_draft_end(struct bn_draft *draft);

#ifdef __cplusplus
}
#endif

#endif
