// types.h: C and UPC types, their sizes, and the questions that the rules of UPC ask about them.
//
// Sugar (typedef names, typeof) is kept so that emitted C can use the names of the program; canonical() removes it.
// A qualifier on an array belongs to the elements (C11 6.7.3p9), so the layout of a shared array is found on its
// ultimate element type ("uet" in the facts; element_of() here).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ast/ast.h"

namespace bn::sema {

using ast::Layout;
using ast::Quals;
using ast::QualType;

// clang-format off
enum class TypeKind : uint8_t {
    Unknown,  // of an expression that only the back end understands; never shared, never diagnosed
    Void, Bool, Char, SChar, UChar, Short, UShort, Int, UInt, Long, ULong, LLong, ULLong, Int128, UInt128,
    Float, Double, LDouble, OtherFloat, BitInt, VaList, Enum,
    Complex, Vector, Pointer, Array, Function, Record,
    Typedef, Typeof,
};
// clang-format on

struct Field {
    std::string_view name;  // empty for unnamed bit-fields and anonymous records
    QualType type;
    uint64_t offset = 0;  // in bytes; of the containing storage for a bit-field
    bool is_bit_field = false;
    uint32_t width = 0;
};

struct Record {
    std::string_view tag;  // as emitted; anonymous ones get one when it is needed
    bool is_anonymous = false;
    std::string_view alias;  // anonymous: the first typedef name it was given; empty if none
    bool is_union = false;
    bool is_complete = false;
    bool has_flexible_array = false;
    bool size_known = true;  // false if an attribute or a field defeats our layout
    uint64_t size = 0;
    uint64_t align = 1;
    std::vector<Field> fields;
    ast::RecordSpec* spec = nullptr;  // its definition
    bool in_function = false;
    bool is_shadowed = false;  // its name means something else in an inner scope
};

struct Type {
    TypeKind kind = TypeKind::Unknown;
    QualType base;  // pointee, element, return type, aliased type, typeof, underlying type of Enum
    // Array: count elements, times THREADS if by_threads; these are known of variable length arrays of int[2*THREADS],
    // too
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
    bool in_function = false;          // Typedef: its name is not known outside of a function
    mutable bool is_shadowed = false;  // Typedef, Enum: its name means something else in an inner scope
    uint64_t vector_bytes = 0;         // also OtherFloat, BitInt: size; 0 if it is not known
    uint64_t vector_count = 0;         // of clang's ext_vector_type: elements; 0 for other vectors
    uint64_t align = 0;                // Typedef: __attribute__((aligned)), 0 if none
    // Typeof
    ast::Expr* typeof_expr = nullptr;
    // Answers that are asked for again and again; long chains of typedefs would take long otherwise
    mutable const Type* plain = nullptr;  // Typedef, Typeof: what lies below all names; null if not known yet
    mutable Quals plain_quals;
    enum class Touches : uint8_t { Unknown, No, Yes };
    mutable Touches touches = Touches::Unknown;  // Function: touches_shared
};

struct Symbol {
    enum class Kind : uint8_t { Variable, Function, Typedef, Enumerator } kind = Kind::Variable;
    std::string_view name;     // as written
    std::string_view emitted;  // as emitted C calls it; equals name but for hoisted static objects
    QualType type;
    bool at_file_scope = false;
    bool is_static = false;
    bool is_extern = false;
    bool has_initialiser = false;
    // Variable: each thread of a process has its own (Options::own_objects), or is thread-local with computed values
    bool is_own = false;
    bool is_parameter = false;
    bool is_defined_by_program = false;  // Function: this unit has its body, and not in a header of the system
    uint64_t align = 0;                  // Variable: asked for by _Alignas, aligned or a typedef name, 0 if none
    bool is_constant = false;            // Enumerator, and C23's constexpr of an integer type: the value is known
    __int128 value = 0;                  // is_constant
    lex::TokenIndex token = 0;
};

// A size in bytes; times THREADS if by_threads
struct Size {
    uint64_t bytes = 0;
    bool by_threads = false;
};

// ---- Questions; all look through sugar ----

QualType desugar(QualType type);  // one typedef name or typeof removed; others are returned as they are
QualType canonical(QualType type);
const Type* kind_of(QualType type);  // canonical(type).type
inline TypeKind kind(QualType type)
{
    return kind_of(type)->kind;
}

QualType element_of(QualType type);         // ultimate element type with its qualifiers; the type itself if no array
bool is_shared(QualType type);              // objects of this type are shared
bool is_pts(QualType type);                 // pointer-to-shared
bool is_generic_pts(QualType type);         // shared void *
QualType pointee(QualType pointer);         // of a pointer or, decayed, of an array
bool is_private_by_threads(QualType type);  // an array of private objects with THREADS, unknown, in a dimension
bool touches_shared(QualType type);         // C has no such type: shared occurs in it anywhere but in record members

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
inline bool has_elements(QualType type) { return is_array(type) || is_vector(type); }  // that [] gives parts of
inline bool is_record(QualType type) { return kind(type) == TypeKind::Record; }
inline bool is_function(QualType type) { return kind(type) == TypeKind::Function; }
inline bool is_void(QualType type) { return kind(type) == TypeKind::Void; }
// clang-format on

// Block size of a shared type: 0 indefinite
uint64_t block_size(QualType type);

// Number of ultimate elements in one object of this type: 1 for non-arrays.  nullopt for VLAs and incomplete arrays.
std::optional<Size> element_count(QualType type);
std::optional<Size> size_of(QualType type);
uint64_t align_of(QualType type);
uint64_t named_alignment(QualType type);  // that typedef names of it or its elements ask for; 0 if none does
// upc_localsizeof in elements: ceil(ceil(count / block) / threads) * block; threads is 0 in the dynamic environment
std::optional<uint64_t> local_elements(QualType type, int threads);

// Same type once const, volatile and restrict are removed on all levels; strict and relaxed never matter (facts 1.9)
bool same_type(QualType a, QualType b);
// Compatible in C once qualifiers of the outer level are removed (C11 6.2.7); block sizes count on all levels
bool compatible(QualType a, QualType b);
bool is_pts_in_c(QualType type);                       // the struct that pointers-to-shared are in emitted C
bool same_layout(QualType a, QualType b);              // equal block size
bool same_qualifiers(const Quals& a, const Quals& b);  // but for the layout

// The member of this name, also of an anonymous struct or union inside, and its offset from the start of the record
const Field* find_field(const Record& record, std::string_view name, uint64_t* offset = nullptr);

// The type of a member or an element of an object
QualType part_of(QualType whole, QualType part);

// How C spells a type that is keywords only; "int" for other kinds
const char* keyword_name(TypeKind kind);

// "shared [3] int *", for messages
std::string describe(QualType type);

}  // namespace bn::sema
