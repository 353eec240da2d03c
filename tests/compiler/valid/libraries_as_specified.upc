// Facts 2.1 to 2.9: every function, type and constant of the libraries is there and has the type that programs rely
// on: each declaration here is a second one, which must agree with that of the header.
#include <upc.h>
#include <upc_atomic.h>
#include <upc_castable.h>
#include <upc_collective.h>
#include <upc_nb.h>
#include <upc_tick.h>
#include <upc_types.h>

#include <bupc_collectivev.h>
#include <bupc_extern.h>
#include <bupc_tentative.h>
#include <pupc.h>

/* ---- upc_types.h: usable in #if, distinct, and combinable where they are bits ---- */

#define OPS (UPC_ADD | UPC_MULT | UPC_AND | UPC_OR | UPC_XOR | UPC_LOGAND | UPC_LOGOR | UPC_MIN | UPC_MAX)
#if OPS != UPC_ADD + UPC_MULT + UPC_AND + UPC_OR + UPC_XOR + UPC_LOGAND + UPC_LOGOR + UPC_MIN + UPC_MAX || OPS >= 65536
#error "operations"
#endif
#define MORE_OPS (UPC_FUNC | UPC_NONCOMM_FUNC | UPC_GET | UPC_SET | UPC_CSWAP | UPC_SUB | UPC_INC | UPC_DEC)
#if (OPS & MORE_OPS) || \
    MORE_OPS != UPC_FUNC + UPC_NONCOMM_FUNC + UPC_GET + UPC_SET + UPC_CSWAP + UPC_SUB + UPC_INC + UPC_DEC
#error "more operations"
#endif
#define IN (UPC_IN_ALLSYNC | UPC_IN_MYSYNC | UPC_IN_NOSYNC)
#define OUT (UPC_OUT_ALLSYNC | UPC_OUT_MYSYNC | UPC_OUT_NOSYNC)
#if (IN | OUT) != 63 || (IN & OUT)
#error "flags"
#endif
#if UPC_ATOMIC_HINT_DEFAULT != 0 || UPC_ATOMIC_HINT_LATENCY == UPC_ATOMIC_HINT_THROUGHPUT || \
    UPC_ATMOIC_HINT_THROUGHPUT != UPC_ATOMIC_HINT_THROUGHPUT
#error "hints"
#endif
#if (UPC_CASTABLE_ALL_ALLOC | UPC_CASTABLE_GLOBAL_ALLOC | UPC_CASTABLE_ALLOC | UPC_CASTABLE_STATIC) & ~UPC_CASTABLE_ALL
#error "castable"
#endif
#if BUPC_COLLECTIVEV_VERSION_MAJOR != 1 || BUPC_COLLECTIVEV_VERSION_MINOR < 2
#error "others"
#endif
#if !__UPC_COLLECTIVE__ || !__UPC_TICK__ || !__UPC_ATOMIC__ || !__UPC_CASTABLE__ || !__UPC_NB__
#error "feature macros"
#endif

static int type_code(upc_type_t type)
{
    switch (type) { /* twice the same value is an error */
    case UPC_CHAR: case UPC_UCHAR: case UPC_SHORT: case UPC_USHORT: case UPC_INT: case UPC_UINT: case UPC_LONG:
    case UPC_ULONG: case UPC_LLONG: case UPC_ULLONG: case UPC_INT8: case UPC_UINT8: case UPC_INT16: case UPC_UINT16:
    case UPC_INT32: case UPC_UINT32: case UPC_INT64: case UPC_UINT64: case UPC_FLOAT: case UPC_DOUBLE: case UPC_LDOUBLE:
    case UPC_PTS:
        return 1;
    }
    return 0;
}

/* ---- upc.h ---- */

