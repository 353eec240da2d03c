#include "heap/heap.h"

#include "platform/atomic_word.h"
#include "platform/cache_line.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum { BOOT_BYTES = 64 << 10 };

/* Header in front of a block, in a cache line of its own */
struct block {
    size_t size_bytes;
    size_t room_bytes;   /* to which it can grow in place */
    size_t offset_bytes; /* from the start of the source's memory to this header */
};

static struct bn_heap_source source; /* all zero: not open */
static struct stat file_status;      /* of source.file */

/* ---- The next allocator: the program's own ---- */

static struct {
    bool is_known;
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void (*free)(void *);
    void *(*memalign)(size_t, size_t);
    size_t (*malloc_usable_size)(void *);
} next;

/* Memory for allocations by dlsym during the look-up; never freed */
static struct {
    unsigned char memory[BOOT_BYTES] __attribute__((aligned(BN_LINE_BYTES)));
    size_t used_bytes;
} boot;

static void *take_at_boot(size_t size_bytes)
{
    size_t begin = boot.used_bytes;
    size_t taken = (size_bytes + BN_LINE_BYTES - 1) / BN_LINE_BYTES * BN_LINE_BYTES;
    if (taken < size_bytes || taken > BOOT_BYTES - begin)
        return NULL;
    boot.used_bytes = begin + taken;
    return boot.memory + begin;
}

static bool is_of_boot(const void *address)
{
    return (uintptr_t)address - (uintptr_t)boot.memory < BOOT_BYTES;
}

