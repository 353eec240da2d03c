#include "lsp/commands.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <sys/stat.h>

#include "driver/file.h"
#include "driver/message.h"
#include "lsp/json.h"

namespace bn::lsp {

namespace {

namespace fs = std::filesystem;

std::string absolute(const std::string& path, const std::string& directory)
{
    return (fs::path(directory) / path).lexically_normal().string();
}

// How well the command of a known file fits the wanted one
int likeness(const std::string& known, const std::string& wanted)
{
    if (known == wanted)
        return 3;
    if (driver::directory_of(known) != driver::directory_of(wanted))
        return 0;
    return driver::stem_of(known) == driver::stem_of(wanted) ? 2 : 1;
}

}  // namespace

std::vector<std::string> options_of(const std::vector<std::string>& arguments, const std::string& file,
                                    const std::string& directory)
{
    static constexpr std::string_view kAlone[] = {"-c", "-S", "-E", "-M", "-MM", "-MD", "-MMD", "-MP", "-MG"};
    static constexpr std::string_view kWithValue[] = {"-o", "-MF", "-MT", "-MQ", "-MJ"};
    std::vector<std::string> options;
    // Programs come first: a launcher, if any, and upcc or a C compiler.
    size_t i = 0;
    while (i < arguments.size() && !arguments[i].starts_with('-'))
        ++i;
    for (; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        auto is_it = [&](std::string_view option) { return argument == option; };
        if (std::ranges::any_of(kWithValue, is_it))
            ++i;
        else if (!std::ranges::any_of(kAlone, is_it) &&
                 (argument.starts_with('-') || absolute(argument, directory) != file))
            options.push_back(argument);
    }
    return options;
}

const Commands::Database& Commands::read(const std::string& path)
{
    Database& database = databases_[path];
    struct stat status;
    if (stat(path.c_str(), &status) != 0)
        return database;
    bool is_known =
        status.st_mtim.tv_sec == database.changed.tv_sec && status.st_mtim.tv_nsec == database.changed.tv_nsec;
    if (is_known)
        return database;
    database = Database{.changed = status.st_mtim, .entries = {}, .trouble = {}};
    std::string text;
    if (driver::read_file(path, text) != 0)
        return database;
    Json entries = Json::parse(text, nullptr, false);
    if (!entries.is_array()) {
        database.trouble = path + " is not a list of compile commands";
        return database;
    }
    for (const Json& value : entries) {
        Entry entry{.file = text_at(value, {"file"}), .directory = text_at(value, {"directory"}), .arguments = {}};
        if (const Json* arguments = find(value, {"arguments"}); arguments != nullptr && arguments->is_array()) {
            for (const Json& argument : *arguments)
                entry.arguments.push_back(argument.is_string() ? argument.get<std::string>() : std::string());
        } else {
            entry.arguments = driver::split_arguments(text_at(value, {"command"}));
        }
        entry.file = absolute(entry.file, entry.directory);
        database.entries.push_back(std::move(entry));
    }
    return database;
}

// The database named by the settings, or else the nearest one above the file, there or in a folder "build"
std::string Commands::database_for(const std::string& path, const Settings& settings) const
{
    constexpr const char* kName = "compile_commands.json";
    if (!settings.compile_commands.empty())
        return driver::is_directory(settings.compile_commands) ? settings.compile_commands + "/" + kName
                                                               : settings.compile_commands;
    fs::path folder = fs::path(path).parent_path();
    for (;; folder = folder.parent_path()) {
        for (const fs::path& candidate : {folder / kName, folder / "build" / kName})
            if (driver::is_regular_file(candidate.string()))
                return candidate.string();
        if (!folder.has_relative_path())
            return {};
    }
}

CompileCommand Commands::of(const std::string& path, const Settings& settings)
{
    CompileCommand result{
        .command = {}, .installation = installation_, .directory = driver::directory_of(path), .trouble = {}};
    std::vector<std::string> options = settings.arguments;
    std::string database = database_for(path, settings);
    if (!database.empty()) {
        const Database& known = read(database);
        result.trouble = known.trouble;
        const Entry* best = nullptr;
        for (const Entry& entry : known.entries)
            if (likeness(entry.file, path) > (best != nullptr ? likeness(best->file, path) : 0))
                best = &entry;
        if (best != nullptr) {
            options = options_of(best->arguments, best->file, best->directory);
            result.directory = best->directory;
        }
    }
    // upcc checks that its inputs exist, and this one may not; any file with that suffix serves.
    auto parse = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "-fsyntax-only");
        arguments.insert(arguments.end(), {"-x", "upc", "/dev/null"});
        result.command = {};
        return driver::parse_command(arguments, result.command) && result.command.query == driver::Query::None &&
               result.command.inputs.size() == 1;
    };
    std::string messages;
    driver::hold_messages(&messages);
    if (!parse(options)) {
        if (messages.empty())
            messages = driver::is_directory(result.directory)
                           ? "they are not those of a command that compiles one file"
                           : "they are for the folder " + result.directory + ", which is not there";
        result.trouble = "the options of " + path + " are left out: " + messages;
        parse({});
    }
    driver::hold_messages(nullptr);
    driver::Input& input = result.command.inputs.back();
    std::string suffix = driver::suffix_of(path);
    input.path = path;
    input.language = driver::Language::Upc;
    input.is_header = suffix == ".h" || suffix == ".uph";
    input.may_be_c = suffix == ".c";
    if (!result.command.compiler.empty())
        result.installation.compiler = result.command.compiler;
    if (result.command.uses_mpi)
        driver::use_mpi_compiler(result.installation);
    result.command.diagnostics.colour = false;
    return result;
}

}  // namespace bn::lsp
