// index_origin.h: where the indices of a loop come from, which determines the best way to compute element addresses.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lower/effects.h"

namespace bn::lower {

// In increasing order of precedence: an expression has the highest origin of its parts
enum class IndexOrigin : uint8_t {
    Counted,   // invariant in the loop, or a sum of loop counters and multiples of them
    Computed,  // computed in registers from variables that the loop sets: random & mask, h % 97, hash(key)
    Memory,    // loaded from memory: col[k]
    // loaded from memory at an index that was itself loaded, next[i] with i = next[i]: each address depends on the
    // previous element
    Carried,
};

class IndexOrigins {
public:
    IndexOrigins(const ast::Node* loop, const lex::TokenList& tokens);

    IndexOrigin of(const ast::Expr* index) const;

    // Whether the loop may change the variable, as far as this function shows
    bool sets(const sema::Symbol& variable) const
    {
        return effects_.assigned.contains(&variable) || effects_.address_taken.contains(&variable);
    }

private:
    using Variables = std::unordered_set<const sema::Symbol*>;

    void collect(const ast::Node* node);
    void settle();
    bool follows_itself(const sema::Symbol* variable) const;
    bool varies(const ast::Node* node) const;
    IndexOrigin of_binary(const ast::Expr* e) const;
    IndexOrigin of_children(const ast::Expr* e) const;

    struct Value {
        const sema::Symbol* variable;
        const ast::Expr* value;
        bool is_computed;  // assigned by something other than counting: h ^= value, h = h * 31 + value
    };

    const Effects effects_;
    std::vector<Value> values_;                                     // assigned to variables in the loop
    std::unordered_map<const sema::Symbol*, Variables> sources_;    // variables that occur in these values
    std::unordered_map<const sema::Symbol*, IndexOrigin> origins_;  // Counted if absent
};

}  // namespace bn::lower
