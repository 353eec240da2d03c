// made_up.h: a profile of two threads on two nodes, in the form of gather.h, for tests of output.
#pragma once

#include "upc/profile/gather.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

struct MadeUp {
    double seconds[2] = {2, 1};
    int nodes[2] = {0, 1};
    bn_profile_sum shares[2 * BN_PROFILE_OPERATIONS] = {};
    bn_book_flow flows[4] = {};
    bn_profile_place places[2] = {};
    bn_profile_way_sum ways[1] = {};
    bn_profile profile = {};

    MadeUp()
    {
        profile.program = "a \"program\"";
        profile.thread_count = profile.node_count = 2;
        profile.seconds = seconds;
        profile.nodes = nodes;
        profile.shares = shares;
        profile.flows = flows;
        profile.places = places;
        profile.ways = ways;
        add(BN_PROFILE_GET, {10, 1000, 1e6}, {30, 3000, 3e6});
        add(BN_PROFILE_BROADCAST, {2, 16, 2e8}, {2, 16, 4e8});
        profile.operations[BN_PROFILE_GET].calls_to[BN_TO_FAR] = 30;
        profile.operations[BN_PROFILE_GET].bytes_to[BN_TO_FAR] = 3000;
        profile.operations[BN_PROFILE_GET].calls_to[BN_TO_SELF] = 10;
        profile.operations[BN_PROFILE_GET].bytes_to[BN_TO_SELF] = 1000;
        flows[1].taken_bytes = 1234;  // thread 0 from thread 1
        flows[2].given_bytes = 66;    // thread 1 to thread 0
        places[0] = {0x10, BN_PROFILE_BROADCAST, {4, 32, 6e8}, "", true};
        snprintf(places[0].text, sizeof places[0].text, "%s", std::string(60, 'x').append("/long/name.upc:42").c_str());
        places[1] = {0x20, BN_PROFILE_GET, {40, 4000, 4e6}, "in function f", false};
        profile.place_count = 2;
        ways[0] = {BN_PROFILE_BROADCAST, "push/flat/whole", {4, 32, 6e8}};
        profile.way_count = 1;
    }

    void add(bn_profile_operation operation, bn_profile_sum first, bn_profile_sum second)
    {
        shares[2 * operation] = first;
        shares[2 * operation + 1] = second;
        profile.operations[operation].all = {first.calls + second.calls, first.bytes + second.bytes,
                                             first.ns + second.ns};
    }

    // The text that a function writes
    std::string written(void (*write)(FILE*, const bn_profile*)) const
    {
        char* text = nullptr;
        size_t bytes = 0;
        FILE* file = open_memstream(&text, &bytes);
        write(file, &profile);
        fclose(file);
        std::string result(text, bytes);
        free(text);
        return result;
    }
};
