/*
 * bupc_copy.h: copies that go on while the thread does, and copies of what does not lie in one piece, as Berkeley UPC
 * has them.
 *
 * Handles are those of <upc_nb.h>; on one machine transfers are complete when the call that starts them returns.
 */
#pragma upc upc_code
#ifndef BUPC_COPY_H
#define BUPC_COPY_H

#include <stddef.h>
#include <upc_nb.h>

typedef upc_handle_t bupc_handle_t;
#define BUPC_COMPLETE_HANDLE UPC_COMPLETE_HANDLE

/* upc_memcpy_nb and its like, by their older names */
bupc_handle_t bupc_memcpy_async(shared void *dst, shared const void *src, size_t nbytes);
bupc_handle_t bupc_memget_async(void *dst, shared const void *src, size_t nbytes);
bupc_handle_t bupc_memput_async(shared void *dst, const void *src, size_t nbytes);
bupc_handle_t bupc_memset_async(shared void *dst, int c, size_t nbytes);
void bupc_memcpy_asynci(shared void *dst, shared const void *src, size_t nbytes);
void bupc_memget_asynci(void *dst, shared const void *src, size_t nbytes);
void bupc_memput_asynci(shared void *dst, const void *src, size_t nbytes);
void bupc_memset_asynci(shared void *dst, int c, size_t nbytes);

/* Wait for a transfer, or ask for it (non-zero if it is complete); then for all or for at least one of n.  Handles of
 * complete transfers in ph are set to BUPC_COMPLETE_HANDLE. */
void bupc_waitsync(bupc_handle_t handle);
int bupc_trysync(bupc_handle_t handle);
void bupc_waitsync_all(bupc_handle_t *ph, size_t n);
int bupc_trysync_all(bupc_handle_t *ph, size_t n);
void bupc_waitsync_some(bupc_handle_t *ph, size_t n);
int bupc_trysync_some(bupc_handle_t *ph, size_t n);

/* The same for the transfers without a handle: all of them, or those that were started in an access region */
void bupc_waitsynci(void);
int bupc_trysynci(void);
void bupc_begin_accessregion(void);
bupc_handle_t bupc_end_accessregion(void);

/*
 * ---- Pieces ----
 *
 * Two lists of pieces with as many bytes in all; the bytes of the one go to those of the other in order.  Each piece
 * lies on one thread.  No piece of the destination overlaps another.
 */
typedef struct bupc_smemvec {
    shared void *addr;
    size_t len;
} bupc_smemvec_t;

typedef struct bupc_pmemvec {
    void *addr;
    size_t len;
} bupc_pmemvec_t;

/* Pieces of any length */
void bupc_memcpy_vlist(size_t dstcount, bupc_smemvec_t const dstlist[], size_t srccount, bupc_smemvec_t const srclist[]);
void bupc_memput_vlist(size_t dstcount, bupc_smemvec_t const dstlist[], size_t srccount, bupc_pmemvec_t const srclist[]);
void bupc_memget_vlist(size_t dstcount, bupc_pmemvec_t const dstlist[], size_t srccount, bupc_smemvec_t const srclist[]);

/* Pieces of one length on each side: dstcount * dstlen == srccount * srclen */
void bupc_memcpy_ilist(size_t dstcount, shared void *const dstlist[], size_t dstlen, size_t srccount,
                       shared const void *const srclist[], size_t srclen);
void bupc_memput_ilist(size_t dstcount, shared void *const dstlist[], size_t dstlen, size_t srccount,
                       const void *const srclist[], size_t srclen);
void bupc_memget_ilist(size_t dstcount, void *const dstlist[], size_t dstlen, size_t srccount,
                       shared const void *const srclist[], size_t srclen);

/* Pieces of one length at one distance on each side; distances are from start to start, in bytes */
void bupc_memcpy_fstrided(shared void *dst, size_t dstchunklen, size_t dstchunkstride, size_t dstchunkcount,
                          shared const void *src, size_t srcchunklen, size_t srcchunkstride, size_t srcchunkcount);
