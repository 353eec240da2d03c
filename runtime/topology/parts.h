/*
 * parts.h: turns parts of a machine, however they were found, into a struct bn_machine.  For the readers in this
 * folder.
 */
#ifndef BN_TOPOLOGY_PARTS_H
#define BN_TOPOLOGY_PARTS_H

#include "topology/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The parts found, in any order; initially zero.  Any two parts are nested or disjoint. depth and parts are not set
 * yet. */
struct bn_machine_parts {
    struct bn_machine_object *objects;
    int object_count, object_room;
    struct bn_machine_pu *pus;
    int pu_count, pu_room;
    bool is_out_of_memory; /* something was left out */
};

/* Adds a part that ends with the most recently added pu; returns its index in objects. */
int bn_machine_parts_add(struct bn_machine_parts *parts, struct bn_machine_object object);

/* Appends a pu. */
void bn_machine_parts_add_pu(struct bn_machine_parts *parts, int os_number);

/* Makes the machine, and releases parts.  @errors BN_ERR_MEMORY, reported. */
bn_status_t bn_machine_parts_finish(struct bn_machine_parts *parts, const char *source, struct bn_machine **machine_p);

/* The two ways to read a real machine; like bn_machine_read.  BN_UNSUPPORTED, not reported, if libhwloc is missing. */
bn_status_t bn_machine_read_hwloc(const char *description, const struct bn_pu_set *usable, bool wants_network,
                                  struct bn_machine **machine_p);

/* From the files of the system below root, "" for the real one. */
bn_status_t bn_machine_read_system(const char *root, const struct bn_pu_set *usable, struct bn_machine **machine_p);

#ifdef __cplusplus
}
#endif

#endif
