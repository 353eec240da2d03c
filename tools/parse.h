// parse.h: the command line of a tool.
#pragma once

#include "base/log.h"

#include <cstdlib>
#include <optional>

#include <CLI/CLI.hpp>

namespace bn {

// Parses the command line into the variables that the options of `app` are bound to.  If a value is returned,
// everything has been printed, and the program must end with that exit status: 0 after --help, 1 if the help could not
// be written, 2 after a mistake, as for upcrun (CLI11 has a status of its own for each kind of mistake, up to 114).
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
