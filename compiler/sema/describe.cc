// describe.cc: types as messages name them.
#include "sema/types.h"

namespace bn::sema {

const char* keyword_name(TypeKind kind)
{
    switch (kind) {
    case TypeKind::Void: return "void";
    case TypeKind::Bool: return "_Bool";
    case TypeKind::Char: return "char";
    case TypeKind::SChar: return "signed char";
    case TypeKind::UChar: return "unsigned char";
    case TypeKind::Short: return "short";
    case TypeKind::UShort: return "unsigned short";
    case TypeKind::Int: return "int";
    case TypeKind::UInt: return "unsigned int";
    case TypeKind::Long: return "long";
    case TypeKind::ULong: return "unsigned long";
    case TypeKind::LLong: return "long long";
    case TypeKind::ULLong: return "unsigned long long";
    case TypeKind::Int128: return "__int128";
    case TypeKind::UInt128: return "unsigned __int128";
    case TypeKind::Float: return "float";
    case TypeKind::Double: return "double";
    case TypeKind::LDouble: return "long double";
    case TypeKind::VaList: return "__builtin_va_list";
    default: return "int";
    }
}

namespace {

std::string describe_quals(Quals quals)
{
    std::string text;
    if (quals.is_strict)
        text += "strict ";
    if (quals.is_relaxed)
        text += "relaxed ";
    if (quals.is_shared) {
        text += "shared ";
        if (quals.layout == Layout::Indefinite)
            text += "[] ";
        else if (quals.layout == Layout::Star)
            text += "[*] ";
        else if (quals.layout == Layout::Blocked)
            text += "[" + std::to_string(quals.block) + "] ";
    }
    if (quals.is_const)
        text += "const ";
    if (quals.is_volatile)
        text += "volatile ";
    if (quals.is_restrict)
        text += "restrict ";
    return text;
}

std::string describe_with(QualType type, std::string inner)
{
    const Type* t = type.type;
    std::string quals = describe_quals(type.quals);
    switch (t->kind) {
    case TypeKind::Pointer: {
        if (!quals.empty())
            quals.pop_back();
        std::string star = "*" + (quals.empty() ? "" : quals + (inner.empty() ? "" : " ")) + inner;
        TypeKind below = t->base.type->kind;
        if (below == TypeKind::Array || below == TypeKind::Function)
            star = "(" + star + ")";
        return describe_with(t->base, star);
    }
    case TypeKind::Array: {
        std::string count = t->by_threads  ? (t->count == 1 ? "THREADS" : std::to_string(t->count) + "*THREADS")
                            : t->has_count ? std::to_string(t->count)
                            : t->is_vla    ? "*"
                                           : "";
        return describe_with({t->base.type, merge(type.quals, t->base.quals)}, inner + "[" + count + "]");
    }
    case TypeKind::Function: {
        std::string params;
        for (const QualType& param : t->params)
            params += (params.empty() ? "" : ", ") + describe(param);
        if (t->is_variadic)
            params += ", ...";
        return describe_with(t->base, inner + "(" + params + ")");
    }
    case TypeKind::Typeof: return describe_with({t->base.type, merge(type.quals, t->base.quals)}, inner);
    default: break;
    }
    std::string name;
    switch (t->kind) {
    case TypeKind::Typedef:
    case TypeKind::BitInt:
    case TypeKind::OtherFloat: name = t->name; break;
    case TypeKind::Enum: name = "enum " + std::string(t->name); break;
    case TypeKind::Record:
        if (!t->record->alias.empty())
            name = t->record->alias;
        else
            name = (t->record->is_union ? "union " : "struct ") +
                   (t->record->is_anonymous ? std::string("<anonymous>") : std::string(t->record->tag));
        break;
    case TypeKind::Complex: name = "_Complex " + describe(t->base); break;
    case TypeKind::Vector: name = "vector of " + describe(canonical(t->base)); break;
    default: name = keyword_name(t->kind);
    }
    bool is_tight = inner.empty() || inner[0] == '[' || (inner[0] == '(' && !inner.starts_with("(*"));
    return quals + name + (is_tight ? "" : " ") + inner;
}

}  // namespace

std::string describe(QualType type)
{
    return describe_with(type, "");
}

}  // namespace bn::sema
