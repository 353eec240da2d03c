// root_folder.h: where this program is installed or was built.
#pragma once

#include "platform/process.h"

#include <climits>
#include <filesystem>

namespace bn {

// The folder that contains bin/ with this program, and share/
inline std::filesystem::path root_folder()
{
    char self[PATH_MAX] = "";
    bn_process_program(self);
    return std::filesystem::path(self).parent_path().parent_path();
}

}  // namespace bn
