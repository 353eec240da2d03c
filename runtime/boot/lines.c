#include "boot/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 64 << 10 };

/* A piece of the output queue: bytes of one channel */
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

/* Input that has not left yet: whole lines, or an open one that its writer may continue.  Entries leave in order. */
struct entry {
    struct entry *next;
    struct stream *writer; /* the stream that may continue it; null if the entry is closed */
    struct bn_lines_source source;
    char *data;
    size_t bytes, room_bytes;
    int64_t first_ns, last_ns; /* arrival times of its first and last piece */
    bool is_shown;             /* this is the first entry, and the beginning of its line is in the output queue */
};

/* The output of one process to one channel */
struct stream {
    struct stream *next;
    struct bn_lines_source source;
    struct entry *open; /* its incomplete line; null if there is none */
};

struct bn_lines {
    struct bn_lines_config config;
    struct stream *streams;
    struct entry *first, *last;
    size_t held_bytes; /* of all entries */
    struct queue output;
    bool is_in_line;                /* the last output did not end its line, */
    struct bn_lines_source in_line; /* and was written by that process */
    struct chunk *spare;
};

struct bn_lines *bn_lines_create(const struct bn_lines_config *config)
{
    struct bn_lines *lines = calloc(1, sizeof *lines);
    if (lines)
        lines->config = *config;
    return lines;
}

static void free_first(struct bn_lines *lines)
{
    struct entry *entry = lines->first;
    lines->first = entry->next;
    if (!entry->next)
        lines->last = NULL;
    lines->held_bytes -= entry->bytes;
    free(entry->data);
    free(entry);
}

void bn_lines_destroy(struct bn_lines *lines)
{
    while (lines->streams) {
        struct stream *stream = lines->streams;
        lines->streams = stream->next;
        free(stream);
    }
    while (lines->first)
        free_first(lines);
    while (lines->output.first) {
        struct chunk *chunk = lines->output.first;
        lines->output.first = chunk->next;
        free(chunk);
    }
    free(lines->spare);
    free(lines);
}

/* ---- The output queue ---- */

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

static bool append(struct bn_lines *lines, int channel, const char *data, size_t bytes)
{
    struct queue *queue = &lines->output;
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
    return lines->output.bytes;
}

/* ---- Lines ---- */

static bool is_same(const struct bn_lines_source *a, const struct bn_lines_source *b)
{
    return a->process == b->process && a->channel == b->channel;
}

static bool append_label(struct bn_lines *lines, const struct bn_lines_source *source)
{
    char label[32];
    int bytes = source->thread >= 0 ? snprintf(label, sizeof label, "[%d] ", source->thread)
                                    : snprintf(label, sizeof label, "[pid %d] ", (int)source->process);
    return append(lines, source->channel, label, (size_t)bytes);
}

static bool end_line(struct bn_lines *lines)
{
    bool is_ok = !lines->is_in_line || append(lines, lines->in_line.channel, "\n", 1);
    lines->is_in_line = false;
    return is_ok;
}

static bool pass_on_labelled(struct bn_lines *lines, const struct bn_lines_source *source, const char *data,
                             size_t bytes)
{
    bool goes_on = lines->is_in_line && is_same(&lines->in_line, source);
    bool is_ok = goes_on || end_line(lines);
    for (const char *end = data + bytes; data < end && is_ok;) {
        const char *line_end = memchr(data, '\n', (size_t)(end - data));
        const char *next = line_end ? line_end + 1 : end;
        is_ok = (goes_on || append_label(lines, source)) && append(lines, source->channel, data, (size_t)(next - data));
        goes_on = false;
        data = next;
    }
    return is_ok;
}

/* Puts bytes, at least one, in the output queue. */
static bool pass_on(struct bn_lines *lines, const struct bn_lines_source *source, const char *data, size_t bytes)
{
    bool is_ok = lines->config.has_labels ? pass_on_labelled(lines, source, data, bytes)
                                          : append(lines, source->channel, data, bytes);
    lines->is_in_line = data[bytes - 1] != '\n';
    lines->in_line = *source;
    return is_ok;
}

/* ---- Waiting entries ---- */

static struct entry *add_entry(struct bn_lines *lines, const struct bn_lines_source *source, struct stream *writer,
                               int64_t now_ns)
{
    struct entry *entry = calloc(1, sizeof *entry);
    if (!entry)
        return NULL;
    entry->source = *source;
    entry->writer = writer;
    entry->first_ns = entry->last_ns = now_ns;
    if (lines->last)
        lines->last->next = entry;
    else
        lines->first = entry;
    lines->last = entry;
    return entry;
}

static bool hold(struct bn_lines *lines, struct entry *entry, const char *data, size_t bytes)
{
    size_t wanted = entry->bytes + bytes;
    if (wanted > entry->room_bytes) {
        size_t room = entry->room_bytes ? entry->room_bytes : 128;
        while (room < wanted)
            room *= 2;
        char *grown = realloc(entry->data, room);
        if (!grown)
            return false;
        entry->data = grown;
        entry->room_bytes = room;
    }
    memcpy(entry->data + entry->bytes, data, bytes);
    entry->bytes = wanted;
    lines->held_bytes += bytes;
    return true;
}

/* Further output of its writer starts another entry. */
static void close_entry(struct entry *entry)
{
    if (entry->writer)
        entry->writer->open = NULL;
    entry->writer = NULL;
}

