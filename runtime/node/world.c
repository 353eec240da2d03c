#include "node/world.h"

#include "pgas/heap.h"
#include "platform/clock.h"
#include "platform/cpus.h"
#include "platform/memory.h"
#include "platform/shared_file.h"
#include "sync/spinlock.h"
#include "topology/machine.h"
#include "topology/spread.h"
#include "transport/kernel.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LARGE_HEAP_BYTES = 1 << 30, /* per process, if memory is taken when it is touched */
    SMALL_HEAP_BYTES = 4 << 20, /* if it is taken immediately */
};
static const uint64_t PROGRAM_HEAP_BYTES = UINT64_C(64) << 30; /* if it also holds blocks of the program */

/* Candidate addresses of the memory in all processes: nothing is nearby in plain processes or under sanitizers.  The
 * ranges hold further candidates, for processes in several worlds; the last one is for systems whose addresses have 39
 * bits. */
static const uint64_t addresses[] = {0x100000000000, 0x7e8000000000, 0x551000000000, 0x2a0000000000};
static const struct {
    uint64_t begin, end, skipped; /* skipped: candidates that are among the addresses above */
} ranges[] = {{0x100000000000, 0x2a0000000000, 1},
              {0x2a0000000000, 0x550000000000, 1},
              {0x551000000000, 0x568000000000, 1},
              {0x1000000000, 0x5400000000, 0}};

/* What process 0 tells the others about the file */
struct offer {
    char path[BN_SHARED_FILE_PATH_BYTES]; /* for processes that open it */
    uint64_t word; /* first word of the file, because the path may name another file in another namespace; 0: there is
                    * no file */
    uint64_t heap_bytes;
    int error; /* why there is none: an errno value */
};

/* The beginning of the memory, followed by cards, tables of heaps, and heaps. */
struct header {
    uint64_t word;
    struct bn_pu_set may_use[]; /* by process */
};

struct bn_world {
    struct header *header;
    unsigned char *cards, *tables, *heaps;
    uint64_t heap_bytes, table_bytes, size_bytes;
    int self, count, core_count;
    int file; /* descriptor of the memory file */
    bool has_program_heap;
    bool has_claims; /* claims (shared_file.h) tell which processes are alive */
    struct bn_kernel *kernel;
    enum bn_reach reach;
    struct bn_wait_policy policy;
    struct bn_spinlock heap_lock;    /* protects this process's own heap */
    struct bn_spinlock machine_lock; /* protects machine */
    struct bn_machine *machine;
};

static uint64_t in_pages(uint64_t size_bytes)
{
    uint64_t page_bytes = bn_memory_page_bytes();
    return (size_bytes + page_bytes - 1) / page_bytes * page_bytes;
}

/* Sets where everything lies, starting at header */
static void lay_out(struct bn_world *world, uint64_t heap_bytes)
{
    uint64_t count = (uint64_t)world->count;
    uint64_t header_bytes = in_pages(sizeof(struct header) + count * sizeof(struct bn_pu_set));
    uint64_t card_bytes = in_pages(bn_kernel_shared_bytes(world->count));
    world->heap_bytes = heap_bytes;
    world->table_bytes = in_pages(bn_heap_size_bytes(heap_bytes));
    /* Computed as an integer, because the size is needed before the memory is mapped. */
    world->cards = (unsigned char *)((uint64_t)world->header + header_bytes);
    world->tables = (unsigned char *)((uint64_t)world->cards + card_bytes);
    world->heaps = (unsigned char *)((uint64_t)world->tables + count * world->table_bytes);
    world->size_bytes = header_bytes + card_bytes + count * (world->table_bytes + heap_bytes);
}

/* ---- The file ---- */

/* The first attempt is a memory file, then come files in folders, which have names if others must open them. */
enum { ATTEMPTS = 3 };
static const char *folder_of(int attempt)
{
    const char *own = getenv("TMPDIR");
    return attempt == 1 ? "/dev/shm" : own ? own : "/tmp";
}

static bool has_name(int attempt, const struct bn_talk *talk)
{
    return attempt > 0 && !talk->hand;
}