static void *find(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

/* Looks up the next allocator.  False in nested calls during the look-up; the first call comes before there are
 * threads. */
static bool know_next(void)
{
    static bool is_looking;
    if (next.is_known)
        return true;
    if (is_looking)
        return false;
    is_looking = true;
    next.malloc = (void *(*)(size_t))find("malloc");
    next.calloc = (void *(*)(size_t, size_t))find("calloc");
    next.realloc = (void *(*)(void *, size_t))find("realloc");
    next.free = (void (*)(void *))find("free");
    next.memalign = (void *(*)(size_t, size_t))find("memalign");
    next.malloc_usable_size = (size_t (*)(void *))find("malloc_usable_size");
    next.is_known = true;
    is_looking = false;
    return true;
}

/* ---- Blocks ---- */

static uint64_t used_bytes; /* of the source's range: the maximum so far */

static void reaches_to(uint64_t end)
{
    uint64_t bytes = end - source.begin;
    uint64_t before = bn_word64_get(&used_bytes);
    while (bytes > before && !bn_word64_change(&used_bytes, &before, bytes))
        ;
}

static bool is_shared(const void *address)
{
    return (uint64_t)address - source.begin < source.size_bytes;
}

static struct block *block_of(void *address)
{
    return (struct block *)((unsigned char *)address - BN_LINE_BYTES);
}

/* A block of shared memory.  Null: too small, or no room.  alignment must be a power of two. */
static void *take_shared(size_t size_bytes, size_t alignment, uint64_t (*take)(size_t))
{
    size_t extra = alignment > BN_LINE_BYTES ? alignment : 0;
    if (size_bytes < BN_HEAP_LARGE_BYTES || !take || size_bytes > SIZE_MAX - BN_LINE_BYTES - extra)
        return NULL;
    uint64_t begin = take(size_bytes + BN_LINE_BYTES + extra);
    if (begin == 0)
        return NULL;
    uint64_t address = begin + BN_LINE_BYTES;
    if (extra != 0)
        address = (address + alignment - 1) & ~((uint64_t)alignment - 1);
    struct block *block = block_of((void *)address);
    *block = (struct block){size_bytes, size_bytes, address - BN_LINE_BYTES - begin};
    reaches_to(address + size_bytes);
    return (void *)address;
}

static void give_back(void *address)
{
    struct block *block = block_of(address);
    source.give_back((uint64_t)block - block->offset_bytes);
}

static size_t bytes_of(void *address)
{
    return is_shared(address) ? block_of(address)->size_bytes : next.malloc_usable_size(address);
}

EXPORT void *malloc(size_t size_bytes)
{
    void *shared = take_shared(size_bytes, BN_LINE_BYTES, source.take);
    if (shared)
        return shared;
    return know_next() ? next.malloc(size_bytes) : take_at_boot(size_bytes);
}

EXPORT void *calloc(size_t count, size_t size_bytes)
{
    size_t all_bytes;
    if (__builtin_mul_overflow(count, size_bytes, &all_bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    void *shared = take_shared(all_bytes, BN_LINE_BYTES, source.take_zeroed);
    if (shared)
        return shared;
    return know_next() ? next.calloc(count, size_bytes) : take_at_boot(all_bytes);
}

EXPORT void free(void *address)
{
    if (is_shared(address))
        give_back(address);
    else if (!is_of_boot(address) && know_next())
        next.free(address);
}

/* A block that has grown once is likely to grow again, so it gets room for another half: untouched pages cost nothing,
 * and the data are not copied each time. */
static void *take_to_grow(size_t size_bytes)
{
    size_t room_bytes = size_bytes < SIZE_MAX / 2 ? size_bytes + size_bytes / 2 : size_bytes;
    void *address = take_shared(room_bytes, BN_LINE_BYTES, source.take);
    if (address)
        block_of(address)->size_bytes = size_bytes;
    return address;
}

/* Moves data to another block; null: there is no memory, and the old block is unchanged. */
static void *move(void *address, size_t size_bytes)
{
    size_t old_bytes = bytes_of(address);
    void *moved = size_bytes > old_bytes ? take_to_grow(size_bytes) : NULL;
    if (!moved)
        moved = malloc(size_bytes);
    if (!moved)
        return NULL;
    memcpy(moved, address, old_bytes < size_bytes ? old_bytes : size_bytes);
    free(address);
    return moved;
}

/* Resizes a block in place; false if it has no room, or more than half of its room would be unused. */
static bool resize(void *address, size_t size_bytes)
{
    struct block *block = block_of(address);
    if (size_bytes > block->room_bytes || size_bytes < block->room_bytes / 2)
        return false;
    block->size_bytes = size_bytes;
    return true;
}

EXPORT void *realloc(void *address, size_t size_bytes)
{
    bool becomes_shared = source.take && size_bytes >= BN_HEAP_LARGE_BYTES;
    if (!address)
        return malloc(size_bytes);
    if (is_of_boot(address)) {
        void *moved = malloc(size_bytes); /* its size is unknown, so bytes behind it may be copied, too */
        size_t rest = (size_t)(boot.memory + BOOT_BYTES - (unsigned char *)address);
        return moved ? memcpy(moved, address, size_bytes < rest ? size_bytes : rest) : NULL;
    }
    if (!know_next() || (!is_shared(address) && !becomes_shared))
        return next.realloc(address, size_bytes);
    if (is_shared(address) && size_bytes == 0) {
        give_back(address);
        return NULL;
    }
    if (is_shared(address) && becomes_shared && resize(address, size_bytes))
        return address;
    return move(address, size_bytes);
}

EXPORT void *reallocarray(void *address, size_t count, size_t size_bytes)
{
    size_t all_bytes;
    if (!__builtin_mul_overflow(count, size_bytes, &all_bytes))
        return realloc(address, all_bytes);
    errno = ENOMEM;
    return NULL;
}

EXPORT void *memalign(size_t alignment, size_t size_bytes)
{
    bool is_power = alignment != 0 && (alignment & (alignment - 1)) == 0;
    void *shared = is_power ? take_shared(size_bytes, alignment, source.take) : NULL;
    if (shared)
        return shared;
    return know_next() ? next.memalign(alignment, size_bytes) : NULL;
}

EXPORT void *aligned_alloc(size_t alignment, size_t size_bytes)
{
    return memalign(alignment, size_bytes);
}

EXPORT int posix_memalign(void **address_p, size_t alignment, size_t size_bytes)
{
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
        return EINVAL;
    int before = errno;
    void *address = memalign(alignment, size_bytes);
    errno = before;
    if (!address)
        return ENOMEM;
    *address_p = address;
    return 0;
}

EXPORT void *valloc(size_t size_bytes)
{
    return memalign((size_t)sysconf(_SC_PAGESIZE), size_bytes);
}

EXPORT size_t malloc_usable_size(void *address)
{
    if (!address || is_of_boot(address) || !know_next())
        return 0;
    return bytes_of(address);
}

/* ---- Forks ---- */

/*
 * A copy of the pages in use, made before a fork; the child maps it in place of the shared blocks.  Each thread has its
 * own, because the C library allows other threads to fork while it calls these handlers.  A nested fork, by somebody
 * else's handler, uses the copy of the outer one.
 */
static _Thread_local struct {
    unsigned depth;
    void *memory; /* MAP_FAILED: no copy */
    size_t bytes;
} copy;

static bool is_child(void)
{
    return !source.take;
}

/* The program may have closed the file, and another one may have got its number. */
static bool has_file(void)
{
    struct stat now;
    return fstat(source.file, &now) == 0 && now.st_dev == file_status.st_dev && now.st_ino == file_status.st_ino;
}

/* Finds the next stretch of the range, from *begin on, that has been touched.  False: there is none.  mincore() does
 * not know of pages that have been swapped out. */
static bool find_touched(size_t *begin, size_t *end)
{
    off_t base = (off_t)source.offset_bytes, data = lseek(source.file, base + (off_t)*begin, SEEK_DATA);
    if (data < 0 && errno == ENXIO)
        return false;
    off_t hole = data < 0 ? -1 : lseek(source.file, data, SEEK_HOLE);
    *begin = hole < 0 ? *begin : (size_t)(data - base);
    *end = hole < 0 || (size_t)(hole - base) > copy.bytes ? copy.bytes : (size_t)(hole - base);
    return *begin < *end;
}

static void copy_pages(void)
{
    if (copy.depth++ > 0)
        return;
    copy.memory = MAP_FAILED;
    if (is_child()) /* its blocks are private already */
        return;
    size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    copy.bytes = (bn_word64_get(&used_bytes) / page_bytes + 1) * page_bytes;
    copy.memory = mmap(NULL, copy.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (copy.memory == MAP_FAILED)
        return;
    bool is_file = has_file();
    size_t begin = 0, end = copy.bytes; /* of all, which takes memory for what has not been touched, too */
    while (is_file ? find_touched(&begin, &end) : begin < end)
        for (; begin < end; begin += page_bytes) /* memcpy() of more would bypass the cache and be slower */
            memcpy((unsigned char *)copy.memory + begin, (unsigned char *)source.begin + begin, page_bytes);
}

static void drop_copy(void)
{
    if (--copy.depth > 0 || copy.memory == MAP_FAILED)
        return;
    munmap(copy.memory, copy.bytes);
}

/* The child allocates from private memory from now on, and blocks that it frees in its copy are not reused. */
static void nothing_to_give_back(uint64_t address)
{
    (void)address;
}

static void use_copy(void)
{
    copy.depth--;
    if (is_child())
        return;
    /* Not mremap(), which UCX replaces by a function that ignores the last argument */
    if (copy.memory == MAP_FAILED ||
        syscall(SYS_mremap, copy.memory, copy.bytes, copy.bytes, MREMAP_MAYMOVE | MREMAP_FIXED, source.begin) == -1)
        abort(); /* otherwise the child would write to its parent's memory */
    copy.memory = MAP_FAILED;
    source.take = source.take_zeroed = NULL;
    source.give_back = nothing_to_give_back;
}

EXPORT void bn_heap_open(const struct bn_heap_source *given)
{
    know_next();
    fstat(given->file, &file_status);
    source = *given;
    pthread_atfork(copy_pages, drop_copy, use_copy);
}
