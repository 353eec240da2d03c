// parse.h: the command line of a tool.
#pragma once

#include "base/log.h"

#include <cstdlib>
#include <optional>

#include <CLI/CLI.hpp>

namespace bn {

// Fills in what the options of `app` are bound to.  A value is the status to end with, and all is said: 0 after --help,
// 1 if that could not be written, 2 after a mistake, as upcrun has it (CLI11 has a number for each kind, up to 114).
inline std::optional<int> parse_command_line(CLI::App& app, int argc, char** argv)
{
    try {
        app.parse(argc, argv);
        return std::nullopt;
    } catch (const CLI::ParseError& error) {
        if (app.exit(error) != EXIT_SUCCESS)
            return 2;
        return bn_log_output_arrived() ? EXIT_SUCCESS : EXIT_FAILURE;
    }
}

}  // namespace bn
