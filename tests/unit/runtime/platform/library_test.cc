#include "platform/library.h"

#include <cstdlib>
#include <dlfcn.h>
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

TEST(Library, StaysIfKept)
{
    static const char name[] = "libresolv.so.2";
    if (dlopen(name, RTLD_LAZY | RTLD_NOLOAD))
        GTEST_SKIP() << name << " is part of this program";
    for (bool is_kept : {false, true}) {
        void* library = bn_library_open(name);
        if (!library)
            GTEST_SKIP() << "there is no " << name;
        void* function = dlsym(library, "inet_net_pton");
        ASSERT_NE(function, nullptr);
        if (is_kept)
            bn_library_keep(function);
        bn_library_keep(&name);
        dlclose(library);
        EXPECT_EQ(dlopen(name, RTLD_LAZY | RTLD_NOLOAD) != nullptr, is_kept);
    }
}

}  // namespace
