// drawing.h: helpers shared by programs that write SVG.
#pragma once

#include "json_text.h"

#include <string>

namespace bn {

// `text` escaped for use between XML tags.  What XML cannot have there, such as control characters, becomes U+FFFD.
inline std::string escaped(const std::string& text)
{
    std::string result;
    for (char c : as_utf8(text)) {
        if (c == '<')
            result += "&lt;";
        else if (c == '&')
            result += "&amp;";
        else if (static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n')
            result += "\xEF\xBF\xBD";
        else
            result += c;
        if (result.ends_with("\xEF\xBF\xBE") || result.ends_with("\xEF\xBF\xBF"))  // U+FFFE, U+FFFF
            result.back() = '\xBD';
    }
    return result;
}

}  // namespace bn
