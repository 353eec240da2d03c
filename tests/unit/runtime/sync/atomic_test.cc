#include "sync/atomic.h"

#include "sync/processes.h"
#include "sync/team.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace {

constexpr unsigned long kIntegerOps[] = {
    BN_ATOMIC_ADD, BN_ATOMIC_MULT, BN_ATOMIC_AND,   BN_ATOMIC_OR,  BN_ATOMIC_XOR, BN_ATOMIC_MIN, BN_ATOMIC_MAX,
    BN_ATOMIC_GET, BN_ATOMIC_SET,  BN_ATOMIC_CSWAP, BN_ATOMIC_SUB, BN_ATOMIC_INC, BN_ATOMIC_DEC,
};

// The result of an operation on `old` by definition; in a wider type that cannot overflow
template <class T>
T expected(unsigned long op, T old, T a, T b)
{
    using Unsigned = std::make_unsigned_t<T>;
    const auto x = static_cast<unsigned __int128>(old);
    const auto y = static_cast<unsigned __int128>(a);
    switch (op) {
    case BN_ATOMIC_ADD: return static_cast<T>(static_cast<Unsigned>(x + y));
    case BN_ATOMIC_SUB: return static_cast<T>(static_cast<Unsigned>(x - y));
    case BN_ATOMIC_MULT: return static_cast<T>(static_cast<Unsigned>(x * y));
    case BN_ATOMIC_INC: return static_cast<T>(static_cast<Unsigned>(x + 1));
    case BN_ATOMIC_DEC: return static_cast<T>(static_cast<Unsigned>(x - 1));
    case BN_ATOMIC_AND: return static_cast<T>(old & a);
    case BN_ATOMIC_OR: return static_cast<T>(old | a);
    case BN_ATOMIC_XOR: return static_cast<T>(old ^ a);
    case BN_ATOMIC_MIN: return std::min(old, a);
    case BN_ATOMIC_MAX: return std::max(old, a);
    case BN_ATOMIC_SET: return a;
    case BN_ATOMIC_CSWAP: return old == a ? b : old;
    default: return old;
    }
}

template <class T>
void apply(unsigned long op, T* fetch, T* target, const T* a, const T* b);
template <>
void apply(unsigned long op, int32_t* fetch, int32_t* target, const int32_t* a, const int32_t* b)
{
    bn_atomic_apply_i32(op, fetch, target, a, b);
}
template <>
void apply(unsigned long op, uint32_t* fetch, uint32_t* target, const uint32_t* a, const uint32_t* b)
{
    bn_atomic_apply_u32(op, fetch, target, a, b);
}
template <>
void apply(unsigned long op, int64_t* fetch, int64_t* target, const int64_t* a, const int64_t* b)
{
    bn_atomic_apply_i64(op, fetch, target, a, b);
}
template <>
void apply(unsigned long op, uint64_t* fetch, uint64_t* target, const uint64_t* a, const uint64_t* b)
{
    bn_atomic_apply_u64(op, fetch, target, a, b);
}
template <>
void apply(unsigned long op, float* fetch, float* target, const float* a, const float* b)
{
    bn_atomic_apply_float(op, fetch, target, a, b);
}
template <>
void apply(unsigned long op, double* fetch, double* target, const double* a, const double* b)
{
    bn_atomic_apply_double(op, fetch, target, a, b);
}

template <class T>
class AtomicInteger : public testing::Test {};
using Integers = testing::Types<int32_t, uint32_t, int64_t, uint64_t>;
TYPED_TEST_SUITE(AtomicInteger, Integers);

TYPED_TEST(AtomicInteger, EveryOperationDoesWhatItSays)
{
    using T = TypeParam;
    using Limits = std::numeric_limits<T>;
    const T values[] = {0, 1, 2, static_cast<T>(-1), static_cast<T>(-2), 77, Limits::min(), Limits::max()};
    for (unsigned long op : kIntegerOps) {
        for (T old : values) {
            for (T a : values) {
                const T b = 1234;
                T target = old;
                T fetched = 99;
                apply<T>(op, &fetched, &target, &a, &b);
                EXPECT_EQ(fetched, old) << "operation " << op;
                EXPECT_EQ(target, expected(op, old, a, b)) << "operation " << op << " of " << old << " and " << a;
                target = old;
                apply<T>(op, nullptr, &target, &a, &b);
                EXPECT_EQ(target, expected(op, old, a, b)) << "operation " << op << ", nothing fetched";
            }
        }
    }
}

TYPED_TEST(AtomicInteger, OperandsThatAreNotUsedMayBeNull)
{
    using T = TypeParam;
    T target = 5;
    T fetched = 0;
    apply<T>(BN_ATOMIC_GET, &fetched, &target, nullptr, nullptr);
    apply<T>(BN_ATOMIC_INC, nullptr, &target, nullptr, nullptr);
    apply<T>(BN_ATOMIC_DEC, nullptr, &target, nullptr, nullptr);
    EXPECT_EQ(fetched, 5);
    EXPECT_EQ(target, 5);
}