static int offer_file(struct bn_world *world, int attempt, const struct bn_talk *talk, struct offer *offer)
{
    uint64_t large_bytes = world->has_program_heap ? PROGRAM_HEAP_BYTES : LARGE_HEAP_BYTES;
    *offer = (struct offer){.heap_bytes = attempt == 0 ? large_bytes : SMALL_HEAP_BYTES};
    offer->word = (bn_clock_ns() ^ (uint64_t)getpid() << 40) * UINT64_C(0x9E3779B97F4A7C15) | 1;
    lay_out(world, offer->heap_bytes);
    while (world->size_bytes > bn_shared_file_most_bytes() && offer->heap_bytes > SMALL_HEAP_BYTES)
        lay_out(world, offer->heap_bytes /= 2);
    int file = attempt == 0 ? bn_shared_file_make(world->size_bytes, offer->path)
                            : bn_shared_file_make_in(folder_of(attempt), world->size_bytes,
                                                     has_name(attempt, talk) ? offer->path : NULL);
    if (file >= 0 && bn_shared_file_mark(file, offer->word))
        return file;
    offer->error = errno;
    if (file >= 0)
        bn_shared_file_close(file);
    if (file >= 0 && has_name(attempt, talk))
        bn_shared_file_remove(offer->path);
    offer->word = 0;
    return -1;
}

static const char cannot_be_opened[] =
    "the processes of this machine cannot open a file that one of them makes, neither in /proc/PID/fd nor in /dev/shm "
    "nor in $TMPDIR";

static const char *describe_error(int error)
{
    static _Thread_local char text[300];
    snprintf(text, sizeof text,
             "the file that the processes of this machine share can be made neither by memfd_create (%s) nor in "
             "/dev/shm nor in $TMPDIR; %s",
             strerror(error), bn_memory_file_remedy(error));
    return text;
}

/* Returns a file that all processes have open, or -1.  Its name, if it had one, has been removed. */
static int agree_on_file(struct bn_world *world, const struct bn_talk *talk, const char **why_p)
{
    *why_p = cannot_be_opened;
    bool is_told = true;
    for (int attempt = 0; is_told && attempt < ATTEMPTS; attempt++) {
        struct offer offer = {.word = 0};
        int file = -1;
        if (world->self == 0)
            file = offer_file(world, attempt, talk, &offer);
        is_told = talk->tell(talk->context, &offer, sizeof offer);
        if (is_told && offer.word == 0 && attempt == 0)
            *why_p = describe_error(offer.error);
        if (is_told && offer.word == 0)
            continue;
        *why_p = cannot_be_opened;
        if (is_told && talk->hand)
            file = talk->hand(talk->context, file);
        else if (is_told && world->self != 0)
            file = bn_shared_file_take(offer.path, offer.word);
        bool all_have_it = is_told && talk->all(talk->context, file >= 0);
        if (world->self == 0 && has_name(attempt, talk))
            bn_shared_file_remove(offer.path);
        lay_out(world, offer.heap_bytes);
        if (all_have_it)
            return file;
        if (file >= 0)
            bn_shared_file_close(file);
    }
    return -1;
}

/* The index-th address to try; 0 if there are no more */
static uint64_t address_at(uint64_t size_bytes, uint64_t index)
{
    enum { FIRST_COUNT = sizeof addresses / sizeof addresses[0], RANGE_COUNT = sizeof ranges / sizeof ranges[0] };
    if (index < FIRST_COUNT)
        return addresses[index];
    index -= FIRST_COUNT;
    for (int range = 0; range < RANGE_COUNT; range++) {
        uint64_t fit = (ranges[range].end - ranges[range].begin) / size_bytes, skipped = ranges[range].skipped;
        uint64_t count = fit > skipped ? fit - skipped : 0;
        if (index < count)
            return ranges[range].begin + (index + skipped) * size_bytes;
        index -= count;
    }
    return 0;
}

static const char *describe_limit(const struct bn_world *world)
{
    static _Thread_local char text[200];
    snprintf(
        text, sizeof text,
        "the limit on the address space of a process is too low for the %llu GiB that the processes of this machine "
        "share; lift it with 'ulimit -v unlimited'",
        (unsigned long long)(world->size_bytes >> 30) + 1);
    return text;
}

/* Process 0 proposes addresses that are free in it.  *why_p changes if a limit is the reason that there are none. */
static bool agree_on_address(struct bn_world *world, const struct bn_talk *talk, const char **why_p)
{
    for (uint64_t index = 0;; index++) {
        uint64_t address;
        world->header = NULL;
        while (world->self == 0 && !world->header && (address = address_at(world->size_bytes, index)) != 0) {
            world->header = bn_shared_file_map(world->file, world->size_bytes, address);
            index += !world->header;
        }
        if (!talk->tell(talk->context, &index, sizeof index))
            return false;
        address = address_at(world->size_bytes, index);
        if (address == 0) {
            if (!talk->all(talk->context, bn_memory_address_room_bytes("") >= world->size_bytes))
                *why_p = describe_limit(world);
            return false;
        }
        if (world->self != 0)
            world->header = bn_shared_file_map(world->file, world->size_bytes, address);
        if (talk->all(talk->context, world->header != NULL)) {
            lay_out(world, world->heap_bytes);
            return true;
        }
        if (world->header)
            bn_shared_file_unmap(world->header, world->size_bytes);
        world->header = NULL;
    }
}

