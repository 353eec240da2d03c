#include "base/parse.h"

#include "mib.h"

#include <gtest/gtest.h>
#include <limits>
#include <string>

namespace {

uint64_t bytes_of(const char* text)
{
    uint64_t bytes = 0;
    EXPECT_TRUE(bn_parse_bytes(text, MiB, &bytes)) << text;
    return bytes;
}

bool is_size(const char* text)
{
    uint64_t bytes;
    return bn_parse_bytes(text, MiB, &bytes);
}

TEST(ParseBytes, ABareNumberCountsTheDefaultUnit)
{
    EXPECT_EQ(bytes_of("64"), 64 * MiB);
    EXPECT_EQ(bytes_of(" 1 "), MiB);
    EXPECT_EQ(bytes_of("0"), 0u);
}

TEST(ParseBytes, UnitsInAnyCaseAndForm)
{
    EXPECT_EQ(bytes_of("100B"), 100u);
    EXPECT_EQ(bytes_of("3k"), 3072u);
    EXPECT_EQ(bytes_of("3KB"), 3072u);
    EXPECT_EQ(bytes_of("3KiB"), 3072u);
    EXPECT_EQ(bytes_of("64MB"), 64 * MiB);
    EXPECT_EQ(bytes_of("2 gb"), 2048 * MiB);
    EXPECT_EQ(bytes_of("1T"), 1024 * 1024 * MiB);
}

TEST(ParseBytes, FractionsAreExact)
{
    EXPECT_EQ(bytes_of("1.5K"), 1536u);
    EXPECT_EQ(bytes_of("0.25G"), 256 * MiB);
    EXPECT_EQ(bytes_of("2.0M"), 2 * MiB);
}

TEST(ParseBytes, RefusesWhatIsNoSizeOrDoesNotFit)
{
    for (const char* text :
         {"", "M", "-1", "1X", "1MM", "12 34", "1e3", "0x10", "18446744073709551616", "99999999999T"})
        EXPECT_FALSE(is_size(text)) << text;
    EXPECT_TRUE(is_size("18446744073709551615B"));
}

TEST(FormatBytes, IsReadBackExactly)
{
    for (uint64_t bytes : {uint64_t{0}, uint64_t{1}, uint64_t{1000}, uint64_t{1024}, 3 * MiB, 1025 * MiB, MiB << 20,
                           std::numeric_limits<uint64_t>::max()}) {
        char text[24];
        bn_format_bytes(bytes, text, sizeof text);
        uint64_t again = 1;
        ASSERT_TRUE(bn_parse_bytes(text, 1, &again)) << text;
        EXPECT_EQ(again, bytes) << text;
    }
    char text[24];
    bn_format_bytes(64 * MiB, text, sizeof text);
    EXPECT_STREQ(text, "64M");
}

TEST(ParseSeconds, UnitsAndFractions)
{
    auto of = [](const char* text) {
        int64_t ns = -1;
        return bn_parse_seconds(text, &ns) ? ns : -1;
    };
    EXPECT_EQ(of("2"), 2000000000);
    EXPECT_EQ(of("0.5"), 500000000);
    EXPECT_EQ(of("250ms"), 250000000);
    EXPECT_EQ(of("3m"), 180000000000);
    EXPECT_EQ(of("1h"), 3600000000000);
    EXPECT_EQ(of("1d"), 86400000000000);
    EXPECT_EQ(of("soon"), -1);
    EXPECT_EQ(of("-3"), -1);
    EXPECT_EQ(of("9999999999999d"), -1);
}

TEST(ParseInt, WholeTextsOnly)
{
    int64_t value = 7;
    EXPECT_TRUE(bn_parse_int(" -12 ", &value));
    EXPECT_EQ(value, -12);
    for (const char* text : {"", " ", "1x", "1.5", "99999999999999999999"})
        EXPECT_FALSE(bn_parse_int(text, &value)) << text;
    EXPECT_EQ(value, -12);
}

TEST(ParseBool, Words)
{
    int64_t value = -1;
    for (const char* text : {"yes", "ON", "true", "1", "y", ""}) {
        EXPECT_TRUE(bn_parse_bool(text, &value)) << text;
        EXPECT_EQ(value, 1) << text;
    }
    for (const char* text : {"no", "off", "False", "0", "n"}) {
        EXPECT_TRUE(bn_parse_bool(text, &value)) << text;
        EXPECT_EQ(value, 0) << text;
    }
    EXPECT_FALSE(bn_parse_bool("maybe", &value));
    EXPECT_FALSE(bn_parse_bool("2", &value));
}

TEST(ParseChoice, GivesThePlace)
{
    int64_t place = -1;
    EXPECT_TRUE(bn_parse_choice("core", "auto|none|core|numa", &place));
    EXPECT_EQ(place, 2);
    EXPECT_TRUE(bn_parse_choice("NUMA", "auto|none|core|numa", &place));
    EXPECT_EQ(place, 3);
    for (const char* text : {"", "cor", "cores", "none|core"})
        EXPECT_FALSE(bn_parse_choice(text, "auto|none|core|numa", &place)) << text;
}

}  // namespace
