#include "source/prefix_map.h"

#include <gtest/gtest.h>

namespace bn::source {
namespace {

TEST(PrefixMap, LeavesNamesWithoutOptions)
{
    EXPECT_EQ(PrefixMap().apply("/a/b.upc"), "/a/b.upc");
}

TEST(PrefixMap, TheLastOneThatFitsCounts)
{
    PrefixMap map;
    map.add("/folders/me=/src");
    map.add("/folders/me/project=.");
    map.add("/folders/you=/other");
    map.add("nothing");
    EXPECT_EQ(map.apply("/folders/me/a.upc"), "/src/a.upc");
    EXPECT_EQ(map.apply("/folders/me/project/a.upc"), "./a.upc");
    map.add("/folders/me=");
    EXPECT_EQ(map.apply("/folders/me/project/a.upc"), "/project/a.upc");
    EXPECT_EQ(map.apply("a.upc"), "a.upc");
}

TEST(PrefixMap, DividesAtTheLastSign)
{
    PrefixMap map;
    map.add("/a=b=c");
    EXPECT_EQ(map.apply("/a=b/x"), "c/x");
}

}  // namespace
}  // namespace bn::source
