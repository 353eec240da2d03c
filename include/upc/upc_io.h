/*
 * upc_io.h: files that all threads read and write together (UPC 1.3, optional libraries, parallel I/O).
 *
 * A file is a plain byte stream: once it is closed, any program can read the bytes that were written.
 *
 * All functions are collective and must not be called between upc_notify and upc_wait.  Arguments are single-valued
 * (the same on all threads) unless a function says otherwise.
 *
 * File pointers: a file has either one for all threads (UPC_COMMON_FP) or one for each thread (UPC_INDIVIDUAL_FP).
 *
 * Flags of type upc_flag_t: UPC_IN_ and UPC_OUT_ as in <upc_types.h>; they concern the data in memory, not in the file.
 * Asynchronous calls apply UPC_IN_ when they begin and UPC_OUT_ when they are completed.
 *
 * Consistency: by default (weak), a thread sees its own writes immediately and those of others after upc_all_fsync or a
 * call that implies it.  If several threads write to one byte without such a call between them, its value is undefined.
 * Data written with the common pointer is seen by reads with the common pointer.  With UPC_STRONG_CA (strong), all
 * threads see a write once the call has returned, each call is atomic as a whole, and its flags are taken as
 * UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC.
 *
 * Errors: a call that fails returns -1 (upc_all_fopen: null) and sets errno.  All threads get the same error, with two
 * exceptions: transfers with individual pointers or by lists may fail on one thread only, unless they end with
 * UPC_OUT_ALLSYNC, and upc_all_fseek with individual pointers fails on the threads whose arguments are wrong.  After an
 * error in a transfer all pointers of the file are undefined until upc_all_fseek sets them. errno may also have the
 * values of open, pread, pwrite, fsync, ftruncate and posix_fallocate.  A null pointer instead of a file, or a closed
 * file, ends the program with a message.
 *
 * Several machines: the file must be on a file system that all of them share.  That file system decides how soon one
 * machine sees what another has written.
 *
 * Limits: none but the file system's; offsets have 64 bits.  Open files are closed when the program ends, by
 * upc_global_exit as well.
 */
#pragma upc upc_code
#ifndef UPC_IO_H
#define UPC_IO_H

#include <stddef.h>
#include <stdint.h>
#include <upc.h>
#include <upc_types.h>

/* Offset in a file, or a number of bytes; -1 is an error */
typedef int64_t upc_off_t;

/* An open file: a shared object; all threads get the same pointer to it */
typedef shared struct upc_file_struct upc_file_t;

/* ---- Flags of upc_all_fopen: one of the first three, one of the next two, and any of the others ---- */

#define UPC_RDONLY 1
#define UPC_WRONLY 2
#define UPC_RDWR 4
#define UPC_INDIVIDUAL_FP 8
#define UPC_COMMON_FP 16
#define UPC_APPEND 32            /* pointers begin at the end of the file; they may be moved */
#define UPC_CREATE 64            /* create the file if it does not exist */
#define UPC_EXCL 128             /* with UPC_CREATE: fail if it exists */
#define UPC_STRONG_CA 256        /* strong consistency */
#define UPC_TRUNC 512            /* truncate the file to no bytes */
#define UPC_DELETE_ON_CLOSE 1024 /* remove it when it is closed */

/* Origins of upc_all_fseek */
#define UPC_SEEK_SET 1
#define UPC_SEEK_CUR 2
#define UPC_SEEK_END 4

/* Commands of upc_all_fcntl */
#define UPC_GET_CA_SEMANTICS 1
#define UPC_SET_WEAK_CA_SEMANTICS 2
#define UPC_SET_STRONG_CA_SEMANTICS 4
#define UPC_GET_FP 8
#define UPC_SET_COMMON_FP 16
#define UPC_SET_INDIVIDUAL_FP 32
#define UPC_GET_FL 64
#define UPC_GET_FN 128
#define UPC_GET_HINTS 256
#define UPC_SET_HINT 512
#define UPC_ASYNC_OUTSTANDING 1024

/*
 * Beyond UPC 1.3, as in Berkeley UPC: a transfer with this among its flags is asynchronous.  It returns 0, and
 * upc_all_fwait_async returns the number of bytes.
 */
#define UPC_ASYNC 64

/* A hint.  These keys have an effect; all others are stored and ignored:
 *
 *     file_perm       permissions of a created file, in octal, less the umask (default 0666); at upc_all_fopen
 *     access_style    "sequential" or "random", among others that are ignored, separated by commas
 *     cb_buffer_size  bytes of memory per thread in which small pieces are collected (default 262144)
 */
struct upc_hint {
    const char *key;
    const char *value;
};

/* len bytes of private memory */
struct upc_local_memvec {
    void *baseaddr;
    size_t len;
};

/* len bytes of shared memory in blocks of blocksize BYTES (0: indefinite), the first of which begins at baseaddr */
struct upc_shared_memvec {
    shared void *baseaddr;
    size_t blocksize;
    size_t len;
};

