#include "team/adopt.h"

#include "base/options.h"
#include "platform/memory.h"
#include "platform/redirect.h"
#include "team/error.h"
#include "team/member.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    LINE_BYTES = 64,
    LEAST_BYTES = 16 << 10, /* smaller ones are copied through rooms anyway */
    MOST_BYTES = 32 << 20,
    SOURCES_MAX = 64,
};

/* Header in front of a block, in a cache line of its own at the start of a page.  The pages up to the end of the block
 * contain nothing else. */
struct block {
    uint64_t memory; /* address returned by the team's allocator */
    size_t page_bytes;
    struct block *before, *behind;
};

/* A team from which blocks were taken; size 0: unused entry */
struct source {
    uint64_t begin, size_bytes;
    banyan_team *team;
    struct block *first;
    size_t block_count;
    void (*release)(banyan_team *team); /* null: the team has not been left */
};

/* What a forked child gets instead of a block */
struct copy {
    void *begin, *memory;
    size_t page_bytes;
};

static struct {
    pthread_mutex_t lock;
    struct source sources[SOURCES_MAX];
    int source_count;       /* entries in use */
    struct source *current; /* null: nothing is adopted */
    size_t used_bytes, limit_bytes;
    bool is_child; /* blocks are private copies of those of the parent */
    struct copy *copies;
    size_t copy_count;
} adopted = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct source *source_of(const void *address)
{
    for (int i = 0; i < adopted.source_count; i++)
        if ((uint64_t)address - adopted.sources[i].begin < adopted.sources[i].size_bytes)
            return &adopted.sources[i];
    return NULL;
}

/* ---- Replacements for posix_memalign and free ---- */

static void *take(size_t size_bytes)
{
    size_t page = bn_memory_page_bytes();
    size_t page_bytes = (LINE_BYTES + size_bytes + page - 1) / page * page;
    struct block *block = NULL;
    pthread_mutex_lock(&adopted.lock);
    struct source *source = adopted.current;
    if (source && adopted.used_bytes + page_bytes <= adopted.limit_bytes) {
        uint64_t memory = bn_world_take(source->team->world, page_bytes + page);
        if (memory != 0) {
            block = (struct block *)((memory + page - 1) / page * page);
            *block = (struct block){memory, page_bytes, NULL, source->first};
            if (source->first)
                source->first->before = block;
            source->first = block;
            source->block_count++;
            adopted.used_bytes += page_bytes;
        }
    }
    pthread_mutex_unlock(&adopted.lock);
    return block ? (unsigned char *)block + LINE_BYTES : NULL;
}

/* Called with the lock held, which it releases. */
static void give_back(struct source *source, struct block *block)
{
    void (*release)(banyan_team *team) = NULL;
    banyan_team *team = source->team;
    *(block->before ? &block->before->behind : &source->first) = block->behind;
    if (block->behind)
        block->behind->before = block->before;
    adopted.used_bytes -= block->page_bytes;
    bn_world_release(team->world, block->memory);
    if (--source->block_count == 0 && source->release) {
        release = source->release;
        *source = (struct source){0};
    }
    pthread_mutex_unlock(&adopted.lock);
    if (release)
        release(team);
}

static int place(void **address_p, size_t alignment, size_t size_bytes)
{
    bool is_wanted = size_bytes >= LEAST_BYTES && size_bytes <= MOST_BYTES && alignment <= LINE_BYTES;
    void *address = is_wanted ? take(size_bytes) : NULL;
    if (!address)
        return posix_memalign(address_p, alignment, size_bytes);
    *address_p = address;
    return 0;
}

/* In a child, copies that are freed are not reused. */
static void give(void *address)
{
    pthread_mutex_lock(&adopted.lock);
    struct source *source = source_of(address);
    if (source && !adopted.is_child) {
        give_back(source, (struct block *)((unsigned char *)address - LINE_BYTES));
        return;
    }
    pthread_mutex_unlock(&adopted.lock);
    if (!source)
        free(address);
}

/* ---- Forks ---- */

