// index_origin.h: where the indices of a loop come from, which determines how their elements' addresses are best
// computed.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lower/effects.h"

namespace bn::lower {

// In the order in which one outdoes another within an expression
enum class IndexOrigin : uint8_t {
    Counted,   // does not change in the loop, or is a sum of what is counted there and of multiples of it
    Computed,  // otherwise from variables that the loop sets, in registers: random & mask, h % 97, hash(key)
    Memory,    // read from memory: col[k]
    Carried,   // read from memory by an index that was so itself, next[i] with i = next[i]: each address waits for an
               // element
};

class IndexOrigins {
public:
    IndexOrigins(const ast::Node* loop, const lex::TokenList& tokens);

    IndexOrigin of(const ast::Expr* index) const;

    // Whether the loop may change the variable, as far as it can be seen there.
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
        bool is_computed;  // by what does not count: h ^= value, h = h * 31 + value
    };

    const Effects effects_;
    std::vector<Value> values_;                                     // that variables are given in the loop
    std::unordered_map<const sema::Symbol*, Variables> sources_;    // the variables that these values name
    std::unordered_map<const sema::Symbol*, IndexOrigin> origins_;  // Counted if not in it
};

}  // namespace bn::lower
