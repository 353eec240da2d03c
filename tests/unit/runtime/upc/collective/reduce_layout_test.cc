#include "upc/collective/reduce_layout.h"

#include <gtest/gtest.h>

#include <map>

namespace {

struct Part {
    unsigned char* first;
    size_t elem_count;
};

// The elements of a range on each thread, found by walking over it
std::map<size_t, Part> parts_by_walk(const bn_cyclic& layout, size_t first, size_t elem_count)
{
    std::map<size_t, Part> parts;
    bn_walk walk = bn_walk_begin(&layout, first, elem_count);
    while (bn_walk_next(&walk)) {
        auto thread =
            static_cast<size_t>((reinterpret_cast<uint64_t>(walk.run.address) - BN_WINDOW_BASE) / bn_stride(1));
        auto [found, is_new] = parts.try_emplace(thread, Part{walk.run.address, 0});
        EXPECT_EQ(found->second.first + found->second.elem_count * layout.elem_bytes, walk.run.address);
        found->second.elem_count += walk.run.elem_count;
    }
    return parts;
}

// The elements of a range on one thread are contiguous, wherever the range begins and ends.
TEST(ReduceLayout, PartsOfARangeAreWhatAWalkMeets)
{
    enum { ELEMS = 40, ELEM_BYTES = 8, OFFSET = 4096 };
    for (size_t threads : {1, 2, 3, 5}) {
        for (size_t block : {0, 1, 3, 7, 64}) {
            for (size_t shape = 0; shape < threads * (block == 0 ? 1 : block); shape++) {
                size_t thread = shape % threads;
                size_t phase = shape / threads;
                uint64_t origin = BN_WINDOW_BASE + bn_stride(thread) + OFFSET;
                bn_cyclic layout = {origin, thread, phase, block, ELEM_BYTES, ELEMS, threads};
                for (size_t first = 0; first < ELEMS; first += 3) {
                    for (size_t count = 1; first + count <= ELEMS; count += 2) {
                        std::map<size_t, Part> parts = parts_by_walk(layout, first, count);
                        for (size_t t = 0; t < threads; t++) {
                            bn_elem_run run = bn_cyclic_part(&layout, first, count, t);
                            ASSERT_EQ(run.elem_count, parts.count(t) ? parts[t].elem_count : 0)
                                << threads << " threads, block " << block << ", from " << thread << ", phase " << phase
                                << ", elements " << first << " + " << count << ", thread " << t;
                            if (run.elem_count != 0) {
                                ASSERT_EQ(run.address, parts[t].first);
                            }
                        }
                    }
                }
            }
        }
    }
}

}  // namespace
