// library.h: where the functions of UPC's libraries are declared.
#pragma once

#include <span>
#include <string_view>

namespace bn::sema {

struct LibraryFunction {
    std::string_view name;  // "f*": all that begin so
    std::string_view header;
};
std::span<const LibraryFunction> library_functions();

// The header that declares this function of UPC 1.3; empty for all other names
std::string_view library_header(std::string_view function);

}  // namespace bn::sema
