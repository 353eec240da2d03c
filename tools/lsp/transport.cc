#include "lsp/transport.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <optional>

#include <unistd.h>

namespace bn::lsp {

namespace {

constexpr size_t kLongestHeader = 4096;

// The number N in "Content-Length: N"
std::optional<size_t> content_length(std::string_view line)
{
    constexpr std::string_view kName = "content-length:";
    if (line.size() <= kName.size())
        return std::nullopt;
    for (size_t i = 0; i < kName.size(); ++i)
        if (std::tolower(static_cast<unsigned char>(line[i])) != kName[i])
            return std::nullopt;
    line.remove_prefix(std::min(line.find_first_not_of(" \t", kName.size()), line.size()));
    size_t length = 0;
    auto [end, status] = std::from_chars(line.data(), line.data() + line.size(), length);
    if (status == std::errc::result_out_of_range)
        return static_cast<size_t>(-1);
    return status == std::errc() && line.find_first_not_of(" \t", static_cast<size_t>(end - line.data())) == line.npos
               ? std::optional(length)
               : std::nullopt;
}

}  // namespace

bool Reader::fill()
{
    if (at_ > 0) {
        buffer_.erase(0, at_);
        at_ = 0;
    }
    char bytes[1 << 16];
    for (;;) {
        ssize_t got = read(fd_, bytes, sizeof bytes);
        if (got > 0)
            buffer_.append(bytes, static_cast<size_t>(got));
        if (got >= 0 || errno != EINTR)
            return got > 0;
    }
}

// Reads a line without its end; anything longer than a valid header is truncated
bool Reader::line(std::string& line_p)
{
    line_p.clear();
    for (;;) {
        size_t end = buffer_.find('\n', at_);
        std::string_view part = std::string_view(buffer_).substr(at_, end - at_);
        line_p.append(part.substr(0, kLongestHeader - std::min(kLongestHeader, line_p.size())));
        at_ = end == buffer_.npos ? buffer_.size() : end + 1;
        if (end != buffer_.npos)
            break;
        if (!fill())
            return false;
    }
    if (line_p.ends_with('\r'))
        line_p.pop_back();
    return true;
}

Reader::Result Reader::next(std::string& message_p)
{
    std::optional<size_t> length;
    bool has_header = false;
    for (std::string header;;) {
        if (!line(header))
            return Result::End;
        if (header.empty() && !has_header)
            continue;
        if (header.empty())
            break;
        has_header = true;
        if (std::optional<size_t> found = content_length(header))
            length = found;
    }
    if (!length)
        return Result::Malformed;
    message_p.clear();
    bool is_kept = *length <= kLargestMessage;
    for (size_t left = *length; left > 0;) {
        if (at_ == buffer_.size() && !fill())
            return Result::End;
        size_t part = std::min(left, buffer_.size() - at_);
        if (is_kept)
            message_p.append(buffer_, at_, part);
        at_ += part;
        left -= part;
    }
    return is_kept ? Result::Message : Result::TooLarge;
}

bool write_message(int fd, std::string_view message)
{
    std::string bytes = "Content-Length: " + std::to_string(message.size()) + "\r\n\r\n";
    bytes += message;
    for (size_t at = 0; at < bytes.size();) {
        ssize_t put = write(fd, bytes.data() + at, bytes.size() - at);
        if (put < 0 && errno != EINTR)
            return false;
        at += put > 0 ? static_cast<size_t>(put) : 0;
    }
    return true;
}

}  // namespace bn::lsp