// Bits that all set and clear again, and sums in which no addition may be missing
TYPED_TEST(AtomicInteger, NothingIsLostBetweenThreads)
{
    using T = TypeParam;
    constexpr int kThreads = 6;
    T sum = 0, ones = 0, product = 1, largest = 0;
    run_team(kThreads, [&](int thread) {
        const T bit = static_cast<T>(T{1} << thread);
        const T three = 3;
        for (int i = 0; i < 2000; i++) {
            const T value = static_cast<T>(i * kThreads + thread);
            T fetched;
            apply<T>(BN_ATOMIC_ADD, nullptr, &sum, &value, nullptr);
            apply<T>(BN_ATOMIC_MAX, nullptr, &largest, &value, nullptr);
            apply<T>(BN_ATOMIC_MULT, nullptr, &product, &three, nullptr);
            apply<T>(BN_ATOMIC_XOR, &fetched, &ones, &bit, nullptr);
            ASSERT_EQ(fetched & bit, 0);
            apply<T>(BN_ATOMIC_XOR, &fetched, &ones, &bit, nullptr);
            ASSERT_EQ(fetched & bit, bit);
        }
    });
    const int count = 2000 * kThreads;
    EXPECT_EQ(sum, static_cast<T>(int64_t{count} * (count - 1) / 2));
    EXPECT_EQ(largest, static_cast<T>(count - 1));
    EXPECT_EQ(ones, T{0});
    T power = 1;
    for (int i = 0; i < count; i++)
        power = expected<T>(BN_ATOMIC_MULT, power, 3, 0);
    EXPECT_EQ(product, power);
}

template <class T>
class AtomicFloating : public testing::Test {};
using Floatings = testing::Types<float, double>;
TYPED_TEST_SUITE(AtomicFloating, Floatings);

TYPED_TEST(AtomicFloating, EveryOperationDoesWhatItSays)
{
    using T = TypeParam;
    const struct {
        unsigned long op;
        T old, a, b, result;
    } cases[] = {
        {BN_ATOMIC_ADD, 1.5, 2, 0, 3.5},   {BN_ATOMIC_SUB, 1.5, 2, 0, -0.5},  {BN_ATOMIC_MULT, 1.5, -2, 0, -3},
        {BN_ATOMIC_INC, 1.5, 0, 0, 2.5},   {BN_ATOMIC_DEC, 1.5, 0, 0, 0.5},   {BN_ATOMIC_MIN, 1.5, 2, 0, 1.5},
        {BN_ATOMIC_MAX, 1.5, 2, 0, 2},     {BN_ATOMIC_SET, 1.5, 2, 0, 2},     {BN_ATOMIC_GET, 1.5, 0, 0, 1.5},
        {BN_ATOMIC_CSWAP, 1.5, 1.5, 7, 7}, {BN_ATOMIC_CSWAP, 1.5, 1, 7, 1.5},
    };
    for (const auto& c : cases) {
        T target = c.old;
        T fetched = 99;
        apply<T>(c.op, &fetched, &target, &c.a, &c.b);
        EXPECT_EQ(fetched, c.old) << c.op;
        EXPECT_EQ(target, c.result) << c.op;
    }
}

TYPED_TEST(AtomicFloating, ComparesByValue)
{
    using T = TypeParam;
    const T zero = 0, next = 3, nan = std::numeric_limits<T>::quiet_NaN();
    T target = -zero;
    apply<T>(BN_ATOMIC_CSWAP, nullptr, &target, &zero, &next);
    EXPECT_EQ(target, 3) << "-0.0 equals 0.0";
    target = nan;
    apply<T>(BN_ATOMIC_CSWAP, nullptr, &target, &nan, &next);
    EXPECT_TRUE(std::isnan(target)) << "a NaN equals nothing";
    apply<T>(BN_ATOMIC_SET, nullptr, &target, &next, nullptr);
    EXPECT_EQ(target, 3) << "and can be replaced";
}

TYPED_TEST(AtomicFloating, NothingIsLostBetweenThreads)
{
    using T = TypeParam;
    T sum = 0;
    const T one = 1;
    run_team(6, [&](int) {
        for (int i = 0; i < 3000; i++)
            apply<T>(BN_ATOMIC_ADD, nullptr, &sum, &one, nullptr);
    });
    EXPECT_EQ(sum, 18000);
}

