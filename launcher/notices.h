/*
 * notices.h: separates a launcher's messages on standard error from the output of threads there.  Pure data: no system
 * calls.
 *
 * Whole lines are examined.  A rule of dashes opens a block, the next one closes it.  Blocks of Open MPI that repeat
 * what threads have reported are dropped; a lost host, and errors with a known remedy, become one line; everything else
 * is passed on unchanged.  OpenSHMEM's messages about failing calls, such as every call to a lost host, are held until
 * the end and passed on only if nothing else has explained the end of the job.
 */
#ifndef BN_LAUNCHER_NOTICES_H
#define BN_LAUNCHER_NOTICES_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LAUNCHER_BLOCK_BYTES = 4096,
    LAUNCHER_LINE_BYTES = 1024,
    LAUNCHER_FAULTS_BYTES = 2048,
    LAUNCHER_SAID_BYTES = 32
};

struct launcher_notices {
    void (*write)(void *context, const char *text, size_t bytes); /* passes text on */
    void (*report)(void *context, const char *line);              /* reports a line instead of a block */
    void *context;
    int threads_each; /* threads per process; the last process may have fewer */
    int thread_count; /* threads of the job */
    bool has_begun;   /* thread 0 has met all others; the line that says so (BN_BEGUN_LINE) is dropped */
    bool is_ended;    /* a process has said that the job is over (BN_ENDED_LINE, dropped) */
    bool has_said;    /* a thread has reported why the job ends */
    bool has_reason;  /* something explains why the launcher ends, or is passed on and may do so */
    bool is_lost;     /* a lost host has been reported */
    bool has_remedy;  /* the reason why the launcher gives up has been reported */
    bool is_in_line;  /* the beginning of the line has been passed on already */
    bool is_in_block;
    bool is_after_block; /* its last line, or that of a fault, has just ended */
    size_t said_bytes, line_bytes, block_bytes, faults_bytes;
    char said[LAUNCHER_SAID_BYTES];     /* the beginning of a message of the runtime, which may set has_said */
    char line[LAUNCHER_LINE_BYTES];     /* the beginning of a line, held back */
    char block[LAUNCHER_BLOCK_BYTES];   /* the block so far, with its rule */
    char words[LAUNCHER_BLOCK_BYTES];   /* the complete block, with single blanks between words */
    char faults[LAUNCHER_FAULTS_BYTES]; /* the first lines about failed calls; more would not help */
};

/* What to do about a limit of open files */
extern const char launcher_files_remedy[];

/* Takes input. */
void launcher_notices_put(struct launcher_notices *notices, const char *data, size_t bytes);

/* Whether the input says that the job has ended, so that the launcher should end, too. */
bool launcher_notices_tell_end(const struct launcher_notices *notices);

/* Ends the input: passes on what is held back. */
void launcher_notices_end(struct launcher_notices *notices);

#ifdef __cplusplus
}
#endif

#endif
