# 0 "/tmp/loops3/t1.upc"
# 0 "<built-in>"
# 0 "<command-line>"
# 1 "/usr/include/stdc-predef.h" 1 3 4
# 0 "<command-line>" 2
# 1 "/tmp/loops3/tree/include/banyan/access.h" 1 3 4
# 21 "/tmp/loops3/tree/include/banyan/access.h" 3 4
       
# 22 "/tmp/loops3/tree/include/banyan/access.h" 3
# 42 "/tmp/loops3/tree/include/banyan/access.h" 3
#pragma GCC visibility push(default)


# 44 "/tmp/loops3/tree/include/banyan/access.h" 3
typedef long unsigned int bn_u64;
typedef long int bn_i64;
typedef unsigned int bn_u32;


typedef struct bn_pts {
    bn_u64 addr;
    bn_u32 thread;
    bn_u32 phase;
} bn_pts_t;





typedef struct bn_shared_mem *bn_shared_t;

enum {
    BN_STRIDE_SHIFT = 36,
    BN_SKEW_SHIFT = 21,
};


struct bn_self {
    int mythread;
    int threads;
    bn_u64 threads_reciprocal;
    bn_u64 window_base;
    bn_u64 my_segment;
};
extern const struct bn_self bn_self;


struct bn_image {
    const void *data;
    bn_u64 bytes;
    bn_u64 first;
    bn_u64 room;
    bn_u64 times_threads;
};





struct bn_static {
    bn_shared_t *handle;
    const char *name;
    bn_u64 local_bytes;
    bn_u64 align;
    bn_u64 elem_bytes;
    bn_u64 block_elems;
    const struct bn_image *images;
    bn_u64 image_count;
    void *const *places;
    void (*compute)(void *const *places);
};


struct bn_unit {
    bn_u32 abi;
    int static_threads;
    const char *source;
    struct bn_static *const *statics;
    struct bn_static *const *statics_end;
    struct bn_unit *next;
};
enum { BN_ABI = 2 };
void bn_unit_register(struct bn_unit *unit);
# 121 "/tmp/loops3/tree/include/banyan/access.h" 3
static __inline__ __attribute__((always_inline, unused)) bn_u64 bn_stride(bn_u64 threads)
{
    return (threads << BN_STRIDE_SHIFT) + (threads << BN_SKEW_SHIFT);
}

static __inline__ __attribute__((always_inline, unused)) int bn_mythread(void)
{
    return bn_self.mythread;
}
# 142 "/tmp/loops3/tree/include/banyan/access.h" 3
static __inline__ __attribute__((always_inline, unused)) int bn_threads(void)
{
    return bn_self.threads;
}






static __inline__ __attribute__((always_inline, unused)) bn_u64 bn_div_threads(bn_u64 n)
{
    return (bn_u64)(((unsigned __int128)bn_self.threads_reciprocal * (n + 1)) >> 64);
}



static __inline__ __attribute__((always_inline, unused)) bn_i64 bn_floor_threads(bn_i64 n)
{
    return n >= 0 ? (bn_i64)bn_div_threads((bn_u64)n) : ~(bn_i64)bn_div_threads((bn_u64)~n);
}

static __inline__ __attribute__((always_inline, unused)) bn_i64 bn_floor_block(bn_i64 n, bn_u64 block)
{
    return n >= 0 ? (bn_i64)((bn_u64)n / block) : ~(bn_i64)((bn_u64)~n / block);
}



static __inline__ __attribute__((always_inline, unused)) bn_u64 bn_elem_indef(bn_shared_t a, bn_u64 i, bn_u64 elem)
{
    return (bn_u64)a + i * elem;
}

static __inline__ __attribute__((always_inline, unused)) bn_u64 bn_elem_cyclic(bn_shared_t a, bn_u64 i, bn_u64 elem)
{
    bn_u64 row = bn_div_threads(i);
    bn_u64 thread = i - row * (bn_u64)bn_threads();
    return (bn_u64)a + bn_stride(thread) + row * elem;
}

