// checker.h: the state of the checker and its parts, each of which names the file that contains it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sema/sema.h"

namespace bn::sema {

// Value of a constant expression; times THREADS if by_threads (array dimensions only)
struct Constant {
    __int128 value = 0;
    bool by_threads = false;
};

// The value converted to an integer type
__int128 truncate(__int128 value, QualType type);

// Why a value is converted; selects the wording of a message
enum class Use : uint8_t { Assignment, Initialisation, Argument, Return, Cast, Operand };

class Checker {
public:
    Checker(ast::Unit& unit, const lex::TokenList& tokens, ast::Arena& arena, diag::Diagnostics& diags,
            const Options& options);
    Analysis run();

private:
    // ---- declare.cc, declarator.cc, object_rules.cc, specify.cc, dimension.cc ----
    struct Specified {
        QualType type;
        bool is_inferred = false;  // __auto_type
    };
    void declaration(ast::Declaration& decl);
    QualType named_type(const ast::Specifiers& spec, const ast::Declarator& declarator, QualType type);
    Symbol* declared_symbol(ast::Declaration& decl, ast::InitDeclarator& init, Symbol::Kind kind, QualType type);
    std::vector<Image> initial_value(const ast::Specifiers& spec, ast::InitDeclarator& init, Symbol& symbol,
                                     bool is_static_object);
    void note_static(ast::Declaration& decl, ast::InitDeclarator& init, Symbol& symbol, std::vector<Image> images);
    void init_declarator(ast::Declaration& decl, ast::InitDeclarator& declarator, const Specified& base);
    void function_definition(ast::FunctionDef& def);
    static void note_definition(Symbol& symbol, const ast::FunctionDef& def);
    Specified specifiers(ast::Specifiers& spec);
    bool names_type(std::span<lex::TokenIndex> keywords) const;
    void check_shared_base(const ast::Specifiers& spec, QualType base);
    QualType base_type(ast::Specifiers& spec);
    QualType keyword_type(const ast::Specifiers& spec);
    QualType named(TypeKind kind, std::string_view name, uint64_t bytes);
    QualType complex(QualType part);
    QualType bit_int(ast::Expr& width, bool is_unsigned);
    QualType vector_type(const ast::Attribute& attribute, bool has_count, QualType element);
    QualType mode_type(std::string_view name, QualType type);
    QualType apply_mode(std::span<ast::Attribute> attributes, QualType type);
    Quals qualifiers(std::span<ast::QualifierToken> tokens, const QualType* base, bool* has_layout);
    bool layout_of(ast::QualifierToken& token, Quals& quals);
    void check_atomic(diag::Range where, QualType type);
    QualType declared_type(ast::Declarator* declarator, QualType base, bool is_parameter = false);
    QualType array_type(ast::DeclaratorPart& part, QualType element);
    QualType function_type(ast::DeclaratorPart& part, QualType result);
    void complete_open_arrays();
    void note_aliases(const ast::Specifiers& spec, const ast::Declarator& declarator);
    void check_aliases();
    QualType parameter_type(const ast::Specifiers& spec, ast::Declarator* declarator, QualType base,
                            const ast::Node& where);
    void parameter(ast::ParamDecl& param);
    void check_brackets(const ast::DeclaratorPart& part);
    QualType adjust_parameter(const ast::Declarator* declarator, QualType type);
    QualType type_name(ast::TypeName& name);
    void refuse_definition(const ast::Specifiers& spec, QualType type);
    void enumeration(ast::EnumSpec& spec, Type& type);
    void check_redeclaration(const ast::Declarator& declarator, Symbol& symbol, const Symbol* previous);
    void check_object(ast::Declaration& decl, ast::InitDeclarator& declarator, Symbol& symbol);
    void check_ineffective(const ast::Specifiers& spec, const ast::Declarator& declarator, const Symbol& symbol);
    void check_plain_rules(const ast::Specifiers& spec, const ast::Declarator& declarator, const Symbol& symbol);
    void check_shared_array(const ast::Declarator& declarator, Symbol& symbol, bool is_extern);
    bool check_threads_in_type(ast::Declarator* declarator, const ast::Node& where, QualType type);
    QualType made_shared(QualType type);
    bool is_threads_row(QualType type) const;
    void resolve_star(ast::Declarator& declarator, QualType& type, bool is_complete);
    bool is_in_table(const ast::Specifiers& spec, const ast::Declarator& declarator) const;
    bool has_attribute(const ast::Specifiers& spec, const ast::Declarator& declarator, std::string_view name) const;
    bool ignores_types(const ast::Specifiers& spec, const ast::Declarator& declarator, const Symbol* previous) const;
    bool is_own(const ast::Declaration& decl, const ast::Declarator& declarator, const Symbol& symbol,
                const Symbol* previous) const;
    void check_pointer_target(const ast::DeclaratorPart& part, QualType target);
    bool is_alignas(const ast::Attribute& attribute) const;
    uint64_t requested_alignment(std::span<ast::Attribute> attributes);

