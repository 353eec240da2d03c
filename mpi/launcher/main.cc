// banyan-mpi: lets Banyan carry out the collectives of an MPI program, without changing the program.

#include "base/log.h"
#include "command.h"
#include "command_line.h"
#include "root_folder.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace {

using namespace bn::launch;
namespace fs = std::filesystem;

enum { kExitUsage = 2, kExitCannotRun = 126, kExitNotFound = 127 };

struct Options {
    std::string report, abi, threads;
    bool is_on = false, is_off = false, is_learning = false, shares_heap = false, is_verbose = false, is_dry = false;
};

void add_options(bn::CommandLine& line, Options& options)
{
    line.version("banyan-mpi (Banyan) " BN_VERSION);
    line.flag("--report", options.report,
              "at the end, report how long collectives took and who carried them out, and with --threads how threads "
              "entered MPI; --report=json:FILE writes a file, and FILE.threads");
    line.flag("--on", options.is_on, "let Banyan carry out all collectives that it can");
    line.flag("--off", options.is_off, "let the program's MPI carry out all collectives");
    line.flag("--learn", options.is_learning, "try both, and keep the faster one; the default");
    line.flag("--shared-heap", options.shares_heap,
              "put large blocks of the program's heap into memory that all processes of the machine map: this makes "
              "collectives faster");
    line.value("--abi", options.abi, "NAME",
               "which MPI the program uses, if this cannot be detected: Open MPI, MPICH (also Intel MPI, MVAPICH), or "
               "the standard ABI of MPI 5")
        .one_of({"openmpi", "mpich", "abi"});
    line.value("--threads", options.threads, "WHO",
               "who decides which thread of a process is in MPI: Banyan (arbitrate); whichever is faster (learn); the "
               "program's MPI, while Banyan counts (count); or the program's MPI (off)")
        .one_of({"arbitrate", "learn", "count", "off"});
    line.flag("-v,--verbose", options.is_verbose, "print what was found, what is preloaded, and why");
    line.flag("--dry-run", options.is_dry, "print environment and command, for a shell, and do not run it");
    line.ends_with_command();
    line.footer(
        "COMMAND is what you would type without banyan-mpi: mpirun -n 8 ./app, srun ./app, mpiexec -n 4 python "
        "script.py, or ./app alone.\nThe exit status is that of COMMAND; 127 if there is no such program, 126 if it "
        "cannot be run, 2 for wrong options.");
}

// Makes the file's path absolute, since the processes may run in another folder.
std::optional<std::string> report_of(const std::string& wish)
{
    if (wish.empty() || wish == "true")
        return wish.empty() ? "" : "1";
    const std::string prefix = "json:";
    if (!wish.starts_with(prefix) || wish.size() == prefix.size())
        return std::nullopt;
    return prefix + fs::absolute(wish.substr(prefix.size())).string();
}

std::optional<Wishes> wishes_of(const Options& options)
{
    Wishes wishes;
    std::optional<std::string> report = report_of(options.report);
    if (!report) {
        bn_log_error("--report=%s: the value is json:FILE, or nothing for a table on standard error",
                     options.report.c_str());
        return std::nullopt;
    }
    if (options.is_on + options.is_off + options.is_learning > 1) {
        bn_log_error("--on, --off and --learn exclude each other; choose one");
        return std::nullopt;
    }
    wishes.report = *report;
    wishes.shares_heap = options.shares_heap;
    wishes.threads = options.threads;
    wishes.mode = options.is_on ? "on" : options.is_off ? "off" : options.is_learning ? "learn" : "";
    for (const AbiFacts& facts : kAbis) {
        if (options.abi == facts.option)
            wishes.abi = facts.abi;
    }
    return wishes;
}

// The words after the options; empty, reported, if there is a mistake.
std::vector<std::string> words_of(const bn::CommandLine& line)
{
    std::vector<std::string> words = line.rest();
    if (!words.empty() && words[0] == "--")
        words.erase(words.begin());
    else if (!words.empty() && words[0].starts_with('-')) {
        bn_log_error("%s is not an option of banyan-mpi; banyan-mpi --help lists them", words[0].c_str());
        return {};
    }
    if (words.empty())
        bn_log_error("no command is given: banyan-mpi [options] mpirun -n 8 ./app; see banyan-mpi --help");
    return words;
}

// ../lib/banyan relative to this program, both in the build tree and when installed
std::string folder_of_libraries()
{
    return (bn::root_folder() / "lib" / "banyan").string();
}

void tell(const Command& command)
{
    for (const std::string& note : command.notes)
        bn_log_info("%s", note.c_str());
    for (const std::string& warning : command.warnings)
        bn_log_warning("%s", warning.c_str());
    if (!command.problem.empty())
        bn_log_warning("runs without Banyan: %s", command.problem.c_str());
    else
        bn_log_info("preloads %s, for %s", command.library.c_str(), facts_of(*command.abi).name);
    if (!command.sanitizer.empty())
        bn_log_info("preloads %s, before everything else", command.sanitizer.c_str());
    if (!command.heap.empty())
        bn_log_info("preloads %s, in front of malloc", command.heap.c_str());
    if (!command.threads.empty())
        bn_log_info("preloads %s, in front of MPI", command.threads.c_str());
}

bool print(const Command& command)
{
    std::string line;
    for (const auto& [name, value] : command.variables)
        line += name + "=" + quoted(value) + " ";
    for (const std::string& word : command.words)
        line += quoted(word) + " ";
    line.back() = '\n';
    fputs(line.c_str(), stdout);
    return bn_log_output_arrived();
}

int execute(const Command& command)
{
    std::vector<char*> arguments;
    for (const std::string& word : command.words)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    for (const auto& [name, value] : command.variables)
        setenv(name.c_str(), value.c_str(), 1);
    execvp(arguments[0], arguments.data());
    int error = errno;
    bn_log_error("%s cannot be run: %s", arguments[0], error == ENOENT ? "there is no such program" : strerror(error));
    return error == ENOENT ? kExitNotFound : kExitCannotRun;
}

}  // namespace

int main(int argc, char** argv)
{
    bn::CommandLine line(
        "Runs an MPI program and lets Banyan carry out its collectives where that is faster; the program is neither "
        "changed nor recompiled.",
        "banyan-mpi");
    Options options;
    add_options(line, options);
    if (std::optional<int> status = line.parse(argc, argv))
        return *status;
    std::optional<Wishes> wishes = wishes_of(options);
    std::vector<std::string> words = words_of(line);
    if (!wishes || words.empty())
        return kExitUsage;
    if (options.is_verbose)
        bn_log_set_level(BN_LOG_VERBOSE);
    Command command = make_command(words, *wishes, folder_of_libraries());
    tell(command);
    if (!options.is_dry)
        return execute(command);
    return print(command) ? EXIT_SUCCESS : EXIT_FAILURE;
}
