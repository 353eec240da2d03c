// back_end.h: messages of the C compiler, told in terms of the source.
//
// The C compiler reads emitted C, so its columns are those of emitted C, and it names what emitted C is made of.  A
// message is printed again where the tokens stand that the place in emitted C came from; what is of upcc in its words
// (bn_pts_t, an expression with bn_elem()) becomes what the programmer wrote.  What is said twice, since a loop was
// emitted twice, is told once; warnings of nothing but upcc's own names are left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diag/diagnostics.h"
#include "driver/translate.h"

namespace bn::driver {

// Whether messages that these options ask for can be told again: neither JSON nor reports of the optimiser can.
bool can_retell(const std::vector<std::string>& options);

// Options, to stand last, that make the C compiler write what retell() reads.
std::vector<std::string> plain_messages(bool is_gcc);

struct Retold {
    std::string text;                     // all of it
    std::vector<diag::Message> messages;  // what of it has a place in the source
};

// `messages` is what the C compiler wrote about `c`, which was translated from what `origin` holds.
Retold retell(std::string_view messages, std::string c, const Origin& origin, const diag::Options& options);

}  // namespace bn::driver
