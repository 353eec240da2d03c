// declared.cc: what the unit says about shared objects that other units know as well, for the start-up code, which
// compares it with what the others say (runtime/pgas/declared.h).
//
// UPC form                                  C form, in a table at the end of the unit
// extern shared [5] int a[9*THREADS];       { 0, "a", "shared [5] int[9*THREADS]", "i4", "x.upc", 1, 9ul, 1, 5ul },
//
// A declaration of which no expression makes use is left out.  An object defined elsewhere is named only, because a
// reference to it from the table would make it necessary even where the C compiler removes all code that uses it.
//
// The form of an element has a letter and a size for each kind of number.  Types with one form hold the same bytes, so
// the form does not tell int from unsigned or from an enumeration.  Whatever does not have one form, as incomplete
// types, or is not known well enough, is '?'.
//
//     i4  integer        f8  floating-point number       c8  complex number, with the size of its parts
//     {i4,b3,a10:f8}     struct of an int, a bit-field of 3 bits and an array of 10 doubles;  u8  union of 8 bytes
//     P5:i4              shared [5] int *;  P?  shared void *
#include "lower/lowerer.h"
#include "source/source.h"

namespace bn::lower {

using namespace sema;

namespace {

constexpr size_t kLongestForm = 500;

std::string form_of(QualType type);

std::string sized(char letter, QualType type)
{
    std::optional<Size> size = size_of(type);
    return size ? letter + std::to_string(size->bytes) : "?";
}

std::string form_of_record(const Record& record)
{
    if (!record.is_complete || !record.size_known)
        return "?";
    if (record.is_union)
        return "u" + std::to_string(record.size);
    std::string out;
    for (const Field& field : record.fields) {
        out += out.empty() ? "{" : ",";
        out += field.is_bit_field ? "b" + std::to_string(field.width) : form_of(field.type);
        if (out.size() > kLongestForm)
            return "?";
    }
    return out.empty() ? "?" : out + "}";
}

// Structs are not looked into, because they may be incomplete in one unit, and contain the pointer.
std::string form_of_pts(QualType type)
{
    QualType target = element_of(pointee(type));
    if (is_void(target))
        return "P?";
    return "P" + std::to_string(block_size(pointee(type))) + ":" + (is_record(target) ? "?" : form_of(target));
}

std::string form_of(QualType type)
{
    const Type& plain = *kind_of(type);
    switch (plain.kind) {
    case TypeKind::Unknown:
    case TypeKind::Void:
    case TypeKind::OtherFloat:
    case TypeKind::BitInt:
    case TypeKind::VaList:
    case TypeKind::Vector:
    case TypeKind::Function:
    case TypeKind::Typedef:
    case TypeKind::Typeof: return "?";
    case TypeKind::Enum: return plain.enum_complete ? sized('i', type) : "?";
    case TypeKind::Float:
    case TypeKind::Double:
    case TypeKind::LDouble: return sized('f', type);
    case TypeKind::Complex: return sized('c', plain.base);
    case TypeKind::Pointer: return is_pts(type) ? form_of_pts(type) : sized('i', type);
    case TypeKind::Array: return plain.has_count ? "a" + std::to_string(plain.count) + ":" + form_of(plain.base) : "?";
    case TypeKind::Record: return is_pts_in_c(type) ? "P?" : form_of_record(*plain.record);
    default: return sized('i', type);
    }
}

}  // namespace

void Lowerer::note_declared(const ast::InitDeclarator& init, bool defines)
{
    const Symbol& symbol = *init.symbol;
    if (!symbol.is_static)
        declared_.push_back({&symbol, init.declarator, defines});
}

// The best declaration of each object by its name: one that defines it, else one that says how large it is
std::map<std::string_view, Lowerer::Declared> Lowerer::best_declared() const
{
    std::map<std::string_view, Declared> best;
    for (const Declared& each : declared_) {
        if (!each.defines && !each.symbol->is_named)
            continue;
        auto [known, is_new] = best.try_emplace(each.symbol->emitted, each);
        const Declared& other = known->second;
        bool says_more = is_incomplete(other.symbol->type) && !is_incomplete(each.symbol->type);
        if (!is_new && !other.defines && (each.defines || says_more))
            known->second = each;
    }
    return best;
}

// The table of declarations; nothing if there are none
Rope Lowerer::declared_table()
{
    Rope rows = rope();
    for (const auto& [name, each] : best_declared()) {
        QualType type = each.symbol->type;
        Size elements = element_count(type).value_or(Size{0, false});
        rows << "    { " << (each.defines ? "&" + std::string(name) : "0") << ", \"" << name << "\", "
             << source::quoted_name(describe(type)) << ", \"" << form_of(element_of(type)) << "\", "
             << place_in_source(each.declarator) << ", " << elements.bytes << "ul, "
             << (elements.by_threads ? "1, " : "0, ") << (is_array(type) ? block_size(type) : 1) << "ul },\n";
    }
    if (rows.empty())
        return rows;
    return rope("static const struct bn_declared bn_declared[] = {\n") << rows << "};\n";
}

}  // namespace bn::lower
