// types.h: C and UPC types, their sizes, and the queries that the rules of UPC need.
//
// Sugar (typedef names, typeof) is kept so that emitted C can use the program's names; canonical() removes it. A
// qualifier on an array belongs to the elements (C11 6.7.3p9), so the layout of a shared array is a property of its
// ultimate element type ("uet" in the facts; element_of() here).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ast/ast.h"

namespace bn::sema {

using ast::Layout;
using ast::Quals;
using ast::QualType;

// clang-format off
enum class TypeKind : uint8_t {
    Unknown,  // an expression that only the back end understands; never shared, never diagnosed
    Void, Bool, Char, SChar, UChar, Short, UShort, Int, UInt, Long, ULong, LLong, ULLong, Int128, UInt128,
    Float, Double, LDouble, OtherFloat, BitInt, VaList, Enum,
    Complex, Vector, Pointer, Array, Function, Record,
    Typedef, Typeof,
};
// clang-format on

struct Field {
    std::string_view name;  // empty for unnamed bit-fields and anonymous records
    QualType type;
    uint64_t offset = 0;  // in bytes; for a bit-field, of the storage that contains it
    bool is_bit_field = false;
    uint32_t width = 0;
};

struct Record {
    std::string_view tag;  // as emitted; an anonymous record gets one when needed
    bool is_anonymous = false;
    std::string_view alias;  // for an anonymous record: its first typedef name; empty if none
    bool is_union = false;
    bool is_complete = false;
    bool size_known = true;  // false if an attribute or a field makes the layout unpredictable
    uint64_t size = 0;
    uint64_t align = 1;
    std::vector<Field> fields;
    ast::RecordSpec* spec = nullptr;  // its definition
    bool may_alias = false;           // its attribute
    bool in_function = false;
    bool is_shadowed = false;  // its name has another meaning in an inner scope
};

// Types made of an array type by qualifying its elements; a copy of that type, which may be changed, has none yet.
struct QualifiedArrays {
    QualifiedArrays() = default;
    QualifiedArrays(const QualifiedArrays& /*other*/) {}
    QualifiedArrays& operator=(const QualifiedArrays&) = delete;
    ~QualifiedArrays() = default;

