// team.h: runs a function in several POSIX threads at the same time.
#pragma once

#include <functional>
#include <thread>
#include <vector>

inline void run_team(int threads, const std::function<void(int)>& body)
{
    std::vector<std::thread> team;
    for (int thread = 0; thread < threads; thread++)
        team.emplace_back(body, thread);
    for (std::thread& member : team)
        member.join();
}
