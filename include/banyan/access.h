/*
 * access.h: what emitted C uses to reach shared memory.
 *
 * upcc puts this header in front of every translation unit, so it includes only inline.h, per_thread.h, remote.h and
 * atomic.h, defines no macro that a program could run into, and uses only names that begin with bn_.
 *
 * The window.  Thread t's segment is mapped, in every process of the node, at window base + t * (2^36 + 2^21)
 * (docs/design/001-representation.md).  A pointer-to-shared carries the full address of its object in this window:
 * dereferencing it is a plain load, the thread can be read off the address, pointers are equal when their addresses
 * are, and null is all zero. Moving to another thread adds (t' - t) * (2^36 + 2^21) to the address; see bn_stride.
 *
 * Division by THREADS is a multiplication with a precomputed reciprocal (see bn_div_threads); block sizes are literals
 * in the emitted C, so that the back end divides by constants.
 *
 * The thread of an element is never computed just to find its address: moving on by n blocks adds n strides, and each
 * time that passes the last thread, adds one block and subtracts the distance once round all threads (bn_span).  So an
 * address is a sum of products, which is faster to compute and to compile: each operation here adds to the back end's
 * time.
 */
#ifndef BN_ACCESS_H
#define BN_ACCESS_H

#pragma GCC system_header /* -pedantic and -std=c90 are for the program */

/*
 * clang warns less about code from macros, but preprocessed text does not show what came from one.  A macro that
 * compares, assigns or yields a value would draw these warnings at each use; with them off, the program compiles as
 * silently as when clang reads its source. gcc needs no such help: its preprocessor marks what system headers define.
 */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wparentheses-equality"
#pragma clang diagnostic ignored "-Wunused-value"
#pragma clang diagnostic ignored "-Wtautological-compare"
#pragma clang diagnostic ignored "-Wself-assign"
#pragma clang diagnostic ignored "-Wempty-body"
#pragma clang diagnostic ignored "-Wconstant-logical-operand"
#endif

/*
 * Tells upcc, which reads this text after the preprocessor, that the back end accepts -fvect-cost-model.  At -O2 gcc 12
 * and later vectorise only loops whose count they know; with this option, loops over what a thread owns become as fast
 * as at -O3 (docs/tuning/language.md).
 */
#if defined __GNUC__ && !defined __clang__ && __GNUC__ >= 12
enum { bn_has_vect_cost_model = 1 };
#endif

#if defined __STDC_VERSION__ && __STDC_VERSION__ > 201710L /* -std=gnu23 and the like: more words are keywords */
enum { bn_is_c23 = 1 };
#endif

#if __SIZEOF_POINTER__ != 8 /* -m32 and the like: upcc refuses units of UPC; plain C is compiled */
enum { bn_is_too_narrow = 1 };
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The shared libraries of a program use the runtime that is linked into its executable. */
#pragma GCC visibility push(default)

#include "inline.h"
#include "per_thread.h"
#include "races.h"

typedef __UINT64_TYPE__ bn_u64;
typedef __INT64_TYPE__ bn_i64;
typedef __UINT32_TYPE__ bn_u32;

/* A pointer-to-shared.  phase is 0 for block size 1 and for indefinite layouts. */
typedef struct bn_pointer_to_shared {
    bn_u64 addr;   /* address in the window; 0 for null */
    bn_u32 thread; /* 0 .. THREADS-1 */
    bn_u32 phase;  /* 0 .. block size-1 */
} bn_pts_t;

/*
 * Handle of a shared object with static storage: the window address of thread 0's part, set once before main.
 * It points to an incomplete type, so that the back end knows that no store of the program can change it.
 */
typedef struct bn_shared_mem *bn_shared_t;

enum {
    BN_STRIDE_SHIFT = 36, /* 64 GiB of address space for a thread's segment, of which it may use 60 */
    BN_SKEW_SHIFT = 21,   /* how far segments are shifted against each other: one huge page */
};

/* Who this thread is.  Written once before the program starts; the back end may treat it as constant. */
struct bn_self {
    int mythread;
    int threads;
    bn_u64 threads_reciprocal; /* floor((2^64 - 1) / threads) */
    bn_u64 window_base;        /* address of thread 0's segment */
    bn_u64 my_segment;         /* address of this thread's segment */
    bn_u64 span;               /* bn_stride(threads) */
    bn_u64 stride;             /* bn_stride(1), as a factor unknown to the back end; see bn_stride_to */
    int threads_shift;         /* log2(THREADS); -1 if THREADS is not a power of two */
};
extern BN_PER_THREAD const struct bn_self bn_self;

