#include "lsp/index.h"

#include <algorithm>
#include <utility>

namespace bn::lsp {

using ast::Kind;
using ast::Node;
using lex::Tok;
using Role = Occurrence::Role;

namespace {

template <typename T>
const T& as(const Node& node)
{
    return static_cast<const T&>(node);
}

class Indexer {
public:
    Indexer(const lex::TokenList& tokens, Index& index)
        : tokens_(tokens), index_(index), names_(tokens.names.size()), tags_(tokens.names.size()),
          linked_(tokens.names.size())
    {
    }

    void run(const ast::Unit& unit)
    {
        for (const Node* decl : unit.decls)
            visit(decl);
        std::stable_sort(index_.occurrences.begin(), index_.occurrences.end(),
                         [](const Occurrence& a, const Occurrence& b) { return a.token < b.token; });
    }

private:
    // ---- Scopes ----

    struct Hidden {
        uint32_t name;
        uint32_t outer;
        bool is_tag;
    };

    uint32_t name_at(TokenIndex token) const { return tokens_[token].name; }

    size_t open() const { return hidden_.size(); }

    void close(size_t mark, TokenIndex last)
    {
        while (hidden_.size() > mark) {
            Hidden hidden = hidden_.back();
            hidden_.pop_back();
            std::vector<uint32_t>& table = hidden.is_tag ? tags_ : names_;
            Entity& entity = index_.entities[table[hidden.name]];
            if (!entity.at_file_scope)
                entity.to = last;
            table[hidden.name] = hidden.outer;
        }
    }

    void bind(TokenIndex token, uint32_t entity, bool is_tag)
    {
        std::vector<uint32_t>& table = is_tag ? tags_ : names_;
        hidden_.push_back({name_at(token), table[name_at(token)], is_tag});
        table[name_at(token)] = entity;
    }

    // ---- Entities ----

    uint32_t make(EntityKind kind, TokenIndex token)
    {
        Entity entity;
        entity.kind = kind;
        entity.name = tokens_.text(token);
        entity.declared = entity.first = entity.last = entity.from = token;
        entity.at_file_scope = depth_ == 0;
        index_.entities.push_back(entity);
        return static_cast<uint32_t>(index_.entities.size() - 1);
    }

    void occur(TokenIndex token, uint32_t entity, Role role)
    {
        if (entity != 0)
            index_.occurrences.push_back({token, entity, role});
    }

    static EntityKind kind_of(const sema::Symbol* symbol, bool is_typedef, sema::QualType type)
    {
        if (is_typedef)
            return EntityKind::Typedef;
        if (symbol != nullptr && symbol->is_parameter)
            return EntityKind::Parameter;
        return type.type != nullptr && sema::is_function(type) ? EntityKind::Function : EntityKind::Variable;
    }

    // All declarations of an object or function with linkage, including those inside functions, are one entity.
    void declare(const ast::Declarator& declarator, const Node& first, const ast::Specifiers& spec,
                 const sema::Symbol* symbol, bool is_definition)
    {
        TokenIndex token = declarator.name;
        if (token == 0)
            return;
        sema::QualType type = symbol != nullptr ? symbol->type : sema::QualType{};
        EntityKind kind = kind_of(symbol, spec.is_typedef, type);
        bool is_linked = kind != EntityKind::Parameter && kind != EntityKind::Typedef &&
                         (depth_ == 0 || spec.is_extern || kind == EntityKind::Function);
        uint32_t known = is_linked ? linked_[name_at(token)] : 0;
        uint32_t id = known != 0 && index_.entities[known].kind == kind ? known : make(kind, token);
        Entity& entity = index_.entities[id];
        if (entity.type.type == nullptr || is_definition)
            entity.type = type;
        if (is_definition && entity.defined == 0)
            entity.defined = token;
        if (id != known || entity.defined == token) {
            entity.first = first.first;
            entity.last = declarator.last;
        }
        if (is_linked)
            linked_[name_at(token)] = id;
        bind(token, id, false);
        by_token_[token] = id;
        occur(token, id, is_definition ? Role::Definition : Role::Declaration);
    }

    void use_tag(TokenIndex tag, EntityKind kind, const Node& node, const sema::Record* record, bool is_definition)
    {
        if (tag == 0)
            return;
        uint32_t id = tags_[name_at(tag)];
        if (id == 0 || index_.entities[id].kind != kind) {
            id = make(kind, tag);
            bind(tag, id, true);
        }
        Entity& entity = index_.entities[id];
        entity.record = entity.record == nullptr ? record : entity.record;
        if (is_definition) {
            entity.defined = tag;
            entity.first = node.first;
            entity.last = node.last;
        }
        occur(tag, id, is_definition ? Role::Definition : Role::Read);
    }

    // ---- Members ----

