// library.h: which header declares each function of the UPC libraries.
#pragma once

#include <span>
#include <string_view>

namespace bn::sema {

struct LibraryFunction {
    std::string_view name;  // "f*" stands for all names that start with f
    std::string_view header;
};
std::span<const LibraryFunction> library_functions();

// The header that declares this UPC 1.3 function; empty for any other name
std::string_view library_header(std::string_view function);

}  // namespace bn::sema
