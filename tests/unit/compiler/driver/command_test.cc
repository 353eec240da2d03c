#include "driver/command.h"

#include <gtest/gtest.h>

#include "driver/file.h"

namespace bn::driver {
namespace {

using Arguments = std::vector<std::string>;

// /dev/null stands for a source that exists.
Command parsed(Arguments arguments)
{
    Command command;
    arguments.push_back("-xupc");
    arguments.push_back("/dev/null");
    EXPECT_TRUE(parse_command(arguments, command));
    return command;
}

TEST(Command, FlagsReachTheirSteps)
{
    Command command = parsed({"-DA", "-I", "dir", "-O2", "-Wa,x", "-g3", "-std=c11"});
    EXPECT_EQ(command.preprocess_flags, (Arguments{"-DA", "-I", "dir", "-O2", "-g", "-std=c11"}));
    EXPECT_EQ(command.compile_flags, (Arguments{"-O2", "-Wa,x", "-g3", "-std=c11"}));
    EXPECT_EQ(command.source_flags, (Arguments{"-DA", "-I", "dir", "-O2", "-Wa,x", "-g3", "-std=c11"}));
}

TEST(Command, OrderOfTheLinkIsKept)
{
    Command command = parsed({"-lfirst", "-Wl,--start-group", "-L", "dir"});
    Arguments items;
    for (const LinkItem& item : command.link_items)
        items.push_back(item.input == LinkItem::kNoInput ? item.argument : command.inputs[item.input].path);
    EXPECT_EQ(items, (Arguments{"-lfirst", "-Wl,--start-group", "-L", "dir", "/dev/null"}));
}

TEST(Command, EarliestModeWins)
{
    EXPECT_EQ(parsed({}).mode, Mode::Link);
    EXPECT_EQ(parsed({"-c"}).mode, Mode::Compile);
    EXPECT_EQ(parsed({"-c", "-S"}).mode, Mode::Assembly);
    EXPECT_EQ(parsed({"-S", "-c"}).mode, Mode::Assembly);
    EXPECT_EQ(parsed({"-trans", "-c"}).mode, Mode::Translate);
    EXPECT_EQ(parsed({"-MM", "-trans"}).mode, Mode::Preprocess);
}

TEST(Command, SizesOfHeaps)
{
    EXPECT_EQ(parsed({"-shared-heap=3"}).shared_heap_bytes, uint64_t(3) << 20);
    EXPECT_EQ(parsed({"-shared-heap=3kb"}).shared_heap_bytes, uint64_t(3) << 10);
    EXPECT_EQ(parsed({"-shared-heap", "3GB"}).shared_heap_bytes, uint64_t(3) << 30);
    EXPECT_EQ(parsed({"-shared-heap=1.5 GiB"}).shared_heap_bytes, uint64_t(3) << 29);
    EXPECT_EQ(parsed({"-shared-heap=64G"}).shared_heap_bytes, uint64_t(1) << 36);
    EXPECT_FALSE(parsed({}).shared_heap_bytes.has_value());
}

TEST(Command, PassesForOtherSystems)
{
    EXPECT_EQ(parsed({}).compat, "");
    EXPECT_EQ(parsed({"-compat=bupc"}).compat, "bupc");
    EXPECT_EQ(parsed({"--compat", "gupc"}).compat, "gupc");
    EXPECT_FALSE(parsed({"-compat=bupc"}).old_words);
    Command both = parsed({"-compat=bupc", "-compat=upc-1.0"});
    EXPECT_TRUE(both.old_words);
    EXPECT_EQ(both.compat, "bupc");
    Command command;
    EXPECT_FALSE(parse_command({"-compat=cray", "-xupc", "/dev/null"}, command));
    EXPECT_FALSE(parse_command({"-compat=", "-xupc", "/dev/null"}, command));
}

TEST(Command, DiagnosticsFollowTheFlags)
{
    Command command = parsed({"-Werror", "-Wno-pragmas", "-fmax-errors=7", "-fdiagnostics-color=always"});
    EXPECT_TRUE(command.diagnostics.warnings_are_errors);
    EXPECT_TRUE(command.diagnostics.warnings);
    EXPECT_TRUE(command.diagnostics.colour);
    EXPECT_EQ(command.diagnostics.max_errors, 7u);
    EXPECT_EQ(command.diagnostics.warning_flags, (Arguments{"-Wno-pragmas"}));
    EXPECT_FALSE(parsed({"-Werror", "-Wno-error"}).diagnostics.warnings_are_errors);
    EXPECT_FALSE(parsed({"-w"}).diagnostics.warnings);
    EXPECT_EQ(parsed({"-ferror-limit=2"}).diagnostics.max_errors, 2u);
}

TEST(Command, StandardsDecideOnGnuKeywords)
{
    EXPECT_TRUE(parsed({}).has_gnu_keywords);
    EXPECT_TRUE(parsed({"-std=gnu11"}).has_gnu_keywords);
    EXPECT_TRUE(parsed({"-std=c11", "-fasm"}).has_gnu_keywords);
    for (const char* flag : {"-std=c11", "-std=iso9899:2011", "-ansi", "-fno-asm"})
        EXPECT_FALSE(parsed({flag}).has_gnu_keywords) << flag;
}

TEST(Command, PlacesOfKeptFiles)
{
    for (const char* flag : {"-save-temps", "--save-temps", "-save-temps=obj", "-save-all-temps"})
        EXPECT_EQ(parsed({flag}).save_temps, SaveTemps::BesideOutput) << flag;
    EXPECT_EQ(parsed({"-save-temps=cwd"}).save_temps, SaveTemps::CurrentDirectory);
    EXPECT_EQ(parsed({}).save_temps, SaveTemps::No);
}

TEST(Command, ThreadsOfAProcessShareTheCountsOfAProfile)
{
    const std::string shares = "-fprofile-update=prefer-atomic";
    for (const char* flag : {"--coverage", "-fprofile-generate=dir", "-fprofile-instr-generate"}) {
        Command command = parsed({flag, "-fprofile-update=single", "-pthreads"});
        EXPECT_EQ(command.compile_flags, (Arguments{shares, flag, "-fprofile-update=single"}));
        EXPECT_EQ(command.source_flags, command.compile_flags);
        EXPECT_EQ(parsed({flag, "-pthreads", "-nopthreads"}).compile_flags, Arguments{flag});
    }
    EXPECT_EQ(parsed({"-pthreads"}).compile_flags, Arguments{});
}

TEST(Command, LongSpellings)
{
    Command command = parsed({"--define-macro", "A", "--optimize=2", "--compile", "--output=x", "--for-linker=-s"});
    EXPECT_EQ(command.source_flags, (Arguments{"-D", "A", "-O2"}));
    EXPECT_EQ(command.mode, Mode::Compile);
    EXPECT_EQ(command.output, "x");
    EXPECT_EQ(command.link_items[2].argument, "-s");
    // The values of other options stay as they are.
    EXPECT_EQ(parsed({"-Xlinker", "--output=x"}).link_items[1].argument, "--output=x");
}

TEST(Command, CoverageByTextIsForC)
{
    EXPECT_FALSE(fits_upc(parsed({"-fcoverage-mapping"}), "a.upc"));
    EXPECT_TRUE(fits_upc(parsed({"-fcoverage-mapping", "-fno-coverage-mapping"}), "a.upc"));
}

TEST(Command, ExtensionsOfMicrosoftAndPlan9)
{
    EXPECT_TRUE(parsed({"-fms-extensions"}).has_ms_extensions);
    EXPECT_TRUE(parsed({"-fplan9-extensions"}).has_ms_extensions);
    EXPECT_FALSE(parsed({"-fms-extensions", "-fno-ms-extensions"}).has_ms_extensions);
    EXPECT_FALSE(parsed({}).has_ms_extensions);
}

TEST(SplitArguments, QuotesAndBackslashes)
{
    EXPECT_EQ(split_arguments(" a\t'b c'\n\"d e\" f\\ g 'h\\i' \"j\\\"k\" '' l'm'n "),
              (Arguments{"a", "b c", "d e", "f g", "h\\i", "j\"k", "", "lmn"}));
    EXPECT_EQ(split_arguments(""), Arguments{});
    EXPECT_EQ(split_arguments("'never ends"), (Arguments{"never ends"}));
}

TEST(FileNames, Parts)
{
    EXPECT_EQ(directory_of("a/b/c.upc"), "a/b");
    EXPECT_EQ(directory_of("c.upc"), ".");
    EXPECT_EQ(directory_of("/c.upc"), "/");
    EXPECT_EQ(stem_of("a.b/c.d.upc"), "c.d");
    EXPECT_EQ(suffix_of("a.b/c.d.upc"), ".upc");
    EXPECT_EQ(suffix_of("a.b/c"), "");
    EXPECT_EQ(stem_of(".hidden"), ".hidden");
    EXPECT_EQ(stem_of("-"), "-");
}

}  // namespace
}  // namespace bn::driver
