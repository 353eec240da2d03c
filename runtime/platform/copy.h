/*
 * copy.h: copies between objects that lie in this process, or in memory that it shares with other threads of the job.
 */
#ifndef BN_PLATFORM_COPY_H
#define BN_PLATFORM_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Memory for copies of what is not mapped here; grows, and stays.  All zero is a valid start. */
struct bn_scratch {
    void *memory;
    size_t size_bytes;
};

#ifdef BN_FAR_THREADS
/**
 * Copies size_bytes between two places that do not overlap.  Either may be private, shared, or, where threads are on
 * other nodes, a window address of memory that is not mapped here (pgas/remote/copy.c).  src is free on return; what
 * was written to another node is there before a flag that is raised after it (sync/flag.h), and at the next fence.
 *
 * @cost That of memcpy, where both are mapped.
 */
void bn_copy(void *dst, const void *src, size_t size_bytes);

/** Whether what lies at an address can be reached by load and store: private memory, and that of threads of this
 * node. */
bool bn_is_mapped(const void *address);

/** As bn_copy, but under way on return: neither place is touched before bn_copies_end, which completes all that have
 * begun. */
void bn_copy_begin(void *dst, const void *src, size_t size_bytes);
void bn_copies_end(void);

/** Where size_bytes from src on can be read: there, if they are mapped; else in scratch, until its next use.  Null: no
 * memory. */
const void *bn_bring(const void *src, size_t size_bytes, struct bn_scratch *scratch);

/** Bytes that this thread has copied to and from other nodes. */
unsigned long long bn_copied_far(void);
#else
static inline void bn_copy(void *dst, const void *src, size_t size_bytes)
{
    memcpy(dst, src, size_bytes);
}

static inline bool bn_is_mapped(const void *address)
{
    (void)address;
    return true;
}

static inline void bn_copy_begin(void *dst, const void *src, size_t size_bytes)
{
    memcpy(dst, src, size_bytes);
}

static inline void bn_copies_end(void)
{
}

static inline const void *bn_bring(const void *src, size_t size_bytes, struct bn_scratch *scratch)
{
    (void)size_bytes;
    (void)scratch;
    return src;
}

static inline unsigned long long bn_copied_far(void)
{
    return 0;
}
#endif

#ifdef __cplusplus
}
#endif

#endif
