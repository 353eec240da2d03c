// note.h: a number that the program's file tells upcrun (runtime/boot/note.h).
#pragma once

#include <string>

namespace bn::lower {

// The definition in C of an ELF note; subject is part of its name.
std::string note_definition(const std::string& subject, int type, int number);

}  // namespace bn::lower
