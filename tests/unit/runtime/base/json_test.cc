#include "base/json.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

// Skips one value; returns whether it is valid JSON that nothing follows
bool is_json(const std::string& text)
{
    bn_json json = bn_json_begin(text.c_str());
    bn_json_skip(&json);
    return bn_json_end(&json);
}

TEST(Json, PassesOverValuesOfEachKind)
{
    for (const char* text : {"1", "-2.5e3", "\"a\\\"b\"", "true", "null", "[]", "{}", " [1, \"x\", [ ], {\"a\": {}}] ",
                             "{\"a\": 1, \"b\": [2]}"})
        EXPECT_TRUE(is_json(text)) << text;
}

TEST(Json, RefusesWhatIsCutOffOrFollowedByMore)
{
    for (const char* text : {"", "[", "[1", "[1,", "{\"a\"", "{\"a\":", "{\"a\": 1", "\"a", "\"a\\", "1 2", "[1 2]",
                             "{1: 2}", "]", "[1]]"})
        EXPECT_FALSE(is_json(text)) << text;
    EXPECT_FALSE(is_json(std::string(1000, '['))) << "deeper than anybody nests";
}

TEST(Json, ReadsAnObject)
{
    bn_json json = bn_json_begin("{\"name\": \"a\\nb\", \"other\": [1, {}], \"size\": 18446744073709551615}\n");
    char key[8], name[8];
    uint64_t size = 0;
    for (bn_json_enter(&json, '{'); bn_json_next(&json, '}');) {
        ASSERT_TRUE(bn_json_key(&json, key, sizeof key));
        if (std::string(key) == "name") {
            EXPECT_TRUE(bn_json_string(&json, name, sizeof name));
        } else if (std::string(key) == "size") {
            EXPECT_TRUE(bn_json_number(&json, &size));
        } else {
            bn_json_skip(&json);
        }
    }
    EXPECT_TRUE(bn_json_end(&json));
    EXPECT_STREQ(name, "a\nb");
    EXPECT_EQ(size, UINT64_MAX);
    EXPECT_EQ(bn_json_line(&json), 2);
}

TEST(Json, RefusesWhatDoesNotFit)
{
    char text[4];
    uint64_t number;
    bn_json json = bn_json_begin("\"abcd\"");
    EXPECT_FALSE(bn_json_string(&json, text, sizeof text));
    for (const char* wrong : {"18446744073709551616", "-1", "1.5", "x", "1e3"}) {
        json = bn_json_begin(wrong);
        EXPECT_FALSE(bn_json_number(&json, &number)) << wrong;
    }
}

std::string written(const char* text)
{
    char* memory = nullptr;
    size_t size_bytes = 0;
    FILE* file = open_memstream(&memory, &size_bytes);
    bn_json_write_string(file, text);
    fclose(file);
    std::string string(memory, size_bytes);
    free(memory);
    return string;
}

TEST(Json, WritesStrings)
{
    EXPECT_EQ(written(""), "\"\"");
    EXPECT_EQ(written("a \"b\" \\ \n\x1f\x7f"), "\"a \\\"b\\\" \\\\ \\u000a\\u001f\x7f\"");
    for (const char* text : {"\u00e4", "\u07ff\u0800", "\ud7ff\ue000\uffff", "\U00010000\U0010ffff"})
        EXPECT_EQ(written(text), std::string("\"") + text + "\"");
}

TEST(Json, WritesWhatIsNotUtf8AsReplacements)
{
    EXPECT_EQ(written("a\xff"), "\"a\\ufffd\"");
    EXPECT_EQ(written("\x80z"), "\"\\ufffdz\"");
    EXPECT_EQ(written("\xc3"), "\"\\ufffd\"") << "cut off";
    EXPECT_EQ(written("\xe2\x82z"), "\"\\ufffd\\ufffdz\"") << "cut off";
    EXPECT_EQ(written("\xc0\x80"), "\"\\ufffd\\ufffd\"") << "longer than it need be";
    EXPECT_EQ(written("\xe0\x9f\xbf"), "\"\\ufffd\\ufffd\\ufffd\"") << "longer than it need be";
    EXPECT_EQ(written("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\"") << "a surrogate";
    EXPECT_EQ(written("\xf4\x90\x80\x80"), "\"\\ufffd\\ufffd\\ufffd\\ufffd\"") << "beyond the last one";
}

}  // namespace
