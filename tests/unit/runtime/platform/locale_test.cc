#include "platform/locale.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

std::string half()
{
    char text[16];
    std::snprintf(text, sizeof text, "%.1f", 0.5);
    return text;
}

}  // namespace

TEST(Locale, PlainNumbersHaveAPoint)
{
    std::string folder = testing::TempDir() + "/banyan-locale-" + std::to_string(getpid());
    std::filesystem::create_directories(folder);
    bool is_made =
        std::system(("localedef -i de_DE -f UTF-8 " + folder + "/de_DE.UTF-8 >/dev/null 2>&1").c_str()) == 0 &&
        setenv("LOCPATH", folder.c_str(), 1) == 0 && std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
    std::filesystem::remove_all(folder);
    if (!is_made)
        GTEST_SKIP() << "localedef makes no locale de_DE.UTF-8 here";
    EXPECT_EQ(half(), "0,5");
    struct bn_locale locale = bn_locale_use_plain();
    EXPECT_EQ(half(), "0.5");
    bn_locale_restore(locale);
    EXPECT_EQ(half(), "0,5");
    std::setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
}
