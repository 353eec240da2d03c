/*
 * draft.h: writes a file atomically: it appears as a whole once it is complete, so concurrent readers and writers never
 * see half of it, and the old contents stay if writing fails.
 *
 * A symbolic link stays, and its target is written.  Anything but a plain file (a device such as /dev/null, a pipe) is
 * written directly: replacing it by a file would remove it for everybody.
 */
#ifndef BN_BASE_DRAFT_H
#define BN_BASE_DRAFT_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Between begin and end callers may use only `file`; the other members are private to draft.c. */
struct bn_draft {
    FILE *file;
    char *name;                /* name of the final file, with all links resolved */
    char *path;                /* path of the draft; null: `name` itself is written */
    struct sigaction at_limit; /* what SIGXFSZ did before */
};

/** Whether bn_draft_begin is likely to succeed, for callers that work long before they write.  Changes nothing.  If it
 * returns false, errno says why. */
bool bn_draft_is_possible(const char *name);

/** Opens a draft of the file `name`.  If it fails, it returns false with errno set, and bn_draft_end must not be
 * called.  Until that call the process ignores SIGXFSZ: beyond the limit on file sizes writing fails, as on a full
 * disk. */
bool bn_draft_begin(struct bn_draft *draft, const char *name);

/** Closes any file that was written.  Returns false with errno set if something could not be written; EIO if that was
 * an earlier write, whose reason is not known any more. */
bool bn_draft_close(FILE *file);

/** Closes the draft and moves it into place.  If something could not be written, returns false with errno set, and the
 * old contents stay.
 */
bool bn_draft_end(struct bn_draft *draft);

#ifdef __cplusplus
}
#endif

#endif
