/*
 * check.h: the functions that emitted C calls under upcc -fcheck, in addition to access.h
 * (docs/design/006-run-time-checks.md).
 *
 * upcc -fcheck puts this header after access.h in front of every translation unit; without -fcheck none of it is used.
 * Functions named bn_check_... return their argument if it is valid; otherwise they end the job with a line that names
 * the thread, the place in the source, what is wrong and what to do.  Their last two arguments are that place.
 *
 * Live memory.  One byte describes each 16 bytes of the window, at shadow[(address - window base) / 16]:
 *
 *     1 .. 16 the first this-many bytes belong to a live object
 *     others no byte belongs to a live object (runtime/upc/check/memory.h)
 *
 * @cost An access through a pointer: a load of the shadow and three comparisons.  An index: one comparison.
 */
#ifndef BN_CHECK_H
#define BN_CHECK_H

#pragma GCC system_header

#include "access.h"
#include "inline.h"
#include "per_thread.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* Set once before the program starts; the back end may treat it as constant. */
struct bn_check_map {
    bn_u64 window_base;
    bn_u64 window_bytes; /* from the first byte of thread 0's segment to the end of the last segment */
    const signed char *shadow;
};
extern const struct bn_check_map bn_check_map;

enum {
    BN_CHECK_GRANULE_SHIFT = 4,
    BN_CHECK_GRANULE = 1 << BN_CHECK_GRANULE_SHIFT,
    BN_CHECK_NEAR = 1 << 20, /* objects up to this size are checked inline */
    BN_CHECK_FREED = -2,     /* in the shadow: memory that was freed */
};

/* Called before main by a constructor of each unit compiled with -fcheck */
void bn_check_register(void);

/* ---- The place in the source of the library call that the thread is in; file is null outside of such calls ---- */

struct bn_check_place {
    const char *file;
    int line;
};
extern BN_PER_THREAD struct bn_check_place bn_check_here;

/*
 * f(x) is emitted as
 *     ({ struct bn_check_place outer __attribute__((cleanup(bn_check_leave))) = bn_check_enter(file, line); f(x); })
 */
BN_INLINE struct bn_check_place bn_check_enter(const char *file, int line)
{
    struct bn_check_place outer = bn_check_here;
    bn_check_here.file = file;
    bn_check_here.line = line;
    return outer;
}

BN_INLINE void bn_check_leave(const struct bn_check_place *outer)
{
    bn_check_here = *outer;
}

void bn_check_notify(const char *file, int line);
void bn_check_notify_value(int value, const char *file, int line);
void bn_check_wait(const char *file, int line);
void bn_check_wait_value(int value, const char *file, int line);
void bn_check_barrier(const char *file, int line);
void bn_check_barrier_value(int value, const char *file, int line);

/* ---- Called when an inline check has failed; they return if a closer look finds that the access is valid ---- */

#define BN_COLD __attribute__((cold, noinline))

BN_COLD void bn_check_bad_address(bn_u64 addr, bn_u64 bytes, const char *file, int line);
BN_COLD void bn_check_bad_pointer(bn_pts_t p, bn_u64 bytes, const char *file, int line);
BN_COLD void bn_check_bad_local(bn_pts_t p, const char *file, int line);
BN_COLD __attribute__((noreturn)) void bn_check_null(const char *file, int line);
BN_COLD __attribute__((noreturn)) void bn_check_bad_index(bn_i64 index, bn_u64 count, const char *array,
                                                          const char *file, int line);
BN_COLD __attribute__((noreturn)) void bn_check_bad_phase(bn_pts_t p, bn_u64 block, const char *file, int line);
BN_COLD __attribute__((noreturn)) void bn_check_bad_difference(bn_pts_t p, bn_pts_t q, const char *file, int line);

#undef BN_COLD

/* Whether the bytes at an offset in the window belong to live objects.  Also false where this cannot be decided
 * inline. */
BN_INLINE int bn_check_is_live(bn_u64 offset, bn_u64 bytes)
{
    const signed char *first;
    if (offset >= bn_check_map.window_bytes || bytes > BN_CHECK_NEAR)
        return 0;
    first = bn_check_map.shadow + (offset >> BN_CHECK_GRANULE_SHIFT);
    if (bytes <= BN_CHECK_GRANULE)
        return *first >= (bn_i64)((offset & (BN_CHECK_GRANULE - 1)) + bytes);
    offset += bytes - 1;
    return *first == BN_CHECK_GRANULE &&
           bn_check_map.shadow[offset >> BN_CHECK_GRANULE_SHIFT] > (bn_i64)(offset & (BN_CHECK_GRANULE - 1));
}

