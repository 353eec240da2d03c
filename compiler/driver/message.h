// message.h: messages of the driver itself, in the form "upcc: error: ...".  Messages about programs come from diag.
#pragma once

#include <string>
#include <string_view>

namespace bn::driver {

void error(std::string_view text);
void warning(std::string_view text);
void note(std::string_view text);

// Redirects these messages: they are appended to `text`; null sends them to standard error again.
void hold_messages(std::string* text);

// From now on, operator new ends the program if there is no memory, with a message by this name, and removes temporary
// files.
void end_without_memory(const char* program);

// Writes all of `text` to standard error in one call.
void write_stderr(std::string_view text);

std::string quote(std::string_view text);

// "No such file or directory" for ENOENT, and so on
std::string system_error(int error_number);

}  // namespace bn::driver
