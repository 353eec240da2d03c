// setjmp.h: the functions to which longjmp returns; setjmp and sigsetjmp may be macros that call others.
#pragma once

#include <string_view>

namespace bn::ast {

inline bool is_setjmp(std::string_view name)
{
    return name == "setjmp" || name == "_setjmp" || name == "sigsetjmp" || name == "__sigsetjmp";
}

}  // namespace bn::ast
