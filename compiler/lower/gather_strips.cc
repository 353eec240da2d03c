// gather_strips.cc: loops that read far elements by index fetch the elements of many iterations at once (gather.h says
// which loops).
//
// UPC form: for (init; k < limit; k++) { ... x[col[k]] ... }
// C form:   { bn_i64 first = 0; bn_u64 count = 0; T buffer[BN_STRIP];
//             for (init; k < limit; k++) {
//                 if (!bn_near.is_all && (bn_u64)((bn_i64)k - first) >= count) {
//                     first = (bn_i64)k;
//                     for (count = 0; count < BN_STRIP && (k < limit); ++count, k++)
//                         bn_gather_add(&buffer[count], &place of x[col[k]], sizeof buffer[0]);
//                     bn_gather_end();
//                     k = (type of k)first;
//                 }
//                 { ... ({ T v; T *p = (T *)&place;
//                          if (bn_is_near(p)) v = *p; else v = buffer[(bn_i64)k - first]; v; }) ... } } }
#include "lower/gather.h"
#include "lower/lowerer.h"

namespace bn::lower {

using ast::SimpleStmt;
using namespace sema;

std::optional<Lowerer::Strip> Lowerer::strip_of(SimpleStmt& stmt)
{
    if (!options_.passes.gather || !options_.far_threads || outermost_function_ == nullptr || is_under_pragma(stmt) ||
        has_fixed_body(stmt))
        return std::nullopt;
    GatherSearch search = gather_loop(stmt, function_effects(), tokens_, options_.static_threads);
    if (loop_around_ != nullptr) {
        loop_around_->gather_obstacle = search.obstacle;
        loop_around_->gather_obstacles = search.obstacles;
    }
    const std::optional<GatherLoop>& loop = search.loop;
    if (!loop)
        return std::nullopt;
    Strip strip{fresh("first"), fresh("count"), {}, std::string(loop->variable->emitted)};
    for (Expr* read : loop->reads)
        if (may_be_far(*read))
            strip.buffers.push_back({read, fresh("buffer")});
    if (strip.buffers.empty())
        return std::nullopt;
    remark(diag::Id::LoopGathers, &stmt);
    return strip;
}

Rope Lowerer::strip_declarations(const Strip& strip)
{
    Rope out = rope("bn_i64 ") << strip.first << " = 0; bn_u64 " << strip.count << " = 0; ";
    for (const auto& [read, buffer] : strip.buffers)
        out << value_declaration(read->type, buffer + "[BN_STRIP]") << "; ";
    return out;
}

// Code for the start of an iteration: at the end of a strip, fetches the elements of the next one.  The body has been
// lowered.
Rope Lowerer::strip_fetch(const Strip& strip, SimpleStmt& stmt)
{
    Rope out = rope("if (!bn_near.is_all && (bn_u64)((bn_i64)")
               << strip.variable << " - " << strip.first << ") >= " << strip.count << ") { " << strip.first
               << " = (bn_i64)" << strip.variable << "; for (" << strip.count << " = 0; " << strip.count
               << " < BN_STRIP && (" << stmt.condition << "); ++" << strip.count << ", ++" << strip.variable << ") { ";
    for (const auto& [read, buffer] : strip.buffers)
        out << "bn_gather_add(&" << buffer << "[" << strip.count << "], &" << place(read) << ", sizeof " << buffer
            << "[0]); ";
    return out << "} bn_gather_end(); " << strip.variable << " = (__typeof__(" << strip.variable << "))" << strip.first
               << "; } ";
}

std::string Lowerer::gathered(const Expr& lvalue) const
{
    const Expr* plain = without_parens(&lvalue);
    for (const Strip* strip : strips_)
        for (const auto& [read, buffer] : strip->buffers)
            if (read == plain)
                return buffer + "[(bn_i64)" + strip->variable + " - " + strip->first + "]";
    return "";
}

}  // namespace bn::lower
