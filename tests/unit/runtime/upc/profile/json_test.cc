#include "made_up.h"

#include <gtest/gtest.h>

namespace {

bool has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST(ProfileJson, HasAllNumbers)
{
    std::string json = MadeUp().written(bn_profile_write_json);
    EXPECT_TRUE(has(json, "{\"schema\": \"banyan-profile-1\", \"program\": \"a \\\"program\\\"\", \"threads\": 2, "
                          "\"nodes\": 2, \"ended_early\": false"))
        << json;
    EXPECT_TRUE(has(json, "\"operation\": \"get\", \"group\": \"copies\", \"calls\": 40, \"bytes\": 4000, \"ms\": "
                          "4.000000, \"to\": {\"own\": {\"calls\": 10, \"bytes\": 1000}"))
        << json;
    EXPECT_TRUE(has(json, "\"threads\": {\"calls\": [10, 30], \"bytes\": [1000, 3000], \"ms\": [1.000000, 3.000000]}"));
    EXPECT_TRUE(has(json, "\"ways\": [{\"way\": \"push/flat/whole\", \"calls\": 4"));
    EXPECT_TRUE(has(json, "\"moved_bytes\": [\n    [0, 0],\n    [1300, 0]\n  ]"));
    EXPECT_FALSE(has(json, "barrier"));
}

// Places whose text nobody has looked up have none.
TEST(ProfileJson, LeavesOutPlacesWithoutText)
{
    MadeUp made_up;
    made_up.places[1].text[0] = '\0';
    std::string json = made_up.written(bn_profile_write_json);
    EXPECT_FALSE(has(json, "\"place\": \"\""));
    EXPECT_TRUE(has(json, "long/name.upc:42\", \"operation\": \"broadcast\", \"calls\": 4"));
}
