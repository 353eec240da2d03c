#include "pgas/statics.h"

#include "pgas/segment.h"

#include <gtest/gtest.h>

#include <vector>

namespace {

struct Object {
    bn_shared_t handle = nullptr;
};

bn_static record(Object& object, const char* name, bn_u64 bytes, bn_u64 align, bn_u64 elem = 4, bn_u64 block = 1)
{
    return bn_static{&object.handle, name, bytes, align, elem, block, nullptr, 0, nullptr, nullptr};
}

class Program {
public:
    void add_unit(std::vector<bn_static*> records)
    {
        ranges_.push_back(std::make_unique<std::vector<bn_static*>>(std::move(records)));
        add_unit_of_range(*ranges_.back());
    }
    // Another unit of the executable that the last one belongs to
    void add_unit_of_same_range() { add_unit_of_range(*ranges_.back()); }

    bn_unit* units() { return units_.empty() ? nullptr : units_.front().get(); }

private:
    void add_unit_of_range(std::vector<bn_static*>& range)
    {
        auto unit = std::make_unique<bn_unit>();
        *unit = bn_unit{BN_ABI, 0, "unit", range.data(), range.data() + range.size(), nullptr, nullptr, 0};
        if (!units_.empty())
            units_.back()->next = unit.get();
        units_.push_back(std::move(unit));
    }
    std::vector<std::unique_ptr<std::vector<bn_static*>>> ranges_;
    std::vector<std::unique_ptr<bn_unit>> units_;
};

constexpr uint64_t kBase = BN_WINDOW_BASE;

uint64_t lay_out(Program& program)
{
    bn_static_room room = {};
    EXPECT_EQ(bn_statics_layout(program.units(), 0, &room), BN_OK);
    bn_statics_place(program.units(), kBase);
    return room.size_bytes;
}

uint64_t offset_of(const Object& object)
{
    return reinterpret_cast<uint64_t>(object.handle) - kBase;
}

TEST(Statics, ObjectsDoNotOverlapAndAreAligned)
{
    Object a, b, c, d;
    bn_static records[] = {record(a, "a", 1, 1), record(b, "b", 1000, 8), record(c, "c", 16, 4096),
                           record(d, "d", 65, 1)};
    Program program;
    program.add_unit({&records[0], &records[1], &records[2], &records[3]});
    uint64_t bytes = lay_out(program);
    EXPECT_GT(offset_of(a), 0u);
    EXPECT_EQ(offset_of(a) % 16, 0u);
    EXPECT_GE(offset_of(b), offset_of(a) + 1);
    EXPECT_EQ(offset_of(b) % 64, 0u) << "objects of a line or more begin with a line";
    EXPECT_GE(offset_of(c), offset_of(b) + 1000);
    EXPECT_EQ(offset_of(c) % 4096, 0u);
    EXPECT_GE(offset_of(d), offset_of(c) + 16);
    EXPECT_EQ(offset_of(d) % 64, 0u);
    EXPECT_GE(bytes, offset_of(d) + 65);
    EXPECT_EQ(bytes % 4096, 0u);
}

TEST(Statics, NoneTakeNothing)
{
    Program program;
    program.add_unit({});
    EXPECT_EQ(lay_out(program), 0u);
    bn_static_room room = {1, 1};
    EXPECT_EQ(bn_statics_layout(nullptr, 0, &room), BN_OK);
    EXPECT_EQ(room.size_bytes, 0u);
    EXPECT_EQ(room.first_only_bytes, 0u);
}

TEST(Statics, WhatOnlyTheFirstThreadHasIsKnown)
{
    Object all, first;
    bn_static records[] = {record(all, "all", 1000, 8), record(first, "first", 300, 1, 1, 0),
                           record(first, "first", 5000, 1, 1, 0)};
    Program program;
    program.add_unit({&records[0], &records[1], &records[2]});
    bn_static_room room;
    ASSERT_EQ(bn_statics_layout(program.units(), 0, &room), BN_OK);
    EXPECT_EQ(room.first_only_bytes, 5000u);
    EXPECT_EQ(room.size_bytes, 8192u);
}

TEST(Statics, TentativeDefinitionsAreOneObjectOfTheLargestSize)
{
    Object a, b;
    bn_static first = record(a, "a", 100, 4);
    bn_static second = record(b, "b", 8, 8);
    bn_static larger = record(a, "a", 5000, 64);
    bn_static smaller = record(a, "a", 10, 4);
    Program program;
    program.add_unit({&first, &second});
    program.add_unit({&larger, &smaller});
    program.add_unit_of_same_range();
    lay_out(program);
    EXPECT_GE(offset_of(b), offset_of(a) + 5000);
    EXPECT_EQ(offset_of(a) % 64, 0u);
}

TEST(Statics, ObjectsBeyondTwoGigabytes)
{
    Object a, b;
    bn_static large = record(a, "a", UINT64_C(5) << 30, 8);
    bn_static after = record(b, "b", 8, 8);
    Program program;
    program.add_unit({&large, &after});
    EXPECT_GT(lay_out(program), UINT64_C(5) << 30);
    EXPECT_GE(offset_of(b), offset_of(a) + (UINT64_C(5) << 30));
}

std::string error_of(Program& program, bn_status_t expected)
{
    bn_static_room room = {77, 7};
    testing::internal::CaptureStderr();
    EXPECT_EQ(bn_statics_layout(program.units(), 0, &room), expected);
    EXPECT_EQ(room.size_bytes, 77u);
    return testing::internal::GetCapturedStderr();
}

TEST(Statics, TooLargeNamesTheLargestObject)
{
    Object a, b, c;
    bn_static records[] = {record(a, "little", 100, 4), record(b, "grid", UINT64_C(31) << 30, 8),
                           record(c, "more", UINT64_C(2) << 30, 8)};
    Program program;
    program.add_unit({&records[0], &records[1], &records[2]});
    std::string message = error_of(program, BN_ERR_LIMIT);
    EXPECT_NE(message.find("'grid', takes 31G"), std::string::npos) << message;
}

TEST(Statics, OneLargerThanAnyNumberIsNoOverflow)
{
    Object a;
    bn_static huge = record(a, "huge", UINT64_MAX - 10, 8);
    Program program;
    program.add_unit({&huge});
    EXPECT_NE(error_of(program, BN_ERR_LIMIT).find("'huge'"), std::string::npos);
}

TEST(Statics, DifferentElementSizesAreAnError)
{
    Object a;
    bn_static first = record(a, "a", 100, 4, 4);
    bn_static second = record(a, "a", 100, 8, 8);
    Program program;
    program.add_unit({&first, &second});
    EXPECT_NE(error_of(program, BN_ERR_MISMATCH).find("elements of 4 and of 8 bytes"), std::string::npos);
}

TEST(Statics, DifferentBlockSizesAreAnError)
{
    Object a;
    bn_static first = record(a, "a", 100, 4, 4, 1);
    bn_static second = record(a, "a", 100, 4, 4, 10);
    Program program;
    program.add_unit({&first});
    program.add_unit({&second});
    EXPECT_NE(error_of(program, BN_ERR_MISMATCH).find("block size 1 and with block size 10"), std::string::npos);
}

TEST(Statics, AWalkMeetsEachRecordOnce)
{
    Object a, b;
    bn_static first = record(a, "a", 100, 4);
    bn_static second = record(b, "b", 200, 4);
    Program program;
    program.add_unit({&first});
    program.add_unit_of_same_range();
    program.add_unit({});
    program.add_unit({&second, &first});
    program.add_unit_of_same_range();
    bn_static_walk walk = {program.units(), nullptr};
    EXPECT_EQ(bn_static_next(&walk), &first);
    EXPECT_EQ(bn_static_next(&walk), &second);
    EXPECT_EQ(bn_static_next(&walk), &first);
    EXPECT_EQ(bn_static_next(&walk), nullptr);
    EXPECT_EQ(bn_static_next(&walk), nullptr);
}

TEST(Statics, FindsTheObjectAtAnOffset)
{
    Object a, b;
    bn_static first = record(a, "a", 100, 4);
    bn_static second = record(b, "b", 200, 4);
    Program program;
    program.add_unit({&first, &second});
    lay_out(program);
    EXPECT_EQ(bn_statics_find(program.units(), kBase, offset_of(a)), &first);
    EXPECT_EQ(bn_statics_find(program.units(), kBase, offset_of(a) + 99), &first);
    EXPECT_EQ(bn_statics_find(program.units(), kBase, offset_of(a) + 100), nullptr);
    EXPECT_EQ(bn_statics_find(program.units(), kBase, offset_of(b) + 199), &second);
    EXPECT_EQ(bn_statics_find(program.units(), kBase, 0), nullptr);
    uint64_t behind = 0;
    EXPECT_EQ(bn_statics_find_before(program.units(), kBase, offset_of(a) + 100, &behind), &first);
    EXPECT_EQ(behind, 0u);
    EXPECT_EQ(bn_statics_find_before(program.units(), kBase, offset_of(b) + 207, &behind), &second);
    EXPECT_EQ(behind, 7u);
    EXPECT_EQ(bn_statics_find_before(program.units(), kBase, 0, &behind), nullptr);
}

// Elements of a cyclic and of a blocked array, and of rows whose length is a multiple of THREADS, by the layout of the
// language
TEST(Statics, EachThreadSetsTheElementsThatItOwns)
{
    constexpr int kThreads = 3;
    constexpr uint64_t kBlock = 2;
    const int whole[] = {1, 2, 3, 4, 5, 6, 7};
    const int row[] = {8, 9};
    bn_image images[] = {{whole, sizeof whole, 0, 10, 0}, {row, sizeof row, 4, 1, 1}};
    std::vector<char> memory(4096);
    for (int thread = 0; thread < kThreads; ++thread) {
        std::fill(memory.begin(), memory.end(), 0);
        // The handle is such that the part of this thread falls on the memory of the test.
        bn_shared_t handle = reinterpret_cast<bn_shared_t>(reinterpret_cast<uint64_t>(memory.data()) -
                                                           bn_stride(static_cast<uint64_t>(thread)));
        bn_static object{&handle, "a", 64, 4, sizeof(int), kBlock, images, 2, nullptr, nullptr};
        Program program;
        program.add_unit({&object});
        program.add_unit_of_same_range();
        bn_statics_initialise(program.units(), thread, kThreads);
        const int* local = reinterpret_cast<const int*>(memory.data());
        for (int i = 0; i < 18; ++i) {
            int block = i / 2;
            if (block % kThreads != thread)
                continue;
            int expected = i < 7 ? i + 1 : i == 12 ? 8 : i == 13 ? 9 : 0;
            EXPECT_EQ(local[block / kThreads * 2 + i % 2], expected) << "element " << i;
        }
    }
}

TEST(Statics, ValuesBeyondTheEndAreIgnored)
{
    const int values[] = {1, 2, 3};
    bn_image images[] = {{values, sizeof values, 0, 1, 1}};
    int memory[4] = {};
    bn_shared_t handle = reinterpret_cast<bn_shared_t>(memory);
    bn_static object{&handle, "a", 16, 4, sizeof(int), 1, images, 1, nullptr, nullptr};
    Program program;
    program.add_unit({&object});
    testing::internal::CaptureStderr();
    bn_statics_initialise(program.units(), 0, 2);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("'a' has 3 initial values, but room for 2"),
              std::string::npos);
    EXPECT_EQ(memory[0], 1);
    EXPECT_EQ(memory[1], 0);
}

TEST(Statics, ValuesAreComputedBeforeImagesAreCopied)
{
    static int image = 0;
    static void* const places[] = {&image};
    bn_image images[] = {{&image, sizeof image, 0, 1, 0}};
    int memory = 0;
    int private_object = 0;
    void* const private_places[] = {&private_object};
    auto compute = [](void* const* at) { *static_cast<int*>(at[0]) = 42; };
    bn_shared_t handle = reinterpret_cast<bn_shared_t>(&memory);
    bn_static object{&handle, "x", 4, 4, 4, 1, images, 1, places, compute};
    bn_static own{nullptr, "p", 0, 1, 1, 0, nullptr, 0, private_places, compute};
    Program program;
    program.add_unit({&object, &own});
    bn_statics_initialise(program.units(), 0, 1);
    EXPECT_EQ(memory, 42);
    EXPECT_EQ(private_object, 42);
    EXPECT_EQ(bn_statics_find(program.units(), kBase, 0), nullptr) << "private objects have no place in the segment";
}

}  // namespace
