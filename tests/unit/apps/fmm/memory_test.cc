// Allocations fail at each of the places where memory is allocated: bad_alloc comes out, also from within parallel
// regions.
#include "bodies.h"
#include "fmm/operators.h"
#include "fmm/tree.h"

#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <new>

namespace {

std::atomic<long> left{-1};  // number of allocations that still succeed; below 0: all

// Whether work() succeeds if only `count` allocations do
template <typename Work>
bool has_enough(long count, const Work& work)
{
    left = count;
    bool enough = true;
    try {
        work();
    } catch (const std::bad_alloc&) {
        enough = false;
    }
    left = -1;
    return enough;
}

// Fails at the first allocation, at the third, the ninth, ...; until work() succeeds
template <typename Work>
void fails_everywhere(const Work& work)
{
    long failures = 0, count = 0;
    for (; !has_enough(count, work); count = count + count / 8 + 1)
        failures++;
    EXPECT_GT(failures, 10);
}

TEST(Memory, RunsOutInTheTree)
{
    std::vector<double> places = uneven_places(300, 1);
    fails_everywhere([&] { fmm::make_tree(300, places.data(), 5, 3); });
}

TEST(Memory, RunsOutInTheOperators)
{
    fmm::Surface surface(4);
    fails_everywhere([&] { fmm::make_operators<double>(surface, 0, 2, true); });
}

}  // namespace

void* operator new(std::size_t bytes)
{
    if (left >= 0 && left-- == 0) {
        left = 0;  // no allocation succeeds again
        throw std::bad_alloc();
    }
    void* memory = std::malloc(bytes > 0 ? bytes : 1);
    if (memory == nullptr)
        throw std::bad_alloc();
    return memory;
}
void operator delete(void* memory) noexcept
{
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}
