// back_end.h: messages of the C compiler, rewritten in terms of the source.
//
// The C compiler reads emitted C, so its messages give columns of emitted C and name objects of emitted C.  Each
// message is printed again at the source tokens from which that place in the emitted C came; names of upcc in its text
// (bn_pts_t, an expression with bn_elem()) are replaced by what the programmer wrote.  Messages duplicated because a
// loop was emitted twice are printed once; warnings that concern only upcc's own names are dropped, also where -Werror
// makes them errors.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diagnostics.h"
#include "driver/translate.h"

namespace bn::driver {

// Whether messages under these options can be rewritten: JSON and optimisation reports cannot.
bool can_retell(const std::vector<std::string>& options);

// Options to append so that the C compiler writes the format that retell() reads
std::vector<std::string> plain_messages(bool is_gcc);

struct Retold {
    std::string text;                     // the whole output
    std::vector<diag::Message> messages;  // the messages that have a place in the source
    // If all errors are warnings about upcc's own code that -Werror has made errors, their names ("shadow")
    std::set<std::string> dropped_errors;
};

// `messages` is what the C compiler wrote about `c`, the translation of the source held by `origin`.
Retold retell(std::string_view messages, std::string c, const Origin& origin, const diag::Options& options);

}  // namespace bn::driver
