/*
 * trace.c: a trace in the protobuf format that Perfetto reads (its trace_packet.proto): a process for each node, a
 * thread track for each thread, a slice for each operation, and the number of dropped events.
 */
#include "upc/nodes.h"
#include "upc/profile/events.h"

#include <string.h>

enum { TEXT_BYTES = 128 };

/* Numbers of fields, as in Perfetto's .proto files */
enum { TRACE_PACKET = 1 };
enum { PACKET_TIMESTAMP = 8, PACKET_SEQUENCE = 10, PACKET_TRACK_EVENT = 11, PACKET_TRACK_DESCRIPTOR = 60 };
enum { DESCRIPTOR_UUID = 1, DESCRIPTOR_PROCESS = 3, DESCRIPTOR_THREAD = 4, DESCRIPTOR_PARENT = 5 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6 };
enum { THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum { EVENT_ANNOTATION = 4, EVENT_TYPE = 9, EVENT_TRACK = 11, EVENT_CATEGORY = 22, EVENT_NAME = 23 };
enum { ANNOTATION_UINT = 3, ANNOTATION_STRING = 6, ANNOTATION_NAME = 10 };
enum { SLICE_BEGIN = 1, SLICE_END = 2, INSTANT = 3 };

/* ---- Messages of protobuf ---- */

/* Every message fits: names of operations and ways are Banyan's own, other texts are truncated. */
struct message {
    unsigned char bytes[512];
    size_t count;
};

static void put_varint(struct message *message, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        message->bytes[message->count++] = (unsigned char)(value | 0x80);
    message->bytes[message->count++] = (unsigned char)value;
}

static void put_number(struct message *message, unsigned field, uint64_t value)
{
    put_varint(message, field << 3);
    put_varint(message, value);
}

static void put_bytes(struct message *message, unsigned field, const void *bytes, size_t count)
{
    put_varint(message, field << 3 | 2);
    put_varint(message, count);
    memcpy(message->bytes + message->count, bytes, count);
    message->count += count;
}

static void put_text(struct message *message, unsigned field, const char *text)
{
    put_bytes(message, field, text, strnlen(text, TEXT_BYTES));
}

static void put_message(struct message *message, unsigned field, const struct message *inner)
{
    put_bytes(message, field, inner->bytes, inner->count);
}

static void write_packet(FILE *file, const struct message *packet)
{
    struct message head = {.count = 0};
    put_varint(&head, TRACE_PACKET << 3 | 2);
    put_varint(&head, packet->count);
    fwrite(head.bytes, 1, head.count, file);
    fwrite(packet->bytes, 1, packet->count, file);
}

/* ---- Tracks ---- */

/* Numbers of processes and threads begin at 1: 0 is the idle task. */
static uint64_t number_of(int thread_or_node)
{
    return (uint64_t)thread_or_node + 1;
}

static uint64_t track_of_node(int node)
{
    return UINT64_C(1) << 32 | number_of(node);
}

static uint64_t track_of_thread(int thread)
{
    return UINT64_C(2) << 32 | number_of(thread);
}

static void write_descriptor(FILE *file, uint64_t track, uint64_t parent, unsigned kind, const struct message *what)
{
    struct message descriptor = {.count = 0}, packet = {.count = 0};
    put_number(&descriptor, DESCRIPTOR_UUID, track);
    if (parent != 0)
        put_number(&descriptor, DESCRIPTOR_PARENT, parent);
    put_message(&descriptor, kind, what);
    put_number(&packet, PACKET_SEQUENCE, 1);
    put_message(&packet, PACKET_TRACK_DESCRIPTOR, &descriptor);
    write_packet(file, &packet);
}

static void write_tracks(FILE *file, const struct bn_profile *profile)
{
    char name[TEXT_BYTES];
    for (int thread = 0; thread < profile->thread_count; thread++) {
        int node = profile->nodes[thread];
        struct message process = {.count = 0}, own = {.count = 0};
        if (bn_nodes_first_thread(thread) == thread) {
            snprintf(name, sizeof name, "%.64s, node %d", profile->program, node);
            put_number(&process, PROCESS_PID, number_of(node));
            put_text(&process, PROCESS_NAME, name);
            write_descriptor(file, track_of_node(node), 0, DESCRIPTOR_PROCESS, &process);
        }
        snprintf(name, sizeof name, "UPC thread %d", thread);
        put_number(&own, THREAD_PID, number_of(node));
        put_number(&own, THREAD_TID, number_of(profile->node_count + thread)); /* differs from those of processes */
        put_text(&own, THREAD_NAME, name);
        write_descriptor(file, track_of_thread(thread), track_of_node(node), DESCRIPTOR_THREAD, &own);
    }
}

/* ---- Events ---- */

static void annotate(struct message *event, const char *name, uint64_t number, const char *text)
{
    struct message annotation = {.count = 0};
    put_text(&annotation, ANNOTATION_NAME, name);
    if (text)
        put_text(&annotation, ANNOTATION_STRING, text);
    else
        put_number(&annotation, ANNOTATION_UINT, number);
    put_message(event, EVENT_ANNOTATION, &annotation);
}

/* The first fields of an event of a thread */
static struct message event_of(int thread, uint64_t type)
{
    struct message event = {.count = 0};
    put_number(&event, EVENT_TYPE, type);
    put_number(&event, EVENT_TRACK, track_of_thread(thread));
    return event;
}

static void write_event(FILE *file, int thread, double ns, const struct message *event)
{
    struct message packet = {.count = 0};
    put_number(&packet, PACKET_TIMESTAMP, ns > 0 ? (uint64_t)ns : 0);
    put_number(&packet, PACKET_SEQUENCE, number_of(thread) + 1);
    put_message(&packet, PACKET_TRACK_EVENT, event);
    write_packet(file, &packet);
}

static void write_slice(FILE *file, int thread, const struct bn_book_event *event, double begin_ns, double end_ns)
{
    enum bn_profile_operation operation = (enum bn_profile_operation)event->operation;
    struct message begin = event_of(thread, SLICE_BEGIN), end = event_of(thread, SLICE_END);
    put_text(&begin, EVENT_NAME, bn_profile_name(operation));
    put_text(&begin, EVENT_CATEGORY, bn_profile_group(operation));
    annotate(&begin, "bytes", event->bytes, NULL);
    if (event->peer >= 0)
        annotate(&begin, "thread", (uint64_t)event->peer, NULL);
    if (event->way != 0)
        annotate(&begin, "way", 0, bn_profile_way_name(operation, event->way - 1U));
    write_event(file, thread, begin_ns, &begin);
    write_event(file, thread, end_ns, &end);
}

static void write_dropped(FILE *file, const struct bn_events_thread *of)
{
    struct message event = event_of(of->thread, INSTANT);
    put_text(&event, EVENT_NAME, "no room for later events");
    annotate(&event, "dropped", of->dropped_events, NULL);
    write_event(file, of->thread, of->end_ns, &event);
}

struct track {
    FILE *file;
    int thread;
};

static void write_one(void *context, const struct bn_book_event *event, double begin_ns, double end_ns)
{
    const struct track *track = context;
    write_slice(track->file, track->thread, event, begin_ns, end_ns);
}

void bn_trace_write(FILE *file, const struct bn_profile *profile)
{
    write_tracks(file, profile);
    for (int thread = 0; thread < profile->thread_count; thread++) {
        if (!bn_events_are_there(profile, thread))
            continue;
        struct track track = {file, thread};
        const struct bn_events_thread of = bn_events_of(profile, thread, write_one, &track);
        if (of.dropped_events > 0)
            write_dropped(file, &of);
    }
}
