// file.h: whole files, names of files, and files that must not outlive the driver.
#pragma once

#include <string>
#include <string_view>

namespace bn::driver {

// Reads a file; "-" is standard input.  Returns 0 or an errno value.
int read_file(const std::string& path, std::string& text_p);

// Writes a file; "-" is standard output.  Returns 0 or an errno value; on failure a partly written regular file is
// removed, except behind a symbolic link, which stays.
int write_file(const std::string& path, std::string_view text);

// Removes a partly written output if it is a regular file; devices, pipes and links do not belong to the driver.
void remove_plain_file(const char* path);

// Whether writing to `path` writes to our standard output: "-", /dev/stdout
bool is_standard_output(const std::string& path);

bool file_exists(const std::string& path);
bool is_directory(const std::string& path);
bool is_regular_file(const std::string& path);
bool is_same_file(const std::string& a, const std::string& b);  // regular files only
bool is_same_directory(const std::string& a, const std::string& b);

std::string directory_of(std::string_view path);  // "." if there is none
std::string stem_of(std::string_view path);       // name without directory and suffix
std::string suffix_of(std::string_view path);     // with the dot; empty if there is none

// After this call, SIGINT, SIGTERM, SIGHUP and SIGQUIT remove temporary files and are forwarded to the running child
// before they end the driver; SIGPIPE and SIGXFSZ do not end it, so write_file() reports their causes.
void install_signal_handlers();

// Sets the child to which signals are forwarded; 0 for none.
void set_running_child(int pid);

// Creates an empty temporary file that is removed when the driver ends for any reason except SIGKILL.
// Returns 0 or an errno value.
int make_temporary(std::string_view suffix, std::string& path_p);

// The same, but its name is `beginning` and six characters that make it new.
int make_temporary_beside(const std::string& beginning, std::string& path_p);

// Until settle_output(), `path` is removed if a signal ends the driver.
void guard_output(const std::string& path);
void settle_output();

// Removes all temporary files.
void remove_temporaries();

}  // namespace bn::driver
