// library.h: where the functions of UPC's libraries are declared.
#pragma once

#include <string_view>

namespace bn::sema {

// The header that declares this function of UPC 1.3; empty for all other names
std::string_view library_header(std::string_view function);

}  // namespace bn::sema
