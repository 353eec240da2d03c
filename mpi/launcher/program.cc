#include "program.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <link.h>
#include <regex>
#include <spawn.h>
#include <sstream>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <vector>

namespace bn::launch {

namespace {

namespace fs = std::filesystem;

bool is_executable_file(const std::string& path)
{
    struct stat status;
    return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && access(path.c_str(), X_OK) == 0;
}

// Searches as mpirun and env do; Open MPI's mpirun also searches the working directory.
std::string find_file(const std::string& word)
{
    if (word.find('/') != std::string::npos)
        return is_executable_file(word) ? word : "";
    const char* list = getenv("PATH");
    std::istringstream folders(list ? list : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        std::string path = (folder.empty() ? "." : folder) + "/" + word;
        if (is_executable_file(path))
            return path;
    }
    return is_executable_file("./" + word) ? "./" + word : "";
}

// A file mapped to memory; empty if it cannot be read.
class Mapping {
public:
    explicit Mapping(const std::string& path)
    {
        int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
        struct stat status;
        if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0) {
            void* memory = mmap(nullptr, static_cast<size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
            if (memory != MAP_FAILED)
                text_ = {static_cast<const char*>(memory), static_cast<size_t>(status.st_size)};
        }
        if (file >= 0)
            close(file);
    }
    ~Mapping()
    {
        if (!text_.empty())
            munmap(const_cast<char*>(text_.data()), text_.size());
    }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;

    std::string_view text() const { return text_; }
    bool contains(const char* word) const
    {
        return !text_.empty() && memmem(text_.data(), text_.size(), word, strlen(word)) != nullptr;
    }

private:
    std::string_view text_;
};

// Reads until the end, also where signals interrupt it.
std::string read_all(int file)
{
    std::string text;
    char piece[4096];
    for (ssize_t bytes; (bytes = read(file, piece, sizeof piece)) > 0 || (bytes < 0 && errno == EINTR);)
        text.append(piece, bytes > 0 ? static_cast<size_t>(bytes) : 0);
    return text;
}

// Standard output of a command; empty if it cannot be run.  Nothing is preloaded into it; `variable` is NAME=value.
std::string output_of(std::vector<std::string> words, std::string variable = "")
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return "";
    std::vector<char*> arguments, variables;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    for (char** inherited = environ; *inherited; inherited++) {
        if (strncmp(*inherited, "LD_PRELOAD=", strlen("LD_PRELOAD=")) != 0)
            variables.push_back(*inherited);
    }
    if (!variable.empty())
        variables.push_back(variable.data());
    variables.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child;
    int error = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), variables.data());
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    std::string output = error == 0 ? read_all(ends[0]) : "";
    close(ends[0]);
    while (error == 0 && waitpid(child, nullptr, 0) < 0 && errno == EINTR)
        ;
    return output;
}

// Asks the loader, as ldd does: it knows LD_LIBRARY_PATH, run paths, its cache, and indirect dependencies.  The loader
// of the GNU C library is asked by a variable, with which it also goes on if a library is missing; any other loader
// would run the program then.
std::string list_libraries(const std::string& loader, const std::string& path)
{
    static const std::regex gnu("ld(64)?(-linux.*)?\\.so\\.\\d+");
    if (std::regex_match(fs::path(loader).filename().string(), gnu))
        return output_of({loader, fs::absolute(path)}, "LD_TRACE_LOADED_OBJECTS=1");
    return output_of({loader, "--list", fs::absolute(path)});
}

// Lines such as "libmpi.so.40 => /usr/lib/libmpi.so.40 (0x7f...)", or a path alone
void look_at_libraries(const std::string& loader, const std::string& path, Program& program)
{
    std::istringstream lines(list_libraries(loader, path));
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string word, arrow, file;
        words >> word >> arrow >> file;
        std::string name = fs::path(word).filename();
        if (name.starts_with("libasan.so") || name.starts_with("libclang_rt.asan"))
            program.sanitizer = arrow == "=>" ? file : word;
        std::optional<Abi> abi = program.abi ? std::nullopt : abi_of_library(name);
        if (abi) {
            program.abi = abi;
            program.why = "links " + name;
        }
    }
}

// The loader that an ELF file names; empty if it is static.  False if the file is not ELF.
bool find_loader(std::string_view file, std::string* loader)
{
    ElfW(Ehdr) header;
    if (file.size() < sizeof header || memcmp(file.data(), ELFMAG, SELFMAG) != 0)
        return false;
    memcpy(&header, file.data(), sizeof header);
    if (header.e_ident[EI_CLASS] != (sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32))
        return false;
    for (size_t i = 0; i < header.e_phnum; i++) {
        ElfW(Phdr) segment;
        size_t at = header.e_phoff + i * sizeof segment;
        if (at > file.size() || file.size() - at < sizeof segment)
            return false;
        memcpy(&segment, file.data() + at, sizeof segment);
        if (segment.p_type != PT_INTERP)
            continue;
        if (segment.p_offset > file.size() || file.size() - segment.p_offset < segment.p_filesz)
            return false;
        *loader =
            std::string(file.data() + segment.p_offset, strnlen(file.data() + segment.p_offset, segment.p_filesz));
    }
    return true;
}

// For "#!/usr/bin/env -S python3 -u" python3, for "#!/bin/sh" that path.
std::string find_interpreter(std::string_view file)
{
    std::istringstream words(std::string(file.substr(2, file.find('\n') - 2)));
    std::string word;
    words >> word;
    if (fs::path(word).filename() == "env") {
        while (words >> word && (word.starts_with('-') || word.find('=') != std::string::npos))
            ;
    }
    return word;
}

