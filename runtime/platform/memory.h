/*
 * memory.h: address space, memory files, and the amount of memory that is really available.
 *
 * Addresses and sizes are in bytes and multiples of the page size unless a line says otherwise.  Functions that return
 * a status report the error themselves, with a remedy.
 */
#ifndef BN_PLATFORM_MEMORY_H
#define BN_PLATFORM_MEMORY_H

#include "banyan/races.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ThreadSanitizer leaves a program 1.5 TiB of address space, at fixed addresses. */
#if defined BN_SEES_RACES && defined BN_PTHREADS
enum { BN_MEMORY_IS_NARROW = 1 };
#else
enum { BN_MEMORY_IS_NARROW = 0 };
#endif

uint64_t bn_memory_page_bytes(void);

/*
 * Reserves address space without memory: accesses fault.
 *
 * @param address    Where; 0 for anywhere.
 * @param align      Power of two; for address 0.
 * @param parts      How many threads it is for; the message says how many there is room for.
 * @errors BN_ERR_MEMORY: the range is taken (the message says by what) or there is not that much address space.
 */
bn_status_t bn_memory_reserve(uint64_t address, uint64_t size_bytes, uint64_t align, int parts, uint64_t *address_p);

/* Checks that the limit on address space of this process (ulimit -v), which those that it starts inherit, leaves so
 * much to reserve.  @errors BN_ERR_MEMORY, reported as by bn_memory_reserve. */
bn_status_t bn_memory_check_limit(uint64_t size_bytes);

/* Whether addresses of a process can be as high as this: with some kernels, all have 39 bits. */
bool bn_memory_has_address(uint64_t address);

/* Whether the address is in use, by memory or by a reservation. */
bool bn_memory_is_taken(uint64_t address);

/* Releases address space, with everything that is mapped there. */
void bn_memory_release(uint64_t address, uint64_t size_bytes);

/*
 * Creates an empty memory file without a name in the file system; it vanishes with its last user and is closed on
 * exec.  It can grow but never shrink.  The descriptor is at least min_file, so that low numbers are left to the
 * program.
 */
bn_status_t bn_memory_file_create(const char *name, int min_file, int *file_p);
void bn_memory_file_close(int file);

/* What to do if making or enlarging a memory file fails with this errno value */
const char *bn_memory_file_remedy(int error);

/*
 * Makes room for count more files with descriptors from *min_file_p on.  Raises the soft limit on open files
 * temporarily; *old_limit_p is for bn_memory_files_done, which restores it (files above it stay open).
 *
 * @errors BN_ERR_LIMIT: the hard limit is too low.
 */
bn_status_t bn_memory_files_begin(int count, int *min_file_p, uint64_t *old_limit_p);
void bn_memory_files_done(uint64_t old_limit);

/* Excludes memory from core files: otherwise the system would examine each page of terabytes of address space, and a
 * crash would take minutes. */
void bn_memory_leave_out_of_cores(void *memory, uint64_t size_bytes);

/* Maps all of [0, size_bytes) of a file at a reserved address, including the part that the file has not grown to yet,
 * where accesses raise SIGBUS.  The memory is excluded from core files. */
bn_status_t bn_memory_file_map(int file, uint64_t address, uint64_t size_bytes);

/* Maps pages of this process that are shared memory a second time, at a reserved address: both are the same memory.
 * Returns false, without a report, if they are not shared memory. */
bool bn_memory_mirror(const void *pages, uint64_t size_bytes, uint64_t address);

/* Grows a file; memory mapped beyond its former end becomes usable in every process.  False if the system has no memory
 * for it; nothing is reported, since a heap that cannot grow is not an error of the runtime. errno is preserved. */
bool bn_memory_file_grow(int file, uint64_t size_bytes);

/* Grows a file that the job needs; reports failure as a lack of room for `what`.  Size 0 does nothing. */
bn_status_t bn_memory_file_hold(int file, uint64_t size_bytes, const char *what);

/* Gives memory of a mapped file back to the system, for all processes: the whole pages of the system among the given
 * bytes, which read as zero afterwards.  errno is preserved. */
void bn_memory_discard(uint64_t address, uint64_t size_bytes);

/* Zeroes exactly the given bytes.  Whole pages that have never been touched read as zero anyway and stay untouched. */
void bn_memory_clear(void *memory, uint64_t size_bytes);

/* Zeroed memory that this process shares with those it will fork.  Pages take memory only when they are touched. */
bn_status_t bn_memory_share(uint64_t size_bytes, void **memory_p);

/* The same for large tables, which valgrind's search for leaks would take seconds to read.  No system call may be given
 * an address in them. */
bn_status_t bn_memory_share_table(uint64_t size_bytes, void **memory_p);
void bn_memory_unshare(void *memory, uint64_t size_bytes);

/* Private read-only address space that reads as zeros and takes no memory. */
bn_status_t bn_memory_zeros(uint64_t size_bytes, void **memory_p);

/* The limit on the size of a file, which memory files obey, too; UINT64_MAX if there is none. */
uint64_t bn_memory_file_most_bytes(void);

/* The number of bytes that the limit on the address space of this process (ulimit -v) leaves; UINT64_MAX if there is no
 * limit.  For root see below. */
uint64_t bn_memory_address_room_bytes(const char *root);

/*
 * The number of bytes that this process may still use before the system kills a process for lack of memory: the
 * smallest of the system's available memory, the room in every memory cgroup around this process (v1 or v2, nested),
 * and the room under limits on address space.
 *
 * @param root  "" for this machine; tests give a folder that holds proc and sys of another.
 */
uint64_t bn_memory_available_bytes(const char *root);

#ifdef __cplusplus
}
#endif

#endif
