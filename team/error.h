/* error.h: the message that banyan_error returns, per thread. */
#ifndef BN_TEAM_ERROR_H
#define BN_TEAM_ERROR_H

#include "banyan/team.h"

/** Keeps a message for banyan_error, and returns status. */
banyan_status bn_error(banyan_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
