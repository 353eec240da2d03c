/*
 * storage.h: files on storage devices, read and written at offsets.
 *
 * Functions return 0 or an errno, since that is what programs get.  They continue after a signal interrupts them, and
 * after the system moves less than it was asked to, so there is no limit of 2 GiB.
 */
#ifndef BN_PLATFORM_STORAGE_H
#define BN_PLATFORM_STORAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bn_storage {
    int descriptor;
    bool is_new;    /* bn_storage_open has created the file */
    uint64_t calls; /* system calls that have moved bytes, or tried to */
};

/* What bn_storage_open asks for, combined by | */
enum bn_storage_mode {
    BN_STORAGE_READ = 1,
    BN_STORAGE_WRITE = 2,
    BN_STORAGE_CREATE = 4, /* if there is none */
    BN_STORAGE_NEW = 8,    /* with CREATE: EEXIST if there is one */
};

/* Identifies a file independently of its names */
struct bn_storage_identity {
    uint64_t device;
    uint64_t number;
};

/* How a file is going to be used */
enum bn_storage_style { BN_STORAGE_NORMAL, BN_STORAGE_SEQUENTIAL, BN_STORAGE_RANDOM };

/* Opens the file at path; one that is created gets permissions, less the umask.  EISDIR for directories. */
int bn_storage_open(struct bn_storage *storage, const char *path, int mode, unsigned permissions);
int bn_storage_close(struct bn_storage *storage);

/* Get and set the permissions of the file: the lower 12 bits of its mode. */
int bn_storage_permissions(const struct bn_storage *storage, unsigned *permissions_p);
int bn_storage_permit(const struct bn_storage *storage, unsigned permissions);

int bn_storage_identify(const struct bn_storage *storage, struct bn_storage_identity *identity_p);
int bn_storage_size(const struct bn_storage *storage, int64_t *size_bytes_p);

/* Truncates the file, or extends it by a hole. */
int bn_storage_resize(const struct bn_storage *storage, int64_t size_bytes);

/* Reserves space for the first size_bytes, without changing existing contents; extends a shorter file. */
int bn_storage_preallocate(const struct bn_storage *storage, int64_t size_bytes);

/* Flushes everything that was written to the device. 0 for devices that store nothing. */
int bn_storage_sync(const struct bn_storage *storage);

/* Tells the system how the file will be used; it may ignore that. */
void bn_storage_advise(const struct bn_storage *storage, enum bn_storage_style style);

/* Removes the file at path; 0 if it is gone already. */
int bn_storage_remove(const char *path);

/* The path, made independent of the working directory, in memory to be freed; null, with errno set, if it cannot be. */
char *bn_storage_full_path(const char *path);

/* The most pieces of memory that one call of the two functions below accepts */
enum { BN_STORAGE_PIECES = 256 };

/*
 * Moves bytes between the file, from offset on, and the pieces, which are modified. *moved_p is how many were moved,
 * after an error as well; reads move fewer than asked for at the end of the file. count is at most BN_STORAGE_PIECES.
 */
int bn_storage_read(struct bn_storage *storage, int64_t offset, struct iovec *pieces, int count, size_t *moved_p);
int bn_storage_write(struct bn_storage *storage, int64_t offset, struct iovec *pieces, int count, size_t *moved_p);

#ifdef __cplusplus
}
#endif

#endif
