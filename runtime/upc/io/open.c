/* open.c: opens and closes files. */
#include "profile/span.h"
#include "upc/context.h"
#include "upc/fatal.h"
#include "upc/io/file.h"
#include "upc/nodes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool has_one_of(int flags, int of)
{
    return __builtin_popcount((unsigned)(flags & of)) == 1;
}

static int check_flags(int flags)
{
    bool is_valid = has_one_of(flags, BN_IO_RDONLY | BN_IO_WRONLY | BN_IO_RDWR) &&
                    has_one_of(flags, BN_IO_INDIVIDUAL_FP | BN_IO_COMMON_FP) && (flags & ~BN_IO_ALL_FLAGS) == 0 &&
                    !((flags & BN_IO_EXCL) && !(flags & BN_IO_CREATE)) &&
                    !((flags & BN_IO_TRUNC) && (flags & BN_IO_RDONLY));
    return is_valid ? 0 : EINVAL;
}

/* What can be done without system calls */
static int prepare(struct bn_io_file *file, const char *name, int flags, size_t hint_count,
                   const struct upc_hint *hints)
{
    int error = check_flags(flags);
    if (error != 0)
        return error;
    if (!name || (hint_count > 0 && !hints))
        return EINVAL;
    file->flags = flags;
    file->name = strdup(name);
    if (!file->name)
        return ENOMEM;
    if (flags & BN_IO_DELETE_ON_CLOSE) {
        file->path = bn_storage_full_path(name);
        if (!file->path)
            return errno;
    }
    for (size_t i = 0; error == 0 && i < hint_count; i++)
        error = bn_io_hints_set(&file->hints, &hints[i]);
    file->buffer.size_bytes = bn_io_hints_buffer_bytes(&file->hints);
    return error;
}

static int open_storage(struct bn_io_file *file, bool may_create)
{
    int mode =
        (bn_io_may(file, BN_IO_READ) ? BN_STORAGE_READ : 0) | (bn_io_may(file, BN_IO_WRITE) ? BN_STORAGE_WRITE : 0);
    if (may_create && (file->flags & BN_IO_CREATE))
        mode |= BN_STORAGE_CREATE | (file->flags & BN_IO_EXCL ? BN_STORAGE_NEW : 0);
    int error = bn_storage_open(&file->storage, file->name, mode, bn_io_hints_permissions(&file->hints));
    if (error == 0)
        bn_storage_advise(&file->storage, bn_io_hints_style(&file->hints));
    return error;
}

/* Checks that the threads have opened the same file, each under its own name for it.  Nodes may have different numbers
 * for a shared device. */
static int check_identity(const char *function, const struct bn_io_file *file, int error)
{
    struct bn_storage_identity identity = {0, 0};
    if (error == 0)
        error = bn_storage_identify(&file->storage, &identity);
    if (!bn_nodes_are_one())
        identity.device = 0;
    struct bn_io_agreement devices = bn_io_agree(function, (int64_t)identity.device, error);
    if (devices.error != 0)
        return devices.error;
    struct bn_io_agreement numbers = bn_io_agree(function, (int64_t)identity.number, 0);
    return devices.least == devices.largest && numbers.least == numbers.largest ? 0 : EINVAL;
}

/* The permissions of a new file (from a hint and the umask) may prevent the other threads from opening it. */
static void let_others_in(struct bn_io_file *file)
{
    enum { OWNER = 0600 };
    if (!file->storage.is_new || bn_storage_permissions(&file->storage, &file->permissions) != 0)
        return;
    file->others_were_let_in =
        (file->permissions & OWNER) != OWNER && bn_storage_permit(&file->storage, file->permissions | OWNER) == 0;
}

/* Thread 0 makes the file and the record, and then the others open the file. */
static int open_everywhere(const char *function, struct bn_io_file *file, int error)
{
    bool is_first = bn_context.thread == 0;
    error = bn_io_agree(function, 0, error).error;
    if (error != 0)
        return error;
    if (is_first) {
        error = open_storage(file, true);
        if (error == 0)
            let_others_in(file);
        file->record = error == 0 ? bn_io_record_new() : 0;
        if (error == 0 && file->record == 0)
            error = ENOMEM;
    }
    struct bn_io_agreement first = bn_io_agree(function, (int64_t)file->record, error);
    if (first.error != 0)
        return first.error;
    file->record = (uint64_t)first.first;
    return check_identity(function, file, is_first ? 0 : open_storage(file, false));
}

/* Brings the file into its initial state; for appending, the end of the file is where thread 0 sees it. */
static int begin(const char *function, struct bn_io_file *file)
{
    int error = 0;
    int64_t size = 0;
    if (file->others_were_let_in)
        error = bn_storage_permit(&file->storage, file->permissions);
    if (error == 0 && bn_context.thread == 0 && (file->flags & BN_IO_TRUNC))
        error = bn_storage_resize(&file->storage, 0);
    if (error == 0 && bn_context.thread == 0 && (file->flags & BN_IO_APPEND))
        error = bn_storage_size(&file->storage, &size);
    struct bn_io_agreement all = bn_io_agree(function, size, error);
    file->position = all.first;
    return all.error;
}

static void give_up(struct bn_io_file *file)
{
    if (bn_context.thread == 0 && file->record != 0)
        bn_io_record_delete(file->record);
    if (file->storage.is_new)
        bn_storage_remove(file->name);
    if (file->storage.descriptor >= 0)
        bn_storage_close(&file->storage);
    bn_io_file_delete(file);
}

static void check_flags_are_equal(const char *function, int flags)
{
    struct bn_io_agreement all = bn_io_agree(function, flags, 0);
    if (all.least != all.largest)
        bn_upc_fatal(function,
                     "the flags are %lld on one thread and %lld on another; they must be the same on all threads",
                     (long long)all.least, (long long)all.largest);
}

bn_pts_t upc_all_fopen(const char *fname, int flags, size_t numhints, const struct upc_hint *hints)
{
    BN_SPAN(BN_PROFILE_FILE_OTHER, 0, BN_NOBODY, BN_NOBODY);
    const char *function = "upc_all_fopen";
    check_flags_are_equal(function, flags);
    struct bn_io_file *file = bn_io_file_new();
    int error = file ? prepare(file, fname, flags, numhints, hints) : ENOMEM;
    error = open_everywhere(function, file, error);
    if (error == 0)
        error = begin(function, file);
    if (error == 0)
        return bn_at((const void *)file->record);
    if (file)
        give_up(file);
    errno = error;
    return bn_null();
}

int upc_all_fclose(bn_pts_t fd)
{
    BN_SPAN(BN_PROFILE_FILE_OTHER, 0, BN_NOBODY, BN_NOBODY);
    const char *function = "upc_all_fclose";
    bool is_first = bn_context.thread == 0;
    struct bn_io_file *file = bn_io_file_at(function, fd);
    if (file->has_operation)
        return (int)bn_io_result(EBUSY, 0);
    int error = bn_io_file_sync(function, file);
    int own_error = is_first && file->path ? bn_storage_remove(file->path) : 0;
    int close_error = bn_storage_close(&file->storage);
    struct bn_io_agreement all = bn_io_agree(function, 0, own_error != 0 ? own_error : close_error);
    if (is_first)
        bn_io_record_delete(file->record);
    bn_io_file_delete(file);
    return (int)bn_io_result(error != 0 ? error : all.error, 0);
}
