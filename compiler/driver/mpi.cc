#include "driver/mpi.h"

#include "driver/file.h"

#include <string_view>

namespace bn::driver {

// Symbol names are stored in string tables, each terminated by a zero; a table may share the ends of strings.
bool names_start_of_mpi(const std::string& path)
{
    using namespace std::string_view_literals;
    static constexpr std::string_view kStarts[] = {
        "MPI_Init\0"sv,         "MPI_Init_thread\0"sv, "MPI_Session_init\0"sv,    "mpi_init_\0"sv,
        "mpi_init_thread_\0"sv, "mpi_init_f08_\0"sv,   "mpi_init_thread_f08_\0"sv};
    std::string text;
    if (path.starts_with('-') || read_file(path, text) != 0)  // an option is not a file
        return false;
    for (std::string_view start : kStarts) {
        if (text.find(start) != std::string::npos)
            return true;
    }
    return false;
}

std::string start_of_mpi()
{
    return "#if __has_include(<mpi.h>)\n"  // otherwise there is no MPI to start
           "#include <mpi.h>\n"
           "#include <stdlib.h>\n"
           "static void end(void)\n"
           "{\n"
           "    int is_ended = 0;\n"
           "    MPI_Finalized(&is_ended);\n"
           "    if (!is_ended)\n"
           "        MPI_Finalize();\n"
           "}\n"
           "static void begin(int *argc, char ***argv)\n"
           "{\n"
           "    int is_started = 0;\n"
           "    MPI_Initialized(&is_started);\n"
           "    if (!is_started)\n"
           "        MPI_Init(argc, argv);\n"
           "    atexit(end);\n"
           "}\n"
           "void (*bn_option_begin_mpi)(int *, char ***) = begin;\n"
           "#endif\n";
}

}  // namespace bn::driver
