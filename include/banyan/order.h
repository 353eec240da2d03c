/*
 * order.h: the order of accesses (facts 1.14).  A strict access is a plain access between two of these functions.
 * access.h includes this file.
 *
 * bn_complete_far completes this thread's writes to other nodes; bn_poll_often makes progress on the network, because
 * programs wait by spinning on strict reads.  Both are empty where all threads are on one node.
 */
#ifndef BN_ORDER_H
#define BN_ORDER_H

#ifdef BN_FAR_THREADS
BN_INLINE void bn_poll_often(void)
{
    if (__builtin_expect(++bn_strict_reads % BN_STRICT_READS_PER_POLL == 0, 0))
        bn_poll();
}
#else
BN_INLINE void bn_complete_far(void)
{
}

BN_INLINE void bn_poll_often(void)
{
}
#endif

BN_INLINE void bn_fence(void)
{
    bn_complete_far();
    BN_ORDER_BEFORE();
    BN_FENCE(__ATOMIC_SEQ_CST);
    BN_ORDER_AFTER();
}

BN_INLINE void bn_before_strict_read(void)
{
    bn_complete_far();
    bn_poll_often();
    BN_ORDER_BEFORE();
    BN_FENCE(__ATOMIC_SEQ_CST);
    BN_STRICT_READ_BEGINS();
}

/*
 * For use before a change of an object (or, with ..._read, before a strict read) when all writes of this thread are
 * complete already, so that the read need only be ordered after earlier reads.  Only machines on which a write reaches
 * some threads before others would need full fences between reads; those named here are not of that kind.
 */
BN_INLINE void bn_before_settled_change(void)
{
    BN_ORDER_BEFORE();
#if defined __x86_64__ || defined __aarch64__ || defined __riscv || defined __s390x__
    BN_FENCE(__ATOMIC_ACQUIRE);
#else
    BN_FENCE(__ATOMIC_SEQ_CST);
#endif
    BN_ORDER_AFTER();
}

BN_INLINE void bn_before_settled_read(void)
{
    bn_before_settled_change();
    BN_STRICT_READ_BEGINS();
}

BN_INLINE void bn_after_strict_read(void)
{
    BN_STRICT_READ_ENDS();
    BN_FENCE(__ATOMIC_ACQUIRE);
    BN_ORDER_AFTER();
}

BN_INLINE void bn_before_strict_write(void)
{
    bn_complete_far();
    BN_ORDER_BEFORE();
    BN_FENCE(__ATOMIC_RELEASE);
    BN_STRICT_WRITE_BEGINS();
}

BN_INLINE void bn_after_strict_write(void)
{
    BN_STRICT_WRITE_ENDS();
    bn_complete_far();
    BN_FENCE(__ATOMIC_SEQ_CST);
    BN_ORDER_AFTER();
}

#endif
