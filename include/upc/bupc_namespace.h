/*
 * bupc_namespace.h: the names of <bupc.h> with upc_ instead of bupc_. Names to which UPC 1.3 gives another meaning keep
 * that meaning.  Functions and types are offered (bupc.h).  Constants, and what are macros in Berkeley UPC, exist only
 * if BUPC_USE_UPC_NAMESPACE is defined, which Berkeley UPC requires for all of them.
 */
#pragma upc upc_code
#ifndef BUPC_NAMESPACE_H
#define BUPC_NAMESPACE_H

/* Declares upc_NAME as another name of the function bupc_NAME */
#define BN_UPC_NAME(NAME) BN_UPC_NAME_OF(bupc_##NAME, upc_##NAME)
#define BN_UPC_NAME_OF(FUNCTION, NAME) __typeof__(FUNCTION) NAME __asm__(#FUNCTION);

#define BN_UPC_ATOMIC(OURS, UPC, RS)                                                                                   \
    BN_UPC_NAME_OF(OURS##_read_##RS, UPC##_read_##RS)                                                                  \
    BN_UPC_NAME_OF(OURS##_set_##RS, UPC##_set_##RS)                                                                    \
    BN_UPC_NAME_OF(OURS##_swap_##RS, UPC##_swap_##RS)                                                                  \
    BN_UPC_NAME_OF(OURS##_mswap_##RS, UPC##_mswap_##RS)                                                                \
    BN_UPC_NAME_OF(OURS##_cswap_##RS, UPC##_cswap_##RS)                                                                \
    BN_UPC_NAME_OF(OURS##_fetchadd_##RS, UPC##_fetchadd_##RS)                                                          \
    BN_UPC_NAME_OF(OURS##_fetchand_##RS, UPC##_fetchand_##RS)                                                          \
    BN_UPC_NAME_OF(OURS##_fetchor_##RS, UPC##_fetchor_##RS)                                                            \
    BN_UPC_NAME_OF(OURS##_fetchxor_##RS, UPC##_fetchxor_##RS)                                                          \
    BN_UPC_NAME_OF(OURS##_fetchnot_##RS, UPC##_fetchnot_##RS)

#define BN_UPC_ATOMICS(X)                                                                                              \
    BN_UPC_ATOMIC(bupc_atomic##X, upc_atomic##X, strict)                                                               \
    BN_UPC_ATOMIC(bupc_atomic##X, upc_atomic##X, relaxed)                                                              \
    BN_UPC_ATOMIC(bupc_atomic##X, upc_atomic##X, private)

#pragma banyan offer
/* ---- Semaphores ---- */
typedef bupc_sem_t upc_sem_t;
BN_UPC_NAME(sem_alloc)
BN_UPC_NAME(sem_free)
BN_UPC_NAME(sem_post)
BN_UPC_NAME(sem_postN)
BN_UPC_NAME(sem_wait)
BN_UPC_NAME(sem_waitN)
BN_UPC_NAME(sem_try)
BN_UPC_NAME(sem_tryN)
BN_UPC_NAME(memput_signal)
BN_UPC_NAME(memput_signal_async)

/* ---- Copies ---- */
BN_UPC_NAME(memcpy_async)
BN_UPC_NAME(memcpy_asynci)
BN_UPC_NAME(memget_async)
BN_UPC_NAME(memget_asynci)
BN_UPC_NAME(memput_async)
BN_UPC_NAME(memput_asynci)
BN_UPC_NAME(memset_async)
BN_UPC_NAME(memset_asynci)
BN_UPC_NAME(waitsync)
BN_UPC_NAME(trysync)
BN_UPC_NAME(waitsync_all)
BN_UPC_NAME(trysync_all)
BN_UPC_NAME(waitsync_some)
BN_UPC_NAME(trysync_some)
BN_UPC_NAME(waitsynci)
BN_UPC_NAME(trysynci)
BN_UPC_NAME(begin_accessregion)
BN_UPC_NAME(end_accessregion)
typedef bupc_smemvec_t upc_smemvec_t;
typedef bupc_pmemvec_t upc_pmemvec_t;
BN_UPC_NAME(memcpy_vlist)
BN_UPC_NAME(memcpy_vlist_async)
BN_UPC_NAME(memcpy_ilist)
BN_UPC_NAME(memcpy_ilist_async)
BN_UPC_NAME(memcpy_fstrided)
BN_UPC_NAME(memcpy_fstrided_async)
BN_UPC_NAME(memcpy_strided)
BN_UPC_NAME(memcpy_strided_async)
BN_UPC_NAME(memput_vlist)
BN_UPC_NAME(memput_vlist_async)
BN_UPC_NAME(memput_ilist)
BN_UPC_NAME(memput_ilist_async)
BN_UPC_NAME(memput_fstrided)
BN_UPC_NAME(memput_fstrided_async)
BN_UPC_NAME(memput_strided)
BN_UPC_NAME(memput_strided_async)
BN_UPC_NAME(memget_vlist)
BN_UPC_NAME(memget_vlist_async)
BN_UPC_NAME(memget_ilist)
BN_UPC_NAME(memget_ilist_async)
BN_UPC_NAME(memget_fstrided)
BN_UPC_NAME(memget_fstrided_async)
BN_UPC_NAME(memget_strided)
BN_UPC_NAME(memget_strided_async)

/* ---- Reductions ---- */
BN_UPC_NAME(all_reduce_allC)
BN_UPC_NAME(all_reduce_allUC)
BN_UPC_NAME(all_reduce_allS)
BN_UPC_NAME(all_reduce_allUS)
BN_UPC_NAME(all_reduce_allI)
BN_UPC_NAME(all_reduce_allUI)
BN_UPC_NAME(all_reduce_allL)
BN_UPC_NAME(all_reduce_allUL)
BN_UPC_NAME(all_reduce_allF)
BN_UPC_NAME(all_reduce_allD)
BN_UPC_NAME(all_reduce_allLD)

/* ---- Others ---- */
BN_UPC_NAME(tick_granularityus)
BN_UPC_NAME(tick_overheadus)
BN_UPC_NAME(ticks_to_us)
BN_UPC_NAME(castable)
BN_UPC_NAME(thread_castable)
BN_UPC_NAME(inverse_cast)
BN_UPC_NAME(local_to_shared)
BN_UPC_NAME(ptradd)
BN_UPC_NAME(dump_shared)
BN_UPC_NAME(thread_distance)
BN_UPC_NAME(getenv)

/* ---- Atomics ---- */
BN_UPC_ATOMICS(I)
BN_UPC_ATOMICS(UI)
BN_UPC_ATOMICS(L)
BN_UPC_ATOMICS(UL)
BN_UPC_ATOMICS(I64)
BN_UPC_ATOMICS(U64)
BN_UPC_ATOMICS(I32)
BN_UPC_ATOMICS(U32)
#pragma banyan end

#undef BN_UPC_NAME
#undef BN_UPC_NAME_OF
#undef BN_UPC_ATOMIC
#undef BN_UPC_ATOMICS

#endif

/* Also if this header was included before without BUPC_USE_UPC_NAMESPACE */
#if defined(BUPC_USE_UPC_NAMESPACE) && !defined(UPC_SEM_BOOLEAN)
#define UPC_SEM_BOOLEAN BUPC_SEM_BOOLEAN
#define UPC_SEM_INTEGER BUPC_SEM_INTEGER
#define UPC_SEM_SPRODUCER BUPC_SEM_SPRODUCER
#define UPC_SEM_MPRODUCER BUPC_SEM_MPRODUCER
#define UPC_SEM_SCONSUMER BUPC_SEM_SCONSUMER
#define UPC_SEM_MCONSUMER BUPC_SEM_MCONSUMER
#define UPC_SEM_MAXVALUE BUPC_SEM_MAXVALUE
#define UPC_THREADS_SAME BUPC_THREADS_SAME
#define UPC_THREADS_VERYNEAR BUPC_THREADS_VERYNEAR
#define UPC_THREADS_NEAR BUPC_THREADS_NEAR
#define UPC_THREADS_FAR BUPC_THREADS_FAR
#define UPC_THREADS_VERYFAR BUPC_THREADS_VERYFAR
#define upc_trace_printf bupc_trace_printf
#endif
