#include "driver/names.h"

#include <algorithm>

#include "driver/file.h"

namespace bn::driver {

std::string output_of(const Command& command, const Input& input, const char* suffix)
{
    return command.output.empty() ? stem_of(input.path) + suffix : command.output;
}

std::string stem_beside_program(const Command& command, const Input& input)
{
    std::string program = command.output.empty() ? "a.out" : command.output;
    auto has_same_stem = [&](const Input& other) { return stem_of(other.path) == stem_of(input.path); };
    auto before = std::count_if(command.inputs.data(), &input, has_same_stem);
    std::string number = before > 0 ? "-" + std::to_string(before + 1) : "";
    return directory_of(program) + "/" + stem_of(program) + "-" + stem_of(input.path) + number;
}

std::string kept_file(const Command& command, const Input& input, const char* suffix)
{
    std::string name = stem_of(input.path) + suffix;
    bool is_beside_output = command.save_temps == SaveTemps::BesideOutput && !command.output.empty();
    // Distinguishes it from an option and from a response file when it is used as an argument
    bool needs_folder = name[0] == '-' || name[0] == '@';
    return is_beside_output ? directory_of(command.output) + "/" + name : needs_folder ? "./" + name : name;
}

std::string dependency_file(const Command& command, const Input& input)
{
    if (!command.dependencies.file.empty())
        return command.dependencies.file;
    if (command.output.empty())
        return stem_of(input.path) + ".d";
    std::string suffix = suffix_of(command.output);
    std::string base = command.output.substr(0, command.output.size() - suffix.size());
    auto is_source = [](const Input& other) { return other.language != Language::Object; };
    bool is_one_of_many = std::ranges::count_if(command.inputs, is_source) > 1;
    return base + (is_one_of_many ? "-" + stem_of(input.path) : "") + ".d";
}

std::string rule_target(const Command& command, const Input& input)
{
    bool names_output = command.mode == Mode::Compile || command.mode == Mode::Assembly;
    return names_output ? output_of(command, input, ".o") : stem_of(input.path) + ".o";
}

}  // namespace bn::driver
