#include "lsp/settings.h"

#include <algorithm>
#include <filesystem>

namespace bn::lsp {

namespace {

namespace fs = std::filesystem;

constexpr int kLongestDebounce = 60'000;

class Given {
public:
    Given(const Json& given, std::vector<std::string>& troubles) : given_(given), troubles_(troubles) {}

    // Null if the setting is missing or not what is wanted
    template <typename Test>
    const Json* get(const char* name, Test is_right, const char* wanted)
    {
        const Json* value = find(given_, {name});
        if (value == nullptr || value->is_null())
            return nullptr;
        if (is_right(*value))
            return value;
        troubles_.push_back("upc." + std::string(name) + " is " + json_text(*value) + "; it has to be " + wanted);
        return nullptr;
    }

private:
    const Json& given_;
    std::vector<std::string>& troubles_;
};

bool is_text(const Json& value)
{
    return value.is_string();
}

bool is_list_of_texts(const Json& value)
{
    return value.is_array() && std::ranges::all_of(value, is_text);
}

std::string existing(const std::string& path, const std::string& root, std::vector<std::string>& troubles)
{
    if (path.empty())
        return path;
    std::string found = (fs::path(root) / path).lexically_normal().string();
    std::error_code ignored;
    if (!fs::exists(found, ignored))
        troubles.push_back("upc.compileCommands is " + path + ", but there is no " + found);
    return found;
}

}  // namespace

Settings settings_of(const Json* given, const std::string& root, std::vector<std::string>& troubles)
{
    Settings settings;
    if (given != nullptr && find(*given, {"upc"}) != nullptr)
        given = find(*given, {"upc"});
    if (given == nullptr)
        return settings;
    Given all(*given, troubles);
    if (const Json* value = all.get("arguments", is_list_of_texts, "a list of strings, as [\"-T\", \"4\"]"))
        settings.arguments = value->get<std::vector<std::string>>();
    if (const Json* value = all.get("compileCommands", is_text, "the path of a folder or of a file"))
        settings.compile_commands = existing(value->get<std::string>(), root, troubles);
    auto is_kind = [](const Json& value) {
        return value == "" || value == "inlay" || value == "hints" || value == "off";
    };
    if (const Json* value = all.get("remarks", is_kind, "inlay, hints or off"))
        settings.remarks = *value == "off"     ? Settings::Remarks::Off
                           : *value == "hints" ? Settings::Remarks::Hints
                                               : Settings::Remarks::Inlay;
    auto is_truth = [](const Json& value) { return value.is_boolean(); };
    if (const Json* value = all.get("runCompiler", is_truth, "true or false"))
        settings.runs_compiler = value->get<bool>();
    auto is_number = [](const Json& value) { return value.is_number(); };
    if (all.get("debounce", is_number, "a number of milliseconds") != nullptr)
        settings.debounce_ms = static_cast<int>(
            std::clamp<int64_t>(number_at(*given, {"debounce"}).value_or(settings.debounce_ms), 0, kLongestDebounce));
    return settings;
}

}  // namespace bn::lsp
