// remote_object.h: a shared object that may be on another node, as remote.cc reads and writes it.
#pragma once

#include "lower/lowerer.h"

namespace bn::lower {

// A shared object and the private variable that stands for it.  Each string is whole statements or an expression.
struct RemoteObject {
    std::string pointer;    // name of the pointer to the object, or to the struct around a bit-field
    std::string variable;   // name of the private variable
    std::string value;      // the variable, or its member
    std::string field;      // name of the bit-field; empty if it is not one
    bool is_bool = false;   // the bit-field is one bit
    bool is_whole = false;  // copied as memory: a struct, or the struct around a bit-field that cannot be assigned to
    bool is_strict = false;
    std::string fetched;     // address of the prefetched copy, for a far object; empty if it was not prefetched
    bool is_prompt = false;  // each access is executed immediately, in program order: strict, volatile
    Rope declarations;       // of the variable and the pointer

    explicit RemoteObject(ast::Arena& arena) : declarations(arena) {}

    // The text that gives the value in an expression
    std::string result() const { return field.empty() ? value : "+" + value; }
};

}  // namespace bn::lower
