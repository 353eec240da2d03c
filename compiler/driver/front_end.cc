#include "driver/front_end.h"

#include <algorithm>
#include <cstdlib>

#include "driver/file.h"
#include "driver/predefined.h"
#include "driver/process.h"

namespace bn::driver {

namespace {

using Arguments = std::vector<std::string>;

// The folders of CPATH, which the C compiler searches after those of -I; an empty entry is the current folder.
Arguments environment_folders()
{
    Arguments folders;
    const char* variable = std::getenv("CPATH");
    std::string_view path = variable != nullptr ? variable : "";
    for (size_t start = 0; !path.empty() && start <= path.size();) {
        size_t end = std::min(path.find(':', start), path.size());
        folders.emplace_back(end == start ? std::string_view(".") : path.substr(start, end - start));
        start = end + 1;
    }
    return folders;
}

// Whether the last option about it, in the name of the compiler or among the flags, turns off C's rule that a store as
// one type leaves objects of other types alone
bool ignores_types(const Arguments& compiler, const Arguments& flags)
{
    bool result = false;
    for (const Arguments* words : {&compiler, &flags})
        for (const std::string& word : *words)
            if (word == "-fstrict-aliasing" || word == "-fno-strict-aliasing")
                result = word == "-fno-strict-aliasing";
    return result;
}

// What the options of these names ask for, in the order of the command line
source::PrefixMap prefix_map(const Arguments& flags, std::initializer_list<std::string_view> options)
{
    source::PrefixMap map;
    for (const std::string& flag : flags)
        for (std::string_view option : options)
            if (flag.starts_with(option))
                map.add(std::string_view(flag).substr(option.size()));
    return map;
}

sema::Machine machine(std::string_view preprocessed)
{
    bool is_short = has_mark(preprocessed, "bn_has_short_wchar");
    bool is_unsigned = has_mark(preprocessed, "bn_has_unsigned_wchar");
    return {.char_is_unsigned = has_mark(preprocessed, "bn_has_unsigned_char"),
            .wide_char = is_short      ? sema::TypeKind::UShort
                         : is_unsigned ? sema::TypeKind::UInt
                                       : sema::TypeKind::Int,
            .unnamed_bit_fields_align = has_mark(preprocessed, "bn_aligns_unnamed_bit_fields"),
            .largest_alignment = has_mark(preprocessed, "bn_aligns_to_8") ? 8u : 16u};
}

}  // namespace

// All marks stand before the first struct, so the program's text need not be searched.
bool has_mark(std::string_view preprocessed, std::string_view mark)
{
    std::string_view marks = preprocessed.substr(0, preprocessed.find("bn_pointer_to_shared"));
    return marks.find(mark) != marks.npos;
}

BackEnd back_end_of(std::string_view preprocessed)
{
    return {.is_gcc = !has_mark(preprocessed, "bn_is_clang"),
            .warns_of_markers = has_mark(preprocessed, "bn_warns_of_line_markers"),
            .vectorises = has_mark(preprocessed, "bn_has_vect_cost_model")};
}

Arguments FrontEnd::upc_macros() const
{
    Arguments arguments =
        predefined_macros(command_.static_threads, command_.network, command_.uses_pthreads, installation_.include_dir);
    append(arguments, compat_macros(command_.compat));
    return arguments;
}

// Whether -I or CPATH names the folder: cc would then ignore that if -idirafter named it, too.
bool FrontEnd::is_searched(const std::string& folder) const
{
    for (const std::string& other : environment_folders()) {
        if (is_same_directory(other, folder))
            return true;
    }
    const Arguments& flags = command_.preprocess_flags;
    for (size_t i = 0; i < flags.size(); ++i) {
        if (flags[i].substr(0, 2) != "-I")
            continue;
        bool is_joined = flags[i].size() > 2;
        if (is_same_directory(is_joined ? flags[i].substr(2) : flags[i + 1], folder))
            return true;
    }
    return false;
}

Arguments FrontEnd::header_folders(const Input& input) const
{
    Arguments arguments = {"-isystem", installation_.include_dir + "/upc", "-isystem", installation_.include_dir};
    // Programs expect to find their own headers with #include <...>.
    for (const std::string& folder : {directory_of(input.path), std::string(".")}) {
        if (!is_searched(folder))
            append(arguments, {"-idirafter", folder});
        if (folder == ".")
            break;
    }
    // Headers that a program may bring itself, such as bupc_collectivev.h, which Berkeley UPC distributes for other
    // systems
    append(arguments, {"-idirafter", installation_.include_dir + "/upc/last"});
    return arguments;
}

// Newer compilers default to C23, in which "bool" cannot be declared and f() has no parameters; UPC programs are older
// than that.
Arguments FrontEnd::compiler(bool may_be_c) const
{
    Arguments arguments = installation_.compiler;
    auto is_standard = [](const std::string& word) { return word.starts_with("-std=") || word == "-ansi"; };
    bool is_said = command_.has_standard || std::any_of(arguments.begin(), arguments.end(), is_standard);
    if (!is_said && !may_be_c)
        arguments.push_back("-std=gnu17");
    return arguments;
}

Arguments FrontEnd::preprocess_arguments(const Input& input, bool is_for_translation) const
{
    Arguments arguments = compiler(false);
    append(arguments, upc_macros());
    if (is_for_translation) {  // before any -include given by the user
        append(arguments, {"-include", "banyan/hide_macros.h", "-include", "banyan/access.h"});
        if (command_.checks)
            append(arguments, {"-include", "banyan/check.h"});
        append(arguments, {"-include", "banyan/show_macros.h"});
    }
    append(arguments, command_.preprocess_flags);
    append(arguments, header_folders(input));
    return arguments;
}

Arguments FrontEnd::back_end_arguments(const char* mode, const std::string& c_file, const BackEnd& back_end) const
{
    Arguments arguments = compiler(false);
    // cc -E drops the comments that mark intended fall-through for -Wextra.
    if (command_.has_comment_warnings)
        arguments.push_back("-Wno-implicit-fallthrough");
    if (back_end.vectorises)
        arguments.push_back("-fvect-cost-model=dynamic");  // before the user's flags, which win
    append(arguments, command_.compile_flags);
    if (!back_end.is_gcc)  // clang warns that it has no use for it
        std::erase_if(arguments, [](const std::string& word) { return word.starts_with("-fmacro-prefix-map="); });
    if (back_end.warns_of_markers)
        arguments.push_back("-Wno-gnu-line-marker");  // no flag of the user's can be about lines that we write
    append(arguments, {mode, "-x", "cpp-output", c_file});
    return arguments;
}

lower::Passes FrontEnd::translation_passes() const
{
    lower::Passes passes;
    if (command_.optimises && !command_.checks && !command_.counts)
        return command_.wanted_passes;
    if (command_.optimises) {  // combining messages keeps each access in place, with its check or count
        passes.ahead = command_.wanted_passes.ahead;
        passes.behind = command_.wanted_passes.behind;
    }
    return passes;
}

TranslateOptions FrontEnd::translate_options(const Input& input, std::string_view preprocessed,
                                             int static_threads) const
{
    bool is_gcc = back_end_of(preprocessed).is_gcc;
    lower::Passes passes = translation_passes();
    passes.independent &= is_gcc;                         // the pragma is gcc's
    passes.unroll &= is_gcc && !command_.optimises_size;  // clang unrolls by itself
    passes.unroll &= !command_.is_sanitized;              // with sanitizers, gcc ignores the pragma and warns
    passes.columns &= !command_.optimises_size;           // it makes the loop eight times as long
    TranslateOptions options;
    static_cast<lower::Options&>(options) = {
        .static_threads = static_threads,
        .source_name = input.path,
        .checks = command_.checks,
        .counts = command_.counts,
        .passes = passes,
        .far_threads = command_.network == Network::Shmem,
        .calls_for_addresses = !command_.inlines,
        .own_objects = command_.uses_pthreads,
        .ignores_types = ignores_types(installation_.compiler, command_.compile_flags),
        .has_retain = has_mark(preprocessed, "bn_has_retain"),
        .debugger_script = command_.debugs ? installation_.share_dir + "/gdb.py" : "",
        .file_names = prefix_map(command_.compile_flags, {"-ffile-prefix-map=", "-fmacro-prefix-map="}),
        .debug_names = prefix_map(command_.compile_flags, {"-ffile-prefix-map=", "-fdebug-prefix-map="})};
    options.may_be_c = input.may_be_c;
    options.old_words = command_.old_words;
    options.full_parse = command_.full_parse;
    options.gnu_keywords = command_.has_gnu_keywords;
    options.ms_extensions = command_.has_ms_extensions;
    options.is_c23 = has_mark(preprocessed, "bn_is_c23");
    options.machine = machine(preprocessed);
    options.diagnostics = command_.diagnostics;
    return options;
}

}  // namespace bn::driver
