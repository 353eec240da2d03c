// front_end.h: what a command implies for one source: arguments of the preprocessor, options of the translation, and
// arguments of the C compiler for the result.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "driver/command.h"
#include "driver/installation.h"
#include "driver/translate.h"

namespace bn::driver {

// Whether banyan/access.h has left this mark in preprocessed text: something about the back end, by its macros
bool has_mark(std::string_view preprocessed, std::string_view mark);

// The C compiler and what it is to do with a unit
struct BackEnd {
    bool is_gcc = false;
    bool warns_of_markers = false;  // it may warn of the lines that tell where the C comes from
    bool vectorises = false;        // it vectorises loops over the elements of a thread only if asked to
};

// The C compiler that has preprocessed text that includes banyan/access.h
BackEnd back_end_of(std::string_view preprocessed);

class FrontEnd {
public:
    // Both must outlive it.
    FrontEnd(const Command& command, const Installation& installation) : command_(command), installation_(installation)
    {
    }

    // The C compiler, with the C standard on which UPC builds unless one was given.  A file that may be C gets cc's
    // default.
    std::vector<std::string> compiler(bool may_be_c) const;

    // The preprocessor and its arguments except "-E", the language and the file
    std::vector<std::string> preprocess_arguments(const Input& input, bool is_for_translation) const;
    // The macros defined by these arguments, and the folders searched; relative folders start at the current directory
    std::vector<std::string> upc_macros() const;
    std::vector<std::string> header_folders(const Input& input) const;

    // The C compiler and its arguments for emitted C, except "-o"; mode is "-c", "-S", "-fsyntax-only"
    std::vector<std::string> back_end_arguments(const char* mode, const std::string& c_file,
                                                const BackEnd& back_end) const;

    // static_threads: -T N, or 0
    TranslateOptions translate_options(const Input& input, std::string_view preprocessed, int static_threads) const;

private:
    bool is_searched(const std::string& folder) const;
    lower::Passes translation_passes() const;

    const Command& command_;
    const Installation& installation_;
};

}  // namespace bn::driver
