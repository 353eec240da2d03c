#include "sema/types.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

namespace bn::sema {

Quals merge(Quals outer, Quals inner)
{
    Quals q = inner;
    q.is_const |= outer.is_const;
    q.is_volatile |= outer.is_volatile;
    q.is_restrict |= outer.is_restrict;
    q.is_atomic |= outer.is_atomic;
    q.is_strict |= outer.is_strict;
    q.is_relaxed |= outer.is_relaxed;
    if (outer.is_shared && (!inner.is_shared || inner.layout == Layout::Default || outer.layout == Layout::Star)) {
        q.layout = outer.layout;
        q.block = outer.block;
    }
    q.is_shared |= outer.is_shared;
    return q;
}

namespace {

bool is_empty(Quals q)
{
    return !(q.is_const || q.is_volatile || q.is_restrict || q.is_atomic || q.is_shared || q.is_strict || q.is_relaxed);
}

// The array with qualified elements, always the same one for the same qualifiers
QualType push_quals(const Type& array, Quals quals)
{
    quals = merge(quals, array.base.quals);
    std::vector<std::shared_ptr<const Type>>& known = array.qualified.list;
    auto found = std::find_if(known.rbegin(), known.rend(),
                              [&](const std::shared_ptr<const Type>& other) { return other->base.quals == quals; });
    if (found != known.rend())
        return {found->get(), Quals{}};
    auto copy = std::make_shared<Type>(array);
    copy->base.quals = quals;
    known.push_back(copy);
    return {copy.get(), Quals{}};
}

}  // namespace

namespace {

bool is_sugar(const Type* type)
{
    return type->kind == TypeKind::Typedef || type->kind == TypeKind::Typeof;
}

// The type below all sugar, with the qualifiers of all layers
QualType below_sugar(const Type* type)
{
    if (type->plain == nullptr) {
        std::vector<const Type*> chain;
        const Type* t = type;
        for (; is_sugar(t) && t->plain == nullptr; t = t->base.type)
            chain.push_back(t);
        while (!chain.empty()) {
            const Type* name = chain.back();
            chain.pop_back();
            const Type* base = name->base.type;
            name->plain_quals = is_sugar(base) ? merge(name->base.quals, base->plain_quals) : name->base.quals;
            name->plain = is_sugar(base) ? base->plain : base;
        }
    }
    return {type->plain, type->plain_quals};
}

}  // namespace

QualType desugar(QualType type)
{
    if (type.type->kind == TypeKind::Typedef || type.type->kind == TypeKind::Typeof)
        return {type.type->base.type, merge(type.quals, type.type->base.quals)};
    return type;
}

QualType canonical(QualType type)
{
    if (is_sugar(type.type)) {
        QualType below = below_sugar(type.type);
        type = {below.type, merge(type.quals, below.quals)};
    }
    if (type.type->kind == TypeKind::Array && !is_empty(type.quals))
        return push_quals(*type.type, type.quals);
    return type;
}

const Type* kind_of(QualType type)
{
    return is_sugar(type.type) ? below_sugar(type.type).type : type.type;
}

QualType element_of(QualType type)
{
    Quals quals = type.quals;
    const Type* t = type.type;
    while (is_sugar(t) || t->kind == TypeKind::Array) {
        QualType next = is_sugar(t) ? below_sugar(t) : t->base;
        quals = merge(quals, next.quals);
        t = next.type;
    }
    return {t, quals};
}

bool is_shared(QualType type)
{
    return element_of(type).quals.is_shared;
}

QualType pointee(QualType pointer)
{
    return canonical(pointer).type->base;
}

bool is_pts(QualType type)
{
    return kind(type) == TypeKind::Pointer && is_shared(pointee(type));
}

bool is_generic_pts(QualType type)
{
    return is_pts(type) && is_void(pointee(type));
}

namespace {

bool touches_shared_below(const Type* t);

}  // namespace

bool touches_shared(QualType type)
{
    if (type.quals.is_shared)
        return true;
    const Type* t = type.type;
    if (is_sugar(t))
        return touches_shared(below_sugar(t));
    if (t->kind != TypeKind::Function)
        return touches_shared_below(t);
    if (t->touches == Type::Touches::Unknown)
        t->touches = touches_shared_below(t) ? Type::Touches::Yes : Type::Touches::No;
    return t->touches == Type::Touches::Yes;
}

namespace {

bool touches_shared_below(const Type* t)
{
    switch (t->kind) {
    case TypeKind::Pointer:
    case TypeKind::Array:
    case TypeKind::Complex:
    case TypeKind::Vector: return touches_shared(t->base);
    case TypeKind::Function:
        for (const QualType& param : t->params)
            if (touches_shared(param))
                return true;
        return touches_shared(t->base);
    default: return false;
    }
}

}  // namespace

bool may_alias(QualType type)
{
    const Type* t = type.type;
    for (; is_sugar(t) || t->kind == TypeKind::Array; t = t->base.type)
        if (t->may_alias)
            return true;
    return t->kind == TypeKind::Record && t->record->may_alias;
}

bool is_private_by_threads(QualType type)
{
    for (const Type* t = type.type; is_sugar(t) || t->kind == TypeKind::Array;
         t = is_sugar(t) ? below_sugar(t).type : t->base.type)
        if (t->kind == TypeKind::Array && t->is_vla && t->by_threads)
            return true;
    return false;
}

bool is_integer(QualType type)
{
    TypeKind k = kind(type);
    return (k >= TypeKind::Bool && k <= TypeKind::UInt128) || k == TypeKind::Enum;
}

bool is_unsigned(QualType type)
{
    switch (kind(type)) {
    case TypeKind::Bool:
    case TypeKind::UChar:
    case TypeKind::UShort:
    case TypeKind::UInt:
    case TypeKind::ULong:
    case TypeKind::ULLong:
    case TypeKind::UInt128: return true;
    case TypeKind::Char: return kind_of(type)->has_no_sign;
    case TypeKind::Enum: return is_unsigned(kind_of(type)->base);
    default: return false;
    }
}

bool is_arithmetic(QualType type)
{
    TypeKind k = kind(type);
    return is_integer(type) || (k >= TypeKind::Float && k <= TypeKind::BitInt) || k == TypeKind::Complex ||
           k == TypeKind::Vector;
}

bool is_pointer(QualType type)
{
    return kind(type) == TypeKind::Pointer;
}

bool is_scalar(QualType type)
{
    return is_arithmetic(type) || is_pointer(type);
}

bool is_incomplete(QualType type)
{
    const Type* t = kind_of(type);
    switch (t->kind) {
    case TypeKind::Void: return true;
    case TypeKind::Record: return !t->record->is_complete;
    case TypeKind::Enum: return !t->enum_complete;
    case TypeKind::Array: return (!t->has_count && !t->is_vla) || is_incomplete(t->base);
    default: return false;
    }
}

uint64_t block_size(QualType type)
{
    const Quals quals = element_of(type).quals;
    switch (quals.layout) {
    case Layout::Default: return 1;
    case Layout::Indefinite: return 0;
    case Layout::Blocked: return quals.block;
    case Layout::Star: return quals.block != 0 ? quals.block : 1;
    }
    return 1;
}

namespace {

// Saturates: numbers that are too large are all treated alike.
uint64_t product(uint64_t a, uint64_t b)
{
    uint64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? UINT64_MAX : result;
}

}  // namespace

std::optional<Size> element_count(QualType type)
{
    Size size{1, false};
    const Type* t = type.type;
    while (is_sugar(t) || t->kind == TypeKind::Array) {
        if (is_sugar(t)) {
            t = below_sugar(t).type;
            continue;
        }
        if (!t->has_count)
            return std::nullopt;
        size.bytes = product(size.bytes, t->count);
        size.by_threads |= t->by_threads;
        t = t->base.type;
    }
    return size;
}

std::optional<Size> size_of(QualType type)
{
    const Type* t = kind_of(type);
    switch (t->kind) {
    case TypeKind::Unknown:
    case TypeKind::Void:
    case TypeKind::Function: return std::nullopt;
    case TypeKind::Bool:
    case TypeKind::Char:
    case TypeKind::SChar:
    case TypeKind::UChar: return Size{1};
    case TypeKind::Short:
    case TypeKind::UShort: return Size{2};
    case TypeKind::Int:
    case TypeKind::UInt:
    case TypeKind::Float: return Size{4};
    case TypeKind::Long:
    case TypeKind::ULong:
    case TypeKind::LLong:
    case TypeKind::ULLong:
    case TypeKind::Double: return Size{8};
    case TypeKind::Int128:
    case TypeKind::UInt128:
    case TypeKind::LDouble: return Size{16};
    case TypeKind::VaList: return std::nullopt;
    case TypeKind::Enum: return size_of(t->base);
    case TypeKind::Complex: {
        std::optional<Size> part = size_of(t->base);
        return part ? std::optional<Size>(Size{part->bytes * 2}) : std::nullopt;
    }
    case TypeKind::OtherFloat:
    case TypeKind::BitInt:
    case TypeKind::Vector: return t->vector_bytes == 0 ? std::nullopt : std::optional<Size>(Size{t->vector_bytes});
    case TypeKind::Pointer: return Size{is_pts(type) ? uint64_t{16} : uint64_t{8}};
    case TypeKind::Array: {
        std::optional<Size> count = element_count(type);
        std::optional<Size> element = size_of(element_of(type));
        if (!count || !element)
            return std::nullopt;
        return Size{product(count->bytes, element->bytes), count->by_threads};
    }
    case TypeKind::Record:
        if (!t->record->is_complete || !t->record->size_known)
            return std::nullopt;
        return Size{t->record->size};
    case TypeKind::Typedef:
    case TypeKind::Typeof: break;
    }
    return std::nullopt;
}

uint64_t named_alignment(QualType type)
{
    uint64_t largest = 0;
    for (const Type* t = type.type; t != nullptr; t = t->base.type) {
        if (t->kind != TypeKind::Typedef && t->kind != TypeKind::Typeof && t->kind != TypeKind::Array)
            break;
        largest = std::max(largest, t->align);
    }
    return largest;
}

namespace {

uint64_t plain_alignment(QualType type, uint64_t largest)
{
    for (const Type* t = type.type; t->kind == TypeKind::Typedef || t->kind == TypeKind::Typeof; t = t->base.type)
        if (t->align != 0)
            return t->align;
    const Type* t = kind_of(type);
    switch (t->kind) {
    case TypeKind::Array:  // a name for one of its dimensions may request more
        return align_of(t->base, largest);
    case TypeKind::Record: return t->record->align;
    case TypeKind::Complex: return align_of(t->base, largest);
    case TypeKind::Pointer:
    case TypeKind::VaList: return 8;
    case TypeKind::BitInt: return std::clamp<uint64_t>(t->vector_bytes, 1, 8);
    default: {
        std::optional<Size> size = size_of(type);
        if (!size || size->bytes == 0)
            return 1;
        return t->kind == TypeKind::Vector ? size->bytes : std::min(size->bytes, largest);
    }
    }
}

}  // namespace

// _Atomic objects that the processor can access as a whole are aligned accordingly.
uint64_t align_of(QualType type, uint64_t largest)
{
    uint64_t align = plain_alignment(type, largest);
    bool is_atomic = element_of(type).quals.is_atomic && !is_array(type);
    std::optional<Size> size = is_atomic ? size_of(type) : std::nullopt;
    bool is_whole = size && size->bytes <= 16 && std::has_single_bit(size->bytes);
    return is_whole ? std::max(align, std::min(size->bytes, largest)) : align;
}

std::optional<uint64_t> local_elements(QualType type, int threads)
{
    std::optional<Size> count = element_count(type);
    if (!count)
        return std::nullopt;
    uint64_t block = block_size(type);
    if (block == 0 || kind(type) != TypeKind::Array)
        return count->bytes;
    auto ceil_div = [](uint64_t n, uint64_t d) { return n / d + (n % d != 0); };
    if (count->by_threads)
        return ceil_div(count->bytes, block) * block;
    // In the dynamic environment a type without THREADS must fit on one thread: an upper bound (facts 1.8).
    uint64_t blocks = ceil_div(count->bytes, block);
    return (threads > 0 ? ceil_div(blocks, static_cast<uint64_t>(threads)) : blocks) * block;
}

bool same_layout(QualType a, QualType b)
{
    return block_size(a) == block_size(b);
}

bool same_qualifiers(const Quals& a, const Quals& b)
{
    return a.is_const == b.is_const && a.is_volatile == b.is_volatile && a.is_restrict == b.is_restrict &&
           a.is_atomic == b.is_atomic && a.is_shared == b.is_shared && a.is_strict == b.is_strict &&
           a.is_relaxed == b.is_relaxed;
}

bool is_pts_in_c(QualType type)
{
    return kind(type) == TypeKind::Record && kind_of(type)->record->tag == "bn_pointer_to_shared";
}

namespace {

// Qualifiers of pointer targets
bool same_c_qualifiers(QualType a, QualType b)
{
    Quals s = element_of(a).quals;
    Quals t = element_of(b).quals;
    return s.is_const == t.is_const && s.is_volatile == t.is_volatile && s.is_restrict == t.is_restrict &&
           s.is_atomic == t.is_atomic;
}

// A parameter may point to shared const void instead of shared void, as those of library functions do.
bool agree(QualType a, QualType b, bool with_qualifiers)
{
    if (is_shared(a) != is_shared(b) || (is_shared(a) && !is_void(a) && !is_void(b) && !same_layout(a, b)))
        return false;
    a = canonical(a);
    b = canonical(b);
    const Type* s = a.type;
    const Type* t = b.type;
    if (s == t)
        return true;
    if (s->kind == TypeKind::Unknown || t->kind == TypeKind::Unknown)
        return true;
    if (s->kind == TypeKind::Enum && t->kind != TypeKind::Enum)
        return agree(s->base, b, with_qualifiers);
    if (t->kind == TypeKind::Enum && s->kind != TypeKind::Enum)
        return agree(a, t->base, with_qualifiers);
    if (s->kind != t->kind)
        return (is_pts(a) && is_pts_in_c(b)) || (is_pts_in_c(a) && is_pts(b));
    switch (s->kind) {
    case TypeKind::Pointer:
        return agree(s->base, t->base, with_qualifiers) && (!with_qualifiers || same_c_qualifiers(s->base, t->base));
    case TypeKind::Complex: return agree(s->base, t->base, with_qualifiers);
    case TypeKind::Vector: return s->vector_bytes == t->vector_bytes;
    case TypeKind::Array:
        if (s->has_count && t->has_count && (s->count != t->count || s->by_threads != t->by_threads))
            return false;
        return agree(s->base, t->base, with_qualifiers);
    case TypeKind::Function:
        if (!agree(s->base, t->base, with_qualifiers))
            return false;
        if (!s->has_prototype || !t->has_prototype)
            return true;
        if (s->params.size() != t->params.size() || s->is_variadic != t->is_variadic)
            return false;
        for (size_t i = 0; i < s->params.size(); ++i) {
            bool is_generic = is_generic_pts(s->params[i]) && is_generic_pts(t->params[i]);
            if (!is_generic && !agree(s->params[i], t->params[i], with_qualifiers))
                return false;
        }
        return true;
    case TypeKind::Record: return s->record == t->record;
    case TypeKind::Enum:
    case TypeKind::BitInt:
    case TypeKind::OtherFloat: return s->name == t->name;
    default: return true;
    }
}

}  // namespace

bool same_type(QualType a, QualType b)
{
    return agree(a, b, false);
}

bool compatible(QualType a, QualType b)
{
    return agree(a, b, true);
}

// The part is qualified like the whole object and lies entirely on its thread: shared [] (facts 1.9, address-of).
QualType part_of(QualType whole, QualType part)
{
    Quals outer = element_of(whole).quals;
    part.quals.is_const |= outer.is_const;
    part.quals.is_volatile |= outer.is_volatile;
    part.quals.is_atomic |= outer.is_atomic;
    if (outer.is_shared) {
        part.quals.is_shared = true;
        part.quals.is_strict = outer.is_strict;
        part.quals.is_relaxed = outer.is_relaxed;
        part.quals.layout = Layout::Indefinite;
        part.quals.block = 0;
    }
    return part;
}

const Field* find_field(const Record& record, std::string_view name, uint64_t* offset)
{
    for (const Field& field : record.fields) {
        const Field* found = nullptr;
        uint64_t inner = 0;
        if (field.name == name && !name.empty())
            found = &field;
        else if (field.name.empty() && is_record(field.type))
            found = find_field(*kind_of(field.type)->record, name, &inner);
        if (found == nullptr)
            continue;
        if (offset != nullptr)
            *offset = found == &field ? field.offset : field.offset + inner;
        return found;
    }
    return nullptr;
}

}  // namespace bn::sema