    // ---- record.cc ----
    Record* record(ast::RecordSpec& spec);
    void fields(ast::RecordSpec& spec, Record& record);
    uint64_t pack_at(lex::TokenIndex token);
    void field(ast::FieldDecl& decl, Record& record, struct LayoutState& state);
    bool names_bit_field(const ast::Expr* e);

    // ---- constant.cc ----
    std::optional<__int128> constant(const ast::Expr* expr);
    std::optional<__int128> constant_character(const ast::Expr* e);
    std::optional<__int128> constant_cast(const ast::Expr* e);
    std::optional<__int128> constant_sizeof(const ast::Expr* e);
    std::optional<__int128> constant_offsetof(const ast::Expr* e);
    std::optional<__int128> constant_call(const ast::Expr* e);
    std::optional<__int128> constant_unary(const ast::Expr* e);
    std::optional<__int128> constant_binary(const ast::Expr* e);
    std::optional<Constant> dimension(const ast::Expr* expr);
    void note_reckoned(const ast::Expr* e);

    // ---- expr.cc ----
    void expr(ast::Expr* e);
    void expr_for_type(ast::Expr* e);
    void ident(ast::Expr& e);
    void number(ast::Expr& e);
    void char_or_string(ast::Expr& e);
    void call(ast::Expr& e);
    void member(ast::Expr& e);
    void index(ast::Expr& e);
    void size_operator(ast::Expr& e);
    void cast(ast::Expr& e);
    void compound_literal(ast::Expr& e);
    void generic(ast::Expr& e);
    void offset_of(ast::Expr& e);
    QualType builtin_result(std::string_view name, const ast::Expr& call);

    // ---- arguments.cc ----
    bool check_copy(const ast::Expr& call);
    void check_builtin(const ast::Expr& call);
    void check_parts(const ast::Expr& call);
    void check_variadic(const ast::Expr& callee, const ast::Expr& argument);

    // ---- operators.cc ----
    void unary(ast::Expr& e);
    void binary(ast::Expr& e);
    void additive(ast::Expr& e);
    void comparison(ast::Expr& e);
    void assign(ast::Expr& e);
    void conditional(ast::Expr& e);
    bool is_assignable(const ast::Expr& e) const;
    void check_writable(const ast::Expr& e, const ast::Expr& target);
    bool check_arithmetic(const ast::Expr& at, QualType pointer);
    bool check_same_space(const ast::Expr& at, QualType a, QualType b);
    bool point_to_compatible(QualType a, QualType b);
    void check_compared(ast::Expr& e, const ast::Expr* first, ast::Expr*& second, std::string_view name);
    QualType composite(QualType a, QualType b);
    QualType chosen_pointer(ast::Expr& e, const ast::Expr* first);
    void invalid_operands(const ast::Expr& at, QualType a, QualType b);
    QualType wider_float(QualType a, QualType b);
    QualType arithmetic_type(QualType a, QualType b);
    QualType promote(QualType type);

