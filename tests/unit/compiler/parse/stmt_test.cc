#include "parse_fixture.h"

namespace bn::parse {
namespace {

class StmtTest : public ParseTest {};

TEST_F(StmtTest, Selection)
{
    EXPECT_EQ(stmts("if (a) if (b) 1; else 2; else 3;"),
              "(If (Ident a) (If (Ident b) (ExprStmt (Number 1)) (ExprStmt (Number 2))) (ExprStmt (Number 3)))");
    EXPECT_EQ(stmts("if (a) 1; else if (b) 2; else if (c) 3; else 4;"),
              "(If (Ident a) (ExprStmt (Number 1)) (If (Ident b) (ExprStmt (Number 2)) (If (Ident c) (ExprStmt "
              "(Number 3)) "
              "(ExprStmt (Number 4)))))");
    EXPECT_EQ(stmts("if (a) 1; else if (b) 2; 3;"),
              "(If (Ident a) (ExprStmt (Number 1)) (If (Ident b) (ExprStmt (Number 2)))) (ExprStmt (Number 3))");
    EXPECT_EQ(stmts("switch (a) { case 1: case 2 ... 3: b; default: ; }"),
              "(Switch (Ident a) (Compound (Case (Number 1) (Case (Number 2) (Number 3) (ExprStmt (Ident b)))) "
              "(Default (ExprStmt))))");
}

TEST_F(StmtTest, Loops)
{
    EXPECT_EQ(stmts("while (a) b; do b; while (a);"),
              "(While (Ident a) (ExprStmt (Ident b))) (DoWhile (ExprStmt (Ident b)) (Ident a))");
    EXPECT_EQ(stmts("for (;;) ; for (a; b; c) ; for (int i = 0, j; ; ) ;"),
              "(For (ExprStmt)) (For (Ident a) (Ident b) (Ident c) (ExprStmt)) (For (Declaration (Specifiers int) "
              "(InitDeclarator (Declarator i) (Number 0)) (InitDeclarator (Declarator j))) (ExprStmt))");
}

TEST_F(StmtTest, Jumps)
{
    EXPECT_EQ(stmts("x: goto x; goto *a; break; continue; return; return a;"),
              "(Label x (Goto x)) (Goto (Ident a)) (Break) (Continue) (Return) (Return (Ident a))");
}

TEST_F(StmtTest, LabelsBeforeDeclarationsAndAtTheEnd)
{
    EXPECT_EQ(stmts("x: int y; z: T: w: __attribute__((unused)) ; q:"),
              "(Label x) (Declaration (Specifiers int) (InitDeclarator (Declarator y))) "
              "(Label z (Label T (Label w (AttributeList __attribute__ ( ( unused ) )) (ExprStmt)))) (Label q)");
}

TEST_F(StmtTest, Fallthrough)
{
    EXPECT_EQ(stmts("__attribute__((fallthrough)); [[fallthrough]];"),
              "(ExprStmt (AttributeList __attribute__ ( ( fallthrough ) ))) (ExprStmt (AttributeList [ [ fallthrough "
              "] ]))");
}

TEST_F(StmtTest, BracketAttributesBeforeDeclarationsAndStatements)
{
    EXPECT_EQ(stmts("l: [[a]] int x; for ([[a]] T y = 1; ;) [[likely]] 1;"),
              "(Label l) (Declaration (Specifiers int (AttributeList [ [ a ] ])) (InitDeclarator (Declarator x))) "
              "(For (Declaration (Specifiers T (AttributeList [ [ a ] ])) (InitDeclarator (Declarator y) (Number 1))) "
              "(ExprStmt (Number 1)))");
    EXPECT_EQ(stmts("T *[[a]] x;"),
              "(Declaration (Specifiers T) (InitDeclarator (Declarator x * (AttributeList [ [ a ] ]))))");
}

TEST_F(StmtTest, Asm)
{
    EXPECT_EQ(stmts("asm(\"nop\"); __asm__ volatile goto (\"a\" \"b\" : [x] \"=r\"(a), \"=m\"(b[1]) : \"r\"(c) : "
                    "\"cc\", \"memory\" : out);"
                    "asm(\"\" ::: \"cc\");"),
              "(AsmStmt) (AsmStmt (Ident a) (Index (Ident b) (Number 1)) (Ident c)) (AsmStmt)");
}

TEST_F(StmtTest, NestedFunctionsAndLocalLabels)
{
    EXPECT_EQ(stmts("__label__ x, y; int g(int k) { return k; } g(1);"),
              "(Opaque __label__ x , y ;) (FunctionDef (Specifiers int) (Declarator g (params) (ParamDecl (Specifiers "
              "int) "
              "(Declarator k))) (Compound (Return (Ident k)))) (ExprStmt (Call (Ident g) (Number 1)))");
}

TEST_F(StmtTest, DeclarationsAmongStatements)
{
    EXPECT_EQ(stmts("1; _Static_assert(1); T x, *y; __extension__ T z; x;"),
              "(ExprStmt (Number 1)) (StaticAssert (Number 1)) (Declaration (Specifiers T) (InitDeclarator "
              "(Declarator x)) "
              "(InitDeclarator (Declarator y *))) (Declaration (Specifiers T) (InitDeclarator (Declarator z))) "
              "(ExprStmt (Ident x))");
}

TEST_F(StmtTest, Forall)
{
    EXPECT_EQ(stmts("upc_forall (a; b; c; &sh) sh;"),
              "(Forall (Ident a) (Ident b) (Ident c) (Unary & (Ident sh)) (ExprStmt (Ident sh)))");
    EXPECT_EQ(stmts("upc_forall (;;;) ; upc_forall (int i = 0; ; ; continue) ;"),
              "(Forall (ExprStmt)) (Forall continue (Declaration (Specifiers int) (InitDeclarator (Declarator i) "
              "(Number 0))) (ExprStmt))");
    EXPECT_EQ(stmts("upc_forall (a; ; ; i, j) { continue; }"),
              "(Forall (Ident a) (Binary , (Ident i) (Ident j)) (Compound (Continue)))");
}

TEST_F(StmtTest, ForallOpensAScope)
{
    EXPECT_NE(stmts("upc_forall (int T = 0; ; ; T) T * x; T * x;").find("(Declaration (Specifiers T)"),
              std::string::npos);
}

TEST_F(StmtTest, Synchronisation)
{
    EXPECT_EQ(stmts("upc_notify; upc_wait 1; upc_barrier a + 1; upc_fence; upc_barrier;"),
              "(Notify) (Wait (Number 1)) (Barrier (Binary + (Ident a) (Number 1))) (Fence) (Barrier)");
}

TEST_F(StmtTest, ItemsOfABlockAreItsChildren)
{
    load("int f(void) { int a; { } ; }");
    EXPECT_EQ(body(0)->items.data(), body(0)->children.data());
    EXPECT_EQ(body(0)->items.size(), 3u);
}

}  // namespace
}  // namespace bn::parse
