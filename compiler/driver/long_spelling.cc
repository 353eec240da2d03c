#include "driver/long_spelling.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace bn::driver {

namespace {

enum class Value : uint8_t {
    None,
    Needed,    // --output=FILE or --output FILE, also if the short option only takes joined values
    Optional,  // --optimize=2
};

struct Spelling {
    std::string_view long_one;
    std::string_view short_one;
    Value value;
};

// clang-format off
constexpr Spelling kSpellings[] = {
    {"--all-warnings", "-Wall", Value::None},
    {"--assemble", "-S", Value::None},
    {"--comments", "-C", Value::None},
    {"--comments-in-macros", "-CC", Value::None},
    {"--compile", "-c", Value::None},
    {"--debug", "-g", Value::Optional},
    {"--define-macro", "-D", Value::Needed},
    {"--dependencies", "-M", Value::None},
    {"--entry", "-e", Value::Needed},
    {"--extra-warnings", "-Wextra", Value::None},
    {"--for-assembler", "-Xassembler", Value::Needed},
    {"--for-linker", "-Xlinker", Value::Needed},
    {"--force-link", "-u", Value::Needed},
    {"--imacros", "-imacros", Value::Needed},
    {"--include", "-include", Value::Needed},
    {"--include-directory", "-I", Value::Needed},
    {"--include-directory-after", "-idirafter", Value::Needed},
    {"--language", "-x", Value::Needed},
    {"--library-directory", "-L", Value::Needed},
    {"--no-line-commands", "-P", Value::None},
    {"--no-standard-includes", "-nostdinc", Value::None},
    {"--no-standard-libraries", "-nostdlib", Value::None},
    {"--no-warnings", "-w", Value::None},
    {"--optimize", "-O", Value::Optional},
    {"--output", "-o", Value::Needed},
    {"--prefix", "-B", Value::Needed},
    {"--preprocess", "-E", Value::None},
    {"--print-missing-file-dependencies", "-MG", Value::None},
    {"--profile", "-p", Value::None},
    {"--std", "-std=", Value::Needed},
    {"--trace-includes", "-H", Value::None},
    {"--undefine-macro", "-U", Value::Needed},
    {"--user-dependencies", "-MM", Value::None},
    {"--verbose", "-v", Value::None},
    {"--write-dependencies", "-MD", Value::None},
    {"--write-user-dependencies", "-MMD", Value::None},
};
// clang-format on

}  // namespace

void spell_short(std::vector<std::string>& arguments, size_t at)
{
    const std::string argument = arguments[at];
    size_t equals = std::min(argument.find('='), argument.size());
    bool has_value = equals < argument.size();
    const Spelling* found =
        std::ranges::find(kSpellings, std::string_view(argument).substr(0, equals), &Spelling::long_one);
    if (found == std::end(kSpellings) || (has_value && found->value == Value::None))
        return;
    arguments[at] = found->short_one;
    auto next = arguments.begin() + static_cast<std::ptrdiff_t>(at) + 1;
    bool is_joined = found->value == Value::Optional || found->short_one.ends_with('=');
    if (has_value && is_joined) {
        arguments[at] += argument.substr(equals + 1);
    } else if (has_value) {
        arguments.insert(next, argument.substr(equals + 1));
    } else if (found->value == Value::Needed && is_joined && next != arguments.end()) {
        arguments[at] += *next;
        arguments.erase(next);
    }
}

}  // namespace bn::driver
