// lowerer.h: the state of the lowering and its parts, each of which names the file that contains it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "lower/affinity_loop.h"
#include "lower/fences.h"
#include "lower/index_origin.h"
#include "lower/lower.h"
#include "lower/member_pointers.h"
#include "lower/rope.h"
#include "lower/rounds.h"
#include "sema/types.h"

namespace bn::lower {

using ast::Expr;
using ast::Node;
using sema::QualType;

// The location of a shared object: an element counted from a static object or from a pointer-to-shared
struct Address {
    const sema::Symbol* object = nullptr;       // static shared object, or
    Rope pointer;                               // a pointer-to-shared value
    Rope index;                                 // in ultimate elements; empty for 0
    bool index_is_sum = false;                  // index is an expression of type bn_i64
    bool index_is_narrow = false;               // its type has at most 32 bits
    bool has_variable = false;                  // index is not known at compile time
    bool in_bounds = false;                     // within the static object: each index is checked
    IndexOrigin origin = IndexOrigin::Counted;  // of the index, where that matters (indexed.cc)
    QualType element;                           // ultimate element type with its layout

    explicit Address(ast::Arena& arena) : pointer(arena), index(arena) {}
};

// What is known about THREADS in the version of a loop being lowered that accesses elements by index (indexed.cc)
enum class ThreadCount : uint8_t { Any, PowerOfTwo, One };

class OwnLoop;
class StaticWriter;
struct ColumnLoop;
struct FlatIndex;
struct RemoteObject;

// A pointer to a row of an array, which is set once in an iteration
struct Row {
    const sema::Symbol* object;
    std::vector<Expr*> numbers;  // the indices that select it
    std::string name;
};

// The name of the pointer to the row of an element; empty if there is none yet
std::string known_row(const std::vector<Row>& rows, const Element& element, const lex::TokenList& tokens);

// A for loop whose body is being lowered, and the row addresses computed at the start of the body or before the loop
struct ForLoop {
    // The start of a row of an array that is indexed as a flat one
    struct FlatRow {
        const sema::Symbol* object;
        Affine number;  // of its first element
        std::string name;
    };

    // The values of the variable of a loop without inner loops: from its first one to the one next to the limit
    struct Range {
        const Expr* limit;
        int64_t beyond;  // from the limit to the last value
    };

    // A position in a row that must be within a block
    struct Fit {
        std::string phase;
        Affine position;
        size_t depth;  // of the loop whose variable it contains
        uint64_t block;
    };

    ForLoop(const ast::SimpleStmt* loop, ast::Arena& arena)
        : stmt(loop), declarations(arena), before(arena), fits(arena)
    {
    }

    const ast::SimpleStmt* stmt;
    Rope declarations;
    Rope before;  // declarations that precede the loop
    // while the form is being lowered in which no access leaves its row; known when a row is first accessed
    std::optional<Range> range = {};
    bool has_range_known = false;
    Rope fits;  // the conditions for that form
    std::vector<Fit> fit_list = {};
    std::vector<Row> rows = {};
    std::vector<FlatRow> flat_rows = {};
    // computed on the first access that needs them
    std::optional<Effects> body = {};
    std::optional<Effects> whole = {};
};

class Lowerer {
public:
    Lowerer(ast::Unit& unit, const sema::Analysis& analysis, const lex::TokenList& tokens, ast::Arena& arena,
            diag::Diagnostics& diags, const Options& options);
    const ast::Lowered* run();

private:
    friend class OwnLoop;
    friend class StaticWriter;

    // ---- expr.cc ----
    void lower(Node* node);
    void lower_children(Node* node);
    void lower_expr(Expr& e);
    void truth(Expr* e);  // as a condition
    void unary(Expr& e);
    void binary(Expr& e);
    void conditional(Expr& e);
    void cast(Expr& e);
    void implicit_cast(Expr& e);
    Rope alignment(QualType type, uint64_t asked);
    void size_operator(Expr& e);
    void generic(Expr& e);
    void types_compatible(Expr& e);
    Rope constant_text(__int128 value, QualType type);

