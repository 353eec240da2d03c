#include "lsp/commands.h"

#include <gtest/gtest.h>

#include "lsp/words.h"

namespace bn::lsp {
namespace {

using Arguments = std::vector<std::string>;

TEST(Commands, OptionsAreWhatTheTextDependsOn)
{
    EXPECT_EQ(options_of({"/usr/bin/cc", "-DX=1", "-I", "dir", "-MD", "-MF", "a.d", "-o", "a.o", "-c", "../a.upc"},
                         "/src/a.upc", "/src/build"),
              (Arguments{"-DX=1", "-I", "dir"}));
    EXPECT_EQ(options_of({"ccache", "/opt/upcc", "-cc", "gcc", "-T", "4", "/src/a.upc"}, "/src/a.upc", "/"),
              (Arguments{"-cc", "gcc", "-T", "4"}));
    EXPECT_EQ(options_of({"upcc"}, "/a.upc", "/"), Arguments());
    EXPECT_EQ(options_of({}, "/a.upc", "/"), Arguments());
    EXPECT_EQ(options_of({"upcc", "-o"}, "/a.upc", "/"), Arguments());
}

TEST(Commands, FilesThatNobodyKnowsHaveThoseOfSettings)
{
    Commands commands({.include_dir = "/i", .library_dir = "/l", .share_dir = "/s", .compiler = {"cc"}});
    Settings settings;
    settings.arguments = {"-T", "3", "-cc", "other"};
    CompileCommand command = commands.of("/no/such/folder/part.uph", settings);
    EXPECT_EQ(command.trouble, "");
    EXPECT_EQ(command.directory, "/no/such/folder");
    EXPECT_EQ(command.command.static_threads, 3);
    EXPECT_EQ(command.installation.compiler, Arguments{"other"});
    ASSERT_EQ(command.command.inputs.size(), 1u);
    EXPECT_EQ(command.command.inputs[0].path, "/no/such/folder/part.uph");
    EXPECT_TRUE(command.command.inputs[0].is_header);
}

TEST(Commands, OptionsThatUpccDoesNotTakeAreLeftOutWithAReason)
{
    Commands commands({.include_dir = "/i", .library_dir = "/l", .share_dir = "/s", .compiler = {"cc"}});
    for (const Arguments& wrong :
         {Arguments{"-no-such"}, Arguments{"--version"}, Arguments{"other.upc"}, Arguments{"-T"}}) {
        Settings settings;
        settings.arguments = wrong;
        CompileCommand command = commands.of("/a.upc", settings);
        EXPECT_NE(command.trouble, "") << wrong[0];
        EXPECT_FALSE(command.trouble.ends_with(": ")) << wrong[0];
        EXPECT_EQ(command.command.inputs.size(), 1u);
    }
    Settings settings;
    settings.arguments = {"-x", "upc", "/dev/null"};
    EXPECT_EQ(commands.of("/no/such/folder/a.upc", settings).trouble,
              "the options of /no/such/folder/a.upc are left out: they are for the folder /no/such/folder, which is "
              "not there");
}

TEST(Words, EachHasAMeaning)
{
    for (const Word& word : words_of_upc()) {
        EXPECT_FALSE(word.meaning.empty()) << word.text;
        EXPECT_EQ(word_of_upc(word.text), &word);
    }
    EXPECT_EQ(word_of_upc("int"), nullptr);
#define BN_TOKEN(name, spelling)
#define BN_UPC_KEYWORD(name, spelling) EXPECT_NE(word_of_upc(spelling), nullptr) << spelling;
#include "lex/tokens.def"
}

}  // namespace
}  // namespace bn::lsp
