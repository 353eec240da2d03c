/*
 * remote.h: the additional interface of emitted C where threads may be on other nodes (upcc -network=shmem,
 * docs/design/009-clusters.md). access.h includes it.
 *
 * A thread is near if its segment is mapped in this process: itself always, and the threads of its node where OpenSHMEM
 * shares their memory.  Objects of near threads are read and written in place; those of far threads through the
 * functions here, which take the object's window address. bn_get and bn_put work for near threads as well.
 */
#ifndef BN_REMOTE_H
#define BN_REMOTE_H

enum { BN_REMOTE_THREADS = 1024 }; /* most threads of a job */

/* One bit per thread.  Written once before the program starts; the back end may treat it as constant. */
struct bn_near {
    bn_u64 bits[BN_REMOTE_THREADS / 64];
    int is_all; /* no thread is far */
};
extern const struct bn_near bn_near;

/* Non-zero while writes of this thread to far threads may be in flight, or copies of far memory are kept
 * (bn_get_ahead) */
extern BN_PER_THREAD int bn_far_pending;

/* Counts strict reads (bn_before_strict_read); every BN_STRICT_READS_PER_POLL of them call bn_poll. */
extern BN_PER_THREAD unsigned bn_strict_reads;
enum { BN_STRICT_READS_PER_POLL = 64 };

/*
 * bn_get copies bytes from a shared object and is complete on return; it sees this thread's own writes to that thread.
 * bn_put copies bytes to a shared object: src may be changed on return, and other threads see the bytes after the next
 * bn_complete.
 */
void bn_get(void *dst, const volatile void *src, bn_u64 bytes);
void bn_put(volatile void *dst, const void *src, bn_u64 bytes);

/*
 * The same for relaxed accesses, which need not take effect immediately: a read may also fetch neighbouring bytes for
 * later reads, and small writes may be collected, until the next bn_complete, bn_poll, barrier or lock.  A thread sees
 * its own writes in any case.
 */
void bn_get_ahead(void *dst, const volatile void *src, bn_u64 bytes);
void bn_put_behind(volatile void *dst, const void *src, bn_u64 bytes);

/*
 * Fetch the elements that a loop is about to read, each into its own place: bn_gather_add for each of them, in up to
 * BN_STRIP iterations, then bn_gather_end, on whose return the elements of far threads have arrived.  Elements of near
 * threads are not fetched.
 */
enum { BN_STRIP = 256 };
void bn_gather_add(void *dst, const volatile void *src, bn_u64 bytes);
void bn_gather_end(void);

/*
 * bn_get and bn_put for the bits of a bit-field: src, dst and mask are structs of `bytes` bytes; mask has ones in the
 * bit-field and zeros elsewhere.  Bytes that hold none of those bits are not touched, and dst keeps its other bits.
 * Not atomic.
 */
void bn_get_bits(void *dst, const volatile void *src, const void *mask, bn_u64 bytes);
void bn_put_bits(volatile void *dst, const void *src, const void *mask, bn_u64 bytes);

/* Returns when all writes of this thread have completed, and drops copies of far memory, so that later reads see
 * current data. */
void bn_complete(void);

/* Makes progress on the network: answers requests of other nodes to this thread. @cost About 0.1 us if there is nothing
 * to do. */
void bn_poll(void);

/*
 * Whether a window address can be accessed in place.  True for null and other addresses outside the window, so that
 * they fault as they do on one machine.
 */
BN_INLINE int bn_is_near(const volatile void *address)
{
    bn_u64 thread = ((bn_u64)address - bn_self.window_base) >> BN_STRIDE_SHIFT;
    return thread >= (bn_u64)bn_self.threads || (bn_near.bits[thread / 64] >> thread % 64 & 1);
}

BN_INLINE void bn_complete_far(void)
{
    if (__builtin_expect(bn_far_pending, 0))
        bn_complete();
}

#endif