    // ---- address.cc ----
    // is_accessed: the object is read or written immediately, so indices must lie within arrays (-fcheck)
    Address address(Expr* e, bool is_accessed = false);  // of a shared array, or of the target of a pointer-to-shared
    Address address_of_object(Expr* lvalue, bool is_accessed);  // of a shared lvalue other than a member
    void add_index(Address& address, Expr* index, QualType stepped, bool negative);
    Rope steps(QualType type);  // ultimate elements in one object of `type`
    Rope element_size(QualType element);
    Rope element_alignment(QualType element);  // as far as known
    Rope member_reference(Expr* lvalue);
    std::optional<uint64_t> member_offset(Expr* lvalue, Expr** base);
    Rope window_address(const Address& address);
    // -inst: the address of an accessed object, with code that counts the access
    Rope counted(Rope address, const Expr* accessed);
    struct ElementFunction {
        const char* name;  // up to the parenthesis
        bool takes_block;
        bool divides_narrow = false;  // the index, in 32-bit arithmetic
    };
    ElementFunction element_function(const sema::Symbol& object, bool is_cyclic, bool has_variable,
                                     bool index_is_narrow) const;
    bool has_narrow_indices(const sema::Symbol& object) const;
    bool goes_round_once(const sema::Symbol& object) const;
    std::string add_function(QualType layout, bool has_variable) const;
    Rope reference(const Address& address);                                       // pointer-to-shared value
    Rope place(Expr* lvalue, bool is_volatile = false, bool is_accessed = true);  // C lvalue for a shared lvalue
    Rope place_address(Expr* lvalue, bool is_accessed = true);                    // its address in C
    void part_index(Expr* lvalue, bool is_checked);
    bool is_member(const Expr* lvalue) const;

    // ---- access.cc ----
    Rope promoted_declaration(const Expr& lvalue, const std::string& name);
    void read(Expr& e);
    void assign(Expr& e);
    void increment(Expr& e);
    const sema::Field* bit_field(const Expr& lvalue) const;  // the bit-field that an lvalue denotes; null if none
    const char* fence_before(const Expr& lvalue) const;      // of a strict op=
    Rope fenced(const Expr& lvalue, const Rope& value);
    Rope block(bool is_discarded, Rope body, const std::string& value);
    std::string pointer_to_pointer(const Expr* lvalue, const std::string& name) const;

    // ---- remote.cc: used where threads may be on other nodes ----
    bool may_be_far(Expr& lvalue);
    bool operands_come_first(const Expr& lvalue, const Expr* value);
    RemoteObject remote_object(Expr* lvalue);
    Rope remote_bits(const RemoteObject& object, const char* function, const std::string& first,
                     const std::string& second);
    Rope remote_load(const RemoteObject& object);
    Rope remote_store(const RemoteObject& object);
    void remote_read(Expr& e);
    void remote_assign(Expr& e, bool is_discarded);
    void remote_increment(Expr& e);

    // ---- far_remarks.cc: what -Rupc says about possibly far accesses in loops ----
    struct LoopAround {
        const ast::SimpleStmt* stmt;
        // why it does not fetch elements together (gather.h); null if the element alone determines the reason
        const char* gather_obstacle;
        std::unordered_map<const Expr*, const char*> gather_obstacles = {};
    };
    void in_loop(ast::SimpleStmt& stmt);
    void remark_on_far_read(const Expr& lvalue, const RemoteObject& object);
    void remark_on_far_write(const Expr& lvalue, const RemoteObject& object);
    bool says_far(const Expr& lvalue) const;
    const char* index_reason(const Expr& lvalue) const;
    std::string gather_reason(const Expr& lvalue) const;
    std::string shown(const Expr& e) const;

    // ---- gather_strips.cc: x[col[k]] in loops, where threads may be on other nodes ----
    struct Strip {
        std::string first, count;  // the variable's value at the start of the strip, and the number of values
        std::vector<std::pair<Expr*, std::string>> buffers;
        std::string variable;
    };
    std::optional<Strip> strip_of(ast::SimpleStmt& stmt);
    Rope strip_declarations(const Strip& strip);
    Rope strip_fetch(const Strip& strip, ast::SimpleStmt& stmt);
    std::string
    gathered(const Expr& lvalue) const;  // the place in a buffer; empty if the element was not fetched in advance

