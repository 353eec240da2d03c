/*
 * otf2.c: writes an OTF2 archive: a system tree of nodes, a location group on each node with a location for each
 * thread, and for each operation an Enter and a Leave, with its bytes, the other thread and the way.
 *
 * Banyan is built without the library's headers, also on machines that do not have the library: the functions used here
 * are the same in versions 2.0 to 3.1.  Two functions of version 3 have an additional argument, which older versions
 * ignore.
 */
#include "upc/profile/otf2.h"

#include "base/log.h"
#include "platform/library.h"
#include "upc/nodes.h"
#include "upc/profile/events.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- The library ---- */

/* Numbers as in its headers */
enum { WRITE = 0, POSIX = 1, UNCOMPRESSED = 1, FLUSH = 1, PROCESS = 1, CPU_THREAD = 1, UPC = 12 };
enum { NUMBER = 4, STRING = 11, NO_FLAGS = 0 };
enum role {
    FUNCTION = 1,
    CRITICAL = 12,
    ATOMIC = 14,
    BARRIER = 15,
    ONE_TO_ALL = 23,
    ALL_TO_ONE = 24,
    ALL_TO_ALL = 25,
    FILES = 27,
    RMA = 29,
    ALLOCATE = 35,
    DEALLOCATE = 36,
};
static const uint32_t undefined = UINT32_MAX;
enum { EVENT_CHUNK_BYTES = 1 << 20, DEFINITION_CHUNK_BYTES = 4 << 20 };

typedef struct OTF2_Archive_struct archive_t;
typedef struct OTF2_GlobalDefWriter_struct definitions_t;
typedef struct OTF2_EvtWriter_struct events_t;
typedef struct OTF2_DefWriter_struct local_t;
typedef struct OTF2_AttributeList_struct attributes_t;

struct callbacks {
    uint8_t (*pre_flush)(void *context, uint8_t type, uint64_t location, void *caller, bool is_last);
    uint64_t (*post_flush)(void *context, uint8_t type, uint64_t location);
};
typedef int (*error_callback)(void *context, const char *file, uint64_t line, const char *function, int error,
                              const char *format, va_list arguments);

/* X(result, name, arguments); results of type int are 0 on success */
#define FUNCTIONS(X)                                                                                                   \
    X(error_callback, Error_RegisterCallback, (error_callback, void *))                                                \
    X(const char *, Error_GetDescription, (int))                                                                       \
    X(archive_t *, Archive_Open, (const char *, const char *, uint8_t, uint64_t, uint64_t, uint8_t, uint8_t))          \
    X(int, Archive_SetSerialCollectiveCallbacks, (archive_t *))                                                        \
    X(int, Archive_SetFlushCallbacks, (archive_t *, const struct callbacks *, void *))                                 \
    X(int, Archive_SetCreator, (archive_t *, const char *))                                                            \
    X(int, Archive_OpenEvtFiles, (archive_t *))                                                                        \
    X(events_t *, Archive_GetEvtWriter, (archive_t *, uint64_t))                                                       \
    X(int, Archive_CloseEvtWriter, (archive_t *, events_t *))                                                          \
    X(int, Archive_CloseEvtFiles, (archive_t *))                                                                       \
    X(int, Archive_OpenDefFiles, (archive_t *))                                                                        \
    X(local_t *, Archive_GetDefWriter, (archive_t *, uint64_t))                                                        \
    X(int, Archive_CloseDefWriter, (archive_t *, local_t *))                                                           \
    X(int, Archive_CloseDefFiles, (archive_t *))                                                                       \
    X(definitions_t *, Archive_GetGlobalDefWriter, (archive_t *))                                                      \
    X(int, Archive_CloseGlobalDefWriter, (archive_t *, definitions_t *))                                               \
    X(int, Archive_Close, (archive_t *))                                                                               \
    X(int, GlobalDefWriter_WriteClockProperties, (definitions_t *, uint64_t, uint64_t, uint64_t, uint64_t))            \
    X(int, GlobalDefWriter_WriteString, (definitions_t *, uint32_t, const char *))                                     \
    X(int, GlobalDefWriter_WriteAttribute, (definitions_t *, uint32_t, uint32_t, uint32_t, uint8_t))                   \
    X(int, GlobalDefWriter_WriteSystemTreeNode, (definitions_t *, uint32_t, uint32_t, uint32_t, uint32_t))             \
    X(int, GlobalDefWriter_WriteLocationGroup, (definitions_t *, uint32_t, uint32_t, uint8_t, uint32_t, uint32_t))     \
    X(int, GlobalDefWriter_WriteLocation, (definitions_t *, uint64_t, uint32_t, uint8_t, uint64_t, uint32_t))          \
    X(int, GlobalDefWriter_WriteRegion,                                                                                \
      (definitions_t *, uint32_t, uint32_t, uint32_t, uint32_t, uint8_t, uint8_t, uint32_t, uint32_t, uint32_t,        \
       uint32_t))                                                                                                      \
    X(attributes_t *, AttributeList_New, (void))                                                                       \
    X(int, AttributeList_Delete, (attributes_t *))                                                                     \
    X(int, AttributeList_AddUint64, (attributes_t *, uint32_t, uint64_t))                                              \
    X(int, AttributeList_AddStringRef, (attributes_t *, uint32_t, uint32_t))                                           \
    X(int, EvtWriter_Enter, (events_t *, attributes_t *, uint64_t, uint32_t))                                          \
    X(int, EvtWriter_Leave, (events_t *, attributes_t *, uint64_t, uint32_t))