void upc_global_exit(int status);
shared void *upc_global_alloc(size_t nblocks, size_t nbytes);
shared void *upc_all_alloc(size_t nblocks, size_t nbytes);
shared void *upc_alloc(size_t nbytes);
shared void *upc_local_alloc(size_t nblocks, size_t nbytes);
void upc_free(shared void *ptr);
void upc_all_free(shared void *ptr);
shared void *upc_resetphase(shared void *ptr);
size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid);
upc_lock_t *upc_global_lock_alloc(void);
upc_lock_t *upc_all_lock_alloc(void);
void upc_lock_free(upc_lock_t *ptr);
void upc_all_lock_free(upc_lock_t *ptr);
void upc_lock(upc_lock_t *ptr);
int upc_lock_attempt(upc_lock_t *ptr);
void upc_unlock(upc_lock_t *ptr);
void upc_memcpy(shared void *restrict dst, shared const void *restrict src, size_t n);
void upc_memget(void *restrict dst, shared const void *restrict src, size_t n);
void upc_memput(shared void *restrict dst, const void *restrict src, size_t n);
void upc_memset(shared void *dst, int c, size_t n);
void upc_poll(void);

/* Without const in the specification: these take pointers to const as well. */
static size_t queries(shared const int *p, shared [3] volatile int *q, shared void *r)
{
    return upc_threadof(p) + upc_phaseof(p) + upc_addrfield(p) + upc_threadof(q) + upc_phaseof(q) + upc_addrfield(q) +
           upc_threadof(r) + upc_phaseof(r) + upc_addrfield(r) + upc_threadof(NULL) + upc_phaseof(0);
}

/* ---- upc_collective.h ---- */

void upc_all_broadcast(shared void *restrict dst, shared const void *restrict src, size_t nbytes, upc_flag_t flags);
void upc_all_scatter(shared void *restrict dst, shared const void *restrict src, size_t nbytes, upc_flag_t flags);
void upc_all_gather(shared void *restrict dst, shared const void *restrict src, size_t nbytes, upc_flag_t flags);
void upc_all_gather_all(shared void *restrict dst, shared const void *restrict src, size_t nbytes, upc_flag_t flags);
void upc_all_exchange(shared void *restrict dst, shared const void *restrict src, size_t nbytes, upc_flag_t flags);
void upc_all_permute(shared void *restrict dst, shared const void *restrict src, shared const int *restrict perm,
                     size_t nbytes, upc_flag_t flags);
void upc_all_sort(shared void *A, size_t elem_size, size_t nelems, size_t blk_size,
                  int (*func)(shared void *, shared void *), upc_flag_t flags);

#define REDUCTION(NAME, T)                                                                                            \
    void NAME(shared void *restrict dst, shared const void *restrict src, upc_op_t op, size_t nelems, size_t blk_size, \
              T (*func)(T, T), upc_flag_t flags);