/*
 * Addresses of the threads' segments, for bn_indexed_...: that of thread t is at [t], and also at [BN_PARTS + part],
 * where part is the upper BN_PART_BITS bits of the remainder when an index of thread t is divided (bn_segment_part in
 * runtime/upc/memory/self.h).
 */
enum { BN_PART_BITS = 10, BN_PARTS = 1 << BN_PART_BITS };
extern const bn_u64 bn_thread_starts[2 * BN_PARTS];

/* The initial content of a shared object or of part of it.  Counts are in elements of the ultimate element type. */
struct bn_image {
    const void *data;
    bn_u64 bytes;
    bn_u64 first;         /* the element that data[0] initialises ... */
    bn_u64 room;          /* ... and the number of elements from there on that belong to the object or part */
    bn_u64 times_threads; /* 1: first and room are multiplied by THREADS */
};

/*
 * An object with static storage, described by the compiler for the start-up code: a shared object, or a private one
 * with initial values that must be computed.  The section bn_statics collects pointers to these records.
 */
struct bn_static {
    bn_shared_t *handle; /* receives the window address of thread 0's part; null for a private object */
    const char *name;    /* as written in the program */
    bn_u64 local_bytes;  /* bytes to reserve on each thread (upc_localsizeof) */
    bn_u64 align;        /* in bytes, a power of two */
    bn_u64 elem_bytes;   /* size of the ultimate element type */
    bn_u64 block_elems;  /* block size; 0 is indefinite */
    const struct bn_image *images;
    bn_u64 image_count;
    void *const *places;                  /* in the images or the private object: where computed values go */
    void (*compute)(void *const *places); /* sets them, called by every thread before main; null if there are none */
};

/* A translation unit, which a constructor registers before main. */
struct bn_unit {
    bn_u32 abi;                           /* BN_ABI of the compiler that made it */
    int static_threads;                   /* THREADS it was compiled for; 0 in the dynamic environment */
    const char *source;                   /* main source file */
    struct bn_static *const *statics;     /* first record of this executable or shared library ... */
    struct bn_static *const *statics_end; /* ... and one past the last; both null if it has none */
    struct bn_unit *next;                 /* used by the runtime */
};
/* Units for several nodes reach shared objects in another way, and units for threads that share a process have another
 * kind of private object, so neither can be linked with others. */
enum { BN_ABI_NUMBER = 7, BN_ABI_NETWORK_SHMEM = 1 << 16, BN_ABI_PTHREADS = 1 << 17 };
/* Beside BN_ABI in a unit of C, which has values to set but does not make a program one of UPC (upcc -pthreads). */
enum { BN_ABI_OF_C = 1 << 18 };
#ifdef BN_FAR_THREADS
enum { BN_ABI_NETWORK = BN_ABI_NETWORK_SHMEM };
#else
enum { BN_ABI_NETWORK = 0 };
#endif
#ifdef BN_PTHREADS
enum { BN_ABI_THREADS = BN_ABI_PTHREADS };
#else
enum { BN_ABI_THREADS = 0 };
#endif
enum { BN_ABI = BN_ABI_NUMBER + BN_ABI_NETWORK + BN_ABI_THREADS };
void bn_unit_register(struct bn_unit *unit);

/*
 * The distance between equal offsets in the segments of two threads that are `threads` apart (negative distances
 * wrap).  The skew keeps equal offsets of different threads from looking alike to a cache that predicts the way from
 * address bits 12 to 27, as in AMD's Zen: a walk over elements of alternate threads took 4.9 ns a step without it and
 * 1.1 ns with it.
 */
BN_INLINE bn_u64 bn_stride(bn_u64 threads)
{
    return threads * (((bn_u64)1 << BN_STRIDE_SHIFT) + ((bn_u64)1 << BN_SKEW_SHIFT));
}

BN_INLINE int bn_mythread(void)
{
    return bn_self.mythread;
}

#ifdef BN_STATIC_THREADS
BN_INLINE int bn_threads(void)
{
    return BN_STATIC_THREADS;
}

