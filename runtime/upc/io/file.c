#include "upc/io/file.h"

#include "upc/collective/exchange.h"
#include "upc/context.h"
#include "upc/fatal.h"
#include "upc/nodes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- The end of the program ---- */

static void finish_operations(void)
{
    const struct bn_io_files *files = bn_context.io_files;
    for (size_t i = 0; i < files->count; i++) {
        if (files->slots[i])
            bn_io_operation_wait(&files->slots[i]->operation);
    }
}

/* Does what closing does beyond what the end of a process does.  Errors can no longer be reported to anyone. */
static void close_all(void)
{
    const struct bn_io_files *files = bn_context.io_files;
    for (size_t i = 0; i < files->count; i++) {
        const struct bn_io_file *file = files->slots[i];
        if (!file)
            continue;
        if (bn_io_may(file, BN_IO_WRITE))
            (void)bn_storage_sync(&file->storage);
        if (file->path)
            (void)bn_storage_remove(file->path);
    }
}

static const struct bn_end_calls end_calls = {.before_barrier = finish_operations, .once = close_all};

/* ---- The table ---- */

static bool has_table(void)
{
    struct bn_context *context = &bn_context;
    if (!context->io_files)
        context->io_files = calloc(1, sizeof *context->io_files);
    if (context->io_files)
        context->end_calls = &end_calls;
    return context->io_files != NULL;
}

/* The first free slot; null if there is no memory for another one */
static struct bn_io_file **find_free_slot(struct bn_io_files *files)
{
    size_t slot = 0;
    while (slot < files->count && files->slots[slot])
        slot++;
    if (slot == files->count) {
        struct bn_io_file **slots = realloc(files->slots, (slot + 1) * sizeof *slots);
        if (!slots)
            return NULL;
        slots[slot] = NULL;
        files->slots = slots;
        files->count = slot + 1;
    }
    return &files->slots[slot];
}

struct bn_io_file *bn_io_file_new(void)
{
    struct bn_io_file **slot = has_table() ? find_free_slot(bn_context.io_files) : NULL;
    struct bn_io_file *file = slot ? aligned_alloc(_Alignof(struct bn_io_file), sizeof *file) : NULL;
    if (!file)
        return NULL;
    memset(file, 0, sizeof *file);
    file->storage.descriptor = -1;
    *slot = file;
    return file;
}

void bn_io_file_delete(struct bn_io_file *file)
{
    struct bn_io_file **slot = bn_context.io_files->slots;
    while (*slot != file)
        slot++;
    *slot = NULL;
    bn_io_hints_free(&file->hints);
    free(file->buffer.memory);
    free(file->name);
    free(file->path);
    free(file);
}

/* ---- The record ---- */

uint64_t bn_io_record_new(void)
{
    uint64_t address = bn_heaps_alloc_local(&bn_context.heaps, bn_context.thread, sizeof(struct bn_io_record));
    if (address != 0)
        bn_lock_init(&((struct bn_io_record *)address)->lock);
    return address;
}

void bn_io_record_delete(uint64_t record)
{
    bn_heaps_free(&bn_context.heaps, bn_context.thread, record);
}

/* Only a few files are open at a time, so searching them costs nothing compared with a system call or a network
 * message. */
struct bn_io_file *bn_io_file_at(const char *function, bn_pts_t fd)
{
    const struct bn_io_files *files = bn_context.io_files;
    bn_context_check_collective(function);
    if (fd.addr == 0)
        bn_upc_fatal(function, "the pointer to the file is null; look at what upc_all_fopen returned, and at errno");
    for (size_t i = 0; files && i < files->count; i++) {
        if (files->slots[i] && files->slots[i]->record == fd.addr)
            return files->slots[i];
    }
    bn_upc_fatal(function, "there is no open file at 0x%llx; it was closed, or never opened",
                 (unsigned long long)fd.addr);
}

/* ---- Agreement ---- */

struct shown {
    int64_t value;
    int64_t error;
};

struct bn_io_agreement bn_io_agree(const char *function, int64_t value, int error)
{
    struct shown own = {value, error};
    struct bn_io_agreement all = {.largest = INT64_MIN, .least = INT64_MAX};
    bn_exchange_show(function, &own, sizeof own);
    for (int thread = 0; thread < bn_context.thread_count; thread++) {
        const struct shown *shown = bn_exchange_shown(thread, sizeof *shown);
        all.sum += shown->value;
        all.largest = shown->value > all.largest ? shown->value : all.largest;
        all.least = shown->value < all.least ? shown->value : all.least;
        all.first = thread == 0 ? shown->value : all.first;
        all.error = all.error == 0 ? (int)shown->error : all.error;
    }
    return all;
}

int bn_io_file_sync(const char *function, struct bn_io_file *file)
{
    struct bn_io_agreement all = bn_io_agree(function, file->has_written, 0);
    file->has_written = false;
    if (all.sum == 0)
        return 0;
    return bn_io_agree(function, 0, bn_nodes_is_leader() ? bn_storage_sync(&file->storage) : 0).error;
}

int64_t bn_io_result(int error, int64_t result)
{
    if (error == 0)
        return result;
    errno = error;
    return -1;
}
