#include "driver/help.h"

#include <algorithm>

#include "driver/options.h"
#include "driver/process.h"

namespace bn::driver {

namespace {

constexpr size_t kTextColumn = 28;
constexpr size_t kReasonColumn = 6;
constexpr size_t kWidth = 100;

std::string spelt(const Option& option)
{
    std::string text(option.spelling);
    if (option.value_name.empty())
        return text;
    switch (option.form) {
    case Form::Value: return text + "=" + std::string(option.value_name);
    case Form::OptionalValue: return text + "[=" + std::string(option.value_name) + "]";
    case Form::Separate:
    case Form::JoinedOrSeparate: return text + " " + std::string(option.value_name);
    default: return text + std::string(option.value_name);
    }
}

// Appends words in lines that start at column `indent`; `column` is the current column of the text.
void append_wrapped(std::string& text, size_t column, size_t indent, std::string_view words)
{
    bool is_first = true;
    while (!words.empty()) {
        size_t space = std::min(words.find(' '), words.size());
        if (!is_first && column + 1 + space > kWidth) {
            text += "\n" + std::string(indent, ' ');
            column = indent;
        } else if (!is_first) {
            text += ' ';
            ++column;
        }
        text.append(words.substr(0, space));
        column += space;
        words.remove_prefix(std::min(space + 1, words.size()));
        is_first = false;
    }
    text += '\n';
}

// One option, with its text in a separate column
std::string entry(const Option& option)
{
    std::string line = "  " + spelt(option);
    if (line.size() + 2 > kTextColumn)
        line += "\n" + std::string(kTextColumn, ' ');
    else
        line.resize(kTextColumn, ' ');
    append_wrapped(line, kTextColumn, kTextColumn, option.text);
    return line;
}

void add_group(std::string& text, std::string_view title, Group group)
{
    text.append("\n").append(title).append("\n");
    for (const Option& option : option_table()) {
        if (option.group == group)
            text += entry(option);
    }
}

// Options of other compilers that are treated alike, grouped by their reason
void add_foreign(std::string& text, std::string_view title, Action action)
{
    text.append("\n").append(title).append("\n");
    std::span<const Option> table = option_table();
    auto belongs = [action](const Option& option) {
        return option.group == Group::Compatibility && option.action == action;
    };
    for (const Option* first = table.data(); first != table.data() + table.size(); ++first) {
        auto has_same_reason = [first](const Option& option) { return option.text == first->text; };
        auto is_told = [&](const Option& option) { return belongs(option) && has_same_reason(option); };
        if (!belongs(*first) || std::any_of(table.data(), first, is_told))
            continue;
        std::string names;
        for (const Option& option : table) {
            if (is_told(option))
                names += (names.empty() ? "" : "  ") + spelt(option);
        }
        text += "  ";
        append_wrapped(text, 2, 2, names);
        text += std::string(kReasonColumn, ' ');
        append_wrapped(text, kReasonColumn, kReasonColumn, first->text);
    }
}

}  // namespace

std::string help_text()
{
    std::string text =
        "Usage: upcc [options] files...\n"
        "Compiles and links Unified Parallel C.  .upc and .c files are UPC, .upci and .i are preprocessed UPC;\n"
        "other sources, objects and libraries are passed to the C compiler.\n"
        "\n"
        "Examples\n"
        "  upcc -O2 hello.upc -o hello         compile and link; run with 'upcrun -n 4 hello'\n"
        "  upcc -T 8 -O3 heat.upc -o heat      a program for exactly 8 threads\n"
        "  upcc -c part.upc; upcc main.upc part.o -lm\n"
        "  CC=clang upcc -g hello.upc          another C compiler as back end\n"
        "  upcc -trans hello.upc               show the generated C\n";
    add_group(text, "What to produce", Group::Output);
    add_group(text, "UPC", Group::Upc);
    add_group(text, "Preprocessor", Group::Preprocessor);
    add_group(text, "Compiler", Group::Compiler);
    add_group(text, "Linker", Group::Linker);
    add_group(text, "Information", Group::Information);
    add_foreign(text, "Options of other UPC compilers that request what upcc does anyway", Action::Note);
    add_foreign(text, "Options of other UPC compilers that have no effect and give a warning", Action::Warn);
    add_foreign(text, "Options of other UPC compilers that are refused", Action::Refuse);
    text += "\nOther options of gcc and clang are passed to the C compiler.  @FILE reads options from FILE.\n"
            "Environment: CC is the C compiler, if necessary with options; TMPDIR is the folder for temporary files.\n";
    return text;
}

std::string version_text(const Installation& installation, bool in_full)
{
    std::string compiler_version;
    std::vector<std::string> arguments = installation.compiler;
    arguments.push_back("--version");
    run({.arguments = arguments, .output = &compiler_version, .remedy = installation.compiler_remedy});
    if (!in_full)
        compiler_version.resize(std::min(compiler_version.find('\n') + 1, compiler_version.size()));
    return "upcc (Banyan) " + version() + "\n" + "Unified Parallel C 1.3, network smp\n" +
           "C compiler: " + compiler_version;
}

}  // namespace bn::driver
