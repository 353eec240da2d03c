// inbox.h: queue of messages for the server, filled by a reader thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

#include "lsp/json.h"

namespace bn::lsp {

using Clock = std::chrono::steady_clock;

struct Letter {
    // Cancelled: a request that a later message cancels
    enum class Kind { Message, Cancelled, Unreadable, TooLarge, End } kind = Kind::Message;
    Json message;
};

class Inbox {
public:
    // Cancellations are not queued: they change the kind of a request that still waits, and are dropped if they come
    // too late.  Blocks while the queue is too long or too large.
    void put(Letter letter, size_t bytes);

    // The next message; nullopt if there is none before `until`
    std::optional<Letter> take(std::optional<Clock::time_point> until);

    bool is_empty();

private:
    void cancel(const Json& id);

    struct Waiting {
        Letter letter;
        size_t bytes;
    };
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Waiting> letters_;
    size_t bytes_ = 0;
};

// Reads messages from a file descriptor until end of file.
void read_into(int fd, Inbox& inbox);

}  // namespace bn::lsp
