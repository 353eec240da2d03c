#include "driver/names.h"

#include <gtest/gtest.h>

namespace bn::driver {
namespace {

using Names = std::vector<std::string>;

Command command_for(Mode mode, const std::string& output, const Names& paths)
{
    Command command;
    command.mode = mode;
    command.output = output;
    for (const std::string& path : paths)
        command.inputs.push_back({.path = path, .language = path.ends_with(".o") ? Language::Object : Language::Upc});
    return command;
}

Names kept(Mode mode, const std::string& output, const Names& paths, SaveTemps where = SaveTemps::BesideOutput)
{
    Command command = command_for(mode, output, paths);
    command.save_temps = where;
    Names names;
    for (const Input& input : command.inputs)
        names.push_back(kept_file(command, input, ".i"));
    return names;
}

// Each source's "FILE TARGET"
Names rules(Mode mode, const std::string& output, const Names& paths)
{
    Command command = command_for(mode, output, paths);
    Names names;
    for (const Input& input : command.inputs)
        if (input.language != Language::Object)
            names.push_back(dependency_file(command, input) + " " + rule_target(command, input));
    return names;
}

TEST(Names, KeptFilesAreNamedAfterTheResult)
{
    EXPECT_EQ(kept(Mode::Compile, "", {"s/a.upc", "s/b.c.upc"}), (Names{"a.i", "b.c.i"}));
    EXPECT_EQ(kept(Mode::Compile, "o/a.upc.o", {"s/a.upc"}), Names{"o/a.upc.i"});
    EXPECT_EQ(kept(Mode::Assembly, "x", {"s/a.upc"}), Names{"x.i"});
    EXPECT_EQ(kept(Mode::Compile, "-x.o", {"a.upc"}), Names{"./-x.i"});
    EXPECT_EQ(kept(Mode::Compile, "", {"./@x.upc"}), Names{"./@x.i"});
    EXPECT_EQ(kept(Mode::Compile, "o/a.upc.o", {"s/a.upc"}, SaveTemps::CurrentDirectory), Names{"a.upc.i"});
    EXPECT_EQ(kept(Mode::Assembly, "-", {"s/a.upc"}), Names{"a.i"});
    EXPECT_EQ(kept(Mode::Compile, "/dev/null", {"s/a.upc"}), Names{"a.i"});
}

TEST(Names, KeptFilesOfALinkAreNamedAfterBoth)
{
    EXPECT_EQ(kept(Mode::Link, "", {"heat.upc"}), Names{"./a-heat.i"});
    EXPECT_EQ(kept(Mode::Link, "o/prog.2", {"x/a.upc", "b.upc", "y/a.upc"}),
              (Names{"o/prog.2-a.i", "o/prog.2-b.i", "o/prog.2-a-2.i"}));
    EXPECT_EQ(kept(Mode::Link, "o/a", {"s/a.upc"}), Names{"o/a.i"});
    EXPECT_EQ(kept(Mode::Link, "o/a", {"s/a.upc", "b.upc"}), (Names{"o/a-a.i", "o/a-b.i"}));
    EXPECT_EQ(kept(Mode::Link, "o/a", {"s/a.upc"}, SaveTemps::CurrentDirectory), Names{"a.i"});
    EXPECT_EQ(kept(Mode::Link, "o/x", {"s/a.upc"}, SaveTemps::CurrentDirectory), Names{"x-a.i"});
}

TEST(Names, RulesAreAboutTheResult)
{
    EXPECT_EQ(rules(Mode::Compile, "", {"s/a.upc", "b.upc"}), (Names{"a.d a.o", "b.d b.o"}));
    EXPECT_EQ(rules(Mode::Compile, "o/x.o", {"s/a.upc"}), Names{"o/x.d o/x.o"});
    EXPECT_EQ(rules(Mode::CheckSyntax, "o/x.o", {"s/a.upc"}), Names{"o/x.d o/x.o"});
    EXPECT_EQ(rules(Mode::Preprocess, "o/x.i", {"s/a.upc"}), Names{"o/x.d a.o"});
    EXPECT_EQ(rules(Mode::Link, "", {"s/a.upc"}), Names{"a.d a.o"});
    EXPECT_EQ(rules(Mode::Link, "o/x.so", {"s/a.upc", "b.o"}), Names{"o/x.d o/x.so"});
    EXPECT_EQ(rules(Mode::Link, "o/x", {"x/a.upc", "y/a.upc"}), (Names{"o/x-a.d o/x", "o/x-a-2.d o/x"}));
}

}  // namespace
}  // namespace bn::driver
