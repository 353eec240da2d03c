/*
 * arguments.h: switches of the runtime in front of a program's own arguments.
 */
#ifndef BN_BOOT_ARGUMENTS_H
#define BN_BOOT_ARGUMENTS_H

#include "base/options.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Removes the runtime's leading switches from argv and sets the corresponding options:
 *
 *     -n N  -nN  -n=N  -fupc-threads-N  -fupc-threads=N   threads
 *     -heap SIZE  -fupc-heap-SIZE  -fupc-heap=SIZE        shared heap per thread
 *     --                                                  the rest belongs to the program
 *
 * The program's own arguments begin with the first one that is not such a switch. argv stays null-terminated.
 *
 * @errors BN_ERR_INVALID, reported: a switch without its value, or with an invalid one.
 */
bn_status_t bn_arguments_take(struct bn_options *options, int *argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
