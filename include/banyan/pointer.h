/*
 * pointer.h: pointers-to-shared: their parts, sums and differences (facts 1.9).  access.h includes it.
 */
#ifndef BN_POINTER_H
#define BN_POINTER_H

BN_INLINE bn_pts_t bn_null(void)
{
    bn_pts_t p = {0, 0, 0};
    return p;
}

/* The thread whose segment holds a window address: skews and segment together stay below 2^36 for 1,024 threads */
BN_INLINE bn_u32 bn_thread_of_address(bn_u64 addr)
{
    return (bn_u32)((addr - bn_self.window_base) >> BN_STRIDE_SHIFT);
}

/* &lvalue for a shared lvalue that lies at this window address; phase 0 */
BN_INLINE bn_pts_t bn_at(const volatile void *address)
{
    bn_pts_t p = {(bn_u64)address, bn_thread_of_address((bn_u64)address), 0};
    return p;
}

/* Start of a static object: thread 0, phase 0 */
BN_INLINE bn_pts_t bn_start(bn_shared_t a)
{
    bn_pts_t p = {(bn_u64)a, 0, 0};
    return p;
}

BN_INLINE bn_pts_t bn_reset_phase(bn_pts_t p)
{
    p.phase = 0;
    return p;
}

BN_INLINE bn_u32 bn_pts_thread(bn_pts_t p)
{
    return p.thread;
}

BN_INLINE bn_u32 bn_pts_phase(bn_pts_t p)
{
    return p.phase;
}

/* The address as a pointer-to-local; null stays null.  Defined for objects with affinity to the caller. */
BN_INLINE void *bn_local(bn_pts_t p)
{
    return (void *)p.addr;
}

/* p + i, where i counts objects of elem bytes (the ultimate element type) */
BN_INLINE bn_pts_t bn_add_indef(bn_pts_t p, bn_i64 i, bn_u64 elem)
{
    p.addr += (bn_u64)i * elem;
    p.phase = 0;
    return p;
}

/* p moved by whole rounds of all threads, in which its own thread has i elements */
BN_INLINE bn_pts_t bn_add_rounds(bn_pts_t p, bn_i64 i, bn_u64 elem)
{
    p.addr += (bn_u64)i * elem;
    return p;
}

BN_INLINE bn_pts_t bn_add_cyclic(bn_pts_t p, bn_i64 i, bn_u64 elem)
{
    bn_i64 nth = (bn_i64)p.thread + i;
    bn_i64 row = bn_floor_threads(nth);
    bn_pts_t q = {p.addr + bn_stride_to((bn_u64)i) + (bn_u64)row * (elem - bn_span()),
                  (bn_u32)(nth - row * bn_threads()), 0};
    return q;
}

/*
 * The address of p + i, computed as in bn_indexed_cyclic, for loops that do not change p. i may be negative: the
 * product is computed from the offset within the whole segments, which is never negative. alignment is that of the
 * element; if it is at least elem, p lies a whole number of elements from the segment's start, otherwise the rest is
 * added each time.
 */
BN_INLINE bn_u64 bn_indexed_pointer(bn_pts_t p, bn_i64 i, bn_u64 elem, bn_u64 alignment, int is_shift)
{
    bn_u64 place = p.addr - bn_thread_starts[p.thread];
    int is_whole = alignment >= elem;
    if (is_shift) {
        bn_u64 before = is_whole ? place / elem : 0;
        bn_i64 nth = i + (bn_i64)(p.thread + (before << bn_threads_shift()));
        return bn_thread_starts[nth & (bn_threads() - 1)] + (is_whole ? 0 : place) +
               (bn_u64)(nth >> bn_threads_shift()) * elem;
    }
    if (elem < 4) /* more elements than the parts can distinguish */
        return bn_add_cyclic(p, i, elem).addr;
    bn_u64 before = place / elem;
    unsigned __int128 product =
        (unsigned __int128)bn_self.threads_reciprocal * ((bn_u64)i + (p.thread + before * (bn_u64)bn_threads() + 1));
    return bn_thread_starts[BN_PARTS + ((bn_u64)product >> (64 - BN_PART_BITS))] + (is_whole ? 0 : place % elem) +
           (bn_u64)(product >> 64) * elem;
}

BN_INLINE bn_pts_t bn_add_block(bn_pts_t p, bn_i64 i, bn_u64 block, bn_u64 elem)
{
    bn_i64 offset = (bn_i64)p.phase + i;
    bn_i64 blocks = bn_floor_block(offset, block);
    bn_i64 nth = (bn_i64)p.thread + blocks;
    bn_i64 row = bn_floor_threads(nth);
    bn_pts_t q = {p.addr + (bn_u64)i * elem + (bn_u64)blocks * (bn_stride(1) - block * elem) +
                      (bn_u64)row * (block * elem - bn_span()),
                  (bn_u32)(nth - row * bn_threads()), (bn_u32)(offset - blocks * (bn_i64)block)};
    return q;
}

