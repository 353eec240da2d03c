// Reductions against a plain loop over the elements in order.
#include "upc/collective/collective.h"
#include "upc/collective/prefix_blocks.h"
#include "upc/collective/reduce_runs.h"

#include "upc/job.h"

#include <cstring>
#include <utility>

namespace {

const unsigned long ADD = 1, MULT = 2, AND = 4, OR = 8, XOR = 16, LOGAND = 32, LOGOR = 64, MIN = 128, MAX = 256;
const unsigned long FUNC = 1UL << 16, NONCOMM_FUNC = 1UL << 17;

template <class T>
using Function = T (*)(T, T);

template <class T>
T plain_step(unsigned long op, T a, T b, Function<T> func)
{
    switch (op) {
    case ADD: return static_cast<T>(a + b);
    case MULT: return static_cast<T>(a * b);
    case LOGAND: return static_cast<T>(a && b);
    case LOGOR: return static_cast<T>(a || b);
    case MIN: return a < b ? a : b;
    case MAX: return a > b ? a : b;
    case FUNC:
    case NONCOMM_FUNC: return func(a, b);
    }
    if constexpr (std::is_integral_v<T>) {
        switch (op) {
        case AND: return static_cast<T>(a & b);
        case OR: return static_cast<T>(a | b);
        case XOR: return static_cast<T>(a ^ b);
        }
    }
    ADD_FAILURE() << "operation " << op;
    return a;
}

template <class T>
T larger(T a, T b)
{
    return a > b ? a : b;
}

// Neither commutative nor insensitive to omissions: maps x -> p*x + q mod 256, composed
unsigned long compose(unsigned long f, unsigned long g)
{
    unsigned long p = f >> 8 & 255, q = f & 255, r = g >> 8 & 255, s = g & 255;
    return (p * r & 255) << 8 | ((q * r + s) & 255);
}

// Values for which every order of floating-point operations gives the same result, and no integer overflows
template <class T>
T element(unsigned long op, size_t i)
{
    if (op == MULT)
        return static_cast<T>(i % 11 == 3 ? 2 : 1);
    if (op == LOGAND)
        return static_cast<T>(i % 17 == 16 ? 0 : 3);
    if (op == LOGOR)
        return static_cast<T>(i % 17 == 16 ? 5 : 0);
    if (op == ADD)
        return static_cast<T>(i % 5 == 0);
    return static_cast<T>(i * 37 % 101 + 1);
}

template <class T>
struct Reduction {
    void (*reduce)(bn_pts_t, bn_pts_t, unsigned long, size_t, size_t, Function<T>, int);
    void (*prefix)(bn_pts_t, bn_pts_t, unsigned long, size_t, size_t, Function<T>, int);
    const char* name;
};

bn_pts_t element_at(bn_pts_t start, size_t index, size_t block, size_t elem_bytes)
{
    bn_i64 i = static_cast<bn_i64>(index);
    return block == 0 ? bn_add_indef(start, i, elem_bytes) : bn_add_block(start, i, block, elem_bytes);
}

// One array, reduced in both ways. first: the element of the array that src points to.
template <class T>
void try_array(const Reduction<T>& call, unsigned long op, Function<T> func, size_t count, size_t block, size_t first,
               int flags)
{
    constexpr size_t kAround = 3;
    size_t room = first + count + kAround;
    size_t threads_count = static_cast<size_t>(threads());
    size_t local = (room / ((block ? block : room) * threads_count) + 2) * (block ? block : room) * sizeof(T);
    bn_pts_t src = upc_all_alloc(threads_count, local);
    bn_pts_t dst = upc_all_alloc(threads_count, local);
    bn_pts_t sum = upc_all_alloc(threads_count, 3 * sizeof(T));
    if (first % 2 != 0)
        std::swap(src, dst);  // so that the result comes after its operands in some cases, before them in others
    if (block == 0) {
        // An indefinite array is on one thread, not always the first
        src = bn_at(part<char>(src, threads() - 1));
        dst = bn_at(part<char>(dst, threads() - 1));
    }
    auto at = [&](bn_pts_t start, size_t i) -> T& {
        return *static_cast<T*>(bn_local(element_at(start, i, block, sizeof(T))));
    };
    const T kGuard = static_cast<T>(99);
    if (me() == 0) {
        for (size_t i = 0; i < room; i++) {
            at(src, i) = i < first || i >= first + count ? kGuard : element<T>(op, i);
            at(dst, i) = kGuard;
        }
        for (int thread = 0; thread < threads(); thread++)
            std::fill_n(part<T>(sum, thread), 3, kGuard);
    }
    bn_barrier();
    int root = static_cast<int>((count + first) % threads_count);
    bn_pts_t total = bn_at(part<T>(sum, root) + 1);
    call.reduce(total, element_at(src, first, block, sizeof(T)), op, count, block, func, flags);
    call.prefix(element_at(dst, first, block, sizeof(T)), element_at(src, first, block, sizeof(T)), op, count, block,
                func, flags);
    bn_barrier();
    T expected = kGuard;
    for (size_t i = 0; i < room; i++) {
        if (i < first || i >= first + count) {
            ASSERT_EQ(at(dst, i), kGuard);
            continue;
        }
        expected = i == first ? at(src, i) : plain_step<T>(op, expected, at(src, i), func);
        if (at(dst, i) != expected) {
            FAIL() << call.name << " op " << op << " count " << count << " block " << block << " first " << first
                   << " element " << i << " is " << at(dst, i) << " instead of " << expected;
        }
    }
    for (int thread = 0; thread < threads(); thread++) {
        ASSERT_EQ(part<T>(sum, thread)[0], kGuard);
        ASSERT_EQ(part<T>(sum, thread)[2], kGuard);
        ASSERT_EQ(part<T>(sum, thread)[1], thread == root ? expected : kGuard)
            << call.name << " op " << op << " count " << count << " block " << block << " first " << first;
    }
    bn_barrier();
    if (me() == 0) {
        src = block == 0 ? bn_at(part<char>(src, 1 - threads())) : src;
        dst = block == 0 ? bn_at(part<char>(dst, 1 - threads())) : dst;
        upc_free(src);
        upc_free(dst);
        upc_free(sum);
    }
}

template <class T>
void try_type(const Reduction<T>& call)
{
    std::vector<unsigned long> ops = {ADD, MULT, LOGAND, LOGOR, MIN, MAX, FUNC};
    if (std::is_integral_v<T>)
        ops.insert(ops.end(), {AND, OR, XOR});
    for (unsigned long op : ops) {
        Function<T> func = op == FUNC ? larger<T> : nullptr;
        try_array<T>(call, op, func, 50, 3, 4, 0);
        try_array<T>(call, op, func, 50, 0, 0, BN_IN_ALLSYNC | BN_OUT_MYSYNC);
        try_array<T>(call, op, func, 1, 1, 1, BN_IN_NOSYNC | BN_OUT_NOSYNC);
    }
}

#define REDUCTION(suffix, type)                                                                                        \
    Reduction<type>                                                                                                    \
    {                                                                                                                  \
        upc_all_reduce##suffix, upc_all_prefix_reduce##suffix, #suffix                                                 \
    }
#define TRY_TYPE(suffix, type) try_type<type>(REDUCTION(suffix, type));

TEST(Reduce, EveryTypeAndOperation)
{
    SKIP_IF_NO_WINDOW();
    for (int count : {1, 2, 3, 5}) {
        run_job(count, [] {
            BN_REDUCE_INTEGER_TYPES(TRY_TYPE)
            BN_REDUCE_FLOATING_TYPES(TRY_TYPE)
        });
    }
}

TEST(Reduce, EveryLayoutInOrder)
{
    SKIP_IF_NO_WINDOW();
    for (int threads_count : {1, 2, 3, 4, 7}) {
        run_job(threads_count, [] {
            const auto call = REDUCTION(UL, unsigned long);
            size_t t = static_cast<size_t>(threads());
            for (size_t block : {size_t{0}, size_t{1}, size_t{2}, size_t{5}, size_t{100}})
                for (size_t first : {size_t{0}, size_t{1}, size_t{4}, 2 * t + 1, 5 * t + 3})
                    for (size_t count : {size_t{0}, size_t{1}, size_t{2}, t, t + 1, 3 * t - 1, 5 * t, size_t{61}})
                        for (unsigned long op : {NONCOMM_FUNC, ADD})
                            try_array<unsigned long>(call, op, op == ADD ? nullptr : compose, count, block, first, 0);
        });
    }
}

// Blocks that are gathered: of one to several elements of every size, which fill the buffer not at all, partly, and
// more than once
template <class T>
void try_small_blocks(const Reduction<T>& call, unsigned long ordered_op, Function<T> func)
{
    size_t t = static_cast<size_t>(threads());
    size_t full = BN_RUNS_BUFFER_BYTES / sizeof(T) * t;
    for (size_t block : {size_t{1}, size_t{3}, size_t{4}, 64 / sizeof(T), 64 / sizeof(T) + 1})
        for (size_t first : {size_t{0}, size_t{1}, block * t - 1})
            for (size_t count : {4 * block * t - 1, 5 * block * t + 1, full, full + 5 * block + 1})
                for (unsigned long op : {ordered_op, MAX})
                    try_array<T>(call, op, op == MAX ? nullptr : func, count, block, first, 0);
}

TEST(Reduce, SmallBlocksOfEverySize)
{
    SKIP_IF_NO_WINDOW();
    for (int threads_count : {1, 2, 3, 5}) {
        run_job(threads_count, [] {
            try_small_blocks<unsigned long>(REDUCTION(UL, unsigned long), NONCOMM_FUNC, compose);
            try_small_blocks<signed char>(REDUCTION(C, signed char), FUNC, larger<signed char>);
            try_small_blocks<unsigned short>(REDUCTION(US, unsigned short), XOR, nullptr);
            try_small_blocks<float>(REDUCTION(F, float), NONCOMM_FUNC, larger<float>);
            try_small_blocks<long double>(REDUCTION(LD, long double), MIN, nullptr);
        });
    }
}

// As in a large array, with blocks of few elements
TEST(Reduce, EveryLayoutBlockByBlock)
{
    SKIP_IF_NO_WINDOW();
    for (int threads_count : {2, 3, 5}) {
        run_job(threads_count, [] {
            bn_context.team.plans->tuning.prefix_block_bytes = 1;
            size_t t = static_cast<size_t>(threads());
            for (size_t block : {size_t{1}, size_t{2}, size_t{7}})
                for (size_t first : {size_t{0}, size_t{1}, block * t - 1})
                    for (size_t count : {4 * t * block, 4 * t * block + 1, 6 * t * block - 1}) {
                        bn_cyclic layout = bn_cyclic_of(element_at({}, first, block, 1), count, block, 1);
                        ASSERT_TRUE(bn_prefix_goes_by_blocks(&layout));
                        try_array<unsigned long>(REDUCTION(UL, unsigned long), NONCOMM_FUNC, compose, count, block,
                                                 first, 0);
                        try_array<signed char>(REDUCTION(C, signed char), MAX, nullptr, count, block, first,
                                               BN_IN_MYSYNC | BN_OUT_MYSYNC);
                        try_array<long double>(REDUCTION(LD, long double), ADD, nullptr, count, block, first,
                                               BN_IN_NOSYNC | BN_OUT_NOSYNC);
                    }
        });
    }
}

TEST(Reduce, BlockByBlockWhereItIsBetter)
{
    SKIP_IF_NO_WINDOW();
    run_job(2, [] {
        struct bn_plans* plans = bn_context.team.plans;
        plans->tuning.prefix_block_bytes = 4096;
        auto goes = [](size_t count, size_t block) {
            bn_cyclic layout = bn_cyclic_of({}, count, block, sizeof(double));
            return bn_prefix_goes_by_blocks(&layout);
        };
        EXPECT_TRUE(goes(4096, 512));
        EXPECT_FALSE(goes(4095, 512)) << "too few blocks to share out";
        EXPECT_FALSE(goes(4096, 511)) << "small blocks";
        EXPECT_FALSE(goes(4096, 0)) << "all on one thread";
        ASSERT_TRUE(bn_plans_force(&bn_context.team, BN_PREFIX, "pull/flat/whole"));
        EXPECT_FALSE(goes(4096, 512)) << "another way is forced";
    });
}

TEST(Reduce, ArithmeticIsThatOfTheType)
{
    SKIP_IF_NO_WINDOW();
    run_job(2, [] {
        bn_pts_t src = upc_all_alloc(2, 1);
        bn_pts_t dst = upc_all_alloc(1, 1);
        *part<unsigned char>(src, me()) = 200;
        bn_barrier();
        upc_all_reduceUC(dst, src, ADD, 2, 1, nullptr, 0);
        EXPECT_EQ(*part<unsigned char>(dst, 0), 144);
        upc_all_reduceUC(dst, src, LOGAND, 2, 1, nullptr, 0);
        EXPECT_EQ(*part<unsigned char>(dst, 0), 1);
    });
}

TEST(Reduce, ManyInARowDoNotMix)
{
    SKIP_IF_NO_WINDOW();
    run_job(3, [] {
        bn_pts_t src = upc_all_alloc(3, sizeof(long));
        bn_pts_t dst = upc_all_alloc(3, sizeof(long));
        for (long i = 0; i < 3000; i++) {
            *part<long>(src, me()) = i * (me() + 1);
            bn_pts_t root = bn_at(part<long>(dst, static_cast<int>(i % 3)));
            // Each thread's elements are ready, and the result is read by the thread that has it: no more
            // synchronisation is needed.
            upc_all_reduceL(root, src, ADD, 3, 1, nullptr, BN_IN_NOSYNC | BN_OUT_NOSYNC);
            if (root.thread == static_cast<bn_u32>(me())) {
                ASSERT_EQ(*part<long>(dst, me()), 6 * i);
            }
        }
    });
}

TEST(Reduce, WrongOperationsEndTheProgram)
{
    SKIP_IF_NO_WINDOW();
    auto reduce = [](unsigned long op) {
        return message_of_job(1, [op] {
            bn_pts_t memory = upc_all_alloc(1, 64);
            upc_all_prefix_reduceD(memory, memory, op, 1, 1, nullptr, 0);
        });
    };
    EXPECT_NE(reduce(XOR).find("upc_all_prefix_reduceD: UPC_AND, UPC_OR and UPC_XOR are not"), std::string::npos);
    EXPECT_NE(reduce(FUNC).find("need a function"), std::string::npos);
    EXPECT_NE(reduce(3).find("0x3 is not an operation"), std::string::npos);
    EXPECT_NE(reduce(0).find("0x0 is not an operation"), std::string::npos);
}

}  // namespace