static struct {
#define X(result, name, arguments) result(*name) arguments;
    FUNCTIONS(X)
#undef X
} otf2;

static void *open_library(void)
{
    enum { NEWEST = 15, OLDEST = 7 }; /* version of its ABI: 10 is OTF2 3.0 */
    /* The latter two in Debian and Ubuntu: with OTF2 3.0, and with 3.1 */
    static const char *const names[] = {"libotf2.so", "libopen-trace-format2.so", "libopen_trace_format2.so"};
    for (int number = NEWEST; number >= OLDEST; number--)
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            char name[64];
            snprintf(name, sizeof name, "%s.%d", names[i], number);
            void *library = bn_library_open(name);
            if (library)
                return library;
        }
    return NULL;
}

bn_status_t bn_otf2_load(const char *option)
{
    void *library = open_library();
    const char *missing = NULL;
    if (!library) {
        bn_log_error("%s: the library of OTF2 is not there (or the program is a static one); install the package "
                     "otf2-tools (Debian, Ubuntu) or otf2 (Fedora, conda, Spack), or use perfetto, which "
                     "https://ui.perfetto.dev opens",
                     option);
        return BN_ERR_INVALID;
    }
#define X(result, name, arguments)                                                                                     \
    otf2.name = (result(*) arguments)bn_library_symbol(library, "OTF2_" #name);                                        \
    if (!otf2.name)                                                                                                    \
        missing = "OTF2_" #name;
    FUNCTIONS(X)
#undef X
    if (!missing)
        return BN_OK;
    bn_log_error("%s: the library of OTF2 that is installed has no %s; install version 2 or 3", option, missing);
    return BN_ERR_INVALID;
}

/* ---- The archive ---- */

struct name_of_way {
    uint32_t operation, way, string;
};

struct writer {
    archive_t *archive;
    definitions_t *definitions;
    uint32_t string_count;
    uint32_t regions[BN_PROFILE_OPERATIONS]; /* number of each defined operation, plus 1 */
    uint32_t region_count;
    struct name_of_way *ways;
    size_t way_count;
    int errors; /* number of failed calls */
};

enum attribute { BYTES, THREAD, WAY };

static void need(struct writer *writer, int error)
{
    writer->errors += error != 0;
}

static uint32_t define_string(struct writer *writer, const char *text)
{
    need(writer, otf2.GlobalDefWriter_WriteString(writer->definitions, writer->string_count, text));
    return writer->string_count++;
}

static enum role role_of(enum bn_profile_operation operation)
{
    const char *group = bn_profile_group(operation);
    switch (operation) {
    case BN_PROFILE_BROADCAST:
    case BN_PROFILE_SCATTER: return ONE_TO_ALL;
    case BN_PROFILE_GATHER:
    case BN_PROFILE_REDUCE: return ALL_TO_ONE;
    case BN_PROFILE_FREE:
    case BN_PROFILE_ALL_FREE: return DEALLOCATE;
    default: break;
    }
    return strcmp(group, "collectives") == 0                                ? ALL_TO_ALL
           : strcmp(group, "barriers") == 0                                 ? BARRIER
           : strcmp(group, "copies") == 0 || strcmp(group, "accesses") == 0 ? RMA
           : strcmp(group, "atomics") == 0                                  ? ATOMIC
           : strcmp(group, "locks") == 0                                    ? CRITICAL
           : strcmp(group, "memory") == 0                                   ? ALLOCATE
           : strcmp(group, "files") == 0                                    ? FILES
                                                                            : FUNCTION;
}

/* The region of an operation; regions are numbered in the order in which they are defined. */
static uint32_t region_of(struct writer *writer, enum bn_profile_operation operation)
{
    if (writer->regions[operation] != 0)
        return writer->regions[operation] - 1;
    uint32_t region = writer->region_count++;
    uint32_t name = define_string(writer, bn_profile_name(operation));
    uint32_t group = define_string(writer, bn_profile_group(operation));
    need(writer, otf2.GlobalDefWriter_WriteRegion(writer->definitions, region, name, name, group,
                                                  (uint8_t)role_of(operation), UPC, NO_FLAGS, undefined, 0, 0));
    writer->regions[operation] = region + 1;
    return region;
}

static uint32_t string_of_way(struct writer *writer, enum bn_profile_operation operation, uint32_t way)
{
    for (size_t i = 0; i < writer->way_count; i++)
        if (writer->ways[i].operation == (uint32_t)operation && writer->ways[i].way == way)
            return writer->ways[i].string;
    uint32_t string = define_string(writer, bn_profile_way_name(operation, way));
    struct name_of_way *more = realloc(writer->ways, (writer->way_count + 1) * sizeof *more);
    if (more) { /* else the text is defined more than once */
        writer->ways = more;
        more[writer->way_count++] = (struct name_of_way){(uint32_t)operation, way, string};
    }
    return string;
}

static void define_attribute(struct writer *writer, enum attribute attribute, const char *name, const char *text,
                             uint8_t type)
{
    uint32_t string = define_string(writer, name), description = define_string(writer, text);
    need(writer,
         otf2.GlobalDefWriter_WriteAttribute(writer->definitions, (uint32_t)attribute, string, description, type));
}

static void define_threads(struct writer *writer, const struct bn_profile *profile)
{
    char text[128];
    uint32_t root = 0;
    uint32_t program = define_string(writer, profile->program), machine = define_string(writer, "machine");
    uint32_t class = define_string(writer, "node");
    double end_ns = 0;
    need(writer, otf2.GlobalDefWriter_WriteSystemTreeNode(writer->definitions, root, program, machine, undefined));
    for (int thread = 0; thread < profile->thread_count; thread++) {
        uint32_t node = (uint32_t)profile->nodes[thread];
        const struct bn_events_thread of = bn_events_of(profile, thread, NULL, NULL);
        bool is_there = bn_events_are_there(profile, thread);
        if (bn_nodes_first_thread(thread) == thread) {
            snprintf(text, sizeof text, "node %u", node);
            uint32_t name = define_string(writer, text);
            need(writer, otf2.GlobalDefWriter_WriteSystemTreeNode(writer->definitions, node + 1, name, class, root));
            need(writer, otf2.GlobalDefWriter_WriteLocationGroup(writer->definitions, node, name, PROCESS, node + 1,
                                                                 undefined));
        }
        snprintf(text, sizeof text, "UPC thread %d", thread);
        need(writer,
             otf2.GlobalDefWriter_WriteLocation(writer->definitions, (uint64_t)thread, define_string(writer, text),
                                                CPU_THREAD, is_there ? 2 * of.event_count : 0, node));
        end_ns = of.end_ns > end_ns ? of.end_ns : end_ns;
    }
    need(writer, otf2.GlobalDefWriter_WriteClockProperties(writer->definitions, 1000000000, 0, (uint64_t)end_ns + 1,
                                                           UINT64_MAX));
}

/* ---- Events ---- */

struct slice {
    uint64_t begin_ns, end_ns;
    struct bn_book_event event;
};

struct slices {
    struct slice *all;
    size_t count;
};

static void keep(void *context, const struct bn_book_event *event, double begin_ns, double end_ns)
{
    struct slices *slices = context;
    slices->all[slices->count++] =
        (struct slice){(uint64_t)(begin_ns > 0 ? begin_ns : 0), (uint64_t)(end_ns > 0 ? end_ns : 0), *event};
}

/* Sorts an operation before those that the program carried out inside it. */
static int compare(const void *left, const void *right)
{
    const struct slice *a = left, *b = right;
    if (a->begin_ns != b->begin_ns)
        return a->begin_ns < b->begin_ns ? -1 : 1;
    return a->end_ns == b->end_ns ? 0 : a->end_ns > b->end_ns ? -1 : 1;
}

static void enter(struct writer *writer, events_t *events, attributes_t *attributes, const struct slice *slice)
{
    enum bn_profile_operation operation = (enum bn_profile_operation)slice->event.operation;
    need(writer, otf2.AttributeList_AddUint64(attributes, BYTES, slice->event.bytes));
    if (slice->event.peer >= 0)
        need(writer, otf2.AttributeList_AddUint64(attributes, THREAD, (uint64_t)slice->event.peer));
    if (slice->event.way != 0)
        need(writer,
             otf2.AttributeList_AddStringRef(attributes, WAY, string_of_way(writer, operation, slice->event.way - 1U)));
    need(writer, otf2.EvtWriter_Enter(events, attributes, slice->begin_ns, region_of(writer, operation)));
}

/* The slices around the one being written, each inside the previous one.  They nest when an operation calls a function
 * of the program that carries out another operation. */
enum { DEEPEST = 64 };
struct stack {
    struct slice *open[DEEPEST];
    size_t count;
};

static void leave_until(struct writer *writer, events_t *events, struct stack *stack, uint64_t ns)
{
    for (; stack->count > 0 && stack->open[stack->count - 1]->end_ns <= ns; stack->count--) {
        const struct slice *slice = stack->open[stack->count - 1];
        uint32_t region = region_of(writer, (enum bn_profile_operation)slice->event.operation);
        need(writer, otf2.EvtWriter_Leave(events, NULL, slice->end_ns, region));
    }
}

static void write_slices(struct writer *writer, events_t *events, struct slices *slices)
{
    struct stack stack = {.count = 0};
    attributes_t *attributes = otf2.AttributeList_New();
    need(writer, !attributes);
    qsort(slices->all, slices->count, sizeof *slices->all, compare);
    for (size_t i = 0; attributes && i < slices->count; i++) {
        struct slice *slice = &slices->all[i];
        leave_until(writer, events, &stack, stack.count == DEEPEST ? UINT64_MAX : slice->begin_ns);
        if (stack.count > 0 && slice->end_ns > stack.open[stack.count - 1]->end_ns)
            slice->end_ns = stack.open[stack.count - 1]->end_ns; /* because times are rounded */
        enter(writer, events, attributes, slice);
        stack.open[stack.count++] = slice;
    }
    leave_until(writer, events, &stack, UINT64_MAX);
    if (attributes)
        need(writer, otf2.AttributeList_Delete(attributes));
}

static void write_thread(struct writer *writer, const struct bn_profile *profile, int thread)
{
    struct slices slices = {.count = 0};
    const struct bn_events_thread of = bn_events_of(profile, thread, NULL, NULL);
    events_t *events = otf2.Archive_GetEvtWriter(writer->archive, (uint64_t)thread);
    slices.all = malloc((of.event_count + 1) * sizeof *slices.all);
    need(writer, !events || !slices.all);
    if (events && slices.all && bn_events_are_there(profile, thread)) {
        bn_events_of(profile, thread, keep, &slices);
        write_slices(writer, events, &slices);
    }
    if (events)
        need(writer, otf2.Archive_CloseEvtWriter(writer->archive, events));
    free(slices.all);
}

static void write_events(struct writer *writer, const struct bn_profile *profile)
{
    need(writer, otf2.Archive_OpenEvtFiles(writer->archive));
    for (int thread = 0; thread < profile->thread_count; thread++)
        write_thread(writer, profile, thread);
    need(writer, otf2.Archive_CloseEvtFiles(writer->archive));
    need(writer, otf2.Archive_OpenDefFiles(writer->archive));
    for (int thread = 0; thread < profile->thread_count; thread++) {
        local_t *local = otf2.Archive_GetDefWriter(writer->archive, (uint64_t)thread);
        need(writer, !local);
        if (local)
            need(writer, otf2.Archive_CloseDefWriter(writer->archive, local));
    }
    need(writer, otf2.Archive_CloseDefFiles(writer->archive));
}

/* ---- The whole archive ---- */

static const char anchor[] = "traces.otf2";
static const char *const files_of_archive[] = {anchor, "traces.def"};

/* Removes an old archive.  Events and definitions of threads are files in the folder `traces`. */
static void remove_old(const char *folder)
{
    char path[4096];
    bool has_more = true;
    for (size_t i = 0; i < sizeof files_of_archive / sizeof files_of_archive[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files_of_archive[i]);
        unlink(path);
    }
    for (int thread = 0; has_more; thread++) {
        snprintf(path, sizeof path, "%s/traces/%d.def", folder, thread);
        has_more = unlink(path) == 0;
        snprintf(path, sizeof path, "%s/traces/%d.evt", folder, thread);
        has_more |= unlink(path) == 0;
    }
    snprintf(path, sizeof path, "%s/traces", folder);
    rmdir(path);
}

const char *bn_otf2_prepare(const char *folder)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return strerror(errno);
    remove_old(folder);
    return access(folder, W_OK | X_OK) == 0 ? NULL : strerror(errno);
}

