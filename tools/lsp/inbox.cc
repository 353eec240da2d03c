#include "lsp/inbox.h"

#include <utility>

#include "lsp/transport.h"

namespace bn::lsp {

namespace {

constexpr size_t kMostWaiting = 4096;
constexpr size_t kMostBytes = 2 * kLargestMessage;

}  // namespace

void Inbox::cancel(const Json& id)
{
    for (Waiting& waiting : letters_) {
        const Json* of_letter = find(waiting.letter.message, {"id"});
        bool is_request = of_letter != nullptr && !text_at(waiting.letter.message, {"method"}).empty();
        if (is_request && *of_letter == id && (id.is_number() || id.is_string()))
            waiting.letter.kind = Letter::Kind::Cancelled;
    }
}

void Inbox::put(Letter letter, size_t bytes)
{
    std::unique_lock lock(mutex_);
    if (letter.kind == Letter::Kind::Message && text_at(letter.message, {"method"}) == "$/cancelRequest") {
        if (const Json* id = find(letter.message, {"params", "id"}))
            cancel(*id);
        return;
    }
    changed_.wait(lock,
                  [&] { return letters_.empty() || (letters_.size() < kMostWaiting && bytes_ + bytes <= kMostBytes); });
    bytes_ += bytes;
    letters_.push_back({std::move(letter), bytes});
    changed_.notify_all();
}

std::optional<Letter> Inbox::take(std::optional<Clock::time_point> until)
{
    std::unique_lock lock(mutex_);
    auto has_letter = [&] { return !letters_.empty(); };
    if (!until)
        changed_.wait(lock, has_letter);
    else if (!changed_.wait_until(lock, *until, has_letter))
        return std::nullopt;
    Waiting waiting = std::move(letters_.front());
    letters_.pop_front();
    bytes_ -= waiting.bytes;
    changed_.notify_all();
    return std::move(waiting.letter);
}

bool Inbox::is_empty()
{
    std::lock_guard lock(mutex_);
    return letters_.empty();
}

void read_into(int fd, Inbox& inbox)
{
    Reader reader(fd);
    for (std::string text;;) {
        Reader::Result result = reader.next(text);
        if (result == Reader::Result::End)
            break;
        Letter letter;
        if (result == Reader::Result::TooLarge)
            letter.kind = Letter::Kind::TooLarge;
        else
            letter.message = Json::parse(result == Reader::Result::Message ? text : "", nullptr, false);
        if (letter.kind == Letter::Kind::Message && letter.message.is_discarded())
            letter.kind = Letter::Kind::Unreadable;
        inbox.put(std::move(letter), text.size());
    }
    inbox.put({Letter::Kind::End, {}}, 0);
}

}  // namespace bn::lsp
