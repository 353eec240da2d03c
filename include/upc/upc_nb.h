/*
 * upc_nb.h: non-blocking copies (UPC 1.3, Optional Library Specifications, non-blocking transfer operations).
 *
 * A transfer lasts from the call that starts it to the call that synchronises it.  In between the program must neither
 * touch the destination nor write to the source.  Barriers and fences do not complete transfers.
 *
 * On one machine the processor that starts a transfer also carries it out, so it is complete when the starting call
 * returns, and the handle is UPC_COMPLETE_HANDLE. With -network=shmem, transfers to and from threads of other nodes
 * continue until they are synchronised, except upc_memset and copies between two other nodes; the ..._attempt functions
 * below wait for them, since OpenSHMEM cannot say whether they are complete.
 */
#pragma upc upc_code
#ifndef UPC_NB_H
#define UPC_NB_H

#include <stddef.h>

/* The handle of a complete transfer.  It may be synchronised, but need not be. */
#define UPC_COMPLETE_HANDLE ((upc_handle_t)0)

#pragma banyan offer
/* A transfer of the calling thread.  It must be synchronised once and is invalid afterwards. */
typedef struct upc_handle *upc_handle_t;

/* Like upc_memcpy, upc_memget, upc_memput and upc_memset of <upc.h>; each returns a handle. */
upc_handle_t upc_memcpy_nb(shared void *__restrict__ __dst, shared const void *__restrict__ __src, size_t __n);
upc_handle_t upc_memget_nb(void *__restrict__ __dst, shared const void *__restrict__ __src, size_t __n);
upc_handle_t upc_memput_nb(shared void *__restrict__ __dst, const void *__restrict__ __src, size_t __n);
upc_handle_t upc_memset_nb(shared void *__dst, int __c, size_t __n);

/* The same without handles; upc_synci synchronises all of them together. */
void upc_memcpy_nbi(shared void *__restrict__ __dst, shared const void *__restrict__ __src, size_t __n);
void upc_memget_nbi(void *__restrict__ __dst, shared const void *__restrict__ __src, size_t __n);
void upc_memput_nbi(shared void *__restrict__ __dst, const void *__restrict__ __src, size_t __n);
void upc_memset_nbi(shared void *__dst, int __c, size_t __n);

/* Wait for a transfer, or ask whether it is complete (non-zero).  They end the program with a message if the functions
 * above have not returned this handle. */
void upc_sync(upc_handle_t __handle);
int upc_sync_attempt(upc_handle_t __handle);

/* The same for all transfers without a handle that the calling thread has started */
void upc_synci(void);
int upc_synci_attempt(void);
#pragma banyan end

/* After the types above, which it needs */
#include <upc.h>

#endif