/* len bytes of the file from offset on */
struct upc_filevec {
    upc_off_t offset;
    size_t len;
};

typedef struct upc_hint upc_hint_t;
typedef struct upc_local_memvec upc_local_memvec_t;
typedef struct upc_shared_memvec upc_shared_memvec_t;
typedef struct upc_filevec upc_filevec_t;
#define __UPC_IO_TYPEDEFS__ 1

/* ---- Opening, closing, and operations on the whole file ---- */

/*
 * Opens a file. fname may be a different name on each thread as long as it is the same file.  Hints are copied.
 * Pointers begin at 0.
 *
 * Errors: null on all threads, with the same errno.  EINVAL: flags that exclude each other, a null pointer, or
 * different files; ENOENT: no such file, and no UPC_CREATE; EEXIST: UPC_EXCL, and the file exists; EISDIR: a directory;
 * and those of open.
 */
upc_file_t *upc_all_fopen(const char *fname, int flags, size_t numhints, struct upc_hint const *hints);

/* Closes the file, after upc_all_fsync.  Errors: EBUSY: an asynchronous operation is outstanding, and the file stays
 * open; those of fsync, and the file is closed. */
int upc_all_fclose(upc_file_t *fd);

/* Flushes everything that was written to the device and makes it visible to all threads.  Implies a barrier. */
int upc_all_fsync(upc_file_t *fd);

/*
 * Moves the pointer to offset from the beginning, the current position or the end of the file, and returns the new
 * position, which may be beyond the end.  With individual pointers each thread has its own offset and origin.  Errors:
 * EINVAL: no such origin, or a negative result; EOVERFLOW.
 */
upc_off_t upc_all_fseek(upc_file_t *fd, upc_off_t offset, int origin);

/* Cuts or extends the file to size bytes and syncs it.  Pointers do not move.  Errors: EINVAL, EBADF: not open for
 * writing. */
int upc_all_fset_size(upc_file_t *fd, upc_off_t size);

/* The number of bytes in the file: the largest size that any thread sees after its own writes */
upc_off_t upc_all_fget_size(upc_file_t *fd);

/* Reserves space on the device for the first size bytes, so that writing them cannot fail for lack of it; extends the
 * file if it is shorter.  Existing contents stay.  Errors: EINVAL, EBADF, ENOSPC. */
int upc_all_fpreallocate(upc_file_t *fd, upc_off_t size);

/*
 * UPC_GET_CA_SEMANTICS         returns UPC_STRONG_CA or 0
 * UPC_SET_WEAK_CA_SEMANTICS    syncs, and sets weak consistency
 * UPC_SET_STRONG_CA_SEMANTICS  the same for strong consistency
 * UPC_GET_FP                   returns UPC_COMMON_FP or UPC_INDIVIDUAL_FP
 * UPC_SET_COMMON_FP            syncs, uses the common pointer from now on, at 0
 * UPC_SET_INDIVIDUAL_FP        the same for individual pointers
 * UPC_GET_FL                   returns the flags of upc_all_fopen, with what was changed since
 * UPC_GET_FN                   *(const char **)arg = name of the file, as this thread gave it
 * UPC_GET_HINTS                *(const struct upc_hint **)arg = hints; returns how many there are
 * UPC_SET_HINT                 syncs, and sets *(struct upc_hint *)arg; a hint with this key is replaced
 * UPC_ASYNC_OUTSTANDING        returns 1 if an asynchronous operation is outstanding, else 0; allowed meanwhile
 *
 * Names and hints are valid until the file is closed or the next UPC_SET_HINT. The other commands return 0.  Errors:
 * EINVAL: no such command, or a null pointer.
 */
int upc_all_fcntl(upc_file_t *fd, int cmd, void *arg);

/* ---- Transfers at the file pointer, which moves by what they return: the number of bytes ----
 *
 * Reading returns less than asked for only at the end of the file.  Writing beyond the end extends the file; a gap
 * reads as zeros.  A transfer of no bytes does nothing.  With individual pointers each thread has its own arguments
 * except fd and flags.
 *
 * Errors: EBADF: not opened for this kind of transfer; EINVAL: null buffer, or upc_all_fread_local or
 * upc_all_fwrite_local with the common pointer; EOVERFLOW: more bytes than an offset can express; ENOMEM; EBUSY: an
 * asynchronous operation is outstanding; and those of pread and pwrite (ENOSPC, EFBIG, EIO ...).
 */

/* nmemb elements of size bytes from or to private memory; individual pointers only */
upc_off_t upc_all_fread_local(upc_file_t *fd, void *buffer, size_t size, size_t nmemb, upc_flag_t flags);
upc_off_t upc_all_fwrite_local(upc_file_t *fd, void *buffer, size_t size, size_t nmemb, upc_flag_t flags);

