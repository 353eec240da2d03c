#include "host/node.h"

#include "pgas/heap.h"
#include "platform/clock.h"
#include "platform/cpus.h"
#include "platform/memory.h"
#include "platform/shared_file.h"
#include "sync/spinlock.h"
#include "topology/machine.h"
#include "topology/spread.h"
#include "transport/kernel.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PAGE_BYTES = 4096,
    LARGE_HEAP_BYTES = 1 << 30, /* of a process, where memory is taken when it is touched */
    SMALL_HEAP_BYTES = 4 << 20, /* where it is taken at once */
};
static const uint64_t PROGRAM_HEAP_BYTES = UINT64_C(64) << 30; /* with blocks of the program */

/* Where the memory may lie in all processes, tried in turn: nothing is near in plain processes, nor under sanitizers */
static const uint64_t addresses[] = {0x100000000000, 0x7e8000000000, 0x551000000000, 0x2a0000000000};

/* What process 0 tells the others of the file */
struct offer {
    char path[BN_SHARED_FILE_PATH_BYTES]; /* "": there is none of this kind */
    uint64_t word;                        /* what it begins with: another file may be there in another namespace */
    uint64_t heap_bytes;
};

/* The beginning of the memory; cards, tables of heaps, and heaps follow. */
struct header {
    uint64_t word;
    struct bn_pu_set may_use[]; /* by process */
};

static struct {
    struct header *header;
    unsigned char *cards, *tables, *heaps;
    uint64_t heap_bytes, table_bytes, size_bytes;
    int self, count, core_count;
    bool has_program_heap;
    enum bn_reach reach;
    struct bn_wait_policy policy;
    struct bn_spinlock heap_lock;    /* around this process's own heap */
    struct bn_spinlock machine_lock; /* around machine */
    struct bn_machine *machine;
} node;

static uint64_t in_pages(uint64_t size_bytes)
{
    return (size_bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

/* Where everything lies, from header on */
static void lay_out(uint64_t heap_bytes)
{
    uint64_t count = (uint64_t)node.count;
    uint64_t header_bytes = in_pages(sizeof(struct header) + count * sizeof(struct bn_pu_set));
    uint64_t card_bytes = in_pages(bn_kernel_shared_bytes(node.count));
    node.heap_bytes = heap_bytes;
    node.table_bytes = in_pages(bn_heap_size_bytes(heap_bytes));
    /* As a number: how large all is, is asked before it is there. */
    node.cards = (unsigned char *)((uint64_t)node.header + header_bytes);
    node.tables = (unsigned char *)((uint64_t)node.cards + card_bytes);
    node.heaps = (unsigned char *)((uint64_t)node.tables + count * node.table_bytes);
    node.size_bytes = header_bytes + card_bytes + count * (node.table_bytes + heap_bytes);
}

/* ---- The file ---- */

/* A memory file comes first, then files with names. */
enum { ATTEMPTS = 3 };
static const char *folder_of(int attempt)
{
    const char *own = getenv("TMPDIR");
    return attempt == 1 ? "/dev/shm" : own ? own : "/tmp";
}

static int offer_file(int attempt, struct offer *offer)
{
    uint64_t large_bytes = node.has_program_heap ? PROGRAM_HEAP_BYTES : LARGE_HEAP_BYTES;
    *offer = (struct offer){.heap_bytes = attempt == 0 ? large_bytes : SMALL_HEAP_BYTES};
    offer->word = (bn_clock_ns() ^ (uint64_t)getpid() << 40) * UINT64_C(0x9E3779B97F4A7C15) | 1;
    lay_out(offer->heap_bytes);
    int file = attempt == 0 ? bn_shared_file_make(node.size_bytes, offer->path)
                            : bn_shared_file_make_named(node.size_bytes, folder_of(attempt), offer->path);
    uint64_t *word = file < 0 ? NULL : bn_shared_file_map(file, PAGE_BYTES, 0);
    if (word) {
        *word = offer->word;
        bn_shared_file_unmap(word, PAGE_BYTES);
        return file;
    }
    if (file >= 0)
        bn_shared_file_close(file);
    if (file >= 0 && attempt > 0)
        bn_shared_file_remove(offer->path);
    offer->path[0] = '\0';
    return -1;
}

static int take_file(const struct offer *offer)
{
    int file = bn_shared_file_open(offer->path);
    const uint64_t *word = file < 0 ? NULL : bn_shared_file_map(file, PAGE_BYTES, 0);
    bool is_it = word && *word == offer->word;
    if (word)
        bn_shared_file_unmap((void *)word, PAGE_BYTES);
    if (file >= 0 && !is_it)
        bn_shared_file_close(file);
    return is_it ? file : -1;
}

/* The file that all processes have; -1 if there is none.  The name, if it has one, is gone then. */
static int agree_on_file(const struct bn_talk *talk)
{
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        struct offer offer;
        int file = -1;
        if (node.self == 0)
            file = offer_file(attempt, &offer);
        talk->tell(talk->context, &offer, sizeof offer);
        if (offer.path[0] == '\0')
            continue;
        if (node.self != 0)
            file = take_file(&offer);
        bool all_have_it = talk->all(talk->context, file >= 0);
        if (node.self == 0 && attempt > 0)
            bn_shared_file_remove(offer.path);
        lay_out(offer.heap_bytes);
        if (all_have_it)
            return file;
        if (file >= 0)
            bn_shared_file_close(file);
    }
    return -1;
}

static bool agree_on_address(const struct bn_talk *talk, int file)
{
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++) {
        node.header = bn_shared_file_map(file, node.size_bytes, addresses[i]);
        if (talk->all(talk->context, node.header != NULL)) {
            lay_out(node.heap_bytes);
            return true;
        }
        if (node.header)
            bn_shared_file_unmap(node.header, node.size_bytes);
    }
    node.header = NULL;
    return false;
}

