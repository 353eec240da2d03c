/*
 * status.h: the outcome of an operation that can fail.
 *
 * The function that first recognises an error reports it, once, with bn_log_error; its callers only pass the status on.
 * BN_UNSUPPORTED is not an error: it means that an alternative must be used, and is reported only where there is none
 * (bn_machine_read).  errno means something to a caller only if the description of the function says so.
 */
#ifndef BN_BASE_STATUS_H
#define BN_BASE_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bn_status {
    BN_OK = 0,
    BN_UNSUPPORTED = -1,  /* not available here; use an alternative */
    BN_ERR_MEMORY = -2,   /* there is not enough memory or address space */
    BN_ERR_LIMIT = -3,    /* a limit of Banyan, of the system or of the user is exceeded */
    BN_ERR_INVALID = -4,  /* the caller, the command line or the environment asks for something meaningless */
    BN_ERR_SYSTEM = -5,   /* the operating system refused for a reason that could not be foreseen */
    BN_ERR_MISMATCH = -6, /* parts of a program do not fit together */
} bn_status_t;

#ifdef __cplusplus
}
#endif

#endif