static uint8_t flush(void *context, uint8_t type, uint64_t location, void *caller, bool is_last)
{
    (void)context;
    (void)type;
    (void)location;
    (void)caller;
    (void)is_last;
    return FLUSH;
}

enum { ERROR_BYTES = 512 };

/* Collects errors, instead of the library's own output on the terminal. */
static int take_error(void *context, const char *file, uint64_t line, const char *function, int error,
                      const char *format, va_list arguments)
{
    char *text = context;
    (void)file;
    (void)line;
    if (text[0] == '\0') {
        char what[256];
        vsnprintf(what, sizeof what, format, arguments);
        snprintf(text, ERROR_BYTES, "%s: %s: %s", function, what, otf2.Error_GetDescription(error));
    }
    return error;
}

/* Whether the file that names all others is there.  The library (3.0.2) does not say if it cannot write it. */
static bool has_anchor(const char *folder)
{
    char path[4096];
    struct stat facts;
    snprintf(path, sizeof path, "%s/%s", folder, anchor);
    return stat(path, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0;
}

const char *bn_otf2_write(const char *folder, const struct bn_profile *profile)
{
    static const struct callbacks callbacks = {flush, NULL};
    static char text[ERROR_BYTES];
    struct writer writer = {.errors = 0};
    otf2.Error_RegisterCallback(take_error, text);
    writer.archive =
        otf2.Archive_Open(folder, "traces", WRITE, EVENT_CHUNK_BYTES, DEFINITION_CHUNK_BYTES, POSIX, UNCOMPRESSED);
    if (!writer.archive)
        return text;
    need(&writer, otf2.Archive_SetFlushCallbacks(writer.archive, &callbacks, NULL));
    need(&writer, otf2.Archive_SetSerialCollectiveCallbacks(writer.archive));
    need(&writer, otf2.Archive_SetCreator(writer.archive, "Banyan"));
    writer.definitions = otf2.Archive_GetGlobalDefWriter(writer.archive);
    if (writer.definitions) {
        define_string(&writer, "");
        define_attribute(&writer, BYTES, "bytes", "that were moved", NUMBER);
        define_attribute(&writer, THREAD, "thread", "the other one", NUMBER);
        define_attribute(&writer, WAY, "way", "of a collective operation", STRING);
        define_threads(&writer, profile);
        write_events(&writer, profile);
        need(&writer, otf2.Archive_CloseGlobalDefWriter(writer.archive, writer.definitions));
    }
    need(&writer, !writer.definitions);
    need(&writer, otf2.Archive_Close(writer.archive));
    free(writer.ways);
    if (writer.errors == 0 && !has_anchor(folder)) {
        writer.errors = 1;
        snprintf(text, sizeof text, "%s cannot be written", anchor);
    }
    return writer.errors == 0 ? NULL : text[0] != '\0' ? text : "there is no memory";
}
