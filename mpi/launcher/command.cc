#include "command.h"

#include "launcher/words.h"
#include "program.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <regex>
#include <sstream>
#include <unistd.h>

namespace bn::launch {

namespace {

namespace fs = std::filesystem;

std::string list_of(const std::vector<std::string>& words)
{
    std::string list;
    for (const std::string& word : words)
        list += (list.empty() ? "" : ", ") + word;
    return list;
}

// What was found on the command line, in this order.
struct Search {
    std::optional<Program> user;  // the first program that links MPI
    std::string user_word;
    std::optional<Program> launcher;  // the last one: an earlier one is a tool that wraps it
    size_t launcher_at = 0;
    std::optional<Program> privileged;  // a privileged program before the user's
    std::vector<Program> others;
    std::vector<std::string> other_words;
};

// Launcher options need not be known, since their values are not programs that link MPI.  Tools in between, such as
// numactl or env, are skipped for the same reason.
Search search(const std::vector<std::string>& words)
{
    Search found;
    for (size_t i = 0; i < words.size() && !found.user; i++) {
        std::optional<Program> program = words[i].starts_with('-') ? std::nullopt : look_at(words[i]);
        if (!program)
            continue;
        if (program->is_privileged && !found.privileged)
            found.privileged = program;
        if (program->is_launcher) {
            found.launcher = program;
            found.launcher_at = i;
        } else if (program->abi) {
            found.user = program;
            found.user_word = words[i];
        } else {
            found.others.push_back(*program);
            found.other_words.push_back(words[i]);
        }
    }
    for (size_t i = 0; i < found.others.size() && !found.user; i++) {
        look_for_mpi4py(found.others[i]);
        if (found.others[i].abi) {
            found.user = found.others[i];
            found.user_word = found.other_words[i];
        }
    }
    return found;
}

// Whether a program may load MPI at run time, or run another program that links it.
bool may_load_mpi(const Program& program)
{
    static const std::regex names("(python|pypy|perl|ruby|lua|tclsh|guile)[\\d.]*|julia|R|Rscript|java|octave.*|matlab|"
                                  "node|(ba|da|z|k|c|tc|fi)?sh|singularity|apptainer|env|xargs|make");
    return program.kind == Program::Kind::kScript || program.kind == Program::Kind::kOther ||
           std::regex_match(fs::path(program.path).filename().string(), names);
}

// The file from which Open MPI's launcher is to read programs; empty if there is none.
std::string app_file(const std::vector<std::string>& words)
{
    for (size_t i = 0; i + 1 < words.size(); i++) {
        if (words[i] == "--app" || words[i] == "-app")
            return words[i + 1];
    }
    return "";
}

// Whether a line of such a file has -x before its program
bool names_variables(const std::string& file)
{
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        for (std::string word; words >> word && !look_at(word);) {
            if (word == "-x")
                return true;
        }
    }
    return false;
}

// Why nothing can be preloaded; empty if it can.
std::string find_problem(const std::vector<std::string>& words, const Search& found, const Wishes& wishes)
{
    if (found.privileged) {
        return found.privileged->path +
               " runs as another user (setuid or the like), for which the system ignores LD_PRELOAD; start banyan-mpi"
               " behind it, as in: sudo banyan-mpi mpirun ...";
    }
    for (size_t i = 0; i < found.others.size() && !found.user; i++) {
        if (found.others[i].has_mpi_inside) {
            return found.other_words[i] +
                   " has MPI linked into it (libmpi.a), so its calls cannot be intercepted; link it with the shared"
                   " library of MPI";
        }
    }
    if (found.launcher && found.launcher->abi == Abi::kOpenMpi && names_variables(app_file(words))) {
        return app_file(words) +
               " contains -x, with which Open MPI's launcher accepts no list of variables for all programs; list them"
               " in OMPI_MCA_mca_base_env_list, or put the programs on the command line, separated by :";
    }
    if (found.user || wishes.abi || (found.launcher && found.launcher->abi))
        return "";
    return "cannot tell which MPI is used: " +
           (found.others.empty() ? "" : list_of(found.other_words) + (found.others.size() == 1 ? " links" : " link")) +
           (found.others.empty() ? "nothing on the command line is a program" : " none") +
           (found.launcher ? ", and mpirun is of an unknown kind" : ", and there is no mpirun") +
           "; specify --abi=openmpi, --abi=mpich or --abi=abi";
}

void choose_abi(const Search& found, const Wishes& wishes, Command& command)
{
    if (found.user)
        command.notes.push_back(found.user_word + " " + found.user->why);
    if (found.launcher)
        command.notes.push_back(found.launcher->path + ", the launcher, " +
                                (found.launcher->abi ? found.launcher->why : "is of an unknown kind"));
    if (wishes.abi)
        command.abi = wishes.abi;
    else if (found.user)
        command.abi = found.user->abi;
    else
        command.abi = found.launcher->abi;
    if (!found.user && !wishes.abi) {
        bool may_load = found.others.empty();
        for (const Program& program : found.others)
            may_load |= may_load_mpi(program);
        if (may_load)
            command.notes.push_back("no program on the command line links MPI, so the launcher decides");
        else
            command.warnings.push_back(list_of(found.other_words) +
                                       " does not link MPI; unless MPI is loaded while it runs, nothing will change");
    }
    std::optional<Abi> own = found.user ? found.user->abi : std::nullopt;
    if (own && wishes.abi && *own != *wishes.abi) {
        command.warnings.push_back(found.user_word + " " + found.user->why + ", which is " + facts_of(*own).name +
                                   "; --abi=" + facts_of(*wishes.abi).option + " will crash it unless you know better");
    }
    // MPICH also starts programs of the standard ABI
    if (own && found.launcher && found.launcher->abi && *own != *found.launcher->abi && *own != Abi::kStandard) {
        command.warnings.push_back(found.launcher->path + " belongs to " + facts_of(*found.launcher->abi).name + ", " +
                                   found.user_word + " was linked with " + facts_of(*own).name +
                                   ": processes may not find each other; use the mpirun that belongs to it");
    }
}

// The entries of LD_PRELOAD are separated by blanks or colons, so a folder with a blank in its name is put into
// LD_LIBRARY_PATH instead, where only colons separate.  `sanitizer` is empty or a path.
void preload(const std::string& sanitizer, const std::string& folder, std::vector<std::string> names, Command& command)
{
    if (folder.find(' ') != std::string::npos) {
        const char* folders = getenv("LD_LIBRARY_PATH");
        command.variables.emplace_back("LD_LIBRARY_PATH",
                                       folder + (folders && *folders ? std::string(":") + folders : ""));
    } else {
        for (std::string& name : names)
            name = (fs::path(folder) / name).string();
    }
    // AddressSanitizer looks for C++'s throw once, at the start, and dies if a library that is loaded later throws: the
    // launcher is a C program, and loads hwloc's plugins, of which OpenCL's is C++.
    if (!sanitizer.empty())
        names.insert(names.begin(), {sanitizer, "libstdc++.so.6"});
    std::string list;
    for (const std::string& name : names)
        list += (list.empty() ? "" : ":") + name;
    const char* before = getenv("LD_PRELOAD");
    std::string rest = before ? before : "";
    for (size_t at = 0, end; at < rest.size(); at = end + 1) {
        end = std::min(rest.find_first_of(" :", at), rest.size());
        std::string member = rest.substr(at, end - at);
        if (!member.empty() && std::find(names.begin(), names.end(), member) == names.end())
            list += ":" + member;
    }
    command.variables.emplace_back("LD_PRELOAD", list);
}

void set_variables(const Wishes& wishes, Command& command)
{
    std::vector<std::string> names = {fs::path(command.library).filename()};
    if (!command.heap.empty())
        names.insert(names.begin(), fs::path(command.heap).filename());
    if (!command.threads.empty())
        names.push_back(fs::path(command.threads).filename());
    preload(command.sanitizer, fs::path(command.library).parent_path(), names, command);
    if (!wishes.mode.empty())
        command.variables.emplace_back("BANYAN_MPI", wishes.mode);
    if (!wishes.report.empty())
        command.variables.emplace_back("BANYAN_MPI_REPORT", wishes.report);
    if (!wishes.threads.empty())
        command.variables.emplace_back("BANYAN_MPI_THREADS", wishes.threads);
    if (!wishes.report.empty() && !command.threads.empty())
        command.variables.emplace_back("BANYAN_MPI_THREADS_REPORT",
                                       wishes.report == "1" ? wishes.report : wishes.report + ".threads");
}

// Whether options or the environment ask for the library that arbitrates threads.  A wrong value is reported by that
// library or libbanyan-mpi, once per job.
bool wants_threads(const Wishes& wishes)
{
    const char* variable = getenv("BANYAN_MPI_THREADS");
    std::string wish = !wishes.threads.empty() ? wishes.threads : variable ? variable : "off";
    return wish == "arbitrate" || wish == "learn" || wish == "count";
}

// The variables that processes need: those set here, and those that the user has set for Banyan.
std::vector<std::pair<std::string, std::string>> variables_to_pass(const Command& command)
{
    std::vector<std::pair<std::string, std::string>> variables = command.variables;
    for (char** variable = environ; *variable; variable++) {
        std::string name(*variable, strcspn(*variable, "="));
        auto has_name = [&](const auto& known) { return known.first == name; };
        if (name.starts_with("BANYAN_") && std::none_of(variables.begin(), variables.end(), has_name))
            variables.emplace_back(name, *variable + name.size() + 1);
    }
    return variables;
}

// Appends names to a list in the format of Open MPI's mca_base_env_list.
std::string with_names(std::string list, const std::vector<std::pair<std::string, std::string>>& variables)
{
    const char* delimiter = getenv("OMPI_MCA_mca_base_env_list_delimiter");
    for (const auto& variable : variables)
        list += (list.empty() ? "" : delimiter && *delimiter ? std::string(1, *delimiter) : ";") + variable.first;
    return list;
}

// Open MPI passes on only variables that are named, and refuses two ways of naming them at once.  -x applies to a
// single program; several programs are separated by ":", or are listed in a file.
void pass_by_openmpi(size_t launcher_at, Command& command)
{
    auto variables = variables_to_pass(command);
    auto& words = command.words;
    auto list = std::find(words.begin(), words.end(), "mca_base_env_list");
    if (list != words.end() && list + 1 != words.end()) {
        list[1] = with_names(list[1], variables);
        return;
    }
    const char* listed = getenv("OMPI_MCA_mca_base_env_list");
    if (listed || !app_file(words).empty()) {
        command.variables.emplace_back("OMPI_MCA_mca_base_env_list", with_names(listed ? listed : "", variables));
        return;
    }
    std::vector<std::string> options;
    for (const auto& variable : variables)
        options.insert(options.end(), {"-x", variable.first});
    for (size_t at = words.size(); at-- > launcher_at;) {
        if (at == launcher_at || words[at] == ":")
            words.insert(words.begin() + static_cast<ptrdiff_t>(at) + 1, options.begin(), options.end());
    }
}

// Hydra, the launcher of MPICH and Intel MPI, passes on all variables unless it is told which.
void pass_by_hydra(size_t launcher_at, Command& command)
{
    static const std::regex selects("--?g?env(list|none)");
    auto& words = command.words;
    if (std::none_of(words.begin(), words.end(), [](const auto& word) { return std::regex_match(word, selects); }))
        return;
    std::vector<std::string> options;
    for (const auto& [name, value] : variables_to_pass(command))
        options.insert(options.end(), {"-genv", name, value});
    words.insert(words.begin() + static_cast<ptrdiff_t>(launcher_at) + 1, options.begin(), options.end());
}

// Every mpirun passes its environment to processes on this machine; only some pass it to other machines, or to several
// programs.
void pass_to_all_processes(const Search& found, Command& command)
{
    if (!found.launcher || !found.launcher->abi)
        return;
    if (found.launcher->abi == Abi::kOpenMpi)
        pass_by_openmpi(found.launcher_at, command);
    else
        pass_by_hydra(found.launcher_at, command);
}

void choose_heap(const Wishes& wishes, const std::string& folder, Command& command)
{
    if (wishes.shares_heap && command.sanitizer.empty()) {
        command.heap = (fs::path(folder) / "libbanyan-mpi-heap.so").string();
    } else if (wishes.shares_heap) {
        command.warnings.push_back("--shared-heap has no effect, since the program was built with"
                                   " -fsanitize=address and allocates its memory with " +
                                   command.sanitizer);
    }
}

void warn_of_other_preloads(Command& command)
{
    for (size_t i = 0; i < command.words.size(); i++) {
        bool is_set = command.words[i].starts_with("LD_PRELOAD=");
        bool is_named = i > 0 && command.words[i] == "LD_PRELOAD" && command.words[i - 1].find("env") < 3;
        if (is_set || is_named) {
            command.warnings.push_back(
                "the command sets LD_PRELOAD itself, and thus overrides what banyan-mpi sets; set"
                " it in front of banyan-mpi, which keeps it: LD_PRELOAD=... banyan-mpi ...");
        }
    }
}

}  // namespace

