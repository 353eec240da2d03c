#include "driver/installation.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>

#include <sys/auxv.h>
#include <unistd.h>

#include "driver/command.h"
#include "driver/file.h"
#include "driver/message.h"
#include "driver/process.h"

namespace bn::driver {

namespace {

// Set in the environment of the C compiler to our process number, so that a C compiler that turns out to be upcc can be
// told from a upcc run by the user.  A server that the C compiler starts, as sccache does, keeps it beyond our end.
constexpr const char* kMark = "BANYAN_UPCC_IS_RUNNING";

// The parent of a process; 0 if it has none, or is not to be seen
long parent_of(long process)
{
    std::string text;
    if (read_file("/proc/" + std::to_string(process) + "/stat", text) != 0)
        return 0;
    size_t name_end = text.rfind(") ");  // NUMBER (NAME) STATE PARENT ...
    return name_end != text.npos && name_end + 4 < text.size() ? std::atol(text.c_str() + name_end + 4) : 0;
}

bool is_ancestor(long process)
{
    for (long each = getppid(); each > 0; each = parent_of(each))
        if (each == process)
            return true;
    return false;
}

// Whether the upcc that set the mark waits for us
bool is_run_by_upcc()
{
    const char* mark = std::getenv(kMark);
    bool can_look = access("/proc/self/stat", R_OK) == 0;  // not in a bare chroot
    return mark != nullptr && (!can_look || is_ancestor(std::atol(mark)));
}

// The file that a shell would execute for this word; empty if there is none
std::string program_named(const std::string& word)
{
    if (word.find('/') != word.npos)
        return word;
    const char* variable = std::getenv("PATH");
    std::string_view path = variable != nullptr ? variable : "";
    for (size_t start = 0; start < path.size();) {
        size_t end = std::min(path.find(':', start), path.size());
        std::string candidate = std::string(path.substr(start, end - start)) + "/" + word;
        if (access(candidate.c_str(), X_OK) == 0)
            return candidate;
        start = end + 1;
    }
    return {};
}

bool is_upcc(const std::string& word)
{
    std::string program = program_named(word);
    return !program.empty() && (is_same_file(program, own_program()) ||
                                // compared with upcc when another tool runs this code
                                is_same_file(program, directory_of(own_program()) + "/upcc"));
}

// Users set CC=upcc to make a build system compile with upcc; CC then does not name a back end for upcc.
std::vector<std::string> choose_compiler()
{
    const char* variable = std::getenv("CC");
    std::vector<std::string> words = program_and_arguments(variable != nullptr ? variable : "");
    if (!words.empty() && std::none_of(words.begin(), words.end(), is_upcc))
        return words;
    // The compiler that Banyan was built with, unless the tree was moved to another machine
    std::string configured = BN_DEFAULT_CC;
    bool is_usable = configured.find('/') == configured.npos || access(configured.c_str(), X_OK) == 0;
    return {is_usable && !configured.empty() ? configured : "cc"};
}

}  // namespace

std::string own_program()
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    if (length > 0)
        return std::string(path, static_cast<size_t>(length));
    // Without /proc, as in a bare chroot: the path that was executed
    const auto* executed = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
    return executed != nullptr && realpath(executed, path) != nullptr ? path : "upcc";
}

// Build systems give the path of a program verbatim, blanks included; people also give arguments.
std::vector<std::string> program_and_arguments(const std::string& text)
{
    bool is_path = text.find('/') != text.npos && access(text.c_str(), X_OK) == 0;
    return is_path ? std::vector<std::string>{text} : split_arguments(text);
}

bool find_installation(Installation& installation_p)
{
    if (is_run_by_upcc()) {
        error("the C compiler that CC, MPICC or a variable of MPI names runs upcc again; let it name a C compiler, for "
              "example CC=gcc");
        return false;
    }
    setenv(kMark, std::to_string(getpid()).c_str(), 1);
    std::string root = directory_of(directory_of(own_program()));
    installation_p.include_dir = root + "/include";
    installation_p.library_dir = root + "/lib";
    installation_p.share_dir = root + "/share/banyan";
    installation_p.compiler = choose_compiler();
    return has_part(installation_p.include_dir + "/banyan/access.h");
}

bool has_part(const std::string& path)
{
    if (access(path.c_str(), F_OK) == 0)
        return true;
    if (errno == ENOENT || errno == ENOTDIR)
        error("cannot find " + quote(path) + "; install upcc together with its include and lib folders");
    else
        error("cannot read " + quote(path) + ": " + system_error(errno));
    return false;
}

std::vector<std::string> mpi_compiler()
{
    const char* variable = std::getenv("MPICC");
    std::vector<std::string> words = program_and_arguments(variable != nullptr ? variable : "");
    return words.empty() ? std::vector<std::string>{"mpicc"} : words;
}

void use_mpi_compiler(Installation& installation)
{
    std::string compiler;
    for (const std::string& word : installation.compiler)
        compiler += (compiler.empty() ? "" : " ") + word;
    // Open MPI, MPICH and Intel MPI each use a different variable.
    for (const char* variable : {"OMPI_CC", "MPICH_CC", "I_MPI_CC"})
        setenv(variable, compiler.c_str(), 0);
    installation.compiler = mpi_compiler();
}

bool find_mpi_compiler()
{
    const std::string name = mpi_compiler()[0];
    const std::string program = program_named(name);
    if (!program.empty() && access(program.c_str(), X_OK) == 0)
        return true;
    error("-uses-mpi: cannot find the compiler of an MPI library, " + quote(name) +
          "; install one (Debian and Ubuntu: "
          "apt-get install openmpi-bin libopenmpi-dev; Fedora: openmpi-devel; openSUSE: openmpi4-devel), or let MPICC "
          "name the compiler of the one that is there");
    return false;
}

std::vector<std::string> runtime_link_flags()
{
    return split_arguments(BN_RUNTIME_LINK_FLAGS);
}

bool find_shmem_library(const Installation& installation, bool for_pthreads, bool is_shown, bool is_dry,
                        ShmemLibrary& library_p)
{
    library_p = {installation.library_dir, split_arguments(BN_SHMEM_LINK_FLAGS)};
    if (file_exists(library_p.dir + (for_pthreads ? "/libbanyan-shmem-pthreads.a" : "/libbanyan-shmem.a")))
        return true;
    std::string maker = installation.share_dir + "/shmem-library";
    if (!file_exists(maker)) {
        error("-network=shmem: cannot find " + quote(maker) + "; install upcc together with its share folder");
        return false;
    }
    std::string answer;
    std::vector<std::string> command = {maker};
    if (for_pthreads)
        command.emplace_back("-pthreads");
    command.insert(command.end(), installation.compiler.begin(), installation.compiler.end());
    if (run({.arguments = command, .output = &answer, .is_shown = is_shown, .is_dry = is_dry}) != 0)
        return false;
    size_t end = std::min(answer.find('\n'), answer.size());
    if (!is_dry)
        library_p = {answer.substr(0, end), split_arguments(answer.substr(end))};
    return true;
}

std::string version()
{
    return BN_VERSION;
}

}  // namespace bn::driver
