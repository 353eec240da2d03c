/*
 * switches.h: which network switch a machine is connected to, according to a file or to SLURM's environment.
 *
 * The file has the form of SLURM's topology.conf:
 *
 *     SwitchName=s0 Nodes=n[0-15],login
 *     SwitchName=s1 Nodes=n[16-31]
 *     SwitchName=top Switches=s[0-1]
 *
 * Lines without Nodes, other keywords, and comments (#) are ignored: only the switches to which machines are connected
 * directly are told apart.
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

/** Whether a list such as n[0-3,07-11],login contains a name: numbers of a range have at least as many digits as its
 *  first number. */
bool bn_switches_list_has(const char *list, const char *name);

/** Finds the switch of a machine, whose name counts up to its first dot, in a file.  False: the file does not list it.
 *  @errors False, with errno; reported: the file cannot be read. */
bool bn_switch_by_file(const char *path, const char *machine, char name[BN_SWITCH_NAME_BYTES]);

/** The same from SLURM_TOPOLOGY_ADDR and SLURM_TOPOLOGY_ADDR_PATTERN ("s2.s0.n7", "switch.switch.node"), either of
 * which may be null; the name is made of all switches above the machine. */
bool bn_switch_by_slurm(const char *address, const char *pattern, char name[BN_SWITCH_NAME_BYTES]);

/** A number for the switch of this machine, the same for the same name everywhere; BN_NO_SWITCH: unknown. */
uint32_t bn_switch_here(void);

/** Checks that the file named by BANYAN_MPI_SWITCHES, if any, can be read.  @errors False, reported. */
bool bn_switches_check_options(void);

#ifdef __cplusplus
}
#endif

#endif
