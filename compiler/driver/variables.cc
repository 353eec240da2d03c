#include "driver/variables.h"

#include "driver/process.h"
#include "lower/lower.h"
#include "sema/limits.h"

namespace bn::driver {

namespace {

using Value = std::string (*)(const Installation&);

struct Variable {
    std::string_view name;
    Value value;
};

std::string compile_flags(const Installation& installation)
{
    return shell_quoted({"-I" + installation.include_dir, "-I" + installation.include_dir + "/upc"});
}

// The same flags as in banyan.pc
std::string link_flags(const Installation& installation)
{
    return shell_quoted({"-L" + installation.library_dir, "-lbanyan", "-Wl,--wrap=main,-u,main",
                         "-Wl,--wrap=setvbuf,--wrap=setbuf,--wrap=setbuffer", "-pthread"});
}

constexpr Variable kVariables[] = {
    {"VERSION", [](const Installation&) { return version(); }},
    {"CC", [](const Installation& installation) { return shell_quoted(installation.compiler); }},
    {"MPICC", [](const Installation&) { return shell_quoted(mpi_compiler()); }},
    {"CFLAGS", compile_flags},
    {"LIBS", link_flags},
    {"INCLUDE_DIR", [](const Installation& installation) { return installation.include_dir + "/upc"; }},
    {"LIB_DIR", [](const Installation& installation) { return installation.library_dir; }},
    {"NETWORKS", [](const Installation&) { return std::string("smp shmem"); }},
    {"MAX_THREADS", [](const Installation&) { return std::to_string(lower::kMaxThreads); }},
    {"MAX_BLOCK_SIZE", [](const Installation&) { return std::to_string(sema::kMaxBlockSize); }},
};

}  // namespace

std::optional<std::string> variable_value(const Installation& installation, std::string_view name)
{
    for (const Variable& variable : kVariables)
        if (variable.name == name)
            return variable.value(installation);
    return std::nullopt;
}

std::string variable_names()
{
    std::string names;
    for (const Variable& variable : kVariables)
        names.append(names.empty() ? "" : ", ").append(variable.name);
    return names;
}

}  // namespace bn::driver
