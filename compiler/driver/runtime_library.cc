#include "driver/runtime_library.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "driver/file.h"
#include "driver/message.h"

namespace bn::driver {

namespace {

// Whether the linker is given one of the words, alone, in -Wl,a,b or after -Xlinker
bool has_linker_word(const Command& command, std::initializer_list<std::string_view> words)
{
    for (const LinkItem& item : command.link_items) {
        std::string_view rest = item.input == LinkItem::kNoInput ? item.argument : std::string_view();
        while (!rest.empty()) {
            std::string_view word = rest.substr(0, rest.find(','));
            if (std::ranges::find(words, word) != words.end())
                return true;
            rest.remove_prefix(std::min(word.size() + 1, rest.size()));
        }
    }
    return false;
}

// The command that makes a library which is not built by default: in a build folder or, if upcc is installed, in
// Banyan's sources
std::string how_to_make(const std::string& name, const std::string& dir)
{
    std::string build = dir.substr(0, dir.find_last_of('/'));
    if (file_exists(build + "/CMakeCache.txt"))
        return "'cmake --build " + build + " --target " + name + "' makes it";
    return "in the sources of Banyan " + version() + ", 'cmake -B build && cmake --build build --target " + name +
           " && cp build/lib/lib" + name + ".a " + dir + "' makes it";
}

}  // namespace

bool add_runtime_of_program(const Command& command, const Installation& installation,
                            std::vector<std::string>& arguments)
{
    ShmemLibrary library{installation.library_dir, {}};
    bool is_shmem = command.network == Network::Shmem;
    if (is_shmem) {
        if (!find_shmem_library(installation, command.uses_pthreads, command.verbose, command.dry_run, library))
            return false;
    } else if (!command.dry_run && !has_part(library.dir + "/libbanyan.a")) {
        return false;
    }
    std::string name = std::string("banyan") + (is_shmem ? "-shmem" : "") + (command.uses_pthreads ? "-pthreads" : "") +
                       (command.sees_races ? "-tsan" : "");
    if (command.sees_races && !command.dry_run && !file_exists(library.dir + "/lib" + name + ".a")) {
        error("-fsanitize=thread: cannot find " + quote(library.dir + "/lib" + name + ".a") + "; " +
              how_to_make(name, library.dir));
        return false;
    }
    // Such programs export their symbols to libraries.
    bool is_whole = has_linker_word(command, {"-rdynamic", "-E", "--export-dynamic", "-export-dynamic"});
    // These do not have the C library's start file, so they need nothing of the runtime.
    bool is_program = !has_linker_word(command, {"-nostartfiles", "-shared", "-Bshareable", "-r", "--relocatable"});
    auto add = [&](std::vector<std::string> more) { arguments.insert(arguments.end(), more.begin(), more.end()); };
    // main may be in an archive, where only `-u` finds it: the C library's start file refers to __wrap_main
    add({"-Wl,--wrap=main,-u,main", "-Wl,--defsym=bn_linked_by_upcc=1", "-L" + library.dir});
    // the members of the library that every program needs, linked in advance
    std::string start = library.dir + "/banyan/lib" + name + ".o";
    if (is_whole)
        add({"-Wl,--whole-archive"});
    else if (is_program && file_exists(start))
        add({start});
    add({"-l" + name});
    if (is_whole)
        add({"-Wl,--no-whole-archive"});
    if (command.uses_pthreads)
        add({"-Wl,--wrap=exit", "-Wl,--wrap=atexit"});
    else if (!is_shmem)
        add({"-Wl,--wrap=setvbuf,--wrap=setbuf,--wrap=setbuffer"});
    add(runtime_link_flags());
    add(library.link_flags);
    return true;
}

void add_runtime_of_library(const Command& command, const Installation& installation,
                            std::vector<std::string>& arguments)
{
    if (command.uses_pthreads || command.network == Network::Shmem)
        return;
    std::string folder = installation.library_dir + "/banyan";
    for (const std::string& argument : {std::string("-Wl,--push-state,--as-needed"), folder + "/libbanyan.so",
                                        std::string("-Wl,--pop-state"), "-Wl,-rpath," + folder})
        arguments.push_back(argument);
}

}  // namespace bn::driver
