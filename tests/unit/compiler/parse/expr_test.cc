#include "parse_fixture.h"

namespace bn::parse {
namespace {

class ExprTest : public ParseTest {};

TEST_F(ExprTest, PrecedenceAndAssociativity)
{
    EXPECT_EQ(expr("a + b * c - 1"), "(Binary - (Binary + (Ident a) (Binary * (Ident b) (Ident c))) (Number 1))");
    EXPECT_EQ(expr("a << 1 < b == c & 2 ^ 3 | 4 && 5 || 6"),
              "(Binary || (Binary && (Binary | (Binary ^ (Binary & (Binary == (Binary < (Binary << (Ident a) (Number "
              "1)) "
              "(Ident b)) (Ident c)) (Number 2)) (Number 3)) (Number 4)) (Number 5)) (Number 6))");
    EXPECT_EQ(expr("a - b - c"), "(Binary - (Binary - (Ident a) (Ident b)) (Ident c))");
    EXPECT_EQ(expr("a == b != c"), "(Binary != (Binary == (Ident a) (Ident b)) (Ident c))");
    EXPECT_EQ(expr("a = b += c"), "(Assign = (Ident a) (Assign += (Ident b) (Ident c)))");
    EXPECT_EQ(expr("a, b, c"), "(Binary , (Binary , (Ident a) (Ident b)) (Ident c))");
}

TEST_F(ExprTest, EveryBinaryOperatorHasItsOp)
{
    struct {
        const char* text;
        ast::Op op;
    } rows[] = {
        {"*", Op::Mul},  {"/", Op::Div},     {"%", Op::Mod},    {"+", Op::Add},   {"-", Op::Sub},
        {"<<", Op::Shl}, {">>", Op::Shr},    {"<", Op::Lt},     {">", Op::Gt},    {"<=", Op::Le},
        {">=", Op::Ge},  {"==", Op::Eq},     {"!=", Op::Ne},    {"&", Op::And},   {"^", Op::Xor},
        {"|", Op::Or},   {"&&", Op::LogAnd}, {"||", Op::LogOr}, {",", Op::Comma},
    };
    for (const auto& row : rows) {
        expr(std::string("a ") + row.text + " b");
        const ast::Expr* value = static_cast<ast::SimpleStmt*>(body(1)->items[0])->value;
        EXPECT_EQ(value->kind, Kind::Binary) << row.text;
        EXPECT_EQ(value->op, row.op) << row.text;
        EXPECT_EQ(tokens_.text(value->name), row.text);
    }
}

TEST_F(ExprTest, CompoundAssignmentsHaveTheirOp)
{
    struct {
        const char* text;
        ast::Op op;
    } rows[] = {
        {"=", Op::None},  {"*=", Op::Mul},  {"/=", Op::Div}, {"%=", Op::Mod}, {"+=", Op::Add}, {"-=", Op::Sub},
        {"<<=", Op::Shl}, {">>=", Op::Shr}, {"&=", Op::And}, {"^=", Op::Xor}, {"|=", Op::Or},
    };
    for (const auto& row : rows) {
        expr(std::string("a ") + row.text + " b");
        const ast::Expr* value = static_cast<ast::SimpleStmt*>(body(1)->items[0])->value;
        EXPECT_EQ(value->kind, Kind::Assign) << row.text;
        EXPECT_EQ(value->op, row.op) << row.text;
    }
}

TEST_F(ExprTest, UnaryAndPostfix)
{
    EXPECT_EQ(expr("-~!+a"), "(Unary - (Unary ~ (Unary ! (Unary + (Ident a)))))");
    EXPECT_EQ(expr("*a++"), "(Unary * (Unary post ++ (Ident a)))");
    EXPECT_EQ(expr("++*a--"), "(Unary ++ (Unary * (Unary post -- (Ident a))))");
    EXPECT_EQ(expr("&a[1].b->c"), "(Unary & (Member -> c (Member . b (Index (Ident a) (Number 1)))))");
    EXPECT_EQ(expr("a(1, b)(c)()"), "(Call (Call (Call (Ident a) (Number 1) (Ident b)) (Ident c)))");
    EXPECT_EQ(expr("__real__ a + __imag b"), "(Binary + (Unary __real__ (Ident a)) (Unary __imag (Ident b)))");
    EXPECT_EQ(expr("__extension__ a"), "(Unary __extension__ (Ident a))");
}

TEST_F(ExprTest, Conditional)
{
    EXPECT_EQ(expr("a ? b : c ? 1 : 2"),
              "(Conditional (Ident a) (Ident b) (Conditional (Ident c) (Number 1) (Number 2)))");
    EXPECT_EQ(expr("a ? b, c : 1"), "(Conditional (Ident a) (Binary , (Ident b) (Ident c)) (Number 1))");
    EXPECT_EQ(expr("a ?: b"), "(Conditional (Ident a) (Ident b))");
}

TEST_F(ExprTest, CastsAndParentheses)
{
    EXPECT_EQ(expr("(T)-1"), "(Cast (TypeName (Specifiers T)) (Unary - (Number 1)))");
    EXPECT_EQ(expr("(a)-1"), "(Binary - (Paren (Ident a)) (Number 1))");
    EXPECT_EQ(expr("(T)(a)(b)"), "(Cast (TypeName (Specifiers T)) (Call (Paren (Ident a)) (Ident b)))");
    EXPECT_EQ(expr("(T)a + b"), "(Binary + (Cast (TypeName (Specifiers T)) (Ident a)) (Ident b))");
    EXPECT_EQ(expr("(int *(*)[3])a"), "(Cast (TypeName (Specifiers int) (Declarator * [e] * (Number 3))) (Ident a))");
    EXPECT_EQ(expr("(shared [] int *)a"), "(Cast (TypeName (Specifiers shared[] int) (Declarator *)) (Ident a))");
}

TEST_F(ExprTest, CompoundLiterals)
{
    EXPECT_EQ(expr("(T){1}.x"), "(Member . x (CompoundLiteral (TypeName (Specifiers T)) (InitList (Number 1))))");
    EXPECT_EQ(expr("sizeof(int[]){1, 2}[0]"),
              "(SizeofExpr sizeof (Index (CompoundLiteral (TypeName (Specifiers int) (Declarator [])) "
              "(InitList (Number 1) (Number 2))) (Number 0)))");
}

TEST_F(ExprTest, SizeOperators)
{
    EXPECT_EQ(expr("sizeof(T)"), "(SizeofType sizeof (TypeName (Specifiers T)))");
    EXPECT_EQ(expr("sizeof(a)"), "(SizeofExpr sizeof (Paren (Ident a)))");
    EXPECT_EQ(expr("sizeof a + 1"), "(Binary + (SizeofExpr sizeof (Ident a)) (Number 1))");
    EXPECT_EQ(expr("sizeof (T) + 1"), "(Binary + (SizeofType sizeof (TypeName (Specifiers T))) (Number 1))");
    EXPECT_EQ(expr("_Alignof(T) + __alignof__ a"),
              "(Binary + (SizeofType _Alignof (TypeName (Specifiers T))) (SizeofExpr __alignof__ (Ident a)))");
    EXPECT_EQ(expr("upc_localsizeof(shared [3] T[9*THREADS])"),
              "(SizeofType upc_localsizeof (TypeName (Specifiers shared[e] T (Number 3)) (Declarator [e] "
              "(Binary * (Number 9) (Threads)))))");
    EXPECT_EQ(expr("upc_blocksizeof a"), "(SizeofExpr upc_blocksizeof (Ident a))");
    EXPECT_EQ(expr("upc_elemsizeof(a[0])"), "(SizeofExpr upc_elemsizeof (Paren (Index (Ident a) (Number 0))))");
}

TEST_F(ExprTest, ConstantsAndNames)
{
    EXPECT_EQ(expr("\"a\" L\"b\" \"c\""), "(String \"a\" L\"b\" \"c\")");
    EXPECT_EQ(expr("'x' + 0x1p3"), "(Binary + (CharConst 'x') (Number 0x1p3))");
    EXPECT_EQ(expr("THREADS + MYTHREAD * UPC_MAX_BLOCK_SIZE"), "(Binary + (Threads) (Binary * (MyThread) (MaxBlock)))");
}

TEST_F(ExprTest, Builtins)
{
    EXPECT_EQ(expr("__builtin_va_arg(a, T *)"), "(VaArg (Ident a) (TypeName (Specifiers T) (Declarator *)))");
    EXPECT_EQ(expr("__builtin_offsetof(struct S, x.y[2]->z)"),
              "(Offsetof (TypeName (Specifiers (RecordSpec struct S))) (Number 2))");
    EXPECT_EQ(expr("__builtin_types_compatible_p(T, int)"),
              "(TypesCompatible (TypeName (Specifiers T)) (TypeName (Specifiers int)))");
    EXPECT_EQ(expr("__builtin_choose_expr(1, a, b)"), "(ChooseExpr (Number 1) (Ident a) (Ident b))");
    EXPECT_EQ(expr("__builtin_convertvector(a, T)"),
              "(Call (Ident __builtin_convertvector) (Ident a) (TypeName (Specifiers T)))");
}

TEST_F(ExprTest, Generic)
{
    EXPECT_EQ(expr("_Generic(a, T: 1, char *: 2, default: 3)"),
              "(Generic (Ident a) (TypeName (Specifiers T)) (Number 1) (TypeName (Specifiers char) (Declarator *)) "
              "(Number 2) (Number 3))");
    const ast::Expr* generic = static_cast<ast::SimpleStmt*>(body(1)->items[0])->value;
    ASSERT_EQ(generic->type_args.size(), 3u);
    EXPECT_EQ(generic->type_args[2], nullptr);
    EXPECT_EQ(generic->args.size(), 3u);
}

TEST_F(ExprTest, StatementExpressionsAndLabelAddresses)
{
    EXPECT_EQ(expr("({ T x; x; })"),
              "(StmtExpr (Compound (Declaration (Specifiers T) (InitDeclarator (Declarator x))) (ExprStmt (Ident "
              "x))))");
    EXPECT_EQ(expr("a && &&b"), "(Binary && (Ident a) (Unary && b))");
}

TEST_F(ExprTest, Initialisers)
{
    EXPECT_EQ(tree("int a[] = { 1, { 2, }, [3] = 4, [5 ... 6] = 7, .x.y[2] = 8, z: 9, [1] 2, };"),
              "(Declaration (Specifiers int) (InitDeclarator (Declarator a []) (InitList (Number 1) (InitList (Number "
              "2)) "
              "(Designation [ 3 ] (Number 3)) (Number 4) (Designation [ 5 ... 6 ] (Number 5) (Number 6)) (Number 7) "
              "(Designation . x . y [ 2 ] (Number 2)) (Number 8) (Designation z :) (Number 9) "
              "(Designation [ 1 ] (Number 1)) (Number 2))))");
    EXPECT_EQ(tree("int a = {};"), "(Declaration (Specifiers int) (InitDeclarator (Declarator a) (InitList)))");
}

TEST_F(ExprTest, DesignationsStandBesideTheirElements)
{
    load("int a[] = { 1, [2] = 3, .m = 4 };");
    const ast::Expr* list = static_cast<ast::Declaration*>(unit_->decls[0])->declarators[0]->init;
    ASSERT_EQ(list->args.size(), 3u);
    ASSERT_EQ(list->designations.size(), 3u);
    EXPECT_EQ(list->designations[0], nullptr);
    ASSERT_NE(list->designations[1], nullptr);
    EXPECT_EQ(list->designations[1]->designators[0].index->kind, Kind::Number);
    ASSERT_NE(list->designations[2], nullptr);
    EXPECT_EQ(tokens_.text(list->designations[2]->designators[0].member), "m");
}

}  // namespace
}  // namespace bn::parse
