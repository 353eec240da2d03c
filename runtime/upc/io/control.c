/* control.c: calls for an open file other than transfers. */
#include "profile/span.h"
#include "upc/context.h"
#include "upc/io/file.h"

#include <errno.h>
#include <stdlib.h>

/* ---- Size and pointer ---- */

/* The largest size that any thread sees, each after its own writes */
static int agree_on_size(const char *function, const struct bn_io_file *file, int64_t *size_p)
{
    int64_t size = 0;
    int error = bn_storage_size(&file->storage, &size);
    struct bn_io_agreement all = bn_io_agree(function, size, error);
    *size_p = all.largest;
    return all.error;
}

static int size_from_here(const char *function, const struct bn_io_file *file, int64_t *size_p)
{
    bool is_common = (file->flags & BN_IO_COMMON_FP) != 0;
    return is_common ? agree_on_size(function, file, size_p) : bn_storage_size(&file->storage, size_p);
}

int64_t upc_all_fseek(bn_pts_t fd, int64_t offset, int origin)
{
    BN_SPAN(BN_PROFILE_FILE_OTHER, 0, BN_NOBODY, BN_NOBODY);
    const char *function = "upc_all_fseek";
    struct bn_io_file *file = bn_io_file_at(function, fd);
    int64_t from = 0;
    int error = file->has_operation ? EBUSY : 0;
    if (error == 0 && origin == BN_IO_SEEK_CUR)
        from = file->position;
    else if (error == 0 && origin == BN_IO_SEEK_END)
        error = size_from_here(function, file, &from);
    else if (error == 0 && origin != BN_IO_SEEK_SET)
        error = EINVAL;
    if (error == 0 && __builtin_add_overflow(from, offset, &from))
        error = EOVERFLOW;
    if (error == 0 && from < 0)
        error = EINVAL;
    if (error == 0)
        file->position = from;
    return bn_io_result(error, from);
}

int64_t upc_all_fget_size(bn_pts_t fd)
{
    BN_SPAN(BN_PROFILE_FILE_OTHER, 0, BN_NOBODY, BN_NOBODY);
    const char *function = "upc_all_fget_size";
    struct bn_io_file *file = bn_io_file_at(function, fd);
    int64_t size = 0;
    int error = file->has_operation ? EBUSY : agree_on_size(function, file, &size);
    return bn_io_result(error, size);
}

static int check_change_of_size(const struct bn_io_file *file, int64_t size)
{
    if (file->has_operation)
        return EBUSY;
    if (!bn_io_may(file, BN_IO_WRITE))
        return EBADF;
    return size < 0 ? EINVAL : 0;
}

/* Thread 0 changes the size once all earlier writes are done. */
static int change_size(const char *function, struct bn_io_file *file, int64_t size,
                       int (*change)(const struct bn_storage *, int64_t))
{
    int error = check_change_of_size(file, size);
    if (error != 0)
        return error;
    (void)bn_io_agree(function, 0, 0);
    file->has_written = true;
    return bn_io_agree(function, 0, bn_context.thread == 0 ? change(&file->storage, size) : 0).error;
}

int upc_all_fset_size(bn_pts_t fd, int64_t size)
{
    BN_SPAN(BN_PROFILE_FILE_OTHER, 0, BN_NOBODY, BN_NOBODY);
    const char *function = "upc_all_fset_size";
    struct bn_io_file *file = bn_io_file_at(function, fd);
    int error = change_size(function, file, size, bn_storage_resize);
    if (error == 0)
        error = bn_io_file_sync(function, file);
    return (int)bn_io_result(error, 0);
}

int upc_all_fpreallocate(bn_pts_t fd, int64_t size)
{
    BN_SPAN(BN_PROFILE_FILE_OTHER, 0, BN_NOBODY, BN_NOBODY);
    const char *function = "upc_all_fpreallocate";
    struct bn_io_file *file = bn_io_file_at(function, fd);
    return (int)bn_io_result(change_size(function, file, size, bn_storage_preallocate), 0);
}

