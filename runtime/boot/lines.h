/*
 * lines.h: puts the output of many processes together so that no line has pieces of two of them.
 *
 * Pieces come in with the process that wrote them, in the order of writing; what goes out is a queue of bytes.  Whole
 * lines leave at once, in the order in which they were completed.  A line without its end stays back; if nothing
 * follows for BN_LINES_PROMPT_NS it leaves all the same, because it may be a prompt, or when it is longer than a limit.
 * Its writer then owns the output: lines of others are held until the owner ends its line.  Should the owner take
 * longer than BN_LINES_HOLD_NS, or should more than BN_LINES_HOLD_BYTES be held, its line is ended for it.
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

/* Lets everything leave, incomplete lines too; each but the last one gets an end. */
void bn_lines_finish(struct bn_lines *lines);

/* Puts whole lines that come from no process behind what is in the output; an incomplete line there gets an end. */
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
