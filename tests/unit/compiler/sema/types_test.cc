// Sizes, alignments, counts, layouts and names of types.
#include "sema_fixture.h"

namespace bn::sema {
namespace {

class TypesTest : public SemaTest {
protected:
    uint64_t bytes(std::string text, int threads = 0)
    {
        std::optional<Size> size = size_of(type(std::move(text), threads));
        return size ? size->bytes : 0;
    }

    uint64_t local(std::string text, int threads = 0)
    {
        return local_elements(type(std::move(text), threads), threads).value_or(0);
    }

    // The types of the last two declarators
    bool are_same(const std::string& a, const std::string& b)
    {
        QualType first = type(a);
        auto arena = std::move(arena_);
        auto source = std::move(source_);
        QualType second = type(b);
        return same_type(first, second);
    }
};

TEST_F(TypesTest, SizesOfBasicTypes)
{
    EXPECT_EQ(bytes("char x;"), 1u);
    EXPECT_EQ(bytes("_Bool x;"), 1u);
    EXPECT_EQ(bytes("short int x;"), 2u);
    EXPECT_EQ(bytes("unsigned x;"), 4u);
    EXPECT_EQ(bytes("long unsigned int x;"), 8u);
    EXPECT_EQ(bytes("long long x;"), 8u);
    EXPECT_EQ(bytes("__int128 x;"), 16u);
    EXPECT_EQ(bytes("float x;"), 4u);
    EXPECT_EQ(bytes("long double x;"), 16u);
    EXPECT_EQ(bytes("double _Complex x;"), 16u);
    EXPECT_EQ(bytes("_Complex x;"), 16u);
    EXPECT_EQ(bytes("_Float128 x;"), 16u);
    EXPECT_EQ(bytes("enum { A } x;"), 4u);
    EXPECT_EQ(bytes("enum { A = 1L << 40 } x;"), 8u);
    EXPECT_EQ(bytes("enum __attribute__((packed)) { A = 300 } x;"), 2u);
    EXPECT_EQ(bytes("int x __attribute__((vector_size(32)));"), 32u);
    EXPECT_EQ(bytes("float x __attribute__((ext_vector_type(3)));"), 16u);
    EXPECT_EQ(bytes("int __attribute__((mode(DI))) x;"), 8u);
    EXPECT_EQ(bytes("float __attribute__((mode(TF))) x;"), 16u);
    EXPECT_EQ(bytes("_Complex float __attribute__((mode(DC))) x;"), 16u);
    EXPECT_EQ(bytes("_Complex _Float128 x;"), 32u);
    EXPECT_EQ(bytes("_BitInt(20) x;"), 4u);
    EXPECT_EQ(bytes("unsigned _BitInt(3) x;"), 1u);
    EXPECT_EQ(bytes("_BitInt(100) x;"), 16u);
}

TEST_F(TypesTest, OfC23)
{
    language_.is_c23 = true;
    EXPECT_EQ(bytes("bool x;"), 1u);
    EXPECT_EQ(bytes("enum e : short { A = 1 }; enum e x;"), 2u);
    EXPECT_EQ(bytes("enum e : long; enum e x;"), 8u);
    EXPECT_EQ(bytes("constexpr int n = 2 * 1'0; char x[n];"), 20u);
    EXPECT_EQ(bytes("constexpr auto n = 3ul; constexpr bool yes = true; shared [n + yes] char x[n];", 2), 3u);
    EXPECT_EQ(describe(type("shared [3] const int a[6]; typeof_unqual(a[0]) x;", 2)), "int");
    EXPECT_EQ(describe(type("shared int a[6]; void f(void); auto x = &a[1];", 2)), "shared int *");
    EXPECT_EQ(expr_text("shared [] int *p;", "p == nullptr"), "int");
    load("alignas(64) shared int x;");
    EXPECT_EQ(last().align, 64u);
    EXPECT_EQ(expr_text("shared [] int *p;", "p = nullptr"), "shared [] int *");
    EXPECT_EQ(expr_text("", "true"), "_Bool");
    EXPECT_EQ(messages("shared [true + true] int x; shared [false] int *p = nullptr; int *q = nullptr;", 2), "");
}

TEST_F(TypesTest, SizesOfPointersAndArrays)
{
    EXPECT_EQ(bytes("int *p;"), 8u);
    EXPECT_EQ(bytes("shared int *p;"), 16u);
    EXPECT_EQ(bytes("shared int **p;"), 8u);
    EXPECT_EQ(bytes("shared int *p[3][2];"), 96u);
    EXPECT_EQ(bytes("typedef short T[5]; T x[3];"), 30u);
    EXPECT_EQ(bytes("char x[] = \"four\";"), 5u);
    EXPECT_EQ(bytes("int x[] = { 1, [7] = 2, 3 };"), 36u);
    EXPECT_FALSE(size_of(type("extern int x[];")).has_value());
    EXPECT_FALSE(size_of(type("extern struct s x;")).has_value());
}

TEST_F(TypesTest, SizesTimesThreads)
{
    std::optional<Size> size = size_of(type("shared int x[3*THREADS][2];"));
    ASSERT_TRUE(size.has_value());
    EXPECT_EQ(size->bytes, 24u);
    EXPECT_TRUE(size->by_threads);
    size = size_of(type("shared int x[3*THREADS][2];", 4));
    ASSERT_TRUE(size.has_value());
    EXPECT_EQ(size->bytes, 96u);
    EXPECT_FALSE(size->by_threads);
}

TEST_F(TypesTest, Alignments)
{
    EXPECT_EQ(align_of(type("char x[7];"), 16), 1u);
    EXPECT_EQ(align_of(type("long double x;"), 16), 16u);
    EXPECT_EQ(align_of(type("double _Complex x;"), 16), 8u);
    EXPECT_EQ(align_of(type("_Atomic double _Complex x;"), 16), 16u);
    EXPECT_EQ(align_of(type("_BitInt(100) x;"), 16), 8u);
    EXPECT_EQ(align_of(type("shared int *x;"), 16), 8u);
    EXPECT_EQ(align_of(type("struct { char c; short s; } x;"), 16), 2u);
    EXPECT_EQ(align_of(type("typedef int T __attribute__((aligned(32))); T x;"), 16), 32u);
}

TEST_F(TypesTest, ElementCounts)
{
    EXPECT_EQ(element_count(type("shared int x;"))->bytes, 1u);
    EXPECT_EQ(element_count(type("shared int x[2][3][4*THREADS];"))->bytes, 24u);
    EXPECT_EQ(element_count(type("typedef int T[10]; shared [3] T x[3*THREADS];"))->bytes, 30u);
    EXPECT_FALSE(element_count(type("extern shared int x[][2];")).has_value());
}

// The vectors of section 6.5.2.1 and of other compilers' tests: elements that each thread holds
TEST_F(TypesTest, LocalElements)
{
    EXPECT_EQ(local("shared [4] char x[7*THREADS];"), 8u);
    EXPECT_EQ(local("shared char x[10];", 3), 4u);
    EXPECT_EQ(local("shared [3] char x[10];", 3), 6u);
    EXPECT_EQ(local("shared [3] char x[5][THREADS];"), 6u);
    EXPECT_EQ(local("shared [2] int x[9];", 3), 4u);
    EXPECT_EQ(local("shared [2] int x[9];", 4), 4u);
    EXPECT_EQ(local("shared [2] int x[9];", 5), 2u);
    EXPECT_EQ(local("shared [4] int x[31];", 3), 12u);
    EXPECT_EQ(local("shared [4] int x[31];", 4), 8u);
    EXPECT_EQ(local("shared [4] int x[31];", 5), 8u);
    EXPECT_EQ(local("shared [] int x[31];", 5), 31u);
    EXPECT_EQ(local("shared int x;", 5), 1u);
    EXPECT_EQ(local("shared [*] int x[10*THREADS];"), 10u);
    EXPECT_EQ(local("shared [*] int x[10];", 4), 3u);
    EXPECT_EQ(local("shared int x[5*THREADS];", 7), 5u);
}

TEST_F(TypesTest, BlockSizes)
{
    EXPECT_EQ(block_size(type("shared int x[THREADS];")), 1u);
    EXPECT_EQ(block_size(type("shared [] int x[4];")), 0u);
    EXPECT_EQ(block_size(type("shared [0] int x[4];")), 0u);
    EXPECT_EQ(block_size(type("shared [5] int x[THREADS];")), 5u);
    EXPECT_EQ(block_size(type("shared [*] int x[4*THREADS];")), 4u);
    EXPECT_EQ(block_size(type("shared [*] int x[3][2*THREADS][2];")), 12u);
    EXPECT_EQ(block_size(type("shared [*] int x[9];", 4)), 3u);
    EXPECT_EQ(block_size(type("shared [*] int x;")), 1u);
    EXPECT_EQ(block_size(type("typedef shared [4] int T; T x[2*THREADS];")), 4u);
    EXPECT_EQ(block_size(type("typedef int S[10]; shared [3] S x[3*THREADS];")), 3u);
    EXPECT_EQ(block_size(type("typedef shared [4] int T; shared T x[THREADS];")), 4u);
    EXPECT_EQ(block_size(type("struct s { long a, b; }; shared [sizeof(struct s) / 2] char x[THREADS];")), 8u);
    EXPECT_EQ(block_size(type("enum { N = 3 }; shared [N << 1 | 1] char x[THREADS];")), 7u);
}

TEST_F(TypesTest, QuestionsAboutSharing)
{
    EXPECT_TRUE(is_shared(type("shared int x[THREADS];")));
    EXPECT_TRUE(is_shared(type("typedef shared int T; T x;")));
    EXPECT_TRUE(is_shared(type("int * shared x;")));
    EXPECT_FALSE(is_shared(type("shared int *x;")));
    EXPECT_TRUE(is_pts(type("shared int *x;")));
    EXPECT_TRUE(is_pts(type("typedef shared int T; T *x;")));
    EXPECT_TRUE(is_pts(type("typedef shared int *T; shared T x;")));
    EXPECT_FALSE(is_pts(type("int * shared x;")));
    EXPECT_TRUE(is_generic_pts(type("shared const void *x;")));
    EXPECT_FALSE(is_generic_pts(type("shared void **x;")));
    EXPECT_TRUE(touches_shared(type("int f(int (*)(shared int *));")));
    EXPECT_FALSE(touches_shared(type("struct s { shared int *p; } x;")));
}

TEST_F(TypesTest, SameTypes)
{
    EXPECT_TRUE(are_same("shared int *x;", "shared [1] int *x;"));
    EXPECT_TRUE(are_same("shared [] int *x;", "shared [0] int *x;"));
    EXPECT_TRUE(are_same("strict shared int *x;", "relaxed shared int *x;"));
    EXPECT_TRUE(are_same("int x[4];", "int x[];"));
    EXPECT_TRUE(are_same("typedef int T; T x;", "int x;"));
    EXPECT_TRUE(are_same("int f(int);", "int f();"));
    EXPECT_FALSE(are_same("shared [2] int *x;", "shared [3] int *x;"));
    EXPECT_FALSE(are_same("shared int *x;", "int *x;"));
    EXPECT_FALSE(are_same("int x[4];", "int x[5];"));
    EXPECT_FALSE(are_same("int x;", "unsigned x;"));
    EXPECT_FALSE(are_same("shared int *f(void);", "shared [2] int *f(void);"));
    EXPECT_FALSE(are_same("void f(shared int *);", "void f(shared [] int *);"));
    EXPECT_FALSE(are_same("shared int x[THREADS];", "shared int x[2*THREADS];"));
}

TEST_F(TypesTest, NamesOfTypes)
{
    EXPECT_EQ(describe(type("shared [3] const int *x;")), "shared [3] const int *");
    EXPECT_EQ(describe(type("int * shared [2] x[THREADS];")), "int *shared [2] [THREADS]");
    EXPECT_EQ(describe(type("shared int x[3*THREADS][2];")), "shared int[3*THREADS][2]");
    EXPECT_EQ(describe(type("shared [4] int (*x)[3];")), "shared [4] int (*)[3]");
    EXPECT_EQ(describe(type("shared int *(*x)(shared [] char *, ...);")), "shared int *(*)(shared [] char *, ...)");
    EXPECT_EQ(describe(type("strict shared struct s { int m; } x;")), "strict shared struct s");
    EXPECT_EQ(describe(type("typedef shared [2] int T; T *x;")), "T *");
    EXPECT_EQ(describe(type("shared void *x;")), "shared void *");
    EXPECT_EQ(describe(type("const volatile unsigned __int128 x;")), "const volatile unsigned __int128");
    EXPECT_EQ(describe(type("struct { int a; } *x;")), "struct <anonymous> *");
}

// Otherwise each use of a member array of a shared struct would take memory, which an editor's server does not have.
TEST_F(TypesTest, CanonicalArraysAreMadeOnce)
{
    QualType array = type("typedef int row[3]; shared [] row x;");
    EXPECT_EQ(canonical(array).type, canonical(array).type);
    QualType other = array;
    other.quals.is_strict = true;
    EXPECT_NE(canonical(other).type, canonical(array).type);
    EXPECT_TRUE(canonical(other).type->base.quals.is_strict);
    EXPECT_FALSE(canonical(array).type->base.quals.is_strict);
    other = array;
    other.quals.block = 7;
    other.quals.layout = Layout::Blocked;
    EXPECT_EQ(canonical(other).type->base.quals.block, 7u);
    Type copy = *kind_of(QualType{array.type, Quals{}});
    copy.count = 4;
    EXPECT_EQ(canonical(QualType{&copy, array.quals}).type->count, 4u);
    EXPECT_EQ(canonical(array).type->count, 3u);
}

}  // namespace
}  // namespace bn::sema
