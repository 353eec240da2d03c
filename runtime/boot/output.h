/*
 * output.h: forwards standard output and error of the threads to those of the job.
 *
 * All threads write to one UNIX stream socket per channel.  The kernel preserves the order of all writes and identifies
 * the writer, so the order between threads survives while lines are assembled (boot/lines.h).  If the job's reader is
 * slow, the sockets fill and the threads block, as they would without the monitor; memory stays bounded.  If the reader
 * is gone, the threads get SIGPIPE or EPIPE, as they would without the monitor.
 */
#ifndef BN_BOOT_OUTPUT_H
#define BN_BOOT_OUTPUT_H

#include "base/status.h"
#include "boot/lines.h"

#include <poll.h>

enum {
    BN_OUTPUT_POLL_MAX = 4,
    BN_OUTPUT_STDIO_BYTES = 4096, /* the buffer of standard output, which is a socket (st_blksize) */
};

struct bn_output_channel {
    int receiver;   /* the monitor's end of the socket; -1 when it is no longer read */
    int sender;     /* the threads' end, closed in the monitor after the last fork */
    int target;     /* the file to which the bytes are written */
    bool is_file;   /* writing to the target never blocks */
    bool is_broken; /* the target has no reader any more */
    struct bn_lines *lines;
};

struct bn_output {
    struct bn_output_channel channels[2]; /* standard output, standard error */
    bool is_shared;                       /* both lead to the same file and share one object for lines */
    const pid_t *processes;               /* process ids of the threads, by number; borrowed */
    int thread_count;
    int write_error;     /* 0, or the errno that made a target unusable (other than a missing reader) or a socket */
    bool cannot_receive; /* it was a socket */
};

/* Makes the sockets.  Called before fork. @errors reported. */
bn_status_t bn_output_create(struct bn_output *output, const pid_t *processes, int thread_count, bool has_labels);

/*
 * In a thread, after fork: makes the sockets its standard output and error, which become line-buffered, and frees
 * resources that only the monitor needs.
 */
void bn_output_attach(struct bn_output *output);

/* In the monitor, after the last fork. */
void bn_output_start(struct bn_output *output);

/* Fills in what to poll for; returns the number of entries written. */
int bn_output_poll(const struct bn_output *output, struct pollfd *polls);

/* When bn_output_move must be called even if nothing is ready; -1 for never. */
int64_t bn_output_deadline(const struct bn_output *output);

/* Moves what can be moved without waiting. */
void bn_output_move(struct bn_output *output, int64_t now_ns);

/* After the last thread has died: reads what is left in the sockets, and ends incomplete lines. */
void bn_output_finish(struct bn_output *output, int64_t now_ns);

/* Appends a message of the monitor, in whole lines, to standard error. */
void bn_output_say(struct bn_output *output, const char *text);

/* Whether everything has been written, or can never be written */
bool bn_output_is_empty(const struct bn_output *output);

/* Whether the reader of a channel is gone, or the threads cannot reach it */
bool bn_output_is_broken(const struct bn_output *output);

#endif