    // The member's name in the definition of a record, including nested anonymous structs
    TokenIndex member_token(const ast::RecordSpec* spec, std::string_view name) const
    {
        for (const Node* node : spec != nullptr ? spec->members : std::span<Node*>{}) {
            if (node->kind != Kind::FieldDecl)
                continue;
            const auto& decl = as<ast::FieldDecl>(*node);
            for (const ast::FieldDecl::Field& field : decl.fields) {
                TokenIndex token = field.declarator != nullptr ? field.declarator->name : 0;
                if (token != 0 && tokens_.text(token) == name)
                    return token;
                if (token == 0 && decl.specifiers->record != nullptr)
                    if (TokenIndex inner = member_token(decl.specifiers->record, name))
                        return inner;
            }
        }
        return 0;
    }

    void use_member(sema::QualType record, TokenIndex token, Role role)
    {
        if (record.type == nullptr || !sema::is_record(record))
            return;
        TokenIndex member = member_token(sema::kind_of(record)->record->spec, tokens_.text(token));
        auto known = by_token_.find(member);
        if (member != 0 && known != by_token_.end())
            occur(token, known->second, role);
    }

    void record(const ast::RecordSpec& spec)
    {
        EntityKind kind = spec.is_union ? EntityKind::Union : EntityKind::Struct;
        use_tag(spec.tag, kind, spec, spec.record, spec.has_body);
        uint32_t parent = spec.tag != 0 ? tags_[name_at(spec.tag)] : 0;
        children(spec);
        for (const Node* node : spec.members) {
            if (node->kind != Kind::FieldDecl)
                continue;
            const auto& decl = as<ast::FieldDecl>(*node);
            for (const ast::FieldDecl::Field& field : decl.fields) {
                TokenIndex token = field.declarator != nullptr ? field.declarator->name : 0;
                if (token == 0)
                    continue;
                uint32_t id = make(EntityKind::Member, token);
                Entity& entity = index_.entities[id];
                entity.type = field.type;
                entity.defined = token;
                entity.first = decl.first;
                entity.last = field.declarator->last;
                entity.parent = parent;
                by_token_[token] = id;
                occur(token, id, Role::Definition);
            }
        }
    }

    void enumeration(const ast::EnumSpec& spec)
    {
        use_tag(spec.tag, EntityKind::Enum, spec, nullptr, spec.has_body);
        uint32_t parent = spec.tag != 0 ? tags_[name_at(spec.tag)] : 0;
        for (const ast::EnumSpec::Enumerator& enumerator : spec.enumerators) {
            visit(enumerator.value);
            uint32_t id = make(EntityKind::Enumerator, enumerator.name);
            index_.entities[id].defined = enumerator.name;
            index_.entities[id].parent = parent;
            bind(enumerator.name, id, false);
            by_token_[enumerator.name] = id;
            occur(enumerator.name, id, Role::Definition);
        }
    }

    // ---- Declarations ----

    void declaration(const ast::Declaration& decl)
    {
        if (decl.specifiers != nullptr)
            visit(decl.specifiers);
        for (const ast::InitDeclarator* init : decl.declarators) {
            const ast::Declarator& declarator = *init->declarator;
            size_t mark = open();
            depth_++;
            visit(&declarator);
            depth_--;
            close(mark, declarator.last);
            bool is_object = init->symbol != nullptr && init->symbol->kind == sema::Symbol::Kind::Variable;
            bool is_definition = decl.specifiers->is_typedef || init->init != nullptr ||
                                 (is_object && !decl.specifiers->is_extern && !is_function_declarator(declarator));
            declare(declarator, decl, *decl.specifiers, init->symbol, is_definition);
            if (init->init != nullptr)
                visit(init->init);
        }
    }

    static bool is_function_declarator(const ast::Declarator& declarator)
    {
        return !declarator.parts.empty() && declarator.parts[0].kind == ast::DeclaratorPart::Kind::Function;
    }

    void function(const ast::FunctionDef& def)
    {
        if (def.specifiers != nullptr)
            visit(def.specifiers);
        // The function's name is known in its body; parameters are declared by the declarator, whose scope stays open.
        declare(*def.declarator, def, *def.specifiers, def.symbol, true);
        index_.entities[by_token_[def.declarator->name]].body_last = def.last;
        labels_.clear();
        size_t mark = open();
        depth_++;
        visit(def.declarator);
        for (const ast::Declaration* old : def.kr_declarations)
            visit(old);
        if (def.body != nullptr)
            children(*def.body);
        depth_--;
        close(mark, def.last);
    }

    void parameter(const ast::ParamDecl& param)
    {
        if (param.specifiers != nullptr)
            visit(param.specifiers);
        if (param.declarator == nullptr)
            return;
        size_t mark = open();
        visit(param.declarator);
        close(mark, param.last);
        declare(*param.declarator, param, *param.specifiers, param.symbol, true);
    }

    // ---- Expressions and statements ----

    void ident(const ast::Expr& e, Role role)
    {
        auto known = e.symbol != nullptr ? by_token_.find(e.symbol->token) : by_token_.end();
        occur(e.name, known != by_token_.end() ? known->second : names_[name_at(e.name)], role);
    }

    // An expression written by = or ++
    void target(const ast::Expr& e)
    {
        const ast::Expr* object = ast::without_parens(&e);
        if (object->kind == Kind::Ident)
            ident(*object, Role::Write);
        else if (object->kind == Kind::Member)
            member(*object, Role::Write);
        else
            visit(&e);
    }

