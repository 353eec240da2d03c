// arguments.cc: messages about arguments that go beyond the conversion rules and are phrased in terms of the called
// function.
#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "sema/checker.h"

namespace bn::sema {

using ast::Expr;
using ast::Kind;
using ast::Op;
using diag::Id;

namespace {

// upc_memcpy, upc_memget, upc_memput and their non-blocking forms
struct Copy {
    bool to_shared;
    bool from_shared;
    std::string_view suffix;  // "_nb", "_nbi" or none
};

std::optional<Copy> copy_of(std::string_view name)
{
    constexpr std::string_view kPrefix = "upc_mem";
    if (!name.starts_with(kPrefix) || name.size() < kPrefix.size() + 3)
        return std::nullopt;
    std::string_view kind = name.substr(kPrefix.size(), 3);
    std::string_view suffix = name.substr(kPrefix.size() + 3);
    if ((kind != "cpy" && kind != "get" && kind != "put") || (!suffix.empty() && suffix != "_nb" && suffix != "_nbi"))
        return std::nullopt;
    return Copy{kind != "get", kind != "put", suffix};
}

std::string name_of(bool to_shared, bool from_shared, std::string_view suffix)
{
    if (!to_shared && !from_shared)
        return "memcpy";
    return std::string(to_shared && from_shared ? "upc_memcpy"
                       : to_shared              ? "upc_memput"
                                                : "upc_memget")
        .append(suffix);
}

// Whether the collective function takes this argument as something with a part on each thread
bool has_parts(std::string_view function, size_t argument)
{
    struct Parts {
        std::string_view function;
        bool in[3];
    };
    static constexpr Parts kParts[] = {
        {"upc_all_broadcast", {true, false, false}}, {"upc_all_scatter", {true, false, false}},
        {"upc_all_gather", {false, true, false}},    {"upc_all_gather_all", {true, true, false}},
        {"upc_all_exchange", {true, true, false}},   {"upc_all_permute", {true, true, true}},
    };
    if (function.starts_with("bupc_all_reduce_all"))
        return argument == 0;
    const auto* found = std::ranges::find(kParts, function, &Parts::function);
    return found != std::end(kParts) && argument < std::size(found->in) && found->in[argument];
}

const char* memory(bool is_shared)
{
    return is_shared ? "shared" : "private";
}

}  // namespace

// Reports a pointer to the wrong kind of memory, which usually means a wrong order of arguments or the wrong function,
// and says which.  Returns whether it reported anything.
bool Checker::check_copy(const Expr& call)
{
    std::optional<Copy> copy = call.a->kind == Kind::Ident ? copy_of(text(call.a->first)) : std::nullopt;
    if (!copy || call.args.size() != 3)
        return false;
    std::array<bool, 2> is_shared_pointer{};
    for (size_t i = 0; i < is_shared_pointer.size(); ++i) {
        QualType type = value_type(*call.args[i]);
        if (is_unknown(type) || !is_pointer(type) || is_null_constant(call.args[i]))
            return false;
        is_shared_pointer[i] = is_pts(type);
    }
    auto [to_shared, from_shared] = is_shared_pointer;
    bool is_wrong = to_shared != copy->to_shared;
    bool is_source_wrong = from_shared != copy->from_shared;
    if (!is_wrong && !is_source_wrong)
        return false;
    std::string other = name_of(to_shared, from_shared, copy->suffix);
    std::string_view name = text(call.a->first);
    if (is_wrong && is_source_wrong && to_shared != from_shared) {
        diags_.report(Id::CopySwapped, range(call), {name, memory(copy->to_shared), memory(copy->from_shared), other});
        return true;
    }
    const char* pointed_to = (is_wrong ? to_shared : from_shared) ? "shared" : "local";
    diags_.report(Id::CopyArgument, range(*call.args[is_wrong ? 0 : 1]),
                  {is_wrong ? "1" : "2", name, pointed_to, memory(copy->to_shared), memory(copy->from_shared), other,
                   memory(from_shared), memory(to_shared)});
    return true;
}

// Warns of an argument that must have a part on each thread, but names an object that lies on one.
void Checker::check_parts(const Expr& call)
{
    std::string_view name = call.a->kind == Kind::Ident ? text(call.a->first) : std::string_view();
    if (name.find("upc_all_") == name.npos || options_.static_threads == 1)
        return;
    for (size_t i = 0; i < call.args.size(); ++i) {
        const Expr* object = without_parens(call.args[i]);
        bool is_address = object->kind == Kind::Unary && object->op == Op::AddressOf;
        object = is_address ? without_parens(object->a) : object;
        bool is_named = object->kind == Kind::Ident && object->symbol != nullptr &&
                        object->symbol->kind == Symbol::Kind::Variable && is_shared(object->type);
        bool is_on_one = is_named && (is_array(object->type) ? block_size(object->type) == 0 : is_address);
        if (is_on_one && has_parts(name, i))
            diags_.report(Id::PartsOnOneThread, range(*call.args[i]), {object->symbol->name, name});
    }
}

// Builtins of the C compiler for memory; it would name emitted C if they were given a pointer-to-shared.
void Checker::check_builtin(const Expr& call)
{
    static constexpr std::string_view kOfMemory[] = {"__builtin_mem", "__builtin_str", "__builtin_prefetch"};
    std::string_view name = text(call.a->first);
    bool is_atomic = name.starts_with("__atomic_") || name.starts_with("__sync_");
    if (!is_atomic &&
        std::ranges::none_of(kOfMemory, [&](std::string_view prefix) { return name.starts_with(prefix); }))
        return;
    const char* advice = is_atomic ? "use upc_atomic.h" : "use upc_memget, upc_memput, upc_memcpy or upc_memset";
    for (const Expr* argument : call.args)
        if (is_pts(value_type(*argument)))
            diags_.report(Id::SharedBuiltin, range(*argument),
                          {name, quote(value_type(*argument)),
                           std::string(advice) + ", or cast it where it has affinity to the calling thread"});
}

// The C library's functions cannot accept pointers-to-shared; a function of the program may take them by va_arg.
void Checker::check_variadic(const Expr& callee, const Expr& argument)
{
    const Expr* function = without_parens(&callee);
    if (!is_pts(value_type(argument)) || function->kind != Kind::Ident || function->symbol == nullptr ||
        !tokens_[function->symbol->token].in_system_header)
        return;
    std::string_view name = text(function->first);
    const Expr* object = without_parens(&argument);
    std::string place = "upc_threadof(p) and upc_addrfield(p), printed with %zu, say where it points to";
    std::string advice;
    if (name.find("scanf") != name.npos)
        advice = "read into a private variable, and assign that";
    else if (kind(object->type) == TypeKind::Array)
        advice = "give it an element, with an index behind the array";
    else if (object->kind == Kind::Unary && object->op == Op::AddressOf)
        advice = "give it the value, without '&'; " + place;
    else
        advice = "give it the value, with '*' before the pointer; " + place;
    diags_.report(Id::SharedVariadic, range(argument), {name, quote(argument), advice});
}

}  // namespace bn::sema
