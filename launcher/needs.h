/* needs.h: what Open MPI's launcher and library need of the process that starts them.  Without it they crash, or blame
 * something else. */
#ifndef BN_LAUNCHER_NEEDS_H
#define BN_LAUNCHER_NEEDS_H

#include "base/status.h"

/* Checks the working folder and the limit of open files.  @errors BN_ERR_LIMIT or BN_ERR_SYSTEM, reported with the
 * remedy. */
bn_status_t launcher_check_needs(void);

#endif
