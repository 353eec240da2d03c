// diag_fixture.h: a source file on disk, its preprocessed text, and tokens to point at.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "diag/diagnostics.h"
#include "lex/lex.h"
#include "source/source.h"

namespace bn::diag {

class DiagTest : public ::testing::Test {
protected:
    void SetUp() override
    {
        char pattern[] = "/tmp/diag_test-XXXXXX";
        ASSERT_NE(mkdtemp(pattern), nullptr);
        directory_ = pattern;
        home_ = std::filesystem::current_path();
        std::filesystem::current_path(directory_);
    }

    void TearDown() override
    {
        std::filesystem::current_path(home_);
        std::filesystem::remove_all(directory_);
    }

    // `text` is t.upc on disk; `preprocessed` follows its line marker.
    void load(const std::string& text, const std::string& preprocessed)
    {
        std::ofstream("t.upc", std::ios::binary) << text;
        source_ = std::make_unique<source::Source>("# 1 \"t.upc\"\n" + preprocessed, "t.upc");
        tokens_ = lex::lex(*source_);
    }
    void load(const std::string& text) { load(text, text); }

    // The n-th token (from 1) with this text
    lex::TokenIndex token(std::string_view text, int nth = 1) const
    {
        for (lex::TokenIndex i = 1; i < tokens_.tokens.size(); ++i) {
            if (tokens_.text(i) == text && --nth == 0)
                return i;
        }
        ADD_FAILURE() << "no token " << text;
        return 0;
    }

    lex::TokenIndex end() const { return static_cast<lex::TokenIndex>(tokens_.tokens.size() - 1); }

    // The output for one error at this range
    std::string error_at(Range range, const Options& options = {})
    {
        Diagnostics diagnostics(tokens_, options);
        diagnostics.report(Id::Expected, range, {"X", "Y"});
        return diagnostics.output();
    }
    std::string error_at(lex::TokenIndex at) { return error_at({at, at, at}); }

    std::unique_ptr<source::Source> source_;
    lex::TokenList tokens_;

private:
    std::filesystem::path directory_;
    std::filesystem::path home_;
};

}  // namespace bn::diag
