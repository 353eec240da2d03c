#include "sim/text.h"

#include <cstdio>

namespace bn::sim {

namespace {

struct Unit {
    double size;
    const char* name;
};

std::string in_units(double value, const Unit* units, size_t count)
{
    size_t unit = 0;
    while (unit + 1 < count && value >= units[unit + 1].size)
        unit++;
    double scaled = value / units[unit].size;
    char text[48];
    bool is_whole = scaled >= 100 || scaled == static_cast<double>(static_cast<int64_t>(scaled));
    snprintf(text, sizeof text, "%.*f %s", is_whole ? 0 : scaled >= 10 ? 1 : 2, scaled, units[unit].name);
    return text;
}

}  // namespace

std::string with_commas(uint64_t number)
{
    std::string text = std::to_string(number);
    for (size_t place = text.size(); place > 3; place -= 3)
        text.insert(place - 3, ",");
    return text;
}

std::string count_text(uint64_t count, const char* one)
{
    return with_commas(count) + " " + one + (count == 1 ? "" : "s");
}

std::string bytes_text(double bytes)
{
    static constexpr Unit kUnits[] = {
        {1, "bytes"}, {1024, "KiB"}, {1048576, "MiB"}, {1073741824, "GiB"}, {1099511627776, "TiB"}};
    return bytes == 1 ? "1 byte" : in_units(bytes, kUnits, 5);
}

std::string time_text(double ns)
{
    static constexpr Unit kUnits[] = {{1, "ns"}, {1e3, "us"}, {1e6, "ms"}, {1e9, "s"}};
    return in_units(ns, kUnits, 4);
}

std::string left(const std::string& text, size_t width)
{
    return text.size() < width ? text + std::string(width - text.size(), ' ') : text;
}

std::string right(const std::string& text, size_t width)
{
    return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

bool complain(const std::string& message)
{
    fprintf(stderr, "banyan-sim: %s\n", message.c_str());
    return false;
}

}  // namespace bn::sim
