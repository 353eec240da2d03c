#include "platform/storage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_flags(int mode)
{
    int flags = O_CLOEXEC;
    if (mode & BN_STORAGE_WRITE)
        flags |= mode & BN_STORAGE_READ ? O_RDWR : O_WRONLY;
    else
        flags |= O_RDONLY;
    if (mode & BN_STORAGE_CREATE)
        flags |= O_CREAT;
    return flags;
}

static int open_by(const char *path, int flags, unsigned permissions)
{
    int descriptor;
    do
        descriptor = open(path, flags, (mode_t)permissions);
    while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

int bn_storage_open(struct bn_storage *storage, const char *path, int mode, unsigned permissions)
{
    struct stat facts;
    *storage = (struct bn_storage){.descriptor = -1};
    if (mode & BN_STORAGE_CREATE) {
        storage->descriptor = open_by(path, open_flags(mode) | O_EXCL, permissions);
        storage->is_new = storage->descriptor >= 0;
        if (!storage->is_new && (errno != EEXIST || (mode & BN_STORAGE_NEW)))
            return errno;
    }
    if (!storage->is_new)
        storage->descriptor = open_by(path, open_flags(mode), permissions);
    if (storage->descriptor < 0)
        return errno;
    int error = fstat(storage->descriptor, &facts) != 0 ? errno : S_ISDIR(facts.st_mode) ? EISDIR : 0;
    if (error != 0)
        bn_storage_close(storage);
    return error;
}

int bn_storage_close(struct bn_storage *storage)
{
    int error = close(storage->descriptor) != 0 ? errno : 0;
    storage->descriptor = -1;
    return error == EINTR ? 0 : error; /* the descriptor is closed in any case */
}

int bn_storage_permissions(const struct bn_storage *storage, unsigned *permissions_p)
{
    struct stat facts;
    if (fstat(storage->descriptor, &facts) != 0)
        return errno;
    *permissions_p = facts.st_mode & 07777;
    return 0;
}

int bn_storage_permit(const struct bn_storage *storage, unsigned permissions)
{
    return fchmod(storage->descriptor, (mode_t)permissions) != 0 ? errno : 0;
}

int bn_storage_identify(const struct bn_storage *storage, struct bn_storage_identity *identity_p)
{
    struct stat facts;
    if (fstat(storage->descriptor, &facts) != 0)
        return errno;
    *identity_p = (struct bn_storage_identity){facts.st_dev, facts.st_ino};
    return 0;
}

int bn_storage_size(const struct bn_storage *storage, int64_t *size_bytes_p)
{
    struct stat facts;
    if (fstat(storage->descriptor, &facts) != 0)
        return errno;
    *size_bytes_p = facts.st_size;
    return 0;
}

int bn_storage_resize(const struct bn_storage *storage, int64_t size_bytes)
{
    while (ftruncate(storage->descriptor, size_bytes) != 0) {
        if (errno != EINTR)
            return errno;
    }
    return 0;
}

int bn_storage_preallocate(const struct bn_storage *storage, int64_t size_bytes)
{
    int error;
    if (size_bytes == 0)
        return 0;
    do
        error = posix_fallocate(storage->descriptor, 0, size_bytes);
    while (error == EINTR);
    return error;
}

int bn_storage_sync(const struct bn_storage *storage)
{
    while (fsync(storage->descriptor) != 0) {
        if (errno == EINVAL || errno == EROFS)
            return 0;
        if (errno != EINTR)
            return errno;
    }
    return 0;
}

void bn_storage_advise(const struct bn_storage *storage, enum bn_storage_style style)
{
    static const int advice[] = {
        [BN_STORAGE_NORMAL] = POSIX_FADV_NORMAL,
        [BN_STORAGE_SEQUENTIAL] = POSIX_FADV_SEQUENTIAL,
        [BN_STORAGE_RANDOM] = POSIX_FADV_RANDOM,
    };
    (void)posix_fadvise(storage->descriptor, 0, 0, advice[style]);
}

int bn_storage_remove(const char *path)
{
    return unlink(path) == 0 || errno == ENOENT ? 0 : errno;
}

char *bn_storage_full_path(const char *path)
{
    if (path[0] == '/')
        return strdup(path);
    char *folder = getcwd(NULL, 0);
    char *full = NULL;
    if (folder && asprintf(&full, "%s/%s", folder, path) < 0)
        full = NULL;
    free(folder);
    return full;
}

/* Skips the first bytes of the pieces; returns how many pieces are used up. */
static int skip(struct iovec *pieces, int count, size_t bytes)
{
    int gone = 0;
    while (gone < count && bytes >= pieces[gone].iov_len)
        bytes -= pieces[gone++].iov_len;
    if (gone < count) {
        pieces[gone].iov_base = (char *)pieces[gone].iov_base + bytes;
        pieces[gone].iov_len -= bytes;
    }
    return gone;
}

/* Passing one piece without a list is about 100 ns cheaper. */
static ssize_t call(int descriptor, bool is_write, const struct iovec *pieces, int count, int64_t offset)
{
    if (count > 1)
        return is_write ? pwritev(descriptor, pieces, count, offset) : preadv(descriptor, pieces, count, offset);
    return is_write ? pwrite(descriptor, pieces->iov_base, pieces->iov_len, offset)
                    : pread(descriptor, pieces->iov_base, pieces->iov_len, offset);
}

/*
 * The system ends calls early at 2 GiB, at the end of the file, at a signal and when a device is full; only the next
 * call tells which.
 */
static int move(struct bn_storage *storage, bool is_write, int64_t offset, struct iovec *pieces, int count,
                size_t *moved_p)
{
    *moved_p = 0;
    int first = skip(pieces, count, 0);
    while (first < count) {
        ssize_t now = call(storage->descriptor, is_write, pieces + first, count - first, offset + (int64_t)*moved_p);
        storage->calls++;
        if (now < 0 && errno == EINTR)
            continue;
        if (now < 0)
            return errno;
        if (now == 0)
            return 0;
        *moved_p += (size_t)now;
        first += skip(pieces + first, count - first, (size_t)now);
    }
    return 0;
}

int bn_storage_read(struct bn_storage *storage, int64_t offset, struct iovec *pieces, int count, size_t *moved_p)
{
    return move(storage, false, offset, pieces, count, moved_p);
}

int bn_storage_write(struct bn_storage *storage, int64_t offset, struct iovec *pieces, int count, size_t *moved_p)
{
    size_t bytes = 0;
    for (int i = 0; i < count; i++)
        bytes += pieces[i].iov_len;
    int error = move(storage, true, offset, pieces, count, moved_p);
    return error == 0 && *moved_p < bytes ? EIO : error; /* a write that stopped without an error */
}
