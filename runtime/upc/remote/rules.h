/*
 * rules.h: rules for collectives in a job over several nodes.  All threads must follow the same rules, but files on
 * different machines may differ; so thread 0's process reads its table, and the others copy it from there.
 *
 *     thread 0's process: bn_rules_show
 *     a barrier
 *     every other process: bn_rules_take
 *     a barrier, before the first collective
 */
#ifndef BN_UPC_REMOTE_RULES_H
#define BN_UPC_REMOTE_RULES_H

#include "coll/table.h"
#include "coll/team.h"

/**
 * Reads the table that the options ask for and leaves it in thread 0's mail, which nobody uses yet. *table_p as for
 * bn_table_load.
 *
 * @errors As bn_table_load.
 */
bn_status_t bn_rules_show(struct bn_member_mail *mail, struct bn_table **table_p);

/**
 * Copies that table; *table_p becomes null if there is none. mail is thread 0's.
 *
 * @errors BN_ERR_MEMORY, reported.
 * @cost   A word from thread 0; if there is a table, its bytes.
 */
bn_status_t bn_rules_take(const struct bn_member_mail *mail, struct bn_table **table_p);

#endif
