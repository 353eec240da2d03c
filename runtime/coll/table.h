/*
 * table.h: tables of rules, written by banyan-tune for this machine or by banyan-sim for a cluster of several nodes.
 *
 *     {"schema": "banyan-collectives-1", "machine": "...", "date": "2026-01-31",
 *      "rules": {"broadcast": [{"max_bytes": 64, "min_members": 2, "max_members": 4, "sync": ["my,my", "my,no"],
 *                               "entry": "pull/flat/room", "evidence": "..."}, ...], ...},
 *      "sizes": {"chunk_bytes": 32768, "halves_from_bytes": 8192}}
 *
 * The file is named by BANYAN_COLL_TABLE; by default it is the one at the usual path, if that exists.
 * BANYAN_COLL_TABLE=none means no table.  A condition that a rule does not mention does not restrict it, with one
 * exception: a rule with neither min_nodes nor max_nodes is for one node.  Rules for two or more nodes may name ways
 * that only programs over several nodes can use.  Where no rule of the table applies, the built-in rules do.  A missing
 * size means the default of its option, and an option that is set takes precedence over the table; sizes are for one
 * node.
 *
 * A program over several nodes follows the table on the machine that runs thread 0; tables on other machines are not
 * read.
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
    size_t chunk_bytes, halves_from_bytes;     /* as in bn_tuning; 0: not given */
};

/** Writes a description of this machine as far as a table depends on it: the processor, and how many of its cores may
 * be used. */
void bn_table_machine(char *text, size_t text_bytes);

/** Writes the path where a table is looked for: $XDG_CONFIG_HOME/banyan/collectives.json, or the same under ~/.config;
 * false if there is no home directory. */
bool bn_table_usual_path(char *path, size_t path_bytes);

/**
 * Reads the table that the options ask for. *table_p becomes null if there is none, or if it is for another machine,
 * which is reported if the file was asked for by name.  If there is a table, *text_p (unless text_p is null) becomes
 * the file's content, to be freed by the caller.
 *
 * @errors BN_ERR_INVALID: a file that was asked for does not exist; the table names ways that do not exist; or the file
 *         is not a table.  BN_ERR_MEMORY.  Reported.
 * @cost   An attempt to open a file; if it exists, about 0.2 ms to read and check it.
 */
bn_status_t bn_table_load(struct bn_table **table_p, char **text_p);

/** Parses the table in text, which comes from path. machine: null accepts any. @errors As bn_table_load. */
bn_status_t bn_table_parse(const char *text, const char *path, const char *machine, struct bn_table **table_p);

void bn_table_destroy(struct bn_table *table);

#ifdef __cplusplus
}
#endif

#endif
