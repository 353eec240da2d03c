// options.h: the table of all options.  It drives parsing and --help; a test compares the man page with it.
//
// gcc options that a prefix identifies are not listed: -f..., -m..., -W... go to the C compiler, which knows them best.
// Everything else must be in the table, so that a misspelt option is an error.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace bn::driver {

enum class Form : uint8_t {
    Exact,             // -c
    Joined,            // -Wall; the value may be empty
    Separate,          // -Xlinker VALUE
    JoinedOrSeparate,  // -Idir, -I dir
    Value,             // -network=smp, -network smp; with one or two dashes
    OptionalValue,     // -pthreads, -pthreads=4; with one or two dashes
};

enum class Action : uint8_t {
    Pass,    // passed to the C compiler in the given steps
    Note,    // asks for something that is always done; reported under -v
    Warn,    // has no effect; the user should be warned
    Refuse,  // cannot be honoured
    // Options with their own meaning
    SetMode,
    SetOutput,
    SetLanguage,
    SetThreads,
    SetPthreads,
    ClearPthreads,
    SetNetwork,
    SetCompat,
    SetSharedHeap,
    SetCompiler,
    SetLinker,
    SetDependencyMode,
    SetDependencyFile,
    AddDependencyTarget,
    AddDependencyFlag,
    SetCompileEntries,
    SaveTemps,
    DumpPreprocessor,
    Preprocessed,
    PassToCompiler,
    UsePosixThreads,
    UseMpi,
    SetFullParse,
    SetChecks,
    SetCounts,
    SetPass,
    SetOptimisation,
    SetRemarks,
    Debug,
    Standard,
    MsExtensions,
    WarningFlag,
    DiagnosticsColour,
    SourceLines,
    LineNumbers,
    OptionNames,
    PlainOutput,
    NotForOwnMessages,  // passed on, with a warning that upcc's own messages ignore it
    MaxErrors,
    Sanitize,
    Standalone,  // the result is not an executable with its own start-up code
    NoLibraries,
    Help,
    Version,
    Verbose,
    DryRun,
    PrintIncludeDir,
    PrintMpicc,
    EchoVariable,
    AskCompiler,
};

enum Step : uint8_t { kPreprocess = 1, kCompile = 2, kLink = 4, kAllSteps = 7 };

enum class Group : uint8_t { Output, Upc, Preprocessor, Compiler, Linker, Information, Compatibility, Unlisted };

struct Option {
    std::string_view spelling;
    Form form;
    Action action;
    uint8_t steps;
    Group group;
    std::string_view value_name;  // for --help
    std::string_view text;        // for --help, or the reason of Note, Warn, Refuse
};

std::span<const Option> option_table();

// The row for an argument that starts with '-', or null.  `value` receives the value joined to it; `has_value` says
// whether there was one (it may be empty: -network= has a value).
const Option* find_option(std::string_view argument, std::string_view& value, bool& has_value);

// The spelling in the table that is closest to `argument`; empty if none is close.
std::string_view nearest_option(std::string_view argument);

}  // namespace bn::driver
