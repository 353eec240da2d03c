#include "boot/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 64 << 10 };

/* A piece of a queue: bytes of one channel */
struct chunk {
    struct chunk *next;
    int channel;
    size_t begin, end;
    char data[CHUNK_BYTES];
};

struct queue {
    struct chunk *first, *last;
    size_t bytes;
};

/* What one process writes to one channel */
struct stream {
    struct stream *next;
    struct bn_lines_source source;
    char *partial; /* the beginning of a line that has not left yet */
    size_t partial_bytes, partial_room;
    int64_t last_ns; /* when the process wrote last */
};

struct bn_lines {
    struct bn_lines_config config;
    struct stream *streams;
    struct stream *owner; /* its line is incomplete in the output */
    struct queue output;
    struct queue held;        /* whole lines that wait for the owner's to end */
    int64_t blocked_since_ns; /* when the first of those came to wait; -1 if nobody waits for the owner */
    struct chunk *spare;
};

struct bn_lines *bn_lines_create(const struct bn_lines_config *config)
{
    struct bn_lines *lines = calloc(1, sizeof *lines);
    if (lines) {
        lines->config = *config;
        lines->blocked_since_ns = -1;
    }
    return lines;
}

static void free_queue(struct queue *queue)
{
    while (queue->first) {
        struct chunk *chunk = queue->first;
        queue->first = chunk->next;
        free(chunk);
    }
}

void bn_lines_destroy(struct bn_lines *lines)
{
    while (lines->streams) {
        struct stream *stream = lines->streams;
        lines->streams = stream->next;
        free(stream->partial);
        free(stream);
    }
    free_queue(&lines->output);
    free_queue(&lines->held);
    free(lines->spare);
    free(lines);
}

/* ---- Queues ---- */

static struct chunk *new_chunk(struct bn_lines *lines, int channel)
{
    struct chunk *chunk = lines->spare ? lines->spare : malloc(sizeof *chunk);
    lines->spare = NULL;
    if (chunk) {
        chunk->next = NULL;
        chunk->channel = channel;
        chunk->begin = chunk->end = 0;
    }
    return chunk;
}

static bool append(struct bn_lines *lines, struct queue *queue, int channel, const char *data, size_t bytes)
{
    while (bytes > 0) {
        struct chunk *last = queue->last;
        if (!last || last->channel != channel || last->end == CHUNK_BYTES) {
            struct chunk *fresh = new_chunk(lines, channel);
            if (!fresh)
                return false;
            if (last)
                last->next = fresh;
            else
                queue->first = fresh;
            queue->last = last = fresh;
        }
        size_t now = CHUNK_BYTES - last->end < bytes ? CHUNK_BYTES - last->end : bytes;
        memcpy(last->data + last->end, data, now);
        last->end += now;
        queue->bytes += now;
        data += now;
        bytes -= now;
    }
    return true;
}

const char *bn_lines_front(const struct bn_lines *lines, int *channel_p, size_t *bytes_p)
{
    const struct chunk *chunk = lines->output.first;
    if (!chunk)
        return NULL;
    *channel_p = chunk->channel;
    *bytes_p = chunk->end - chunk->begin;
    return chunk->data + chunk->begin;
}

void bn_lines_consume(struct bn_lines *lines, size_t bytes)
{
    struct chunk *chunk = lines->output.first;
    chunk->begin += bytes;
    lines->output.bytes -= bytes;
    if (chunk->begin < chunk->end)
        return;
    lines->output.first = chunk->next;
    if (!chunk->next)
        lines->output.last = NULL;
    free(lines->spare);
    lines->spare = chunk;
}

size_t bn_lines_queued_bytes(const struct bn_lines *lines)
{
    return lines->output.bytes + lines->held.bytes;
}

/* ---- Lines ---- */

static bool append_label(struct bn_lines *lines, struct queue *queue, const struct stream *stream)
{
    char label[32];
    if (!lines->config.has_labels)
        return true;
    int bytes = stream->source.thread >= 0 ? snprintf(label, sizeof label, "[%d] ", stream->source.thread)
                                           : snprintf(label, sizeof label, "[pid %d] ", (int)stream->source.process);
    return append(lines, queue, stream->source.channel, label, (size_t)bytes);
}

/* Appends whole lines, the first of which begins with what the stream has kept. */
static bool append_lines(struct bn_lines *lines, struct queue *queue, struct stream *stream, const char *data,
                         size_t bytes)
{
    int channel = stream->source.channel;
    bool is_ok =
        append_label(lines, queue, stream) && append(lines, queue, channel, stream->partial, stream->partial_bytes);
    stream->partial_bytes = 0;
    if (!lines->config.has_labels)
        return is_ok && append(lines, queue, channel, data, bytes);
    for (const char *end = data + bytes; data < end && is_ok;) {
        const char *next = (const char *)memchr(data, '\n', (size_t)(end - data)) + 1;
        is_ok = append(lines, queue, channel, data, (size_t)(next - data)) &&
                (next == end || append_label(lines, queue, stream));
        data = next;
    }
    return is_ok;
}

/* The owner's line is complete: what was held may follow. */
static void release(struct bn_lines *lines)
{
    lines->owner = NULL;
    lines->blocked_since_ns = -1;
    if (!lines->held.first)
        return;
    if (lines->output.last)
        lines->output.last->next = lines->held.first;
    else
        lines->output.first = lines->held.first;
    lines->output.last = lines->held.last;
    lines->output.bytes += lines->held.bytes;
    lines->held = (struct queue){NULL, NULL, 0};
}

