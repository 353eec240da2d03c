#include "parse_fixture.h"

namespace bn::parse {
namespace {

class DeclTest : public ParseTest {
protected:
    // The tree of one declaration behind "typedef int T;"
    std::string decl(const std::string& text)
    {
        std::string all = tree("typedef int T;" + text);
        return all.substr(all.find('\n') + 1);
    }
};

TEST_F(DeclTest, PartsOfDeclaratorsGoFromTheNameOutwards)
{
    EXPECT_EQ(decl("int *a[3];"), "(Declaration (Specifiers int) (InitDeclarator (Declarator a [e] * (Number 3))))");
    EXPECT_EQ(decl("int (*a)[3];"), "(Declaration (Specifiers int) (InitDeclarator (Declarator a * [e] (Number 3))))");
    EXPECT_EQ(decl("int a[2][3];"), "(Declaration (Specifiers int) (InitDeclarator (Declarator a [e] [e] (Number 2) "
                                    "(Number 3))))");
    EXPECT_EQ(decl("int *const *volatile p;"),
              "(Declaration (Specifiers int) (InitDeclarator (Declarator p * volatile * const)))");
    EXPECT_EQ(decl("int (*(*f)(int))[3];"),
              "(Declaration (Specifiers int) (InitDeclarator (Declarator f * (params) * [e] (ParamDecl (Specifiers "
              "int)) (Number 3))))");
}

TEST_F(DeclTest, SharedQualifiersAndLayouts)
{
    EXPECT_EQ(decl("shared int x;"), "(Declaration (Specifiers shared int) (InitDeclarator (Declarator x)))");
    EXPECT_EQ(decl("shared [] int *p;"), "(Declaration (Specifiers shared[] int) (InitDeclarator (Declarator p *)))");
    EXPECT_EQ(decl("int shared [*] x[4];"), "(Declaration (Specifiers shared[*] int) (InitDeclarator (Declarator x "
                                            "[e] (Number 4))))");
    EXPECT_EQ(decl("strict shared [2*2] T x;"),
              "(Declaration (Specifiers strict shared[e] T (Binary * (Number 2) (Number 2))) (InitDeclarator "
              "(Declarator x)))");
    EXPECT_EQ(decl("int * shared [5] p;"), "(Declaration (Specifiers int) (InitDeclarator (Declarator p * shared[e] "
                                           "(Number 5))))");
    EXPECT_EQ(decl("relaxed shared T *shared q;"),
              "(Declaration (Specifiers relaxed shared T) (InitDeclarator (Declarator q * shared)))");
}

TEST_F(DeclTest, LayoutTellsItsLastToken)
{
    load("shared [3] int a; shared int b;");
    const ast::QualifierToken& a = static_cast<ast::Declaration*>(unit_->decls[0])->specifiers->qualifiers[0];
    EXPECT_EQ(a.brackets, ast::QualifierToken::Brackets::Value);
    EXPECT_EQ(tokens_.text(a.brackets_last), "]");
    ASSERT_NE(a.block, nullptr);
    const ast::QualifierToken& b = static_cast<ast::Declaration*>(unit_->decls[1])->specifiers->qualifiers[0];
    EXPECT_EQ(b.brackets, ast::QualifierToken::Brackets::None);
}

TEST_F(DeclTest, StorageAndFunctionSpecifiers)
{
    load("static inline _Noreturn void f(void); extern __thread int t; typedef long unsigned U;");
    const ast::Specifiers* f = static_cast<ast::Declaration*>(unit_->decls[0])->specifiers;
    EXPECT_TRUE(f->is_static && f->is_inline);
    EXPECT_EQ(f->functions.size(), 2u);
    const ast::Specifiers* t = static_cast<ast::Declaration*>(unit_->decls[1])->specifiers;
    EXPECT_TRUE(t->is_extern && t->is_thread_local);
    const ast::Specifiers* u = static_cast<ast::Declaration*>(unit_->decls[2])->specifiers;
    EXPECT_TRUE(u->is_typedef);
    EXPECT_EQ(u->base.size(), 2u);
}

TEST_F(DeclTest, TypedefNamesAreHiddenByInnerDeclarations)
{
    const std::string multiplied = "(ExprStmt (Binary * (Ident T) (Ident x)))";
    const std::string declared = "(Declaration (Specifiers T) (InitDeclarator (Declarator x *)))";
    EXPECT_EQ(stmts("T * x;"), declared);
    EXPECT_NE(stmts("int T; T * x;").find(multiplied), std::string::npos);
    EXPECT_NE(stmts("enum { T }; T * x;").find(multiplied), std::string::npos);
    EXPECT_NE(stmts("for (int T = 0; ; ) T * x;").find(multiplied), std::string::npos);
    EXPECT_NE(stmts("for (int T = 0; ; ) ; T * x;").find(declared), std::string::npos);
    EXPECT_NE(stmts("{ int T; } T * x;").find(declared), std::string::npos);
    EXPECT_NE(stmts("T T; T * x;").find(multiplied), std::string::npos);
    EXPECT_NE(stmts("int T = sizeof(T);").find("(SizeofExpr sizeof (Paren (Ident T)))"), std::string::npos)
        << "the scope of a name begins with its initialiser";
    EXPECT_NE(stmts("T: T * x;").find("(Label T"), std::string::npos);
    EXPECT_NE(decl("int f(int T) { T * x; }").find(multiplied), std::string::npos);
    EXPECT_NE(decl("int f(int T); int g(void) { T * x; }").find(declared), std::string::npos);
    EXPECT_NE(decl("int f(a) int a; { T * x; }").find(declared), std::string::npos);
    EXPECT_NE(stmts("typedef int V; { V V; V * x; } V * x;")
                  .find("(Declaration (Specifiers V) (InitDeclarator "
                        "(Declarator x *)))"),
              std::string::npos);
}

TEST_F(DeclTest, MembersMayBeCalledLikeTypes)
{
    EXPECT_EQ(decl("struct S { T T; unsigned T2 : 3, : 0; const T; };"),
              "(Declaration (Specifiers (RecordSpec struct S {} (FieldDecl (Specifiers T) (Declarator T)) "
              "(FieldDecl (Specifiers unsigned) (Declarator T2) (Number 3) (Number 0)) (FieldDecl (Specifiers const "
              "T)))))");
}

TEST_F(DeclTest, Records)
{
    EXPECT_EQ(decl("union U { int a, *b; struct { char c; }; _Static_assert(1, \"x\"); };"),
              "(Declaration (Specifiers (RecordSpec union U {} (FieldDecl (Specifiers int) (Declarator a) (Declarator "
              "b *)) "
              "(FieldDecl (Specifiers (RecordSpec struct {} (FieldDecl (Specifiers char) (Declarator c))))) "
              "(StaticAssert (Number 1)))))");
    EXPECT_EQ(decl("struct Empty {} e; struct S;"),
              "(Declaration (Specifiers (RecordSpec struct Empty {})) (InitDeclarator (Declarator e)))\n"
              "(Declaration (Specifiers (RecordSpec struct S)))");
    EXPECT_EQ(decl("struct S { int n; ; int flex[]; };"),
              "(Declaration (Specifiers (RecordSpec struct S {} (FieldDecl (Specifiers int) (Declarator n)) "
              "(FieldDecl (Specifiers int) (Declarator flex [])))))");
}

TEST_F(DeclTest, AnonymousMembersHaveOneEmptyField)
{
    load("struct S { struct { int a; }; int : 3; };");
    const ast::RecordSpec* record = static_cast<ast::Declaration*>(unit_->decls[0])->specifiers->record;
    const ast::FieldDecl* anonymous = static_cast<ast::FieldDecl*>(record->members[0]);
    ASSERT_EQ(anonymous->fields.size(), 1u);
    EXPECT_EQ(anonymous->fields[0].declarator, nullptr);
    EXPECT_EQ(anonymous->fields[0].width, nullptr);
    const ast::FieldDecl* bits = static_cast<ast::FieldDecl*>(record->members[1]);
    ASSERT_EQ(bits->fields.size(), 1u);
    EXPECT_EQ(bits->fields[0].declarator, nullptr);
    EXPECT_NE(bits->fields[0].width, nullptr);
}

TEST_F(DeclTest, Enumerations)
{
    EXPECT_EQ(decl("enum E { A, B = 2, C __attribute__((deprecated)) = B + 1, } e;"),
              "(Declaration (Specifiers (EnumSpec E A B C (Number 2) (AttributeList __attribute__ ( ( deprecated ) )) "
              "(Binary + (Ident B) (Number 1)))) (InitDeclarator (Declarator e)))");
}

TEST_F(DeclTest, Parameters)
{
    EXPECT_EQ(decl("int f(void), g(), h(int, ...), k(T);"),
              "(Declaration (Specifiers int) (InitDeclarator (Declarator f (params) (ParamDecl (Specifiers void)))) "
              "(InitDeclarator (Declarator g ())) (InitDeclarator (Declarator h (params...) (ParamDecl (Specifiers "
              "int)))) "
              "(InitDeclarator (Declarator k (params) (ParamDecl (Specifiers T)))))");
    EXPECT_EQ(decl("void f(int (T), int (x), int *(T), int (*)(void));"),
              "(Declaration (Specifiers void) (InitDeclarator (Declarator f (params) "
              "(ParamDecl (Specifiers int) (Declarator (params) (ParamDecl (Specifiers T)))) "
              "(ParamDecl (Specifiers int) (Declarator x)) "
              "(ParamDecl (Specifiers int) (Declarator (params) * (ParamDecl (Specifiers T)))) "
              "(ParamDecl (Specifiers int) (Declarator * (params) (ParamDecl (Specifiers void)))))))");
    EXPECT_EQ(decl("void f(int n, int a[static n], int b[*], int c[const restrict], shared int d[]);"),
              "(Declaration (Specifiers void) (InitDeclarator (Declarator f (params) (ParamDecl (Specifiers int) "
              "(Declarator n)) "
              "(ParamDecl (Specifiers int) (Declarator a [static] (Ident n))) (ParamDecl (Specifiers int) (Declarator "
              "b [*])) "
              "(ParamDecl (Specifiers int) (Declarator c [] const restrict)) "
              "(ParamDecl (Specifiers shared int) (Declarator d [])))))");
}

TEST_F(DeclTest, ForwardDeclaredParametersAreNoParameters)
{
    load("void f(int n; int a[n], int n);");
    const ast::Declarator* f = static_cast<ast::Declaration*>(unit_->decls[0])->declarators[0]->declarator;
    EXPECT_EQ(f->parts[0].params.size(), 2u);
    EXPECT_EQ(f->children.size(), 3u);
}

TEST_F(DeclTest, FunctionDefinitions)
{
    EXPECT_EQ(decl("static T f(int a) { return a; }"),
              "(FunctionDef (Specifiers static T) (Declarator f (params) (ParamDecl (Specifiers int) (Declarator a))) "
              "(Compound (Return (Ident a))))");
    EXPECT_EQ(decl("kr(a, b) char *b; { }"),
              "(FunctionDef (Declarator kr () a b) (Declaration (Specifiers char) (InitDeclarator (Declarator b *))) "
              "(Compound))");
    EXPECT_EQ(decl("int (*f(int a))(char) { }"),
              "(FunctionDef (Specifiers int) (Declarator f (params) * (params) (ParamDecl (Specifiers int) "
              "(Declarator a)) "
              "(ParamDecl (Specifiers char))) (Compound))");
}

TEST_F(DeclTest, ImplicitIntHasEmptySpecifiers)
{
    load("main() { } static x; y, *z;");
    ASSERT_EQ(unit_->decls.size(), 3u);
    const ast::FunctionDef* main = static_cast<ast::FunctionDef*>(unit_->decls[0]);
    ASSERT_NE(main->specifiers, nullptr);
    EXPECT_GT(main->specifiers->first, main->specifiers->last);
    EXPECT_EQ(static_cast<ast::Declaration*>(unit_->decls[1])->specifiers->storage.size(), 1u);
    EXPECT_EQ(static_cast<ast::Declaration*>(unit_->decls[2])->declarators.size(), 2u);
}

TEST_F(DeclTest, AttributesAreKeptWhereTheyStand)
{
    EXPECT_EQ(decl("int __attribute__((x)) a, *__attribute__((y(1, 2))) b __asm__(\"c\") __attribute__((z));"),
              "(Declaration (Specifiers int (AttributeList __attribute__ ( ( x ) ))) (InitDeclarator (Declarator a)) "
              "(InitDeclarator (Declarator b * (AttributeList __attribute__ ( ( y ( 1 , 2 ) ) )) "
              "(AttributeList __asm__ ( \"c\" )) (AttributeList __attribute__ ( ( z ) )))))");
    EXPECT_EQ(decl("_Alignas(16) _Alignas(double) char c;"),
              "(Declaration (Specifiers char (AttributeList _Alignas ( 16 ) (Number 16)) (AttributeList _Alignas ( "
              "double ) "
              "(TypeName (Specifiers double)))) (InitDeclarator (Declarator c)))");
    EXPECT_EQ(decl("[[nodiscard]] int f [[x]] (void);"),
              "(Declaration (Specifiers int (AttributeList [ [ nodiscard ] ])) (InitDeclarator (Declarator f (params) "
              "(AttributeList [ [ x ] ]) (ParamDecl (Specifiers void)))))");
}

TEST_F(DeclTest, AttributesAreRead)
{
    load("struct __attribute__((packed, aligned(8))) S { int x; } __attribute__((__may_alias__)); "
         "typedef int V __attribute__((__vector_size__(16), mode(SI)));");
    const ast::RecordSpec* record = static_cast<ast::Declaration*>(unit_->decls[0])->specifiers->record;
    ASSERT_EQ(record->attributes.size(), 3u);
    EXPECT_EQ(tokens_.text(record->attributes[0].name), "packed");
    EXPECT_GT(record->attributes[0].args_first, record->attributes[0].args_last);
    EXPECT_EQ(tokens_.text(record->attributes[1].name), "aligned");
    ASSERT_NE(record->attributes[1].arg, nullptr);
    EXPECT_EQ(tokens_.text(record->attributes[1].args_first), "8");
    const ast::Declarator* v = static_cast<ast::Declaration*>(unit_->decls[1])->declarators[0]->declarator;
    ASSERT_EQ(v->attributes.size(), 2u);
    EXPECT_NE(v->attributes[0].arg, nullptr);
    EXPECT_EQ(v->attributes[1].arg, nullptr);
    EXPECT_EQ(tokens_.text(v->attributes[1].args_last), "SI");
}

TEST_F(DeclTest, DeclarationsOfC23)
{
    language_.is_c23 = true;
    EXPECT_EQ(decl("constexpr int n = 1'0; static thread_local bool b; auto a = true; auto int i;"),
              "(Declaration (Specifiers constexpr int) (InitDeclarator (Declarator n) (Number 1'0)))\n"
              "(Declaration (Specifiers static thread_local bool) (InitDeclarator (Declarator b)))\n"
              "(Declaration (Specifiers auto) (InitDeclarator (Declarator a) (BoolConst true)))\n"
              "(Declaration (Specifiers auto int) (InitDeclarator (Declarator i)))");
    EXPECT_EQ(decl("enum e : short { A }; enum : unsigned long { B } b; struct s { enum e x : 3; };"),
              "(Declaration (Specifiers (EnumSpec e A (Specifiers short))))\n"
              "(Declaration (Specifiers (EnumSpec B (Specifiers unsigned long))) (InitDeclarator (Declarator b)))\n"
              "(Declaration (Specifiers (RecordSpec struct s {} (FieldDecl (Specifiers (EnumSpec e)) (Declarator x) "
              "(Number 3)))))");
    EXPECT_EQ(
        decl("typeof_unqual(const int) x; _BitInt(7) y; alignas(8) int z; static_assert(alignof(int) == 4);"),
        "(Declaration (Specifiers (TypeName (Specifiers const int))) (InitDeclarator (Declarator x)))\n"
        "(Declaration (Specifiers _BitInt (Number 7)) (InitDeclarator (Declarator y)))\n"
        "(Declaration (Specifiers int (AttributeList alignas ( 8 ) (Number 8))) (InitDeclarator (Declarator z)))\n"
        "(StaticAssert (Binary == (SizeofType alignof (TypeName (Specifiers int))) (Number 4)))");
}

TEST_F(DeclTest, TypesOfGnuC)
{
    EXPECT_EQ(decl("typeof(T *) a; __typeof__(a + 1) b; _Atomic(int) c; _Atomic int d; __auto_type e = 1;"),
              "(Declaration (Specifiers (TypeName (Specifiers T) (Declarator *))) (InitDeclarator (Declarator a)))\n"
              "(Declaration (Specifiers (Binary + (Ident a) (Number 1))) (InitDeclarator (Declarator b)))\n"
              "(Declaration (Specifiers (TypeName (Specifiers int))) (InitDeclarator (Declarator c)))\n"
              "(Declaration (Specifiers _Atomic int) (InitDeclarator (Declarator d)))\n"
              "(Declaration (Specifiers __auto_type) (InitDeclarator (Declarator e) (Number 1)))");
    EXPECT_TRUE(static_cast<ast::Declaration*>(unit_->decls[3])->specifiers->is_atomic_type);
    EXPECT_FALSE(static_cast<ast::Declaration*>(unit_->decls[1])->specifiers->is_atomic_type);
    EXPECT_EQ(decl("unsigned __int128 a; _Complex double b; __builtin_va_list c; _Decimal64 d; _Float128 e;"),
              "(Declaration (Specifiers unsigned __int128) (InitDeclarator (Declarator a)))\n"
              "(Declaration (Specifiers _Complex double) (InitDeclarator (Declarator b)))\n"
              "(Declaration (Specifiers __builtin_va_list) (InitDeclarator (Declarator c)))\n"
              "(Declaration (Specifiers _Decimal64) (InitDeclarator (Declarator d)))\n"
              "(Declaration (Specifiers _Float128) (InitDeclarator (Declarator e)))");
}

TEST_F(DeclTest, OpaqueDeclarationsOfTheFile)
{
    EXPECT_EQ(decl("; asm(\"x\"); typedef float _Float32;"),
              "(Opaque ;)\n(Opaque asm ( \"x\" ) ;)\n(Opaque typedef float _Float32 ;)");
}

TEST_F(DeclTest, UnknownTypesAreTakenAsTypes)
{
    EXPECT_EQ(decl("foo_t f(bar_t *x);"),
              "(Declaration (Specifiers foo_t) (InitDeclarator (Declarator f (params) (ParamDecl (Specifiers bar_t) "
              "(Declarator x *)))))");
    EXPECT_EQ(stmts("foo x = 1;"), "(Declaration (Specifiers foo) (InitDeclarator (Declarator x) (Number 1)))");
}

}  // namespace
}  // namespace bn::parse
