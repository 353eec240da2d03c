#include "lower/note.h"

namespace bn::lower {

std::string note_definition(const std::string& subject, int type, int number)
{
    return "static const struct { unsigned name_bytes, content_bytes, type; char name[8]; unsigned number; }\n"
           "    bn_note_" +
           subject + " __attribute__((section(\".note.banyan." + subject +
           "\"), used, aligned(4))) =\n"
           "    {7, 4, " +
           std::to_string(type) + ", \"Banyan\", " + std::to_string(number) + "};\n";
}

}  // namespace bn::lower
