#include "lsp/json.h"

#include <cmath>

namespace bn::lsp {

const Json* find(const Json& value, std::initializer_list<const char*> path)
{
    const Json* here = &value;
    for (const char* name : path) {
        if (!here->is_object())
            return nullptr;
        auto member = here->find(name);
        if (member == here->end())
            return nullptr;
        here = &*member;
    }
    return here;
}

std::string text_at(const Json& value, std::initializer_list<const char*> path)
{
    const Json* found = find(value, path);
    return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<int64_t> number_at(const Json& value, std::initializer_list<const char*> path)
{
    constexpr double kLargest = 9e15;
    const Json* found = find(value, path);
    if (found == nullptr || !found->is_number())
        return std::nullopt;
    double number = found->get<double>();
    if (!(std::fabs(number) <= kLargest))
        return std::nullopt;
    return static_cast<int64_t>(number);
}

std::optional<bool> truth_at(const Json& value, std::initializer_list<const char*> path)
{
    const Json* found = find(value, path);
    return found != nullptr && found->is_boolean() ? std::optional(found->get<bool>()) : std::nullopt;
}

}  // namespace bn::lsp