BN_INLINE bn_u64 bn_span(void)
{
    return bn_stride(BN_STATIC_THREADS);
}

BN_INLINE bn_u64 bn_div_threads(bn_u64 n)
{
    return n / BN_STATIC_THREADS;
}

/* Whether the back end knows that THREADS is a power of two, so that quotients are shifts and remainders cost one
 * `and` */
BN_INLINE int bn_divides_by_shift(void)
{
    return (BN_STATIC_THREADS & (BN_STATIC_THREADS - 1)) == 0;
}
#else
BN_INLINE int bn_threads(void)
{
    return bn_self.threads;
}

/* From an offset in thread 0's segment to the same offset in that of a thread number THREADS, if there were one */
BN_INLINE bn_u64 bn_span(void)
{
    return bn_self.span;
}

/*
 * floor(n / THREADS) for (n + 1) * THREADS <= 2^64.  With m = floor((2^64 - 1) / d) and n = q*d + s, the product
 * m * (n + 1) lies in [q * 2^64, (q + 1) * 2^64): its upper half is q.  Indices stay far below the bound, since a
 * thread's segment is 2^36 bytes.
 */
BN_INLINE bn_u64 bn_div_threads(bn_u64 n)
{
    return (bn_u64)(((unsigned __int128)bn_self.threads_reciprocal * (n + 1)) >> 64);
}

BN_INLINE int bn_divides_by_shift(void)
{
    return 0;
}
#endif

/* log2(THREADS), or negative if THREADS is not a power of two */
BN_INLINE int bn_threads_shift(void)
{
#ifdef BN_STATIC_THREADS
    return bn_divides_by_shift() ? __builtin_ctz(BN_STATIC_THREADS) : -1;
#else
    return bn_self.threads_shift;
#endif
}

/* bn_stride(i) as one multiplication: of a known factor the back end would make shifts, an addition and a copy, which
 * cost more */
BN_INLINE bn_u64 bn_stride_to(bn_u64 i)
{
    return __builtin_constant_p(i) ? bn_stride(i) : i * bn_self.stride;
}

/* floor(n / THREADS) and floor(n / b) for signed n, where ~n is -1 - n */
BN_INLINE bn_i64 bn_floor_threads(bn_i64 n)
{
    bn_u64 sign = (bn_u64)(n >> 63);
    return bn_divides_by_shift() ? n >> __builtin_ctz((unsigned)bn_threads())
                                 : (bn_i64)(bn_div_threads((bn_u64)n ^ sign) ^ sign);
}

/* n - floor(n / THREADS) * THREADS for any n: numbers in the program, unlike indices, may be beyond the bound of
 * bn_div_threads */
BN_INLINE bn_i64 bn_mod_threads(bn_i64 n)
{
    if (bn_divides_by_shift() || n >> 40 == n >> 63)
        return n - bn_floor_threads(n) * bn_threads();
    bn_i64 rest = n % bn_threads();
    return rest >= 0 ? rest : rest + bn_threads();
}

BN_INLINE bn_i64 bn_floor_block(bn_i64 n, bn_u64 block)
{
    bn_u64 sign = (bn_u64)(n >> 63);
    return (block & (block - 1)) == 0 ? n >> __builtin_ctzll(block) : (bn_i64)((((bn_u64)n ^ sign) / block) ^ sign);
}

/* ---- Addresses of the elements of a static array: element i of a[...], with elements of elem bytes ---- */

BN_INLINE bn_u64 bn_elem_indef(bn_shared_t a, bn_u64 i, bn_u64 elem)
{
    return (bn_u64)a + i * elem;
}

/*
 * The address of a row whose elements a loop goes through.  How it was computed is hidden from the compiler: gcc would
 * express it as a distance from another pointer of the loop, and add that in each iteration.
 */
BN_INLINE void *bn_row(bn_u64 address)
{
    void *row = (void *)address;
    __asm__("" : "+r"(row));
    return row;
}

/* bn_elem_cyclic where THREADS is known to be a power of two: one product, and the shortest way from the index to the
 * address */
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
 * bn_elem_once for i < 2^32, known from its type or because the array has no more elements: gcc then divides by a
 * 64-bit product in place of a 128-bit one, which takes two registers.
 */