    // ---- outline.cc: addresses by calls, where few are computed ----
    bool is_phase(const ast::FunctionDef& def) const;
    void enter_loop(ast::SimpleStmt& stmt);
    bool is_rare(bool has_variable) const;
    const char* outlined(bool has_variable) const;
    bool is_variable(const Expr* index) const;

    // ---- atomic.cc ----
    bool atomic_in_place(Expr& e);
    bool atomic_of_domain(Expr& e, std::string_view name);
    bool typed_atomic(Expr& e, std::string_view name);
    std::string own_function(const sema::Symbol& function);
    Rope target_address(Expr* pointer);

    // ---- pointer.cc ----
    Rope pointer_step(Rope pointer, Expr* count, QualType pointer_type, bool negative);
    void pointer_difference(Expr& e);
    void pointer_comparison(Expr& e);
    Rope difference(Expr* a, Expr* b);
    bool keeps_phase(QualType from, QualType to) const;
    Rope converted(Expr* from, QualType target);

    // ---- ctype.cc ----
    Rope c_type(QualType type) { return c_declaration(type, rope()); }
    Rope c_pointer(QualType target);  // pointer to target
    Rope c_declaration(QualType type, Rope inner);
    Rope part_of_type(Node* part);
    bool has_name_in_c(QualType type) const;
    Rope value_declaration(QualType type, const std::string& name);  // "T name", with T unqualified
    Rope c_value_type(QualType type) { return value_declaration(type, ""); }

    // ---- declare.cc ----
    void declaration(ast::Declaration& decl);
    void declarators(ast::Declaration& decl);
    void lower_initialiser(Node* init, bool is_static = true);
    void field(ast::FieldDecl& decl);
    void parameter(ast::ParamDecl& param);
    Rope kr_head(const ast::FunctionDef& def);
    void function(ast::FunctionDef& def);
    void type_name(ast::TypeName& name);
    bool is_row(const sema::Symbol& symbol) const;
    std::string_view own_storage(const ast::Declaration& decl, const sema::Symbol& symbol);
    void put_own_storage(ast::Declaration& decl);
    void mark_types(ast::Declaration& decl);
    ast::Node* part_of(const ast::Node& node, lex::TokenIndex first, lex::TokenIndex last);
    bool has_static_literal(const ast::Node& node) const;
    bool must_reprint(const ast::Declaration& decl) const;
    Rope unused_mark(const sema::Symbol& symbol);
    Rope specifier_prefix(const ast::Specifiers& spec, std::string_view own = "", bool with_storage = true);
    Rope definition_in(ast::Specifiers& spec);
    void definitions_in(ast::Specifiers& spec, Rope& out);
    Rope taken_hoisted();
    void put_hoisted_before(ast::Node* decl);
    void confirm_numbers(const ast::Node& node, Rope& out);
    Rope declarator(ast::Declaration& decl, ast::InitDeclarator& init);
    Rope suffix(const ast::Declarator& declarator);
    void tag_anonymous(ast::RecordSpec& record);
    void note_tag(const sema::Record& record);
    bool tag_below(Node* node, ast::RecordSpec* spec);

    // ---- lifetime.cc ----
    void note_lifetime(const ast::Specifiers& spec, const ast::Declarator& declarator);
    void note_lifetimes(const ast::Node& node);
    void attribute_list(ast::Node& list);
    Rope lifetimes();

    // ---- statics.cc ----
    Rope visibility(const ast::Specifiers& spec, const ast::Declarator& declarator);
    Rope shared_object(ast::Declaration& decl, ast::InitDeclarator& init);
    Rope private_object(ast::Declaration& decl, ast::InitDeclarator& init, const sema::StaticObject& object);
    void literal_object(ast::Expr& literal, const sema::StaticObject& object);

