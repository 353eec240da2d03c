/*
 * lines.h: merges the output of many processes so that no line has pieces of two of them.
 *
 * Pieces come in with the process that wrote them, in the order of writing; what goes out is a queue of bytes.  Whole
 * lines are passed on at once, in the order in which they were completed.  An incomplete line is held back, but passed
 * on if nothing follows for BN_LINES_PROMPT_NS, because it may be a prompt, or if it is longer than a limit.  Its
 * writer then owns the output: lines of others are held until the owner ends its line.  If the owner takes longer than
 * BN_LINES_HOLD_NS, or if more than BN_LINES_HOLD_BYTES are held, its line is ended for it.
 *
 * Two channels (standard output and error) that lead to the same file share one object.  Pure data: no system call, and
 * the time is an argument.
 */
#ifndef BN_BOOT_LINES_H
#define BN_BOOT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BN_LINES_PROMPT_NS INT64_C(30000000)
#define BN_LINES_HOLD_NS INT64_C(1000000000)
enum { BN_LINES_HOLD_BYTES = 1 << 20 };

struct bn_lines_config {
    bool has_labels;       /* each line begins with "[<thread>] " */
    bool shows_prompts;    /* false where nobody watches: incomplete lines then wait for their end */
    size_t line_max_bytes; /* longer lines leave in pieces */
};

struct bn_lines;

/* Null if there is no memory. */
struct bn_lines *bn_lines_create(const struct bn_lines_config *config);
void bn_lines_destroy(struct bn_lines *lines);

/* Who wrote something, and where */
struct bn_lines_source {
    int channel; /* 0 or 1; bytes keep it until they leave */
    pid_t process;
    int thread; /* -1 for a process that is no thread */
};

/* Takes what source wrote at now_ns.  False if memory is exhausted: the piece is lost. */
bool bn_lines_put(struct bn_lines *lines, const struct bn_lines_source *source, const char *data, size_t data_bytes,
                  int64_t now_ns);

/* When bn_lines_advance is to be called next; -1 if only input can change something. */
int64_t bn_lines_deadline(const struct bn_lines *lines);

/* Does what is due at now_ns. */
void bn_lines_advance(struct bn_lines *lines, int64_t now_ns);

/* Passes everything on, including incomplete lines, of which each but the last is ended. */
void bn_lines_finish(struct bn_lines *lines);

/* Appends whole lines that come from no process to the output; an incomplete line there is ended first. */
void bn_lines_say(struct bn_lines *lines, int channel, const char *text);

/* The front of the output queue: bytes of one channel.  Null if the queue is empty. */
const char *bn_lines_front(const struct bn_lines *lines, int *channel_p, size_t *bytes_p);

/* Removes bytes from the front. */
void bn_lines_consume(struct bn_lines *lines, size_t bytes);

/* Bytes in the output queue and held for it */
size_t bn_lines_queued_bytes(const struct bn_lines *lines);

#ifdef __cplusplus
}
#endif

#endif
