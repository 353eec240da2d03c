// message.h: what the driver itself says, in the form "upcc: error: ...".  Messages about programs are diag's.
#pragma once

#include <string>
#include <string_view>

namespace bn::driver {

void error(std::string_view text);
void warning(std::string_view text);
void note(std::string_view text);

// From now on such messages are appended there; null: they go to standard error again.
void hold_messages(std::string* text);

// Writes all of `text` to standard error at once.
void write_stderr(std::string_view text);

std::string quote(std::string_view text);

// "No such file or directory" for ENOENT, and so on
std::string system_error(int error_number);

}  // namespace bn::driver
