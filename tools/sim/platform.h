// platform.h: networks that platform files of SimGrid describe.
//
// SimGrid reads the file and finds the routes in a process of its own: it can be started only once per process, and it
// ends a process whose file is wrong.
#pragma once

#include "sim/route.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace bn::sim {

// A route that was asked for cannot be found; what() says why.
struct PlatformFailure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Platform {
public:
    struct Link {
        std::string name;
        double bytes_per_ns;
        bool is_shared;  // false: every message has the full bandwidth
    };

    // Null if the file cannot be used; *why then says why.
    static std::shared_ptr<Platform> open(const std::string& file, std::string* why);
    ~Platform();
    Platform(const Platform&) = delete;
    Platform& operator=(const Platform&) = delete;

    const std::string& file() const { return file_; }
    uint32_t host_count() const { return host_count_; }  // hosts are numbered in the order of the file
    const std::vector<Link>& links() const { return links_; }

    // The route from one host to another
    const Route& route(uint32_t from, uint32_t to);

private:
    Platform() = default;
    bool start();
    bool read_head();
    std::string last_words();

    std::string file_;
    uint32_t host_count_ = 0;
    std::vector<Link> links_;
    std::unordered_map<uint64_t, Route> routes_;
    int to_ = -1, from_ = -1, errors_ = -1;  // pipes, and a file with what SimGrid prints
    int process_ = -1;
};

}  // namespace bn::sim
