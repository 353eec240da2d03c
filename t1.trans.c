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
bn_pts_t upc_global_alloc(size_t nblocks, size_t nbytes);



bn_pts_t upc_all_alloc(size_t nblocks, size_t nbytes);


bn_pts_t upc_alloc(size_t nbytes);


bn_pts_t upc_local_alloc(size_t nblocks, size_t nbytes);



void upc_free(bn_pts_t ptr);


void upc_all_free(bn_pts_t ptr);
# 64 "/tmp/loops3/tree/include/upc/upc.h" 3 4
__attribute__((gnu_inline, always_inline)) extern __inline__ size_t upc_threadof(bn_pts_t ptr)  
{
    return bn_pts_thread(ptr);
}

__attribute__((gnu_inline, always_inline)) extern __inline__ size_t upc_phaseof(bn_pts_t ptr)  
{
    return bn_pts_phase(ptr);
}



size_t upc_addrfield(bn_pts_t ptr);


bn_pts_t upc_resetphase(bn_pts_t ptr);


size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid);










bn_pts_t upc_global_lock_alloc(void);
bn_pts_t upc_all_lock_alloc(void);



void upc_lock_free(bn_pts_t ptr);
void upc_all_lock_free(bn_pts_t ptr);


void upc_lock(bn_pts_t ptr);


int upc_lock_attempt(bn_pts_t ptr);


void upc_unlock(bn_pts_t ptr);
# 119 "/tmp/loops3/tree/include/upc/upc.h" 3 4
void upc_memcpy(bn_pts_t dst, bn_pts_t src, size_t n);
void upc_memget(void *__restrict__ dst, bn_pts_t src, size_t n);
void upc_memput(bn_pts_t dst, const void *__restrict__ src, size_t n);
void upc_memset(bn_pts_t dst, int c, size_t n);




void upc_poll(void);
# 3 "/tmp/loops3/tree/include/upc/upc_relaxed.h" 2 3 4

# 2 "/tmp/loops3/t1.upc" 2

