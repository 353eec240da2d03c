#include "pgas/declared.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

namespace {

struct Handle {
    bn_shared_t handle = nullptr;
};

// A declaration of int[n], or of something else with this form
bn_declared declares(bn_u64 elements, const char* form = "i4", bn_u64 block = 1)
{
    return {nullptr, "a", "type", form, "x.upc", 1, elements, 0, block};
}

bn_declared defines(Handle& object, bn_u64 elements, const char* form = "i4", bn_u64 block = 1)
{
    bn_declared result = declares(elements, form, block);
    result.handle = &object.handle;
    result.file = "y.upc";
    return result;
}

bn_declared by_threads(bn_declared declared)
{
    declared.times_threads = 1;
    return declared;
}

class Units {
public:
    // Units with one declaration each
    explicit Units(std::vector<bn_declared> declared) : declared_(std::move(declared))
    {
        for (const bn_declared& each : declared_)
            add(static_cast<bn_u32>(BN_ABI) | static_cast<bn_u32>(BN_ABI_DECLARES), &each);
    }
    void add(bn_u32 abi, const bn_declared* declared)
    {
        units_.push_back({abi, 0, "unit", nullptr, nullptr, nullptr, declared, 1});
        if (units_.size() > 1)
            units_[units_.size() - 2].next = &units_.back();
    }
    bool agrees(int static_threads = 0) const { return bn_declared_check(&units_[0], static_threads) == BN_OK; }

private:
    std::vector<bn_declared> declared_;
    std::deque<bn_unit> units_;
};

TEST(Declared, NumbersOfElementsDiffer)
{
    Handle a;
    EXPECT_TRUE(Units({declares(10), defines(a, 10), declares(0)}).agrees());
    EXPECT_TRUE(Units({declares(10), defines(a, 11)}).agrees());
    EXPECT_FALSE(Units({declares(11), defines(a, 10)}).agrees());
    EXPECT_TRUE(Units({declares(10), declares(11)}).agrees()) << "how many there are is not known";
    bn_declared other = declares(11);
    other.name = "b";
    EXPECT_TRUE(Units({declares(10), other, defines(a, 10)}).agrees());
}

TEST(Declared, BlockSizesDiffer)
{
    Handle a;
    EXPECT_FALSE(Units({defines(a, 10), declares(10, "i4", 5)}).agrees());
    EXPECT_FALSE(Units({declares(10, "i4", 0), declares(10)}).agrees());
}

TEST(Declared, TheMessageNamesBoth)
{
    Handle a;
    bn_declared first = defines(a, 10);
    bn_declared second = declares(10, "f4");
    first.type = "shared int[10]";
    second.type = "shared float[10]";
    second.line = 7;
    testing::internal::CaptureStderr();
    EXPECT_FALSE(Units({second, first}).agrees());
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "banyan: shared object 'a' is 'shared int[10]' in y.upc:1, but 'shared float[10]' in x.upc:7; give all "
              "its declarations one type\n");
}

TEST(Declared, TheMessageForOneNameOfTwoTypes)
{
    Handle a;
    testing::internal::CaptureStderr();
    EXPECT_FALSE(Units({defines(a, 10, "{i4,i4}"), declares(10, "{i4,f4}")}).agrees());
    std::string said = testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find("in y.upc:1 and in x.upc:1, but these do not agree on what that type is"), said.npos) << said;
}

TEST(Declared, SizesOfTentativeDefinitionsMayDiffer)
{
    Handle a;
    EXPECT_TRUE(Units({defines(a, 10), declares(20), defines(a, 20)}).agrees());
    EXPECT_FALSE(Units({defines(a, 10), declares(21), defines(a, 20)}).agrees());
    EXPECT_FALSE(Units({defines(a, 10), defines(a, 10, "f4")}).agrees());
}

TEST(Declared, UnitsForAFixedNumberOfThreadsAndForAny)
{
    Handle a;
    Units program({defines(a, 40), by_threads(declares(10))});
    EXPECT_TRUE(program.agrees(4));
    EXPECT_FALSE(program.agrees(5));
    EXPECT_TRUE(program.agrees()) << "40 * THREADS may be enough";
}

TEST(Declared, FormsThatMatchAnything)
{
    Handle a;
    auto agree = [&](const char* first, const char* second) {
        return Units({defines(a, 1, first), declares(1, second)}).agrees() &&
               Units({declares(1, second), declares(1, first)}).agrees();
    };
    EXPECT_TRUE(agree("?", "{i4,{a3:f8,P5:i4},i8}"));
    EXPECT_TRUE(agree("{i4,?,i8}", "{i4,{a3:f8,P5:i4},i8}"));
    EXPECT_TRUE(agree("{i4,{a3:?,P?},i8}", "{i4,{a3:{i1,i2},P5:i4},i8}"));
    EXPECT_TRUE(agree("P?", "P0:P4:?"));
    EXPECT_FALSE(agree("{i4,?,i8}", "{i4,{a3:f8,P5:i4},i8,i8}"));
    EXPECT_FALSE(agree("{i4,?,i8}", "{i4,i8}"));
    EXPECT_FALSE(agree("P?", "i8"));
    EXPECT_FALSE(agree("i1", "i16"));
}

// Libraries may each hide an object of this name.
TEST(Declared, NamesOfSeveralObjects)
{
    Handle a, b;
    EXPECT_TRUE(Units({defines(a, 10), declares(11), defines(b, 11, "f8")}).agrees());
}

TEST(Declared, UnitsOfOlderCompilers)
{
    Handle a;
    Units program({defines(a, 10)});
    bn_declared not_there = declares(20);
    program.add(BN_ABI, &not_there);
    EXPECT_TRUE(program.agrees());
}

}  // namespace
