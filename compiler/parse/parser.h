// parser.h: the recursive-descent parser, private to this folder.
//
// One idea keeps the grammar functions short: after an error the cursor stays at the End token until some function
// recovers.  At End, every loop of the grammar terminates and every expectation fails silently, so errors need no
// return codes; the resulting nodes are complete but meaningless, and the recovering function drops them.  Blocks and
// record bodies recover from errors in their items; the external declaration recovers from all others.
//
// Lists are collected on stacks that live as long as the parser: a function notes the height of a stack, pushes its
// items, and then moves everything above the mark into the arena.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ast/ast.h"
#include "diag/diagnostics.h"
#include "lex/token.h"
#include "parse/parse.h"
#include "parse/scope.h"
#include "parse/taint.h"

namespace bn::parse {

using ast::Kind;
using ast::Op;
using lex::Tok;
using lex::TokenIndex;

inline constexpr uint32_t kMaxNesting = 1000;

class Parser {
public:
    Parser(const lex::TokenList& tokens, ast::Arena& arena, diag::Diagnostics& diagnostics, const Options& options);
    ast::Unit* run();

private:
    // ---- cursor and errors: cursor.cc ----
    Tok kind() const { return list_[pos_].kind; }
    Tok peek(TokenIndex distance = 1) const { return kind_at(pos_ + distance); }
    Tok kind_at(TokenIndex index) const { return list_[index < end_ ? index : end_].kind; }
    uint32_t name_at(TokenIndex index) const { return list_[index].name; }
    bool at(Tok tok) const { return kind() == tok; }
    bool at_typedef_name(TokenIndex index) const
    {
        return kind_at(index) == Tok::Identifier && scopes_.is_typedef(name_at(index));
    }
    TokenIndex advance() { return pos_ < end_ ? pos_++ : pos_; }
    bool accept(Tok tok);
    bool expect(Tok tok);
    void expect_semicolon();
    TokenIndex expect_identifier();
    void fail(diag::Id id, std::initializer_list<std::string_view> args);
    void fail_expected(std::string_view what);
    void fail_nesting(uint32_t limit);
    uint32_t max_nesting() const { return std::min(kMaxNesting, options_.max_height / 2); }  // less on a small stack
    void report_expected(std::string_view what);
    bool report_bad_token();
    bool is_reporting();
    std::string describe(TokenIndex index) const;
    TokenIndex place_of_missing() const;
    void recover_in_block(TokenIndex item);
    TokenIndex end_of_declaration(TokenIndex first) const;
    bool opens_function_body(TokenIndex open) const;
    TokenIndex skip_parens(TokenIndex open) const;
    TokenIndex skip_brackets(TokenIndex open) const;
    void note_pragmas_here();

    // ---- nodes ----
    template <typename T>
    T* make()
    {
        return arena_.make<T>();
    }
    template <typename T>
    std::span<T> take(std::vector<T>& stack, size_t mark)
    {
        std::span<T> items = arena_.copy_from(stack, mark);
        stack.resize(mark, T{});
        return items;
    }
    template <typename T>
    T* child(T* node)
    {
        if (node != nullptr && node->last >= node->first)
            children_.push_back(node);
        return node;
    }
    // Makes the node the parent of the children above the mark; it ends with the last token read.
    template <typename T>
    T* finish(T* node, Kind kind, TokenIndex first, size_t mark)
    {
        finish_node(*node, kind, first, mark);
        return node;
    }
    void finish_node(ast::Node& node, Kind kind, TokenIndex first, size_t mark);

    // ---- unit and declarations: parse_decl.cc ----
    ast::Node* parse_external_declaration();
    ast::Node* abandon_declaration(TokenIndex first);
    void register_typedefs(TokenIndex first, TokenIndex end);
    void taint_setjmp();
    void taint_declaration(TokenIndex first, TokenIndex end);
    ast::Node* parse_opaque_until_semicolon();
    ast::Node* parse_declaration();
    ast::Node* parse_static_assert();
    ast::InitDeclarator* parse_init_declarator(ast::Declarator* declarator, bool is_typedef);
    bool starts_function_definition(const ast::Declarator& declarator) const;
    ast::Node* parse_function_definition(ast::Specifiers* specifiers, ast::Declarator* declarator, TokenIndex first,
                                         size_t mark);
    void parse_function_body(ast::FunctionDef& function, TokenIndex first);
    bool is_value_function(const ast::FunctionDef& function, TokenIndex first, TokenIndex close) const;
    bool parse_value_function(ast::FunctionDef& function);
    void declare_parameters(const ast::Declarator& declarator);
    void declare(TokenIndex name, bool is_typedef);
    bool at_declaration() const;
    bool starts_type(TokenIndex index) const;
    bool starts_declaration(TokenIndex index) const;
    TokenIndex skip_attributes(TokenIndex index) const;

    // ---- specifiers, records, enumerations, attributes: parse_spec.cc, parse_record.cc, parse_attr.cc ----
    ast::Specifiers* parse_specifiers();
    void infer_type(size_t first_storage);
    bool parse_specifier(ast::Specifiers& specifiers, bool& has_type);
    bool parse_type_specifier(ast::Specifiers& specifiers, bool& has_type);
    void parse_atomic_or_typeof(ast::Specifiers& specifiers);
    bool is_unknown_type_name() const;
    bool parse_qualifier();
    void parse_layout(ast::QualifierToken& qualifier);
    ast::RecordSpec* parse_record();
    void parse_record_body(ast::RecordSpec& record);
    ast::Node* parse_member();
    ast::FieldDecl::Field parse_field();
    ast::EnumSpec* parse_enum();
    void parse_enumerators(ast::EnumSpec& enumeration);
    bool at_attribute() const;
    bool at_bracket_attribute() const { return is_bracket_attribute(pos_); }
    bool is_bracket_attribute(TokenIndex index) const
    {
        return kind_at(index) == Tok::LBracket && kind_at(index + 1) == Tok::LBracket;
    }
    ast::Node* parse_attribute_list();
    void parse_attributes();
    void parse_bracket_attributes();
    void parse_attribute();
    void parse_alignas();
    ast::Node* parse_asm_label();

