// Facts 3.1: what Berkeley UPC declares in <upc.h> is there with that header alone, under both of its names, and has the type that
// programs rely on.
#include <upc.h>

#if BUPC_THREADS_SAME != 0 || BUPC_THREADS_VERYNEAR != 100 || BUPC_THREADS_NEAR != 200 || BUPC_THREADS_FAR != 300 || \
    BUPC_THREADS_VERYFAR != 400
#error "distances"
#endif
#if BUPC_SEM_BOOLEAN != 1 || BUPC_SEM_INTEGER != 2 || BUPC_SEM_SPRODUCER != 4 || BUPC_SEM_MPRODUCER != 8 || \
    BUPC_SEM_SCONSUMER != 16 || BUPC_SEM_MCONSUMER != 32 || BUPC_SEM_MAXVALUE < 65535
#error "semaphores"
#endif
#if BUPC_DUMP_MIN_LENGTH > 100 || UPC_DUMP_MIN_LENGTH != BUPC_DUMP_MIN_LENGTH || BUPC_TICK_MAX < 1000000
#error "others"
#endif

typedef __INT64_TYPE__ i64;
typedef __UINT64_TYPE__ u64;
typedef __INT32_TYPE__ i32;
typedef __UINT32_TYPE__ u32;

#define IS(RESULT, NAME, PARAMETERS) static RESULT(*const is_##NAME) PARAMETERS = NAME;
#define BOTH(RESULT, NAME, PARAMETERS) IS(RESULT, bupc_##NAME, PARAMETERS) IS(RESULT, upc_##NAME, PARAMETERS)

/* ---- bupc.h ---- */

IS(bupc_tick_t, bupc_ticks_now, (void))
BOTH(u64, ticks_to_us, (bupc_tick_t ticks))
IS(u64, bupc_ticks_to_ns, (bupc_tick_t ticks))
BOTH(double, tick_granularityus, (void))
BOTH(double, tick_overheadus, (void))
IS(double, bupc_ticks_granularityus, (void))
IS(double, bupc_ticks_overheadus, (void))
IS(void, bupc_poll, (void))
BOTH(int, thread_castable, (unsigned thread))
IS(void *, bupc_cast, (shared const void *p))
BOTH(shared void *, inverse_cast, (void *p))
BOTH(shared void *, local_to_shared, (void *p, int thread, int phase))
BOTH(unsigned int, thread_distance, (int a, int b))
IS(int, bupc_dump_shared, (shared const void *p, char *buf, int maxlen))
IS(int, upc_dump_shared, (shared const void *p, char *buf, int maxlen))
BOTH(shared void *, ptradd, (shared void *p, size_t blockelems, size_t elemsz, ptrdiff_t incr))
BOTH(char *, getenv, (const char *name))
IS(void, bupc_all_free, (shared void *p))
IS(void, bupc_all_lock_free, (upc_lock_t *p))

IS(void, bupc_trace_setmask, (const char *mask))
IS(const char *, bupc_trace_getmask, (void))
IS(void, bupc_trace_settracelocal, (int on))
IS(int, bupc_trace_gettracelocal, (void))
IS(void, bupc_stats_setmask, (const char *mask))
IS(const char *, bupc_stats_getmask, (void))
BOTH(int, castable, (shared const void *p))

