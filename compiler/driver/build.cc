#include "driver/build.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string_view>

#include "driver/back_end.h"
#include "driver/file.h"
#include "driver/macros.h"
#include "driver/message.h"
#include "driver/names.h"
#include "driver/process.h"
#include "driver/translate.h"
#include "source/source.h"

namespace bn::driver {

namespace {

using Arguments = std::vector<std::string>;

const char* mode_flag(Mode mode)
{
    switch (mode) {
    case Mode::Preprocess: return "-E";
    case Mode::Assembly: return "-S";
    case Mode::CheckSyntax: return "-fsyntax-only";
    default: return "-c";
    }
}

constexpr const char* kPreprocessed = "-fpreprocessed";

// With -T the preprocessor replaces THREADS, so its output contains a line marker that says by what: one at the line of
// that number in a file of this name (include/banyan/static_threads.h).  With -P it is the only one, in the first line.
constexpr std::string_view kThreadsMark = "\"<upcc -T>\"";

std::string threads_mark(int static_threads)
{
    return static_threads == 0 ? "" : "# " + std::to_string(static_threads) + " " + std::string(kThreadsMark) + "\n";
}

// 0 if there is no such marker
int threads_of_preprocessed(const std::string& text)
{
    size_t mark = text.find(kThreadsMark);
    size_t number = mark != text.npos ? text.rfind("\n", mark) + 1 : text.npos;  // the first line is after npos, too
    return number != text.npos && text[number] == '#' ? std::atoi(text.c_str() + number + 1) : 0;
}

// Why -Rupc has nothing to say; empty if it may have something.  Tools get only remarks.
std::string_view why_no_remarks(const Command& command)
{
    bool translates = std::any_of(command.inputs.begin(), command.inputs.end(), [](const Input& input) {
        return input.language == Language::Upc || input.language == Language::PreprocessedUpc;
    });
    if (command.diagnostics.remarks != diag::Remarks::Text || !translates || command.mode == Mode::Preprocess)
        return "";
    if (!command.optimises)
        return "-Rupc: no loop is optimised at -O0 or -Og; add -O2";
    if (command.checks || command.counts)
        return "-Rupc: no loop is optimised with -fcheck or -inst, which need each access as it is written";
    if (command.wanted_passes == lower::Passes{})
        return "-Rupc: -fno-upc-opt turns off all that it could report; leave it out";
    return "";
}

}  // namespace

int Build::run_job(Arguments arguments, std::string* output, std::string* errors, Reading reading) const
{
    bool is_linker = !command_.linker.empty() && arguments[0] == command_.linker[0];
    std::string remedy = is_linker ? "-link-with chooses the program that links, for example -link-with=g++"
                                   : installation_.compiler_remedy;
    return driver::run({.arguments = std::move(arguments),
                        .output = output,
                        .errors = errors,
                        .remedy = std::move(remedy),
                        .is_shown = command_.verbose,
                        .is_dry = command_.dry_run,
                        .writes_rules = reading == Reading::First});
}

int Build::run()
{
    Arguments objects(command_.inputs.size());
    int status = 0;
    bool has_source = false;
    if (std::string_view text = why_no_remarks(command_); !text.empty())
        note(text);
    for (size_t i = 0; i < command_.inputs.size(); ++i) {
        has_source = has_source || command_.inputs[i].language != Language::Object;
        int input_status = make(command_.inputs[i], objects[i]);
        status = status != 0 ? status : input_status;
    }
    if (command_.verbose && command_.static_threads != 0 && !has_source)
        note("-T only affects sources; objects keep the number of threads for which they were compiled");
    if (command_.mode == Mode::Link && status == 0)
        status = link(objects);
    else if (command_.verbose && command_.mode != Mode::Link && command_.shared_heap_bytes)
        note("-shared-heap only affects the link");
    return status;
}

// ---- One input ----

int Build::make(const Input& input, std::string& object_p)
{
    std::string output;
    int status = 0;
    switch (command_.mode) {
    case Mode::Link:
        if (input.language == Language::Object)
            output = input.path;
        else if (command_.save_temps != SaveTemps::No)
            output = kept_file(command_, input, ".o");
        else if (command_.leaves_notes)
            status = object_beside_program(input, output);
        else
            status = temporary(".o", output);
        break;
    case Mode::Compile:
        output =
            input.is_precompiled && command_.output.empty() ? input.path + ".gch" : output_of(command_, input, ".o");
        break;
    case Mode::Assembly: output = output_of(command_, input, ".s"); break;
    case Mode::Translate: output = output_of(command_, input, ".trans.c"); break;
    case Mode::Preprocess:
    case Mode::CheckSyntax: output = command_.output; break;
    }
    object_p = output;
    if (status != 0 || input.language == Language::Object)
        return status;
    bool writes_rule = !command_.dependencies.mode.empty();
    if (!spares_inputs(command_, output) || (writes_rule && !spares_inputs(command_, dependency_file(command_, input))))
        return 1;
    if (input.language == Language::Foreign)
        return make_foreign(input, output);
    if (input.is_precompiled && command_.mode == Mode::Compile)
        return precompile(input, output);
    return command_.mode == Mode::Preprocess ? preprocess_only(input) : make_upc(input, output);
}

int Build::make_foreign(const Input& input, const std::string& output)
{
    if (command_.mode == Mode::Translate) {
        warning(input.path + ": is not UPC; there is nothing to translate");
        return 0;
    }
    Arguments arguments = installation_.compiler;
    append(arguments, command_.source_flags);
    if (command_.is_preprocessed)
        arguments.push_back(kPreprocessed);
    append(arguments, dependency_arguments(input));
    if (command_.mode == Mode::Preprocess) {
        append(arguments, command_.dump_flags);
        if (command_.verbose)
            arguments.push_back("-v");  // Meson reads which folders are searched
    }
    if (!command_.rule_flag.empty())
        arguments.push_back(command_.rule_flag);
    arguments.push_back(mode_flag(command_.mode));
    if (!input.cc_language.empty())
        append(arguments, {"-x", input.cc_language});
    arguments.push_back(input.path);
    if (!output.empty() && command_.mode != Mode::CheckSyntax)
        append(arguments, output_arguments(output));
    return run_job(std::move(arguments), nullptr, nullptr, Reading::First);
}

// The C compiler precompiles C.  A header of UPC is read as text wherever it is included, so it is only checked; gcc
// passes over a file in the place of the precompiled header that is none.
int Build::precompile(const Input& input, const std::string& output)
{
    std::string c_file;
    int status = translate_to_c(input);
    if (status == 0 && is_plain_c_)
        return compile_source(input, output);
    if (status == 0)
        status = save_temporary(".i", c_, c_file);
    if (status == 0)
        status = run_back_end(compile_arguments("-c", c_file, output));
    return status != 0 ? status : save(output, "This header is UPC, which upcc reads as text.\n");
}

int Build::make_upc(const Input& input, const std::string& output)
{
    int status = translate_to_c(input);
    if (status == 0 && command_.mode == Mode::Translate)
        return save(output, c_);
    bool keeps = command_.save_temps != SaveTemps::No;
    // A file instead of a pipe: clang takes the file name for the debugging information from the first line only if it
    // reads a file.
    std::string c_file = kept_file(command_, input, ".trans.c");
    if (status == 0 && !is_plain_c_)
        status = keeps ? save(c_file, c_) : save_temporary(".i", c_, c_file);
    if (status == 0 && is_plain_c_)
        status = compile_source(input, output);
    else if (status == 0 && keeps && command_.mode != Mode::CheckSyntax)
        status = compile_in_steps(input, output);
    else if (status == 0)
        status = run_back_end(compile_arguments(mode_flag(command_.mode), c_file, output));
    bool leaves_rule = !command_.dependencies.mode.empty() && !is_standard_output(dependency_file(command_, input));
    if (status != 0 && leaves_rule && !command_.dry_run)
        remove_plain_file(dependency_file(command_, input).c_str());
    return status;
}

// ---- Preprocessing ----

Arguments Build::dependency_arguments(const Input& input) const
{
    const Dependencies& dependencies = command_.dependencies;
    Arguments arguments = dependencies.targets;
    append(arguments, dependencies.flags);
    if (dependencies.mode.empty()) {
        if (!dependencies.file.empty())
            append(arguments, {"-MF", dependencies.file});
        return arguments;
    }
    append(arguments, {dependencies.mode, "-MF", dependency_file(command_, input)});
    if (dependencies.targets.empty())
        append(arguments, {"-MQ", rule_target(command_, input)});
    return arguments;
}

// The rule of a source that is preprocessed already, which names nothing but that source
int Build::write_rule(const Input& input)
{
    Arguments arguments = installation_.compiler;
    append(arguments, dependency_arguments(input));
    bool is_all = !command_.rule_flag.empty();  // and not beside other output
    append(arguments, {"-nostdinc", is_all ? command_.rule_flag : "-E", "-x", "c", input.path});
    append(arguments, output_arguments(!is_all ? "/dev/null" : command_.output.empty() ? "-" : command_.output));
    return run_job(std::move(arguments), nullptr, nullptr, Reading::First);
}

// For clang, which has no -fpreprocessed: the text is what it would be asked for.
int Build::copy_preprocessed(const Input& input)
{
    std::string text;
    int status = command_.dependencies.mode.empty() ? 0 : write_rule(input);
    if (status == 0)
        status = read_text(input.path, text);
    if (status != 0)
        return status;
    std::string mark = threads_of_preprocessed(text) == 0 ? threads_mark(command_.static_threads) : "";
    return save(command_.output.empty() ? "-" : command_.output, mark + text);
}

// What precedes the text of a program
int Build::preprocess_interface(const Input& input, std::string& text_p)
{
    Arguments arguments = front_end_.preprocess_arguments(input, true);
    append(arguments, {"-E", "-x", "c", "/dev/null"});
    return run_job(std::move(arguments), &text_p);
}

int Build::preprocess_only(const Input& input)
{
    Arguments arguments = front_end_.preprocess_arguments(input, false);
    append(arguments, command_.dump_flags);
    if (command_.is_preprocessed && !command_.rule_flag.empty())
        return write_rule(input);
    if (command_.is_preprocessed) {
        std::string interface;
        if (int status = preprocess_interface(input, interface); status != 0)
            return status;
        if (!command_.dry_run && !back_end_of(interface).is_gcc)
            return copy_preprocessed(input);
        arguments.push_back(kPreprocessed);
    }
    if (command_.verbose)
        arguments.push_back("-v");  // Meson reads which folders are searched
    append(arguments, dependency_arguments(input));
    bool writes_rule = !command_.rule_flag.empty() || !command_.dependencies.mode.empty();
    bool is_for_threads = command_.static_threads != 0 && input.language == Language::Upc && !writes_rule;
    auto has = [&](const char* flag) { return std::ranges::count(command_.dump_flags, flag) > 0; };
    bool has_markers = !has("-P") || has("-dM");
    if (is_for_threads && has_markers)
        append(arguments, {"-include", "banyan/static_threads.h"});
    if (!command_.rule_flag.empty())
        arguments.push_back(command_.rule_flag);
    append(arguments, {"-E", "-x", input.language == Language::PreprocessedUpc ? "cpp-output" : "c", input.path});
    if (is_for_threads && !has_markers) {
        std::string text;
        int status = run_job(std::move(arguments), &text, nullptr, Reading::First);
        std::string output = command_.output.empty() ? "-" : command_.output;
        return status != 0 ? status : save(output, threads_mark(command_.static_threads) + text);
    }
    if (!command_.output.empty())
        append(arguments, output_arguments(command_.output));
    return run_job(std::move(arguments), nullptr, nullptr, Reading::First);
}

// If plain C will be compiled from its source afterwards, the compiler repeats its messages, so they are held back
// here.
int Build::preprocess(const Input& input, std::string& text_p, std::string& messages_p)
{
    Arguments arguments = front_end_.preprocess_arguments(input, true);
    append(arguments, dependency_arguments(input));
    bool is_kept = can_be_read_again(input);
    if (is_kept && command_.diagnostics.colour)
        arguments.push_back("-fdiagnostics-color=always");  // needed because we read the messages through a pipe
    append(arguments, {"-E", "-x", "c", input.path});
    std::string* errors = is_kept ? &messages_p : nullptr;
    if (!is_standard_output(command_.dependencies.file))
        return run_job(std::move(arguments), &text_p, errors, Reading::First);
    // The rule goes to standard output, so the text must not.
    std::string file;
    if (temporary(".i", file) != 0)
        return 1;
    append(arguments, output_arguments(file));
    int status = run_job(std::move(arguments), nullptr, errors, Reading::First);
    return status != 0 ? status : read_text(file, text_p);
}

int Build::read_text(const std::string& path, std::string& text_p) const
{
    int error_number = command_.dry_run ? 0 : read_file(path, text_p);
    if (error_number != 0)
        error(path + ": " + system_error(error_number));
    return error_number != 0 ? 1 : 0;
}

// Text preprocessed by -E or by another preprocessor lacks the declarations on which emitted C is built.
int Build::read_preprocessed(const Input& input, std::string& text_p)
{
    std::string program;
    int status = read_text(input.path, program);
    if (status != 0)
        return status;
    int threads = threads_of_preprocessed(program);
    if (threads != 0 && threads != command_.static_threads) {
        error(input.path + ": preprocessed with -T " + std::to_string(threads) + "; use it in both steps");
        return 1;
    }
    bool has_interface = program.find("struct bn_pointer_to_shared") != program.npos;
    if (has_interface && command_.checks && program.find("struct bn_check_map") == program.npos) {
        error(input.path + ": preprocessed without -fcheck; use it in both steps");
        return 1;
    }
    if (!has_interface)
        status = preprocess_interface(input, text_p);
    std::string mark = threads_mark(threads);
    bool is_only_marker = !mark.empty() && program.starts_with(mark);
    program.erase(0, is_only_marker ? mark.size() : 0);
    text_p += (is_only_marker ? "# 2 " : "# 1 ") + source::quoted_name(input.path) + "\n" + program;
    return status;
}

// ---- Translation and the steps after it ----

// Plain C may use UPC keywords in any way.
void Build::check_macros(const Input& input, TranslateResult& result) const
{
    bool is_c = input.may_be_c && result.ok && !result.uses_upc;
    if (is_c || !is_regular_file(input.path))
        return;
    Arguments arguments = front_end_.preprocess_arguments(input, true);
    append(arguments, {"-dD", "-E", "-x", "c", input.path});
    std::string definitions;
    std::string messages_as_before;
    if (run_job(std::move(arguments), &definitions, &messages_as_before) != 0)
        return;
    MacroCheck check =
        driver::check_macros(std::move(definitions), input.path, front_end_.upc_macros(), command_.diagnostics);
    result.ok &= check.ok;
    result.messages = check.text + result.messages;
}

// With -T N the preprocessor replaces THREADS; if THREADS is an ordinary C name, the resulting text makes no sense.
bool Build::read_without_threads(const Input& input, TranslateResult& result_p) const
{
    bool may_be_c = input.may_be_c && input.language == Language::Upc && is_regular_file(input.path);
    if (command_.static_threads == 0 || !may_be_c || (result_p.ok && result_p.uses_upc))
        return false;
    Arguments arguments = front_end_.preprocess_arguments(input, true);
    append(arguments, {"-UTHREADS", "-E", "-x", "c", input.path});
    std::string text;
    std::string messages_as_before;
    if (run_job(std::move(arguments), &text, &messages_as_before) != 0)
        return false;
    TranslateOptions options = front_end_.translate_options(input, text, 0);
    TranslateResult result = translate(std::move(text), options);
    if (!result.ok || result.uses_upc || result.names_of_c.find("'THREADS'") == std::string::npos)
        return false;
    result_p = std::move(result);
    return true;
}

int Build::translate_to_c(const Input& input)
{
    bool is_preprocessed = input.language == Language::PreprocessedUpc;
    std::string text;
    std::string messages;
    is_plain_c_ = false;
    origin_.reset();
    int status = is_preprocessed ? read_preprocessed(input, text) : preprocess(input, text, messages);
    if (status == 0 && command_.is_preprocessed && !command_.dependencies.mode.empty())
        status = write_rule(input);
    if (status != 0 || command_.dry_run) {
        write_stderr(messages);
        return status;
    }
    if (command_.save_temps != SaveTemps::No && !is_preprocessed &&
        save(kept_file(command_, input, ".i"), threads_mark(command_.static_threads) + text) != 0)
        return 1;
    BackEnd back_end = back_end_of(text);
    bool is_narrow = has_mark(text, "bn_is_too_narrow");
    bool lacks_macros = has_mark(text, "bn_lacks_macros");
    bool may_define_keyword = !is_preprocessed && driver::may_define_keyword(text, command_.preprocess_flags);
    TranslateOptions options = front_end_.translate_options(input, text, command_.static_threads);
    TranslateResult result = translate(std::move(text), options);
    has_own_threads_ = read_without_threads(input, result);
    if (may_define_keyword)
        check_macros(input, result);
    is_plain_c_ = result.ok && result.is_plain_c && can_be_read_again(input);
    write_stderr(is_plain_c_ ? result.messages : messages + result.messages);
    if (command_.verbose && !result.names_of_c.empty())
        note(input.path + ": " + (result.uses_upc ? "names of C in headers: " : "nothing here is UPC; names of C: ") +
             result.names_of_c);
    if (!result.ok)
        return 1;
    if (result.uses_upc && !fits_upc(command_, input.path))
        return 1;
    if (is_narrow && !result.is_plain_c) {
        error(input.path + ": UPC needs pointers of 64 bits, as on x86-64 and aarch64; do not use -m32 and similar "
                           "options");
        return 1;
    }
    if (lacks_macros && !is_plain_c_) {
        error(input.path + ": the headers of UPC need macros that the C compiler predefines, such as "
                           "__SIZEOF_POINTER__; do not use -undef");
        return 1;
    }
    c_ = std::move(result.c);
    origin_ = std::move(result.origin);
    back_end.vectorises &= result.has_own_loops;
    back_end_ = back_end;
    return 0;
}

Arguments Build::compile_arguments(const char* flag, const std::string& c_file, const std::string& output) const
{
    Arguments arguments = front_end_.back_end_arguments(flag, c_file, back_end_);
    if (command_.mode != Mode::CheckSyntax)
        append(arguments, output_arguments(output));
    return arguments;
}

// Compiles the translation of the last unit; the C compiler's messages are rewritten in terms of the source.  If
// -Werror makes it fail for nothing but warnings about upcc's own code, compiles again with these as warnings.
int Build::run_back_end(Arguments arguments)
{
    if (origin_ == nullptr || !can_retell(command_.compile_flags))
        return run_job(std::move(arguments));
    append(arguments, plain_messages(back_end_.is_gcc));
    std::set<std::string> lifted;
    std::string messages;
    Retold retold;
    int status;
    bool tries_again;
    do {
        messages.clear();
        status = run_job(arguments, nullptr, &messages);
        retold = retell(messages, c_, *origin_, command_.diagnostics);
        tries_again = false;
        for (const std::string& name : retold.dropped_errors)
            if (status != 0 && lifted.insert(name).second) {
                arguments.push_back("-Wno-error=" + name);
                tries_again = true;
            }
    } while (tries_again);
    // If a pragma has made errors of warnings, they remain, and nothing else says why there is no output.
    bool explains = status == 0 || retold.dropped_errors.empty();
    write_stderr(explains ? retold.text : messages);
    return status;
}

// Whether the C compiler can compile the source itself, and none of the intermediate results is wanted
bool Build::can_be_read_again(const Input& input) const
{
    bool only_compiles = command_.mode != Mode::Translate && command_.save_temps == SaveTemps::No;
    return input.language == Language::Upc && only_compiles && !command_.full_parse && is_regular_file(input.path);
}

// Compiles plain C from its source, so that warnings respect macros and comments, -g3 records macros, and "#pragma GCC
// target" sets macros.
int Build::compile_source(const Input& input, const std::string& output)
{
    Arguments arguments = front_end_.compiler(input.may_be_c);
    append(arguments, front_end_.upc_macros());
    append(arguments, command_.source_flags);
    append(arguments, front_end_.header_folders(input));
    if (has_own_threads_)
        arguments.push_back("-UTHREADS");
    append(arguments, {mode_flag(command_.mode), "-x", input.is_precompiled ? "c-header" : "c", input.path});
    if (command_.mode != Mode::CheckSyntax)
        append(arguments, output_arguments(output));
    return run_job(std::move(arguments));
}

// Keeps the assembly as well.
int Build::compile_in_steps(const Input& input, const std::string& output)
{
    std::string assembly = command_.mode == Mode::Assembly ? output : kept_file(command_, input, ".s");
    int status = run_back_end(compile_arguments("-S", kept_file(command_, input, ".trans.c"), assembly));
    if (status != 0 || command_.mode == Mode::Assembly)
        return status;
    Arguments arguments = installation_.compiler;
    for (const std::string& flag : command_.compile_flags) {
        if (flag.substr(0, 2) != "-g")  // the assembly already contains the debugging information
            arguments.push_back(flag);
    }
    append(arguments, {"-c", assembly, "-o", output});
    return run_job(std::move(arguments));
}

// ---- Linking ----

// ---- Files ----

int Build::temporary(const char* suffix, std::string& path_p) const
{
    if (command_.dry_run) {
        path_p = std::string("/tmp/upcc-XXXXXX") + suffix;
        return 0;
    }
    int error_number = make_temporary(suffix, path_p);
    if (error_number != 0)
        error("cannot make a temporary file: " + system_error(error_number) + "; set TMPDIR to choose another folder");
    return error_number != 0 ? 1 : 0;
}

// The C compiler derives the names of its auxiliary output files from the object without its suffix, so the object gets
// the stem that the C compiler would choose, but a suffix of its own: PROGRAM-STEM.o may exist and be somebody's.
int Build::object_beside_program(const Input& input, std::string& path_p) const
{
    std::string beginning = stem_beside_program(command_, input) + ".o";
    path_p = beginning + "XXXXXX";
    int error_number = command_.dry_run ? 0 : make_temporary_beside(beginning, path_p);
    if (error_number != 0)
        error("cannot make " + quote(path_p) + ": " + system_error(error_number));
    return error_number != 0 ? 1 : 0;
}

int Build::save_temporary(const char* suffix, const std::string& text, std::string& path_p) const
{
    int status = temporary(suffix, path_p);
    return status != 0 ? status : save(path_p, text);
}

int Build::save(const std::string& path, const std::string& text) const
{
    if (command_.dry_run)
        return 0;
    if (!spares_inputs(command_, path))
        return 1;
    int error_number = write_file(path, text);
    if (error_number != 0)
        error("cannot write " + quote(path) + ": " + system_error(error_number));
    return error_number != 0 ? 1 : 0;
}

}  // namespace bn::driver