static __inline__ __attribute__((always_inline, unused)) bn_u64 bn_elem_block(bn_shared_t a, bn_u64 i, bn_u64 block, bn_u64 elem)
{
    bn_u64 nth = i / block;
    bn_u64 phase = i - nth * block;
    bn_u64 row = bn_div_threads(nth);
    bn_u64 thread = nth - row * (bn_u64)bn_threads();
    return (bn_u64)a + bn_stride(thread) + (row * block + phase) * elem;
}


static __inline__ __attribute__((always_inline, unused)) int bn_owner_cyclic(bn_u64 i)
{
    return (int)(i - bn_div_threads(i) * (bn_u64)bn_threads());
}

static __inline__ __attribute__((always_inline, unused)) int bn_owner_block(bn_u64 i, bn_u64 block)
{
    return bn_owner_cyclic(i / block);
}



static __inline__ __attribute__((always_inline, unused)) bn_pts_t bn_null(void)
{
    bn_pts_t p = {0, 0, 0};
    return p;
}


static __inline__ __attribute__((always_inline, unused)) bn_u32 bn_thread_of_address(bn_u64 addr)
{
    return (bn_u32)((addr - bn_self.window_base) >> BN_STRIDE_SHIFT);
}


static __inline__ __attribute__((always_inline, unused)) bn_pts_t bn_at(const volatile void *address)
{
    bn_pts_t p = {(bn_u64)address, bn_thread_of_address((bn_u64)address), 0};
    return p;
}


static __inline__ __attribute__((always_inline, unused)) bn_pts_t bn_start(bn_shared_t a)
{
    bn_pts_t p = {(bn_u64)a, 0, 0};
    return p;
}

static __inline__ __attribute__((always_inline, unused)) bn_pts_t bn_reset_phase(bn_pts_t p)
{
    p.phase = 0;
    return p;
}

static __inline__ __attribute__((always_inline, unused)) bn_u32 bn_pts_thread(bn_pts_t p)
{
    return p.thread;
}

static __inline__ __attribute__((always_inline, unused)) bn_u32 bn_pts_phase(bn_pts_t p)
{
    return p.phase;
}


static __inline__ __attribute__((always_inline, unused)) void *bn_local(bn_pts_t p)
{
    return (void *)p.addr;
}


static __inline__ __attribute__((always_inline, unused)) bn_pts_t bn_add_indef(bn_pts_t p, bn_i64 i, bn_u64 elem)
{
    p.addr += (bn_u64)i * elem;
    p.phase = 0;
    return p;
}

static __inline__ __attribute__((always_inline, unused)) bn_pts_t bn_add_cyclic(bn_pts_t p, bn_i64 i, bn_u64 elem)
{
    bn_i64 nth = (bn_i64)p.thread + i;
    bn_i64 row = bn_floor_threads(nth);
    bn_i64 thread = nth - row * bn_threads();
    bn_pts_t q = {p.addr + bn_stride((bn_u64)(thread - (bn_i64)p.thread)) + (bn_u64)row * elem, (bn_u32)thread, 0};
    return q;
}

static __inline__ __attribute__((always_inline, unused)) bn_pts_t bn_add_block(bn_pts_t p, bn_i64 i, bn_u64 block, bn_u64 elem)
{
    bn_i64 offset = (bn_i64)p.phase + i;
    bn_i64 blocks = bn_floor_block(offset, block);
    bn_i64 phase = offset - blocks * (bn_i64)block;
    bn_i64 nth = (bn_i64)p.thread + blocks;
    bn_i64 row = bn_floor_threads(nth);
    bn_i64 thread = nth - row * bn_threads();
    bn_i64 elems = phase - (bn_i64)p.phase + row * (bn_i64)block;
    bn_pts_t q = {p.addr + bn_stride((bn_u64)(thread - (bn_i64)p.thread)) + (bn_u64)elems * elem, (bn_u32)thread,
                  (bn_u32)phase};
    return q;
}


