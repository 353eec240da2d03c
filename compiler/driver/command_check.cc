// command_check.cc: checks that the options of a command line are consistent, and that its files can be read.
#include <algorithm>
#include <cerrno>

#include <unistd.h>

#include "driver/command.h"
#include "driver/file.h"
#include "driver/message.h"

namespace bn::driver {

namespace {

// Reports an error and returns false, so that a check can end with it.
bool refuse(std::string_view text)
{
    error(text);
    return false;
}

// -Wl,--version, -Xlinker --help and the like without input files, by which build systems identify the linker
bool asks_linker(Command& command_p)
{
    static constexpr std::string_view kQuestions[] = {"--version", "-v", "-V", "--help", "--target-help"};
    bool asks = false;
    for (const LinkItem& item : command_p.link_items) {
        command_p.query_arguments.push_back(item.argument);
        std::string_view word = item.argument;
        word.remove_prefix(word.starts_with("-Wl,") ? 4 : 0);
        asks = asks || std::ranges::find(kQuestions, word) != std::end(kQuestions);
    }
    if (asks)
        command_p.query = Query::Compiler;
    return asks;
}

// Rejects options that work on one machine only: a program meant for several nodes must not silently start on one.
bool check_network(const Command& command)
{
    std::string meant = quote("-network=" + command.network_of_berkeley);
    bool is_ok = true;
    if (!command.network_of_berkeley.empty() && command.compat != "bupc")
        is_ok =
            refuse(meant + ": there is -network=smp, for one machine, and -network=shmem, for several by OpenSHMEM; " +
                   "with -compat=bupc it means smp");
    else if (!command.network_of_berkeley.empty() && command.diagnostics.warnings)
        warning(meant + " has no effect: all threads run on one machine, as with -network=smp");
    if (command.network != Network::Smp && command.uses_mpi)
        is_ok = refuse("-uses-mpi is not supported with -network=shmem: the ranks of MPI are the threads of one "
                       "machine there");
    return is_ok;
}

bool check_pthreads(const Command& command)
{
    bool is_ok = true;
    if (command.uses_pthreads && command.uses_mpi)
        is_ok = refuse("-pthreads is not supported with -uses-mpi: each thread is a rank of MPI, and so a process");
    auto has = [&](const std::vector<std::string>& flags) {
        return std::ranges::any_of(flags, [](const std::string& flag) { return flag.starts_with("-fopenmp"); });
    };
    if (command.uses_pthreads && (has(command.compile_flags) || has(command.source_flags)) &&
        command.diagnostics.warnings)
        warning("-pthreads with -fopenmp: the threads that OpenMP starts are not UPC threads and do not know "
                "MYTHREAD; leave out one of the two, or keep UPC out of parallel regions");
    if (command.sees_races && (!command.uses_pthreads || command.network != Network::Smp))
        is_ok = refuse("-fsanitize=thread works with -pthreads on one machine only: it does not see other processes; "
                       "add -pthreads, or use address or undefined");
    return is_ok;
}

// Whether the flags make the program count how often its parts run
bool counts_executions(const std::vector<std::string>& flags)
{
    static constexpr std::string_view kBeginnings[] = {
        "--coverage",           "-coverage", "-fprofile-arcs", "-fprofile-generate", "-fprofile-instr-generate",
        "-fcs-profile-generate"};
    return std::ranges::any_of(flags, [](const std::string& flag) {
        return std::ranges::any_of(kBeginnings, [&](std::string_view each) { return flag.starts_with(each); });
    });
}

// The threads of a process share these counts.  gcc makes updates atomic by itself if it sees -pthread, clang never.
// A flag of the user's wins.
void count_for_threads(Command& command_p)
{
    for (std::vector<std::string>* flags : {&command_p.compile_flags, &command_p.source_flags})
        if (command_p.uses_pthreads && counts_executions(*flags))
            flags->insert(flags->begin(), "-fprofile-update=prefer-atomic");
}

// -Wp,-MD,FILE reaches the preprocessor whenever it runs, and with it what is said about the rule.
void accompany_rule(Command& command_p)
{
    Dependencies& dependencies = command_p.dependencies;
    if (!dependencies.mode.empty() || !command_p.rule_flag.empty())
        return;
    for (std::vector<std::string>* flags : {&command_p.preprocess_flags, &command_p.source_flags})
        for (const std::vector<std::string>* words : {&dependencies.targets, &dependencies.flags})
            flags->insert(flags->end(), words->begin(), words->end());
    dependencies.targets.clear();
    dependencies.flags.clear();
}

bool check_standard_input(Mode mode, Input& input_p)
{
    bool is_of_unknown_language = input_p.language == Language::Foreign && input_p.cc_language.empty();
    if (is_of_unknown_language && mode != Mode::Preprocess)
        return refuse("-E or -x is required when the input is standard input");
    if (is_of_unknown_language)
        input_p.language = Language::Upc;
    return true;
}

// -fpreprocessed says of all sources what -x upc-cpp-output says of those that follow it.
bool settle_preprocessed(Command& command_p)
{
    bool is_ok = true;
    bool has_macros = std::ranges::count(command_p.dump_flags, "-fdirectives-only") > 0;
    for (Input& input : command_p.inputs) {
        if (!command_p.is_preprocessed || input.language != Language::Upc || command_p.mode == Mode::Preprocess)
            continue;
        input.language = Language::PreprocessedUpc;
        if (has_macros)
            is_ok = refuse(input.path + ": -fpreprocessed with -fdirectives-only is not supported in UPC; compile the "
                                        "source, or the output of -E without -fdirectives-only");
    }
    return is_ok;
}

// Headers are precompiled where nothing else can be meant, as by gcc.
void precompile_headers(Command& command_p)
{
    auto is_ours = [](const Input& input) { return input.is_header && input.language == Language::Upc; };
    bool links = command_p.mode == Mode::Link;
    if (command_p.mode != Mode::Compile && !(links && std::ranges::all_of(command_p.inputs, is_ours)))
        return;
    for (Input& input : command_p.inputs) {
        if (!is_ours(input))
            continue;
        input.is_header = false;
        input.is_precompiled = input.may_be_c = true;
    }
}

bool check_input(Mode mode, Input& input_p)
{
    bool is_ok = true;
    if (input_p.is_header && mode != Mode::Preprocess && mode != Mode::CheckSyntax)
        is_ok = refuse(input_p.path + ": is a header; compile a file that includes it");
    if (input_p.path == "-")
        return check_standard_input(mode, input_p) && is_ok;
    if (access(input_p.path.c_str(), R_OK) != 0)
        return refuse(input_p.path + ": " + system_error(errno));
    if (is_directory(input_p.path))
        return refuse(input_p.path + ": is a directory");
    return is_ok;
}

// -o names one file; with -c and similar options, objects and libraries are unused.
bool check_outputs(const Command& command, bool is_ok)
{
    for (const std::string& path : {command.output, command.dependencies.file, command.compile_entries})
        is_ok &= spares_inputs(command, path);
    if (command.mode == Mode::Link)
        return is_ok;
    auto is_object = [](const Input& input) { return input.language == Language::Object; };
    auto sources =
        static_cast<std::ptrdiff_t>(command.inputs.size()) - std::ranges::count_if(command.inputs, is_object);
    if (sources > 1 && !command.output.empty())
        is_ok = refuse("cannot specify -o with -c, -S, -E or -trans and several files");
    for (const Input& input : command.inputs) {
        if (is_object(input) && is_ok)
            warning(input.path + ": linker input file unused because linking not done");
    }
    return is_ok;
}

}  // namespace

bool has_input(const Command& command)
{
    auto is_library = [](const LinkItem& item) { return item.argument.starts_with("-l"); };
    return !command.inputs.empty() ||
           (command.mode == Mode::Link && std::ranges::any_of(command.link_items, is_library));
}

bool check_command(Command& command_p, bool is_ok)
{
    precompile_headers(command_p);
    auto is_precompiled = [](const Input& input) { return input.is_precompiled; };
    if (command_p.mode == Mode::Link && std::ranges::any_of(command_p.inputs, is_precompiled))
        command_p.mode = Mode::Compile;
    if (is_ok && command_p.inputs.empty() && asks_linker(command_p))
        return true;
    if (!has_input(command_p) && !(command_p.verbose && is_ok))
        is_ok = refuse("no input files; 'upcc --help' shows how to begin");
    is_ok &= check_network(command_p);
    is_ok &= check_pthreads(command_p);
    count_for_threads(command_p);
    accompany_rule(command_p);
    for (Input& input : command_p.inputs)
        is_ok &= check_input(command_p.mode, input);
    is_ok &= settle_preprocessed(command_p);
    return check_outputs(command_p, is_ok);
}

bool fits_upc(const Command& command, const std::string& path)
{
    struct Change {
        std::string_view option;
        std::string_view undone_by;
        std::string_view reason;
    };
    static constexpr Change kChanges[] = {
        {"-fpack-struct", "-fno-pack-struct",
         "it changes structs of the C library and of UPC; use #pragma pack or the attribute 'packed' for your own"},
        {"-mabi=ms", "-mabi=", "the UPC library is called otherwise; use the attribute 'ms_abi' for your own"},
        {"-fpcc-struct-return", "-freg-struct-return", "the UPC library returns pointers-to-shared in registers"},
        {"-fsso-struct=big-endian",
         "-fsso-struct=", "it changes structs of UPC; use the attribute 'scalar_storage_order' for your own"},
        {"-fcoverage-mapping", "-fno-coverage-mapping",
         "llvm-cov would look for the generated C; use --coverage, which counts lines of the source"},
        {"-fleading-underscore", "-fno-leading-underscore", "names in the UPC library have no such underscore"},
    };
    bool is_ok = true;
    for (const Change& change : kChanges) {
        std::string last;
        for (const std::string& flag : command.compile_flags) {
            if (flag.starts_with(change.option))
                last = flag;
            else if (flag.starts_with(change.undone_by))
                last.clear();
        }
        if (!last.empty())
            is_ok = refuse(path + ": " + last + " is not supported in UPC: " + std::string(change.reason));
    }
    return is_ok;
}

bool spares_inputs(const Command& command, const std::string& path)
{
    auto input = std::ranges::find_if(command.inputs, [&](const Input& each) { return is_same_file(each.path, path); });
    if (input != command.inputs.end())
        error("input file " + quote(input->path) + " is the same as the output file");
    return input == command.inputs.end();
}

}  // namespace bn::driver
