/* calls.c: the transfers of <upc_io.h>, in all their forms. */
#include "profile/span.h"
#include "upc/io/transfer.h"

/* X(result type, name of the direction, direction, suffix of the name, whether it is asynchronous, how it returns) */
#define SYNCHRONOUS(X, NAME, DIRECTION) X(int64_t, NAME, DIRECTION, , (flags & BN_IO_ASYNC) != 0, return)
#define ASYNCHRONOUS(X, NAME, DIRECTION) X(void, NAME, DIRECTION, _async, true, (void))

#define AT_POINTER(RESULT, NAME, DIRECTION, SUFFIX, IS_ASYNC, RETURN)                                                  \
    RESULT upc_all_##NAME##_local##SUFFIX(bn_pts_t fd, void *buffer, size_t size, size_t nmemb, int flags)             \
    {                                                                                                                  \
        BN_SPAN(DIRECTION == BN_IO_READ ? BN_PROFILE_FILE_READ : BN_PROFILE_FILE_WRITE, 0, BN_NOBODY, BN_NOBODY);      \
        RETURN bn_io_transfer(fd, &(struct bn_io_call){                                                                \
                                      .function = "upc_all_" #NAME "_local" #SUFFIX,                                   \
                                      .direction = DIRECTION,                                                          \
                                      .flags = flags,                                                                  \
                                      .is_async = IS_ASYNC,                                                            \
                                      .start = {(bn_u64)buffer, 0, 0},                                                 \
                                      .size = size,                                                                    \
                                      .nmemb = nmemb,                                                                  \
                                  });                                                                                  \
    }                                                                                                                  \
    RESULT upc_all_##NAME##_shared##SUFFIX(bn_pts_t fd, bn_pts_t buffer, size_t blocksize, size_t size, size_t nmemb,  \
                                           int flags)                                                                  \
    {                                                                                                                  \
        BN_SPAN(DIRECTION == BN_IO_READ ? BN_PROFILE_FILE_READ : BN_PROFILE_FILE_WRITE, 0, BN_NOBODY, BN_NOBODY);      \
        RETURN bn_io_transfer(fd, &(struct bn_io_call){                                                                \
                                      .function = "upc_all_" #NAME "_shared" #SUFFIX,                                  \
                                      .direction = DIRECTION,                                                          \
                                      .flags = flags,                                                                  \
                                      .is_shared = true,                                                               \
                                      .is_async = IS_ASYNC,                                                            \
                                      .start = buffer,                                                                 \
                                      .blocksize = blocksize,                                                          \
                                      .size = size,                                                                    \
                                      .nmemb = nmemb,                                                                  \
                                  });                                                                                  \
    }

#define BY_LISTS(RESULT, NAME, DIRECTION, SUFFIX, IS_ASYNC, RETURN)                                                    \
    RESULT upc_all_##NAME##_list_local##SUFFIX(bn_pts_t fd, size_t memvec_entries,                                     \
                                               const struct upc_local_memvec *memvec, size_t filevec_entries,          \
                                               const struct upc_filevec *filevec, int flags)                           \
    {                                                                                                                  \
        BN_SPAN(DIRECTION == BN_IO_READ ? BN_PROFILE_FILE_READ : BN_PROFILE_FILE_WRITE, 0, BN_NOBODY, BN_NOBODY);      \
        RETURN bn_io_transfer(fd, &(struct bn_io_call){                                                                \
                                      .function = "upc_all_" #NAME "_list_local" #SUFFIX,                              \
                                      .direction = DIRECTION,                                                          \
                                      .flags = flags,                                                                  \
                                      .is_list = true,                                                                 \
                                      .is_async = IS_ASYNC,                                                            \
                                      .local = memvec,                                                                 \
                                      .memory_count = memvec_entries,                                                  \
                                      .ranges = filevec,                                                               \
                                      .range_count = filevec_entries,                                                  \
                                  });                                                                                  \
    }                                                                                                                  \
    RESULT upc_all_##NAME##_list_shared##SUFFIX(bn_pts_t fd, size_t memvec_entries,                                    \
                                                const struct upc_shared_memvec *memvec, size_t filevec_entries,        \
                                                const struct upc_filevec *filevec, int flags)                          \
    {                                                                                                                  \
        BN_SPAN(DIRECTION == BN_IO_READ ? BN_PROFILE_FILE_READ : BN_PROFILE_FILE_WRITE, 0, BN_NOBODY, BN_NOBODY);      \
        RETURN bn_io_transfer(fd, &(struct bn_io_call){                                                                \
                                      .function = "upc_all_" #NAME "_list_shared" #SUFFIX,                             \
                                      .direction = DIRECTION,                                                          \
                                      .flags = flags,                                                                  \
                                      .is_shared = true,                                                               \
                                      .is_list = true,                                                                 \
                                      .is_async = IS_ASYNC,                                                            \
                                      .shared = memvec,                                                                \
                                      .memory_count = memvec_entries,                                                  \
                                      .ranges = filevec,                                                               \
                                      .range_count = filevec_entries,                                                  \
                                  });                                                                                  \
    }

#define DEFINE(NAME, DIRECTION)                                                                                        \
    SYNCHRONOUS(AT_POINTER, NAME, DIRECTION)                                                                           \
    SYNCHRONOUS(BY_LISTS, NAME, DIRECTION)                                                                             \
    ASYNCHRONOUS(AT_POINTER, NAME, DIRECTION)                                                                          \
    ASYNCHRONOUS(BY_LISTS, NAME, DIRECTION)

BN_IO_DIRECTIONS(DEFINE)