void bupc_memput_fstrided(shared void *dst, size_t dstchunklen, size_t dstchunkstride, size_t dstchunkcount,
                          const void *src, size_t srcchunklen, size_t srcchunkstride, size_t srcchunkcount);
void bupc_memget_fstrided(void *dst, size_t dstchunklen, size_t dstchunkstride, size_t dstchunkcount,
                          shared const void *src, size_t srcchunklen, size_t srcchunkstride, size_t srcchunkcount);

/* A box of stridelevels + 1 dimensions: count[0] bytes in a row, count[i] times at a distance of strides[i - 1] bytes */
void bupc_memcpy_strided(shared void *dst, const size_t dststrides[], shared const void *src, const size_t srcstrides[],
                         const size_t count[], size_t stridelevels);
void bupc_memput_strided(shared void *dst, const size_t dststrides[], const void *src, const size_t srcstrides[],
                         const size_t count[], size_t stridelevels);
void bupc_memget_strided(void *dst, const size_t dststrides[], shared const void *src, const size_t srcstrides[],
                         const size_t count[], size_t stridelevels);

/* The same, not waited for.  The lists may be changed once the call has returned. */
bupc_handle_t bupc_memcpy_vlist_async(size_t dstcount, bupc_smemvec_t const dstlist[], size_t srccount,
                                      bupc_smemvec_t const srclist[]);
bupc_handle_t bupc_memput_vlist_async(size_t dstcount, bupc_smemvec_t const dstlist[], size_t srccount,
                                      bupc_pmemvec_t const srclist[]);
bupc_handle_t bupc_memget_vlist_async(size_t dstcount, bupc_pmemvec_t const dstlist[], size_t srccount,
                                      bupc_smemvec_t const srclist[]);
bupc_handle_t bupc_memcpy_ilist_async(size_t dstcount, shared void *const dstlist[], size_t dstlen, size_t srccount,
                                      shared const void *const srclist[], size_t srclen);
bupc_handle_t bupc_memput_ilist_async(size_t dstcount, shared void *const dstlist[], size_t dstlen, size_t srccount,
                                      const void *const srclist[], size_t srclen);
bupc_handle_t bupc_memget_ilist_async(size_t dstcount, void *const dstlist[], size_t dstlen, size_t srccount,
                                      shared const void *const srclist[], size_t srclen);
bupc_handle_t bupc_memcpy_fstrided_async(shared void *dst, size_t dstchunklen, size_t dstchunkstride,
                                         size_t dstchunkcount, shared const void *src, size_t srcchunklen,
                                         size_t srcchunkstride, size_t srcchunkcount);
bupc_handle_t bupc_memput_fstrided_async(shared void *dst, size_t dstchunklen, size_t dstchunkstride,
                                         size_t dstchunkcount, const void *src, size_t srcchunklen,
                                         size_t srcchunkstride, size_t srcchunkcount);
bupc_handle_t bupc_memget_fstrided_async(void *dst, size_t dstchunklen, size_t dstchunkstride, size_t dstchunkcount,
                                         shared const void *src, size_t srcchunklen, size_t srcchunkstride,
                                         size_t srcchunkcount);
bupc_handle_t bupc_memcpy_strided_async(shared void *dst, const size_t dststrides[], shared const void *src,
                                        const size_t srcstrides[], const size_t count[], size_t stridelevels);
bupc_handle_t bupc_memput_strided_async(shared void *dst, const size_t dststrides[], const void *src,
                                        const size_t srcstrides[], const size_t count[], size_t stridelevels);
bupc_handle_t bupc_memget_strided_async(void *dst, const size_t dststrides[], shared const void *src,
                                        const size_t srcstrides[], const size_t count[], size_t stridelevels);

#endif
