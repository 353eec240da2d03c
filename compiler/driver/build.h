// build.h: carries out a command: preprocess, translate, compile, link.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/command.h"
#include "driver/front_end.h"
#include "driver/installation.h"
#include "driver/translate.h"

namespace bn::driver {

class Build {
public:
    Build(const Command& command, const Installation& installation)
        : command_(command), installation_(installation), front_end_(command, installation)
    {
    }

    // Returns the exit status of the driver.
    int run();

private:
    int make(const Input& input, std::string& object_p);
    int make_upc(const Input& input, const std::string& output);
    int precompile(const Input& input, const std::string& output);
    int make_foreign(const Input& input, const std::string& output);
    int write_rule(const Input& input);
    int copy_preprocessed(const Input& input);
    int preprocess_interface(const Input& input, std::string& text_p);
    int preprocess_only(const Input& input);
    int preprocess(const Input& input, std::string& text_p, std::string& messages_p);
    int read_text(const std::string& path, std::string& text_p) const;
    int read_preprocessed(const Input& input, std::string& text_p);
    int translate_to_c(const Input& input);
    int run_back_end(std::vector<std::string> arguments);
    void check_macros(const Input& input, TranslateResult& result) const;
    bool read_without_threads(const Input& input, TranslateResult& result_p) const;
    bool can_be_read_again(const Input& input) const;
    int compile_source(const Input& input, const std::string& output);
    int compile_in_steps(const Input& input, const std::string& output);
    // link.cc
    int link(const std::vector<std::string>& objects);
    bool starts_mpi(const std::vector<std::string>& objects) const;
    std::string run_time_settings(const std::vector<std::string>& objects) const;
    int make_settings_object(const std::string& c, std::string& object_p);

    std::vector<std::string> compile_arguments(const char* flag, const std::string& c_file,
                                               const std::string& output) const;
    std::vector<std::string> dependency_arguments(const Input& input) const;
    int temporary(const char* suffix, std::string& path_p) const;
    int object_beside_program(const Input& input, std::string& path_p) const;
    int save_temporary(const char* suffix, const std::string& text, std::string& path_p) const;
    int save(const std::string& path, const std::string& text) const;
    // Whether a run of the C compiler is the first to read a source, which writes the rules for make
    enum class Reading : bool { First, Again };
    int run_job(std::vector<std::string> arguments, std::string* output = nullptr, std::string* errors = nullptr,
                Reading reading = Reading::Again) const;

    const Command& command_;
    const Installation& installation_;
    const FrontEnd front_end_;
    // State of the unit translated last
    std::string c_;  // its translation
    std::unique_ptr<Origin> origin_;
    BackEnd back_end_;              // how it is compiled
    bool is_plain_c_ = false;       // it uses no UPC, and the back end can read its source directly
    bool has_own_threads_ = false;  // THREADS is an ordinary C name in it
};

}  // namespace bn::driver