/* ---- Heaps ---- */

static struct bn_heap *heap_of(int process)
{
    return (struct bn_heap *)(node.tables + (uint64_t)process * node.table_bytes);
}

static unsigned char *heap_memory(int process)
{
    return node.heaps + (uint64_t)process * node.heap_bytes;
}

static bool set_end(void *context, uint64_t end_bytes)
{
    (void)context;
    return end_bytes <= node.heap_bytes;
}

static void discard(void *context, uint64_t offset_bytes, uint64_t size_bytes)
{
    bn_memory_discard((uint64_t)context + offset_bytes, size_bytes);
}

uint64_t bn_node_take(size_t size_bytes)
{
    bn_spinlock_acquire(&node.heap_lock);
    uint64_t offset = bn_heap_alloc(heap_of(node.self), size_bytes < 512 ? 512 : size_bytes); /* aligned to 64 */
    bn_spinlock_release(&node.heap_lock);
    return offset == BN_HEAP_NONE ? 0 : (uint64_t)(heap_memory(node.self) + offset);
}

uint64_t bn_node_alloc(size_t size_bytes)
{
    uint64_t memory = bn_node_take(size_bytes);
    if (memory != 0)
        bn_memory_clear((void *)memory, size_bytes);
    return memory;
}

struct bn_node_range bn_node_own_heap(void)
{
    return (struct bn_node_range){(uint64_t)heap_memory(node.self), node.heap_bytes};
}

void bn_node_release(uint64_t address)
{
    uint64_t offset = address - (uint64_t)node.heaps;
    int owner = (int)(offset / node.heap_bytes);
    if (owner != node.self) {
        bn_heap_free_remote(heap_of(owner), offset % node.heap_bytes);
        return;
    }
    bn_spinlock_acquire(&node.heap_lock);
    bn_heap_free(heap_of(owner), offset % node.heap_bytes);
    bn_spinlock_release(&node.heap_lock);
}

/* ---- Processes ---- */

static struct bn_pu_set all_may_use(void)
{
    struct bn_pu_set all = {{0}};
    for (int process = 0; process < node.count; process++)
        for (size_t word = 0; word < sizeof all.words / sizeof all.words[0]; word++)
            all.words[word] |= node.header->may_use[process].words[word];
    return all;
}

