/*
 * element.h: addresses of the elements of static arrays: element i of a[...], with elements of elem bytes.  access.h
 * includes it.
 *
 * The thread of an element is never computed just to find its address.  Moving on by n blocks adds n strides; each time
 * this passes the last thread, one block is added and the distance once round all threads (bn_span) subtracted.  So an
 * address is a sum of products, which is fast to compute and to compile; every operation here costs compile time.
 */
#ifndef BN_ELEMENT_H
#define BN_ELEMENT_H

BN_INLINE bn_u64 bn_elem_indef(bn_shared_t a, bn_u64 i, bn_u64 elem)
{
    return (bn_u64)a + i * elem;
}

/*
 * The address of a row that a loop traverses.  The asm hides from the compiler how it was computed: gcc would otherwise
 * express it as a distance from another pointer of the loop, and add that in each iteration.
 */
BN_INLINE void *bn_row(bn_u64 address)
{
    void *row = (void *)address;
    __asm__("" : "+r"(row));
    return row;
}

/* bn_elem_cyclic where THREADS is known to be a power of two: one product, with the lowest latency from the index to
 * the address */
BN_INLINE bn_u64 bn_elem_shift(bn_shared_t a, bn_u64 i, bn_u64 elem)
{
    return (bn_u64)a + bn_stride_to(i & ((bn_u64)bn_threads() - 1)) + (i >> bn_threads_shift()) * elem;
}

/* Where THREADS is a power of two, the thread costs one `and`, and then a single product is enough. */
BN_INLINE bn_u64 bn_elem_cyclic(bn_shared_t a, bn_u64 i, bn_u64 elem)
{
    if (bn_divides_by_shift())
        return bn_elem_shift(a, i, elem);
    return (bn_u64)a + bn_stride_to(i) + bn_div_threads(i) * (elem - bn_span());
}

BN_INLINE bn_u64 bn_elem_block(bn_shared_t a, bn_u64 i, bn_u64 block, bn_u64 elem)
{
    bn_u64 nth = i / block;
    return (bn_u64)a + i * elem + nth * (bn_stride(1) - block * elem) +
           bn_div_threads(nth) * (block * elem - bn_span());
}

/* bn_elem_block where THREADS is known to be a power of two */
BN_INLINE bn_u64 bn_elem_block_shift(bn_shared_t a, bn_u64 i, bn_u64 block, bn_u64 elem)
{
    bn_u64 nth = i / block;
    return (bn_u64)a + i * elem + nth * (bn_stride(1) - block * elem) +
           (nth >> bn_threads_shift()) * (block * elem - bn_span());
}

/* bn_elem_block where no thread has more than one block: no index goes round the threads, so nothing is divided by
 * THREADS */
BN_INLINE bn_u64 bn_elem_once(bn_shared_t a, bn_u64 i, bn_u64 block, bn_u64 elem)
{
    return (bn_u64)a + i * elem + i / block * (bn_stride(1) - block * elem);
}

/*
 * bn_elem_once for i < 2^32, as its type or the size of the array guarantees: gcc then divides with a 64-bit product
 * instead of a 128-bit one, which takes two registers.
 */
BN_INLINE bn_u64 bn_narrow_once(bn_shared_t a, bn_u64 i, bn_u32 block, bn_u64 elem)
{
    bn_u64 nth = (block & (block - 1)) == 0 ? i / block : (bn_u32)i / block;
    return (bn_u64)a + i * elem + nth * (bn_stride(1) - block * elem);
}

/*
 * bn_elem_cyclic in loops that read indices from memory, x[col[k]], or compute them, x[random & mask], where the
 * throughput of address computations matters and not their latency: the segment comes from a table, and only the
 * division needs a product. is_shift says that THREADS is a power of two; where that is not known, upcc emits short
 * loops for both cases and other loops for the general case only.  Start-up places static objects at multiples of 16
 * bytes, so that the offset of the array is a whole number of elements, which is added to the index before the
 * division.
 */
BN_INLINE bn_u64 bn_indexed_cyclic(bn_shared_t a, bn_u64 i, bn_u64 elem, int is_shift)
{
    bn_u64 place = (bn_u64)a - bn_self.window_base;
    int is_whole = (elem & (elem - 1)) == 0 && elem <= 16;
    bn_u64 before = is_whole ? place / elem : 0;
    bn_u64 rest = is_whole ? 0 : place;
    if (is_shift)
        return bn_thread_starts[i & ((bn_u64)bn_threads() - 1)] + rest +
               ((i + (before << bn_threads_shift())) >> bn_threads_shift()) * elem;
    if (elem < 4) /* more elements than the parts can distinguish */
        return bn_elem_cyclic(a, i, elem);
    unsigned __int128 product = (unsigned __int128)bn_self.threads_reciprocal * (i + before * (bn_u64)bn_threads() + 1);
    return bn_thread_starts[BN_PARTS + ((bn_u64)product >> (64 - BN_PART_BITS))] + rest +
           (bn_u64)(product >> 64) * elem;
}

/*
 * The same out of line, for loops that hardly ever run: the version of a dealt-out upc_forall for calls from within
 * another upc_forall.  The back end compiles a call faster than an address computation.
 */
bn_u64 bn_cold_elem_cyclic(bn_shared_t a, bn_u64 i, bn_u64 elem) __attribute__((const, cold));
bn_u64 bn_cold_elem_block(bn_shared_t a, bn_u64 i, bn_u64 block, bn_u64 elem) __attribute__((const, cold));

/*
 * Element MYTHREAD * block + x, which is the caller's own if x is within the block; otherwise it is element i.  Where
 * gcc knows that x is within the block, for example for a character in blocks of 256 or for a loop counter, the test
 * disappears.  If the element size divides the stride, an element outside the block is a whole number of elements away
 * from the caller's own; both cases then have the same base, and an instruction that changes the element adds it in its
 * addressing mode.
 */
BN_INLINE bn_u64 bn_elem_near(bn_shared_t a, bn_u64 x, bn_u64 i, bn_u64 block, bn_u64 elem)
{
    bn_u64 mine = (bn_u64)a + bn_stride((bn_u64)bn_mythread());
    if (bn_stride(1) % elem == 0 && (elem & (elem - 1)) == 0) {
        if (__builtin_expect(x >= block, 0))
            x = (bn_cold_elem_block(a, i, block, elem) - mine) / elem;
        return mine + x * elem;
    }
    if (__builtin_expect(x < block, 1))
        return mine + x * elem;
    return bn_cold_elem_block(a, i, block, elem);
}

BN_INLINE bn_u64 bn_elem_mine(bn_shared_t a, bn_u64 x, bn_u64 block, bn_u64 elem)
{
    return bn_elem_near(a, x, (bn_u64)bn_mythread() * block + x, block, elem);
}

/* The same for a sum of unsigned ints, which is modulo 2^32; the blocks of all threads together have at most that many
 * elements. */
BN_INLINE bn_u64 bn_word_elem_mine(bn_shared_t a, bn_u32 x, bn_u64 block, bn_u64 elem)
{
    return bn_elem_near(a, x, (bn_u32)((bn_u64)bn_mythread() * block + x), block, elem);
}

/* The threads that own elements */
BN_INLINE int bn_owner_cyclic(bn_u64 i)
{
    return (int)(i - bn_div_threads(i) * (bn_u64)bn_threads());
}

BN_INLINE int bn_owner_block(bn_u64 i, bn_u64 block)
{
    return bn_owner_cyclic(i / block);
}

#endif
