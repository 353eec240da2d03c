/*
 * access.h: the interface through which emitted C reaches shared memory.
 *
 * upcc puts this header in front of every translation unit, so it includes only others of this folder, defines no macro
 * that a program could run into, and uses only names that begin with bn_.
 *
 * The window.  In every process of the node, thread t's segment is mapped at window base + t * (2^36 + 2^21)
 * (docs/design/001-representation.md).  A pointer-to-shared carries the full address of its object in this window:
 * dereferencing it is a plain load, the thread can be read off the address, pointers are equal when their addresses
 * are, and null is all zero. Moving to another thread adds (t' - t) * (2^36 + 2^21) to the address; see bn_stride.
 *
 * Division by THREADS is a multiplication with a precomputed reciprocal (see bn_div_threads); block sizes are literals
 * in the emitted C, so that the back end divides by constants.
 */
#ifndef BN_ACCESS_H
#define BN_ACCESS_H

#pragma GCC system_header /* -pedantic and -std=c90 concern only the program */

/*
 * Marks tell upcc, which reads this text after the preprocessor, about the back end.
 *
 * bn_is_clang: it is clang and not gcc.  __clang__ may be missing (-undef, -U); __has_warning is an operator, unless a
 * program defines it for gcc (as 0).
 *
 * clang suppresses some warnings for code that comes from macros, but in preprocessed text it cannot see which code
 * does. A macro that compares, assigns or yields a value would then draw these warnings at each use; with them off, the
 * program compiles as silently as when clang reads its source.  gcc needs no such help: its preprocessor marks what
 * system headers define.
 */
#ifdef __has_warning
#if __has_warning("-Wunused-value")
#define BN_IS_CLANG
#endif
#endif
#ifdef BN_IS_CLANG
enum { bn_is_clang = 1 };
#pragma clang diagnostic ignored "-Wparentheses-equality"
#pragma clang diagnostic ignored "-Wunused-value"
#pragma clang diagnostic ignored "-Wtautological-compare"
#pragma clang diagnostic ignored "-Wself-assign"
#pragma clang diagnostic ignored "-Wempty-body"
#pragma clang diagnostic ignored "-Wconstant-logical-operand"
/*
 * The back end can warn of lines of the form '# 42 "FILE"' (clang 15 and later, with -Wpedantic).  A pragma would come
 * too late for the first of them.
 */
#if __has_warning("-Wgnu-line-marker")
enum { bn_warns_of_line_markers = 1 };
#endif
#endif

/*
 * At -O2, gcc 12 and later vectorise only loops whose trip count they know; with -fvect-cost-model=dynamic, loops over
 * the elements that a thread owns become as fast as at -O3 (docs/tuning/language.md).
 */
#if !defined BN_IS_CLANG && defined __GNUC__ && __GNUC__ >= 12
enum { bn_has_vect_cost_model = 1 };
#endif
#undef BN_IS_CLANG

/* The back end can mark objects that the linker must keep (gcc 11, clang 13 and later). */
#ifdef __has_attribute
#if __has_attribute(__retain__)
enum { bn_has_retain = 1 };
#endif
#endif

#if defined __STDC_VERSION__ && __STDC_VERSION__ > 201710L /* -std=gnu23 and the like: more words are keywords */
enum { bn_is_c23 = 1 };
#endif

#ifndef __SIZEOF_POINTER__ /* -undef: upcc refuses units of UPC, which need such macros; plain C is compiled */
enum { bn_lacks_macros = 1 };
#elif __SIZEOF_POINTER__ != 8 /* -m32 and the like: upcc refuses units of UPC; plain C is compiled */
enum { bn_is_too_narrow = 1 };
#endif

/* What differs in types among processors, and by -funsigned-char and -fshort-wchar. */
#ifdef __CHAR_UNSIGNED__
enum { bn_has_unsigned_char = 1 };
#endif
#if __SIZEOF_WCHAR_T__ == 2
enum { bn_has_short_wchar = 1 };
#elif defined __WCHAR_UNSIGNED__
enum { bn_has_unsigned_wchar = 1 };
#endif
#ifdef __aarch64__
enum { bn_aligns_unnamed_bit_fields = 1 };
#endif
#if __BIGGEST_ALIGNMENT__ == 8
enum { bn_aligns_to_8 = 1 };
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A program's shared libraries use the runtime that is linked into its executable. */
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
 * Handle of a shared object with static storage: the window address of thread 0's part, set once before main.  It
 * points to an incomplete type, which tells the back end that no store in the program can change it.
 */
typedef struct bn_shared_mem *bn_shared_t;

enum {
    BN_STRIDE_SHIFT = 36, /* 64 GiB of address space for a thread's segment, which may use 60 GiB of it */
    BN_SKEW_SHIFT = 21,   /* by how much segments are skewed against each other: one huge page */
};

