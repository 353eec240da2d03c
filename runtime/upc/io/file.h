/*
 * file.h: the files that a thread has open, and agreement among the threads about a file.
 *
 * A upc_file_t is a small record in shared memory; the changing state is private to each thread.
 */
#ifndef BN_UPC_IO_FILE_H
#define BN_UPC_IO_FILE_H

#include "sync/lock.h"
#include "upc/io/hints.h"
#include "upc/io/operation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a upc_file_t points to.  Made by thread 0; its address names the file. */
struct bn_io_record {
    struct bn_lock lock __attribute__((aligned(BN_LOCK_BYTES))); /* held during writes that must not interleave */
};

/* An open file, as a thread sees it.  It is never moved. */
struct bn_io_file {
    struct bn_storage storage;
    uint64_t record;           /* window address of the record; 0 until there is one */
    int flags;                 /* those of upc_all_fopen, with later changes */
    int64_t position;          /* of the file pointer in use */
    bool has_written;          /* since the last sync */
    bool has_operation;        /* an asynchronous one is outstanding */
    bool operation_is_refused; /* another one was begun in the meantime */
    bool others_were_let_in;   /* a new file temporarily has wider permissions, until begin() in open.c */
    unsigned permissions;      /* that the file is to have */
    char *name;
    char *path; /* for removing the file; null unless it is to be removed */
    struct bn_io_hints hints;
    struct bn_io_buffer buffer;
    struct bn_io_operation operation;
};

/* All files that this thread has open */
struct bn_io_files {
    struct bn_io_file **slots;
    size_t count;
};

/* A new file in the first free slot; null if there is no memory. */
struct bn_io_file *bn_io_file_new(void);
void bn_io_file_delete(struct bn_io_file *file);

/* Makes the record, on thread 0; 0 if there is no shared memory left. */
uint64_t bn_io_record_new(void);
void bn_io_record_delete(uint64_t record);

/* The file of a handle.  Ends the program if there is no such file, or if called between upc_notify and upc_wait. */
struct bn_io_file *bn_io_file_at(const char *function, bn_pts_t fd);

static inline struct bn_lock *bn_io_file_lock(const struct bn_io_file *file)
{
    return &((struct bn_io_record *)file->record)->lock;
}

static inline bool bn_io_may(const struct bn_io_file *file, enum bn_io_direction direction)
{
    return (file->flags & (BN_IO_RDWR | (direction == BN_IO_READ ? BN_IO_RDONLY : BN_IO_WRONLY))) != 0;
}

/* Combination of the values that all threads have shown in one barrier */
struct bn_io_agreement {
    int error; /* error of the lowest thread that has one, or 0 */
    int64_t sum;
    int64_t largest;
    int64_t least;
    int64_t first; /* what thread 0 has shown */
};

/* Shows value and error to all threads and returns the combination of all.  A barrier. */
struct bn_io_agreement bn_io_agree(const char *function, int64_t value, int error);

/* Flushes everything that any thread has written to the storage device; returns the same errno on all threads.  A
 * barrier. */
int bn_io_file_sync(const char *function, struct bn_io_file *file);

/* Sets errno and returns -1 if error is one, else returns result. */
int64_t bn_io_result(int error, int64_t result);

#ifdef __cplusplus
}
#endif

#endif
