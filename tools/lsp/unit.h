// unit.h: the text in an editor, analysed by the stages of the compiler.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diag/message.h"
#include "driver/front_end.h"
#include "driver/translate.h"
#include "lsp/commands.h"

namespace bn::lsp {

// Longer texts are not analysed.
inline constexpr size_t kLargestText = size_t{8} << 20;

class Unit {
public:
    // Analyses the file of the command with this text instead of its contents on disk.  Changes to the folder of the
    // command, in which all later requests about the unit must run, too.  Cost: the preprocessor and upcc's own stages,
    // over the whole text and its headers: some 10 ms, more for long programs.
    Unit(CompileCommand command, const std::string& text, bool wants_remarks);

    // Adds the messages of the C compiler; called once.  Cost: the C compiler's own check, without code generation.
    void ask_compiler();
    bool may_ask_compiler() const { return result_.ok && !was_asked_; }

    // Makes the command's folder the current one.
    void enter() const;

    const std::string& path() const { return command_.command.inputs.back().path; }
    int threads() const { return command_.command.static_threads; }
    // upcc's messages in order, each followed by its notes
    const std::vector<diag::Message>& messages() const { return messages_; }
    const std::string& trouble() const { return command_.trouble; }

    // Null if the text could not be preprocessed
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
    driver::BackEnd back_end_;
    bool was_asked_ = false;
};

}  // namespace bn::lsp