#define REDUCTIONS(X, T)                    \
    REDUCTION(upc_all_reduce##X, T)         \
    REDUCTION(upc_all_prefix_reduce##X, T)  \
    REDUCTION(bupc_all_reduce_all##X, T)
REDUCTIONS(C, signed char)
REDUCTIONS(UC, unsigned char)
REDUCTIONS(S, signed short)
REDUCTIONS(US, unsigned short)
REDUCTIONS(I, signed int)
REDUCTIONS(UI, unsigned int)
REDUCTIONS(L, signed long)
REDUCTIONS(UL, unsigned long)
REDUCTIONS(F, float)
REDUCTIONS(D, double)
REDUCTIONS(LD, long double)

/* ---- upc_tick.h, upc_castable.h ---- */

upc_tick_t upc_ticks_now(void);
uint64_t upc_ticks_to_ns(upc_tick_t ticks);
void *upc_cast(const shared void *ptr);
upc_thread_info_t upc_thread_info(size_t threadId);

static int info(upc_thread_info_t i)
{
    return i.guaranteedCastable + i.probablyCastable + (UPC_TICK_MIN < UPC_TICK_MAX);
}

/* ---- upc_nb.h, whose declarations give way to those of a program: pointers to the functions in place of them ---- */

#define IS(RESULT, NAME, PARAMETERS) static RESULT(*const is_##NAME) PARAMETERS = NAME;

IS(upc_handle_t, upc_memcpy_nb, (shared void *restrict dst, shared const void *restrict src, size_t n))
IS(upc_handle_t, upc_memget_nb, (void *restrict dst, shared const void *restrict src, size_t n))
IS(upc_handle_t, upc_memput_nb, (shared void *restrict dst, const void *restrict src, size_t n))
IS(upc_handle_t, upc_memset_nb, (shared void *dst, int c, size_t n))
IS(void, upc_memcpy_nbi, (shared void *restrict dst, shared const void *restrict src, size_t n))
IS(void, upc_memget_nbi, (void *restrict dst, shared const void *restrict src, size_t n))
IS(void, upc_memput_nbi, (shared void *restrict dst, const void *restrict src, size_t n))
IS(void, upc_memset_nbi, (shared void *dst, int c, size_t n))
IS(int, upc_sync_attempt, (upc_handle_t h))
IS(void, upc_sync, (upc_handle_t h))
IS(int, upc_synci_attempt, (void))
IS(void, upc_synci, (void))

/* ---- upc_atomic.h ---- */

upc_atomicdomain_t *upc_all_atomicdomain_alloc(upc_type_t type, upc_op_t ops, upc_atomichint_t hints);
void upc_all_atomicdomain_free(upc_atomicdomain_t *ptr);
void upc_atomic_strict(upc_atomicdomain_t *domain, void *restrict fetch_ptr, upc_op_t op, shared void *restrict target,
                       const void *restrict operand1, const void *restrict operand2);
void upc_atomic_relaxed(upc_atomicdomain_t *domain, void *restrict fetch_ptr, upc_op_t op, shared void *restrict target,
                        const void *restrict operand1, const void *restrict operand2);
int upc_atomic_isfast(upc_type_t type, upc_op_t ops, shared void *addr);

/* ---- bupc_extern.h, bupc_tentative.h ---- */

void bupc_init(int *argc, char ***argv);
void bupc_init_reentrant(int *argc, char ***argv, int (*pmain_func)(int, char **));
void bupc_exit(int exitcode);
int bupc_extern_mythread(void);
int bupc_extern_threads(void);
char *bupc_extern_getenv(const char *env_name);
void bupc_extern_notify(int barrier_id);
void bupc_extern_wait(int barrier_id);
void bupc_extern_barrier(int barrier_id);
void *bupc_extern_alloc(size_t bytes);
void *bupc_extern_all_alloc(size_t nblocks, size_t blocksz);
void bupc_extern_free(void *ptr, int thread);
void bupc_extern_all_free(void *ptr, int thread);
extern int (*bupc_tentative_mythread)(void);

/* ---- What are macros ---- */

static double macros(void)
{
    double one = 1, all[THREADS];
    unsigned event = pupc_create_event("name", "description");
    pupc_event_start(event, 1, 2);
    pupc_event_end(event, 1, 2);
    pupc_event_atomic(event);
    if (pupc_control(1))
        return 0;
    one = bupc_allv_broadcast(double, one, 0);
    bupc_allv_gather(double, one, 0, all);
    bupc_allv_gather_all(double, one, all);
    one += bupc_allv_scatter(double, 0, all) + bupc_allv_permute(double, one, MYTHREAD);
    one += bupc_allv_reduce(double, one, 0, UPC_ADD) + bupc_allv_reduce_all(double, one, UPC_ADD);
    return one + bupc_allv_prefix_reduce(double, one, UPC_MAX);
}

int main(void)
{
    return (int)(queries(0, 0, 0) + (size_t)info(upc_thread_info(0)) + (size_t)macros()) + type_code(UPC_PTS) +
           (UPC_COMPLETE_HANDLE == 0) + (bupc_tentative_mythread == 0);
}