/* ---- Heaps ---- */

static struct bn_heap *heap_of(const struct bn_world *world, int process)
{
    return (struct bn_heap *)(world->tables + (uint64_t)process * world->table_bytes);
}

static unsigned char *heap_memory(const struct bn_world *world, int process)
{
    return world->heaps + (uint64_t)process * world->heap_bytes;
}

static bool set_end(void *context, uint64_t end_bytes)
{
    const struct bn_world *world = context;
    return end_bytes <= world->heap_bytes;
}

static void discard(void *context, uint64_t offset_bytes, uint64_t size_bytes)
{
    const struct bn_world *world = context;
    bn_memory_discard((uint64_t)heap_memory(world, world->self) + offset_bytes, size_bytes);
}

uint64_t bn_world_take(struct bn_world *world, size_t size_bytes)
{
    bn_spinlock_acquire(&world->heap_lock);
    uint64_t offset =
        bn_heap_alloc(heap_of(world, world->self), size_bytes < 512 ? 512 : size_bytes); /* aligned to 64 */
    bn_spinlock_release(&world->heap_lock);
    return offset == BN_HEAP_NONE ? 0 : (uint64_t)(heap_memory(world, world->self) + offset);
}

uint64_t bn_world_alloc(struct bn_world *world, size_t size_bytes)
{
    uint64_t memory = bn_world_take(world, size_bytes);
    if (memory != 0)
        bn_memory_clear((void *)memory, size_bytes);
    return memory;
}

struct bn_world_range bn_world_own_heap(const struct bn_world *world)
{
    uint64_t begin = (uint64_t)heap_memory(world, world->self);
    return (struct bn_world_range){begin, world->heap_bytes, begin - (uint64_t)world->header, world->file};
}

void bn_world_release(struct bn_world *world, uint64_t address)
{
    uint64_t offset = address - (uint64_t)world->heaps;
    int owner = (int)(offset / world->heap_bytes);
    if (owner != world->self) {
        bn_heap_free_remote(heap_of(world, owner), offset % world->heap_bytes);
        return;
    }
    bn_spinlock_acquire(&world->heap_lock);
    bn_heap_free(heap_of(world, owner), offset % world->heap_bytes);
    bn_spinlock_release(&world->heap_lock);
}

/* ---- Processes ---- */

static struct bn_pu_set all_may_use(const struct bn_world *world)
{
    struct bn_pu_set all = {{0}};
    for (int process = 0; process < world->count; process++)
        for (size_t word = 0; word < sizeof all.words / sizeof all.words[0]; word++)
            all.words[word] |= world->header->may_use[process].words[word];
    return all;
}

static void count_cores(struct bn_world *world)
{
    const struct bn_pu_set all = all_may_use(world);
    long quota_milli = bn_cpus_quota_milli("");
    world->core_count = bn_pu_set_count(&all);
    if (quota_milli > 0 && (quota_milli + 999) / 1000 < world->core_count)
        world->core_count = (int)((quota_milli + 999) / 1000);
    world->policy =
        bn_wait_policy_make(world->count, world->core_count, (enum bn_wait_choice)bn_option_number(BN_OPTION_WAIT));
}

/* Each process tries the next one; what forbids access usually forbids it to all.  If the result is not the same for
 * all, copies fall back to a way that always works. */
static void agree_on_reach(struct bn_world *world, const struct bn_talk *talk)
{
    int error;
    bn_kernel_use(world->kernel);
    bool is_reached = bn_kernel_reach_of((world->self + 1) % world->count, &error) == BN_KERNEL_BY_CMA;
    bn_kernel_use(NULL);
    enum bn_reach by_kernel = world->has_program_heap ? BN_REACH_HEAP : BN_REACH_KERNEL;
    world->reach = talk->all(talk->context, is_reached) ? by_kernel : BN_REACH_STAGES;
}

/* Returns false on all processes if one of them fails. */
static bool open_world(struct bn_world *world, const struct bn_talk *talk, const char **why_p)
{
    world->file = agree_on_file(world, talk, why_p);
    if (world->file < 0)
        return false;
    *why_p = "no range of addresses is free in all processes";
    if (!agree_on_address(world, talk, why_p))
        return false;
    bn_heap_init(heap_of(world, world->self), world->heap_bytes,
                 (struct bn_heap_backing){set_end, discard, world, 0, 0});
    bn_cpus_affinity(&world->header->may_use[world->self]);
    *why_p = "there is no memory";
    world->kernel = bn_kernel_open(world->cards, world->self, world->count);
    if (!talk->all(talk->context, world->kernel != NULL)) /* also serves as a barrier */
        return false;
    world->has_claims = talk->all(talk->context, bn_shared_file_claim(world->file, world->self));
    return true;
}

