/*
 * remote.h: what emitted C uses beside access.h where threads may be on other nodes (upcc -network=shmem,
 * docs/design/009-clusters.md).  access.h includes it.
 *
 * A thread is near if its segment is mapped in this process: itself always, and the threads of its node where OpenSHMEM
 * shares their memory.  Objects of near threads are read and written in place; those of far threads by the functions
 * here, which take the object's window address.  bn_get and bn_put may be called for near threads, too.
 */
#ifndef BN_REMOTE_H
#define BN_REMOTE_H

enum { BN_REMOTE_THREADS = 1024 }; /* most threads of a job */

/* One bit per thread.  Written once before the program starts; the back end may treat it as constant. */
struct bn_near {
    bn_u64 bits[BN_REMOTE_THREADS / 64];
    int is_all; /* nobody is far */
};
extern const struct bn_near bn_near;

/* Not 0 while writes of this thread to far threads may be on their way, or copies of far memory are kept
 * (bn_get_ahead) */
extern int bn_far_pending;

/* Reads of bn_before_strict_read so far: each so many make progress for others (bn_poll). */
extern unsigned bn_strict_reads;
enum { BN_STRICT_READS_PER_POLL = 64 };

/*
 * Copies bytes from a shared object, complete on return; comes after this thread's own writes to that thread.
 * Copies bytes to a shared object: src may be changed on return; others see the bytes after the next bn_complete.
 */
void bn_get(void *dst, const volatile void *src, bn_u64 bytes);
void bn_put(volatile void *dst, const void *src, bn_u64 bytes);

/*
 * The same for relaxed accesses, which need not happen at once: reads may bring what lies beside for the next ones,
 * small writes may be collected, both until the next bn_complete, bn_poll, barrier or lock.  A thread sees its own
 * writes either way.
 */
void bn_get_ahead(void *dst, const volatile void *src, bn_u64 bytes);
void bn_put_behind(volatile void *dst, const void *src, bn_u64 bytes);

/*
 * Elements that a loop is about to read, each into a place of its own: bn_gather_add for each, of up to BN_STRIP
 * iterations, then bn_gather_end, after which those of far threads are there.  Those of near threads are not brought.
 */
enum { BN_STRIP = 256 };
void bn_gather_add(void *dst, const volatile void *src, bn_u64 bytes);
void bn_gather_end(void);

/*
 * The same for the bits of a bit-field: src, dst and mask are structs of so many bytes, of which mask has ones in the
 * bit-field and zeros elsewhere.  Touches no byte that holds none of those bits.  dst keeps its other bits.  Not
 * atomic.
 */
void bn_get_bits(void *dst, const volatile void *src, const void *mask, bn_u64 bytes);
void bn_put_bits(volatile void *dst, const void *src, const void *mask, bn_u64 bytes);

/* Returns when all writes of this thread are done; what is read from now on is as new as that. */
void bn_complete(void);

/* Lets the network move: answers what other nodes want of this thread.  @cost About 0.1 us if there is nothing to
 * do. */
void bn_poll(void);

/*
 * Whether what lies at a window address can be reached in place.  True for null and other addresses outside of the
 * window, so that they fault as they do on one machine.
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
