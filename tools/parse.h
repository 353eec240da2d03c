// parse.h: the command line of a tool.
#pragma once

#include <cstdlib>
#include <optional>

#include <CLI/CLI.hpp>

namespace bn {

// Fills in what the options of `app` are bound to.  A value is the status to end with, and all is said: 0 after --help,
// 2 after a mistake, as upcrun has it (CLI11 has a number for each kind, up to 114).
inline std::optional<int> parse_command_line(CLI::App& app, int argc, char** argv)
{
    try {
        app.parse(argc, argv);
        return std::nullopt;
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == EXIT_SUCCESS ? EXIT_SUCCESS : 2;
    }
}

}  // namespace bn