struct bn_world *bn_world_join(const struct bn_talk *talk, int self, int count, bool has_program_heap,
                               const char **why_p)
{
    struct bn_world *world = calloc(1, sizeof *world);
    *why_p = "there is no memory";
    if (!talk->all(talk->context, world != NULL)) {
        free(world);
        return NULL;
    }
    *world = (struct bn_world){.has_program_heap = has_program_heap, .self = self, .count = count, .file = -1};
    if (!open_world(world, talk, why_p)) {
        bn_world_leave(world);
        return NULL;
    }
    count_cores(world);
    agree_on_reach(world, talk);
    return world;
}

void bn_world_leave(struct bn_world *world)
{
    if (world->kernel)
        bn_kernel_close(world->kernel);
    if (world->header)
        bn_shared_file_unmap(world->header, world->size_bytes);
    if (world->file >= 0)
        bn_shared_file_close(world->file);
    bn_machine_destroy(world->machine);
    free(world);
}

enum bn_reach bn_world_reach(const struct bn_world *world)
{
    return world->reach;
}

struct bn_kernel *bn_world_kernel(const struct bn_world *world)
{
    return world->kernel;
}

bool bn_world_has(const struct bn_world *world, uint64_t address, size_t size_bytes)
{
    uint64_t offset = address - (uint64_t)world->heaps;
    uint64_t all_bytes = (uint64_t)world->count * world->heap_bytes;
    return offset < all_bytes && size_bytes <= all_bytes - offset;
}

bool bn_world_is_alive(const struct bn_world *world, int process)
{
    return process == world->self || !world->has_claims || bn_shared_file_is_claimed(world->file, process);
}

struct bn_wait_policy bn_world_wait_policy(const struct bn_world *world)
{
    return world->policy;
}

int bn_world_core_count(const struct bn_world *world)
{
    return world->core_count;
}

/* ---- Places of processes ---- */

/* Reads the machine once, on first use; returns null if that fails. */
static const struct bn_machine *machine_of(struct bn_world *world, bool wants_network)
{
    const char *description = bn_option_is_set(BN_OPTION_TOPOLOGY) ? bn_option(BN_OPTION_TOPOLOGY)->text : NULL;
    const struct bn_pu_set usable = all_may_use(world);
    bn_spinlock_acquire(&world->machine_lock);
    if (!world->machine &&
        bn_machine_read(description, description ? NULL : &usable, wants_network, &world->machine) != BN_OK)
        world->machine = NULL;
    bn_spinlock_release(&world->machine_lock);
    return world->machine;
}

/* The places on a described machine, as if all processes were bound in order */
static bool described_places(const struct bn_machine *machine, int count, struct bn_place *places)
{
    const struct bn_spread block = {.node_count = 1, .order = BN_SPREAD_BLOCK};
    return bn_spread_places(machine, &block, count, places) == BN_OK;
}

/* Processes may have read the machine with or without network adapters, so adapters count only if they are
 * requested. */
static bool find_places(struct bn_world *world, bool wants_network, struct bn_place *places)
{
    const struct bn_machine *machine = machine_of(world, wants_network);
    bool is_described = bn_option_is_set(BN_OPTION_TOPOLOGY);
    if (!machine || (is_described && !described_places(machine, world->count, places)))
        return false;
    for (int process = 0; process < world->count; process++) {
        if (!is_described)
            places[process] = bn_machine_place(machine, &world->header->may_use[process]);
        places[process].is_near_network &= wants_network;
    }
    return true;
}

bool bn_world_places(struct bn_world *world, struct bn_place *places)
{
    return find_places(world, true, places);
}

struct bn_hierarchy *bn_world_hierarchy(struct bn_world *world, const int *processes, int count)
{
    struct bn_place *all = calloc((size_t)world->count, sizeof *all);
    struct bn_place *places = calloc((size_t)count, sizeof *places);
    struct bn_hierarchy *hierarchy = NULL;
    bool is_known = all && places && find_places(world, false, all);
    for (int i = 0; is_known && i < count; i++)
        places[i] = all[processes[i]];
    if (is_known && bn_hierarchy_create(places, count, &hierarchy) != BN_OK)
        hierarchy = NULL;
    free(all);
    free(places);
    return hierarchy;
}
