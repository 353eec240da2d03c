// nodes.h: members on several nodes: threads, with a team for each node.
#pragma once

#include "wide/wide.h"

#include "coll/world.h"
#include "wide/leaders.h"
#include "wide/messages.h"

#include <memory>
#include <thread>
#include <vector>

class Nodes {
public:
    // node_of: by rank, any numbers; least_fragment_bytes: 0 means fragment_bytes; nodes are connected to switches in
    // turn
    Nodes(const std::vector<int>& node_of, size_t latency_bytes, size_t fragment_bytes, bn_reach reach, unsigned seed,
          size_t least_fragment_bytes = 0, int switch_count = 1)
        : messages_(seed), hierarchy_(make_hierarchy(node_of, switch_count)),
          circle_(&messages_, bn_hierarchy_group_count(hierarchy_, BN_LEVEL_NODE))
    {
        int size = static_cast<int>(node_of.size());
        int count = bn_hierarchy_group_count(hierarchy_, BN_LEVEL_NODE);
        for (int node = 0; node < count; node++) {
            worlds_.push_back(std::make_unique<World>(bn_hierarchy_group_size(hierarchy_, BN_LEVEL_NODE, node),
                                                      Layout::kOneRegion, true, 8));
            for (bn_team& team : worlds_.back()->teams) {
                team.announces = true;
                team.mail = nullptr;
                team.reach = reach;
            }
        }
        networks_.resize(node_of.size());
        for (int node = 0; node < count; node++)
            circles_.push_back(circle_.of(node));
        wides.resize(node_of.size());
        for (int rank = 0; rank < size; rank++) {
            bn_node node = bn_node_of(hierarchy_, rank);
            int near_rank = bn_hierarchy_position_of(hierarchy_, rank) - node.begin;
            size_t i = static_cast<size_t>(rank);
            networks_[i] = messages_.network_of(
                rank, latency_bytes, least_fragment_bytes ? least_fragment_bytes : fragment_bytes, fragment_bytes);
            bn_team* near = &worlds_[static_cast<size_t>(node.index)]->teams[static_cast<size_t>(near_rank)];
            EXPECT_TRUE(bn_wide_init(&wides[i], rank, near, hierarchy_, &networks_[i]));
        }
    }
    ~Nodes()
    {
        EXPECT_EQ(messages_.left_over(), 0U);
        for (bn_wide& wide : wides)
            bn_wide_destroy(&wide);
        free(hierarchy_);
    }
    Nodes(const Nodes&) = delete;
    Nodes& operator=(const Nodes&) = delete;

    int size() const { return static_cast<int>(wides.size()); }

    const Messages& messages() const { return messages_; }

    // From now on leaders use collective operations where they can.
    void use_circle()
    {
        for (bn_wide& wide : wides)
            wide.circle = &circles_[static_cast<size_t>(wide.mine.index)];
    }
    // From now on members chosen by a number act as leaders of their nodes.
    void choose_leaders(unsigned seed)
    {
        std::minstd_rand random(seed);
        for (int node = 0; node < wides[0].node_count; node++) {
            bn_node found = bn_node_at(hierarchy_, node);
            int place = found.begin + static_cast<int>(random() % static_cast<unsigned>(bn_node_size(&found)));
            leaders_.push_back(bn_hierarchy_member_at(hierarchy_, place));
        }
        for (bn_wide& wide : wides)
            bn_wide_lead(&wide, leaders_.data());
    }
    const Circle& circle() const { return circle_; }

    void run(const std::function<void(bn_wide*)>& body)
    {
        std::vector<std::thread> threads;
        for (bn_wide& wide : wides)
            threads.emplace_back([&body, &wide] {
                delay_random.seed(static_cast<unsigned>(wide.rank) + 1);
                body(&wide);
            });
        for (std::thread& thread : threads)
            thread.join();
    }

    std::vector<bn_wide> wides;

private:
    static bn_hierarchy* make_hierarchy(const std::vector<int>& node_of, int switch_count)
    {
        std::vector<bn_place> places(node_of.size());
        for (size_t i = 0; i < places.size(); i++) {
            for (uint32_t& part : places[i].parts)
                part = BN_PLACE_UNKNOWN;
            places[i].is_near_network = false;
            places[i].parts[BN_LEVEL_SWITCH] = static_cast<uint32_t>(node_of[i] % switch_count);
            places[i].parts[BN_LEVEL_NODE] = static_cast<uint32_t>(node_of[i]);
        }
        bn_hierarchy* hierarchy = nullptr;
        EXPECT_EQ(bn_hierarchy_create(places.data(), static_cast<int>(places.size()), &hierarchy), BN_OK);
        return hierarchy;
    }

    Messages messages_;
    bn_hierarchy* hierarchy_;
    Circle circle_;
    std::vector<int> leaders_;
    std::vector<bn_circle> circles_;
    std::vector<std::unique_ptr<World>> worlds_;
    std::vector<bn_network> networks_;
};
