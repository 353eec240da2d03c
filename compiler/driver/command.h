// command.h: what a command line asks for.
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
    Foreign,  // a language of the C compiler: assembly, C++, plain C
    Object,   // for the linker
};

struct Input {
    std::string path;  // "-" is standard input
    Language language = Language::Object;
    std::string cc_language = {};  // -x for the C compiler; empty to let it see the suffix
    bool is_header = false;        // by its suffix
    bool may_be_c = false;         // nothing but what it contains tells that it is UPC
};

// Part of the link command, in the order of the command line
struct LinkItem {
    static constexpr size_t kNoInput = static_cast<size_t>(-1);
    size_t input = kNoInput;    // index in Command::inputs, or
    std::string argument = {};  // an argument as it is
};

struct Dependencies {
    std::string mode;                  // "-MD" or "-MMD"; empty for none
    std::string file;                  // -MF
    std::vector<std::string> targets;  // -MT x, -MQ x, as arguments
    std::vector<std::string> flags;    // -MP, -MG
};

enum class Network : uint8_t { Smp, Shmem };

enum class SaveTemps : uint8_t { No, CurrentDirectory, BesideOutput };

// What is asked instead of compiling
enum class Query : uint8_t { None, Help, Version, IncludeDir, MpiCompiler, Variable, Compiler };

struct Command {
    Mode mode = Mode::Link;
    Query query = Query::None;
    std::vector<std::string> query_arguments;  // for Query::Compiler and, the last, Variable
    std::vector<Input> inputs;
    std::vector<LinkItem> link_items;
    std::string output;
    std::vector<std::string> preprocess_flags;
    std::vector<std::string> dump_flags;  // -dM, -P, ...: for -E only
    std::vector<std::string> compile_flags;
    std::vector<std::string> source_flags;  // both in one, for sources that the C compiler takes in one step
    std::vector<std::string> compiler;      // -cc; empty for that of the environment
    std::vector<std::string> linker;        // -link-with; empty for the C compiler
    std::string rule_flag;                  // -M or -MM; empty for none
    Dependencies dependencies;
    std::string compile_entries;  // -MJ; empty for none
    int static_threads = 0;
    Network network = Network::Smp;   // -network
    std::string network_of_berkeley;  // what -network= names, if only that system has it; else empty
    std::string compat;               // -compat: the UPC system to pass for, "bupc", "gupc"; empty for none
    bool old_words = false;           // -compat=upc-1.0: "barrier" and the like are statements
    bool has_gnu_keywords = true;     // false after -std=c11 and its like
    bool has_ms_extensions = false;   // -fms-extensions or -fplan9-extensions
    bool has_standard = false;        // -std= or -ansi was given
    std::optional<uint64_t> shared_heap_bytes;
    bool is_sanitized = false;   // -fsanitize=
    bool sees_races = false;     // -fsanitize=thread
    bool uses_pthreads = false;  // -pthreads: threads share processes ...
    int threads_each = 0;        // ... in each of which there are so many; 0 for all
    bool uses_mpi = false;
    bool optimises = false;                              // the last -O is neither -O0 nor -Og
    bool debugs = false;                                 // the last -g is not -g0
    bool inlines = false;                                // the last -O is not -O0: the back end inlines
    bool optimises_size = false;                         // the last -O is -Os or -Oz
    lower::Passes wanted_passes = lower::Passes::all();  // if it optimises
    bool full_parse = false;                             // translate functions that use nothing of UPC, too (tests)
    bool checks = false;                                 // -fcheck
    bool counts = false;                                 // -inst
    SaveTemps save_temps = SaveTemps::No;
    bool leaves_notes = false;          // --coverage and others by which files are left beside an object
    bool is_standalone = false;         // -shared, -r
    bool is_shared = false;             // -shared
    bool has_libraries = true;          // false after -nostdlib, -nodefaultlibs
    bool has_comment_warnings = false;  // -Wextra, which takes comments into account
    bool verbose = false;
    bool dry_run = false;
    diag::Options diagnostics;
};

// Parses arguments (without the program's name).  Messages go to standard error; false if there was an error.
bool parse_command(const std::vector<std::string>& arguments, Command& command_p);

// Checks that what was asked for goes together, and that files can be read; is_ok: whether all that was read so far is
// right.  Settles what depends on the whole line: a query of the linker, the language of standard input.
bool check_command(Command& command_p, bool is_ok);

// Reports an error, and is false, if a file that is to be written is one to be read.
bool spares_inputs(const Command& command, const std::string& path);

// Replaces @FILE by the arguments that FILE holds, as gcc does: separated by white space, with '...', "..." and \ to
// quote; files may name files.  An @FILE that cannot be read stays as it is.  False, with a message, if files include
// each other without end.
bool expand_response_files(std::vector<std::string>& arguments);

// Splits text like a response file.
std::vector<std::string> split_arguments(std::string_view text);

}  // namespace bn::driver
