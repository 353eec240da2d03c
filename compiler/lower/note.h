// note.h: a number that the program's file tells upcrun (runtime/boot/note.h).
#pragma once

#include <string>

namespace bn::lower {

enum class NoteType : int { Pthreads = 2, Threads = 3 };

// The definition in C of an ELF note
std::string note_definition(NoteType type, int number);

}  // namespace bn::lower
