#include "driver/command.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <span>

#include <unistd.h>

#include "driver/file.h"
#include "driver/installation.h"
#include "driver/long_spelling.h"
#include "driver/message.h"
#include "driver/options.h"
#include "driver/predefined.h"

namespace bn::driver {

namespace {

constexpr uint64_t kGigabyte = 1u << 30;
constexpr uint64_t kMaxSharedHeap = 64 * kGigabyte;  // maximum segment size per thread

bool parse_number(std::string_view text, uint64_t& number_p)
{
    uint64_t number = 0;
    auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || status != std::errc() || end != text.data() + text.size())
        return false;
    number_p = number;
    return true;
}

std::string_view without_blanks(std::string_view text)
{
    constexpr std::string_view kBlanks = " \t\r\n";
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

// "64", "64MB", "1.5 GiB", "512k" in bytes; a bare number means megabytes.  The same as for upcrun (bn_parse_bytes in
// runtime/base, which the compiler does not include).
bool parse_size(std::string_view text, uint64_t& bytes_p)
{
    text = without_blanks(text);
    double number = 0;
    auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (text.empty() || !std::isdigit(static_cast<unsigned char>(text[0])) || status != std::errc())
        return false;
    std::string unit(without_blanks(text.substr(static_cast<size_t>(end - text.data()))));
    std::transform(unit.begin(), unit.end(), unit.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    if (unit.empty())
        unit = "M";
    constexpr std::string_view kUnits = "BKMGT";
    size_t power = kUnits.find(unit[0]);
    std::string_view ending = std::string_view(unit).substr(1);
    bool has_ending = power > 0 && (ending == "B" || ending == "IB");
    if (power == kUnits.npos || (!ending.empty() && !has_ending))
        return false;
    double bytes = std::ldexp(number, static_cast<int>(10 * power));
    if (bytes < 1 || bytes >= std::ldexp(1.0, std::numeric_limits<uint64_t>::digits))
        return false;
    bytes_p = static_cast<uint64_t>(bytes);
    return true;
}

bool colour_by_terminal()
{
    const char* term = std::getenv("TERM");
    const char* colours = std::getenv("GCC_COLORS");
    return isatty(STDERR_FILENO) && term != nullptr && std::string_view(term) != "dumb" &&
           (colours == nullptr || *colours != '\0');
}

// Whether this option makes the C compiler leave a file next to the object, for gcov, gdb or a reader, or look for one
bool leaves_notes(std::string_view argument)
{
    static constexpr std::string_view kBeginnings[] = {
        "--coverage",         "-coverage",     "-ftest-coverage", "-fprofile-arcs",
        "-fprofile-generate", "-fprofile-use", "-gsplit-dwarf",   "-fstack-usage",
        "-fcallgraph-info",   "-fdump-",       "-ftime-trace",    "-fsave-optimization-record"};
    return std::any_of(std::begin(kBeginnings), std::end(kBeginnings),
                       [=](std::string_view beginning) { return argument.starts_with(beginning); });
}

// -Wno-upc-forall, -Werror=upc-macros: warnings that the C compiler does not know
bool names_warning_of_upc(std::string_view argument)
{
    static constexpr std::string_view kBeginnings[] = {"-Wupc-", "-Wno-upc-", "-Werror=upc-", "-Wno-error=upc-"};
    return std::any_of(std::begin(kBeginnings), std::end(kBeginnings),
                       [=](std::string_view beginning) { return argument.starts_with(beginning); });
}

class Parser {
public:
    Parser(const std::vector<std::string>& arguments, Command& command) : arguments_(arguments), command_(command) {}

    bool run()
    {
        command_.diagnostics.colour = colour_by_terminal();
        while (next_ < arguments_.size()) {
            spell_short(arguments_, next_);
            parse_one(arguments_[next_++]);
        }
        if (command_.query == Query::None) {
            tell_warnings();
            is_ok_ = check_command(command_, is_ok_);
        }
        for (const std::string& text : notes_) {
            if (command_.verbose)
                note(text);
        }
        return is_ok_;
    }

private:
    void fail(std::string_view text)
    {
        error(text);
        is_ok_ = false;
    }

    void tell_warnings() const
    {
        for (const std::string& text : warnings_) {
            if (command_.diagnostics.warnings)
                warning(text);
        }
    }

    void parse_one(const std::string& argument)
    {
        if (argument.size() < 2 || argument[0] != '-') {
            add_input(argument);
            return;
        }
        std::string_view value;
        bool has_value = false;
        const Option* option = find_option(argument, value, has_value);
        bool is_unknown_upc = option != nullptr && option->spelling == "-f" && value.substr(0, 4) == "upc-";
        // The value of -fupc-threads-per-node and similar options is not a number of threads.
        bool is_word = option != nullptr && option->spelling.ends_with("threads-") && value.size() > 1 &&
                       std::isalpha(static_cast<unsigned char>(value[0]));
        if (option == nullptr || is_unknown_upc || is_word) {
            fail_unknown(argument);
            return;
        }
        command_.leaves_notes |= leaves_notes(argument);
        words_.assign(1, argument);
        value_ = std::string(value);
        if (argument == "-h" && next_ < arguments_.size() && arguments_[next_] == "upc") {  // Cray's -hupc
            ++next_;
            return;
        }
        bool takes_next = option->form == Form::Separate ||
                          (!has_value && (option->form == Form::JoinedOrSeparate || option->form == Form::Value));
        if (takes_next) {
            if (next_ == arguments_.size()) {
                fail("missing argument after " + quote(argument));
                return;
            }
            value_ = arguments_[next_++];
            words_.push_back(value_);
        }
        apply(*option);
    }

    void fail_unknown(const std::string& argument)
    {
        std::string_view nearest = nearest_option(argument);
        std::string text = "unrecognized option " + quote(argument);
        if (!nearest.empty())
            text += "; did you mean " + quote(nearest) + "?";
        else
            text += "; 'upcc --help' lists the options, -Wc,OPTION reaches the C compiler";
        fail(text);
    }

    void pass(uint8_t steps)
    {
        if (steps & kPreprocess)
            command_.preprocess_flags.insert(command_.preprocess_flags.end(), words_.begin(), words_.end());
        if (steps & kCompile)
            command_.compile_flags.insert(command_.compile_flags.end(), words_.begin(), words_.end());
        if (steps & (kPreprocess | kCompile))
            command_.source_flags.insert(command_.source_flags.end(), words_.begin(), words_.end());
        if (steps & kLink) {
            for (const std::string& word : words_)
                command_.link_items.push_back({.argument = word});
        }
    }

    void apply(const Option& option)
    {
        switch (option.action) {
        case Action::Note: notes_.push_back(words_[0] + ": " + std::string(option.text)); return;
        case Action::Warn: warnings_.push_back(words_[0] + " has no effect: " + std::string(option.text)); return;
        case Action::Refuse: fail(words_[0] + ": " + std::string(option.text)); return;
        case Action::Help:
        case Action::Version:
        case Action::PrintIncludeDir:
        case Action::PrintMpicc:
        case Action::EchoVariable:
        case Action::AskCompiler: apply_query(option.action); return;
        default:
            if (!names_warning_of_upc(words_[0]))
                pass(option.steps);
            if (!apply_upc(option.action) && !apply_output(option.action) && !apply_diagnostics(option.action))
                apply_compiler(option.action);
            return;
        }
    }

    void apply_query(Action action)
    {
        command_.query = action == Action::Help              ? Query::Help
                         : action == Action::Version         ? Query::Version
                         : action == Action::PrintIncludeDir ? Query::IncludeDir
                         : action == Action::PrintMpicc      ? Query::MpiCompiler
                         : action == Action::EchoVariable    ? Query::Variable
                                                             : Query::Compiler;
        if (action == Action::AskCompiler)
            command_.query_arguments.push_back(words_[0]);
        else if (action == Action::EchoVariable)
            command_.query_arguments.push_back(value_);
    }

    bool apply_upc(Action action)
    {
        switch (action) {
        case Action::SetThreads: set_threads(); return true;
        case Action::SetNetwork: set_network(); return true;
        case Action::SetCompat: set_compat(); return true;
        case Action::SetSharedHeap: set_shared_heap(); return true;
        case Action::SetCompiler:
            command_.compiler = program_and_arguments(value_);
            if (command_.compiler.empty())
                fail("-cc needs the name of a C compiler");
            return true;
        case Action::SetLinker:
            command_.linker = program_and_arguments(value_);
            if (command_.linker.empty())
                fail("-link-with needs the name of a program");
            return true;
        case Action::SetPass: set_pass(); return true;
        case Action::SetRemarks:
            command_.diagnostics.remarks = words_[0] == "-Rupc" ? diag::Remarks::Text : diag::Remarks::Json;
            return true;
        case Action::SetFullParse: command_.full_parse = true; return true;
        case Action::SetChecks: command_.checks = true; return true;
        case Action::SetCounts: command_.counts = true; return true;
        case Action::UsePosixThreads:
            words_.assign(1, "-pthread");
            pass(kAllSteps);
            return true;
        case Action::SetPthreads: set_pthreads(); return true;
        case Action::ClearPthreads:
            command_.uses_pthreads = false;
            command_.threads_each = 0;
            return true;
        case Action::UseMpi: command_.uses_mpi = true; return true;
        default: return false;
        }
    }

    // UPC 1.0 can be combined with either system; of the systems, the last one given counts.
    void set_compat()
    {
        if (value_ == "upc-1.0")
            command_.old_words = true;
        else if (is_known_compat(value_))
            command_.compat = value_;
        else
            fail("unknown UPC system in " + quote(spelt()) + "; use -compat=bupc, -compat=gupc or -compat=upc-1.0");
    }

    void set_pthreads()
    {
        uint64_t each = 0;
        if (!value_.empty() && (!parse_number(value_, each) || each == 0 || each > lower::kMaxThreads))
            fail("invalid number of threads in " + quote(spelt()));
        command_.threads_each = static_cast<int>(each);
        command_.uses_pthreads = true;
    }

    // Makefiles may name a network of Berkeley UPC; how check_command treats it depends on -compat.
    void set_network()
    {
        command_.network = value_ == "shmem" ? Network::Shmem : Network::Smp;
        command_.network_of_berkeley.clear();
        static constexpr std::string_view kOfBerkeley[] = {"udp",  "mpi",      "ibv",   "ofi",    "ucx",
                                                           "mxm",  "psm",      "aries", "gemini", "dcmf",
                                                           "pami", "portals4", "vapi",  "gm",     "lapi"};
        if (std::find(std::begin(kOfBerkeley), std::end(kOfBerkeley), value_) != std::end(kOfBerkeley))
            command_.network_of_berkeley = value_;
        else if (value_ != "smp" && value_ != "shmem")
            fail("unknown network " + quote(value_) + "; use -network=smp or -network=shmem");
    }

    void set_threads()
    {
        std::string_view text = value_;
        if (!text.empty() && text[0] == '=')
            text.remove_prefix(1);
        uint64_t threads = 0;
        if (!parse_number(text, threads) || threads == 0) {
            fail("invalid number of threads in " + quote(spelt()) + "; a linker script is given as -Wl,-T,FILE");
        } else if (threads > lower::kMaxThreads) {
            fail(quote(spelt()) + ": a program can have at most " + std::to_string(lower::kMaxThreads) + " threads");
        } else if (command_.static_threads != 0 && command_.static_threads != static_cast<int>(threads)) {
            fail(quote(spelt()) + " contradicts " + quote(threads_spelt_));
        } else {
            command_.static_threads = static_cast<int>(threads);
            threads_spelt_ = spelt();
        }
    }

    void set_pass()
    {
        static constexpr struct {
            std::string_view ending;
            bool lower::Passes::* pass;
        } kPasses[] = {{"-loops", &lower::Passes::loops},
                       {"-local", &lower::Passes::local},
                       {"-independent", &lower::Passes::independent},
                       {"-fences", &lower::Passes::fences},
                       {"-ahead", &lower::Passes::ahead},
                       {"-behind", &lower::Passes::behind},
                       {"-gather", &lower::Passes::gather},
                       {"-indexed", &lower::Passes::indexed},
                       {"-outline", &lower::Passes::outline},
                       {"-unroll", &lower::Passes::unroll},
                       {"-columns", &lower::Passes::columns},
                       {"-atomic", &lower::Passes::atomic}};
        std::string_view spelt = words_[0];
        bool is_on = !spelt.starts_with("-fno-");
        for (const auto& row : kPasses)
            if (spelt.ends_with("-opt") || spelt.ends_with(row.ending))
                command_.wanted_passes.*row.pass = is_on;
    }

    void set_shared_heap()
    {
        uint64_t bytes = 0;
        if (!parse_size(value_, bytes))
            fail("invalid size in " + quote(spelt()) +
                 "; write a number of megabytes or a size such as 512K, 64M, 1.5G");
        else if (bytes > kMaxSharedHeap)
            fail(quote(spelt()) + ": a thread can have at most " + std::to_string(kMaxSharedHeap / kGigabyte) +
                 "GB of shared memory");
        else
            command_.shared_heap_bytes = bytes;
    }

    bool apply_output(Action action)
    {
        switch (action) {
        case Action::SetMode: set_mode(); return true;
        case Action::SetOutput: command_.output = value_; return true;
        case Action::SetLanguage: language_ = value_ == "none" ? "" : value_; return true;
        case Action::SetDependencyMode: command_.dependencies.mode = words_[0]; return true;
        case Action::SetDependencyFile: command_.dependencies.file = value_; return true;
        case Action::AddDependencyTarget:
            command_.dependencies.targets.push_back(words_[0].substr(0, 3));
            command_.dependencies.targets.push_back(value_);
            return true;
        case Action::AddDependencyFlag: command_.dependencies.flags.push_back(words_[0]); return true;
        case Action::SetCompileEntries: command_.compile_entries = value_; return true;
        case Action::SaveTemps:
            if (value_ != "" && value_ != "cwd" && value_ != "obj")
                fail("invalid argument in " + quote(spelt()) + "; use cwd or obj");
            command_.save_temps = value_ == "cwd" ? SaveTemps::CurrentDirectory : SaveTemps::BesideOutput;
            return true;
        case Action::DumpPreprocessor: command_.dump_flags.push_back(words_[0]); return true;
        case Action::Preprocessed:
            // Not passed on: our headers, which precede UPC where it is translated, are not preprocessed.
            command_.is_preprocessed = words_[0] == "-fpreprocessed";
            return true;
        default: return false;
        }
    }

    // -E, -S, -c: the earliest step wins, regardless of their order.
    void set_mode()
    {
        const std::string& word = words_[0];
        Mode mode = word == "-c"              ? Mode::Compile
                    : word == "-S"            ? Mode::Assembly
                    : word == "-trans"        ? Mode::Translate
                    : word == "-fsyntax-only" ? Mode::CheckSyntax
                                              : Mode::Preprocess;
        static constexpr Mode kEarliestFirst[] = {Mode::Preprocess, Mode::CheckSyntax, Mode::Translate,
                                                  Mode::Assembly,   Mode::Compile,     Mode::Link};
        for (Mode candidate : kEarliestFirst) {
            if (candidate == mode || candidate == command_.mode) {
                command_.mode = candidate;
                break;
            }
        }
        if (word == "-M" || word == "-MM")
            command_.rule_flag = word;
    }

    bool apply_diagnostics(Action action)
    {
        diag::Options& diagnostics = command_.diagnostics;
        bool is_on = !words_[0].starts_with("-fno-");
        switch (action) {
        case Action::WarningFlag: note_warning_flag(); return true;
        case Action::DiagnosticsColour:
            diagnostics.colour = is_on && value_ != "never" && (value_ != "auto" || colour_by_terminal());
            return true;
        case Action::SourceLines: diagnostics.source_lines = is_on; return true;
        case Action::LineNumbers: diagnostics.line_numbers = is_on; return true;
        case Action::OptionNames: diagnostics.option_names = is_on; return true;
        case Action::PlainOutput:
            diagnostics.colour = diagnostics.source_lines = diagnostics.line_numbers = false;
            return true;
        case Action::NotForOwnMessages:
            warnings_.push_back(words_[0] + " has no effect on upcc's own messages");
            return true;
        case Action::MaxErrors: {
            uint64_t limit = 0;
            if (!parse_number(value_, limit) || limit > std::numeric_limits<uint32_t>::max())
                fail("invalid number in " + quote(spelt()));
            diagnostics.max_errors = static_cast<uint32_t>(limit);
            return true;
        }
        default: return false;
        }
    }

    void apply_compiler(Action action)
    {
        switch (action) {
        case Action::PassToCompiler:
            words_.assign(1, value_);
            pass(kCompile);
            break;
        case Action::SetOptimisation:
            command_.optimises = value_ != "0" && value_ != "g";
            command_.inlines = value_ != "0";
            command_.optimises_size = value_ == "s" || value_ == "z";
            break;
        case Action::Debug:
            // The preprocessor needs to know of -g to record the current directory, but -g3 would leave macro
            // definitions in its output.
            command_.debugs = value_ != "0";
            if (command_.debugs)
                command_.preprocess_flags.push_back("-g");
            break;
        case Action::Standard:
            command_.has_gnu_keywords = words_[0] == "-fasm" || value_.substr(0, 3) == "gnu";
            command_.has_standard |= words_[0] != "-fasm" && words_[0] != "-fno-asm";
            break;
        case Action::MsExtensions: command_.has_ms_extensions = !words_[0].starts_with("-fno-"); break;
        case Action::Sanitize:
            command_.is_sanitized = true;
            command_.sees_races |= ("," + value_ + ",").find(",thread,") != std::string::npos;
            break;
        case Action::Standalone:
            command_.is_standalone = true;
            command_.is_shared |= words_[0] == "-shared";
            break;
        case Action::NoLibraries: command_.has_libraries = false; break;
        case Action::DryRun:
            command_.dry_run = true;
            command_.verbose = true;
            break;
        case Action::Verbose:
            command_.verbose = true;
            if (words_[0] == "-vv") {
                words_.assign(1, "-v");
                pass(kCompile | kLink);
            }
            break;
        default: break;
        }
    }

    void note_warning_flag()
    {
        diag::Options& diagnostics = command_.diagnostics;
        const std::string& word = words_[0];
        if (word == "-w")
            diagnostics.warnings = false;
        else if (word == "-Werror")
            diagnostics.warnings_are_errors = true;
        else if (word == "-Wno-error")
            diagnostics.warnings_are_errors = false;
        else if (word == "-Wfatal-errors")
            diagnostics.max_errors = 1;
        else if (word == "-W" || word == "-Wextra")
            command_.has_comment_warnings = true;
        else
            diagnostics.warning_flags.push_back(word);
    }

    std::string spelt() const { return words_.size() == 1 ? words_[0] : words_[0] + " " + words_[1]; }

    void add_input(const std::string& path)
    {
        Input input = {.path = path};
        // Build systems give -x c for everything that they pass to the C compiler; CMake does so for sources whose
        // LANGUAGE is C.
        std::string suffix = suffix_of(path);
        bool is_upc_anyway = language_ == "c" && (suffix == ".upc" || suffix == ".upci");
        if (!language_.empty() && !is_upc_anyway)
            set_language(input);
        else if (path == "-")
            input.language = Language::Foreign;  // rejected by check_command except with -E
        else
            guess_language(input);
        command_.link_items.push_back({.input = command_.inputs.size()});
        command_.inputs.push_back(std::move(input));
    }

    void set_language(Input& input) const
    {
        if (language_ == "upc") {
            input.language = Language::Upc;
        } else if (language_ == "upc-cpp-output") {
            input.language = Language::PreprocessedUpc;
        } else {
            input.is_precompiled = language_ == "c-header";
            input.may_be_c = input.is_precompiled;
            input.language = input.is_precompiled ? Language::Upc : Language::Foreign;
            input.cc_language = language_;
        }
    }

    static void guess_language(Input& input)
    {
        // clang-format off
        static constexpr std::string_view kForeignHeaders[] = {
            ".hh", ".H", ".hp", ".hxx", ".hpp", ".HPP", ".h++", ".tcc"};
        static constexpr std::string_view kForeign[] = {
            ".s", ".S", ".sx",
            ".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C", ".ii",
            ".m", ".mi", ".mm", ".M", ".mii",
            ".f", ".for", ".ftn", ".F", ".FOR", ".fpp", ".FPP", ".FTN",
            ".f90", ".f95", ".f03", ".f08", ".F90", ".F95", ".F03", ".F08",
            ".d", ".di", ".dd", ".go", ".ads", ".adb", ".cu"};
        // clang-format on
        auto is_in = [](std::span<const std::string_view> suffixes, const std::string& suffix) {
            return std::ranges::find(suffixes, suffix) != suffixes.end();
        };
        std::string suffix = suffix_of(input.path);
        bool is_foreign_header = is_in(kForeignHeaders, suffix);
        input.is_header = suffix == ".h" || suffix == ".uph" || is_foreign_header;
        input.may_be_c = suffix == ".c" || suffix == ".i";
        if (is_foreign_header || is_in(kForeign, suffix))
            input.language = Language::Foreign;
        else if (suffix == ".upc" || suffix == ".c" || input.is_header)
            input.language = Language::Upc;
        else if (suffix == ".upci" || suffix == ".i")
            input.language = Language::PreprocessedUpc;
    }

    std::vector<std::string> arguments_;
    Command& command_;
    size_t next_ = 0;
    bool is_ok_ = true;
    std::string language_;  // value of -x; empty if the suffix decides
    std::string threads_spelt_;
    std::vector<std::string> words_;  // the option being parsed, as written
    std::string value_;
    std::vector<std::string> notes_;
    std::vector<std::string> warnings_;
};

}  // namespace

bool parse_command(const std::vector<std::string>& arguments, Command& command_p)
{
    return Parser(arguments, command_p).run();
}

}  // namespace bn::driver