/* Ends the owner's line for it. */
static void break_line(struct bn_lines *lines)
{
    if (!lines->owner)
        return;
    append(lines, &lines->output, lines->owner->source.channel, "\n", 1);
    release(lines);
}

static void note_blocked(struct bn_lines *lines, int64_t now_ns)
{
    if (lines->blocked_since_ns < 0)
        lines->blocked_since_ns = now_ns;
    if (lines->held.bytes > BN_LINES_HOLD_BYTES)
        break_line(lines);
}

static bool keep_partial(struct stream *stream, const char *data, size_t bytes)
{
    size_t wanted = stream->partial_bytes + bytes;
    if (wanted > stream->partial_room) {
        size_t room = stream->partial_room ? stream->partial_room : 128;
        while (room < wanted)
            room *= 2;
        char *grown = realloc(stream->partial, room);
        if (!grown)
            return false;
        stream->partial = grown;
        stream->partial_room = room;
    }
    if (bytes > 0)
        memcpy(stream->partial + stream->partial_bytes, data, bytes);
    stream->partial_bytes = wanted;
    return true;
}

/* Lets an incomplete line leave; the stream becomes the owner. */
static void show_partial(struct bn_lines *lines, struct stream *stream)
{
    break_line(lines);
    append_label(lines, &lines->output, stream);
    append(lines, &lines->output, stream->source.channel, stream->partial, stream->partial_bytes);
    stream->partial_bytes = 0;
    lines->owner = stream;
}

static struct stream *find_stream(struct bn_lines *lines, const struct bn_lines_source *source)
{
    for (struct stream **link = &lines->streams; *link; link = &(*link)->next) {
        struct stream *stream = *link;
        if (stream->source.process != source->process || stream->source.channel != source->channel)
            continue;
        *link = stream->next;
        stream->next = lines->streams;
        lines->streams = stream;
        return stream;
    }
    struct stream *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return NULL;
    fresh->source = *source;
    fresh->next = lines->streams;
    lines->streams = fresh;
    return fresh;
}

/* Processes that are no threads come and go, so their streams are kept only while they hold something. */
static void drop_if_idle(struct bn_lines *lines, struct stream *stream)
{
    if (stream->source.thread >= 0 || stream->partial_bytes > 0 || lines->owner == stream)
        return;
    for (struct stream **link = &lines->streams; *link; link = &(*link)->next) {
        if (*link == stream) {
            *link = stream->next;
            free(stream->partial);
            free(stream);
            return;
        }
    }
}

bool bn_lines_put(struct bn_lines *lines, const struct bn_lines_source *source, const char *data, size_t data_bytes,
                  int64_t now_ns)
{
    struct stream *stream = find_stream(lines, source);
    if (!stream)
        return false;
    bool is_ok = true;
    stream->last_ns = now_ns;
    if (lines->owner == stream) {
        const char *end = memchr(data, '\n', data_bytes);
        size_t bytes = end ? (size_t)(end - data) + 1 : data_bytes;
        is_ok = append(lines, &lines->output, source->channel, data, bytes);
        data += bytes;
        data_bytes -= bytes;
        if (end)
            release(lines);
    }
    const char *last = data_bytes > 0 ? memrchr(data, '\n', data_bytes) : NULL;
    if (last) {
        size_t bytes = (size_t)(last - data) + 1;
        is_ok = append_lines(lines, lines->owner ? &lines->held : &lines->output, stream, data, bytes) && is_ok;
        data += bytes;
        data_bytes -= bytes;
        if (lines->owner)
            note_blocked(lines, now_ns);
    }
    is_ok = keep_partial(stream, data, data_bytes) && is_ok;
    if (stream->partial_bytes > lines->config.line_max_bytes)
        show_partial(lines, stream);
    drop_if_idle(lines, stream);
    return is_ok;
}

/* Whether the stream holds something that may be a prompt */
static bool has_prompt(const struct bn_lines *lines, const struct stream *stream)
{
    return lines->config.shows_prompts && stream->partial_bytes > 0;
}

int64_t bn_lines_deadline(const struct bn_lines *lines)
{
    if (lines->owner && lines->blocked_since_ns >= 0)
        return lines->blocked_since_ns + BN_LINES_HOLD_NS;
    int64_t deadline = -1;
    for (const struct stream *stream = lines->streams; stream; stream = stream->next) {
        int64_t due = stream->last_ns + BN_LINES_PROMPT_NS;
        if (has_prompt(lines, stream) && (deadline < 0 || due < deadline))
            deadline = due;
    }
    return deadline;
}

void bn_lines_advance(struct bn_lines *lines, int64_t now_ns)
{
    if (lines->owner && lines->blocked_since_ns >= 0 && now_ns >= lines->blocked_since_ns + BN_LINES_HOLD_NS)
        break_line(lines);
    for (struct stream *stream = lines->streams; stream;) {
        struct stream *next = stream->next;
        if (has_prompt(lines, stream) && now_ns >= stream->last_ns + BN_LINES_PROMPT_NS) {
            if (lines->owner)
                note_blocked(lines, now_ns);
            else
                show_partial(lines, stream);
        }
        stream = next;
    }
}

void bn_lines_finish(struct bn_lines *lines)
{
    for (struct stream *stream = lines->streams; stream; stream = stream->next) {
        if (stream->partial_bytes > 0)
            show_partial(lines, stream);
    }
    if (lines->held.first)
        break_line(lines);
}

void bn_lines_say(struct bn_lines *lines, int channel, const char *text)
{
    break_line(lines);
    append(lines, &lines->output, channel, text, strlen(text));
}
