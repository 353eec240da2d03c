#include "driver/options.h"

#include <algorithm>
#include <string>
#include <vector>

namespace bn::driver {

namespace {

constexpr uint8_t kSource = kPreprocess | kCompile;

constexpr std::string_view kProcesses = "UPC threads are processes that share their memory; the option changes nothing";
constexpr std::string_view kPointers = "pointers-to-shared always are structs of 16 bytes";
constexpr std::string_view kHeapGrows = "heaps grow on demand";
constexpr std::string_view kFilesAreUpc = "files that end in .upc or .c are UPC anyway";
constexpr std::string_view kIsOfUpcrun = "upcrun has that option; -T N compiles for N threads and no others";
constexpr std::string_view kStages = "it names a stage of another translator; use -Wc,OPTION for the C compiler";

constexpr Option kOptions[] = {
    {"-c", Form::Exact, Action::SetMode, 0, Group::Output, "", "compile to an object file; do not link"},
    {"-S", Form::Exact, Action::SetMode, 0, Group::Output, "", "compile to assembly"},
    {"-E", Form::Exact, Action::SetMode, 0, Group::Output, "", "preprocess only; the result can be compiled as .upci"},
    {"-trans", Form::Exact, Action::SetMode, 0, Group::Output, "", "translate to C only, into NAME.trans.c"},
    {"-fsyntax-only", Form::Exact, Action::SetMode, 0, Group::Output, "", "check the program, produce nothing"},
    {"-o", Form::JoinedOrSeparate, Action::SetOutput, 0, Group::Output, "FILE", "name of the result"},
    {"-x", Form::JoinedOrSeparate, Action::SetLanguage, 0, Group::Output, "LANGUAGE",
     "language of the files that follow: upc, upc-cpp-output, c (plain C, but .upc stays UPC), none (by suffix), or "
     "one the C compiler "
     "knows"},
    {"-save-temps", Form::OptionalValue, Action::SaveTemps, 0, Group::Output, "cwd|obj",
     "keep NAME.i, NAME.trans.c, NAME.s and NAME.o; NAME is that of the result, and PROGRAM-NAME when linking"},
    {"-save-all-temps", Form::Exact, Action::SaveTemps, 0, Group::Unlisted, "", ""},

    {"-T", Form::JoinedOrSeparate, Action::SetThreads, 0, Group::Upc, "N",
     "compile for exactly N threads; also written -T=N, -fupc-threads-N, -fupc-threads=N, -fthreads-N, -threads N, -X "
     "N, -qupc=threads=N"},
    {"-fupc-threads-", Form::Joined, Action::SetThreads, 0, Group::Unlisted, "", ""},
    {"-fupc-threads=", Form::Joined, Action::SetThreads, 0, Group::Unlisted, "", ""},
    {"-fupc-threads", Form::Separate, Action::SetThreads, 0, Group::Unlisted, "", ""},
    {"-fthreads-", Form::Joined, Action::SetThreads, 0, Group::Unlisted, "", ""},
    {"-fthreads=", Form::Joined, Action::SetThreads, 0, Group::Unlisted, "", ""},
    {"-fthreads", Form::Separate, Action::SetThreads, 0, Group::Unlisted, "", ""},
    {"-threads", Form::Value, Action::SetThreads, 0, Group::Unlisted, "", ""},
    {"-X", Form::JoinedOrSeparate, Action::SetThreads, 0, Group::Unlisted, "", ""},    // Cray
    {"-qupc=threads=", Form::Joined, Action::SetThreads, 0, Group::Unlisted, "", ""},  // IBM
    {"-shared-heap", Form::Value, Action::SetSharedHeap, 0, Group::Upc, "SIZE",
     "limit of each thread's shared heap, unless one is set at run time; in MB, or B, K, M, G or T may follow"},
    {"-compat", Form::Value, Action::SetCompat, 0, Group::Upc, "bupc|gupc|upc-1.0",
     "define the macros that identify Berkeley UPC, whose functions are always available; or those of GNU UPC; "
     "upc-1.0, in addition to either: forall, barrier, notify, barrier_notify, wait, barrier_wait and fence are "
     "statements"},
    {"-network", Form::Value, Action::SetNetwork, 0, Group::Upc, "smp|shmem",
     "how threads communicate: smp, on one machine, is the default; shmem uses OpenSHMEM, on several"},
    {"-cc", Form::Value, Action::SetCompiler, 0, Group::Upc, "PROGRAM",
     "compile with this C compiler instead of the one that CC names"},
    {"-link-with", Form::Value, Action::SetLinker, 0, Group::Upc, "PROGRAM",
     "link with this program instead of the C compiler"},
    {"-fcheck", Form::Exact, Action::SetChecks, 0, Group::Upc, "",
     "check shared accesses, casts, locks, collectives and barriers while the program runs; for testing, since "
     "accesses take several times as long"},
    {"-inst", Form::Exact, Action::SetCounts, 0, Group::Upc, "",
     "count shared accesses, for upcrun -profile, which otherwise only sees calls and collectives; for testing, "
     "since accesses take several times as long"},
    {"-pthreads", Form::OptionalValue, Action::SetPthreads, 0, Group::Upc, "N",
     "UPC threads are POSIX threads, N per process, or all in one; each has its own private static objects"},
    {"-fupc-pthreads", Form::Exact, Action::SetPthreads, 0, Group::Unlisted, "", ""},
    {"-fupc-pthreads-model-tls", Form::Exact, Action::SetPthreads, 0, Group::Unlisted, "", ""},
    {"-fupc-pthreads-per-process-", Form::Joined, Action::SetPthreads, 0, Group::Unlisted, "N", ""},
    {"-uses-mpi", Form::Exact, Action::UseMpi, 0, Group::Upc, "",
     "the program uses MPI: compile and link with mpicc, or the compiler in MPICC; ranks are threads, and mpirun "
     "starts them"},
    {"-fno-upc-opt", Form::Exact, Action::SetPass, 0, Group::Upc, "",
     "do not optimise upc_forall and shared accesses, as at -O0; or turn off only a part, as follows"},
    {"-fno-upc-opt-loops", Form::Exact, Action::SetPass, 0, Group::Upc, "", "test each iteration"},
    {"-fno-upc-opt-local", Form::Exact, Action::SetPass, 0, Group::Upc, "", "compute each address"},
    {"-fno-upc-opt-independent", Form::Exact, Action::SetPass, 0, Group::Upc, "",
     "let the C compiler check for overlapping arrays"},
    {"-fno-upc-opt-fences", Form::Exact, Action::SetPass, 0, Group::Upc, "", "a full fence before each strict read"},
    {"-fno-upc-opt-indexed", Form::Exact, Action::SetPass, 0, Group::Upc, "",
     "compute addresses of x[col[k]] and x[h % n] as everywhere else"},
    {"-fno-upc-opt-outline", Form::Exact, Action::SetPass, 0, Group::Upc, "",
     "do not compute addresses outside loops by calls"},
    {"-fno-upc-opt-unroll", Form::Exact, Action::SetPass, 0, Group::Upc, "", "do not unroll loops with x[col[k]]"},
    {"-fno-upc-opt-columns", Form::Exact, Action::SetPass, 0, Group::Upc, "",
     "loops around a walk down b[k][j] handle one column at a time"},
    {"-fno-upc-opt-atomic", Form::Exact, Action::SetPass, 0, Group::Upc, "", "each atomic operation is a call"},
    {"-fno-upc-opt-ahead", Form::Exact, Action::SetPass, 0, Group::Upc, "",
     "with -network=shmem: far reads fetch only what is read"},
    {"-fno-upc-opt-behind", Form::Exact, Action::SetPass, 0, Group::Upc, "",
     "with -network=shmem: each remote write is a message"},
    {"-fno-upc-opt-gather", Form::Exact, Action::SetPass, 0, Group::Upc, "",
     "with -network=shmem: each remote element read by index is a message"},
    {"-Rupc", Form::Exact, Action::SetRemarks, 0, Group::Upc, "",
     "with -O: report which optimisations each upc_forall got, which it did not get and why, and what to change; "
     "-Rupc=json for tools"},
    {"-Rupc=json", Form::Exact, Action::SetRemarks, 0, Group::Unlisted, "", ""},
    {"-fupc-opt", Form::Exact, Action::SetPass, 0, Group::Unlisted, "", ""},
    {"-fupc-opt-loops", Form::Exact, Action::SetPass, 0, Group::Unlisted, "", ""},
    {"-fupc-opt-local", Form::Exact, Action::SetPass, 0, Group::Unlisted, "", ""},
    {"-fupc-opt-independent", Form::Exact, Action::SetPass, 0, Group::Unlisted, "", ""},
    {"-fupc-opt-fences", Form::Exact, Action::SetPass, 0, Group::Unlisted, "", ""},
    {"-fupc-opt-ahead", Form::Exact, Action::SetPass, 0, Group::Unlisted, "", ""},
    {"-fupc-opt-behind", Form::Exact, Action::SetPass, 0, Group::Unlisted, "", ""},
    {"-fupc-opt-gather", Form::Exact, Action::SetPass, 0, Group::Unlisted, "", ""},
    {"-fupc-opt-indexed", Form::Exact, Action::SetPass, 0, Group::Unlisted, "", ""},
    {"-fupc-opt-outline", Form::Exact, Action::SetPass, 0, Group::Unlisted, "", ""},
    {"-fupc-opt-unroll", Form::Exact, Action::SetPass, 0, Group::Unlisted, "", ""},
    {"-fupc-opt-columns", Form::Exact, Action::SetPass, 0, Group::Unlisted, "", ""},
    {"-fupc-opt-atomic", Form::Exact, Action::SetPass, 0, Group::Unlisted, "", ""},
    {"-fupc-full-parse", Form::Exact, Action::SetFullParse, 0, Group::Unlisted, "", ""},
    {"-uses-threads", Form::Exact, Action::UsePosixThreads, 0, Group::Upc, "",
     "the program uses POSIX threads; the same as -pthread"},

    {"-D", Form::JoinedOrSeparate, Action::Pass, kPreprocess, Group::Preprocessor, "NAME[=TEXT]", "define a macro"},
    {"-U", Form::JoinedOrSeparate, Action::Pass, kPreprocess, Group::Preprocessor, "NAME", "undefine a macro"},
    {"-I", Form::JoinedOrSeparate, Action::Pass, kPreprocess, Group::Preprocessor, "DIR", "search DIR for headers"},
    {"-include", Form::JoinedOrSeparate, Action::Pass, kPreprocess, Group::Preprocessor, "FILE", "include FILE first"},
    {"-M", Form::Exact, Action::SetMode, 0, Group::Preprocessor, "",
     "print a make rule with the files that the source includes; -MM without system headers"},
    {"-MM", Form::Exact, Action::SetMode, 0, Group::Unlisted, "", ""},
    {"-MD", Form::Exact, Action::SetDependencyMode, 0, Group::Preprocessor, "",
     "write that rule to a .d file and compile; -MMD without system headers"},
    {"-MMD", Form::Exact, Action::SetDependencyMode, 0, Group::Unlisted, "", ""},
    {"-MF", Form::JoinedOrSeparate, Action::SetDependencyFile, 0, Group::Preprocessor, "FILE", "name of the .d file"},
    {"-MT", Form::JoinedOrSeparate, Action::AddDependencyTarget, 0, Group::Preprocessor, "TARGET",
     "target of the rule; -MQ quotes it for make"},
    {"-MQ", Form::JoinedOrSeparate, Action::AddDependencyTarget, 0, Group::Unlisted, "", ""},
    {"-MP", Form::Exact, Action::AddDependencyFlag, 0, Group::Preprocessor, "", "add an empty rule for each header"},
    {"-MG", Form::Exact, Action::AddDependencyFlag, 0, Group::Unlisted, "", ""},
    {"-MJ", Form::JoinedOrSeparate, Action::SetCompileEntries, 0, Group::Preprocessor, "FILE",
     "append the command for each source to FILE, from which compile_commands.json can be made"},
    {"-imacros", Form::JoinedOrSeparate, Action::Pass, kPreprocess, Group::Unlisted, "", ""},
    {"-isystem", Form::JoinedOrSeparate, Action::Pass, kPreprocess, Group::Unlisted, "", ""},
    {"-iquote", Form::JoinedOrSeparate, Action::Pass, kPreprocess, Group::Unlisted, "", ""},
    {"-idirafter", Form::JoinedOrSeparate, Action::Pass, kPreprocess, Group::Unlisted, "", ""},
    {"-iprefix", Form::JoinedOrSeparate, Action::Pass, kPreprocess, Group::Unlisted, "", ""},
    {"-iwithprefix", Form::JoinedOrSeparate, Action::Pass, kPreprocess, Group::Unlisted, "", ""},
    {"-iwithprefixbefore", Form::JoinedOrSeparate, Action::Pass, kPreprocess, Group::Unlisted, "", ""},
    {"-isysroot", Form::JoinedOrSeparate, Action::Pass, kPreprocess | kLink, Group::Unlisted, "", ""},
    {"-nostdinc", Form::Exact, Action::Pass, kPreprocess, Group::Unlisted, "", ""},
    {"-undef", Form::Exact, Action::Pass, kPreprocess, Group::Unlisted, "", ""},
    {"-trigraphs", Form::Exact, Action::Pass, kPreprocess, Group::Unlisted, "", ""},
    {"-traditional-cpp", Form::Exact, Action::Pass, kPreprocess, Group::Unlisted, "", ""},
    {"-A", Form::Separate, Action::Pass, kPreprocess, Group::Unlisted, "", ""},
    {"-H", Form::Exact, Action::Pass, kPreprocess, Group::Unlisted, "", ""},
    {"-P", Form::Exact, Action::DumpPreprocessor, 0, Group::Unlisted, "", ""},
    {"-C", Form::Exact, Action::DumpPreprocessor, 0, Group::Unlisted, "", ""},
    {"-CC", Form::Exact, Action::DumpPreprocessor, 0, Group::Unlisted, "", ""},
    {"-fdirectives-only", Form::Exact, Action::DumpPreprocessor, 0, Group::Unlisted, "", ""},
    {"-dM", Form::Exact, Action::DumpPreprocessor, 0, Group::Unlisted, "", ""},
    {"-dD", Form::Exact, Action::DumpPreprocessor, 0, Group::Unlisted, "", ""},
    {"-dN", Form::Exact, Action::DumpPreprocessor, 0, Group::Unlisted, "", ""},
    {"-dI", Form::Exact, Action::DumpPreprocessor, 0, Group::Unlisted, "", ""},
    {"-dU", Form::Exact, Action::DumpPreprocessor, 0, Group::Unlisted, "", ""},
    {"-Wp,", Form::Joined, Action::Pass, kPreprocess, Group::Preprocessor, "OPTION", "pass OPTION to the preprocessor"},
    {"-Xpreprocessor", Form::Separate, Action::Pass, kPreprocess, Group::Unlisted, "", ""},

    {"-g", Form::Joined, Action::Debug, kCompile | kLink, Group::Compiler, "[LEVEL]", "emit debugging information"},
    {"-O", Form::Joined, Action::SetOptimisation, kAllSteps, Group::Compiler, "[LEVEL]", "optimise"},
    {"-std=", Form::Joined, Action::Standard, kSource, Group::Compiler, "STANDARD",
     "the C standard on which UPC is based: c11, gnu17, c23, ..."},
    {"-ansi", Form::Exact, Action::Standard, kSource, Group::Unlisted, "", ""},
    {"-W", Form::Joined, Action::WarningFlag, kAllSteps, Group::Compiler, "WARNING",
     "enable or disable a warning; -Werror makes them errors"},
    {"-w", Form::Exact, Action::WarningFlag, kAllSteps, Group::Compiler, "", "no warnings"},
    {"-pedantic", Form::Exact, Action::Pass, kSource, Group::Unlisted, "", ""},
    {"-pedantic-errors", Form::Exact, Action::Pass, kSource, Group::Unlisted, "", ""},
    {"-f", Form::Joined, Action::Pass, kAllSteps, Group::Compiler, "FEATURE",
     "options of the C compiler, among them -flto and -fsanitize=address,undefined"},
    {"-m", Form::Joined, Action::Pass, kAllSteps, Group::Compiler, "MACHINE",
     "options of the C compiler for the processor"},
    {"-fpreprocessed", Form::Exact, Action::Preprocessed, 0, Group::Unlisted, "", ""},
    {"-fno-preprocessed", Form::Exact, Action::Preprocessed, 0, Group::Unlisted, "", ""},
    {"-fno-asm", Form::Exact, Action::Standard, kSource, Group::Unlisted, "", ""},
    {"-fasm", Form::Exact, Action::Standard, kSource, Group::Unlisted, "", ""},
    {"-fms-extensions", Form::Exact, Action::MsExtensions, kAllSteps, Group::Unlisted, "", ""},
    {"-fno-ms-extensions", Form::Exact, Action::MsExtensions, kAllSteps, Group::Unlisted, "", ""},
    {"-fplan9-extensions", Form::Exact, Action::MsExtensions, kAllSteps, Group::Unlisted, "", ""},
    {"-fno-plan9-extensions", Form::Exact, Action::MsExtensions, kAllSteps, Group::Unlisted, "", ""},
    {"-fmax-errors=", Form::Joined, Action::MaxErrors, kCompile, Group::Compiler, "N", "stop after N errors"},
    {"-ferror-limit=", Form::Joined, Action::MaxErrors, kCompile, Group::Unlisted, "", ""},
    {"-fdiagnostics-color", Form::OptionalValue, Action::DiagnosticsColour, kSource | kLink, Group::Compiler,
     "always|never|auto", "colour messages"},
    {"-fno-diagnostics-color", Form::Exact, Action::DiagnosticsColour, kSource | kLink, Group::Unlisted, "", ""},
    {"-fcolor-diagnostics", Form::Exact, Action::DiagnosticsColour, kSource | kLink, Group::Unlisted, "", ""},
    {"-fno-color-diagnostics", Form::Exact, Action::DiagnosticsColour, kSource | kLink, Group::Unlisted, "", ""},
    {"-fdiagnostics-show-caret", Form::Exact, Action::SourceLines, kSource, Group::Unlisted, "", ""},
    {"-fno-diagnostics-show-caret", Form::Exact, Action::SourceLines, kSource, Group::Unlisted, "", ""},
    {"-fcaret-diagnostics", Form::Exact, Action::SourceLines, kSource, Group::Unlisted, "", ""},
    {"-fno-caret-diagnostics", Form::Exact, Action::SourceLines, kSource, Group::Unlisted, "", ""},
    {"-fdiagnostics-show-line-numbers", Form::Exact, Action::LineNumbers, kAllSteps, Group::Unlisted, "", ""},
    {"-fno-diagnostics-show-line-numbers", Form::Exact, Action::LineNumbers, kAllSteps, Group::Unlisted, "", ""},
    {"-fdiagnostics-show-option", Form::Exact, Action::OptionNames, kAllSteps, Group::Unlisted, "", ""},
    {"-fno-diagnostics-show-option", Form::Exact, Action::OptionNames, kAllSteps, Group::Unlisted, "", ""},
    {"-fdiagnostics-plain-output", Form::Exact, Action::PlainOutput, kAllSteps, Group::Unlisted, "", ""},
    {"-fdiagnostics-format=", Form::Joined, Action::NotForOwnMessages, kAllSteps, Group::Unlisted, "", ""},
    {"-fdiagnostics-format=text", Form::Exact, Action::Pass, kAllSteps, Group::Unlisted, "", ""},
    {"-fmessage-length=", Form::Joined, Action::NotForOwnMessages, kAllSteps, Group::Unlisted, "", ""},
    {"-fmessage-length=0", Form::Exact, Action::Pass, kAllSteps, Group::Unlisted, "", ""},
    {"-fdiagnostics-column-origin=", Form::Joined, Action::NotForOwnMessages, kAllSteps, Group::Unlisted, "", ""},
    {"-fdiagnostics-column-origin=1", Form::Exact, Action::Pass, kAllSteps, Group::Unlisted, "", ""},
    {"-fdiagnostics-column-unit=", Form::Joined, Action::NotForOwnMessages, kAllSteps, Group::Unlisted, "", ""},
    {"-fdiagnostics-column-unit=display", Form::Exact, Action::Pass, kAllSteps, Group::Unlisted, "", ""},
    {"-fsanitize=", Form::Joined, Action::Sanitize, kAllSteps, Group::Unlisted, "", ""},
    {"-fuse-ld=", Form::Joined, Action::Pass, kLink, Group::Unlisted, "", ""},
    {"-pthread", Form::Exact, Action::Pass, kAllSteps, Group::Compiler, "", "the program uses POSIX threads"},
    {"-Wc,", Form::Joined, Action::PassToCompiler, 0, Group::Compiler, "OPTION",
     "pass OPTION to the C compiler unchanged"},
    {"-Wa,", Form::Joined, Action::Pass, kCompile, Group::Compiler, "OPTION", "pass OPTION to the assembler"},
    {"-Xassembler", Form::Separate, Action::Pass, kCompile, Group::Unlisted, "", ""},
    {"-Xclang", Form::Separate, Action::Pass, kSource, Group::Unlisted, "", ""},
    {"-mllvm", Form::Separate, Action::Pass, kCompile, Group::Unlisted, "", ""},
    {"-d", Form::Joined, Action::Pass, kCompile, Group::Unlisted, "", ""},
    {"-dumpbase", Form::Separate, Action::Pass, kCompile, Group::Unlisted, "", ""},
    {"-dumpbase-ext", Form::Separate, Action::Pass, kCompile, Group::Unlisted, "", ""},
    {"-aux-info", Form::Separate, Action::Pass, kCompile, Group::Unlisted, "", ""},
    {"-dumpdir", Form::Separate, Action::Pass, kCompile, Group::Unlisted, "", ""},
    {"-p", Form::Exact, Action::Pass, kAllSteps, Group::Unlisted, "", ""},
    {"-pg", Form::Exact, Action::Pass, kAllSteps, Group::Unlisted, "", ""},
    {"-coverage", Form::Exact, Action::Pass, kAllSteps, Group::Unlisted, "", ""},
    {"--coverage", Form::Exact, Action::Pass, kAllSteps, Group::Unlisted, "", ""},
    {"-pipe", Form::Exact, Action::Pass, kCompile, Group::Unlisted, "", ""},
    {"-Q", Form::Exact, Action::Pass, kCompile, Group::Unlisted, "", ""},
    {"-time", Form::Exact, Action::Pass, kSource, Group::Unlisted, "", ""},
    {"-B", Form::JoinedOrSeparate, Action::Pass, kAllSteps, Group::Unlisted, "", ""},
    {"--sysroot", Form::Value, Action::Pass, kAllSteps, Group::Unlisted, "", ""},
    {"--param", Form::Value, Action::Pass, kAllSteps, Group::Unlisted, "", ""},
    {"-specs", Form::Value, Action::Pass, kAllSteps, Group::Unlisted, "", ""},
    {"-wrapper", Form::Separate, Action::Pass, kAllSteps, Group::Unlisted, "", ""},
    {"-target", Form::Separate, Action::Pass, kAllSteps, Group::Unlisted, "", ""},
    {"--target=", Form::Joined, Action::Pass, kAllSteps, Group::Unlisted, "", ""},
    {"-arch", Form::Separate, Action::Pass, kAllSteps, Group::Unlisted, "", ""},
    {"--gcc-toolchain=", Form::Joined, Action::Pass, kAllSteps, Group::Unlisted, "", ""},
    {"-no-canonical-prefixes", Form::Exact, Action::Pass, kAllSteps, Group::Unlisted, "", ""},
    {"-no-integrated-as", Form::Exact, Action::Pass, kCompile, Group::Unlisted, "", ""},

    {"-l", Form::JoinedOrSeparate, Action::Pass, kLink, Group::Linker, "LIBRARY", "link with a library"},
    {"-L", Form::JoinedOrSeparate, Action::Pass, kLink, Group::Linker, "DIR", "search DIR for libraries"},
    {"-Wl,", Form::Joined, Action::Pass, kLink, Group::Linker, "OPTION", "pass OPTION to the linker"},
    {"-Xlinker", Form::Separate, Action::Pass, kLink, Group::Linker, "OPTION", "the same"},
    {"-static", Form::Exact, Action::Pass, kLink, Group::Linker, "", "link statically"},
    {"-shared", Form::Exact, Action::Standalone, kLink, Group::Linker, "",
     "make a shared library, for UPC programs, Python and others; compile its sources with -fPIC"},
    {"-s", Form::Exact, Action::Pass, kLink, Group::Linker, "", "strip symbols"},
    {"-r", Form::Exact, Action::Standalone, kLink, Group::Unlisted, "", ""},
    {"-static-pie", Form::Exact, Action::Pass, kLink, Group::Unlisted, "", ""},
    {"-static-lib", Form::Joined, Action::Pass, kLink, Group::Unlisted, "", ""},
    {"-shared-libgcc", Form::Exact, Action::Pass, kLink, Group::Unlisted, "", ""},
    {"-pie", Form::Exact, Action::Pass, kLink, Group::Unlisted, "", ""},
    {"-no-pie", Form::Exact, Action::Pass, kLink, Group::Unlisted, "", ""},
    {"-nopie", Form::Exact, Action::Pass, kLink, Group::Unlisted, "", ""},
    {"-rdynamic", Form::Exact, Action::Pass, kLink, Group::Unlisted, "", ""},
    {"-rpath", Form::Separate, Action::Pass, kLink, Group::Unlisted, "", ""},
    {"-symbolic", Form::Exact, Action::Pass, kLink, Group::Unlisted, "", ""},
    {"-nostdlib", Form::Exact, Action::NoLibraries, kLink, Group::Unlisted, "", ""},
    {"-nodefaultlibs", Form::Exact, Action::NoLibraries, kLink, Group::Unlisted, "", ""},
    {"-nolibc", Form::Exact, Action::Pass, kLink, Group::Unlisted, "", ""},
    {"-nostartfiles", Form::Exact, Action::Pass, kLink, Group::Unlisted, "", ""},
    {"-rtlib=", Form::Joined, Action::Pass, kLink, Group::Unlisted, "", ""},
    {"-stdlib=", Form::Joined, Action::Pass, kSource | kLink, Group::Unlisted, "", ""},
    {"-u", Form::Separate, Action::Pass, kLink, Group::Unlisted, "", ""},
    {"-z", Form::Separate, Action::Pass, kLink, Group::Unlisted, "", ""},
    {"-e", Form::Separate, Action::Pass, kLink, Group::Unlisted, "", ""},
    {"-t", Form::Exact, Action::Pass, kLink, Group::Unlisted, "", ""},

    {"--help", Form::Exact, Action::Help, 0, Group::Information, "", "print this text"},
    {"-help", Form::Exact, Action::Help, 0, Group::Unlisted, "", ""},
    {"-h", Form::Exact, Action::Help, 0, Group::Unlisted, "", ""},
    {"--version", Form::Exact, Action::Version, 0, Group::Information, "",
     "print the versions of upcc and of the C compiler"},
    {"-version", Form::Exact, Action::Version, 0, Group::Unlisted, "", ""},
    {"-V", Form::Exact, Action::Version, 0, Group::Unlisted, "", ""},
    {"-v", Form::Exact, Action::Verbose, 0, Group::Information, "",
     "print the commands that are run; -vv: also those that the C compiler runs"},
    {"-vv", Form::Exact, Action::Verbose, 0, Group::Unlisted, "", ""},
    {"-###", Form::Exact, Action::DryRun, 0, Group::Information, "", "print the commands and run none"},
    {"-print-include-dir", Form::Exact, Action::PrintIncludeDir, 0, Group::Information, "",
     "print the folder of upc.h"},
    {"--print-include-dir", Form::Exact, Action::PrintIncludeDir, 0, Group::Unlisted, "", ""},
    {"-print-mpicc", Form::Exact, Action::PrintMpicc, 0, Group::Information, "",
     "print the compiler that is used for programs with MPI"},
    {"--print-mpicc", Form::Exact, Action::PrintMpicc, 0, Group::Unlisted, "", ""},
    {"-echo-var", Form::Value, Action::EchoVariable, 0, Group::Information, "NAME",
     "print a variable for makefiles: VERSION, CC, MPICC, CFLAGS, LIBS, INCLUDE_DIR, LIB_DIR, NETWORKS, MAX_THREADS, "
     "MAX_BLOCK_SIZE"},
    {"-print-", Form::Joined, Action::AskCompiler, 0, Group::Unlisted, "", ""},
    {"--print-", Form::Joined, Action::AskCompiler, 0, Group::Unlisted, "", ""},
    {"-dumpversion", Form::Exact, Action::AskCompiler, 0, Group::Unlisted, "", ""},
    {"-dumpfullversion", Form::Exact, Action::AskCompiler, 0, Group::Unlisted, "", ""},
    {"-dumpmachine", Form::Exact, Action::AskCompiler, 0, Group::Unlisted, "", ""},
    {"-dumpspecs", Form::Exact, Action::AskCompiler, 0, Group::Unlisted, "", ""},

    {"-nopthreads", Form::Exact, Action::ClearPthreads, 0, Group::Unlisted, "", ""},
    {"-opt", Form::Exact, Action::Note, 0, Group::Compatibility, "", "-O optimises shared accesses and loops, too"},
    {"-opt-enable", Form::OptionalValue, Action::Note, 0, Group::Compatibility, "LIST",
     "-O optimises shared accesses and loops, too; -fno-upc-opt turns that off"},
    {"-opt-disable", Form::OptionalValue, Action::Note, 0, Group::Compatibility, "LIST",
     "it names optimisations of another compiler; see -fno-upc-opt"},
    {"-hupc", Form::Exact, Action::Note, 0, Group::Compatibility, "", kFilesAreUpc},
    {"-qupc", Form::Exact, Action::Note, 0, Group::Unlisted, "", kFilesAreUpc},
    {"-smp", Form::Exact, Action::Note, 0, Group::Compatibility, "", kProcesses},
    {"-smp_local", Form::Exact, Action::Note, 0, Group::Unlisted, "", kProcesses},
    {"-n", Form::Separate, Action::Refuse, 0, Group::Compatibility, "N", kIsOfUpcrun},
    {"-np", Form::Separate, Action::Refuse, 0, Group::Unlisted, "N", kIsOfUpcrun},
    {"-lines", Form::Exact, Action::Note, 0, Group::Compatibility, "",
     "messages and debuggers always see the lines of the source"},
    {"-nolines", Form::Exact, Action::Warn, 0, Group::Compatibility, "",
     "messages and debuggers always see the lines of the source"},
    {"-norc", Form::Exact, Action::Note, 0, Group::Compatibility, "", "upcc reads no configuration files"},
    {"-conf", Form::Value, Action::Refuse, 0, Group::Compatibility, "FILE",
     "upcc reads no configuration files; put options into a file and say @FILE"},
    {"-translator", Form::Value, Action::Refuse, 0, Group::Compatibility, "PROGRAM",
     "upcc is the translator; CC chooses the C compiler"},
    {"-extern-main", Form::Exact, Action::Note, 0, Group::Compatibility, "",
     "the main program may be in any language anyway; see bupc_extern.h"},
    {"-trace", Form::Exact, Action::Note, 0, Group::Compatibility, "", "upcrun -trace traces any program"},
    {"-tv", Form::Exact, Action::Warn, 0, Group::Compatibility, "",
     "support for TotalView is not available; use gdb with -g"},
    {"-inst-local", Form::Exact, Action::SetCounts, 0, Group::Unlisted, "", ""},
    {"-inst-functions", Form::Exact, Action::Warn, 0, Group::Compatibility, "",
     "functions of the program are for profilers of C, such as perf and gprof"},
    {"-allow-deprecated", Form::Exact, Action::Note, 0, Group::Compatibility, "",
     "deprecated features need no permission"},
    {"-require-size", Form::Exact, Action::Note, 0, Group::Compatibility, "", kHeapGrows},
    {"-norequire-size", Form::Exact, Action::Note, 0, Group::Compatibility, "", kHeapGrows},
    {"-size-warn", Form::Exact, Action::Note, 0, Group::Compatibility, "", kHeapGrows},
    {"-nosize-warn", Form::Exact, Action::Note, 0, Group::Compatibility, "", kHeapGrows},
    {"-no-require-size", Form::Exact, Action::Note, 0, Group::Unlisted, "", kHeapGrows},
    {"-no-size-warn", Form::Exact, Action::Note, 0, Group::Unlisted, "", kHeapGrows},
    {"-smart-output", Form::Exact, Action::Warn, 0, Group::Compatibility, "", "the result is a.out unless -o names it"},
    {"-show-sizes", Form::Exact, Action::Warn, 0, Group::Compatibility, "",
     "sizes are those of C; a pointer-to-shared takes 16 bytes"},
    {"-heap-offset", Form::Value, Action::Note, 0, Group::Compatibility, "SIZE", kHeapGrows},
    {"-shared-heap-max", Form::Value, Action::Note, 0, Group::Compatibility, "SIZE", kHeapGrows},
    {"-fast-symptr", Form::Exact, Action::Note, 0, Group::Compatibility, "", kPointers},
    {"-Wu,", Form::Joined, Action::Warn, 0, Group::Compatibility, "OPTION", kStages},
    {"-Ww,", Form::Joined, Action::Warn, 0, Group::Compatibility, "OPTION", kStages},
    {"-fupc-pts=struct", Form::Exact, Action::Note, 0, Group::Compatibility, "", kPointers},
    {"-fupc-pts=packed", Form::Exact, Action::Warn, 0, Group::Compatibility, "", kPointers},
    {"-fupc-packed-bits=", Form::Joined, Action::Warn, 0, Group::Compatibility, "P,T,A", kPointers},
    {"-fupc-pts-vaddr-order=", Form::Joined, Action::Warn, 0, Group::Compatibility, "ORDER", kPointers},
    {"-fupc-inline-lib", Form::Exact, Action::Note, 0, Group::Compatibility, "", "shared accesses always are inline"},
    {"-fno-upc-inline-lib", Form::Exact, Action::Warn, 0, Group::Compatibility, "",
     "shared accesses always are inline"},
    {"-fupc-pre-include", Form::Exact, Action::Note, 0, Group::Compatibility, "",
     "what UPC predefines is always there"},
    {"-fno-upc-pre-include", Form::Exact, Action::Warn, 0, Group::Compatibility, "",
     "what UPC predefines is always there"},
    {"-fupc-debug", Form::Exact, Action::Note, 0, Group::Compatibility, "", "use -g to debug"},
    {"-fno-upc-debug", Form::Exact, Action::Note, 0, Group::Unlisted, "", "use -g to debug"},
    {"-fupc-instrument", Form::Exact, Action::SetCounts, 0, Group::Unlisted, "", ""},
    {"-fupc-instrument-functions", Form::Exact, Action::Warn, 0, Group::Unlisted, "",
     "functions of the program are for profilers of C, such as perf and gprof"},
};

bool starts_with(std::string_view text, std::string_view prefix)
{
    return text.substr(0, prefix.size()) == prefix;
}

bool matches(const Option& option, std::string_view argument)
{
    std::string_view spelling = option.spelling;
    switch (option.form) {
    case Form::Exact:
    case Form::Separate: return argument == spelling;
    case Form::Joined:
    case Form::JoinedOrSeparate: return starts_with(argument, spelling);
    case Form::Value:
    case Form::OptionalValue:
        return starts_with(argument, spelling) &&
               (argument.size() == spelling.size() || argument[spelling.size()] == '=');
    }
    return false;
}

// The matching row with the longest spelling
const Option* longest_match(std::string_view argument)
{
    const Option* best = nullptr;
    for (const Option& option : kOptions) {
        if (matches(option, argument) && (best == nullptr || option.spelling.size() > best->spelling.size()))
            best = &option;
    }
    return best;
}

// Berkeley's long options may be written with one or two dashes.
bool may_have_two_dashes(const Option& option)
{
    return option.form != Form::Joined && option.form != Form::JoinedOrSeparate && option.spelling.size() > 3;
}

// Number of insertions, deletions, replacements and transpositions of adjacent letters between two words
size_t edit_distance(std::string_view a, std::string_view b)
{
    std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
    for (size_t i = 0; i <= a.size(); ++i) {
        for (size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[a.size()][b.size()];
}

}  // namespace

std::span<const Option> option_table()
{
    return kOptions;
}

const Option* find_option(std::string_view argument, std::string_view& value, bool& has_value)
{
    const Option* option = longest_match(argument);
    if (option == nullptr && starts_with(argument, "--")) {
        option = longest_match(argument.substr(1));
        if (option != nullptr && !may_have_two_dashes(*option))
            option = nullptr;
        argument.remove_prefix(1);
    }
    if (option == nullptr)
        return nullptr;
    value = argument.substr(option->spelling.size());
    has_value = option->form == Form::Joined || !value.empty();
    if (option->form == Form::Value || option->form == Form::OptionalValue)
        value.remove_prefix(value.empty() ? 0 : 1);
    return option;
}

std::string_view nearest_option(std::string_view argument)
{
    constexpr size_t kFar = 3;
    constexpr size_t kLongestWord = 40;
    if (starts_with(argument, "--"))
        argument.remove_prefix(1);
    std::string_view word = argument.substr(0, argument.find('='));
    if (word.size() > kLongestWord)
        return {};
    std::string_view best;
    size_t best_distance = std::min(kFar, word.size() / 2);
    for (const Option& option : kOptions) {
        if (option.spelling.size() < 3)
            continue;
        std::string_view candidate = option.spelling;
        if (starts_with(candidate, "--"))
            candidate.remove_prefix(1);
        if (candidate.back() == '=')
            candidate.remove_suffix(1);
        size_t distance = edit_distance(word, candidate);
        if (distance < best_distance) {
            best = option.spelling;
            best_distance = distance;
        }
    }
    return best;
}

}  // namespace bn::driver
