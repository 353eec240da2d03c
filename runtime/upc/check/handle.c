/*
 * handle.c: handles of transfers for -fcheck.
 *
 * Each transfer gets a handle of its own, even if all transfers complete when they are started (nb.c), so that a
 * transfer that is synchronised twice or never is detected.  A handle is (slot + 1) << 32 | number of uses of the slot.
 * Slots are used in turn, so a slot is not reused soon.
 */
#include "upc/check/check.h"
#include "upc/check/thread.h"
#include "upc/context.h"
#include "upc/fatal.h"

#include <stdio.h>
#include <stdlib.h>

enum { FIRST_SLOTS = 1024, SLOT_SHIFT = 32 };

static void grow(const char *function)
{
    struct bn_check_thread *self = bn_context.check;
    size_t count = self->transfer_count == 0 ? FIRST_SLOTS : 2 * self->transfer_count;
    struct bn_check_transfer *transfers = realloc(self->transfers, count * sizeof *transfers);
    if (!transfers)
        bn_upc_fatal(function, "there is no memory left for %zu transfers; synchronise some of them first", count);
    for (size_t i = self->transfer_count; i < count; i++)
        transfers[i] = (struct bn_check_transfer){0};
    self->transfers = transfers;
    self->next_transfer = self->transfer_count;
    self->transfer_count = count;
}

void *bn_check_handle_begin(const char *function, uint64_t transfer)
{
    struct bn_check_thread *self = bn_context.check;
    if (2 * self->open_count >= self->transfer_count)
        grow(function);
    while (self->transfers[self->next_transfer].is_open)
        self->next_transfer = (self->next_transfer + 1) % self->transfer_count;
    struct bn_check_transfer *slot = &self->transfers[self->next_transfer];
    slot->uses++;
    slot->is_open = true;
    slot->transfer = transfer;
    slot->function = function;
    slot->begin = bn_check_here;
    self->open_count++;
    uint64_t handle = (uint64_t)(self->next_transfer + 1) << SLOT_SHIFT | slot->uses;
    self->next_transfer = (self->next_transfer + 1) % self->transfer_count;
    return (void *)handle;
}

/* ", at a.upc:7"; empty for unchecked code */
static void print_place(const struct bn_check_place *place, char *text, size_t text_bytes)
{
    text[0] = '\0';
    if (place->file)
        snprintf(text, text_bytes, ", at %s:%d", place->file, place->line);
}

uint64_t bn_check_handle_end(const char *function, const void *handle)
{
    struct bn_check_thread *self = bn_context.check;
    size_t number = (size_t)((uint64_t)handle >> SLOT_SHIFT);
    uint32_t use = (uint32_t)(uint64_t)handle;
    char where[256];
    if (number == 0 || number > self->transfer_count || use == 0 || use > self->transfers[number - 1].uses)
        bn_upc_fatal(function, BN_NO_HANDLE, handle);
    struct bn_check_transfer *slot = &self->transfers[number - 1];
    if (use < slot->uses || !slot->is_open) {
        print_place(&slot->end, where, sizeof where);
        bn_upc_fatal(function, "the transfer was synchronised before%s; synchronise each handle once",
                     use == slot->uses ? where : "");
    }
    slot->is_open = false;
    slot->end = bn_check_here;
    self->open_count--;
    return slot->transfer;
}

void bn_check_handles_done(void)
{
    const struct bn_check_thread *self = bn_context.check;
    for (size_t i = 0; i < self->transfer_count && self->open_count > 0; i++) {
        const struct bn_check_transfer *slot = &self->transfers[i];
        if (!slot->is_open)
            continue;
        bn_check_here = slot->begin;
        bn_upc_fatal(slot->function,
                     "the transfer that was started here was never synchronised; pass its handle to upc_sync");
    }
}
