// whole_file.h: writes a file at once: the old contents stay if that fails.
#pragma once

#include "base/draft.h"

#include <string>

namespace bn {

// False, with errno set, if not all could be written.
inline bool write_whole_file(const std::string& file, const std::string& text)
{
    bn_draft draft;
    if (!bn_draft_begin(&draft, file.c_str()))
        return false;
    fwrite(text.data(), 1, text.size(), draft.file);
    return bn_draft_end(&draft);
}

}  // namespace bn