/* p + n * block, which has the phase of p */
BN_INLINE bn_pts_t bn_add_whole_blocks(bn_pts_t p, bn_i64 n, bn_u64 block, bn_u64 elem)
{
    bn_pts_t q = bn_add_cyclic(p, n, block * elem);
    q.phase = p.phase;
    return q;
}

/* p + 1 and p - 1, without a division */
BN_INLINE bn_pts_t bn_next_cyclic(bn_pts_t p, bn_u64 elem)
{
    int is_last = p.thread + 1 == (bn_u32)bn_threads();
    bn_pts_t q = {p.addr + (is_last ? bn_stride(1) + elem - bn_span() : bn_stride(1)), is_last ? 0 : p.thread + 1, 0};
    return q;
}

BN_INLINE bn_pts_t bn_previous_cyclic(bn_pts_t p, bn_u64 elem)
{
    bn_u32 last = (bn_u32)bn_threads() - 1;
    bn_pts_t q = {p.addr - (p.thread == 0 ? bn_stride(1) + elem - bn_span() : bn_stride(1)),
                  p.thread == 0 ? last : p.thread - 1, 0};
    return q;
}

BN_INLINE bn_pts_t bn_next_block(bn_pts_t p, bn_u64 block, bn_u64 elem)
{
    p.addr += elem;
    p.phase++;
    if (__builtin_expect(p.phase == block, 0)) {
        p.phase = 0;
        p.addr -= block * elem;
        p = bn_next_cyclic(p, block * elem);
    }
    return p;
}

BN_INLINE bn_pts_t bn_previous_block(bn_pts_t p, bn_u64 block, bn_u64 elem)
{
    if (__builtin_expect(p.phase == 0, 0)) {
        p = bn_previous_cyclic(p, block * elem);
        p.addr += block * elem;
        p.phase = (bn_u32)block;
    }
    p.addr -= elem;
    p.phase--;
    return p;
}

/*
 * The same out of line, for addresses that a program seldom computes; compiler/lower/outline.cc decides which.  A call
 * costs some nanoseconds at run time and almost no compile time.
 */
bn_u64 bn_outlined_elem_cyclic(bn_shared_t a, bn_u64 i, bn_u64 elem) __attribute__((const));
bn_u64 bn_outlined_elem_block(bn_shared_t a, bn_u64 i, bn_u64 block, bn_u64 elem) __attribute__((const));
bn_pts_t bn_outlined_add_cyclic(bn_pts_t p, bn_i64 i, bn_u64 elem) __attribute__((const));
bn_pts_t bn_outlined_add_block(bn_pts_t p, bn_i64 i, bn_u64 block, bn_u64 elem) __attribute__((const));

/*
 * The address of row + x, where both are usually in one block.  phase is that of row, passed on its own because upcc
 * often knows that it is 0: then the test disappears where the back end knows the range of x, and a loop over x is
 * vectorised.
 */
BN_INLINE bn_u64 bn_elem_beside(bn_pts_t row, bn_u64 phase, bn_i64 x, bn_u64 block, bn_u64 elem)
{
    if (__builtin_expect(phase + (bn_u64)x >= block, 0))
        return bn_outlined_add_block(row, x, block, elem).addr;
    return row.addr + (bn_u64)x * elem;
}

/*
 * bytes / elem, where the remainder is 0: a shift if possible, which is shorter than a signed division, and which gcc
 * 12.2 compiles correctly at -O2 even if bytes is -8 or 0 (where it miscompiles -8 / 8 as 0).
 */
BN_INLINE bn_i64 bn_whole(bn_i64 bytes, bn_u64 elem)
{
    return (elem & (elem - 1)) == 0 ? bytes >> __builtin_ctzll(elem) : bytes / (bn_i64)elem;
}

/* p - q in objects of elem bytes.  Relational operators compare this difference with 0. */
BN_INLINE bn_i64 bn_diff_indef(bn_pts_t p, bn_pts_t q, bn_u64 elem)
{
    return bn_whole((bn_i64)(p.addr - q.addr), elem);
}

BN_INLINE bn_i64 bn_diff_block(bn_pts_t p, bn_pts_t q, bn_u64 block, bn_u64 elem)
{
    bn_i64 threads = (bn_i64)p.thread - (bn_i64)q.thread;
    bn_i64 phases = (bn_i64)p.phase - (bn_i64)q.phase;
    bn_i64 elems = bn_whole((bn_i64)(p.addr - q.addr - bn_stride((bn_u64)threads)), elem);
    return (elems - phases) * bn_threads() + threads * (bn_i64)block + phases;
}

BN_INLINE bn_i64 bn_diff_cyclic(bn_pts_t p, bn_pts_t q, bn_u64 elem)
{
    bn_i64 threads = (bn_i64)p.thread - (bn_i64)q.thread;
    bn_i64 elems = bn_whole((bn_i64)(p.addr - q.addr - bn_stride((bn_u64)threads)), elem);
    return elems * bn_threads() + threads;
}

/* A pointer-to-shared that may be misaligned: a member of a packed struct */
typedef bn_pts_t bn_packed_pts_t __attribute__((aligned(1)));

#endif
