/*
 * shared_file.h: memory that processes of a machine share though none was forked from the other: a file that one of
 * them makes, and the others open by a path that it tells them.
 */
#ifndef BN_PLATFORM_SHARED_FILE_H
#define BN_PLATFORM_SHARED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BN_SHARED_FILE_PATH_BYTES = 256 };

/** How large a file may be that this process makes (RLIMIT_FSIZE); one that is larger is not made. */
uint64_t bn_shared_file_most_bytes(void);

/**
 * Makes a memory file of size_bytes, which has no name in any file system: path is for processes that see this one in
 * /proc.  Memory is taken when it is touched.  Returns its descriptor, or -1.
 */
int bn_shared_file_make(uint64_t size_bytes, char path[BN_SHARED_FILE_PATH_BYTES]);

/** The same in a folder.  Its memory is taken at once; -1 also if the folder has no room for it.  path: it gets a name
 * there, for processes that do not see this one in /proc, which is to be removed once all have opened it; null: it has
 * none at any time. */
int bn_shared_file_make_in(const char *folder, uint64_t size_bytes, char *path);
void bn_shared_file_remove(const char *path);

/** Opens what another process has made; -1 if it cannot be. */
int bn_shared_file_open(const char *path);
void bn_shared_file_close(int file);

/**
 * Says with the file that participant number of those that have it open is there; seen by all of them, in any pid
 * namespace, until this process closes the file, executes another program, or ends, however it ends.  A process that it
 * forks does not have the claim.  It is lost if this process opens the file once more and closes that.
 *
 * @errors False: somebody else has that number, or the file system has no locks.
 */
bool bn_shared_file_claim(int file, int participant);

/** Whether another process has claimed the number.  @cost A system call */
bool bn_shared_file_is_claimed(int file, int participant);

/** Maps size_bytes of the file at an address, or anywhere for 0; null if something else is mapped there.  Core files do
 * not hold it. */
void *bn_shared_file_map(int file, uint64_t size_bytes, uint64_t address);
void bn_shared_file_unmap(void *memory, uint64_t size_bytes);

#ifdef __cplusplus
}
#endif

#endif
