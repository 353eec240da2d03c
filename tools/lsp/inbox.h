// inbox.h: messages that wait for the server, put in by a thread that reads them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "lsp/json.h"

namespace bn::lsp {

using Clock = std::chrono::steady_clock;

struct Letter {
    enum class Kind { Message, Unreadable, TooLarge, End } kind = Kind::Message;
    Json message;
};

class Inbox {
public:
    // Messages that cancel a request are noted and not put in.  Waits while too many, or too large ones, are there.
    void put(Letter letter, size_t bytes);

    // The next one; nothing if there is none until then
    std::optional<Letter> take(std::optional<Clock::time_point> until);

    bool is_empty();

    // Whether this request was cancelled; asked once for each.
    bool take_cancelled(const Json& id);

private:
    struct Waiting {
        Letter letter;
        size_t bytes;
    };
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Waiting> letters_;
    size_t bytes_ = 0;
    std::set<std::string> cancelled_;
};

// Reads messages from a file until it ends.
void read_into(int fd, Inbox& inbox);

}  // namespace bn::lsp
