// drawing.h: helpers shared by programs that write SVG.
#pragma once

#include <cstdarg>
#include <cstdio>
#include <string>

namespace bn {

// Like sprintf, for results of up to 600 characters
__attribute__((format(printf, 1, 2))) inline std::string print(const char* format, ...)
{
    char text[600];
    va_list args;
    va_start(args, format);
    std::vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return text;
}

// `text` escaped for use between XML tags
inline std::string escaped(const std::string& text)
{
    std::string result;
    for (char c : text) {
        if (c == '<')
            result += "&lt;";
        else if (c == '&')
            result += "&amp;";
        else
            result += c;
    }
    return result;
}

}  // namespace bn
