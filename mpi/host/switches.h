/*
 * switches.h: which switch a machine hangs on: what a file says, or what SLURM has told the process.
 *
 * The file has the form of SLURM's topology.conf:
 *
 *     SwitchName=s0 Nodes=n[0-15],login
 *     SwitchName=s1 Nodes=n[16-31]
 *     SwitchName=top Switches=s[0-1]
 *
 * Lines without Nodes, those with other words, and what stands behind # say nothing here: switches above those that
 * machines hang on are not told apart.
 */
#ifndef BN_MPI_HOST_SWITCHES_H
#define BN_MPI_HOST_SWITCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BN_SWITCH_NAME_BYTES = 256, BN_NO_SWITCH = 0 };

/** Whether a list such as n[0-3,07-11],login has a name in it: numbers of a range have at least as many digits as its
 *  begin. */
bool bn_switches_list_has(const char *list, const char *name);

/** The switch of a machine, whose name counts up to its first dot, by a file.  False: it is not in it.
 *  @errors False, with errno; reported: the file cannot be read. */
bool bn_switch_by_file(const char *path, const char *machine, char name[BN_SWITCH_NAME_BYTES]);

/** The same by SLURM_TOPOLOGY_ADDR and SLURM_TOPOLOGY_ADDR_PATTERN ("s2.s0.n7", "switch.switch.node"), which may be
 *  null: the names of all switches above the machine. */
bool bn_switch_by_slurm(const char *address, const char *pattern, char name[BN_SWITCH_NAME_BYTES]);

/** A number for the switch of this machine, the same wherever its name is; BN_NO_SWITCH: it is not known. */
uint32_t bn_switch_here(void);

/** Whether the file of BANYAN_MPI_SWITCHES, if there is one, can be read.  @errors False, reported. */
bool bn_switches_check_options(void);

#ifdef __cplusplus
}
#endif

#endif