TEST(AtomicMasked, ChangesTheBitsOfTheMaskOnly)
{
    uint32_t word = 0x12345678;
    EXPECT_EQ(bn_atomic_masked_swap_u32(&word, 0x0000ff00, 0xffffffff), 0x12345678u);
    EXPECT_EQ(word, 0x1234ff78u);
    uint64_t wide = 0;
    run_team(8, [&](int thread) {
        const uint64_t mask = UINT64_C(0xff) << 8 * thread;
        for (uint64_t i = 1; i <= 3000; i++) {
            const uint64_t old = bn_atomic_masked_swap_u64(&wide, mask, (i & 0xff) * UINT64_C(0x0101010101010101));
            ASSERT_EQ(old >> 8 * thread & 0xff, (i - 1) & 0xff);
        }
    });
}

struct SharedPairs {
    bn_atomic_locks locks;
    alignas(64) unsigned char memory[128];
};

// Pairs of equal words, aligned (changed by the processor) and not (under a lock), from processes that are stopped.
// The second kind spans two cache lines: within a line a processor might move both words at once by chance.
TEST(AtomicPair, IsNeverSeenInHalves)
{
    for (size_t offset : {size_t{0}, size_t{56}}) {
        Shared<SharedPairs> shared;
        auto* target = reinterpret_cast<bn_pair*>(shared->memory + offset);
        ASSERT_EQ(BN_HAS_ATOMIC_PAIRS && offset == 0, bn_pair_is_atomic(target));
        std::vector<pid_t> ids = start_processes(5, [&](int process) {
            for (uint64_t i = 0; i < 20000; i++) {
                bn_pair old;
                const uint64_t word = i << 8 | static_cast<uint64_t>(process);
                const bn_pair mine = {word, word};
                if (process == 0)
                    bn_atomic_apply_pair(BN_ATOMIC_SET, &old, target, &mine, nullptr, &shared->locks);
                else
                    bn_atomic_apply_pair(BN_ATOMIC_GET, &old, target, nullptr, nullptr, &shared->locks);
                ASSERT_EQ(old.low, old.high);
                bn_atomic_apply_pair(BN_ATOMIC_CSWAP, &old, target, &old, &mine, &shared->locks);
                ASSERT_EQ(old.low, old.high);
            }
        });
        stop_and_continue(ids);
        EXPECT_TRUE(all_succeed(ids));
    }
}

TEST(AtomicPair, ComparesTheLowWordOnly)
{
    bn_atomic_locks locks = {};
    alignas(16) bn_pair target = {1, 2};
    const bn_pair same_low = {1, 99}, next = {3, 4};
    bn_pair old;
    bn_atomic_apply_pair(BN_ATOMIC_CSWAP, &old, &target, &same_low, &next, &locks);
    EXPECT_EQ(old.high, 2u);
    EXPECT_EQ(target.low, 3u);
    EXPECT_EQ(target.high, 4u);
    bn_atomic_apply_pair(BN_ATOMIC_CSWAP, nullptr, &target, &same_low, &old, &locks);
    EXPECT_EQ(target.low, 3u);
}

// Two threads write one word each and read the other's: with strict operations not both may read the old value.  They
// run over many pairs of words without waiting for each other, and meet at some of them.
TEST(AtomicOrder, StrictOperationsAreSeenInOneOrder)
{
    constexpr size_t kPairs = 20000;
    constexpr size_t kApart = 16;  // words between those that are written consecutively
    for (unsigned long op : {static_cast<unsigned long>(BN_ATOMIC_SET), static_cast<unsigned long>(BN_ATOMIC_ADD)}) {
        for (int repeat = 0; repeat < 20; repeat++) {
            std::vector<uint32_t> words[2] = {std::vector<uint32_t>(kPairs * kApart),
                                              std::vector<uint32_t>(kPairs * kApart)};
            std::vector<uint32_t> seen[2] = {std::vector<uint32_t>(kPairs), std::vector<uint32_t>(kPairs)};
            uint32_t arrived = 0;
            run_team(2, [&](int thread) {
                const uint32_t one = 1;
                uint32_t* mine = words[thread].data();
                uint32_t* other = words[1 - thread].data();
                __atomic_add_fetch(&arrived, 1, __ATOMIC_SEQ_CST);
                while (__atomic_load_n(&arrived, __ATOMIC_SEQ_CST) != 2)
                    continue;
                for (size_t i = 0; i < kPairs; i++) {
                    bn_atomic_fence_before(op);
                    bn_atomic_apply_u32(op, nullptr, mine + i * kApart, &one, nullptr);
                    bn_atomic_fence_after(op);
                    bn_atomic_fence_before(BN_ATOMIC_GET);
                    bn_atomic_apply_u32(BN_ATOMIC_GET, &seen[thread][i], other + i * kApart, nullptr, nullptr);
                    bn_atomic_fence_after(BN_ATOMIC_GET);
                }
            });
            int both_old = 0;
            for (size_t i = 0; i < kPairs; i++)
                both_old += seen[0][i] == 0 && seen[1][i] == 0;
            ASSERT_EQ(both_old, 0) << "operation " << op;
        }
    }
}

}  // namespace
