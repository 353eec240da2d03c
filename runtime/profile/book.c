#include "profile/book.h"

static const struct {
    const char *name, *group;
    bool is_brief;
} operations[BN_PROFILE_OPERATIONS] = {
#define X(ID, name, group, is_brief) {name, group, is_brief},
#include "profile/operations.def"
#undef X
};

const char *bn_profile_name(enum bn_profile_operation operation)
{
    return operations[operation].name;
}

const char *bn_profile_group(enum bn_profile_operation operation)
{
    return operations[operation].group;
}

bool bn_profile_is_brief(enum bn_profile_operation operation)
{
    return operations[operation].is_brief;
}

uint64_t bn_book_bytes(int thread_count, uint32_t event_room)
{
    enum { PAGE_BYTES = 4096 };
    uint64_t bytes = bn_book_events_offset((uint32_t)thread_count) + event_room * sizeof(struct bn_book_event);
    return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

/* Where the search for a site starts; up to PROBES sites are tried. */
static uint32_t hash(uint64_t pc, uint32_t operation)
{
    uint64_t mixed = (pc * 2 + operation) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(mixed >> 32);
}

struct bn_book_site *bn_book_site(struct bn_book *book, uint64_t pc, enum bn_profile_operation operation)
{
    enum { PROBES = 32 };
    uint32_t first = hash(pc, operation);
    for (uint32_t i = 0; i < PROBES; i++) {
        struct bn_book_site *site = &book->sites[(first + i) % BN_BOOK_SITES];
        if (site->pc == 0) {
            site->pc = pc;
            site->operation = operation;
        }
        if (site->pc == pc && site->operation == operation)
            return site;
    }
    return NULL;
}

struct bn_book_way *bn_book_way(struct bn_book *book, enum bn_profile_operation operation, uint32_t way)
{
    for (int i = 0; i < BN_BOOK_WAYS; i++) {
        struct bn_book_way *known = &book->ways[i];
        if (known->way == 0) {
            known->way = way + 1;
            known->operation = operation;
        }
        if (known->way == way + 1 && known->operation == (uint32_t)operation)
            return known;
    }
    return NULL;
}