BN_INLINE bn_u64 bn_narrow_once(bn_shared_t a, bn_u64 i, bn_u32 block, bn_u64 elem)
{
    bn_u64 nth = (block & (block - 1)) == 0 ? i / block : (bn_u32)i / block;
    return (bn_u64)a + i * elem + nth * (bn_stride(1) - block * elem);
}

/*
 * bn_elem_cyclic in loops that read indices from memory, x[col[k]], or compute them, x[random & mask], where the
 * throughput of address computations matters and not their latency: the segment comes from a table, and only the
 * division needs a product. is_shift says that THREADS is a power of two; where that is not known, upcc writes short
 * loops for both cases, and other loops for the general one.  Start-up places static objects at multiples of 16 bytes,
 * so that the offset of the array is a number of elements, which is added to the index before the division.
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
    if (elem < 4) /* more elements than the parts tell apart */
        return bn_elem_cyclic(a, i, elem);
    unsigned __int128 product = (unsigned __int128)bn_self.threads_reciprocal * (i + before * (bn_u64)bn_threads() + 1);
    return bn_thread_starts[BN_PARTS + ((bn_u64)product >> (64 - BN_PART_BITS))] + rest +
           (bn_u64)(product >> 64) * elem;
}

/*
 * The same out of line, for loops that hardly ever run: the version of a dealt-out upc_forall for calls from within
 * another upc_forall.  The back end takes longer for an address than for a call.
 */
bn_u64 bn_cold_elem_cyclic(bn_shared_t a, bn_u64 i, bn_u64 elem) __attribute__((const, cold));
bn_u64 bn_cold_elem_block(bn_shared_t a, bn_u64 i, bn_u64 block, bn_u64 elem) __attribute__((const, cold));

/*
 * Element MYTHREAD * block + x, which is the caller's own if x is within the block; else it is number i.  Where gcc
 * knows that x is, for example for a character in blocks of 256 or for a loop counter, the test disappears.  An element
 * beyond is a whole number of elements away from the own ones, if their size divides strides: then both have one base,
 * which an instruction that changes the element adds by itself.
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

/* The same for a sum of unsigned ints, which is modulo 2^32; all threads' blocks together have no more elements. */
BN_INLINE bn_u64 bn_word_elem_mine(bn_shared_t a, bn_u32 x, bn_u64 block, bn_u64 elem)
{
    return bn_elem_near(a, x, (bn_u32)((bn_u64)bn_mythread() * block + x), block, elem);
}

/* Threads that own them */
BN_INLINE int bn_owner_cyclic(bn_u64 i)
{
    return (int)(i - bn_div_threads(i) * (bn_u64)bn_threads());
}

BN_INLINE int bn_owner_block(bn_u64 i, bn_u64 block)
{
    return bn_owner_cyclic(i / block);
}

/* ---- Pointers-to-shared ---- */

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

BN_INLINE bn_pts_t bn_add_cyclic(bn_pts_t p, bn_i64 i, bn_u64 elem)
{
    bn_i64 nth = (bn_i64)p.thread + i;
    bn_i64 row = bn_floor_threads(nth);
    bn_pts_t q = {p.addr + bn_stride_to((bn_u64)i) + (bn_u64)row * (elem - bn_span()),
                  (bn_u32)(nth - row * bn_threads()), 0};
    return q;
}

/*
 * The address of p + i, computed like bn_indexed_cyclic, in loops that do not change p. i may be negative: the product
 * is taken of the offset in the whole segments, which is not. alignment: of the element; where it is the size, p is
 * whole elements from the segment's start. If not, what is left over is added each time.
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
    if (elem < 4) /* more elements than the parts tell apart */
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
 * The same out of line, for addresses that a program seldom computes; compiler/lower/outline.cc says where.  A call
 * costs some nanoseconds at run time and almost no compile time.
 */
bn_u64 bn_outlined_elem_cyclic(bn_shared_t a, bn_u64 i, bn_u64 elem) __attribute__((const));
bn_u64 bn_outlined_elem_block(bn_shared_t a, bn_u64 i, bn_u64 block, bn_u64 elem) __attribute__((const));
bn_pts_t bn_outlined_add_cyclic(bn_pts_t p, bn_i64 i, bn_u64 elem) __attribute__((const));
bn_pts_t bn_outlined_add_block(bn_pts_t p, bn_i64 i, bn_u64 block, bn_u64 elem) __attribute__((const));