static __inline__ __attribute__((always_inline, unused)) bn_pts_t bn_ref_indef(bn_shared_t a, bn_i64 i, bn_u64 elem)
{
    return bn_add_indef(bn_start(a), i, elem);
}

static __inline__ __attribute__((always_inline, unused)) bn_pts_t bn_ref_cyclic(bn_shared_t a, bn_i64 i, bn_u64 elem)
{
    return bn_add_cyclic(bn_start(a), i, elem);
}

static __inline__ __attribute__((always_inline, unused)) bn_pts_t bn_ref_block(bn_shared_t a, bn_i64 i, bn_u64 block, bn_u64 elem)
{
    return bn_add_block(bn_start(a), i, block, elem);
}





static __inline__ __attribute__((always_inline, unused)) bn_i64 bn_whole(bn_i64 bytes, bn_u64 elem)
{
    return (elem & (elem - 1)) == 0 ? bytes >> __builtin_ctzll(elem) : bytes / (bn_i64)elem;
}


static __inline__ __attribute__((always_inline, unused)) bn_i64 bn_diff_indef(bn_pts_t p, bn_pts_t q, bn_u64 elem)
{
    return bn_whole((bn_i64)(p.addr - q.addr), elem);
}

static __inline__ __attribute__((always_inline, unused)) bn_i64 bn_diff_block(bn_pts_t p, bn_pts_t q, bn_u64 block, bn_u64 elem)
{
    bn_i64 threads = (bn_i64)p.thread - (bn_i64)q.thread;
    bn_i64 phases = (bn_i64)p.phase - (bn_i64)q.phase;
    bn_i64 elems = bn_whole((bn_i64)(p.addr - q.addr - bn_stride((bn_u64)threads)), elem);
    return (elems - phases) * bn_threads() + threads * (bn_i64)block + phases;
}

static __inline__ __attribute__((always_inline, unused)) bn_i64 bn_diff_cyclic(bn_pts_t p, bn_pts_t q, bn_u64 elem)
{
    bn_i64 threads = (bn_i64)p.thread - (bn_i64)q.thread;
    bn_i64 elems = bn_whole((bn_i64)(p.addr - q.addr - bn_stride((bn_u64)threads)), elem);
    return elems * bn_threads() + threads;
}


typedef bn_pts_t bn_packed_pts_t __attribute__((aligned(1)));


static __inline__ __attribute__((always_inline, unused)) bn_pts_t bn_exchange(volatile void *p, bn_pts_t q)
{
    bn_pts_t old = *(bn_packed_pts_t *)p;
    *(bn_packed_pts_t *)p = q;
    return old;
}



static __inline__ __attribute__((always_inline, unused)) void bn_fence(void)
{
    __atomic_thread_fence(5);
}

static __inline__ __attribute__((always_inline, unused)) void bn_before_strict_read(void)
{
    __atomic_thread_fence(5);
}

static __inline__ __attribute__((always_inline, unused)) void bn_after_strict_read(void)
{
    __atomic_thread_fence(2);
}

static __inline__ __attribute__((always_inline, unused)) void bn_before_strict_write(void)
{
    __atomic_thread_fence(3);
}

static __inline__ __attribute__((always_inline, unused)) void bn_after_strict_write(void)
{
    __atomic_thread_fence(5);
}



void bn_notify(void);
void bn_notify_value(int value);
void bn_wait(void);
void bn_wait_value(int value);
void bn_barrier(void);
void bn_barrier_value(int value);
# 389 "/tmp/loops3/tree/include/banyan/access.h" 3
extern int bn_forall_depth;

static __inline__ __attribute__((always_inline, unused)) int bn_forall_enter(void)
{
    return bn_forall_depth++;
}

