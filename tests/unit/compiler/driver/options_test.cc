#include "driver/options.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace bn::driver {
namespace {

// "spelling|value" of the row that an argument finds, with "!" where no value was joined
std::string found(std::string_view argument)
{
    std::string_view value;
    bool has_value = false;
    const Option* option = find_option(argument, value, has_value);
    if (option == nullptr)
        return "none";
    return std::string(option->spelling) + "|" + (has_value ? std::string(value) : "!");
}

TEST(Options, LongestSpellingWins)
{
    EXPECT_EQ(found("-fsanitize=thread"), "-fsanitize=|thread");
    EXPECT_EQ(found("-fsanitize-recover"), "-f|sanitize-recover");
    EXPECT_EQ(found("-MMD"), "-MMD|!");
    EXPECT_EQ(found("-Wl,-x"), "-Wl,|-x");
    EXPECT_EQ(found("-Wlogical-op"), "-W|logical-op");
    EXPECT_EQ(found("-print-include-dir"), "-print-include-dir|!");
    EXPECT_EQ(found("-print-search-dirs"), "-print-|search-dirs");
    EXPECT_EQ(found("-static-pie"), "-static-pie|!");
    EXPECT_EQ(found("-static-libubsan"), "-static-lib|ubsan");
    EXPECT_EQ(found("-dumpbase-ext"), "-dumpbase-ext|!");
    EXPECT_EQ(found("-opt"), "-opt|!");
    EXPECT_EQ(found("-out"), "-o|ut");
}

TEST(Options, ValuesAreJoinedOrSeparate)
{
    EXPECT_EQ(found("-I"), "-I|!");
    EXPECT_EQ(found("-Idir"), "-I|dir");
    EXPECT_EQ(found("-T=4"), "-T|=4");
    EXPECT_EQ(found("-network"), "-network|!");
    EXPECT_EQ(found("-network="), "-network|");
    EXPECT_EQ(found("-network=smp"), "-network|smp");
    EXPECT_EQ(found("-g"), "-g|");
    EXPECT_EQ(found("-pthreads=2"), "-pthreads|2");
}

TEST(Options, TwoDashesFitLongOptions)
{
    EXPECT_EQ(found("--network=smp"), "-network|smp");
    EXPECT_EQ(found("--pthreads"), "-pthreads|!");
    EXPECT_EQ(found("--sysroot=/"), "--sysroot|/");
    EXPECT_EQ(found("--Idir"), "none");
    EXPECT_EQ(found("--c"), "none");
    EXPECT_EQ(found("--unheard-of"), "none");
}

TEST(Options, UnknownOnesAreNotSwallowedByPrefixes)
{
    for (const char* argument :
         {"-networks", "-trace-all", "-transl", "-staticc", "-version2", "-e1", "-uses-mpii", "-"})
        EXPECT_EQ(found(argument), "none") << argument;
}

TEST(Options, NearestIsSuggested)
{
    EXPECT_EQ(nearest_option("-netwrok=smp"), "-network");
    EXPECT_EQ(nearest_option("--netork"), "-network");
    EXPECT_EQ(nearest_option("-svae-temps"), "-save-temps");
    EXPECT_EQ(nearest_option("-qqqqqqqqqq"), "");
    EXPECT_EQ(nearest_option("-q"), "");
    EXPECT_EQ(nearest_option(std::string(100000, '-')), "");
}

TEST(Options, RowsAreSound)
{
    std::set<std::string_view> spellings;
    for (const Option& option : option_table()) {
        EXPECT_TRUE(spellings.insert(option.spelling).second) << option.spelling;
        EXPECT_EQ(option.spelling[0], '-');
        bool is_explained =
            option.action == Action::Note || option.action == Action::Warn || option.action == Action::Refuse;
        EXPECT_EQ(option.group == Group::Unlisted && !is_explained, option.text.empty()) << option.spelling;
        if (option.action == Action::Pass) {
            EXPECT_NE(option.steps, 0) << option.spelling;
        }
    }
}

}  // namespace
}  // namespace bn::driver
