#include "driver/driver.h"

#include "driver/build.h"
#include "driver/command.h"
#include "driver/compile_entry.h"
#include "driver/file.h"
#include "driver/help.h"
#include "driver/installation.h"
#include "driver/message.h"
#include "driver/process.h"
#include "driver/variables.h"

namespace bn::driver {

namespace {

int print(const std::string& text)
{
    int error_number = write_file("-", text);
    if (error_number != 0)
        error("cannot write to standard output: " + system_error(error_number));
    return error_number != 0 ? 1 : 0;
}

int answer(const Command& command, const Installation& installation)
{
    switch (command.query) {
    case Query::Help: return print(help_text());
    case Query::Version: return print(version_text(installation, true));
    case Query::IncludeDir: return print(installation.include_dir + "/upc\n");
    case Query::MpiCompiler: return print(*variable_value(installation, "MPICC") + "\n");
    case Query::Variable: {
        const std::string& name = command.query_arguments.back();
        std::optional<std::string> value = variable_value(installation, name);
        if (value)
            return print(*value + "\n");
        error("-echo-var: there is no variable " + quote(name) + "; there are " + variable_names());
        return 1;
    }
    default: {
        std::vector<std::string> arguments = installation.compiler;
        arguments.insert(arguments.end(), command.source_flags.begin(), command.source_flags.end());
        arguments.insert(arguments.end(), command.query_arguments.begin(), command.query_arguments.end());
        return run({.arguments = arguments, .remedy = installation.compiler_remedy});
    }
    }
}

}  // namespace

int run_driver(std::vector<std::string> arguments)
{
    install_signal_handlers();
    end_without_memory("upcc");
    Command command;
    Installation installation;
    if (!expand_response_files(arguments) || !parse_command(arguments, command) || !find_installation(installation))
        return 1;
    if (!command.compiler.empty()) {
        installation.compiler = command.compiler;
        installation.compiler_remedy = "-cc chooses the C compiler, for example -cc=gcc";
    }
    if (command.uses_mpi)
        use_mpi_compiler(installation);
    if (command.query != Query::None)
        return answer(command, installation);
    if (command.uses_mpi && !command.dry_run && !find_mpi_compiler())
        return 1;
    if (command.verbose)
        write_stderr(version_text(installation, false));
    if (!has_input(command)) {  // -v alone: configure scripts read what the C compiler prints then
        std::vector<std::string> arguments = installation.compiler;
        arguments.push_back("-v");
        return run({.arguments = arguments, .remedy = installation.compiler_remedy});
    }
    if (!command.compile_entries.empty() && !command.dry_run && !append_compile_entries(command, arguments))
        return 1;
    int status = Build(command, installation).run();
    remove_temporaries();
    return status;
}

}  // namespace bn::driver
