// note.h: ELF notes by which an executable passes a number to upcrun (runtime/boot/note.h).
#pragma once

#include <string>

namespace bn::lower {

enum class NoteType : int { Pthreads = 2, Threads = 3 };

// The C definition of an ELF note
std::string note_definition(NoteType type, int number);

}  // namespace bn::lower