static __inline__ __attribute__((always_inline, unused)) void bn_forall_leave(const int *outer)
{
    bn_forall_depth = *outer;
}
# 410 "/tmp/loops3/tree/include/banyan/access.h" 3
static __inline__ __attribute__((always_inline, unused)) bn_i64 bn_first_cyclic(bn_i64 unit)
{
    bn_i64 ahead = bn_mythread() - (unit - bn_floor_threads(unit) * bn_threads());
    return unit + (ahead >= 0 ? ahead : ahead + bn_threads());
}

static __inline__ __attribute__((always_inline, unused)) bn_i64 bn_turns(bn_i64 index, bn_i64 end)
{
    return index < end ? (bn_i64)bn_div_threads((bn_u64)(end - 1 - index)) + 1 : 0;
}

static __inline__ __attribute__((always_inline, unused)) bn_i64 bn_first_block(bn_i64 unit, bn_u64 block)
{
    return bn_first_cyclic(bn_floor_block(unit, block));
}

static __inline__ __attribute__((always_inline, unused)) bn_i64 bn_last_block(bn_i64 unit, bn_u64 block)
{
    bn_i64 nth = bn_floor_block(unit, block);
    bn_i64 behind = nth - bn_floor_threads(nth) * bn_threads() - bn_mythread();
    return nth - (behind >= 0 ? behind : behind + bn_threads());
}

static __inline__ __attribute__((always_inline, unused)) bn_i64 bn_steps(bn_i64 from, bn_i64 end, bn_i64 step)
{
    return from < end ? (end - 1 - from) / step + 1 : 0;
}






struct bn_turns {
    bn_i64 first;
    bn_i64 period;
    bn_i64 rows;
};
struct bn_turns bn_own_turns(bn_i64 unit, bn_i64 stride);

static __inline__ __attribute__((always_inline, unused)) bn_u64 bn_own_block(bn_i64 block, bn_u64 elems, bn_u64 elem)
{
    return bn_stride((bn_u64)bn_mythread()) + (bn_u64)(bn_floor_threads(block) - block) * elems * elem;
}

static __inline__ __attribute__((always_inline, unused)) bn_i64 bn_min(bn_i64 a, bn_i64 b)
{
    return a < b ? a : b;
}

static __inline__ __attribute__((always_inline, unused)) bn_i64 bn_max(bn_i64 a, bn_i64 b)
{
    return a > b ? a : b;
}

static __inline__ __attribute__((always_inline, unused)) bn_i64 bn_next_step(bn_i64 start, bn_i64 least, bn_i64 step)
{
    return least <= start ? start : start + (least - start + step - 1) / step * step;
}

static __inline__ __attribute__((always_inline, unused)) int bn_here_int(bn_i64 affinity)
{
    return affinity - bn_floor_threads(affinity) * bn_threads() == bn_mythread();
}

static __inline__ __attribute__((always_inline, unused)) int bn_here_uint(bn_u64 affinity)
{
    return affinity % (bn_u64)bn_threads() == (bn_u64)bn_mythread();
}

static __inline__ __attribute__((always_inline, unused)) int bn_here_pts(bn_pts_t p)
{
    return p.thread == (bn_u32)bn_mythread();
}



#pragma GCC visibility pop
# 0 "<command-line>" 2
# 1 "/tmp/loops3/t1.upc"
# 1 "/tmp/loops3/tree/include/upc/upc_relaxed.h" 1 3 4

# 1 "/tmp/loops3/tree/include/upc/upc.h" 1 3 4
# 10 "/tmp/loops3/tree/include/upc/upc.h" 3 4
#pragma upc upc_code



