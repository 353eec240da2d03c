// date.h: the date as files give it.
#pragma once

#include <ctime>
#include <string>

namespace bn {

// Today in UTC, as "2026-11-30"
inline std::string date_today()
{
    char text[32];
    time_t now = time(nullptr);
    strftime(text, sizeof text, "%Y-%m-%d", gmtime(&now));
    return text;
}

}  // namespace bn
