/*
 * bupc_copy.h: non-blocking copies, and copies of non-contiguous data, as in Berkeley UPC.
 *
 * Handles are those of <upc_nb.h>; on one machine transfers are complete when the call that starts them returns.
 */
#pragma upc upc_code
#ifndef BUPC_COPY_H
#define BUPC_COPY_H

#include <stddef.h>
#include <upc_nb.h>

#define BUPC_COMPLETE_HANDLE UPC_COMPLETE_HANDLE

#pragma banyan offer
typedef upc_handle_t bupc_handle_t;

/* Older names of upc_memcpy_nb and the like */
bupc_handle_t bupc_memcpy_async(shared void *__dst, shared const void *__src, size_t __nbytes);
bupc_handle_t bupc_memget_async(void *__dst, shared const void *__src, size_t __nbytes);
bupc_handle_t bupc_memput_async(shared void *__dst, const void *__src, size_t __nbytes);
bupc_handle_t bupc_memset_async(shared void *__dst, int __c, size_t __nbytes);
void bupc_memcpy_asynci(shared void *__dst, shared const void *__src, size_t __nbytes);
void bupc_memget_asynci(void *__dst, shared const void *__src, size_t __nbytes);
void bupc_memput_asynci(shared void *__dst, const void *__src, size_t __nbytes);
void bupc_memset_asynci(shared void *__dst, int __c, size_t __nbytes);

/* Wait for a transfer, or ask whether it is complete (non-zero); the other functions do so for all, or for at least
 * one, of n transfers.  Handles of complete transfers in ph are set to BUPC_COMPLETE_HANDLE. */
void bupc_waitsync(bupc_handle_t __handle);
int bupc_trysync(bupc_handle_t __handle);
void bupc_waitsync_all(bupc_handle_t *__ph, size_t __n);
int bupc_trysync_all(bupc_handle_t *__ph, size_t __n);
void bupc_waitsync_some(bupc_handle_t *__ph, size_t __n);
int bupc_trysync_some(bupc_handle_t *__ph, size_t __n);

/* The same for transfers without a handle: all of them, or those started in an access region */
void bupc_waitsynci(void);
int bupc_trysynci(void);
void bupc_begin_accessregion(void);
bupc_handle_t bupc_end_accessregion(void);

/*
 * ---- Pieces ----
 *
 * Two lists of pieces with the same total number of bytes; the bytes of one list are copied to the other in order.
 * Each piece lies on one thread.  Pieces of the destination must not overlap.
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
void bupc_memcpy_vlist(size_t __dstcount, bupc_smemvec_t const __dstlist[], size_t __srccount,
                       bupc_smemvec_t const __srclist[]);
void bupc_memput_vlist(size_t __dstcount, bupc_smemvec_t const __dstlist[], size_t __srccount,
                       bupc_pmemvec_t const __srclist[]);
void bupc_memget_vlist(size_t __dstcount, bupc_pmemvec_t const __dstlist[], size_t __srccount,
                       bupc_smemvec_t const __srclist[]);

/* Pieces of one length on each side: dstcount * dstlen == srccount * srclen */
void bupc_memcpy_ilist(size_t __dstcount, shared void *const __dstlist[], size_t __dstlen, size_t __srccount,
                       shared const void *const __srclist[], size_t __srclen);
void bupc_memput_ilist(size_t __dstcount, shared void *const __dstlist[], size_t __dstlen, size_t __srccount,
                       const void *const __srclist[], size_t __srclen);
void bupc_memget_ilist(size_t __dstcount, void *const __dstlist[], size_t __dstlen, size_t __srccount,
                       shared const void *const __srclist[], size_t __srclen);

/* Pieces of one length at a fixed distance on each side; distances are measured from start to start, in bytes */
void bupc_memcpy_fstrided(shared void *__dst, size_t __dstchunklen, size_t __dstchunkstride, size_t __dstchunkcount,
                          shared const void *__src, size_t __srcchunklen, size_t __srcchunkstride,
                          size_t __srcchunkcount);