/* The identity of this thread.  Written once before the program starts; the back end may treat it as constant. */
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
 * Addresses of the threads' segments, for bn_indexed_... .  The address of thread t's segment is at [t] and also at
 * [BN_PARTS + part], where part is the upper BN_PART_BITS bits of the remainder left by dividing an index that belongs
 * to thread t (bn_segment_part in runtime/upc/memory/self.h).
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
    void *const *places;                  /* where computed values go, in the images or the private object */
    void (*compute)(void *const *places); /* stores the computed values; called by every thread before main; null if
                                           * there are none */
};

/* An element of a shared array, or a shared object, to which a pointer with static storage points at the start */
struct bn_element {
    bn_shared_t *handle; /* of the array */
    bn_u64 index;        /* of the element */
    bn_u64 block_elems;  /* block size of the array; 0 is indefinite */
    bn_u64 elem_bytes;
};
void bn_set_element(void *place, const struct bn_element *element); /* stores the pointer-to-shared */

/*
 * What a unit says about a shared object that other units know as well, whether it defines the object or only declares
 * it: the start-up code refuses programs whose units do not agree.
 */
struct bn_declared {
    bn_shared_t *handle; /* null if the object is defined elsewhere */
    const char *name;
    const char *type; /* for messages: "shared [5] int[100]" */
    const char *form; /* what an element consists of (compiler/lower/declared.cc) */
    const char *file;
    int line;
    bn_u64 elements;      /* 0: the declaration does not say */
    bn_u64 times_threads; /* 1: elements is multiplied by THREADS */
    bn_u64 block_elems;   /* block size of an array; 0 is indefinite */
};

/* A translation unit.  A constructor registers it, before those of the program, which may need a library's initial
 * values: before main, or where a library is loaded after the start. */
struct bn_unit {
    bn_u32 abi;                           /* BN_ABI of the compiler that made it, and BN_ABI_OF_C and the like */
    int static_threads;                   /* THREADS it was compiled for; 0 in the dynamic environment */
    const char *source;                   /* main source file */
    struct bn_static *const *statics;     /* first record of this executable or shared library ... */
    struct bn_static *const *statics_end; /* ... and one past the last; both null if it has none */
    struct bn_unit *next;                 /* for the runtime's list of units */
    const struct bn_declared *declared;   /* only with BN_ABI_DECLARES: what it says about shared objects */
    bn_u64 declared_count;
};
/* Units compiled for several nodes reach shared objects differently, and units compiled for threads that share a
 * process have a different kind of private object, so neither can be linked with other units. */
enum { BN_ABI_NUMBER = 7, BN_ABI_NETWORK_SHMEM = 1 << 16, BN_ABI_PTHREADS = 1 << 17 };
/* Added to BN_ABI in a unit of plain C, which has values to initialise but does not turn the program into a UPC program
 * (upcc -pthreads). */
enum { BN_ABI_OF_C = 1 << 18 };
/* Added to BN_ABI in a unit that says what it declares, which older ones do not. */
enum { BN_ABI_DECLARES = 1 << 19 };
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

#ifdef BN_PTHREADS
/* A constructor or destructor of the program, which each thread calls as a process of its own would.  Constructors of
 * the same priority give it to the runtime, and so in the right order; a destructor tells it when the process ends or
 * the library goes. */
struct bn_lifetime {
    void (*function)(void); /* the C library passes main's arguments to it */
    int is_late;            /* of a library that was loaded after the start */
    struct bn_lifetime *next;
};
void bn_lifetime_add_constructor(struct bn_lifetime *constructor);
void bn_lifetime_add_destructor(struct bn_lifetime *destructor);
void bn_lifetime_leave(struct bn_lifetime *destructor);
#endif

/*
 * The distance between equal offsets in the segments of two threads that are `threads` apart (negative distances wrap).
 * Some caches predict the way from address bits 12 to 27, AMD's Zen among them; without the skew, equal offsets of
 * different threads would look alike to them.  A walk over elements of alternate threads took 4.9 ns a step without the
 * skew and 1.1 ns with it.
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

/* The distance from an offset in thread 0's segment to the same offset in the segment of a hypothetical thread
 * THREADS */
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

/* bn_stride(i) as one multiplication: with a constant factor the back end would emit shifts, an addition and a copy,
 * which cost more */
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

/* n - floor(n / THREADS) * THREADS for any n: unlike indices, numbers in the program may exceed the bound of
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

#include "element.h"
#include "pointer.h"

#ifdef BN_FAR_THREADS
#include "remote.h"
#else
#include "atomic.h"
#endif

#include "order.h"

/* ---- Statements ---- */

void bn_notify(void);
void bn_notify_value(int value);
void bn_wait(void);
void bn_wait_value(int value);
void bn_barrier(void);
void bn_barrier_value(int value);

/* In GNU UPC every program has this function without including a header. */
#ifdef __GCC_UPC__
void upc_poll(void);
#endif

/* Returns the address of a shared object that is about to be accessed, and counts the access for upcrun -profile (upcc
 * -inst).
 */
bn_u64 bn_count_access(bn_u64 address, bn_u64 bytes);

#include "forall.h"

#undef BN_INLINE

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
