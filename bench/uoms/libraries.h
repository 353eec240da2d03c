/*
 * libraries.h: which optional libraries this compiler has.  X_MISSING is null, or the reason why benchmarks that need X
 * cannot run; they are listed all the same.
 */
#ifndef UOMS_LIBRARIES_H
#define UOMS_LIBRARIES_H

#include <stddef.h>

#if defined(__UPC_NB__)
#define NB_MISSING NULL
#else
#define NB_MISSING "this compiler has no upc_nb.h"
#endif

#if defined(__UPC_ATOMIC__)
#define ATOMIC_MISSING NULL
#else
#define ATOMIC_MISSING "this compiler has no upc_atomic.h"
#endif

#if defined(__UPC_TICK__)
#define TICKS_MISSING NULL
#else
#define TICKS_MISSING "this compiler has no upc_tick.h"
#endif

/* Without it, memcpy_all copies the thread's own data. */
#if defined(__UPC_CASTABLE__)
#define HAS_CASTABLE 1
#endif

#if defined(__UPC_VERSION__) && __UPC_VERSION__ >= 201311L
#define HAS_ALL_FREE 1
#define ALL_FREE_MISSING NULL
#else
#define ALL_FREE_MISSING "this compiler has no upc_all_free"
#endif

/*
 * Berkeley UPC's extensions from before UPC 1.3; upc.h declares them there, other compilers have headers of their own.
 * UOMS_NO_EXTENSIONS simulates a compiler that has nothing beyond UPC 1.3.
 */
#if defined(__BERKELEY_UPC_RUNTIME__)
#define HAS_ASYNC 1
#define HAS_REDUCE_ALL 1
#elif defined(__has_include) && !defined(UOMS_NO_EXTENSIONS)
#if __has_include(<bupc_copy.h>)
#define HAS_ASYNC 1
#define NEEDS_BUPC_COPY_H 1
#endif
#if __has_include(<bupc_reduce.h>)
#define HAS_REDUCE_ALL 1
#define NEEDS_BUPC_REDUCE_H 1
#endif
/* Banyan can list the algorithms of its collectives, and can be told which to use. */
#if __has_include(<banyan/coll.h>)
#define HAS_BANYAN_COLL 1
#endif
#endif

#if defined(HAS_ASYNC)
#define ASYNC_MISSING NULL
#else
#define ASYNC_MISSING "this compiler has no bupc_memget_async"
#endif

#if defined(HAS_REDUCE_ALL)
#define REDUCE_ALL_MISSING NULL
#else
#define REDUCE_ALL_MISSING "this compiler has no bupc_all_reduce_all"
#endif

#endif
