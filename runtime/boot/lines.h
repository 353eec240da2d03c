/*
 * lines.h: merges the output of many processes so that no line has pieces of two of them, unless they take turns.
 *
 * Pieces come in with the process that wrote them, in the order of writing; what goes out is a queue of bytes, of which
 * none is added or lost.  Whole lines are passed on in that order.  A line that is not complete waits for the rest of
 * it; if nothing follows for BN_LINES_PROMPT_NS it is shown, because it may be a prompt.  What others write waits
 * behind it, so that order stays, for up to BN_LINES_HOLD_NS, and as long as no more than held_max_bytes wait.  A piece
 * that its writer has flushed on purpose goes on at once, and nobody waits for its end: threads may be printing one row
 * by turns, with barriers between.
 *
 * With labels nothing is passed on within a line of another process: the line is ended for it.
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

/* Who wrote something, and where */
struct bn_lines_source {
    int channel; /* 0 or 1; bytes keep it until they leave */
    pid_t process;
    int thread;      /* -1 for a process that is no thread */
    bool is_flushed; /* what it wrote ends where it flushed, even if within a line */
};

/* Takes what source wrote at now_ns.  False if memory is exhausted: the piece is lost. */
bool bn_lines_put(struct bn_lines *lines, const struct bn_lines_source *source, const char *data, size_t data_bytes,
                  int64_t now_ns);

/* When bn_lines_advance is to be called next; -1 if only input can change something. */
int64_t bn_lines_deadline(const struct bn_lines *lines);

/* Does what is due at now_ns. */
void bn_lines_advance(struct bn_lines *lines, int64_t now_ns);

/* Passes everything on, including incomplete lines. */
void bn_lines_finish(struct bn_lines *lines);

/* Appends whole lines that come from no process to the output; an incomplete line there is ended first. */
void bn_lines_say(struct bn_lines *lines, int channel, const char *text);

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