    // ---- declarators: parse_declarator.cc ----
    enum class DeclaratorMode { Named, Abstract, Either };
    ast::Declarator* parse_declarator(DeclaratorMode mode);
    void parse_declarator_parts(ast::Declarator& declarator, DeclaratorMode mode);
    void parse_declarator_suffix(ast::Declarator& declarator);
    void parse_pointer();
    bool opens_nested_declarator(DeclaratorMode mode) const;
    void parse_array_part();
    void parse_function_part();
    void parse_parameters(ast::DeclaratorPart& part);
    ast::ParamDecl* parse_parameter();
    ast::TypeName* parse_type_name();

    // ---- expressions: parse_expr.cc, parse_primary.cc ----
    ast::Expr* parse_expr();
    ast::Expr* parse_assignment();
    ast::Expr* parse_conditional();
    ast::Expr* parse_binary(ast::Expr* left, int min_precedence);
    ast::Expr* parse_unary();
    ast::Expr* parse_prefix(Op op);
    ast::Expr* parse_label_address();
    ast::Expr* parse_size_operator(Op op);
    ast::Expr* parse_cast_or_primary();
    ast::Expr* parse_compound_literal(ast::TypeName* type, TokenIndex first, size_t mark);
    ast::Expr* parse_postfix(ast::Expr* expr);
    void parse_arguments(ast::Expr& call);
    ast::Expr* parse_primary();
    ast::Expr* parse_leaf(Kind kind);
    ast::Expr* parse_paren();
    ast::Expr* parse_generic();
    ast::Expr* parse_va_arg();
    ast::Expr* parse_offsetof();
    ast::Expr* parse_types_compatible();
    ast::Expr* parse_choose_expr();
    ast::Expr* parse_initializer();
    ast::Expr* parse_init_list();
    ast::Designation* parse_designation();

    // ---- statements: parse_stmt.cc, parse_asm.cc ----
    ast::CompoundStmt* parse_compound();
    ast::Node* parse_block_item();
    ast::Stmt* parse_statement();
    ast::Stmt* parse_unlabelled_statement();
    bool at_label() const;
    void parse_label(ast::SimpleStmt& statement);
    ast::Stmt* parse_statement_after_label();
    ast::Stmt* parse_expression_statement();
    ast::Stmt* parse_if();
    ast::Stmt* parse_while_or_switch(Kind kind);
    ast::Stmt* parse_do();
    ast::Stmt* parse_for();
    ast::Stmt* parse_forall();
    void parse_loop_head(ast::SimpleStmt& loop);
    void parse_affinity(ast::SimpleStmt& loop);
    ast::Stmt* parse_jump(Kind kind);
    ast::Stmt* parse_sync(Kind kind);
    ast::Stmt* parse_asm_statement();
    void parse_asm_operands();
    ast::Expr* parse_condition();

    class Nesting;

    const lex::TokenList& list_;
    ast::Arena& arena_;
    diag::Diagnostics& diagnostics_;
    const Options options_;
    const TokenIndex end_;  // index of the End token
    TokenIndex pos_ = 1;
    uint32_t nesting_ = 0;
    ast::Unit* unit_ = nullptr;
    Scopes scopes_;
    Taint taint_;
    size_t next_pragma_ = 0;

    bool panic_ = false;                // after an error: pos_ stays at End
    TokenIndex error_pos_ = 0;          // position of the error
    bool abandoned_ = false;            // the error must not be reported: the external declaration becomes Opaque
    TokenIndex declaration_first_ = 0;  // of the external declaration
    enum class Reporting { Unknown, Yes, No } reporting_ = Reporting::Unknown;
    bool in_body_ = false;
    TokenIndex taint_end_ = 0;        // end of the part of the external declaration that can taint; 0: all of it
    std::vector<uint32_t> declared_;  // names declared by the external declaration

    std::vector<ast::Node*> children_;
    std::vector<ast::Attribute> attributes_;
    std::vector<ast::Node*> attribute_nodes_;
    std::vector<ast::QualifierToken> qualifiers_;
    std::vector<TokenIndex> storage_;
    std::vector<TokenIndex> functions_;
    std::vector<TokenIndex> base_;
    std::vector<TokenIndex> kr_names_;
    std::vector<ast::DeclaratorPart> parts_;
    std::vector<ast::DeclaratorPart> pointers_;
    std::vector<ast::ParamDecl*> params_;
    std::vector<ast::Node*> members_;
    std::vector<ast::FieldDecl::Field> fields_;
    std::vector<ast::EnumSpec::Enumerator> enumerators_;
    std::vector<ast::InitDeclarator*> declarators_;
    std::vector<ast::Declaration*> kr_declarations_;
    std::vector<ast::Expr*> exprs_;
    std::vector<ast::TypeName*> types_;
    std::vector<ast::Designation*> designations_;
    std::vector<ast::Designator> designators_;
};

// Counts one level of recursion; the limit bounds the parser's own stack.
class Parser::Nesting {
public:
    explicit Nesting(Parser& parser) : parser_(parser)
    {
        if (++parser_.nesting_ > parser_.max_nesting())
            parser_.fail_nesting(parser_.max_nesting());
    }
    ~Nesting() { parser_.nesting_--; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

private:
    Parser& parser_;
};

}  // namespace bn::parse
