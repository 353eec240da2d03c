#include "platform/copy.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

namespace {

constexpr uint64_t kFarBit = uint64_t{1} << 62;

unsigned char far_memory[64];  // what the address kFarBit and the following ones stand for
int copies, begun, ended;

// The real address of a place, far or not
unsigned char* real(const void* place)
{
    uint64_t address = reinterpret_cast<uint64_t>(place);
    return address & kFarBit ? far_memory + (address - kFarBit) : reinterpret_cast<unsigned char*>(address);
}

void copy(void* dst, const void* src, size_t size_bytes)
{
    memcpy(real(dst), real(src), size_bytes);
    copies++;
}

bool is_mapped(const void* place)
{
    return (reinterpret_cast<uint64_t>(place) & kFarBit) == 0;
}

void copy_begin(void* dst, const void* src, size_t size_bytes)
{
    memcpy(real(dst), real(src), size_bytes);
    begun++;
}

void copies_end()
{
    ended++;
}

unsigned long long copied_bytes()
{
    return 77;
}

void* far_place(size_t offset)
{
    return reinterpret_cast<void*>(kFarBit + offset);
}

class Copy : public testing::Test {
protected:
    void SetUp() override
    {
        static const bn_far_mover mover = {copy, is_mapped, copy_begin, copies_end, copied_bytes};
        copies = begun = ended = 0;
        bn_far_set(kFarBit, &mover);
    }
    void TearDown() override { bn_far_set(0, nullptr); }
};

TEST_F(Copy, TheMoverTakesWhatMayBeFarAlone)
{
    char here[8] = "abcdefg", there[8] = "";
    bn_copy(there, here, sizeof here);
    EXPECT_STREQ(there, "abcdefg");
    EXPECT_EQ(copies, 0);
    bn_copy(far_place(3), here, sizeof here);
    EXPECT_EQ(memcmp(far_memory + 3, here, sizeof here), 0);
    memset(there, 0, sizeof there);
    bn_copy(there, far_place(3), sizeof there);
    EXPECT_STREQ(there, "abcdefg");
    EXPECT_EQ(copies, 2);
    bn_copy_begin(far_place(20), far_place(3), sizeof here);
    bn_copies_end();
    EXPECT_EQ(memcmp(far_memory + 20, here, sizeof here), 0);
    EXPECT_EQ(begun, 1);
    EXPECT_EQ(ended, 1);
    EXPECT_TRUE(bn_is_mapped(here));
    EXPECT_FALSE(bn_is_mapped(far_place(0)));
    EXPECT_EQ(bn_copied_far(), 77u);
}

TEST_F(Copy, WhatIsFarIsBroughtAndScratchGrows)
{
    bn_scratch scratch = {};
    char here[4] = "abc";
    EXPECT_EQ(bn_bring(here, sizeof here, &scratch), here);
    EXPECT_EQ(scratch.memory, nullptr);
    memcpy(far_memory, "0123456789", 10);
    const void* brought = bn_bring(far_place(1), 4, &scratch);
    EXPECT_EQ(memcmp(brought, "1234", 4), 0);
    EXPECT_EQ(scratch.size_bytes, 4u);
    EXPECT_EQ(memcmp(bn_bring(far_place(0), 10, &scratch), "0123456789", 10), 0);
    EXPECT_EQ(scratch.size_bytes, 10u);
    EXPECT_EQ(memcmp(bn_bring(far_place(5), 2, &scratch), "56", 2), 0);
    EXPECT_EQ(scratch.size_bytes, 10u);
    free(scratch.memory);
}

TEST(CopyWithoutFar, NothingIsFar)
{
    char here[4] = "abc", there[4] = "";
    bn_copy_begin(there, here, sizeof here);
    bn_copies_end();
    EXPECT_STREQ(there, "abc");
    EXPECT_EQ(bn_copied_far(), 0u);
    EXPECT_TRUE(bn_is_mapped(reinterpret_cast<void*>(kFarBit)));
}

}  // namespace
