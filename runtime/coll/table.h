/*
 * table.h: rules that banyan-tune has written for this machine, or banyan-sim for one of several nodes.
 *
 *     {"schema": "banyan-collectives-1", "machine": "...", "date": "2026-01-31",
 *      "rules": {"broadcast": [{"max_bytes": 64, "min_members": 2, "max_members": 4, "sync": ["my,my", "my,no"],
 *                               "entry": "pull/flat/room", "evidence": "..."}, ...], ...},
 *      "sizes": {"chunk_bytes": 32768, "halves_from_bytes": 8192}}
 *
 * The file is BANYAN_COLL_TABLE, or the usual one if it is there; BANYAN_COLL_TABLE=none asks for no table.  A
 * condition that a rule does not mention does not restrict it, but for nodes: a rule with neither min_nodes nor
 * max_nodes is for one node.  Rules from two nodes on may name ways that only programs over several nodes can go. Where
 * no rule of the table applies, the built-in rules do.  A missing size is the default of its option, and an option that
 * is set takes precedence over the table; sizes are for one node.
 *
 * A program over several nodes follows the table of the machine that thread 0 is on: files of others are not read.
 */
#ifndef BN_COLL_TABLE_H
#define BN_COLL_TABLE_H

#include "coll/select.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BN_TABLE_SCHEMA "banyan-collectives-1"
enum { BN_TABLE_MACHINE_BYTES = 160, BN_TABLE_PATH_BYTES = 1024, BN_TABLE_BYTES = 1 << 20 /* of a file, at most */ };

struct bn_table {
    char path[BN_TABLE_PATH_BYTES]; /* the rules' origin */
    char date[16];
    struct bn_rules rules[BN_OPERATION_COUNT]; /* count 0: none for this operation */
    size_t chunk_bytes, halves_from_bytes;     /* as in bn_tuning; 0: not said */
};

/** What this machine is, as far as a table depends on it: the processor, and how many of its cores may be used. */
void bn_table_machine(char *text, size_t text_bytes);

/** Where a table is looked for: $XDG_CONFIG_HOME/banyan/collectives.json, or ~/.config; false if there is no home. */
bool bn_table_usual_path(char *path, size_t path_bytes);

/**
 * Reads the table that the options ask for.  *table_p is null if there is none, or if it is for another machine; this
 * is said, if somebody asked for the file by name.  *text_p, which may be left out, becomes the file's content, to be
 * freed, where there is a table.
 *
 * @errors BN_ERR_INVALID: a file that was asked for is not there; a table that names ways that do not exist, or is no
 *         table at all.  BN_ERR_MEMORY.  Reported.
 * @cost   An attempt to open a file; reading and checking it, about 0.2 ms, if it is there.
 */
bn_status_t bn_table_load(struct bn_table **table_p, char **text_p);

/** Reads the table in text, which comes from path.  machine: null accepts any.  @errors As bn_table_load. */
bn_status_t bn_table_parse(const char *text, const char *path, const char *machine, struct bn_table **table_p);

void bn_table_destroy(struct bn_table *table);

#ifdef __cplusplus
}
#endif

#endif