/* bupc_copy.h; its handles are those of upc_nb.h. */
#define TRANSFERS(SUFFIX, RESULT)                                                        \
    BOTH(RESULT, memcpy_##SUFFIX, (shared void *dst, shared const void *src, size_t n))     \
    BOTH(RESULT, memget_##SUFFIX, (void *dst, shared const void *src, size_t n))            \
    BOTH(RESULT, memput_##SUFFIX, (shared void *dst, const void *src, size_t n))            \
    BOTH(RESULT, memset_##SUFFIX, (shared void *dst, int c, size_t n))
TRANSFERS(async, upc_handle_t)
TRANSFERS(asynci, void)
BOTH(void, waitsync, (bupc_handle_t h))
BOTH(int, trysync, (bupc_handle_t h))
BOTH(void, waitsync_all, (bupc_handle_t *ph, size_t n))
BOTH(int, trysync_all, (bupc_handle_t *ph, size_t n))
BOTH(void, waitsync_some, (bupc_handle_t *ph, size_t n))
BOTH(int, trysync_some, (bupc_handle_t *ph, size_t n))
BOTH(void, waitsynci, (void))
BOTH(int, trysynci, (void))
BOTH(void, begin_accessregion, (void))
BOTH(bupc_handle_t, end_accessregion, (void))

#define PIECES(RESULT, ASYNC)                                                                                          \
    BOTH(RESULT, memcpy_vlist##ASYNC, (size_t, bupc_smemvec_t const[], size_t, bupc_smemvec_t const[]))                   \
    BOTH(RESULT, memput_vlist##ASYNC, (size_t, bupc_smemvec_t const[], size_t, bupc_pmemvec_t const[]))                   \
    BOTH(RESULT, memget_vlist##ASYNC, (size_t, bupc_pmemvec_t const[], size_t, bupc_smemvec_t const[]))                   \
    BOTH(RESULT, memcpy_ilist##ASYNC, (size_t, shared void *const[], size_t, size_t, shared const void *const[], size_t))  \
    BOTH(RESULT, memput_ilist##ASYNC, (size_t, shared void *const[], size_t, size_t, const void *const[], size_t))        \
    BOTH(RESULT, memget_ilist##ASYNC, (size_t, void *const[], size_t, size_t, shared const void *const[], size_t))        \
    BOTH(RESULT, memcpy_fstrided##ASYNC, (shared void *, size_t, size_t, size_t, shared const void *, size_t, size_t,     \
                                       size_t))                                                                        \
    BOTH(RESULT, memput_fstrided##ASYNC, (shared void *, size_t, size_t, size_t, const void *, size_t, size_t, size_t))   \
    BOTH(RESULT, memget_fstrided##ASYNC, (void *, size_t, size_t, size_t, shared const void *, size_t, size_t, size_t))   \
    BOTH(RESULT, memcpy_strided##ASYNC, (shared void *, const size_t[], shared const void *, const size_t[],              \
                                      const size_t[], size_t))                                                         \
    BOTH(RESULT, memput_strided##ASYNC, (shared void *, const size_t[], const void *, const size_t[], const size_t[],     \
                                      size_t))                                                                         \
    BOTH(RESULT, memget_strided##ASYNC, (void *, const size_t[], shared const void *, const size_t[], const size_t[],     \
                                      size_t))
PIECES(void, )
PIECES(bupc_handle_t, _async)

#define ATOMICS(X, T, RS, POINTER)                                \
    BOTH(T, atomic##X##_read_##RS, (POINTER p))                      \
    BOTH(void, atomic##X##_set_##RS, (POINTER p, T v))               \
    BOTH(T, atomic##X##_swap_##RS, (POINTER p, T v))                 \
    BOTH(T, atomic##X##_mswap_##RS, (POINTER p, T mask, T v))        \
    BOTH(T, atomic##X##_cswap_##RS, (POINTER p, T oldv, T newv))     \
    BOTH(T, atomic##X##_fetchadd_##RS, (POINTER p, T v))             \
    BOTH(T, atomic##X##_fetchand_##RS, (POINTER p, T v))             \
    BOTH(T, atomic##X##_fetchor_##RS, (POINTER p, T v))              \
    BOTH(T, atomic##X##_fetchxor_##RS, (POINTER p, T v))             \
    BOTH(T, atomic##X##_fetchnot_##RS, (POINTER p))
#define ATOMICS_OF(X, T)                       \
    ATOMICS(X, T, strict, shared void *)       \
    ATOMICS(X, T, relaxed, shared void *)      \
    ATOMICS(X, T, private, void *)
ATOMICS_OF(I, int)
ATOMICS_OF(UI, unsigned int)
ATOMICS_OF(L, long)
ATOMICS_OF(UL, unsigned long)
ATOMICS_OF(I64, i64)
ATOMICS_OF(U64, u64)
ATOMICS_OF(I32, i32)
ATOMICS_OF(U32, u32)

BOTH(bupc_sem_t *, sem_alloc, (int flags))
BOTH(void, sem_free, (bupc_sem_t *s))
BOTH(void, sem_post, (bupc_sem_t *s))
BOTH(void, sem_postN, (bupc_sem_t *s, size_t n))
BOTH(void, sem_wait, (bupc_sem_t *s))
BOTH(void, sem_waitN, (bupc_sem_t *s, size_t n))
BOTH(int, sem_try, (bupc_sem_t *s))
BOTH(int, sem_tryN, (bupc_sem_t *s, size_t n))
BOTH(void, memput_signal, (shared void *dst, const void *src, size_t nbytes, bupc_sem_t *s, size_t n))
BOTH(void, memput_signal_async, (shared void *dst, const void *src, size_t nbytes, bupc_sem_t *s, size_t n))


#define REDUCTION(X, T)                                                                                              \
    BOTH(void, all_reduce_all##X,                                                                                    \
         (shared void *dst, shared const void *src, upc_op_t op, size_t nelems, size_t blk_size, T (*func)(T, T),    \
          upc_flag_t flags))
REDUCTION(C, signed char)
REDUCTION(UC, unsigned char)
REDUCTION(S, signed short)
REDUCTION(US, unsigned short)
REDUCTION(I, signed int)
REDUCTION(UI, unsigned int)
REDUCTION(L, signed long)
REDUCTION(UL, unsigned long)
REDUCTION(F, float)
REDUCTION(D, double)
REDUCTION(LD, long double)

IS(int, pupc_control, (int on))
IS(unsigned int, pupc_create_event, (const char *name, const char *description))
IS(void, pupc_event_start, (unsigned int tag, ...))
IS(void, pupc_event_end, (unsigned int tag, ...))
IS(void, pupc_event_atomic, (unsigned int tag, ...))

/* ---- What are macros and types ---- */

int main(void)
{
    shared [3] int *p = bupc_ptradd(0, 3, sizeof(int), 0);
    upc_sem_t *semaphore = (bupc_sem_t *)0;
    upc_smemvec_t here = {p, 1};
    upc_pmemvec_t there = {0, 1};
    upc_handle_t handle = BUPC_COMPLETE_HANDLE;
    bupc_tick_t ticks = BUPC_TICK_MAX - BUPC_TICK_MIN;
    bupc_assert_type(here, bupc_smemvec_t);
    bupc_assert_type(there, bupc_pmemvec_t);
    bupc_assert_type(handle, bupc_handle_t);
    bupc_trace_printf(("%d\n", MYTHREAD));
    return semaphore != 0 || handle != UPC_COMPLETE_HANDLE || ticks == 0;
}
