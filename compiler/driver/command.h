// command.h: a parsed command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diagnostics.h"
#include "lower/lower.h"

namespace bn::driver {

enum class Mode : uint8_t { Link, Compile, Assembly, Preprocess, Translate, CheckSyntax };

enum class Language : uint8_t {
    Upc,
    PreprocessedUpc,
    Foreign,  // a language left to the C compiler: assembly, C++, plain C
    Object,   // for the linker
};

struct Input {
    std::string path;  // "-" is standard input
    Language language = Language::Object;
    std::string cc_language = {};  // -x for the C compiler; empty if the suffix decides
    bool is_header = false;        // according to its suffix
    bool is_precompiled = false;   // a header to be precompiled: -x c-header, or by its suffix
    bool may_be_c = false;         // only its contents can tell whether it is UPC
};

// One argument of the link command, in the order of the command line
struct LinkItem {
    static constexpr size_t kNoInput = static_cast<size_t>(-1);
    size_t input = kNoInput;    // index in Command::inputs, or
    std::string argument = {};  // an argument passed unchanged
};

struct Dependencies {
    std::string mode;                  // "-MD" or "-MMD"; empty for none
    std::string file;                  // -MF
    std::vector<std::string> targets;  // -MT x, -MQ x, in argument form
    std::vector<std::string> flags;    // -MP, -MG
};

enum class Network : uint8_t { Smp, Shmem };

enum class SaveTemps : uint8_t { No, CurrentDirectory, BesideOutput };

// A request for information instead of a compilation
enum class Query : uint8_t { None, Help, Version, IncludeDir, MpiCompiler, Variable, Compiler };

struct Command {
    Mode mode = Mode::Link;
    Query query = Query::None;
    std::vector<std::string> query_arguments;  // for Query::Compiler; for Variable, the last one
    std::vector<Input> inputs;
    std::vector<LinkItem> link_items;
    std::string output;
    std::vector<std::string> preprocess_flags;
    std::vector<std::string> dump_flags;  // -dM, -P, ...: for -E only
    std::vector<std::string> compile_flags;
    // both kinds of flags in order, for sources that the C compiler processes in one step
    std::vector<std::string> source_flags;
    std::vector<std::string> compiler;  // -cc; empty: the one from the environment
    std::vector<std::string> linker;    // -link-with; empty for the C compiler
    bool is_preprocessed = false;       // -fpreprocessed
    std::string rule_flag;              // -M or -MM; empty for none
    Dependencies dependencies;
    std::string compile_entries;  // -MJ; empty for none
    int static_threads = 0;
    Network network = Network::Smp;   // -network
    std::string network_of_berkeley;  // the value of -network= if only Berkeley UPC has that network; else empty
    std::string compat;               // -compat: the UPC system to imitate, "bupc" or "gupc"; empty for none
    bool old_words = false;           // -compat=upc-1.0: "barrier" and the like are statements
    bool has_gnu_keywords = true;     // false after -std=c11 and similar
    bool has_ms_extensions = false;   // -fms-extensions or -fplan9-extensions
    bool has_standard = false;        // -std= or -ansi was given
    std::optional<uint64_t> shared_heap_bytes;
    bool is_sanitized = false;   // -fsanitize=
    bool sees_races = false;     // -fsanitize=thread
    bool uses_pthreads = false;  // -pthreads: several threads share a process
    int threads_each = 0;        // threads per process; 0: all in one
    bool uses_mpi = false;
    bool optimises = false;                              // the last -O is neither -O0 nor -Og
    bool debugs = false;                                 // the last -g is not -g0
    bool inlines = false;                                // the last -O is not -O0: the back end inlines
    bool optimises_size = false;                         // the last -O is -Os or -Oz
    lower::Passes wanted_passes = lower::Passes::all();  // applied if `optimises`
    bool full_parse = false;                             // also translate functions that use no UPC (for tests)
    bool checks = false;                                 // -fcheck
    bool counts = false;                                 // -inst
    SaveTemps save_temps = SaveTemps::No;
    bool leaves_notes = false;          // --coverage and other options that leave files next to an object
    bool is_standalone = false;         // -shared, -r
    bool is_shared = false;             // -shared
    bool has_libraries = true;          // false after -nostdlib, -nodefaultlibs
    bool has_comment_warnings = false;  // -Wextra, under which gcc also interprets comments
    bool verbose = false;
    bool dry_run = false;
    diag::Options diagnostics;
};

// Parses the arguments (without the program name).  Prints messages to standard error; returns false on errors.
bool parse_command(const std::vector<std::string>& arguments, Command& command_p);

// Checks that the options are consistent and that files can be read; is_ok: whether the command line was valid so far.
// Settles what depends on the whole line: a query to the linker, the language of standard input.
bool check_command(Command& command_p, bool is_ok);

// Whether there is something to compile or to link: a file, or for the linker a library named by -l
bool has_input(const Command& command);

// Returns false, after an error message, if an option is not for UPC: it changes layouts or calls so that the code
// would not fit the library, or is about the text of C.
bool fits_upc(const Command& command, const std::string& path);

// Returns false, after an error message, if an output file is also an input file.
bool spares_inputs(const Command& command, const std::string& path);

// Replaces @FILE by the arguments in FILE, as gcc does: they are separated by white space and may be quoted with '...',
// "..." and \; files may refer to other files.  An unreadable @FILE is left unchanged.  Returns false, after a message,
// if files include each other endlessly.
bool expand_response_files(std::vector<std::string>& arguments);

// Splits text like a response file.
std::vector<std::string> split_arguments(std::string_view text);

}  // namespace bn::driver
