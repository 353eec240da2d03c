#include "diag/text.h"

#include "diag/diag_fixture.h"

namespace bn::diag {
namespace {

using TextTest = DiagTest;

TEST_F(TextTest, MessagesAreValuesFirst)
{
    load("int a, b;\n");
    Diagnostics diagnostics(tokens_, {});
    diagnostics.report(Id::Expected, {token("a"), token("b"), token("b")}, {"X", "Y"});
    diagnostics.report(Id::PreviousDeclaration, token("a"), {"a", "'int'"});
    const std::vector<Message>& messages = diagnostics.messages();
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_EQ(messages[0].id, Id::Expected);
    EXPECT_EQ(name_of(*messages[0].id), "Expected");
    EXPECT_EQ(messages[0].severity, Severity::Error);
    EXPECT_EQ(messages[0].text, "expected X before Y");
    EXPECT_EQ(messages[0].file, "t.upc");
    EXPECT_EQ(messages[0].spot.line, 1u);
    EXPECT_EQ(messages[0].spot.first, 4u);
    EXPECT_EQ(messages[0].spot.end, 8u);
    EXPECT_EQ(messages[0].spot.caret, 7u);
    EXPECT_EQ(messages[1].severity, Severity::Note);
    EXPECT_EQ(messages[1].label, "note");
}

TEST_F(TextTest, TheTextIsMadeOfThem)
{
    load("int a;\n");
    Diagnostics diagnostics(tokens_, {});
    diagnostics.report(Id::Expected, token("a"), {"X", "Y"});
    diagnostics.retell("fatal error", {token("a"), token("a"), token("a")}, "so it is [-Wthat]");
    Options options;
    Text text(*source_, options);
    for (const Message& message : diagnostics.messages())
        text.add(message);
    EXPECT_EQ(text.text(), diagnostics.output());
    EXPECT_NE(text.text().find("t.upc:1:5: fatal error: so it is [-Wthat]\n"), std::string::npos);
}

TEST_F(TextTest, NotesStandAboveTheLineThatEndsTheOutput)
{
    load("int a, b;\n");
    Diagnostics diagnostics(tokens_, {.max_errors = 1});
    diagnostics.report(Id::Expected, token("a"), {"X", "Y"});
    std::string before = diagnostics.output();
    diagnostics.report(Id::PreviousDeclaration, token("b"), {"b", "'int'"});
    std::string end = "compilation terminated due to -fmax-errors=1.\n";
    EXPECT_TRUE(before.ends_with(end));
    EXPECT_TRUE(diagnostics.output().ends_with(end));
    EXPECT_NE(diagnostics.output().find(": note: 'b' was declared"), std::string::npos);
    EXPECT_EQ(diagnostics.messages().size(), 2u);
}

TEST_F(TextTest, RemarksComeLastInTheOrderOfTheSource)
{
    load("int a, b;\n");
    Diagnostics diagnostics(tokens_, {.remarks = Remarks::Text});
    diagnostics.report(Id::LoopInner, token("b"));
    diagnostics.report(Id::LoopInner, token("a"));
    diagnostics.report(Id::BadPragma, token("b"));
    const std::vector<Message>& messages = diagnostics.messages();
    ASSERT_EQ(messages.size(), 3u);
    EXPECT_EQ(messages[0].option, "-Wunknown-pragmas");
    EXPECT_EQ(messages[1].spot.first, 4u);
    EXPECT_TRUE(is_remark(messages[2].severity));
    EXPECT_EQ(messages[2].label, "optimized");
}

}  // namespace
}  // namespace bn::diag
