/* io_c.h: <upc_io.h> as C sees it. */
#ifndef BN_UPC_IO_IO_C_H
#define BN_UPC_IO_IO_C_H

#include "banyan/access.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Values of the macros of <upc_io.h> */
enum bn_io_flag {
    BN_IO_RDONLY = 1,
    BN_IO_WRONLY = 2,
    BN_IO_RDWR = 4,
    BN_IO_INDIVIDUAL_FP = 8,
    BN_IO_COMMON_FP = 16,
    BN_IO_APPEND = 32,
    BN_IO_CREATE = 64,
    BN_IO_EXCL = 128,
    BN_IO_STRONG_CA = 256,
    BN_IO_TRUNC = 512,
    BN_IO_DELETE_ON_CLOSE = 1024,
    BN_IO_ALL_FLAGS = 2047,
};

enum bn_io_origin { BN_IO_SEEK_SET = 1, BN_IO_SEEK_CUR = 2, BN_IO_SEEK_END = 4 };

enum bn_io_command {
    BN_IO_GET_CA_SEMANTICS = 1,
    BN_IO_SET_WEAK_CA_SEMANTICS = 2,
    BN_IO_SET_STRONG_CA_SEMANTICS = 4,
    BN_IO_GET_FP = 8,
    BN_IO_SET_COMMON_FP = 16,
    BN_IO_SET_INDIVIDUAL_FP = 32,
    BN_IO_GET_FL = 64,
    BN_IO_GET_FN = 128,
    BN_IO_GET_HINTS = 256,
    BN_IO_SET_HINT = 512,
    BN_IO_ASYNC_OUTSTANDING = 1024,
};

enum { BN_IO_ASYNC = 64 }; /* among the flags of a transfer */

struct upc_hint {
    const char *key;
    const char *value;
};
struct upc_local_memvec {
    void *baseaddr;
    size_t len;
};
struct upc_shared_memvec {
    bn_pts_t baseaddr;
    size_t blocksize;
    size_t len;
};
struct upc_filevec {
    int64_t offset;
    size_t len;
};

#pragma GCC visibility push(default)

bn_pts_t upc_all_fopen(const char *fname, int flags, size_t numhints, const struct upc_hint *hints);
int upc_all_fclose(bn_pts_t fd);
int upc_all_fsync(bn_pts_t fd);
int64_t upc_all_fseek(bn_pts_t fd, int64_t offset, int origin);
int upc_all_fset_size(bn_pts_t fd, int64_t size);
int64_t upc_all_fget_size(bn_pts_t fd);
int upc_all_fpreallocate(bn_pts_t fd, int64_t size);
int upc_all_fcntl(bn_pts_t fd, int cmd, void *arg);

/* X(direction in the name, direction) */
#define BN_IO_DIRECTIONS(X)                                                                                            \
    X(fread, BN_IO_READ)                                                                                               \
    X(fwrite, BN_IO_WRITE)

#define BN_IO_DECLARE_ONE(RESULT, NAME, SUFFIX)                                                                        \
    RESULT upc_all_##NAME##_local##SUFFIX(bn_pts_t fd, void *buffer, size_t size, size_t nmemb, int flags);            \
    RESULT upc_all_##NAME##_shared##SUFFIX(bn_pts_t fd, bn_pts_t buffer, size_t blocksize, size_t size, size_t nmemb,  \
                                           int flags);                                                                 \
    RESULT upc_all_##NAME##_list_local##SUFFIX(bn_pts_t fd, size_t memvec_entries,                                     \
                                               const struct upc_local_memvec *memvec, size_t filevec_entries,          \
                                               const struct upc_filevec *filevec, int flags);                          \
    RESULT upc_all_##NAME##_list_shared##SUFFIX(bn_pts_t fd, size_t memvec_entries,                                    \
                                                const struct upc_shared_memvec *memvec, size_t filevec_entries,        \
                                                const struct upc_filevec *filevec, int flags);
#define BN_IO_DECLARE(NAME, DIRECTION)                                                                                 \
    BN_IO_DECLARE_ONE(int64_t, NAME, )                                                                                 \
    BN_IO_DECLARE_ONE(void, NAME, _async)
BN_IO_DIRECTIONS(BN_IO_DECLARE)
#undef BN_IO_DECLARE
#undef BN_IO_DECLARE_ONE

int64_t upc_all_fwait_async(bn_pts_t fd);
int64_t upc_all_ftest_async(bn_pts_t fd, int *flag);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