/*
 * bytes / elem without a remainder: a shift if possible, which is shorter than a signed division, and which gcc 12.2
 * compiles correctly at -O2 even if bytes is -8 or 0 (it takes -8 / 8 for 0 there).
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

/* Stores q through p and returns what was there: p++ is bn_exchange(&p, bn_add_...(p, 1, ...)) */
BN_INLINE bn_pts_t bn_exchange(volatile void *p, bn_pts_t q)
{
    bn_pts_t old = *(bn_packed_pts_t *)p;
    *(bn_packed_pts_t *)p = q;
    return old;
}

/*
 * ---- Order of accesses (facts 1.14): a strict access is an access between two of these ----
 *
 * bn_complete_far completes this thread's writes to other nodes; bn_poll_often makes progress on the network, since
 * programs wait by strict reads.  Both are empty where all threads are on one node.
 */
#ifdef BN_FAR_THREADS
#include "remote.h"

BN_INLINE void bn_poll_often(void)
{
    if (__builtin_expect(++bn_strict_reads % BN_STRICT_READS_PER_POLL == 0, 0))
        bn_poll();
}
#else
#include "atomic.h"

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
 * Before a change of an object, or by ..._read a strict read, where all writes of this thread are complete, so that the
 * read must only stay after earlier ones.  Full fences between reads would be needed on a machine where a write reaches
 * some threads before others; the ones named here are not like that.
 */