/* Passes on entries that need not wait. */
static bool release(struct bn_lines *lines)
{
    bool is_ok = true;
    while (lines->first && (!lines->first->writer || lines->held_bytes > lines->config.held_max_bytes)) {
        struct entry *entry = lines->first;
        close_entry(entry);
        is_ok = (entry->bytes == 0 || pass_on(lines, &entry->source, entry->data, entry->bytes)) && is_ok;
        free_first(lines);
    }
    return is_ok;
}

/* ---- Writers ---- */

static struct stream *find_stream(struct bn_lines *lines, const struct bn_lines_source *source)
{
    for (struct stream **link = &lines->streams; *link; link = &(*link)->next) {
        struct stream *stream = *link;
        if (!is_same(&stream->source, source))
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

/* Processes that are not threads come and go, so their streams are kept only while they have an open entry. */
static void drop_if_idle(struct bn_lines *lines, struct stream *stream)
{
    if (stream->source.thread >= 0 || stream->open)
        return;
    struct stream **link = &lines->streams;
    while (*link != stream)
        link = &(*link)->next;
    *link = stream->next;
    free(stream);
}

static bool put_whole(struct bn_lines *lines, const struct bn_lines_source *source, const char *data, size_t bytes,
                      int64_t now_ns)
{
    if (!lines->first)
        return pass_on(lines, source, data, bytes);
    struct entry *last = lines->last;
    if (last->writer || !is_same(&last->source, source))
        last = add_entry(lines, source, NULL, now_ns);
    return last && hold(lines, last, data, bytes);
}

/* Passes on what the first entry holds so far; its writer may continue it. */
static bool show(struct bn_lines *lines)
{
    struct entry *entry = lines->first;
    bool is_ok = entry->bytes == 0 || pass_on(lines, &entry->source, entry->data, entry->bytes);
    lines->held_bytes -= entry->bytes;
    entry->bytes = 0;
    entry->is_shown = true;
    return is_ok;
}

static bool put_partial(struct bn_lines *lines, struct stream *stream, const char *data, size_t bytes, int64_t now_ns)
{
    if (!stream->open)
        stream->open = add_entry(lines, &stream->source, stream, now_ns);
    if (!stream->open)
        return false;
    stream->open->last_ns = now_ns;
    return hold(lines, stream->open, data, bytes) && (!stream->open->is_shown || show(lines));
}

bool bn_lines_put(struct bn_lines *lines, const struct bn_lines_source *source, const char *data, size_t data_bytes,
                  int64_t now_ns)
{
    struct stream *stream = find_stream(lines, source);
    if (!stream)
        return false;
    bool is_ok = true;
    const char *end = stream->open ? memchr(data, '\n', data_bytes) : NULL;
    if (end) {
        size_t bytes = (size_t)(end - data) + 1;
        is_ok = hold(lines, stream->open, data, bytes);
        close_entry(stream->open);
        is_ok = release(lines) && is_ok;
        data += bytes;
        data_bytes -= bytes;
    }
    const char *last = stream->open ? NULL : memrchr(data, '\n', data_bytes);
    if (last) {
        size_t bytes = (size_t)(last - data) + 1;
        is_ok = put_whole(lines, source, data, bytes, now_ns) && is_ok;
        data += bytes;
        data_bytes -= bytes;
    }
    if (data_bytes > 0)
        is_ok = put_partial(lines, stream, data, data_bytes, now_ns) && is_ok;
    if (stream->open && source->is_flushed && !lines->config.has_labels)
        close_entry(stream->open);
    is_ok = release(lines) && is_ok;
    drop_if_idle(lines, stream);
    return is_ok;
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* When the first entry must be shown; INT64_MAX: never */
static int64_t show_at_ns(const struct bn_lines *lines)
{
    const struct entry *first = lines->first;
    return first && !first->is_shown ? earlier(first->last_ns + BN_LINES_PROMPT_NS, first->first_ns + BN_LINES_HOLD_NS)
                                     : INT64_MAX;
}

/* When the entries behind it have waited long enough; INT64_MAX: there are none */
static int64_t close_at_ns(const struct bn_lines *lines)
{
    const struct entry *first = lines->first;
    return first && first->next ? first->next->first_ns + BN_LINES_HOLD_NS : INT64_MAX;
}

int64_t bn_lines_deadline(const struct bn_lines *lines)
{
    int64_t deadline = earlier(show_at_ns(lines), close_at_ns(lines));
    return deadline == INT64_MAX ? -1 : deadline;
}

bool bn_lines_advance(struct bn_lines *lines, int64_t now_ns)
{
    bool is_ok = true;
    while (now_ns >= close_at_ns(lines)) {
        struct stream *writer = lines->first->writer;
        close_entry(lines->first);
        is_ok = release(lines) && is_ok;
        drop_if_idle(lines, writer);
    }
    if (now_ns >= show_at_ns(lines))
        is_ok = show(lines) && is_ok;
    return is_ok;
}

bool bn_lines_finish(struct bn_lines *lines)
{
    for (struct entry *entry = lines->first; entry; entry = entry->next)
        close_entry(entry);
    return release(lines);
}

bool bn_lines_say(struct bn_lines *lines, int channel, const char *text)
{
    bool is_ok = end_line(lines);
    return append(lines, channel, text, strlen(text)) && is_ok;
}