    // ---- stmt.cc ----
    void statement(ast::SimpleStmt& stmt);
    void for_loop(ast::SimpleStmt& stmt);
    void for_body(ast::SimpleStmt& stmt, ForLoop& loop);
    void barrier(ast::SimpleStmt& stmt);

    // ---- forall.cc ----
    struct Indexed;
    struct Dealt {
        Rope loops;  // empty: the loop is not dealt out
        // further conditions; none if the loops are right whenever no upc_forall is around
        std::vector<Rope> conditions;
        bool serves_calls = false;  // also right where one is around
    };
    void forall(ast::SimpleStmt& stmt);
    bool setjmp_call(Expr& call);
    bool always_controls();
    bool needs_depth(const ast::SimpleStmt& stmt);
    Rope affinity_test(Expr* affinity);
    Rope loop_head(ast::SimpleStmt& stmt, bool skip_init);
    Rope dealt_form(const Dealt& dealt, const std::string& outer);
    Rope general_form(ast::SimpleStmt& stmt, bool skip_init, bool is_tested, const std::string& outer);
    void remark_on_loop(const ast::SimpleStmt& stmt, const OwnLoop& loop);
    Dealt dealt_loop(ast::SimpleStmt& stmt, const std::string& outer, const Indexed* indexed);

    // ---- member_pointers.cc ----
    Rope bind(const std::vector<MemberPointer>& pointers, ast::SimpleStmt& stmt);
    static void unbind(const std::vector<MemberPointer>& pointers);

    // ---- columns.cc: several columns per iteration ----
    struct Columns;
    std::string column_variable(const sema::Symbol* symbol) const;
    std::string column_element(Expr* lvalue) const;
    template <class Write>
    Rope each_column(std::vector<Columns>& all, Write write);
    Rope columns_declared(ast::Declaration& decl, std::vector<Columns>& all);
    Rope columns_inside(ast::SimpleStmt& stmt, std::vector<Columns>& all);
    Rope columns_begin(const ColumnLoop& loop, std::vector<Columns>& all, Rope& end);
    Rope columns(ast::SimpleStmt& stmt);

    // ---- indexed.cc: x[col[k]], x[h % n] in loops, on one machine ----
    struct Indexed {
        IndexOrigins origins;
        std::map<std::string, IndexOrigin> arrays = {};  // names of the arrays whose elements get short addresses
        std::vector<ThreadCount> counts =
            {};  // the loop is emitted once per entry, in this order, after a test that selects one
    };
    bool stays_in_registers(const sema::Symbol& pointer, const IndexOrigins& origins);
    IndexOrigin index_origin(Expr* lvalue, const IndexOrigins& origins);
    IndexOrigin origin_of(const Element& element, const IndexOrigins& origins) const;
    void find_indexed(Node* node, Indexed& indexed);
    std::vector<ThreadCount> counts_of(const ast::SimpleStmt& stmt, const Indexed& indexed) const;
    std::optional<Indexed> indexed_loop(const ast::SimpleStmt& stmt);
    bool gathers(Node* node, const IndexOrigins& origins);
    bool is_unrolled(ast::SimpleStmt& stmt);
    void plain_loop(ast::SimpleStmt& stmt);
    void loop(ast::SimpleStmt& stmt);
    Dealt indexed_forall(ast::SimpleStmt& stmt, const std::string& outer);
    void remark_on_indexed(const ast::SimpleStmt& stmt, const Indexed& indexed);
    template <class Write>
    Rope each_count(const std::vector<ThreadCount>& counts, Write write);

    // Which version of the code is being lowered; each change is for a part of it: Restored version(version_);
    struct Version {
        bool is_second = false;        // already lowered once, in a better form of the same loop
        bool is_cold = false;          // in a loop that hardly ever runs: short C matters more than fast C
        bool is_beside_dealt = false;  // in the general form of a loop that is dealt out
        // of the enclosing loop that determines how elements are addressed by index
        const Indexed* indexed = nullptr;
        ThreadCount threads = ThreadCount::Any;  // in that loop
    };

