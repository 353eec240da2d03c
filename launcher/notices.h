/*
 * notices.h: what a launcher says on standard error, told apart from what threads say there.  Pure data: no system
 * call.
 *
 * Whole lines are looked at.  A rule of dashes opens a block, the next one closes it.  Blocks of Open MPI that repeat
 * what threads have said are left out; a lost host, and causes that have a remedy, become one line; and all else goes
 * on as it came.  What OpenSHMEM says of calls that fail, as each does that goes to a host that is gone, waits for the
 * end: it goes on if nobody has told why the job ends.
 */
#ifndef BN_LAUNCHER_NOTICES_H
#define BN_LAUNCHER_NOTICES_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LAUNCHER_BLOCK_BYTES = 4096, LAUNCHER_LINE_BYTES = 1024, LAUNCHER_FAULTS_BYTES = 2048 };

struct launcher_notices {
    void (*write)(void *context, const char *text, size_t bytes); /* what goes on */
    void (*report)(void *context, const char *line);              /* what is said in place of a block */
    void *context;
    int threads_each; /* of a process; the last one may have fewer */
    int thread_count; /* of the job */
    bool has_begun;   /* thread 0 has met all others; the line that says so (BN_BEGUN_LINE) does not go on */
    bool has_said;    /* a thread has told why the job ends */
    bool is_lost;     /* that a host is gone was told */
    bool has_remedy;  /* why the launcher gives up was told */
    bool is_in_line;  /* the beginning of the line has gone on already */
    bool is_in_block;
    size_t said_bytes; /* of the words by which has_said is told, at the end of what has come */
    size_t line_bytes, block_bytes, faults_bytes;
    char line[LAUNCHER_LINE_BYTES];     /* the beginning of a line that is held back */
    char block[LAUNCHER_BLOCK_BYTES];   /* the block so far, with its rule */
    char words[LAUNCHER_BLOCK_BYTES];   /* the same at its end, with one blank between words */
    char faults[LAUNCHER_FAULTS_BYTES]; /* the first lines about calls that failed; of more there is no use */
};

/* Takes what has come. */
void launcher_notices_put(struct launcher_notices *notices, const char *data, size_t bytes);

/* Nothing more comes: what is held back goes on. */
void launcher_notices_end(struct launcher_notices *notices);

#ifdef __cplusplus
}
#endif

#endif
