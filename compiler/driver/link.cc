// link.cc: links what a command names.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <string_view>

#include "driver/build.h"
#include "driver/message.h"
#include "driver/mpi.h"
#include "driver/process.h"
#include "driver/runtime_library.h"
#include "lower/note.h"

namespace bn::driver {

namespace {

using Arguments = std::vector<std::string>;

// If a unit was not compiled for the library with which it is linked, the linker names symbols; this names the option.
void explain_link(std::string_view messages, Network network)
{
    auto says = [&](std::string_view text) { return messages.find(text) != messages.npos; };
    bool is_other_kind = says("TLS") || says("__thread") ||               // the latter is the wording of gold,
                         says("cannot refer to absolute symbol: bn_") ||  // this that of lld,
                         says("symbol type mismatch: bn_");               // and this that of mold
    if (says("bn_self") && is_other_kind)
        note("some units were compiled with -pthreads, but others, or the link, without; use it for all units and "
             "for the link");
    if (says("bn_near") && network != Network::Shmem)
        note("some units were compiled with -network=shmem, but the link was not; use it for all units and for the "
             "link");
}

}  // namespace

// Settings for the start-up code: definitions that override the weak ones of the library
std::string Build::run_time_settings(const Arguments& objects) const
{
    char text[120];
    std::string c;
    if (command_.shared_heap_bytes) {
        std::snprintf(text, sizeof text, "__UINT64_TYPE__ bn_option_shared_heap = %" PRIu64 "u;\n",
                      *command_.shared_heap_bytes);
        c += text;
    }
    if (command_.uses_pthreads)
        c += lower::note_definition(lower::NoteType::Pthreads, command_.threads_each);
    if (command_.threads_each > 0)
        c += "int bn_option_pthreads = " + std::to_string(command_.threads_each) + ";\n";
    if (command_.uses_mpi)
        c += "int bn_option_uses_mpi = 1;\n" + (starts_mpi(objects) ? "" : start_of_mpi());
    return command_.is_standalone ? "" : c;
}

// Whether any linked file names a function that starts MPI; libraries given by -l are not searched.
bool Build::starts_mpi(const Arguments& objects) const
{
    return std::ranges::any_of(command_.link_items, [&](const LinkItem& item) {
        return names_start_of_mpi(item.input != LinkItem::kNoInput ? objects[item.input] : item.argument);
    });
}

int Build::make_settings_object(const std::string& c, std::string& object_p)
{
    std::string c_file;
    if (save_temporary(".c", c, c_file) != 0 || temporary(".o", object_p) != 0)
        return 1;
    Arguments arguments = installation_.compiler;
    append(arguments, {"-c", c_file, "-o", object_p});
    return run_job(std::move(arguments));
}

int Build::link(const Arguments& objects)
{
    std::string settings_object;
    std::string settings = run_time_settings(objects);
    if (!settings.empty() && make_settings_object(settings, settings_object) != 0)
        return 1;
    Arguments arguments = command_.linker.empty() ? installation_.compiler : command_.linker;
    for (const LinkItem& item : command_.link_items)
        arguments.push_back(item.input != LinkItem::kNoInput ? objects[item.input] : item.argument);
    if (!settings_object.empty())
        arguments.push_back(settings_object);
    if (!command_.output.empty())
        append(arguments, output_arguments(command_.output));
    if (command_.is_shared && command_.has_libraries)
        add_runtime_of_library(command_, installation_, arguments);
    else if (!command_.is_standalone && !add_runtime_of_program(command_, installation_, arguments))
        return 1;
    bool is_relocatable = command_.is_standalone && !command_.is_shared;  // -r
    if (command_.has_libraries && !is_relocatable)
        append(arguments, {"-lm", "-pthread"});
    if (command_.diagnostics.colour)
        arguments.push_back("-fdiagnostics-color=always");  // needed because we read the messages through a pipe
    std::string messages;
    int status = run_job(std::move(arguments), nullptr, &messages);
    write_stderr(messages);
    explain_link(messages, command_.network);  // where ld refuses, mold only warns
    return status;
}

}  // namespace bn::driver
