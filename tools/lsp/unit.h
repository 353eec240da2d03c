// unit.h: the text of an editor, understood by the stages of the compiler.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diag/message.h"
#include "driver/translate.h"
#include "lsp/commands.h"

namespace bn::lsp {

// Longer texts are not looked at.
inline constexpr size_t kLargestText = size_t{8} << 20;

class Unit {
public:
    // The file of the command with this text in place of what is on the disk.  Changes to the folder of the command, in
    // which all that is asked of the unit later has to run, too.  Cost: the preprocessor, and upcc's own stages, all of
    // the text and its headers: some 10 ms, more for long programs.
    Unit(CompileCommand command, const std::string& text, bool wants_remarks);

    // What the C compiler says of the program in addition; once.  Cost: its own check, without code.
    void ask_compiler();
    bool may_ask_compiler() const { return result_.ok && !was_asked_; }

    // Makes the folder of the command the current one.
    void enter() const;

    const std::string& path() const { return command_.command.inputs.back().path; }
    int threads() const { return command_.command.static_threads; }
    // What upcc says, in its order, notes behind what they belong to
    const std::vector<diag::Message>& messages() const { return messages_; }
    const std::string& trouble() const { return command_.trouble; }

    // Null if the text was not preprocessed
    const driver::Origin* origin() const { return result_.origin.get(); }
    const driver::Tree* tree() const { return result_.tree.get(); }

private:
    bool preprocess(const std::string& text, const std::vector<std::string>& more, std::string& output_p,
                    std::string& errors_p);
    void note_messages_of_preprocessor(const std::string& errors, bool has_failed);
    void check_macros(const std::string& text);
    void extend_messages(const std::vector<diag::Message>& more);

    CompileCommand command_;
    driver::TranslateResult result_;
    std::vector<diag::Message> messages_;
    bool is_gcc_ = false;
    bool was_asked_ = false;
};

}  // namespace bn::lsp