    // ---- round_loop.cc ----
    std::optional<RoundLoop> round_loop(const ast::SimpleStmt& stmt);
    void count_turns(ast::SimpleStmt& stmt);

    // ---- blockwise.cc ----
    std::optional<AffinityLoop> blockwise_plan(const ast::SimpleStmt& stmt);
    Rope blockwise(ast::SimpleStmt& stmt);

    // ---- loop_pragmas.cc ----
    std::span<const lex::OtherPragma> pragmas_before(const Node& node) const;
    void find_nests(const Node& node);
    bool is_under_pragma(const Node& node) const;
    bool is_shared_out(const Node& loop) const;
    bool has_fixed_body(const ast::SimpleStmt& loop) const;
    bool has_parallel_parts(const ast::SimpleStmt& loop) const;
    bool is_called_independent(const Node& loop) const;
    Rope take_loop_pragmas(const Node& loop);
    Rope body_with_pragmas(const ast::SimpleStmt& loop);

    // ---- local.cc ----
    Rope local_place(Expr* lvalue);
    bool is_own(Expr* lvalue);
    void remark_on_access(const Expr& lvalue, const Element& element);
    std::optional<std::vector<IndexPart>> own_index(const Element& element) const;
    Rope own_place(const Element& element);
    Rope place_in_own_block(const Element& element);
    Rope place_in_row(const Element& element);
    std::string row_pointer(ForLoop& loop, const Element& element);
    Rope row_declaration(const Element& element, const std::string& name, bool has_loops);
    Rope row_address(const Element& element, Reached reached);
    Rope flat_index(const Element& element, size_t first);
    Rope sum_of(const std::vector<IndexPart>& parts, Reached reached = Reached::Yes);

    // ---- unreached.cc ----
    // Whether the C may compute an integer where the program would not reach it
    bool may_be_unreached(const Expr* number) const;
    // The integer there, as a bn_u64: arithmetic does not overflow
    Rope unreached(Expr* number);

    // ---- flat_rows.cc ----
    Rope place_in_flat_row(const Element& element);
    const sema::Symbol* flat_loop(const ForLoop& loop);
    std::optional<ForLoop::Range> range_of(ForLoop& loop);
    Rope flat_access(const Element& element, const FlatIndex& parts, size_t depth, const std::string& row);
    Rope in_rows(ast::SimpleStmt& stmt, ForLoop& loop);
    bool is_fixed_before(ForLoop& loop, const Element& element, const Affine& number);
    std::string flat_row(size_t depth, const Element& element, const Affine& number);
    bool starts_block(const Element& element, const Affine& number);
    Rope sum_of(const Affine& form, Reached reached = Reached::Yes);

    // ---- rounds.cc ----
    std::optional<Rounds> rounds_of(const Element& element) const;
    Rope add_rounds(const Rope& pointer, const Expr* count, QualType stepped, bool negative);
    Rope place_by_rounds(const Element& element, Expr* lvalue);

    // ---- declared.cc ----
    struct Declared {
        const sema::Symbol* symbol;
        const Node* declarator;
        bool defines;
    };
    void note_declared(const ast::InitDeclarator& init, bool defines);
    std::map<std::string_view, Declared> best_declared() const;
    Rope declared_table();

    // ---- unit.cc ----
    const ast::Lowered* tail();
    const char* kept() const;
    Rope unit_record(bool is_c);
    void rename_shadowed(Node* decl);

    // ---- debug_types.cc ----
    Rope debug_types();

    // ---- check.cc: used under -fcheck ----
    Rope place_in_source(const Node* node);                                    // "file", line
    Rope at(const Node* node) { return rope(", ") << place_in_source(node); }  // the trailing arguments of a check
    Rope checked_address(const Address& address, Rope size, const Node* node);
    Rope checked_extent(const Expr* member);  // bytes of the struct up to the end of member
    void check_index(Expr* array, Expr* index);
    void check_member_index(Expr* array, Expr* index);
    void call(Expr& e);

