// Integer constant expressions, seen through the block sizes and array sizes that they give.
#include <algorithm>

#include "sema_fixture.h"

namespace bn::sema {
namespace {

class ConstantTest : public SemaTest {
protected:
    // The value of a constant expression, by way of a block size; -1 if it is refused
    int64_t value(const std::string& expression, int threads = 0)
    {
        load("enum e { A = 5, B, C = -2, D = 'x' }; struct s { char c; int i; long l[3]; }; shared [3] int "
             "sh[2*THREADS];shared [" +
                 expression + "] char x[THREADS];",
             threads);
        if (diagnostics_->has_errors())
            return -1;
        return static_cast<int64_t>(block_size(last().type));
    }
};

TEST_F(ConstantTest, Numbers)
{
    EXPECT_EQ(value("42"), 42);
    EXPECT_EQ(value("0x2aUL"), 42);
    EXPECT_EQ(value("052"), 42);
    EXPECT_EQ(value("0b101010"), 42);
    EXPECT_EQ(value("'*'"), 42);
    EXPECT_EQ(value("'\\n'"), 10);
    EXPECT_EQ(value("'\\x2a'"), 42);
    EXPECT_EQ(value("'\\52'"), 42);
    EXPECT_EQ(value("'\\xff'"), -1);
    EXPECT_EQ(value("L'\\xff'"), 255);
    EXPECT_EQ(value("L'*'"), 42);
    EXPECT_EQ(value("'\\e'"), 27);
    EXPECT_EQ(value("'ab'"), 'a' * 256 + 'b');
    EXPECT_EQ(value("u'\\x2a' + U'\\52' - L'*'"), 42);
    EXPECT_EQ(value("UPC_MAX_BLOCK_SIZE"), 2147483647);
    EXPECT_EQ(value("(int)4.9 + (int)((2.0))"), 6);
}

TEST_F(ConstantTest, CharactersWithoutSign)
{
    EXPECT_EQ(value("((char)-1 < 0) + 2 * (L'\\xffffffff' < 0)"), 3);
    machine_ = {.char_is_unsigned = true, .wide_char = TypeKind::UInt};
    EXPECT_EQ(value("'\\xff'"), 255);
    EXPECT_EQ(value("'\\200'"), 128);
    EXPECT_EQ(value("(char)-1"), 255);
    EXPECT_EQ(value("(signed char)-1 + 2"), 1);
    EXPECT_EQ(value("'ab'"), 'a' * 256 + 'b');
    EXPECT_EQ(value("(L'\\xffffffff' > 0) + 2 * _Generic(L'x', unsigned: 2, default: 1)"), 5);
    EXPECT_EQ(value("sizeof \"ab\" + sizeof L\"ab\""), 15);
    EXPECT_EQ(value("_Generic((char)1, signed char: 1, unsigned char: 2, char: 3)"), 3);
    machine_.wide_char = TypeKind::UShort;
    EXPECT_EQ(value("L'\\xffff' + sizeof L\"ab\""), 65535 + 6);
}

TEST_F(ConstantTest, CommonTypes)
{
    EXPECT_EQ(value("sizeof((float _Complex)0 + 1.0)"), 16);
    EXPECT_EQ(value("sizeof(1.0L * (float _Complex)0)"), 32);
    EXPECT_EQ(value("sizeof((float _Complex)0 + 1L)"), 8);
    EXPECT_EQ(value("sizeof((char _Complex)0 + (char _Complex)0) + sizeof((char _Complex)0 + 1)"), 2 + 8);
    EXPECT_EQ(value("sizeof((_Float16)0 + 1.0)"), 8);
    EXPECT_EQ(value("sizeof((_Float16)0 + 1L)"), 2);
    EXPECT_EQ(value("sizeof((_Float128)0 + 1.0f)"), 16);
    EXPECT_EQ(value("_Generic((_Float32)0 + 1.0f, _Float32: 1, default: 2)"), 1);
}

TEST_F(ConstantTest, Operators)
{
    EXPECT_EQ(value("2 + 3 * 4 - 1"), 13);
    EXPECT_EQ(value("-7 / 2 + 10"), 7);
    EXPECT_EQ(value("-7 % 4 + 10"), 7);
    EXPECT_EQ(value("1 << 4 | 3 & 6 ^ 1"), 19);
    EXPECT_EQ(value("-16 >> 2 & 15"), 12);
    EXPECT_EQ(value("(1 < 2) + (2 <= 2) + (3 > 4) + (3 >= 4) + (1 == 1) + (1 != 1)"), 3);
    EXPECT_EQ(value("!0 + !5 + (~0 & 3)"), 4);
    EXPECT_EQ(value("0 ? 1 : 2 ? 3 : 4"), 3);
    EXPECT_EQ(value("7 ?: 9"), 7);
    EXPECT_EQ(value("(1 || 1 / 0) + (0 && 1 / 0)"), 1);
    EXPECT_EQ(value("+(3)"), 3);
    EXPECT_EQ(value("__extension__ 4"), 4);
}

TEST_F(ConstantTest, ConversionsTruncate)
{
    EXPECT_EQ(value("(unsigned char)300"), 44);
    EXPECT_EQ(value("(signed char)200 + 100"), 44);
    EXPECT_EQ(value("(_Bool)7"), 1);
    EXPECT_EQ(value("0u - 1 == 4294967295u"), 1);
    EXPECT_EQ(value("(4294967295u + 2)"), 1);
    EXPECT_EQ(value("~0u >> 28"), 15);
    EXPECT_EQ(value("(-1 < 0u) + 5"), 5);
}

TEST_F(ConstantTest, NamesAndSizes)
{
    EXPECT_EQ(value("B"), 6);
    EXPECT_EQ(value("C + 3"), 1);
    EXPECT_EQ(value("D"), 'x');
    EXPECT_EQ(value("sizeof(struct s)"), 32);
    EXPECT_EQ(value("sizeof sh[0]"), 4);
    EXPECT_EQ(value("__builtin_offsetof(struct s, l)"), 8);
    EXPECT_EQ(value("_Alignof(long double)"), 16);
    EXPECT_EQ(value("upc_blocksizeof(sh)"), 3);
    EXPECT_EQ(value("upc_elemsizeof(sh)"), 4);
    EXPECT_EQ(value("upc_localsizeof(sh)"), 12);
    EXPECT_EQ(value("sizeof sh", 4), 32);
    EXPECT_EQ(value("THREADS + 1", 4), 5);
    EXPECT_EQ(value("__builtin_types_compatible_p(shared int *, shared [1] int *)"), 1);
    EXPECT_EQ(value("__builtin_types_compatible_p(shared int *, shared [2] int *) + 5"), 5);
    EXPECT_EQ(value("__builtin_types_compatible_p(shared int **, shared [2] int **) + 5"), 5);
    EXPECT_EQ(value("__builtin_types_compatible_p(shared int **, strict shared [1] int **)"), 1);
    EXPECT_EQ(value("__builtin_types_compatible_p(shared int *const, shared int *)"), 1);
    EXPECT_EQ(value("__builtin_types_compatible_p(shared int *const *, shared int **) + 5"), 5);
    EXPECT_EQ(value("__builtin_types_compatible_p(const shared int *, shared int *) + 5"), 5);
    EXPECT_EQ(value("__builtin_types_compatible_p(void (*)(shared int *const), void (*)(shared int *))"), 1);
    EXPECT_EQ(value("__builtin_types_compatible_p(void (*)(const shared int *), void (*)(shared int *)) + 5"), 5);
    EXPECT_EQ(value("__builtin_types_compatible_p(void (*)(const shared void *), void (*)(shared void *))"), 1);
    EXPECT_EQ(value("__builtin_choose_expr(1, 3, sh)"), 3);
}

TEST_F(ConstantTest, OffsetsOfPartsOfMembers)
{
    const std::string type = "struct { int n; struct { char a, b[4]; } t[3]; }";
    EXPECT_EQ(value("__builtin_offsetof(" + type + ", t[2].b)"), 15);
    EXPECT_EQ(value("__builtin_offsetof(" + type + ", t[1].b[B - 4])"), 12);
    EXPECT_EQ(value("__builtin_offsetof(" + type + ", t.b)"), -1);
}

TEST_F(ConstantTest, Builtins)
{
    EXPECT_EQ(value("__builtin_ctz(1024)"), 10);
    EXPECT_EQ(value("__builtin_clz(1) * 100 + __builtin_clzll(1)"), 3163);
    EXPECT_EQ(value("__builtin_popcount(-1) * 100 + __builtin_popcountl(-1)"), 3264);
    EXPECT_EQ(value("__builtin_ffs(0) * 100 + __builtin_ffsl(8)"), 4);
    EXPECT_EQ(value("__builtin_bswap16(0x0100) + __builtin_bswap32(0x02000000)"), 3);
    EXPECT_EQ(value("__builtin_abs(-3) + __builtin_parity(7) + __builtin_constant_p(8) + __builtin_expect(9, 1)"), 14);
    EXPECT_EQ(value("_Generic(1.0, int: 3, double: 4)"), 4);
    EXPECT_EQ(value("__builtin_ctz(0)"), -1);
    EXPECT_EQ(value("__builtin_constant_p(sh)"), -1);
}

TEST_F(ConstantTest, EnumeratorsThatOnlyCcKnows)
{
    EXPECT_EQ(messages("enum { V = 2, W = (int)(1.5 * 2), X, Y = 5, Z }; shared [W] int a[THREADS]; shared [X] int "
                       "b[THREADS]; shared [Z] int c[THREADS];"),
              "error: the block size 'W' is not an integer constant expression\n"
              "error: the block size 'X' is not an integer constant expression\n");
}

TEST_F(ConstantTest, CcConfirmsWhatItsTypesMake)
{
    load("enum { N = 3 }; shared [N * 2] char a[sizeof(long)*THREADS], b[4*THREADS]; "
         "shared [7] int c[(2 + 3)*THREADS];");
    std::vector<std::string> seen;
    for (const auto& [e, reckoned] : analysis_.reckoned)
        seen.push_back(reckoned.written + " " + std::to_string(static_cast<int>(reckoned.value)));
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(seen, (std::vector<std::string>{"N * 2 6", "sizeof(long) 8"}));
}

TEST_F(ConstantTest, WhatIsNoConstant)
{
    EXPECT_EQ(value("1 / 0"), -1);
    EXPECT_EQ(value("1 % 0"), -1);
    EXPECT_EQ(value("sizeof sh"), -1);
    EXPECT_EQ(value("THREADS"), -1);
    EXPECT_EQ(value("MYTHREAD"), -1);
    EXPECT_EQ(value("sh[0]"), -1);
    EXPECT_EQ(value("1.5"), -1);
    EXPECT_EQ(value("-1"), -1);
    EXPECT_EQ(value("2147483648"), -1);
    EXPECT_EQ(value("1 << 200"), -1);
}

TEST_F(ConstantTest, ExtremesDoNotOverflow)
{
    EXPECT_EQ(value("18446744073709551615u * 18446744073709551615u"), 1);
    EXPECT_EQ(value("9223372036854775807 + 9223372036854775807"), -1);
    EXPECT_EQ(value("(-9223372036854775807 - 1) / -1"), -1);
    EXPECT_EQ(value("(__int128)9223372036854775807 * 9223372036854775807 * 9223372036854775807"), -1);
    EXPECT_EQ(value("99999999999999999999999999999999999999999999"), -1);
}

TEST_F(ConstantTest, ConstexprObjectsInComputedInitialValues)
{
    language_.is_c23 = true;
    const std::string declarations = "constexpr int n = 3; constexpr struct { int a[2]; } s = {{1, 2}}; int v = 3;";
    EXPECT_EQ(messages(declarations + "shared int y = MYTHREAD + n + s.a[1];"), "");
    EXPECT_NE(messages(declarations + "shared int y = MYTHREAD + v;").find("'v' is not constant"), std::string::npos);
}

}  // namespace
}  // namespace bn::sema