BN_INLINE void bn_before_settled_change(void)
{
    BN_ORDER_BEFORE();
#if defined __x86_64__ || defined __aarch64__
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

/* ---- Statements ---- */

void bn_notify(void);
void bn_notify_value(int value);
void bn_wait(void);
void bn_wait_value(int value);
void bn_barrier(void);
void bn_barrier_value(int value);

/* In GNU UPC every program has it, without a header. */
#ifdef __GCC_UPC__
void upc_poll(void);
#endif

/* Returns the address of a shared object that is read or written now, and counts it, for upcrun -profile: upcc -inst.
 */
bn_u64 bn_count_access(bn_u64 address, bn_u64 bytes);

/*
 * upc_forall. bn_forall_depth counts the upc_forall loops with an affinity that this thread is in; only the outermost
 * one tests it.  Emitted as
 *     { int bn_outer __attribute__((cleanup(bn_forall_leave))) = bn_forall_enter();
 *       for (...) if (bn_outer | (affinity test)) body }
 * so that the affinity expression is evaluated in every iteration and the depth is restored on every way out.
 */
extern BN_PER_THREAD int bn_forall_depth;

BN_INLINE int bn_forall_enter(void)
{
    return bn_forall_depth++;
}

BN_INLINE void bn_forall_leave(const int *outer)
{
    bn_forall_depth = *outer;
}

/*
 * What a thread owns of a loop over units that are dealt out in blocks (blocks of one unit: cyclic).
 *
 * bn_ahead: start + distance, or the largest number if that is larger. bn_first_cyclic: where start names `unit` and
 * each step the next one, the first that names one of the caller's. bn_turns: how many of index, index + THREADS, ...
 * are below end. bn_next_step: the first of start, start + step, ... that is at least `least`. bn_steps: how many of
 * from, from + step, ... are below end.
 */
BN_INLINE bn_i64 bn_ahead(bn_i64 start, bn_i64 distance)
{
    bn_i64 sum;
    return __builtin_add_overflow(start, distance, &sum) ? (bn_i64)(~(bn_u64)0 >> 1) : sum;
}

BN_INLINE bn_i64 bn_first_cyclic(bn_i64 start, bn_i64 unit)
{
    bn_i64 distance = bn_mythread() - bn_mod_threads(unit);
    return bn_ahead(start, distance >= 0 ? distance : distance + bn_threads());
}

BN_INLINE bn_i64 bn_turns(bn_i64 index, bn_i64 end)
{
    return index < end ? (bn_i64)bn_div_threads((bn_u64)(end - 1 - index)) + 1 : 0;
}

BN_INLINE bn_i64 bn_steps(bn_i64 from, bn_i64 end, bn_i64 step)
{
    return from < end ? (end - 1 - from) / step + 1 : 0;
}

/*
 * The units that the caller owns among unit, unit + stride, unit + 2 * stride, ..., dealt out one by one: the first is
 * number `first` of this sequence, and after it every period-th one; from one to the next the row within the caller's
 * part grows by `rows`.  All 0 if the caller owns none; otherwise the period is positive.  Costs about 50 ns.
 */
struct bn_turns {
    bn_i64 first;
    bn_i64 period;
    bn_i64 rows;
};
struct bn_turns bn_own_turns(bn_i64 unit, bn_i64 stride);

/*
 * A loop over blocks of units that go round the threads, in pieces.  Iteration n names unit factor * n + offset; unit u
 * lies in block floor(u / block), and block b on thread b mod THREADS. A piece is a run of consecutive iterations in
 * one block of the caller, or, if is_all is not 0, in any block.  A call leads from piece to piece, so that the emitted
 * C is short and the back end sees one plain loop over memory.
 *
 *     for (bn_first_piece(&p, start, end, offset, block, is_all); p.n < p.stop; bn_next_piece(&p))
 *         for (n = p.n; n < p.stop; ++n) ...
 *
 * An array of such units, with elements of elem bytes, has unit u of the piece at
 *     its handle + where + (shift + u) * elem
 *
 * Where iterations name units at constant distances from their own, a piece also ends where one of these leaves its
 * block; bn_beside then says for each distance where these units are (bn_first_piece_beside; step and factor are 1).
 */
struct bn_beside {
    bn_i64 distance; /* set by the caller */
    bn_u64 where;
    bn_i64 shift;
};

struct bn_blocks {
    bn_i64 n;     /* the first iteration of this piece */
    bn_i64 stop;  /* one past its last one; if it is not larger than n, there are no more pieces */
    bn_u64 where; /* distance from thread 0's memory to the owner's */
    bn_i64 shift; /* added to the number of a unit, gives its number in the owner's memory */
    /* The rest is for the functions only. */
    bn_i64 start, end, step, factor, offset, block;
    bn_i64 number;     /* of the block */
    bn_i64 turn;       /* distance from the number of a block to that of the next */
    bn_i64 from, edge; /* iterations of the block, as if the loop had no start and end */
    struct bn_beside *near;
    int near_count;
    int is_plain; /* the distance from one block to the next is always the same */
};
void bn_first_piece(struct bn_blocks *p, bn_i64 start, bn_i64 end, bn_i64 offset, bn_i64 block, int is_all);
void bn_first_piece_apart(struct bn_blocks *p, bn_i64 start, bn_i64 end, bn_i64 offset, bn_i64 block, int is_all,
                          bn_i64 step, bn_i64 factor);
/*
 * All pieces in one, unless is_all, for bodies that name only their own units: a thread's blocks follow one another in
 * its memory.  From the second block on n is not the iteration; it just counts on.
 */
void bn_first_piece_joined(struct bn_blocks *p, bn_i64 start, bn_i64 end, bn_i64 offset, bn_i64 block, int is_all);
void bn_first_piece_beside(struct bn_blocks *p, bn_i64 start, bn_i64 end, bn_i64 offset, bn_i64 block, int is_all,
                           struct bn_beside *near, int near_count);
void bn_next_piece(struct bn_blocks *p);

BN_INLINE bn_i64 bn_min(bn_i64 a, bn_i64 b)
{
    return a < b ? a : b;
}

BN_INLINE bn_i64 bn_max(bn_i64 a, bn_i64 b)
{
    return a > b ? a : b;
}

BN_INLINE bn_i64 bn_min_unsigned(bn_u64 a, bn_i64 b)
{
    return a < (bn_u64)b ? (bn_i64)a : b;
}

BN_INLINE bn_i64 bn_next_step(bn_i64 start, bn_i64 least, bn_i64 step)
{
    return least <= start ? start : start + (least - start + step - 1) / step * step;
}

BN_INLINE int bn_here_int(bn_i64 affinity)
{
    return bn_mod_threads(affinity) == bn_mythread();
}

BN_INLINE int bn_here_uint(bn_u64 affinity)
{
    return affinity % (bn_u64)bn_threads() == (bn_u64)bn_mythread();
}

BN_INLINE int bn_here_pts(bn_pts_t p)
{
    return p.thread == (bn_u32)bn_mythread();
}

#undef BN_INLINE

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
