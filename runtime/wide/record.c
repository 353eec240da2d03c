#include "wide/record.h"

#include <stdlib.h>

static bool has_room(struct bn_record *record)
{
    if (record->count < record->room)
        return true;
    uint32_t room = record->room ? 2 * record->room : 1024;
    struct bn_record_entry *entries = room <= BN_RECORD_MOST ? realloc(record->entries, room * sizeof *entries) : NULL;
    if (!entries)
        return false;
    record->entries = entries;
    record->room = room;
    return true;
}

uint32_t bn_record_add(struct bn_record *record, struct bn_record_entry entry)
{
    record->call_count += entry.kind == BN_RECORD_CALL;
    entry.call = record->call_count;
    if (!has_room(record))
        return UINT32_MAX;
    entry.begin_ns = bn_clock_ns();
    record->entries[record->count] = entry;
    return record->count++;
}

const char *bn_record_kind_name(enum bn_record_kind kind)
{
    static const char *const names[BN_RECORD_KIND_COUNT] = {
        [BN_RECORD_CALL] = "call",       [BN_RECORD_NEAR] = "near",       [BN_RECORD_SEND] = "send",
        [BN_RECORD_RECEIVE] = "receive", [BN_RECORD_CIRCLE] = "together", [BN_RECORD_AWAIT] = "await",
    };
    return names[kind];
}
