// usual_file.h: where banyan-tune puts what it has measured on this machine, and others look for it.
#pragma once

#include "coll/table.h"

#include <filesystem>

namespace bn {

// The file of this name beside the table that programs look for; empty if there is no folder for it
inline std::filesystem::path usual_file(const char* name)
{
    char table[BN_TABLE_PATH_BYTES];
    if (!bn_table_usual_path(table, sizeof table))
        return {};
    return std::filesystem::path(table).replace_filename(name);
}

}  // namespace bn
