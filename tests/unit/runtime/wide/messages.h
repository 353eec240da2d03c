// messages.h: a network between threads.  A message is copied some polls after both ends have begun it, so that
// premature accesses to its data are detected.
#pragma once

#include "wide/network.h"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <random>
#include <utility>
#include <vector>

class Messages {
public:
    explicit Messages(unsigned seed) : random_(seed) {}

    bn_network network_of(int rank, size_t latency_bytes, size_t least_fragment_bytes, size_t fragment_bytes)
    {
        ends_[rank] = {this, rank};
        return {
            &ends_[rank],         send,          receive, is_done, latency_bytes, latency_bytes / 8, latency_bytes / 4,
            least_fragment_bytes, fragment_bytes};
    }

    // Messages begun by one end only, when all members have ended their operations
    size_t left_over()
    {
        size_t count = 0;
        for (auto& [pair, queues] : queues_)
            count += queues.sends.size() + queues.receives.size();
        return count;
    }

    // Bytes of all messages so far, by sender and receiver
    const std::map<std::pair<int, int>, size_t>& bytes_sent() const { return bytes_sent_; }

    // For code that carries out other operations (leaders.h), with the lock held
    std::mutex& mutex() { return mutex_; }
    uint64_t name(bn_message* message) { return message->handle = ++last_handle_; }
    void finish_later(std::function<void()> carry, std::vector<uint64_t> handles)
    {
        on_their_way_.push_back({std::move(carry), std::move(handles), static_cast<int>(random_() % 20)});
    }

private:
    struct End {
        Messages* messages;
        int rank;
    };
    struct Half {
        unsigned char* data;
        size_t nbytes;
        uint64_t handle;
    };
    struct Queues {
        std::deque<Half> sends, receives;
    };

    void begin(int from, int to, Half half, bool is_send)
    {
        Queues& queues = queues_[{from, to}];
        (is_send ? queues.sends : queues.receives).push_back(half);
        if (queues.sends.empty() || queues.receives.empty())
            return;
        Half source = queues.sends.front(), target = queues.receives.front();
        queues.sends.pop_front();
        queues.receives.pop_front();
        EXPECT_EQ(source.nbytes, target.nbytes) << "from " << from << " to " << to;
        bytes_sent_[{from, to}] += source.nbytes;
        finish_later(
            [source, target] { std::memcpy(target.data, source.data, std::min(source.nbytes, target.nbytes)); },
            {source.handle, target.handle});
    }

    void go_on()
    {
        for (size_t i = 0; i < on_their_way_.size(); i++) {
            OnItsWay& one = on_their_way_[i];
            if (one.looks-- > 0)
                continue;
            one.carry();
            for (uint64_t handle : one.handles)
                has_ended_[handle] = true;
            on_their_way_.erase(on_their_way_.begin() + static_cast<std::ptrdiff_t>(i--));
        }
    }

    static void start(void* context, int other, const void* data, size_t nbytes, bn_message* message, bool is_send)
    {
        End* end = static_cast<End*>(context);
        std::lock_guard lock(end->messages->mutex_);
        Half half{static_cast<unsigned char*>(const_cast<void*>(data)), nbytes, end->messages->name(message)};
        int from = is_send ? end->rank : other, to = is_send ? other : end->rank;
        end->messages->begin(from, to, half, is_send);
    }
    static void send(void* context, int to, const void* data, size_t nbytes, bn_message* message)
    {
        start(context, to, data, nbytes, message, true);
    }
    static void receive(void* context, int from, void* data, size_t nbytes, bn_message* message)
    {
        start(context, from, data, nbytes, message, false);
    }
    static bool is_done(void* context, bn_message* message)
    {
        Messages* messages = static_cast<End*>(context)->messages;
        std::lock_guard lock(messages->mutex_);
        messages->go_on();
        EXPECT_FALSE(message->is_done);
        message->is_done = messages->has_ended_.erase(message->handle) > 0;
        return message->is_done;
    }

    struct OnItsWay {
        std::function<void()> carry;
        std::vector<uint64_t> handles;
        int looks;
    };
    std::mutex mutex_;
    std::minstd_rand random_;
    std::map<int, End> ends_;
    std::map<std::pair<int, int>, Queues> queues_;
    std::map<std::pair<int, int>, size_t> bytes_sent_;
    std::deque<OnItsWay> on_their_way_;
    std::map<uint64_t, bool> has_ended_;
    uint64_t last_handle_ = 0;
};
