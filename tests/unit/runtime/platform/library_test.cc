#include "platform/library.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace {

TEST(Library, IsLoadedOrNotThere)
{
    EXPECT_EQ(bn_library_open("libbanyan-that-nobody-has.so.0"), nullptr);
    void* library = bn_library_open("libc.so.6");
    if (!library)
        GTEST_SKIP() << "there is no libc.so.6, or this is a static executable";
    auto absolute = reinterpret_cast<int (*)(int)>(bn_library_symbol(library, "abs"));
    ASSERT_NE(absolute, nullptr);
    EXPECT_EQ(absolute(-3), 3);
    EXPECT_EQ(bn_library_symbol(library, "no such function"), nullptr);
}

}  // namespace
