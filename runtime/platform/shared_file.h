/*
 * shared_file.h: memory shared by processes of a machine that were not forked from each other: a file that one of them
 * creates and the others open by a path that they are told.
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

/** The largest file that this process may create (RLIMIT_FSIZE); larger ones are refused. */
uint64_t bn_shared_file_most_bytes(void);

/**
 * Creates a memory file of size_bytes, which has no name in any file system; path is valid for processes that see this
 * one in /proc.  Memory is taken when it is touched.  Returns the descriptor, or -1 with errno.
 */
int bn_shared_file_make(uint64_t size_bytes, char path[BN_SHARED_FILE_PATH_BYTES]);

/** The same in a folder.  Its memory is taken immediately; returns -1 also if the folder has no room for it.  If path
 * is not null, the file gets a name there, for processes that do not see this one in /proc; the name should be removed
 * once all have opened the file.  If path is null, the file never has a name. */
int bn_shared_file_make_in(const char *folder, uint64_t size_bytes, char *path);
void bn_shared_file_remove(const char *path);

/** Writes the first word of a file, which is not 0.  False with errno: there is no memory for it. */
bool bn_shared_file_mark(int file, uint64_t word);

/** Opens a file that another process has marked with that word; returns -1 also if the path names another file here,
 *  as it may in another namespace. */
int bn_shared_file_take(const char *path, uint64_t word);

void bn_shared_file_close(int file);

/**
 * Claims a participant number, which all processes that have the file open can see, in any pid namespace, until this
 * process closes the file, executes another program, or ends in whatever way.  A forked child does not have the claim.
 * The claim is lost if this process opens the file a second time and closes that descriptor.
 *
 * @errors False if another process has that number, or the file system has no locks.
 */
bool bn_shared_file_claim(int file, int participant);

/** Whether another process has claimed the number.  @cost A system call */
bool bn_shared_file_is_claimed(int file, int participant);

/** Maps size_bytes of the file at an address, or anywhere for 0; null if something else is mapped there.  The memory is
 * excluded from core files. */
void *bn_shared_file_map(int file, uint64_t size_bytes, uint64_t address);
void bn_shared_file_unmap(void *memory, uint64_t size_bytes);

#ifdef __cplusplus
}
#endif

#endif