    std::vector<std::shared_ptr<const Type>> list;
};

struct Type {
    TypeKind kind = TypeKind::Unknown;
    QualType base;  // pointee, element, return type, aliased type, typeof, underlying type of Enum
    // Array: count elements, times THREADS if by_threads; also known for variable-length arrays such as int[2*THREADS]
    uint64_t count = 0;
    bool has_count = false;  // false for [] and for VLAs
    bool by_threads = false;
    bool is_vla = false;        // size is an expression that the back end evaluates
    ast::Expr* size = nullptr;  // as written
    // Function
    std::span<QualType> params;
    std::span<ast::ParamDecl*> param_decls;
    bool has_prototype = false;
    bool is_variadic = false;
    // Record, Enum, Typedef
    Record* record = nullptr;
    std::string_view name;  // typedef name, enum tag, spelling of OtherFloat and BitInt
    bool enum_complete = false;
    bool in_function = false;          // Typedef: declared inside a function
    mutable bool is_shadowed = false;  // Typedef, Enum: its name has another meaning in an inner scope
    uint64_t vector_bytes = 0;         // also OtherFloat, BitInt: size; 0 if unknown
    uint64_t vector_count = 0;         // clang's ext_vector_type: number of elements; 0 for other vectors
    uint64_t align = 0;                // Typedef: __attribute__((aligned)), 0 if none
    bool may_alias = false;            // Typedef: its attribute
    bool has_no_sign = false;          // Char
    // Typeof
    ast::Expr* typeof_expr = nullptr;
    // Cached answers, without which long chains of typedefs would be slow, and each use of an array would take memory
    mutable const Type* plain = nullptr;  // Typedef, Typeof: the type without any sugar; null if not yet computed
    mutable Quals plain_quals;
    mutable QualifiedArrays qualified;  // Array: those that canonical() has returned
    enum class Touches : uint8_t { Unknown, No, Yes };
    mutable Touches touches = Touches::Unknown;  // Function: touches_shared
};

struct Symbol {
    enum class Kind : uint8_t { Variable, Function, Typedef, Enumerator } kind = Kind::Variable;
    std::string_view name;     // as written
    std::string_view emitted;  // name in emitted C; differs from `name` only for hoisted static objects
    QualType type;
    bool at_file_scope = false;
    bool is_static = false;
    bool is_extern = false;
    bool has_initialiser = false;
    bool is_constexpr = false;
    // Variable: each thread of a process has its own copy (Options::own_objects), or it is thread-local with computed
    // values
    bool is_own = false;
    bool is_parameter = false;
    bool is_named = false;  // Variable: in an expression
    // in an operand of sizeof, _Generic, typeof and the like; Typedef: in a declaration that C does not have
    bool is_named_for_its_type = false;
    const ast::FunctionDef* definition = nullptr;  // Function: in this unit and not in a system header
    bool ignores_types = false;                    // Function: __attribute__((optimize("no-strict-aliasing")))
    uint64_t align = 0;        // Variable: requested by _Alignas, aligned or a typedef name; 0 if none
    bool is_constant = false;  // Enumerator, or C23 constexpr of an integer type: the value is known
    __int128 value = 0;        // is_constant
    lex::TokenIndex token = 0;
    Symbol* before = nullptr;  // what the name meant until here: an earlier declaration, or a meaning of an outer scope
};

// A size in bytes; times THREADS if by_threads
struct Size {
    uint64_t bytes = 0;
    bool by_threads = false;
};

// ---- Queries; all look through sugar ----

QualType desugar(QualType type);  // removes one typedef name or typeof; other types are returned unchanged
QualType canonical(QualType type);
const Type* kind_of(QualType type);  // canonical(type).type
inline TypeKind kind(QualType type)
{
    return kind_of(type)->kind;
}

QualType element_of(QualType type);         // ultimate element type with its qualifiers; a non-array type itself
bool is_shared(QualType type);              // objects of this type are shared
bool is_pts(QualType type);                 // pointer-to-shared
bool is_generic_pts(QualType type);         // shared void *
QualType pointee(QualType pointer);         // target of a pointer, or of an array after decay
bool may_alias(QualType type);              // __attribute__((may_alias)): may overlap with objects of any type
bool is_private_by_threads(QualType type);  // an array of private objects with an unknown THREADS in a dimension
bool touches_shared(QualType type);         // C has no such type: `shared` occurs in it, other than in record members

bool is_integer(QualType type);
bool is_unsigned(QualType type);  // integer types only
bool is_arithmetic(QualType type);
bool is_scalar(QualType type);
bool is_pointer(QualType type);
bool is_incomplete(QualType type);
// clang-format off
inline bool is_unknown(QualType type) { return kind(type) == TypeKind::Unknown; }
inline bool is_array(QualType type) { return kind(type) == TypeKind::Array; }
inline bool is_vector(QualType type) { return kind(type) == TypeKind::Vector; }
inline bool has_elements(QualType type) { return is_array(type) || is_vector(type); }  // [] selects a part of it
inline bool is_record(QualType type) { return kind(type) == TypeKind::Record; }
inline bool is_function(QualType type) { return kind(type) == TypeKind::Function; }
inline bool is_void(QualType type) { return kind(type) == TypeKind::Void; }
// clang-format on

// Block size of a shared type; 0 means indefinite
uint64_t block_size(QualType type);

// Number of ultimate elements in one object of this type; 1 for non-arrays, nullopt for VLAs and incomplete arrays
std::optional<Size> element_count(QualType type);
std::optional<Size> size_of(QualType type);
// `largest` is Machine::largest_alignment.
uint64_t align_of(QualType type, uint64_t largest);
uint64_t named_alignment(QualType type);  // requested by typedef names of it or of its elements; 0 if none
// upc_localsizeof in elements: ceil(ceil(count / block) / threads) * block; threads is 0 in the dynamic environment
std::optional<uint64_t> local_elements(QualType type, int threads);

// Whether the types are equal apart from const, volatile and restrict on all levels; strict and relaxed never matter
// (facts 1.9)
bool same_type(QualType a, QualType b);
// Whether the types are compatible in C apart from outer qualifiers (C11 6.2.7); block sizes must match on all levels
bool compatible(QualType a, QualType b);
bool is_pts_in_c(QualType type);                       // the struct that represents pointers-to-shared in emitted C
bool same_layout(QualType a, QualType b);              // equal block size
bool same_qualifiers(const Quals& a, const Quals& b);  // except for the layout

// The member of this name, including members of nested anonymous structs and unions, and its offset in the record
const Field* find_field(const Record& record, std::string_view name, uint64_t* offset = nullptr);

// The type of a member or an element of an object
QualType part_of(QualType whole, QualType part);

// The qualifiers of an array, or of other sugar, and those of what is below
Quals merge(Quals outer, Quals inner);

// The C spelling of a type that consists of keywords only; "int" for other kinds
const char* keyword_name(TypeKind kind);

// The type for messages: "shared [3] int *"
std::string describe(QualType type);

}  // namespace bn::sema
