// far_remarks.cc: remarks of -Rupc about possibly far accesses in loops: whether they share messages, and if not, why
// (docs/design/010-far-accesses.md).
#include <utility>

#include "lower/element.h"
#include "lower/index_origin.h"
#include "lower/remote_object.h"
#include "lower/restored.h"

namespace bn::lower {

using ast::Kind;
using ast::SimpleStmt;
using namespace sema;

namespace {

// Objects larger than this are transferred individually: BN_AHEAD_READ_BYTES, BN_BEHIND_WRITE_BYTES of the runtime
constexpr uint64_t kMostAheadBytes = 1024;
constexpr uint64_t kMostBehindBytes = 256;

bool is_larger(QualType type, uint64_t bytes)
{
    std::optional<Size> size = size_of(type);
    return size && size->bytes > bytes;
}

// Why an access must be executed immediately; null if it need not be
const char* prompt_reason(const RemoteObject& object)
{
    if (object.is_strict)
        return "it is strict; make it relaxed where a fence or barrier orders it";
    if (object.is_prompt)
        return "it is volatile; remove that unless it is for a signal handler or a device";
    return object.field.empty() ? nullptr : "it is a bit-field; make it a member of a whole type";
}

}  // namespace

void Lowerer::in_loop(SimpleStmt& stmt)
{
    const char* none = stmt.kind == Kind::Forall
                           ? "this is done in for loops, not in upc_forall itself; read in a for loop inside or "
                             "before it"
                           : "the loop does not have the form 'for (...; k < limit; k++)'";
    Restored turns(turns_);
    enter_loop(stmt);
    LoopAround here{&stmt, none};
    Restored inside(loop_around_, &here);
    if (stmt.kind == Kind::Forall)
        forall(stmt);
    else
        loop(stmt);
}

// Whether a remark about an access is wanted here
bool Lowerer::says_far(const Expr& lvalue) const
{
    return diags_.has_remarks() && options_.far_threads && loop_around_ != nullptr && !version_.is_second &&
           !version_.is_cold && !tokens_[lvalue.first].in_system_header;
}

// The source text, in quotes
std::string Lowerer::shown(const Expr& e) const
{
    constexpr size_t kLongest = 40;
    std::string result;
    for (lex::TokenIndex i = e.first; i <= e.last; ++i)
        result += text(i);
    return "'" + (result.size() <= kLongest ? result : result.substr(0, kLongest) + "...") + "'";
}

// Why accesses to an element are not consecutive in memory; null if they may be
const char* Lowerer::index_reason(const Expr& lvalue) const
{
    const Expr* e = without_parens(&lvalue);
    while (e->kind == Kind::Member && e->op == ast::Op::Dot)
        e = without_parens(e->a);
    std::optional<Element> element = element_of_array(const_cast<Expr*>(e));
    if (!element)
        return nullptr;
    IndexOrigins origins(loop_around_->stmt, tokens_);
    IndexOrigin most = IndexOrigin::Counted;
    for (const Expr* index : element->indices)
        most = std::max(most, origins.of(index));
    if (most == IndexOrigin::Counted)
        return nullptr;
    return most == IndexOrigin::Computed ? "its index is computed, not counted" : "its index is read from memory";
}

// Why an element is not fetched together with those of other iterations
std::string Lowerer::gather_reason(const Expr& lvalue) const
{
    if (!options_.passes.gather)
        return "; -fno-upc-opt-gather prevents fetching it with others";
    const char* reason = loop_around_->gather_obstacle;
    if (auto found = loop_around_->gather_obstacles.find(without_parens(&lvalue));
        reason == nullptr && found != loop_around_->gather_obstacles.end())
        reason = found->second;
    if (reason == nullptr)
        reason = is_arithmetic(lvalue.type) ? "not every iteration reads it; read it before the condition"
                                            : "it is not a number; name a member that is";
    return std::string(", and it is not fetched together with those of other iterations: ") + reason;
}

void Lowerer::remark_on_far_read(const Expr& lvalue, const RemoteObject& object)
{
    if (!says_far(lvalue) || !options_.passes.ahead)
        return;
    if (!object.fetched.empty()) {
        remark(diag::Id::AccessGathered, &lvalue, {shown(lvalue)});
        return;
    }
    std::string reason;
    if (const char* prompt = prompt_reason(object))
        reason = prompt;
    else if (is_larger(lvalue.type, kMostAheadBytes))
        reason = "it is larger than 1 KiB; copy it with upc_memget, or read only what is needed";
    else if (const char* index = index_reason(lvalue))
        reason = index + gather_reason(lvalue);
    if (reason.empty())
        remark(diag::Id::AccessAhead, &lvalue, {shown(lvalue)});
    else
        remark(diag::Id::ReadAlone, &lvalue, {shown(lvalue), reason});
}

void Lowerer::remark_on_far_write(const Expr& lvalue, const RemoteObject& object)
{
    if (!says_far(lvalue) || !options_.passes.behind)
        return;
    const char* reason = prompt_reason(object);
    if (reason == nullptr && is_larger(lvalue.type, kMostBehindBytes))
        reason = "it is larger than 256 bytes; write only what changes";
    const char* index = reason == nullptr ? index_reason(lvalue) : nullptr;
    if (index != nullptr)
        remark(diag::Id::WriteAlone, &lvalue,
               {shown(lvalue), std::string(index) + "; sort the values by thread, and send each thread its values with "
                                                    "upc_memput"});
    else if (reason != nullptr)
        remark(diag::Id::WriteAlone, &lvalue, {shown(lvalue), reason});
    else
        remark(diag::Id::AccessBehind, &lvalue, {shown(lvalue)});
}

}  // namespace bn::lower