# 1 "/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h" 1 3 4
# 145 "/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h" 3 4
typedef long int ptrdiff_t;
# 214 "/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h" 3 4
typedef long unsigned int size_t;
# 329 "/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h" 3 4
typedef int wchar_t;
# 424 "/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h" 3 4
typedef struct {
  long long __max_align_ll __attribute__((__aligned__(__alignof__(long long))));
  long double __max_align_ld __attribute__((__aligned__(__alignof__(long double))));
# 435 "/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h" 3 4
} max_align_t;
# 15 "/tmp/loops3/tree/include/upc/upc.h" 2 3 4
# 1 "/tmp/loops3/tree/include/upc/upc_types.h" 1 3 4
# 9 "/tmp/loops3/tree/include/upc/upc_types.h" 3 4
typedef unsigned long upc_op_t;
# 21 "/tmp/loops3/tree/include/upc/upc_types.h" 3 4
typedef int upc_type_t;
# 46 "/tmp/loops3/tree/include/upc/upc_types.h" 3 4
typedef int upc_flag_t;
# 16 "/tmp/loops3/tree/include/upc/upc.h" 2 3 4
# 24 "/tmp/loops3/tree/include/upc/upc.h" 3 4
void upc_global_exit(int status) __attribute__((__noreturn__));
# 37 "/tmp/loops3/tree/include/upc/upc.h" 3 4
shared void *upc_global_alloc(size_t nblocks, size_t nbytes);



shared void *upc_all_alloc(size_t nblocks, size_t nbytes);


shared void *upc_alloc(size_t nbytes);


shared void *upc_local_alloc(size_t nblocks, size_t nbytes);



void upc_free(shared void *ptr);


void upc_all_free(shared void *ptr);
# 64 "/tmp/loops3/tree/include/upc/upc.h" 3 4
extern __inline__ __attribute__((gnu_inline, always_inline)) size_t upc_threadof(shared const volatile void *ptr)
{
    return bn_pts_thread(ptr);
}

extern __inline__ __attribute__((gnu_inline, always_inline)) size_t upc_phaseof(shared const volatile void *ptr)
{
    return bn_pts_phase(ptr);
}



size_t upc_addrfield(shared const volatile void *ptr);


shared void *upc_resetphase(shared void *ptr);


size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid);







typedef shared struct upc_lock_struct upc_lock_t;


upc_lock_t *upc_global_lock_alloc(void);
upc_lock_t *upc_all_lock_alloc(void);



void upc_lock_free(upc_lock_t *ptr);
void upc_all_lock_free(upc_lock_t *ptr);


void upc_lock(upc_lock_t *ptr);


int upc_lock_attempt(upc_lock_t *ptr);


void upc_unlock(upc_lock_t *ptr);
# 119 "/tmp/loops3/tree/include/upc/upc.h" 3 4
void upc_memcpy(shared void *__restrict__ dst, shared const void *__restrict__ src, size_t n);
void upc_memget(void *__restrict__ dst, shared const void *__restrict__ src, size_t n);
void upc_memput(shared void *__restrict__ dst, const void *__restrict__ src, size_t n);
void upc_memset(shared void *dst, int c, size_t n);




void upc_poll(void);
# 3 "/tmp/loops3/tree/include/upc/upc_relaxed.h" 2 3 4
#pragma upc relaxed
# 2 "/tmp/loops3/t1.upc" 2

# 2 "/tmp/loops3/t1.upc"
shared int a[60*THREADS]; shared [3] int b[60*THREADS]; shared [5] int r[THREADS][5];
void g(int);
void f(int n, int k, long m) {
 int i;
 upc_forall (i = n-1; i >= 0; i--; &a[i]) a[i] = i;
 upc_forall (i = n-1; i > 0; i -= 2; &b[i]) b[i] = i;
 upc_forall (i = 0; i < n; i += k; &a[2*i+1]) a[2*i+1] = i;
 upc_forall (i = 0; i < n; i++; i*THREADS/n) g(i);
 upc_forall (unsigned u = n; u > 0; u--; &b[2*u]) b[2*u] = 1;
 upc_forall (short s = 0; s < n; s++; &r[k][s]) r[k][s] = 1;
 upc_forall (i = 0; i < n; i++; &b[n-1-i]) b[n-1-i] = i;
 upc_forall (i = 0; i < n; i++; k) g(i);
}
