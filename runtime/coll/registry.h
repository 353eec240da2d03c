/*
 * registry.h: the ways (algorithms) to carry out each operation, by name.
 *
 * A name is DIRECTION/SHAPE/FRAGMENTS, except for barriers, whose names are those of their kinds (sync/barrier.h).
 * Direction: pull, the member that needs data fetches them; push, the member that has them writes them.  Shape: flat,
 * ring, a tree (coll/shape.h), or the name of an algorithm.  Fragments: whole; halves; chunks; inline, the data travel
 * with the flags; mail, the same in a larger area at the receiver; stage, in pieces through memory that all see.
 * "native" uses an underlying library.  Tests, benchmarks and banyan-tune walk the registry: a new row is used by all
 * of them.
 */
#ifndef BN_COLL_REGISTRY_H
#define BN_COLL_REGISTRY_H

#include "coll/operation.h"

#ifdef __cplusplus
extern "C" {
#endif

enum bn_fragments {
    BN_WHOLE,
    BN_HALVES, /* two, from a certain size on */
    BN_CHUNKS, /* of equal size */
    BN_INLINE, /* together with flags: in their payload, or in mail */
};

struct bn_plan;

struct bn_entry {
    const char *name;
    void (*run)(struct bn_team *team, const struct bn_plan *plan, const struct bn_call *call);
    const char *shape; /* the tree that the entry needs; any other name if it needs only the hierarchy of the machine;
                          null: neither */
    enum bn_fragments fragments;
    size_t max_bytes;             /* of a block; 0: any */
    size_t max_total_bytes;       /* of a block for each member; 0: any */
    size_t max_pairs_bytes;       /* of a block for each pair of a member and one of the largest node; 0: any */
    enum bn_barrier_kind barrier; /* of barriers */
    bool is_native;               /* needs bn_team_host.native */
    bool needs_mail;              /* needs bn_team.mail */
    bool needs_rooms;             /* needs bn_team.rooms, or mail instead */
    bool needs_stages;            /* needs bn_team.stages */
    bool takes_turns;             /* children serve their parent one after the other, and must know their turn */
};

/** The ways to carry out an operation; any team can use the first one. */
const struct bn_entry *bn_registry(enum bn_operation operation, int *count_p);

/** The largest block that a way can carry among member_count members, a power of two, since ways are chosen by classes
 * of sizes; 0: any. */
static inline size_t bn_entry_limit_among(const struct bn_entry *entry, int member_count, int largest_node)
{
    size_t members = (size_t)member_count;
    size_t pairs = members * (size_t)largest_node;
    size_t share = entry->max_pairs_bytes != 0 ? entry->max_pairs_bytes / pairs : entry->max_total_bytes / members;
    size_t limit = 1;
    if (entry->max_pairs_bytes == 0 && entry->max_total_bytes == 0)
        return entry->max_bytes;
    while (limit * 2 <= share)
        limit *= 2;
    return limit;
}

static inline size_t bn_entry_limit(const struct bn_entry *entry, const struct bn_team *team)
{
    return bn_entry_limit_among(entry, team->size, team->largest_node);
}

/** Whether a team can use a way at all.  Native ways need a library, ways by mail need mail with enough room; both need
 * buffers at computed places.  Ways by rooms need rooms, ways by stages need a host that provides stages. */
static inline bool bn_entry_is_there(const struct bn_entry *entry, const struct bn_team *team)
{
    size_t pairs = (size_t)team->size * (size_t)team->largest_node;
    bool has_room = entry->max_pairs_bytes == 0 || pairs <= entry->max_pairs_bytes;
    bool has_library = team->host.native && !team->announces;
    bool has_mail = team->mail && !team->announces;
    bool has_rooms = team->rooms || team->mail;
    return (!entry->is_native || has_library) && (!entry->needs_mail || has_mail) &&
           (!entry->needs_rooms || has_rooms) && (!entry->needs_stages || team->stages) && has_room;
}

/** Whether any team can use a way.  Rules of tables for one node name only such ways. */
static inline bool bn_entry_is_of_one_machine(const struct bn_entry *entry)
{
    return !entry->is_native && !entry->needs_mail && !entry->needs_stages;
}

/** The way with a name, or null. */
const struct bn_entry *bn_registry_find(enum bn_operation operation, const char *name);

#ifdef __cplusplus
}
#endif

#endif