/* Checks the window address of an object before it is read or written */
BN_INLINE bn_u64 bn_check_address(bn_u64 addr, bn_u64 bytes, const char *file, int line)
{
    if (__builtin_expect(!bn_check_is_live(addr - bn_check_map.window_base, bytes), 0))
        bn_check_bad_address(addr, bytes, file, line);
    return addr;
}

/* The same for the target of a pointer-to-shared */
BN_INLINE bn_u64 bn_check_pointer(bn_pts_t p, bn_u64 bytes, const char *file, int line)
{
    bn_u64 offset = p.addr - bn_check_map.window_base;
    if (__builtin_expect(!bn_check_is_live(offset, bytes) || offset >> BN_STRIDE_SHIFT != p.thread, 0))
        bn_check_bad_pointer(p, bytes, file, line);
    return p.addr;
}

/* Checks a pointer-to-shared p before p[i] is read or written */
BN_INLINE bn_pts_t bn_check_base(bn_pts_t p, const char *file, int line)
{
    if (__builtin_expect(p.addr == 0, 0))
        bn_check_null(file, line);
    return p;
}

/* Checks an index before an element of an array of count elements is read or written */
BN_INLINE bn_i64 bn_check_index(bn_i64 index, bn_u64 count, const char *array, const char *file, int line)
{
    if (__builtin_expect((bn_u64)index >= count, 0))
        bn_check_bad_index(index, count, array, file, line);
    return index;
}

/* Checks a pointer-to-shared that is cast to a pointer-to-local; returns its address */
BN_INLINE bn_u64 bn_check_local(bn_pts_t p, const char *file, int line)
{
    bn_u64 offset = p.addr - bn_check_map.window_base;
    if (p.addr != 0 && __builtin_expect(p.thread != (bn_u32)bn_mythread() || offset >= bn_check_map.window_bytes ||
                                            bn_check_map.shadow[offset >> BN_CHECK_GRANULE_SHIFT] == BN_CHECK_FREED,
                                        0))
        bn_check_bad_local(p, file, line);
    return p.addr;
}

/* Checks a shared void * that is converted to a pointer with a block size above 1 */
BN_INLINE bn_pts_t bn_check_phase(bn_pts_t p, bn_u64 block, const char *file, int line)
{
    if (__builtin_expect(p.phase >= block, 0))
        bn_check_bad_phase(p, block, file, line);
    return p;
}

/* p - q, and comparisons of p and q: they must be a whole number of elements apart, and on one thread if the layout is
 * indefinite */
BN_INLINE bn_i64 bn_check_diff_indef(bn_pts_t p, bn_pts_t q, bn_u64 elem, const char *file, int line)
{
    if (__builtin_expect(p.thread != q.thread || (bn_i64)(p.addr - q.addr) % (bn_i64)elem != 0, 0))
        bn_check_bad_difference(p, q, file, line);
    return bn_diff_indef(p, q, elem);
}

BN_INLINE void bn_check_same_places(bn_pts_t p, bn_pts_t q, bn_u64 elem, const char *file, int line)
{
    bn_u64 threads = (bn_u64)p.thread - (bn_u64)q.thread;
    if (__builtin_expect((bn_i64)(p.addr - q.addr - bn_stride(threads)) % (bn_i64)elem != 0, 0))
        bn_check_bad_difference(p, q, file, line);
}

BN_INLINE bn_i64 bn_check_diff_cyclic(bn_pts_t p, bn_pts_t q, bn_u64 elem, const char *file, int line)
{
    bn_check_same_places(p, q, elem, file, line);
    return bn_diff_cyclic(p, q, elem);
}

BN_INLINE bn_i64 bn_check_diff_block(bn_pts_t p, bn_pts_t q, bn_u64 block, bn_u64 elem, const char *file, int line)
{
    bn_check_same_places(p, q, elem, file, line);
    return bn_diff_block(p, q, block, elem);
}

#undef BN_INLINE

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
