// leaders.h: operations of the leaders together, over the network of messages.h: carried out when all have begun them,
// some polls later.
#pragma once

#include "wide/circle.h"
#include "wide/messages.h"

#include <functional>
#include <vector>

class Circle {
public:
    Circle(Messages* messages, int size) : messages_(messages), ends_(static_cast<size_t>(size))
    {
        for (int node = 0; node < size; node++)
            ends_[static_cast<size_t>(node)] = {this, node, 0};
    }

    // The functions for the leader of a node
    bn_circle of(int node)
    {
        return {&ends_[static_cast<size_t>(node)], barrier, broadcast, combine, gather_all, exchange};
    }

    // How many operations have begun
    size_t count() const { return calls_.size(); }

private:
    struct End {
        Circle* circle;
        int node;
        size_t call_count;
    };
    struct Share {
        unsigned char *src, *dst;
        std::vector<size_t> bytes, offsets;
    };
    struct Call {
        std::vector<Share> shares;  // by node; empty for those that have not begun it
        std::vector<uint64_t> handles;
        const char* what;
        int root;
        size_t count;
    };

    static std::vector<size_t> table(const End* end, const size_t* numbers)
    {
        return {numbers, numbers + end->circle->ends_.size()};
    }

    // The last leader to begin it computes the result of all shares.
    static void begin(void* context, const char* what, int root, size_t count, Share share, bn_message* message,
                      const std::function<void(std::vector<Share>&)>& carry)
    {
        End* end = static_cast<End*>(context);
        Circle* circle = end->circle;
        std::lock_guard lock(circle->messages_->mutex());
        if (end->call_count == circle->calls_.size())
            circle->calls_.push_back({std::vector<Share>(circle->ends_.size()), {}, what, root, count});
        Call& call = circle->calls_[end->call_count++];
        EXPECT_STREQ(call.what, what);
        EXPECT_EQ(call.root, root);
        EXPECT_EQ(call.count, count);
        call.shares[static_cast<size_t>(end->node)] = std::move(share);
        call.handles.push_back(circle->messages_->name(message));
        if (call.handles.size() < circle->ends_.size())
            return;
        circle->messages_->finish_later([carry, shares = std::move(call.shares)]() mutable { carry(shares); },
                                        call.handles);
    }

    static unsigned char* bytes_at(const void* data) { return static_cast<unsigned char*>(const_cast<void*>(data)); }

    static void barrier(void* context, bn_message* message)
    {
        begin(context, "barrier", 0, 0, {}, message, [](std::vector<Share>&) {});
    }
    static void broadcast(void* context, int root, void* data, size_t nbytes, bn_message* message)
    {
        begin(context, "broadcast", root, nbytes, {bytes_at(data), bytes_at(data), {}, {}}, message,
              [root, nbytes](std::vector<Share>& shares) {
                  const unsigned char* src = shares[static_cast<size_t>(root)].src;
                  for (Share& share : shares)
                      if (share.dst != src)  // which the root may read at any time
                          std::memcpy(share.dst, src, nbytes);
              });
    }
    static void combine(void* context, int root, const void* src, void* dst, size_t count, const bn_vector* vector,
                        bn_message* message)
    {
        bool gets_result = root == BN_CIRCLE_ALL || root == static_cast<End*>(context)->node;
        EXPECT_EQ(dst != nullptr, gets_result);
        EXPECT_NE(src, dst);
        begin(context, "combine", root, count, {bytes_at(src), bytes_at(dst), {}, {}}, message,
              [count, vector = *vector](std::vector<Share>& shares) {
                  size_t nbytes = count * vector.element_bytes;
                  std::vector<unsigned char> sum(shares.back().src, shares.back().src + nbytes);
                  for (size_t node = shares.size() - 1; node-- > 0;)
                      vector.combine(shares[node].src, sum.data(), count, &vector);
                  for (Share& share : shares)
                      if (share.dst)
                          std::memcpy(share.dst, sum.data(), nbytes);
              });
    }
    static void gather_all(void* context, void* data, bn_circle_parts parts, bn_message* message)
    {
        End* end = static_cast<End*>(context);
        begin(context, "gather_all", 0, 0,
              {bytes_at(data), bytes_at(data), table(end, parts.bytes), table(end, parts.offsets)}, message,
              [](std::vector<Share>& shares) {
                  for (Share& to : shares) {
                      EXPECT_EQ(to.bytes, shares[0].bytes);
                      for (size_t from = 0; from < shares.size(); from++)
                          if (to.dst != shares[from].src)  // its own part is in place
                              std::memcpy(to.dst + to.offsets[from], shares[from].src + shares[from].offsets[from],
                                          to.bytes[from]);
                  }
              });
    }
    static void exchange(void* context, const void* src, void* dst, bn_circle_parts parts, bn_message* message)
    {
        End* end = static_cast<End*>(context);
        begin(context, "exchange", 0, 0,
              {bytes_at(src), bytes_at(dst), table(end, parts.bytes), table(end, parts.offsets)}, message,
              [](std::vector<Share>& shares) {
                  for (size_t to = 0; to < shares.size(); to++)
                      for (size_t from = 0; from < shares.size(); from++) {
                          EXPECT_EQ(shares[from].bytes[to], shares[to].bytes[from]);
                          std::memcpy(shares[to].dst + shares[to].offsets[from],
                                      shares[from].src + shares[from].offsets[to], shares[to].bytes[from]);
                      }
              });
    }

    Messages* messages_;
    std::vector<End> ends_;
    std::vector<Call> calls_;
};