int upc_all_fsync(bn_pts_t fd)
{
    BN_SPAN(BN_PROFILE_FILE_OTHER, 0, BN_NOBODY, BN_NOBODY);
    const char *function = "upc_all_fsync";
    struct bn_io_file *file = bn_io_file_at(function, fd);
    return (int)bn_io_result(file->has_operation ? EBUSY : bn_io_file_sync(function, file), 0);
}

/* ---- upc_all_fcntl ---- */

static int replace_flags(const char *function, struct bn_io_file *file, int from, int to)
{
    int error = bn_io_file_sync(function, file);
    if (error == 0)
        file->flags = (file->flags & ~from) | to;
    return error;
}

static int replace_pointer(const char *function, struct bn_io_file *file, int pointer)
{
    int error = replace_flags(function, file, BN_IO_COMMON_FP | BN_IO_INDIVIDUAL_FP, pointer);
    if (error == 0)
        file->position = 0;
    return error;
}

static int set_hint(const char *function, struct bn_io_file *file, const struct upc_hint *hint)
{
    int error = bn_io_file_sync(function, file);
    int own_error = hint ? bn_io_hints_set(&file->hints, hint) : EINVAL;
    own_error = bn_io_agree(function, 0, own_error).error;
    if (own_error != 0)
        return error != 0 ? error : own_error;
    bn_storage_advise(&file->storage, bn_io_hints_style(&file->hints));
    size_t buffer_bytes = bn_io_hints_buffer_bytes(&file->hints);
    if (file->buffer.size_bytes != buffer_bytes) {
        free(file->buffer.memory);
        file->buffer = (struct bn_io_buffer){NULL, buffer_bytes};
    }
    return error;
}

static int get_name(const struct bn_io_file *file, const char **name_p)
{
    if (!name_p)
        return EINVAL;
    *name_p = file->name;
    return 0;
}

static int get_hints(const struct bn_io_file *file, const struct upc_hint **hints_p, int *count_p)
{
    if (!hints_p)
        return EINVAL;
    *hints_p = file->hints.list;
    *count_p = (int)file->hints.count;
    return 0;
}

int upc_all_fcntl(bn_pts_t fd, int cmd, void *arg)
{
    BN_SPAN(BN_PROFILE_FILE_OTHER, 0, BN_NOBODY, BN_NOBODY);
    const char *function = "upc_all_fcntl";
    struct bn_io_file *file = bn_io_file_at(function, fd);
    int result = 0;
    int error = 0;
    if (cmd == BN_IO_ASYNC_OUTSTANDING)
        return file->has_operation;
    if (file->has_operation)
        return (int)bn_io_result(EBUSY, 0);
    switch (cmd) {
    case BN_IO_GET_CA_SEMANTICS: result = file->flags & BN_IO_STRONG_CA; break;
    case BN_IO_GET_FP: result = file->flags & (BN_IO_COMMON_FP | BN_IO_INDIVIDUAL_FP); break;
    case BN_IO_GET_FL: result = file->flags; break;
    case BN_IO_GET_FN: error = get_name(file, arg); break;
    case BN_IO_GET_HINTS: error = get_hints(file, arg, &result); break;
    case BN_IO_SET_WEAK_CA_SEMANTICS: error = replace_flags(function, file, BN_IO_STRONG_CA, 0); break;
    case BN_IO_SET_STRONG_CA_SEMANTICS: error = replace_flags(function, file, 0, BN_IO_STRONG_CA); break;
    case BN_IO_SET_COMMON_FP: error = replace_pointer(function, file, BN_IO_COMMON_FP); break;
    case BN_IO_SET_INDIVIDUAL_FP: error = replace_pointer(function, file, BN_IO_INDIVIDUAL_FP); break;
    case BN_IO_SET_HINT: error = set_hint(function, file, arg); break;
    default: error = EINVAL;
    }
    return (int)bn_io_result(error, result);
}
