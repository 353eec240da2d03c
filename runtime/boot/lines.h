/*
 * lines.h: merges the output of many processes; a line never mixes two processes, unless they deliberately take turns
 * printing it.
 *
 * The input is pieces of output with the process that wrote them, in the order of writing; the output is a queue of
 * bytes, of which none is added or lost.  Whole lines are passed on in order.  An incomplete line waits for the rest of
 * it; if nothing follows for BN_LINES_PROMPT_NS it is shown, because it may be a prompt.  To preserve order, later
 * output of other processes waits behind it for up to BN_LINES_HOLD_NS, as long as no more than held_max_bytes wait.  A
 * piece that its writer has flushed on purpose is passed on immediately, and nothing waits for the end of its line:
 * threads may be printing one row by turns, with barriers between.
 *
 * With labels, output is never inserted into a line of another process; that line is ended first.
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

struct bn_lines_config {
    bool has_labels; /* each line begins with "[<thread>] " */
    size_t held_max_bytes;
};

struct bn_lines;

/* Null if there is no memory. */
struct bn_lines *bn_lines_create(const struct bn_lines_config *config);
void bn_lines_destroy(struct bn_lines *lines);

/* The writer of a piece, and the channel */
struct bn_lines_source {
    int channel; /* 0 or 1; bytes keep their channel until they leave the queue */
    pid_t process;
    int thread;      /* -1 for a process that is not a thread */
    bool is_flushed; /* the piece ends where the writer flushed, even if within a line */
};

/* Takes a piece that source wrote, arriving at now_ns.  Returns false if memory is exhausted; the piece is then
 * lost. */
bool bn_lines_put(struct bn_lines *lines, const struct bn_lines_source *source, const char *data, size_t data_bytes,
                  int64_t now_ns);

/* When bn_lines_advance must be called next; -1 if only new input can change anything. */
int64_t bn_lines_deadline(const struct bn_lines *lines);

/* Performs the actions that are due at now_ns.  This and the next two return false if memory is exhausted; some output
 * is then lost. */
bool bn_lines_advance(struct bn_lines *lines, int64_t now_ns);

/* Passes everything on, including incomplete lines. */
bool bn_lines_finish(struct bn_lines *lines);

/* Appends whole lines that come from the monitor itself; an incomplete line in the output is ended first. */
bool bn_lines_say(struct bn_lines *lines, int channel, const char *text);

/* The front of the output queue: bytes of one channel.  Null if the queue is empty. */
const char *bn_lines_front(const struct bn_lines *lines, int *channel_p, size_t *bytes_p);

/* Removes bytes from the front. */
void bn_lines_consume(struct bn_lines *lines, size_t bytes);

/* Bytes in the output queue, without those that wait for the end of a line */
size_t bn_lines_queued_bytes(const struct bn_lines *lines);

#ifdef __cplusplus
}
#endif

#endif