    // ---- convert.cc ----
    QualType decay(QualType type);  // value type: arrays and functions become pointers
    QualType value_type(const ast::Expr& e) { return decay(e.type); }
    bool is_null_constant(const ast::Expr* e);
    ast::Expr* convert(ast::Expr* e, QualType target, Use use);  // checks; wraps e if C cannot do the conversion itself
    ast::Expr* implicit_cast(ast::Expr* e, QualType target);
    void convert_child(ast::Node& parent, ast::Expr*& child, QualType target, Use use);  // convert() in place
    void replace_child(ast::Node& parent, const ast::Node* child, ast::Node* by);
    bool check_pointees(const ast::Expr& at, QualType from, QualType to, Use use);
    bool cc_is_blind(QualType a, QualType b);
    void condition(ast::Expr* e);

    // ---- init.cc ----
    struct ListValues;
    struct StaticValues;  // a null pointer to it means an object with automatic storage
    void initialiser(ast::Expr*& init, QualType& type, StaticValues* statics);
    std::vector<Image> static_initialiser(ast::Expr*& init, QualType& type);
    void static_literal(ast::Expr& e, QualType& type);
    void init_value(ast::Expr*& init, QualType type, StaticValues* statics);
    void init_list(ast::Expr& list, QualType& type, StaticValues* statics);
    void init_aggregate(ListValues& values, QualType& type, size_t level, StaticValues* statics);
    void init_subobject(ListValues& values, QualType target, StaticValues* statics);
    void check_flexible(const ast::Expr& value, QualType owner, QualType target, const StaticValues* statics);
    bool has_cast_from_shared(const ast::Expr& value);
    void init_row(ListValues& values, QualType row, StaticValues& statics);
    QualType designate(const ast::Designator& designator, QualType type, uint64_t& position, StaticValues* statics);
    const Field* designated_field(const Record& record, std::string_view name, uint64_t& position) const;
    std::optional<QualType> next_subobject(QualType type, uint64_t& position, StaticValues* statics);
    void check_length(const ast::Expr& value, QualType target);
    void typed_literal(ast::Expr* value, StaticValues* statics);
    bool is_run_time(const ast::Node& node) const;
    const Symbol* own_name(const ast::Node& node) const;
    void note_constants(const ast::Node& node);

    // ---- initial_value.cc ----
    void check_computed(const ast::Expr& value, QualType type);
    const ast::Expr* varying(const ast::Expr& value);
    const ast::Expr* varying_in_address(const ast::Expr& lvalue);
    const ast::Expr* varying_in_unary(const ast::Expr& e);
    const ast::Expr* varying_in_binary(const ast::Expr& e);
    bool is_own_address(const ast::Expr& value);
    bool cuts_address(const ast::Expr& value, QualType type);

    // ---- stmt.cc ----
    void statement(ast::Node* node);
    void asm_operand(ast::Expr* operand);
    void compound(ast::CompoundStmt& block, bool new_scope = true);
    void forall(ast::SimpleStmt& stmt);
    void barrier(ast::SimpleStmt& stmt);
    void return_statement(ast::SimpleStmt& stmt);
    void case_label(ast::SimpleStmt& stmt);
    void waiting_loop(const ast::SimpleStmt& stmt);

    // ---- jumps.cc ----
    struct Place;
    void local_labels(const ast::Node& declaration);
    Place place(lex::TokenIndex label) const;
    const Place* target(const Place& jump) const;
    void label(const ast::SimpleStmt& stmt);
    void jump(ast::SimpleStmt& stmt);
    void check_gotos();
    void check_computed_goto(const Place& from);

