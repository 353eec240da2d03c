// interruption.h: what a signal that ends banyan-tune makes it do first.  Signals that are ignored stay so, as under
// nohup.
#pragma once

#include <string>
#include <sys/types.h>

namespace bn::tune {

// From now on it says, once, that the next run resumes from this file.
void say_when_interrupted(const std::string& partial_file);

// Until the next call, it passes the signal on to this child (0: none), and waits for its end.
void end_when_interrupted(pid_t child);

// A new folder for a single file; both are removed at the end, and by a signal after the child's end.  One at a time.
class Scratch {
public:
    // The file is not made.  If there can be no folder, its path is empty.
    Scratch(const std::string& parent, const std::string& file);
    ~Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    const std::string& file() const { return file_; }

private:
    std::string folder_, file_;
};

}  // namespace bn::tune
