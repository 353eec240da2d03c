// printed.h: sprintf for strings.
#pragma once

#include <cstdarg>
#include <cstdio>
#include <string>

namespace bn {

// Like sprintf, whatever the length of the result
__attribute__((format(printf, 1, 2))) inline std::string printed(const char* format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    std::string text(static_cast<size_t>(std::vsnprintf(nullptr, 0, format, args)), '\0');
    std::vsnprintf(text.data(), text.size() + 1, format, again);
    va_end(again);
    va_end(args);
    return text;
}

}  // namespace bn
