/*
 * upc_nb.h: copies that go on while the thread does (UPC 1.3, Optional Library
 * Specifications, non-blocking transfer operations).
 *
 * A transfer lasts from the call that starts it to the call that synchronises it.  Until then the program must neither
 * touch the destination nor write to the source.  Barriers and fences do not complete transfers.
 *
 * On one machine the processor that starts a transfer is the one that carries it out, so it is complete when the
 * starting call returns: handles are UPC_COMPLETE_HANDLE.  With -network=shmem transfers to and from threads of other
 * nodes go on until they are synchronised, except upc_memset and copies between two other nodes; the attempts below
 * wait for them, since OpenSHMEM does not tell whether they are complete.
 */
#pragma upc upc_code
#ifndef UPC_NB_H
#define UPC_NB_H

#include <stddef.h>

/* One that is complete.  It may be synchronised, and forgotten. */
#define UPC_COMPLETE_HANDLE ((upc_handle_t)0)

#pragma banyan offer
/* A transfer of the calling thread, to be synchronised once; invalid afterwards. */
typedef struct upc_handle *upc_handle_t;

/* As upc_memcpy, upc_memget, upc_memput, upc_memset of <upc.h>, with a handle each */
upc_handle_t upc_memcpy_nb(shared void *__restrict__ __dst, shared const void *__restrict__ __src, size_t __n);
upc_handle_t upc_memget_nb(void *__restrict__ __dst, shared const void *__restrict__ __src, size_t __n);
upc_handle_t upc_memput_nb(shared void *__restrict__ __dst, const void *__restrict__ __src, size_t __n);
upc_handle_t upc_memset_nb(shared void *__dst, int __c, size_t __n);

/* The same; upc_synci synchronises all of them together. */
void upc_memcpy_nbi(shared void *__restrict__ __dst, shared const void *__restrict__ __src, size_t __n);
void upc_memget_nbi(void *__restrict__ __dst, shared const void *__restrict__ __src, size_t __n);
void upc_memput_nbi(shared void *__restrict__ __dst, const void *__restrict__ __src, size_t __n);
void upc_memset_nbi(shared void *__dst, int __c, size_t __n);

/* Waits for a transfer, or asks for it: non-zero if it is complete.  Ends the program, with a message, if the handle is
 * none that the functions above returned. */
void upc_sync(upc_handle_t __handle);
int upc_sync_attempt(upc_handle_t __handle);

/* The same for all transfers without a handle that the calling thread has started */
void upc_synci(void);
int upc_synci_attempt(void);
#pragma banyan end

/* Behind the types, which it needs itself */
#include <upc.h>

#endif
