#include "parse/dump.h"

namespace bn::parse {

namespace {

using ast::Kind;

constexpr std::string_view kKindNames[] = {
#define BN_NODE(name) #name,
#include "ast/kinds.def"
};

class Dumper {
public:
    explicit Dumper(const lex::TokenList& tokens) : tokens_(tokens) {}

    void visit(const ast::Node& node)
    {
        out_ += '(';
        out_ += kKindNames[static_cast<size_t>(node.kind)];
        add_detail(node);
        for (const ast::Node* child : node.children) {
            out_ += ' ';
            visit(*child);
        }
        out_ += ')';
    }

    std::string take() { return std::move(out_); }

private:
    void word(std::string_view text)
    {
        out_ += ' ';
        out_ += text;
    }

    void token(lex::TokenIndex index)
    {
        if (index != 0)
            word(tokens_.text(index));
    }

    void tokens(std::span<const lex::TokenIndex> indices)
    {
        for (lex::TokenIndex index : indices)
            token(index);
    }

    void range(lex::TokenIndex first, lex::TokenIndex last)
    {
        for (lex::TokenIndex index = first; index <= last; index++)
            token(index);
    }

    void add_detail(const ast::Node& node)
    {
        switch (node.kind) {
        case Kind::Number:
        case Kind::BoolConst:
        case Kind::CharConst:
        case Kind::String:
        case Kind::AttributeList:
        case Kind::Designation:
        case Kind::Opaque: range(node.first, node.last); break;
        case Kind::Ident:
        case Kind::Member:
        case Kind::Unary:
        case Kind::Binary:
        case Kind::Assign:
        case Kind::SizeofExpr:
        case Kind::SizeofType: add_expr(static_cast<const ast::Expr&>(node)); break;
        case Kind::Specifiers: add_specifiers(static_cast<const ast::Specifiers&>(node)); break;
        case Kind::Declarator: add_declarator(static_cast<const ast::Declarator&>(node)); break;
        case Kind::RecordSpec: {
            const ast::RecordSpec& record = static_cast<const ast::RecordSpec&>(node);
            token(record.keyword);
            token(record.tag);
            if (record.has_body)
                word("{}");
            break;
        }
        case Kind::EnumSpec: {
            const ast::EnumSpec& enumeration = static_cast<const ast::EnumSpec&>(node);
            token(enumeration.tag);
            for (const ast::EnumSpec::Enumerator& enumerator : enumeration.enumerators)
                token(enumerator.name);
            break;
        }
        case Kind::Label:
        case Kind::Goto: token(static_cast<const ast::SimpleStmt&>(node).name); break;
        case Kind::Forall:
            if (static_cast<const ast::SimpleStmt&>(node).affinity_continue)
                word("continue");
            break;
        case Kind::FunctionDef:
            if (static_cast<const ast::FunctionDef&>(node).body == nullptr)
                word("skipped");
            break;
        default: break;
        }
    }

    void add_expr(const ast::Expr& expr)
    {
        if (expr.op == ast::Op::Dot || expr.op == ast::Op::Arrow)
            word(expr.op == ast::Op::Dot ? "." : "->");
        if (expr.op == ast::Op::PostInc || expr.op == ast::Op::PostDec)
            word("post");
        if (expr.op == ast::Op::LabelAddress)
            word("&&");
        token(expr.name);
    }

    void add_qualifiers(std::span<const ast::QualifierToken> qualifiers)
    {
        using Brackets = ast::QualifierToken::Brackets;
        for (const ast::QualifierToken& qualifier : qualifiers) {
            token(qualifier.token);
            switch (qualifier.brackets) {
            case Brackets::None: break;
            case Brackets::Empty: out_ += "[]"; break;
            case Brackets::Star: out_ += "[*]"; break;
            case Brackets::Value: out_ += "[e]"; break;
            }
        }
    }

    void add_specifiers(const ast::Specifiers& specifiers)
    {
        tokens(specifiers.storage);
        tokens(specifiers.functions);
        add_qualifiers(specifiers.qualifiers);
        tokens(specifiers.base);
        token(specifiers.typedef_name);
    }

    void add_declarator(const ast::Declarator& declarator)
    {
        token(declarator.name);
        for (const ast::DeclaratorPart& part : declarator.parts) {
            switch (part.kind) {
            case ast::DeclaratorPart::Kind::Pointer: word("*"); break;
            case ast::DeclaratorPart::Kind::Array:
                word(part.is_static ? "[static]" : part.is_star ? "[*]" : part.size != nullptr ? "[e]" : "[]");
                break;
            case ast::DeclaratorPart::Kind::Function:
                word(part.is_kr ? "()" : part.is_variadic ? "(params...)" : "(params)");
                tokens(part.kr_names);
                break;
            }
            add_qualifiers(part.qualifiers);
        }
    }

    const lex::TokenList& tokens_;
    std::string out_;
};

}  // namespace

std::string dump(const ast::Node& node, const lex::TokenList& tokens)
{
    Dumper dumper(tokens);
    dumper.visit(node);
    return dumper.take();
}

std::string dump(const ast::Unit& unit, const lex::TokenList& tokens)
{
    std::string text;
    for (const ast::Node* decl : unit.decls)
        text += dump(*decl, tokens) + "\n";
    return text;
}

}  // namespace bn::parse
