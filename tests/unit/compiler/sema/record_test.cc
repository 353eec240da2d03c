// Layouts of structs and unions.  The expected numbers are those of gcc; tests/programs/struct_layouts.upc compares
// further ones with the C compiler in use.
#include "sema_fixture.h"

namespace bn::sema {
namespace {

class RecordTest : public SemaTest {
protected:
    // "size/align: offset of each member"
    std::string layout(const std::string& definition)
    {
        QualType t = type(definition + " x;");
        if (!is_record(t))
            return "no record";
        const Record& record = *kind_of(t)->record;
        if (!record.is_complete || !record.size_known)
            return "unknown";
        std::string text = std::to_string(record.size) + "/" + std::to_string(record.align) + ":";
        for (const Field& field : record.fields)
            text += " " + std::to_string(field.offset);
        return text;
    }
};

TEST_F(RecordTest, MembersAreAligned)
{
    EXPECT_EQ(layout("struct { char a; int b; char c; }"), "12/4: 0 4 8");
    EXPECT_EQ(layout("struct { char a; shared int *p; char c; }"), "32/8: 0 8 24");
    EXPECT_EQ(layout("struct { char a; long double l; }"), "32/16: 0 16");
    EXPECT_EQ(layout("struct { char a[3]; short b[2]; }"), "8/2: 0 4");
    EXPECT_EQ(layout("struct { char a; struct { short s; int i; } in; }"), "12/4: 0 4");
}

TEST_F(RecordTest, OnlyUntaggedOnesAreMembersWithoutAName)
{
    EXPECT_EQ(layout("struct { char a; struct { double d; }; char b; }"), "24/8: 0 8 16");
    EXPECT_EQ(layout("struct { char a; struct t { double d; }; char b; }"), "2/1: 0 1");
}

TEST_F(RecordTest, Unions)
{
    EXPECT_EQ(layout("union { char a[5]; int b; }"), "8/4: 0 0");
    EXPECT_EQ(layout("union { shared int *p; long double l; }"), "16/16: 0 0");
}

TEST_F(RecordTest, AttributesChangeLayouts)
{
    EXPECT_EQ(layout("struct __attribute__((packed)) { char a; int b; short c; }"), "7/1: 0 1 5");
    EXPECT_EQ(layout("struct { char a; int b; } __attribute__((packed, aligned(2)))"), "6/2: 0 1");
    EXPECT_EQ(layout("struct { char a; int b __attribute__((aligned(16))); }"), "32/16: 0 16");
    EXPECT_EQ(layout("struct { char a; int b __attribute__((packed)); }"), "5/1: 0 1");
    EXPECT_EQ(layout("struct { char a; _Alignas(8) char b; }"), "16/8: 0 8");
}

TEST_F(RecordTest, UnnamedBitFields)
{
    EXPECT_EQ(layout("struct { char a; int : 3; char b; }"), "3/1: 0 1 2");
    EXPECT_EQ(layout("struct { char a; int : 0; char b; }"), "5/1: 0 4 4");
    machine_.unnamed_bit_fields_align = true;
    EXPECT_EQ(layout("struct { char a; int : 3; }"), "4/4: 0 1");
    EXPECT_EQ(layout("struct { char a; int : 0; char b; }"), "8/4: 0 4 4");
    EXPECT_EQ(layout("struct { char a; long : 5; char b; }"), "8/8: 0 1 2");
    EXPECT_EQ(layout("union { char a; int : 3; }"), "4/4: 0 0");
    EXPECT_EQ(layout("struct __attribute__((packed)) { char a; int : 3; char b; }"), "3/1: 0 1 2");
    EXPECT_EQ(layout("struct __attribute__((packed)) { char a; int : 0; char b; }"), "8/4: 0 4 4");
    EXPECT_EQ(layout("#pragma pack(2)\nstruct { char a; long : 3; char b; }"), "4/2: 0 1 2");
}

TEST_F(RecordTest, AlignmentOfLargeNumbers)
{
    const std::string number = "struct { char a; long double b; }", integer = "struct { char a; __int128 b; }";
    const std::string vector = "struct { char a; int b __attribute__((vector_size(16))); }";
    EXPECT_EQ(layout(number), "32/16: 0 16");
    EXPECT_EQ(layout(integer), "32/16: 0 16");
    EXPECT_EQ(layout("struct { char a; _Atomic __int128 b; }"), "32/16: 0 16");
    EXPECT_EQ(layout("struct __attribute__((aligned)) { char a; }"), "16/16: 0");
    machine_.largest_alignment = 8;
    EXPECT_EQ(layout(number), "24/8: 0 8");
    EXPECT_EQ(layout(integer), "24/8: 0 8");
    EXPECT_EQ(layout("struct { char a; _Atomic __int128 b; }"), "24/8: 0 8");
    EXPECT_EQ(layout("struct { char a; _Complex long double b; }"), "40/8: 0 8");
    EXPECT_EQ(layout("struct __attribute__((aligned)) { char a; }"), "8/8: 0");
    EXPECT_EQ(layout(vector), "32/16: 0 16");
}

TEST_F(RecordTest, Packed)
{
    auto packed = [&](const std::string& pragmas, const std::string& definition) {
        return layout(pragmas + "\n" + definition);
    };
    const std::string s = "struct { char c; double d; }";
    EXPECT_EQ(packed("#pragma pack(1)", s), "9/1: 0 1");
    EXPECT_EQ(packed("# pragma pack ( 4 )", s), "12/4: 0 4");
    EXPECT_EQ(packed("#pragma pack(2)\n#pragma pack()", s), "16/8: 0 8");
    EXPECT_EQ(packed("#pragma pack(push, 1)\n#pragma pack(pop)", s), "16/8: 0 8");
    EXPECT_EQ(packed("#pragma pack(2)\n#pragma pack(push)\n#pragma pack(1)\n#pragma pack(pop)", s), "10/2: 0 2");
    EXPECT_EQ(packed("#pragma pack(push, a, 4)\n#pragma pack(push, 1)\n#pragma pack(pop, a)", s), "16/8: 0 8");
    EXPECT_EQ(packed("#pragma pack(1)", "struct { char c; int i __attribute__((aligned(16))); }"), "5/1: 0 1");
    EXPECT_EQ(packed("#pragma pack(1)", "struct { char c; int f : 20, g : 20; }"), "6/1: 0 1 3");
    EXPECT_EQ(packed("#pragma pack(1)", "struct { char c; int : 0; int f : 4; }"), "5/1: 0 4 4");
}

TEST_F(RecordTest, AttributesOfBitFields)
{
    EXPECT_EQ(layout("struct { char c; int n : 24 __attribute__((aligned(8))); int d; }"), "16/8: 0 8 12");
    EXPECT_EQ(layout("struct { int q : 30; int r : 30 __attribute__((packed)); }"), "8/4: 0 3");
    EXPECT_EQ(layout("struct { int q : 3; } __attribute__((ms_struct))"), "unknown");
}

TEST_F(RecordTest, AtomicMembers)
{
    EXPECT_EQ(layout("struct { char c; _Atomic _Complex double z; }"), "32/16: 0 16");
    EXPECT_EQ(layout("struct { char c; _Atomic struct { int a, b; } p; }"), "16/8: 0 8");
}

TEST_F(RecordTest, BitFields)
{
    EXPECT_EQ(layout("struct { int a : 3; int b : 5; }"), "4/4: 0 0");
    EXPECT_EQ(layout("struct { char a; int b : 5; }"), "4/4: 0 1");
    EXPECT_EQ(layout("struct { int a : 30; int b : 5; }"), "8/4: 0 4");
    EXPECT_EQ(layout("struct { char a : 3; char : 0; char b : 2; }"), "2/1: 0 1 1");
    EXPECT_EQ(layout("struct { long a : 33; int b; }"), "16/8: 0 8");
}

TEST_F(RecordTest, OpenArraysAndEmptyRecords)
{
    EXPECT_EQ(layout("struct { int n; double tail[]; }"), "8/8: 0 8");
    EXPECT_EQ(layout("struct { int n; char tail[0]; }"), "4/4: 0 4");
    EXPECT_EQ(layout("struct { }"), "0/1:");
}

TEST_F(RecordTest, AnonymousMembersAreFound)
{
    const std::string s =
        "struct s { int a; union { long u; struct { short lo, hi; }; }; }; shared struct s x[THREADS];";
    EXPECT_EQ(expr_text(s, "x[0].hi"), "shared [] short");
    EXPECT_EQ(expr_text(s, "&x[0].u"), "shared [] long *");
}

TEST_F(RecordTest, MembersOfSharedStructsAreShared)
{
    const std::string s = "struct s { shared [3] int *p; int a[2][4]; }; shared [5] const struct s x[THREADS], *q;";
    EXPECT_EQ(expr_text(s, "x[0].a"), "shared [] const int[2][4]");
    EXPECT_EQ(expr_text(s, "q->a[1]"), "shared [] const int[4]");
    EXPECT_EQ(expr_text(s, "&q->p"), "shared [3] int *shared [] const *");
    EXPECT_EQ(expr_text(s, "*q->p"), "shared [3] int");
}

TEST_F(RecordTest, MistakesInMembers)
{
    EXPECT_EQ(
        messages("struct s { shared int x; };"),
        "error: member 'x' has the shared type 'shared int'; a member cannot be shared, only what it points to\n");
    EXPECT_EQ(messages("struct s { int a; }; shared struct s x; int f(void) { return x.b; }"),
              "error: 'shared struct s' has no member named 'b'\n");
    EXPECT_EQ(messages("struct s; shared struct s *p; int f(void) { return p->b; }"),
              "error: 'shared struct s' is incomplete here, so its member 'b' is not known\n");
}

}  // namespace
}  // namespace bn::sema