    // ---- expr.cc: what all parts need ----
    Rope rope() { return Rope(arena_); }
    Rope rope(std::string_view text) { return rope() << text; }
    void set(Node* node, const Rope& form);
    Node* self(const Node* node);  // the node as it is now, for use within its own new form
    // Names with a number of their own: "bn_v5", "bn_5_matrix".  As the number stands first, whatever the program's
    // name is, and whatever is appended, the result is no other generated name.
    std::string fresh(const char* word) { return "bn_" + std::string(word) + std::to_string(++temporaries_); }
    std::string fresh_for(const sema::Symbol& object)
    {
        return "bn_" + std::to_string(++temporaries_) + "_" + std::string(object.name);
    }
    std::string_view text(lex::TokenIndex token) const { return tokens_.text(token); }
    QualType value_type(const Expr& e) const;
    QualType pointer_target(const Expr& e) const;  // what the decayed value of e points to
    bool is_pts_value(const Expr& e) const;
    Node* frozen(const Node* node);
    Rope frozen(const Rope& text);
    void forget(Node* node);
    Rope lowered_copy(Node* node);
    const Effects& function_effects();  // of the outermost function
    void remark(diag::Id id, const Node* where, std::initializer_list<std::string_view> args = {});

    // the lvalue being accessed, while place() is asked for an object that contains it
    const Expr* accessed_ = nullptr;
    ast::Unit& unit_;
    const sema::Analysis& analysis_;
    const lex::TokenList& tokens_;
    ast::Arena& arena_;
    diag::Diagnostics& diags_;
    Options options_;
    std::map<const ast::Node*, const sema::StaticObject*> statics_;
    std::vector<Rope> hoisted_;       // declarations needed before the file-scope construct being lowered
    std::vector<Declared> declared_;  // shared objects that other units know as well
    std::vector<Rope> computations_;  // functions that compute initial values, emitted at the end of the unit
    // by the name of a function: whether it is a constructor or a destructor or both, and the priority
    std::map<uint32_t, std::map<std::string_view, Rope>> lifetimes_;
    bool outside_ = false;                // lowering a value that is computed outside the function that contains it
    std::vector<const Strip*> strips_;    // around the node being lowered
    LoopAround* loop_around_ = nullptr;   // the innermost loop of any kind
    std::vector<OwnLoop*> own_loops_;     // around the node being lowered, outermost first
    OwnLoop* all_blocks_ = nullptr;       // the loop around it that goes from block to block, of all threads
    std::vector<ForLoop> for_loops_;      // around the node being lowered, outermost first
    std::vector<RoundLoop> round_loops_;  // likewise
    // of the outermost function being lowered; computed when a loop first needs it
    std::optional<Effects> function_effects_;
    const ast::FunctionDef* outermost_function_ = nullptr;
    std::unordered_set<const Node*> nested_;  // found by find_nests in the outermost function being lowered
    Fences fences_;                           // likewise
    // functions (nesting.h); computed when a loop first needs it
    std::optional<std::unordered_set<const sema::Symbol*>> outside_foralls_;
    const Columns* columns_ = nullptr;  // of the column loop being lowered
    Version version_;
    int foralls_around_ = 0;  // enclosing upc_forall loops with an affinity, in the function being lowered
    // how often the code being lowered runs per call of its function; 0 if possibly many times (outline.cc)
    int64_t turns_ = 0;
    bool in_function_ = false;
    bool is_away_ = false;                   // the type being printed is not where it was declared
    bool in_static_initialiser_ = false;     // a null pointer-to-shared must be a constant
    const Expr* discarded_ = nullptr;        // an expression whose value nobody uses
    const Node* value_statement_ = nullptr;  // last statement of a statement expression, which gives its value
    size_t next_record_ = 0;  // index in analysis_.records of the first that ends after the text lowered so far
    std::set<std::string_view> own_functions_;  // library functions that have been declared under another name
    std::vector<ast::RecordSpec*> named_;       // definitions that need a tag
    int temporaries_ = 0;
    int objects_ = 0;  // static objects so far
};

}  // namespace bn::lower
