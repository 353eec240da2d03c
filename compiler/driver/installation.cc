#include "driver/installation.h"

#include <climits>
#include <cstdlib>

#include <unistd.h>

#include "driver/command.h"
#include "driver/file.h"
#include "driver/message.h"

namespace bn::driver {

namespace {

std::string own_directory()
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    return length > 0 ? directory_of(std::string_view(path, static_cast<size_t>(length))) : ".";
}

std::vector<std::string> choose_compiler()
{
    const char* variable = std::getenv("CC");
    std::vector<std::string> words = split_arguments(variable != nullptr ? variable : "");
    if (!words.empty())
        return words;
    // The compiler that Banyan was built with, unless the tree was moved to another machine
    std::string configured = BN_DEFAULT_CC;
    bool is_usable = configured.find('/') == configured.npos || access(configured.c_str(), X_OK) == 0;
    return {is_usable && !configured.empty() ? configured : "cc"};
}

}  // namespace

bool find_installation(Installation& installation_p)
{
    std::string root = directory_of(own_directory());
    installation_p.include_dir = root + "/include";
    installation_p.library_dir = root + "/lib";
    installation_p.compiler = choose_compiler();
    if (file_exists(installation_p.include_dir + "/banyan/access.h"))
        return true;
    error("cannot find banyan/access.h in " + quote(installation_p.include_dir) +
          "; install upcc together with its include and lib folders");
    return false;
}

std::vector<std::string> mpi_compiler()
{
    const char* variable = std::getenv("MPICC");
    std::vector<std::string> words = split_arguments(variable != nullptr ? variable : "");
    return words.empty() ? std::vector<std::string>{"mpicc"} : words;
}

void use_mpi_compiler(Installation& installation)
{
    std::string compiler;
    for (const std::string& word : installation.compiler)
        compiler += (compiler.empty() ? "" : " ") + word;
    // Open MPI, MPICH and Intel MPI each have a variable of their own.
    for (const char* variable : {"OMPI_CC", "MPICH_CC", "I_MPI_CC"})
        setenv(variable, compiler.c_str(), 0);
    installation.compiler = mpi_compiler();
}

std::vector<std::string> runtime_link_flags()
{
    return split_arguments(BN_RUNTIME_LINK_FLAGS);
}

std::string version()
{
    return BN_VERSION;
}

}  // namespace bn::driver