static void count_cores(void)
{
    const struct bn_pu_set all = all_may_use();
    long quota_milli = bn_cpus_quota_milli("");
    node.core_count = bn_pu_set_count(&all);
    if (quota_milli > 0 && (quota_milli + 999) / 1000 < node.core_count)
        node.core_count = (int)((quota_milli + 999) / 1000);
    node.policy =
        bn_wait_policy_make(node.count, node.core_count, (enum bn_wait_choice)bn_option_number(BN_OPTION_WAIT));
}

/* Each process tries the next one: what forbids it, forbids it to all as a rule.  Where it does not, copies have a way
 * that always works. */
static void agree_on_reach(const struct bn_talk *talk)
{
    int error;
    bool is_reached = bn_kernel_reach_of((node.self + 1) % node.count, &error) == BN_KERNEL_BY_CMA;
    enum bn_reach by_kernel = node.has_program_heap ? BN_REACH_HEAP : BN_REACH_KERNEL;
    node.reach = talk->all(talk->context, is_reached) ? by_kernel : BN_REACH_STAGES;
}

bool bn_node_join(const struct bn_talk *talk, int self, int count, bool has_program_heap, const char **why_p)
{
    node.has_program_heap = has_program_heap;
    node.self = self;
    node.count = count;
    *why_p = "the processes of this machine cannot open a file that one of them makes, neither in /proc/PID/fd nor in "
             "/dev/shm nor in $TMPDIR";
    int file = agree_on_file(talk);
    if (file < 0)
        return false;
    *why_p = "no range of addresses is free in all processes";
    bool has_address = agree_on_address(talk, file);
    bn_shared_file_close(file); /* the mapping keeps it */
    if (!has_address)
        return false;
    unsigned char *memory = heap_memory(self);
    bn_heap_init(heap_of(self), node.heap_bytes, (struct bn_heap_backing){set_end, discard, memory});
    bn_cpus_affinity(&node.header->may_use[self]);
    *why_p = "there is no memory";
    if (!talk->all(talk->context, bn_kernel_join(node.cards, self, count))) { /* a barrier, too */
        bn_shared_file_unmap(node.header, node.size_bytes);
        node.header = NULL;
        return false;
    }
    count_cores();
    agree_on_reach(talk);
    return true;
}

enum bn_reach bn_node_reach(void)
{
    return node.reach;
}

int bn_node_process_count(void)
{
    return node.header ? node.count : 0;
}

struct bn_wait_policy bn_node_wait_policy(void)
{
    return node.policy;
}

int bn_node_core_count(void)
{
    return node.core_count;
}

/* ---- Where they are ---- */

/* The machine is read once, when a team asks; null if it cannot be. */
static const struct bn_machine *machine_of_node(void)
{
    const char *description = bn_option_is_set(BN_OPTION_TOPOLOGY) ? bn_option(BN_OPTION_TOPOLOGY)->text : NULL;
    const struct bn_pu_set usable = all_may_use();
    bn_spinlock_acquire(&node.machine_lock);
    if (!node.machine && bn_machine_read(description, description ? NULL : &usable, false, &node.machine) != BN_OK)
        node.machine = NULL;
    bn_spinlock_release(&node.machine_lock);
    return node.machine;
}

/* As if all processes were bound in order, on a machine that is only described */
static bool described_places(const struct bn_machine *machine, struct bn_place *places)
{
    const struct bn_spread block = {.node_count = 1, .order = BN_SPREAD_BLOCK};
    return bn_spread_places(machine, &block, node.count, places) == BN_OK;
}

struct bn_hierarchy *bn_node_hierarchy(const int *processes, int count)
{
    const struct bn_machine *machine = machine_of_node();
    struct bn_place *all = calloc((size_t)node.count, sizeof *all);
    struct bn_place *places = calloc((size_t)count, sizeof *places);
    struct bn_hierarchy *hierarchy = NULL;
    bool is_known = machine && all && places;
    if (is_known && bn_option_is_set(BN_OPTION_TOPOLOGY))
        is_known = described_places(machine, all);
    else
        for (int process = 0; is_known && process < node.count; process++)
            all[process] = bn_machine_place(machine, &node.header->may_use[process]);
    for (int i = 0; is_known && i < count; i++)
        places[i] = all[processes[i]];
    if (is_known && bn_hierarchy_create(places, count, &hierarchy) != BN_OK)
        hierarchy = NULL;
    free(all);
    free(places);
    return hierarchy;
}