void bupc_memput_fstrided(shared void *__dst, size_t __dstchunklen, size_t __dstchunkstride, size_t __dstchunkcount,
                          const void *__src, size_t __srcchunklen, size_t __srcchunkstride, size_t __srcchunkcount);
void bupc_memget_fstrided(void *__dst, size_t __dstchunklen, size_t __dstchunkstride, size_t __dstchunkcount,
                          shared const void *__src, size_t __srcchunklen, size_t __srcchunkstride,
                          size_t __srcchunkcount);

/* A box of stridelevels + 1 dimensions: rows of count[0] bytes, repeated count[i] times at a distance of strides[i - 1]
 * bytes */
void bupc_memcpy_strided(shared void *__dst, const size_t __dststrides[], shared const void *__src,
                         const size_t __srcstrides[], const size_t __count[], size_t __stridelevels);
void bupc_memput_strided(shared void *__dst, const size_t __dststrides[], const void *__src,
                         const size_t __srcstrides[], const size_t __count[], size_t __stridelevels);
void bupc_memget_strided(void *__dst, const size_t __dststrides[], shared const void *__src,
                         const size_t __srcstrides[], const size_t __count[], size_t __stridelevels);

/* The same without waiting.  The lists may be changed once the call has returned. */
bupc_handle_t bupc_memcpy_vlist_async(size_t __dstcount, bupc_smemvec_t const __dstlist[], size_t __srccount,
                                      bupc_smemvec_t const __srclist[]);
bupc_handle_t bupc_memput_vlist_async(size_t __dstcount, bupc_smemvec_t const __dstlist[], size_t __srccount,
                                      bupc_pmemvec_t const __srclist[]);
bupc_handle_t bupc_memget_vlist_async(size_t __dstcount, bupc_pmemvec_t const __dstlist[], size_t __srccount,
                                      bupc_smemvec_t const __srclist[]);
bupc_handle_t bupc_memcpy_ilist_async(size_t __dstcount, shared void *const __dstlist[], size_t __dstlen,
                                      size_t __srccount, shared const void *const __srclist[], size_t __srclen);
bupc_handle_t bupc_memput_ilist_async(size_t __dstcount, shared void *const __dstlist[], size_t __dstlen,
                                      size_t __srccount, const void *const __srclist[], size_t __srclen);
bupc_handle_t bupc_memget_ilist_async(size_t __dstcount, void *const __dstlist[], size_t __dstlen, size_t __srccount,
                                      shared const void *const __srclist[], size_t __srclen);
bupc_handle_t bupc_memcpy_fstrided_async(shared void *__dst, size_t __dstchunklen, size_t __dstchunkstride,
                                         size_t __dstchunkcount, shared const void *__src, size_t __srcchunklen,
                                         size_t __srcchunkstride, size_t __srcchunkcount);
bupc_handle_t bupc_memput_fstrided_async(shared void *__dst, size_t __dstchunklen, size_t __dstchunkstride,
                                         size_t __dstchunkcount, const void *__src, size_t __srcchunklen,
                                         size_t __srcchunkstride, size_t __srcchunkcount);
bupc_handle_t bupc_memget_fstrided_async(void *__dst, size_t __dstchunklen, size_t __dstchunkstride,
                                         size_t __dstchunkcount, shared const void *__src, size_t __srcchunklen,
                                         size_t __srcchunkstride, size_t __srcchunkcount);
bupc_handle_t bupc_memcpy_strided_async(shared void *__dst, const size_t __dststrides[], shared const void *__src,
                                        const size_t __srcstrides[], const size_t __count[], size_t __stridelevels);
bupc_handle_t bupc_memput_strided_async(shared void *__dst, const size_t __dststrides[], const void *__src,
                                        const size_t __srcstrides[], const size_t __count[], size_t __stridelevels);
bupc_handle_t bupc_memget_strided_async(void *__dst, const size_t __dststrides[], shared const void *__src,
                                        const size_t __srcstrides[], const size_t __count[], size_t __stridelevels);
#pragma banyan end

#endif
