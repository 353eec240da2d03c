#include "lsp/settings.h"

#include <gtest/gtest.h>

namespace bn::lsp {
namespace {

using Texts = std::vector<std::string>;

TEST(Settings, WrongOnesAreNamedAndHaveTheirDefaults)
{
    const Json given = {{"arguments", "-Iinc"},
                        {"compileCommands", 3},
                        {"remarks", "maybe"},
                        {"runCompiler", "yes"},
                        {"debounce", "x"}};
    Texts troubles;
    Settings settings = settings_of(&given, "/", troubles);
    EXPECT_TRUE(settings.arguments.empty());
    EXPECT_EQ(settings.compile_commands, "");
    EXPECT_EQ(settings.remarks, Settings::Remarks::Inlay);
    EXPECT_TRUE(settings.runs_compiler);
    EXPECT_EQ(settings.debounce_ms, 150);
    EXPECT_EQ(troubles, (Texts{"upc.arguments is \"-Iinc\"; it has to be a list of strings, as [\"-T\", \"4\"]",
                               "upc.compileCommands is 3; it has to be the path of a folder or of a file",
                               "upc.remarks is \"maybe\"; it has to be inlay, hints or off",
                               "upc.runCompiler is \"yes\"; it has to be true or false",
                               "upc.debounce is \"x\"; it has to be a number of milliseconds"}));
}

TEST(Settings, RightOnes)
{
    const Json given = {{"upc",
                         {{"arguments", {"-T", "4"}},
                          {"compileCommands", "proc"},
                          {"remarks", "off"},
                          {"runCompiler", false},
                          {"debounce", 1e9}}}};
    Texts troubles;
    Settings settings = settings_of(&given, "/", troubles);
    EXPECT_EQ(settings.arguments, (Texts{"-T", "4"}));
    EXPECT_EQ(settings.compile_commands, "/proc");
    EXPECT_EQ(settings.remarks, Settings::Remarks::Off);
    EXPECT_FALSE(settings.runs_compiler);
    EXPECT_EQ(settings.debounce_ms, 60000);
    EXPECT_TRUE(troubles.empty());
}

TEST(Settings, MissingOnesAndNullAreDefaults)
{
    Texts troubles;
    for (const Json& given : {Json(), Json::object(), Json{{"upc", nullptr}}, Json{{"arguments", nullptr}}})
        EXPECT_EQ(settings_of(&given, "/", troubles).debounce_ms, 150);
    EXPECT_EQ(settings_of(nullptr, "/", troubles).debounce_ms, 150);
    EXPECT_TRUE(troubles.empty());
}

TEST(Settings, CompileCommandsThatAreNotThereAreNamed)
{
    const Json given = {{"compileCommands", "no/such"}};
    Texts troubles;
    EXPECT_EQ(settings_of(&given, "/folder", troubles).compile_commands, "/folder/no/such");
    EXPECT_EQ(troubles, Texts{"upc.compileCommands is no/such, but there is no /folder/no/such"});
}

}  // namespace
}  // namespace bn::lsp