    void member(const ast::Expr& e, Role role)
    {
        visit(e.a);
        if (e.a->type.type == nullptr)
            return;
        bool is_pointer = e.op == ast::Op::Arrow && (sema::is_pointer(e.a->type) || sema::is_array(e.a->type));
        use_member(is_pointer ? sema::pointee(e.a->type) : e.a->type, e.name, role);
    }

    void label(const ast::SimpleStmt& stmt, Role role)
    {
        uint32_t& id = labels_[name_at(stmt.name)];
        if (id == 0)
            id = make(EntityKind::Label, stmt.name);
        if (role == Role::Definition)
            index_.entities[id].defined = index_.entities[id].declared = stmt.name;
        index_.entities[id].to = 0;  // not visible as a name in expressions
        occur(stmt.name, id, role);
    }

    void designations(const ast::Expr& list)
    {
        for (const ast::Designation* designation : list.designations) {
            if (designation == nullptr || designation->designators.empty())
                continue;
            const ast::Designator& first = designation->designators.front();
            if (first.member != 0)
                use_member(list.type, first.member, Role::Write);
        }
        children(list);
    }

    void children(const Node& node)
    {
        for (const Node* child : node.children)
            visit(child);
    }

    void in_scope(const Node& node)
    {
        size_t mark = open();
        depth_++;
        children(node);
        depth_--;
        close(mark, node.last);
    }

    void visit(const Node* node)
    {
        if (node == nullptr)
            return;
        switch (node->kind) {
        case Kind::Ident: ident(as<ast::Expr>(*node), Role::Read); return;
        case Kind::Member: member(as<ast::Expr>(*node), Role::Read); return;
        case Kind::Assign:
            target(*as<ast::Expr>(*node).a);
            visit(as<ast::Expr>(*node).b);
            return;
        case Kind::InitList: designations(as<ast::Expr>(*node)); return;
        case Kind::Specifiers: specifiers(as<ast::Specifiers>(*node)); return;
        case Kind::RecordSpec: record(as<ast::RecordSpec>(*node)); return;
        case Kind::EnumSpec: enumeration(as<ast::EnumSpec>(*node)); return;
        case Kind::ParamDecl: parameter(as<ast::ParamDecl>(*node)); return;
        case Kind::Declaration: declaration(as<ast::Declaration>(*node)); return;
        case Kind::FunctionDef: function(as<ast::FunctionDef>(*node)); return;
        case Kind::Compound:
        case Kind::For:
        case Kind::Forall: in_scope(*node); return;
        case Kind::Label:
            label(as<ast::SimpleStmt>(*node), Role::Definition);
            children(*node);
            return;
        case Kind::Goto:
            if (as<ast::SimpleStmt>(*node).name != 0)
                label(as<ast::SimpleStmt>(*node), Role::Read);
            children(*node);
            return;
        case Kind::Unary: unary(as<ast::Expr>(*node)); return;
        default: children(*node); return;
        }
    }

    void unary(const ast::Expr& e)
    {
        using ast::Op;
        bool is_step = e.op == Op::PreInc || e.op == Op::PreDec || e.op == Op::PostInc || e.op == Op::PostDec;
        if (is_step && e.a != nullptr)
            target(*e.a);
        else
            children(e);
    }

    void specifiers(const ast::Specifiers& spec)
    {
        if (spec.typedef_name != 0)
            occur(spec.typedef_name, names_[name_at(spec.typedef_name)], Role::Read);
        children(spec);
    }

    const lex::TokenList& tokens_;
    Index& index_;
    std::vector<uint32_t> names_;   // what a name means at this point
    std::vector<uint32_t> tags_;    // what it means after struct, union and enum
    std::vector<uint32_t> linked_;  // the object or function with linkage of this name
    std::vector<Hidden> hidden_;
    std::unordered_map<TokenIndex, uint32_t> by_token_;  // for names in declarations
    std::unordered_map<uint32_t, uint32_t> labels_;      // of the function, by name
    int depth_ = 0;
};

}  // namespace

const Occurrence* Index::at(TokenIndex token) const
{
    auto found = std::lower_bound(occurrences.begin(), occurrences.end(), token,
                                  [](const Occurrence& o, TokenIndex wanted) { return o.token < wanted; });
    return found != occurrences.end() && found->token == token ? &*found : nullptr;
}

Index make_index(const ast::Unit& unit, const lex::TokenList& tokens)
{
    Index index;
    Indexer(tokens, index).run(unit);
    return index;
}

std::vector<const Node*> nodes_around(const ast::Unit& unit, TokenIndex token)
{
    std::vector<const Node*> nodes;
    auto covers = [token](const Node* node) { return node->first <= token && token <= node->last; };
    auto top = std::find_if(unit.decls.begin(), unit.decls.end(), covers);
    const Node* node = top != unit.decls.end() ? *top : nullptr;
    while (node != nullptr) {
        nodes.push_back(node);
        auto child = std::find_if(node->children.begin(), node->children.end(), covers);
        node = child != node->children.end() ? *child : nullptr;
    }
    return nodes;
}

}  // namespace bn::lsp