Command make_command(const std::vector<std::string>& words, const Wishes& wishes, const std::string& folder)
{
    Command command;
    command.words = words;
    Search found = search(words);
    command.problem = find_problem(words, found, wishes);
    if (!command.problem.empty())
        return command;
    choose_abi(found, wishes, command);
    const AbiFacts& facts = facts_of(*command.abi);
    std::string library = (fs::path(folder) / facts.library).string();
    if (access(library.c_str(), R_OK) != 0) {
        command.problem = std::string("this Banyan was built without ") + facts.name + ": there is no " + library +
                          "; install " + facts.missing + " and build Banyan again";
        return command;
    }
    if (library.find(':') != std::string::npos) {
        command.problem = library + " cannot be preloaded, as its path has a colon in it; install Banyan elsewhere";
        return command;
    }
    command.library = library;
    if (wants_threads(wishes))
        command.threads = (fs::path(folder) / (std::string("libbanyan-mpi-threads-") + facts.option + ".so")).string();
    command.sanitizer = found.user ? found.user->sanitizer : "";
    choose_heap(wishes, folder, command);
    warn_of_other_preloads(command);
    set_variables(wishes, command);
    pass_to_all_processes(found, command);
    return command;
}

std::string quoted(const std::string& word)
{
    char* text = nullptr;
    size_t bytes;
    FILE* out = open_memstream(&text, &bytes);
    if (!out)
        throw std::bad_alloc();
    launcher_write_word(out, word.c_str());
    fclose(out);
    std::string result = text;
    free(text);
    return result;
}

}  // namespace bn::launch
