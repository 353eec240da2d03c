#include "driver/names.h"

#include <algorithm>

#include "driver/file.h"

namespace bn::driver {

namespace {

std::string name_of(const std::string& path)
{
    return path.substr(path.rfind('/') + 1);
}

std::string without_suffix(const std::string& path)
{
    return path.substr(0, path.size() - suffix_of(path).size());
}

// What -o names if it is a file, after which others can be named; else empty
std::string file_made(const Command& command)
{
    const std::string& path = command.output;
    return path != "-" && (!file_exists(path) || is_regular_file(path)) ? path : "";
}

std::ptrdiff_t sources(const Command& command)
{
    return std::ranges::count_if(command.inputs, [](const Input& each) { return each.language != Language::Object; });
}

}  // namespace

std::string output_of(const Command& command, const Input& input, const char* suffix)
{
    return command.output.empty() ? stem_of(input.path) + suffix : command.output;
}

std::string stem_beside_program(const Command& command, const Input& input)
{
    std::string program = file_made(command).empty() ? "a" : file_made(command);
    auto has_same_stem = [&](const Input& other) { return stem_of(other.path) == stem_of(input.path); };
    auto before = std::count_if(command.inputs.data(), &input, has_same_stem);
    std::string number = before > 0 ? "-" + std::to_string(before + 1) : "";
    return directory_of(program) + "/" + name_of(program) + "-" + stem_of(input.path) + number;
}

std::string kept_file(const Command& command, const Input& input, const char* suffix)
{
    std::string made = file_made(command);
    std::string stem = made.empty() ? stem_of(input.path) : without_suffix(made);
    if (command.mode == Mode::Link) {
        std::string program = made.empty() ? "a" : made;
        bool is_named_alike = sources(command) == 1 && name_of(program) == stem_of(input.path);
        stem = is_named_alike ? program : stem_beside_program(command, input);
    }
    if (command.save_temps == SaveTemps::CurrentDirectory)
        stem = name_of(stem);
    // Distinguishes it from an option and from a response file when it is used as an argument
    bool needs_folder = stem[0] == '-' || stem[0] == '@';
    return (needs_folder ? "./" : "") + stem + suffix;
}

std::string dependency_file(const Command& command, const Input& input)
{
    if (!command.dependencies.file.empty())
        return command.dependencies.file;
    if (command.output.empty())
        return stem_of(input.path) + ".d";
    return (sources(command) > 1 ? stem_beside_program(command, input) : without_suffix(command.output)) + ".d";
}

std::string rule_target(const Command& command, const Input& input)
{
    bool is_made = !command.output.empty() && command.mode != Mode::Preprocess;
    return is_made ? command.output : stem_of(input.path) + ".o";
}

}  // namespace bn::driver
