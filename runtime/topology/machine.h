/*
 * machine.h: one machine as an immutable tree: boards, sockets, memory regions, caches, cores, processing units (pu).
 *
 * Any two parts are nested or disjoint, as in hwloc.  If several memory regions belong to the same processors, such as
 * fast and slow memory, the first one represents all.  Parts of the machine that this process may not use are omitted.
 */
#ifndef BN_TOPOLOGY_MACHINE_H
#define BN_TOPOLOGY_MACHINE_H

#include "base/status.h"
#include "platform/cpus.h"
#include "topology/place.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum bn_object_kind {
    BN_OBJECT_MACHINE,
    BN_OBJECT_BOARD,
    BN_OBJECT_SOCKET,
    BN_OBJECT_NUMA, /* memory region: the memory of one memory controller */
    BN_OBJECT_CACHE,
    BN_OBJECT_CORE,
    BN_OBJECT_PU,
};

/* A part of the machine.  It covers the pus [first_pu, first_pu + pu_count) of bn_machine.pus. */
struct bn_machine_object {
    enum bn_object_kind kind;
    int depth;       /* 0: the machine */
    int cache_level; /* 1, 2, 3 ... of caches; else 0 */
    int os_number;   /* the system's number of pus, cores, sockets and memory regions; -1 if there is none */
    int first_pu, pu_count;
    uint64_t size_bytes; /* of caches and memory regions; 0 if it is not known */
};

struct bn_machine_pu {
    int os_number;
    int core_rank; /* how many pus of the same core come before it: 0 is the first hardware thread */
    bool is_near_network;
    uint32_t parts[BN_LEVEL_NODE]; /* by level: first pu (an index, not the system's number) of the part it lies in */
};

/* Read-only once made. */
struct bn_machine {
    const char
        *source; /* "hwloc", "system" (read without hwloc), "description", or the text or file it was read from */
    int object_count;
    const struct bn_machine_object *objects; /* depth first: each part is followed by the parts inside it */
    int pu_count;
    const struct bn_machine_pu *pus; /* in hwloc's logical order: neighbours are close to each other */
};

/**
 * Reads a machine.
 *
 * @param description Null: this machine.  Else a file that hwloc wrote (lstopo machine.xml), or a description in
 *                    hwloc's synthetic notation ("pack:2 [numa] l3:1 core:8 pu:2").
 * @param usable      For this machine: the pus to include, by the system's numbers; null for all that the control
 *                    group allows.  Of a described machine everything is included.
 * @param wants_network Whether to look for network adapters, which takes longer (is_near_network).
 * @errors BN_ERR_INVALID: no such file, or no such notation.  BN_UNSUPPORTED, reported: a description needs hwloc, and
 *         libhwloc.so.15 is missing.  BN_ERR_MEMORY.  This machine can be read without hwloc; sockets, memory regions,
 *         the largest cache and cores then come from the files of the system.
 * @cost   Milliseconds, once per job, and only in jobs that need it.
 */
bn_status_t bn_machine_read(const char *description, const struct bn_pu_set *usable, bool wants_network,
                            struct bn_machine **machine_p);

/* A row of a regular machine: how many parts of this kind lie in each part of the previous row, e.g. {{SOCKET, 2},
 * {NUMA, 2}, {CORE, 6}} */
struct bn_machine_row {
    enum bn_object_kind kind;
    int count;
};

/** Makes a fictitious machine, without hwloc.  Cores have one pu unless there is a row for pus. @errors
 * BN_ERR_MEMORY */
bn_status_t bn_machine_make(const struct bn_machine_row *rows, int row_count, struct bn_machine **machine_p);

void bn_machine_destroy(struct bn_machine *machine);

/**
 * The place of a thread that may run on the pus of a set (the system's numbers) of this one machine: known at all
 * levels at which a single part contains all of them.  Pus that the machine does not have are ignored; if none remain,
 * only the node is known.
 */
struct bn_place bn_machine_place(const struct bn_machine *machine, const struct bn_pu_set *set);

/**
 * The order in which threads take pus when each is bound to one: the first hardware threads of all cores, then the
 * second ones, and so on.
 *
 * @param order pu_count indices in machine->pus
 */
void bn_machine_pu_order(const struct bn_machine *machine, int *order);

#ifdef __cplusplus
}
#endif

#endif
