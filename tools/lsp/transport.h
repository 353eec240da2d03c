// transport.h: JSON-RPC messages in the framing of the Language Server Protocol: "Content-Length: N", an empty line, N
// bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bn::lsp {

inline constexpr size_t kLargestMessage = size_t{64} << 20;

class Reader {
public:
    explicit Reader(int fd) : fd_(fd) {}

    enum class Result { Message, TooLarge, Malformed, End };

    // Waits for the next message.  TooLarge: a message was skipped.  Malformed: a header without a length was skipped,
    // up to the next empty line.
    Result next(std::string& message_p);

private:
    bool fill();
    bool line(std::string& line_p);

    int fd_;
    std::string buffer_;
    size_t at_ = 0;  // everything before this has been consumed
};

// Writes a message in its frame; false if the other end is closed.
bool write_message(int fd, std::string_view message);

}  // namespace bn::lsp