# 2 "/tmp/loops3/t1.upc"
bn_shared_t a __attribute__((common)); static struct bn_static bn_static_1 = { &a, "a", 60ul * sizeof(int), __alignof__(int), sizeof(int), 1, 0, 0, 0, 0 }; static struct bn_static *const bn_entry_1 __attribute__((section("bn_statics"), used)) = &bn_static_1; bn_shared_t b __attribute__((common)); static struct bn_static bn_static_2 = { &b, "b", 60ul * sizeof(int), __alignof__(int), sizeof(int), 3, 0, 0, 0, 0 }; static struct bn_static *const bn_entry_2 __attribute__((section("bn_statics"), used)) = &bn_static_2; bn_shared_t r __attribute__((common)); static struct bn_static bn_static_3 = { &r, "r", 5ul * sizeof(int), __alignof__(int), sizeof(int), 5, 0, 0, 0, 0 }; static struct bn_static *const bn_entry_3 __attribute__((section("bn_statics"), used)) = &bn_static_3;
void g(int);
void f(int n, int k, long m) {
 int i;
 { int bn_outer1 __attribute__((cleanup(bn_forall_leave))) = bn_forall_enter(); i = n-1; if (bn_outer1 == 0) { const bn_i64 bn_start4 = -(bn_i64)i; const bn_i64 bn_end5 = -(bn_i64)(0) + 1; const struct bn_turns bn_turns7 = bn_own_turns(-bn_start4, (-1) * 1); if (bn_turns7.period > 0) { const bn_i64 bn_stride8 = 1 * bn_threads(); bn_i64 bn_n2 = bn_start4 + bn_turns7.first * 1; bn_i64 bn_row3 = bn_floor_threads(-bn_n2); int *const bn_a_6 = (int *)((bn_u64)a + bn_stride((bn_u64)bn_mythread())); bn_i64 bn_left9 = bn_steps(bn_n2, bn_end5, bn_stride8); for (; bn_left9 > 0; --bn_left9, bn_n2 += bn_stride8, bn_row3 += -1) { i = (int)-bn_n2; bn_a_6[bn_row3] = i; } } i = (int)-bn_next_step(bn_start4, bn_end5, 1); } else for (; i >= 0; i--) if (bn_outer1 | (bn_owner_cyclic((bn_u64)(i)) == bn_mythread())) { (*(int *)bn_elem_cyclic(a, (bn_u64)(i), sizeof(int))) = i; } }
 { int bn_outer10 __attribute__((cleanup(bn_forall_leave))) = bn_forall_enter(); i = n-1; if (bn_outer10 == 0) { const bn_i64 bn_start13 = -(bn_i64)i; const bn_i64 bn_end14 = -(bn_i64)(0); bn_i64 bn_block12; for (bn_block12 = bn_last_block(-bn_start13, 3); 1 - (bn_block12 + 1) * 3 < bn_end14; bn_block12 -= bn_threads()) { const bn_i64 bn_stop16 = bn_min(bn_end14, 1 - bn_block12 * 3); int *const bn_b_15 = (int *)((bn_u64)b + bn_own_block(bn_block12, 3, sizeof(int))); bn_i64 bn_n11 = bn_next_step(bn_start13, 1 - (bn_block12 + 1) * 3, 2); for (; bn_n11 < bn_stop16; bn_n11 += 2) { i = (int)-bn_n11; bn_b_15[-bn_n11] = i; } } i = (int)-bn_next_step(bn_start13, bn_end14, 2); } else for (; i > 0; i -= 2) if (bn_outer10 | (bn_owner_block((bn_u64)(i), 3) == bn_mythread())) { (*(int *)bn_elem_block(b, (bn_u64)(i), 3, sizeof(int))) = i; } }
 { int bn_outer17 __attribute__((cleanup(bn_forall_leave))) = bn_forall_enter(); i = 0; if (bn_outer17 == 0 && (bn_u64)(k) - 1 < 1048576) { const bn_i64 bn_start20 = (bn_i64)i; const bn_i64 bn_end21 = (bn_i64)(n); const bn_i64 bn_step22 = (bn_i64)(k); const struct bn_turns bn_turns24 = bn_own_turns(2 * bn_start20 + 1, 2 * bn_step22); if (bn_turns24.period > 0) { const bn_i64 bn_stride25 = bn_step22 * bn_turns24.period; bn_i64 bn_n18 = bn_start20 + bn_turns24.first * bn_step22; bn_i64 bn_row19 = bn_floor_threads(2 * bn_n18 + 1); int *const bn_a_23 = (int *)((bn_u64)a + bn_stride((bn_u64)bn_mythread())); bn_i64 bn_left26 = bn_steps(bn_n18, bn_end21, bn_stride25); for (; bn_left26 > 0; --bn_left26, bn_n18 += bn_stride25, bn_row19 += bn_turns24.rows) { i = (int)bn_n18; bn_a_23[bn_row19] = i; } } i = (int)bn_next_step(bn_start20, bn_end21, bn_step22); } else for (; i < n; i += k) if (bn_outer17 | (bn_owner_cyclic((bn_u64)(2*i+1)) == bn_mythread())) { (*(int *)bn_elem_cyclic(a, (bn_u64)(2*i+1), sizeof(int))) = i; } }
 { int bn_outer27 __attribute__((cleanup(bn_forall_leave))) = bn_forall_enter(); i = 0; if (bn_outer27 == 0 && (bn_i64)(n) > 0) { const bn_i64 bn_start30 = (bn_i64)i; const bn_i64 bn_end31 = (bn_i64)(n); bn_i64 bn_block29; for (bn_block29 = bn_first_block(1 * (bn_i64)bn_threads() * bn_start30, (bn_u64)(n)); bn_floor_block(bn_block29 * (bn_i64)(n) - 1, (bn_u64)(1 * (bn_i64)bn_threads())) + 1 < bn_end31; bn_block29 += bn_threads()) { const bn_i64 bn_stop32 = bn_min(bn_end31, bn_floor_block((bn_block29 + 1) * (bn_i64)(n) - 1, (bn_u64)(1 * (bn_i64)bn_threads())) + 1); bn_i64 bn_n28 = bn_next_step(bn_start30, bn_floor_block(bn_block29 * (bn_i64)(n) - 1, (bn_u64)(1 * (bn_i64)bn_threads())) + 1, 1); for (; bn_n28 < bn_stop32; ++bn_n28) { i = (int)bn_n28; g(i); } } i = (int)bn_next_step(bn_start30, bn_end31, 1); } else for (; i < n; i++) if (bn_outer27 | (bn_here_int(i*bn_threads()/n))) { g(i); } }
 { int bn_outer33 __attribute__((cleanup(bn_forall_leave))) = bn_forall_enter(); for (unsigned u = n; u > 0; u--) if (bn_outer33 | (bn_owner_block((bn_u64)(2*u), 3) == bn_mythread())) { (*(int *)bn_elem_block(b, (bn_u64)(2*u), 3, sizeof(int))) = 1; } }
 { int bn_outer34 __attribute__((cleanup(bn_forall_leave))) = bn_forall_enter(); short s = 0; if (bn_outer34 == 0 && (bn_i64)(n) + 1 - 1 <= 32767) { const bn_i64 bn_start37 = (bn_i64)s; const bn_i64 bn_end38 = (bn_i64)(n); const bn_i64 bn_offset39 = 0 + (bn_i64)(k) * 5; bn_i64 bn_block36; for (bn_block36 = bn_first_block(bn_start37 + bn_offset39, 5); bn_block36 * 5 < bn_end38 + bn_offset39; bn_block36 += bn_threads()) { const bn_i64 bn_stop41 = bn_min(bn_end38, (bn_block36 + 1) * 5 - bn_offset39); int *const bn_r_40 = (int *)((bn_u64)r + bn_own_block(bn_block36, 5, sizeof(int))); bn_i64 bn_n35 = bn_next_step(bn_start37, bn_block36 * 5 - bn_offset39, 1); for (; bn_n35 < bn_stop41; ++bn_n35) { s = (short)bn_n35; bn_r_40[bn_n35 + bn_offset39] = 1; } } } else for (; s < n; s++) if (bn_outer34 | (bn_owner_block((bn_u64)((bn_i64)(k) * 5 + (bn_i64)(s)), 5) == bn_mythread())) { ((int *)bn_elem_cyclic(r, (bn_u64)(k), 5 * sizeof(int)))[(bn_i64)(s)] = 1; } }
 { int bn_outer42 __attribute__((cleanup(bn_forall_leave))) = bn_forall_enter(); i = 0; if (bn_outer42 == 0) { const bn_i64 bn_start45 = (bn_i64)i; const bn_i64 bn_end46 = (bn_i64)(n); const bn_i64 bn_offset47 = -1 + (bn_i64)(n); bn_i64 bn_block44; for (bn_block44 = bn_last_block(-bn_start45 + bn_offset47, 3); 1 - (bn_block44 + 1) * 3 + bn_offset47 < bn_end46; bn_block44 -= bn_threads()) { const bn_i64 bn_stop49 = bn_min(bn_end46, 1 - bn_block44 * 3 + bn_offset47); int *const bn_b_48 = (int *)((bn_u64)b + bn_own_block(bn_block44, 3, sizeof(int))); bn_i64 bn_n43 = bn_next_step(bn_start45, 1 - (bn_block44 + 1) * 3 + bn_offset47, 1); for (; bn_n43 < bn_stop49; ++bn_n43) { i = (int)bn_n43; bn_b_48[-bn_n43 + bn_offset47] = i; } } i = (int)bn_next_step(bn_start45, bn_end46, 1); } else for (; i < n; i++) if (bn_outer42 | (bn_owner_block((bn_u64)(n-1-i), 3) == bn_mythread())) { (*(int *)bn_elem_block(b, (bn_u64)(n-1-i), 3, sizeof(int))) = i; } }
 { int bn_outer50 __attribute__((cleanup(bn_forall_leave))) = bn_forall_enter(); i = 0; if (bn_outer50 == 0) { const bn_i64 bn_start53 = (bn_i64)i; const bn_i64 bn_end54 = (bn_i64)(n); if (bn_here_int(k)) { bn_i64 bn_n51 = bn_start53; for (; bn_n51 < bn_end54; ++bn_n51) { i = (int)bn_n51; g(i); } } i = (int)bn_next_step(bn_start53, bn_end54, 1); } else for (; i < n; i++) if (bn_outer50 | (bn_here_int(k))) { g(i); } }
}
extern struct bn_static *const __start_bn_statics[] __attribute__((weak, visibility("hidden")));
extern struct bn_static *const __stop_bn_statics[] __attribute__((weak, visibility("hidden")));
static struct bn_unit bn_unit = { BN_ABI, 0, "/tmp/loops3/t1.upc", __start_bn_statics, __stop_bn_statics, 0 };
static __attribute__((constructor)) void bn_unit_enter(void)
{
    bn_unit_register(&bn_unit);
}