/*
 * nmemb elements of size bytes from or to shared memory in blocks of blocksize ELEMENTS (0: indefinite).  The first
 * block begins at buffer, whatever its phase.  With the common pointer, all threads together make one transfer, and all
 * of them return its number of bytes.
 *
 * Cost: blocks of 1 MiB or more are moved by the thread that holds them, with a system call each; for smaller ones each
 * thread moves its own part of the file in large calls.
 */
upc_off_t upc_all_fread_shared(upc_file_t *fd, shared void *buffer, size_t blocksize, size_t size, size_t nmemb,
                               upc_flag_t flags);
upc_off_t upc_all_fwrite_shared(upc_file_t *fd, shared void *buffer, size_t blocksize, size_t size, size_t nmemb,
                                upc_flag_t flags);

/* ---- Transfers between lists of pieces of memory and of the file ----
 *
 * Each thread has its own lists, and its own arguments except fd.  The bytes of the file list, in order, are those of
 * the memory list, in order.  File pointers are neither used nor moved; both kinds are allowed.  Empty pieces are
 * skipped, and lists may be empty.
 *
 * Errors, in addition to those above: EINVAL: lists of different lengths, negative or decreasing offsets, or, when
 * writing, pieces of the file that overlap.  When reading, pieces of memory that overlap are not detected.
 *
 * Cost: adjacent pieces of the file take one system call together; so do, for reading, pieces less than a page apart.
 */
upc_off_t upc_all_fread_list_local(upc_file_t *fd, size_t memvec_entries, struct upc_local_memvec const *memvec,
                                   size_t filevec_entries, struct upc_filevec const *filevec, upc_flag_t flags);
upc_off_t upc_all_fread_list_shared(upc_file_t *fd, size_t memvec_entries, struct upc_shared_memvec const *memvec,
                                    size_t filevec_entries, struct upc_filevec const *filevec, upc_flag_t flags);
upc_off_t upc_all_fwrite_list_local(upc_file_t *fd, size_t memvec_entries, struct upc_local_memvec const *memvec,
                                    size_t filevec_entries, struct upc_filevec const *filevec, upc_flag_t flags);
upc_off_t upc_all_fwrite_list_shared(upc_file_t *fd, size_t memvec_entries, struct upc_shared_memvec const *memvec,
                                     size_t filevec_entries, struct upc_filevec const *filevec, upc_flag_t flags);

/* ---- The same, asynchronous ----
 *
 * Each begins what its namesake does and returns.  Until the operation is completed, the program must neither touch the
 * memory that is read into nor change what is written, and may call only upc_all_fcntl with UPC_ASYNC_OUTSTANDING for
 * the file.  Lists may be changed immediately.  The completing call reports the errors.  A file can have one
 * outstanding operation at a time.
 *
 * Cost: 20 to 60 us for the POSIX thread that does the work.  With strong consistency the work is done in this call.
 */
void upc_all_fread_local_async(upc_file_t *fd, void *buffer, size_t size, size_t nmemb, upc_flag_t flags);
void upc_all_fwrite_local_async(upc_file_t *fd, void *buffer, size_t size, size_t nmemb, upc_flag_t flags);
void upc_all_fread_shared_async(upc_file_t *fd, shared void *buffer, size_t blocksize, size_t size, size_t nmemb,
                                upc_flag_t flags);
void upc_all_fwrite_shared_async(upc_file_t *fd, shared void *buffer, size_t blocksize, size_t size, size_t nmemb,
                                 upc_flag_t flags);
void upc_all_fread_list_local_async(upc_file_t *fd, size_t memvec_entries, struct upc_local_memvec const *memvec,
                                    size_t filevec_entries, struct upc_filevec const *filevec, upc_flag_t flags);
void upc_all_fread_list_shared_async(upc_file_t *fd, size_t memvec_entries, struct upc_shared_memvec const *memvec,
                                     size_t filevec_entries, struct upc_filevec const *filevec, upc_flag_t flags);
void upc_all_fwrite_list_local_async(upc_file_t *fd, size_t memvec_entries, struct upc_local_memvec const *memvec,
                                     size_t filevec_entries, struct upc_filevec const *filevec, upc_flag_t flags);
void upc_all_fwrite_list_shared_async(upc_file_t *fd, size_t memvec_entries, struct upc_shared_memvec const *memvec,
                                      size_t filevec_entries, struct upc_filevec const *filevec, upc_flag_t flags);

/* Waits for the outstanding operation and returns its number of bytes.  Errors: EINVAL: there is none; and those of the
 * operation. */
upc_off_t upc_all_fwait_async(upc_file_t *fd);

/* Sets *flag to 1 and returns the number of bytes on all threads if the operation is complete on all of them; it is not
 * outstanding any more.  Otherwise sets *flag to 0 and returns 0.  Errors: those of upc_all_fwait_async, with *flag =
 * 1. */
upc_off_t upc_all_ftest_async(upc_file_t *fd, int *flag);

#endif
