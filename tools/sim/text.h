// text.h: numbers formatted for people, and error messages.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace bn::sim {

// "1,048,576"
std::string with_commas(uint64_t number);

// "1 node", "1,024 nodes"
std::string count_text(uint64_t count, const char* one);

// "64 KiB", "1.5 MiB", "17 bytes"
std::string bytes_text(double bytes);

// "850 ns", "3.12 us", "1.25 ms", "2.1 s"
std::string time_text(double ns);

// `text` padded with spaces on the right, or on the left, to `width`
std::string left(const std::string& text, size_t width);
std::string right(const std::string& text, size_t width);

// The command line is wrong; what() says how.
struct WrongCommandLine : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Prints the message; always returns false, so that callers can return the result.
bool complain(const std::string& message);

}  // namespace bn::sim
