// index.h: the meaning of each name in a unit, and the places in the unit where each entity is named.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ast/ast.h"
#include "lex/token.h"
#include "sema/types.h"

namespace bn::lsp {

using lex::TokenIndex;

// clang-format off
enum class EntityKind : uint8_t {
    Variable, Parameter, Function, Typedef, Struct, Union, Enum, Enumerator, Member, Label,
};
// clang-format on

struct Entity {
    EntityKind kind = EntityKind::Variable;
    std::string_view name;
    sema::QualType type;      // null for tags and labels
    TokenIndex declared = 0;  // its name, in the first declaration
    TokenIndex defined = 0;   // its name, in the definition; 0 if the unit has none
    TokenIndex first = 0;     // the tokens that declare it; those of the definition if there is one
    TokenIndex last = 0;
    TokenIndex body_last = 0;              // defined functions: the end of the body
    const sema::Record* record = nullptr;  // tags only
    uint32_t parent = 0;                   // members and enumerators; 0 for none
    // Its scope; entities of file scope are visible to the end of the unit.
    TokenIndex from = 0;
    TokenIndex to = UINT32_MAX;
    bool at_file_scope = false;
};

struct Occurrence {
    TokenIndex token;
    uint32_t entity;
    enum class Role : uint8_t { Read, Write, Declaration, Definition } role;
};

struct Index {
    std::vector<Entity> entities{{}};     // [0] means none
    std::vector<Occurrence> occurrences;  // sorted by token

    // The meaning of the name at a token; null if unknown.
    const Occurrence* at(TokenIndex token) const;
};

// Cost: one walk over the tree.
Index make_index(const ast::Unit& unit, const lex::TokenList& tokens);

// The nodes around a token, from the file-scope declaration to the smallest node
std::vector<const ast::Node*> nodes_around(const ast::Unit& unit, TokenIndex token);

}  // namespace bn::lsp