    // ---- checker.cc: scopes, and what all parts need ----
    void pragmas_before(lex::TokenIndex token);
    void push_scope();
    void pop_scope();
    Symbol* declare(lex::TokenIndex name, Symbol::Kind kind, QualType type);
    Symbol* lookup(lex::TokenIndex name) const;
    bool is_in_scope(lex::TokenIndex name) const;
    Type* tag_type(lex::TokenIndex tag, TypeKind kind, bool is_definition, bool is_union);
    Type* make_type(TypeKind kind)
    {
        Type* t = arena_.make<Type>();
        t->kind = kind;
        return t;
    }
    QualType basic(TypeKind kind) const;
    QualType pointer_to(QualType target);
    QualType unknown() { return basic(TypeKind::Unknown); }
    QualType size_type() { return basic(TypeKind::ULong); }
    std::string_view text(lex::TokenIndex token) const { return tokens_.text(token); }
    std::string_view intern(const std::string& name) { return arena_.copy(std::string_view(name)); }
    diag::Range range(const ast::Node& node) const { return {node.first, node.last, node.first}; }
    diag::Range range(const ast::Expr& e) const;
    std::string quote(const ast::Node& node) const;
    std::string quote(QualType type) const { return "'" + describe(type) + "'"; }
    bool is_dynamic() const { return options_.static_threads == 0; }

    ast::Unit& unit_;
    const lex::TokenList& tokens_;
    ast::Arena& arena_;
    diag::Diagnostics& diags_;
    Options options_;
    Analysis analysis_;

    struct Binding {
        uint32_t name;
        Symbol* symbol;  // what the name meant before
        Type* tag;
        bool is_tag;
    };
    std::vector<Symbol*> symbols_;  // by interned name
    std::vector<Type*> tags_;
    std::vector<Binding> bindings_;
    std::vector<size_t> scopes_;     // size of bindings_ at the start of each scope
    std::vector<size_t> tag_scope_;  // by interned name: depth at which tags_[name] was declared

    StaticValues* literal_values_ = nullptr;  // of the object initialised by the compound literal being checked
    ast::FunctionDef* function_ = nullptr;    // outermost function being checked
    QualType return_type_;
    size_t next_pragma_ = 0;
    size_t next_pack_ = 0;                                      // index in tokens_.packs
    uint64_t pack_ = 0;                                         // LayoutState::pack
    std::vector<std::pair<std::string_view, uint64_t>> packs_;  // values saved by push, with their labels
    bool strict_ = false;
    int next_forall_ = 0;
    int hoisted_ = 0;
    std::vector<Symbol*> open_arrays_;  // tentative definitions of arrays without a size
    struct AliasMark {
        lex::TokenIndex word, target;
    };
    std::vector<AliasMark> alias_marks_;  // of what is private: alias("name"), weakref("name"), __asm__("name")
    struct LocalLabel {
        uint32_t name;
        int id;
    };
    std::vector<LocalLabel> local_labels_;  // declared by __label__ in the enclosing blocks, outermost first
    int next_local_label_ = 0;
    struct Place {  // a label, or a jump to one
        uint32_t name;
        int local;  // id of the local label; 0 for labels of the function
        bool is_of_outer_function;
        lex::TokenIndex token;
        std::vector<int> foralls;
    };
    // Where the statement being checked stands in its function; a nested function has its own
    struct Flow {
        std::vector<int> foralls;       // ids of the enclosing upc_forall loops
        int dealt = 0;                  // those that divide their iterations among the threads
        int breakable = 0;              // loops and switches inside the innermost upc_forall
        std::vector<size_t> switches;   // number of enclosing upc_forall loops at each open switch
        size_t outer_local_labels = 0;  // how many of local_labels_ belong to enclosing functions
        std::vector<Place> labels;
        std::vector<Place> gotos;
        std::vector<Place> computed_gotos;  // goto *e
        std::vector<Place> addresses;       // &&label
    };
    Flow flow_;
    int anonymous_ = 0;
    int operands_for_type_ = 0;  // how many enclose what is checked now
};

}  // namespace bn::sema
