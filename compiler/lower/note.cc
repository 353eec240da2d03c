#include "lower/note.h"

namespace bn::lower {

std::string note_definition(NoteType type, int number)
{
    const std::string subject = type == NoteType::Pthreads ? "pthreads" : "threads";
    return "static const struct { unsigned name_bytes, content_bytes, type; char name[8]; unsigned number; }\n"
           "    bn_note_" +
           subject + " __attribute__((section(\".note.banyan." + subject +
           "\"), used, aligned(4))) =\n"
           "    {7, 4, " +
           std::to_string(static_cast<int>(type)) + ", \"Banyan\", " + std::to_string(number) + "};\n";
}

}  // namespace bn::lower