void read_file(Program& program)
{
    Mapping file(program.path);
    if (file.text().starts_with("#!")) {
        program.kind = Program::Kind::kScript;
        program.interpreter = find_interpreter(file.text());
    } else if (find_loader(file.text(), &program.interpreter)) {
        program.kind = program.interpreter.empty() ? Program::Kind::kStatic : Program::Kind::kDynamic;
        if (program.kind == Program::Kind::kDynamic)
            look_at_libraries(program.interpreter, program.path, program);
        // A caller of a shared MPI library contains the name MPI_Init; PMPI_Init is in the library itself, and in
        // tools.
        program.has_mpi_inside =
            !program.abi && file.contains(program.kind == Program::Kind::kStatic ? "MPI_Init" : "PMPI_Init");
    }
}

// ---- Launchers ----

bool is_launcher(const std::string& word)
{
    static const std::regex names("(mpirun|mpiexec)([._-].*)?|orterun|prterun");
    return std::regex_match(fs::path(word).filename().string(), names);
}

// All names along a chain of links to the file: mpirun, mpirun.openmpi, orterun.
std::vector<std::string> names_of(fs::path path)
{
    std::vector<std::string> names;
    std::error_code error;
    for (int links = 0; links < 40; links++) {
        names.push_back(path.filename());
        if (!fs::is_symlink(path, error))
            break;
        path = path.parent_path() / fs::read_symlink(path, error);
    }
    return names;
}

struct Mark {
    const char* text;
    Abi abi;
};

// Recognises a launcher by its names, then by words in the file (which may be a script), then by the library next to
// it: the library comes last, since a system may have several libraries in one folder.
void look_at_launcher(Program& launcher)
{
    static const Mark in_names[] = {{"orterun", Abi::kOpenMpi}, {"prterun", Abi::kOpenMpi}, {"openmpi", Abi::kOpenMpi},
                                    {"hydra", Abi::kMpich},     {"mpich", Abi::kMpich},     {"gforker", Abi::kMpich},
                                    {"mvapich", Abi::kMpich}};
    static const Mark in_files[] = {{"HYDRA", Abi::kMpich},
                                    {"I_MPI_", Abi::kMpich},
                                    {"libopen-rte", Abi::kOpenMpi},
                                    {"OPAL_PREFIX", Abi::kOpenMpi},
                                    {"prterun", Abi::kOpenMpi}};
    static const Mark beside[] = {{"libmpi.so.40", Abi::kOpenMpi},
                                  {"libmpi.so.12", Abi::kMpich},
                                  {"libmpich.so.12", Abi::kMpich},
                                  {"libmpi_abi.so.1", Abi::kStandard}};
    for (const std::string& name : names_of(launcher.path)) {
        for (const Mark& mark : in_names) {
            if (name.find(mark.text) != std::string::npos) {
                launcher.abi = mark.abi;
                launcher.why = "is " + name;
                return;
            }
        }
    }
    std::error_code error;
    fs::path real = fs::canonical(launcher.path, error);
    Mapping file(real);
    for (const Mark& mark : in_files) {
        if (file.contains(mark.text)) {
            launcher.abi = mark.abi;
            launcher.why = std::string("has ") + mark.text + " in it";
            return;
        }
    }
    for (const Mark& mark : beside) {
        if (fs::exists(real.parent_path().parent_path() / "lib" / mark.text, error)) {
            launcher.abi = mark.abi;
            launcher.why = std::string("stands beside ") + mark.text;
            return;
        }
    }
}

bool is_privileged(const std::string& path)
{
    struct stat status;
    if (stat(path.c_str(), &status) != 0)
        return false;
    return ((status.st_mode & S_ISUID) != 0 && status.st_uid != geteuid()) ||
           ((status.st_mode & S_ISGID) != 0 && status.st_gid != getegid()) ||
           (geteuid() != 0 && getxattr(path.c_str(), "security.capability", nullptr, 0) > 0);
}

}  // namespace

std::optional<Program> look_at(const std::string& word)
{
    Program program;
    program.path = find_file(word);
    if (program.path.empty())
        return std::nullopt;
    program.is_launcher = is_launcher(word);
    program.is_privileged = is_privileged(program.path);
    if (program.is_launcher)
        look_at_launcher(program);
    else
        read_file(program);
    return program;
}

void look_for_mpi4py(Program& python)
{
    bool is_script = python.kind == Program::Kind::kScript;
    std::string interpreter = is_script ? find_file(python.interpreter) : python.path;
    if (!fs::path(interpreter).filename().string().starts_with("python"))
        return;
    std::string folder = output_of({interpreter, "-c",
                                    "import importlib.util as u; s = u.find_spec('mpi4py'); "
                                    "print(s.submodule_search_locations[0], end='') if s else None"});
    std::vector<std::string> modules;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        std::string name = entry->path().filename();
        if (name.starts_with("MPI.") && name.ends_with(".so"))
            modules.push_back(entry->path());
    }
    std::optional<Program> itself = is_script ? look_at(interpreter) : python;
    // mpi4py from PyPI comes with a module for each MPI, and chooses among them at run time.
    if (modules.size() != 1 || !itself)
        return;
    look_at_libraries(itself->interpreter, modules[0], python);
    if (python.abi)
        python.why = "imports mpi4py, which " + python.why;
}

}  // namespace bn::launch