static void copy_block(struct block *block)
{
    struct copy *copy = &adopted.copies[adopted.copy_count++];
    void *memory =
        mmap(NULL, block->page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    *copy = (struct copy){block, memory == MAP_FAILED ? NULL : memory, block->page_bytes};
    if (copy->memory)
        memcpy(copy->memory, block, block->page_bytes);
}

/* The list is in private memory, since the parent's blocks change while the child reads the list. */
static void before_fork(void)
{
    size_t count = 0;
    pthread_mutex_lock(&adopted.lock);
    for (int i = 0; i < adopted.source_count && !adopted.is_child; i++)
        count += adopted.sources[i].block_count;
    adopted.copy_count = 0;
    adopted.copies = count == 0 ? NULL : calloc(count, sizeof *adopted.copies);
    for (int i = 0; i < adopted.source_count && adopted.copies; i++)
        for (struct block *block = adopted.sources[i].first; block; block = block->behind)
            copy_block(block);
    adopted.copy_count = count; /* if there was no memory for the list, the child will notice */
}

static void drop_copies(void)
{
    for (size_t i = 0; i < adopted.copy_count && adopted.copies; i++)
        if (adopted.copies[i].memory)
            munmap(adopted.copies[i].memory, adopted.copies[i].page_bytes);
    free(adopted.copies);
    adopted.copies = NULL;
    pthread_mutex_unlock(&adopted.lock);
}

static void use_copies(void)
{
    for (size_t i = 0; i < adopted.copy_count; i++) {
        const struct copy *copy = adopted.copies ? &adopted.copies[i] : NULL;
        if (!copy || !copy->memory ||
            mremap(copy->memory, copy->page_bytes, copy->page_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, copy->begin) ==
                MAP_FAILED)
            abort(); /* otherwise the child would write to its parent's memory */
    }
    free(adopted.copies);
    adopted.copies = NULL;
    adopted.current = NULL;
    adopted.is_child = true;
    pthread_mutex_unlock(&adopted.lock);
}

static void watch_forks(void)
{
    pthread_atfork(before_fork, drop_copies, use_copies);
}

/* ---- Teams ---- */

/* Between begin and end of a call of the team */
static banyan_status begin(banyan_team *team, const char *library)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    banyan_status status = BANYAN_OK;
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&adopted.lock);
    struct source *source = adopted.sources;
    while (source < adopted.sources + SOURCES_MAX && source->size_bytes != 0)
        source++;
    if (adopted.current || adopted.is_child || source == adopted.sources + SOURCES_MAX) {
        status = bn_error(
            BANYAN_BUSY,
            "team %s: another team has adopted the blocks of %s already, or this process was forked by a member",
            team->name, library);
    } else if (bn_redirect(library, "free", (void (*)(void))give) == 0 ||
               bn_redirect(library, "posix_memalign", (void (*)(void))place) == 0) {
        status = bn_error(BANYAN_SYSTEM, "team %s: no library %s is loaded that calls posix_memalign and free",
                          team->name, library);
    } else {
        struct bn_world_range range = bn_world_own_heap(team->world);
        uint64_t share_bytes = bn_memory_available_bytes("") / 4 / (uint64_t)team->size;
        uint64_t wanted_bytes = (uint64_t)bn_option_number(BN_OPTION_ADOPT);
        adopted.limit_bytes = wanted_bytes < share_bytes ? wanted_bytes : share_bytes;
        *source = (struct source){.begin = range.begin, .size_bytes = range.size_bytes, .team = team};
        if (source == adopted.sources + adopted.source_count)
            adopted.source_count++;
        adopted.current = source;
    }
    pthread_mutex_unlock(&adopted.lock);
    return status;
}

banyan_status banyan_adopt(banyan_team *team, const char *library)
{
    banyan_status status = bn_member_begin(team);
    if (status != BANYAN_OK)
        return status;
    if (!library)
        status = bn_error(BANYAN_ARGUMENT, "banyan_adopt: the library is null");
    else if (team->world)
        status = begin(team, library);
    bn_member_end(team);
    return status;
}

bool bn_adopt_end(banyan_team *team, void (*release)(banyan_team *team))
{
    bool is_free = true;
    pthread_mutex_lock(&adopted.lock);
    for (int i = 0; i < adopted.source_count; i++) {
        struct source *source = &adopted.sources[i];
        if (source->size_bytes == 0 || source->team != team)
            continue;
        if (adopted.current == source)
            adopted.current = NULL;
        is_free = source->block_count == 0;
        if (is_free)
            *source = (struct source){0};
        else
            source->release = release;
    }
    pthread_mutex_unlock(&adopted.lock);
    return is_free;
}
