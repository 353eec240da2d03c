#include "lex/lex.h"

#include <gtest/gtest.h>

#include <memory>

namespace bn::lex {
namespace {

class LexTest : public testing::Test {
protected:
    void load(std::string text, const Options& options = {})
    {
        source_ = std::make_unique<source::Source>(std::move(text), "t.upc");
        tokens_ = lex(*source_, options);
    }

    // The texts of all tokens, each behind its sort: k keyword, u keyword of UPC, i identifier, n number, c character,
    // s string, ? unknown, nothing for punctuators
    std::string words(std::string text, const Options& options = {})
    {
        load(std::move(text), options);
        std::string words;
        for (TokenIndex index = 1; tokens_[index].kind != Tok::End; index++)
            words +=
                (words.empty() ? "" : " ") + std::string(sort(tokens_[index].kind)) + std::string(tokens_.text(index));
        return words;
    }

    static std::string_view sort(Tok tok)
    {
        switch (tok) {
        case Tok::Identifier: return "i:";
        case Tok::Number: return "n:";
        case Tok::Char: return "c:";
        case Tok::String: return "s:";
        case Tok::Unknown: return "?:";
        default: return is_upc_keyword(tok) ? "u:" : is_keyword(tok) ? "k:" : "";
        }
    }

    std::unique_ptr<source::Source> source_;
    TokenList tokens_;
};

TEST_F(LexTest, StartsAndEndsWithMarks)
{
    load("");
    ASSERT_EQ(tokens_.tokens.size(), 2u);
    EXPECT_EQ(tokens_[0].kind, Tok::Start);
    EXPECT_EQ(tokens_[1].kind, Tok::End);
    load("x");
    EXPECT_EQ(tokens_[1].offset, 0u);
    EXPECT_EQ(tokens_[1].length, 1u);
    EXPECT_EQ(tokens_[2].kind, Tok::End);
}

TEST_F(LexTest, EveryPunctuatorIsRead)
{
    struct {
        Tok tok;
        std::string_view text;
    } rows[] = {
#define BN_TOKEN(name, spelling) {Tok::name, spelling},
#define BN_KEYWORD(name, spelling)
#define BN_C23_KEYWORD(name, spelling)
#include "lex/tokens.def"
    };
    for (const auto& row : rows) {
        if (row.tok <= Tok::Unknown)
            continue;
        load("a " + std::string(row.text) + " b");
        ASSERT_EQ(tokens_.tokens.size(), 5u) << row.text;
        EXPECT_EQ(tokens_[2].kind, row.tok) << row.text;
        EXPECT_EQ(spelling(row.tok), row.text);
    }
}

TEST_F(LexTest, EveryKeywordAndAliasIsRead)
{
    struct {
        Tok tok;
        std::string_view text;
    } rows[] = {
#define BN_TOKEN(name, spelling)
#define BN_KEYWORD(name, spelling) {Tok::name, spelling},
#define BN_ALIAS(name, spelling) {Tok::name, spelling},
#include "lex/tokens.def"
    };
    for (const auto& row : rows) {
        load(std::string(row.text) + " " + std::string(row.text) + "_q");
        EXPECT_EQ(tokens_[1].kind, row.tok) << row.text;
        EXPECT_EQ(tokens_[2].kind, Tok::Identifier) << row.text;
        EXPECT_EQ(tokens_.names[tokens_[1].name], row.text);
    }
}

TEST_F(LexTest, MoreWordsAreKeywordsInC23)
{
    struct {
        Tok tok;
        std::string_view text;
    } rows[] = {
#define BN_TOKEN(name, spelling)
#define BN_C23_WORD(name, spelling) {Tok::name, spelling},
#include "lex/tokens.def"
    };
    for (const auto& row : rows) {
        load(std::string(row.text));
        EXPECT_EQ(tokens_[1].kind, Tok::Identifier) << row.text;
        load(std::string(row.text), {.is_c23 = true});
        EXPECT_EQ(tokens_[1].kind, row.tok) << row.text;
    }
    EXPECT_EQ(words("typeof asm", {.gnu_keywords = false, .is_c23 = true}), "k:typeof i:asm");
    EXPECT_EQ(words("1'000 0x'f 1'", {.is_c23 = true}), "n:1'000 n:0x'f n:1 ?:'");
    EXPECT_EQ(words("1'0' 2"), "n:1 c:'0' n:2");
}

TEST_F(LexTest, LongestPunctuatorWins)
{
    EXPECT_EQ(words("a+++b>>=c...d->e<<f"), "i:a ++ + i:b >>= i:c ... i:d -> i:e << i:f");
    EXPECT_EQ(words("a..b"), "i:a . . i:b");
    EXPECT_EQ(words("x<:1:>%><%"), "i:x <: n:1 :> %> <%");
    load("<: :> <% %>");
    EXPECT_EQ(tokens_[1].kind, Tok::LBracket);
    EXPECT_EQ(tokens_[2].kind, Tok::RBracket);
    EXPECT_EQ(tokens_[3].kind, Tok::LBrace);
    EXPECT_EQ(tokens_[4].kind, Tok::RBrace);
}

TEST_F(LexTest, Numbers)
{
    EXPECT_EQ(words("0x1.8p-3 1e+5 .5f 1.f 077ULL 1.0f128 3i 0b101 1e-3.x 0xe+1"),
              "n:0x1.8p-3 n:1e+5 n:.5f n:1.f n:077ULL n:1.0f128 n:3i n:0b101 n:1e-3.x n:0xe+1");
    EXPECT_EQ(words("a[1]-2"), "i:a [ n:1 ] - n:2");
}

TEST_F(LexTest, Strings)
{
    EXPECT_EQ(words("u8\"a\" L'x' u\"\" U'\\'' \"a\\\"b\" x\"y\""),
              "s:u8\"a\" c:L'x' s:u\"\" c:U'\\'' s:\"a\\\"b\" i:x s:\"y\"");
    EXPECT_EQ(words("R\"(a\"b)\" LR\"x()\")x\";"), "s:R\"(a\"b)\" s:LR\"x()\")x\" ;");
    EXPECT_EQ(words("'ab' '\\x41'"), "c:'ab' c:'\\x41'");
}

TEST_F(LexTest, UnterminatedStringsEndWithTheLine)
{
    EXPECT_EQ(words("x = \"abc\ny = 'd"), "i:x = ?:\"abc i:y = ?:'d");
    EXPECT_EQ(words("\"abc\\"), "?:\"abc\\");
    EXPECT_EQ(words("R\"(abc"), "i:R ?:\"(abc");
}

TEST_F(LexTest, IdentifiersMayHoldDollarsUtf8AndUniversalNames)
{
    EXPECT_EQ(words("a$b \xc3\xa9t\xc3\xa9 \\u00e9x _1"), "i:a$b i:\xc3\xa9t\xc3\xa9 i:\xc3\xa9x i:_1");
}

TEST_F(LexTest, EqualNamesHaveEqualNumbers)
{
    std::string text = "first ";
    for (int i = 0; i < 10000; i++)
        text += "n" + std::to_string(i) + " ";
    load(text + "first n77");
    TokenIndex last = static_cast<TokenIndex>(tokens_.tokens.size() - 2);
    EXPECT_EQ(tokens_[1].name, tokens_[last - 1].name);
    EXPECT_EQ(tokens_.names[tokens_[last].name], "n77");
    EXPECT_EQ(tokens_[last].name, tokens_[2 + 77].name);
    EXPECT_NE(tokens_[2].name, tokens_[3].name);
}

TEST_F(LexTest, StrayCharactersAreUnknown)
{
    EXPECT_EQ(words("a @ b # c ` \\ d"), "i:a ?:@ i:b ?:# i:c ?:` ?:\\ i:d");
    EXPECT_EQ(words("\x01\x01\x02"), "?:\x01\x01 ?:\x02");
}

TEST_F(LexTest, WhiteSpaceContinuationsAndComments)
{
    EXPECT_EQ(words("a\f\v\r\n\tb \\\n c /* d\n e */ f // g\nh"), "i:a i:b i:c i:f i:h");
    EXPECT_EQ(words(std::string("a\0b", 3)), "i:a i:b");
    load("a \\\n\nb /*\n*/ c\nd");
    EXPECT_EQ(tokens_[2].line, 2u);
    EXPECT_EQ(tokens_[3].line, 3u);
    EXPECT_EQ(tokens_[4].line, 4u);
}

TEST_F(LexTest, DirectivesAreWhiteSpace)
{
    EXPECT_EQ(words("# 1 \"a.c\"\n#ident \"x\"\n  #pragma omp for \\\n  y\nz\n#"), "i:z");
    EXPECT_TRUE(tokens_.pragmas.empty());
    EXPECT_EQ(tokens_[1].line, 4u);
}

TEST_F(LexTest, PragmasOfUpcAreListed)
{
    load("a\n#pragma upc strict\nb # pragma upc relaxed\n # pragma\tupc relaxed\n#pragma upc upc_code\n#pragma upc "
         "c_code\n"
         "#pragma upc\n#pragma upc strict x\n#pragma upcx strict\n");
    ASSERT_EQ(tokens_.pragmas.size(), 6u);
    PragmaKind kinds[] = {PragmaKind::Strict, PragmaKind::Relaxed,   PragmaKind::UpcCode,
                          PragmaKind::CCode,  PragmaKind::Malformed, PragmaKind::Malformed};
    for (size_t i = 0; i < 6; i++)
        EXPECT_EQ(tokens_.pragmas[i].kind, kinds[i]) << i;
    const Pragma& first = tokens_.pragmas[0];
    EXPECT_EQ(tokens_.text(first.before), "b");
    EXPECT_EQ(source_->text().substr(first.offset, first.length), "#pragma upc strict");
    EXPECT_EQ(first.line, 1u);
}

TEST_F(LexTest, OtherPragmasAreListed)
{
    load(
        "a\n# pragma omp for \\\n nowait\nb\n#pragma pack(1)\n#pragma upc strict\n#pragma\n# 1 \"pragma\"\n#ident\n\"\n"
        "#pragma b\n");
    ASSERT_EQ(tokens_.other_pragmas.size(), 3u);
    EXPECT_EQ(tokens_.other_pragmas[0].text, "# pragma omp for \\\n nowait");
    EXPECT_EQ(tokens_.text(tokens_.other_pragmas[0].before), "b");
    EXPECT_EQ(tokens_.offset(tokens_.other_pragmas[0]), 2u);
    EXPECT_EQ(tokens_.other_pragmas[1].text, "#pragma");
}

TEST_F(LexTest, UpcKeywordsAreIdentifiersInSystemHeaders)
{
    EXPECT_EQ(words("# 1 \"a.c\"\nshared\n# 1 \"h.h\" 1 3\nshared\n# 2 \"a.c\" 2\nshared"),
              "u:shared i:shared u:shared");
    EXPECT_EQ(tokens_.upc_keywords, (std::vector<TokenIndex>{1, 3}));
    EXPECT_TRUE(tokens_.has_upc_keyword);
    EXPECT_TRUE(tokens_[2].in_system_header);
    EXPECT_EQ(tokens_[1].name, tokens_[2].name);
}

TEST_F(LexTest, UpcCodeHoldsToTheEndOfItsFile)
{
    EXPECT_EQ(words("# 1 \"u.h\" 1 3\nstrict\n#pragma upc upc_code\nstrict\n# 1 \"c.h\" 1 3\nstrict\n# 3 \"u.h\" 2 "
                    "3\nstrict\n"
                    "# 2 \"a.c\" 2\nstrict\n# 1 \"d.h\" 1 3\nstrict"),
              "i:strict u:strict i:strict u:strict u:strict i:strict");
    words("# 1 \"u.h\" 1 3\n#pragma upc upc_code\nstrict\n");
    EXPECT_FALSE(tokens_.has_upc_keyword) << "the header is a system header";
    EXPECT_EQ(tokens_.upc_keywords.size(), 1u);
}

TEST_F(LexTest, CCodeIncludesWhatItsTextTells)
{
    EXPECT_EQ(words("THREADS\n#pragma upc c_code\nTHREADS\n# 1 \"h.h\" 1\nTHREADS\n# 4 \"a.c\" 2\nTHREADS\n#pragma "
                    "upc upc_code\n"
                    "THREADS\n"),
              "u:THREADS i:THREADS u:THREADS i:THREADS u:THREADS");
    EXPECT_EQ(words("#pragma upc c_code\n# 1 \"h.h\" 1\nstruct s { int shared; };\n# 4 \"a.c\" 2\nshared\n"),
              "k:struct i:s { k:int i:shared ; } ; i:shared");
}

TEST_F(LexTest, GnuKeywordsCanBeTurnedOff)
{
    EXPECT_EQ(words("asm typeof __asm__ __typeof__", {.gnu_keywords = true}), "k:asm k:typeof k:__asm__ k:__typeof__");
    EXPECT_EQ(words("asm typeof __asm__ __typeof__ while", {.gnu_keywords = false}),
              "i:asm i:typeof k:__asm__ k:__typeof__ k:while");
    EXPECT_EQ(words("shared_x shared", {.gnu_keywords = false}), "i:shared_x u:shared");
}

}  // namespace
}  // namespace bn::lex
