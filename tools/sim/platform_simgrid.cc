#include "sim/platform.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <simgrid/s4u.hpp>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bn::sim {

namespace {

namespace s4u = simgrid::s4u;

constexpr size_t kRoutesMax = size_t{4} << 20;  // routes that are remembered

bool write_all(int file, const void* data, size_t size_bytes)
{
    const char* next = static_cast<const char*>(data);
    while (size_bytes > 0) {
        ssize_t count = write(file, next, size_bytes);
        if (count <= 0)
            return false;
        next += count;
        size_bytes -= static_cast<size_t>(count);
    }
    return true;
}

bool read_all(int file, void* data, size_t size_bytes)
{
    char* next = static_cast<char*>(data);
    while (size_bytes > 0) {
        ssize_t count = read(file, next, size_bytes);
        if (count <= 0)
            return false;
        next += count;
        size_bytes -= static_cast<size_t>(count);
    }
    return true;
}

template <typename T>
bool write_one(int file, T value)
{
    return write_all(file, &value, sizeof value);
}

template <typename T>
bool read_one(int file, T* value)
{
    return read_all(file, value, sizeof *value);
}

bool write_text(int file, const std::string& text)
{
    return write_one(file, static_cast<uint32_t>(text.size())) && write_all(file, text.data(), text.size());
}

bool read_text(int file, std::string* text)
{
    uint32_t length = 0;
    if (!read_one(file, &length))
        return false;
    text->resize(length);
    return read_all(file, text->data(), length);
}

// ---- In the process of SimGrid ----

struct Server {
    int in, out;
    std::vector<s4u::Host*> hosts;
    std::vector<s4u::Link*> links;
    std::unordered_map<const s4u::Link*, uint32_t> numbers;

    void tell_head();
    void answer();
};

void Server::tell_head()
{
    write_one(out, static_cast<uint32_t>(hosts.size()));
    write_one(out, static_cast<uint32_t>(links.size()));
    for (s4u::Link* link : links) {
        if (link->get_sharing_policy() == s4u::Link::SharingPolicy::WIFI)
            throw std::invalid_argument(std::string("link ") + link->get_cname() + " is WIFI, which is not simulated");
        if (!(link->get_bandwidth() > 0))
            throw std::invalid_argument(std::string("link ") + link->get_cname() + " has no bandwidth");
        numbers[link] = static_cast<uint32_t>(numbers.size());
        write_text(out, link->get_name());
        write_one(out, link->get_bandwidth() * 1e-9);
        write_one(out, link->get_sharing_policy() != s4u::Link::SharingPolicy::FATPIPE);
    }
}

void Server::answer()
{
    uint32_t pair[2];
    while (read_all(in, pair, sizeof pair)) {
        std::vector<s4u::Link*> route;
        double latency = 0;
        hosts[pair[0]]->route_to(hosts[pair[1]], route, &latency);
        write_one(out, latency * 1e9);
        write_one(out, static_cast<uint32_t>(route.size()));
        for (s4u::Link* link : route)
            write_one(out, numbers.at(link));
    }
}

// Serves requests; ends with 0 when there are no more.  SimGrid's messages on a wrong file go to standard error.
int serve(const std::string& file, int in, int out)
{
    std::string words[] = {"banyan-sim", "--log=root.thres:critical", "--log=root.fmt:%m%n"};
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    int count = static_cast<int>(pointers.size()) - 1;
    Server server = {in, out, {}, {}, {}};
    try {
        s4u::Engine engine(&count, pointers.data());
        // Called once when a host is made, and for some hosts once more when it is complete
        s4u::Host::on_creation_cb([&](s4u::Host& host) {
            if (std::find(server.hosts.begin(), server.hosts.end(), &host) == server.hosts.end())
                server.hosts.push_back(&host);
        });
        engine.load_platform(file);
        engine.seal_platform();
        server.links = engine.get_all_links();
        if (server.hosts.empty())
            throw std::invalid_argument("it has no hosts");
        server.tell_head();
        server.answer();
    } catch (const std::exception& exception) {
        fprintf(stderr, "%s\n", exception.what());
        return 1;
    }
    return 0;
}

}  // namespace

// ---- In this process ----

bool Platform::start()
{
    int questions[2], answers[2];
    errors_ = memfd_create("banyan-sim-platform", MFD_CLOEXEC);
    if (errors_ < 0 || pipe(questions) != 0)
        return false;
    if (pipe(answers) != 0) {
        close(questions[0]);
        close(questions[1]);
        return false;
    }
    fflush(nullptr);
    process_ = fork();
    if (process_ == 0) {
        dup2(errors_, STDERR_FILENO);
        dup2(errors_, STDOUT_FILENO);
        close(questions[1]);
        close(answers[0]);
        int status = serve(file_, questions[0], answers[1]);
        fflush(nullptr);
        _exit(status);
    }
    signal(SIGPIPE, SIG_IGN);  // if the other process ends, that is reported where its answer is missing
    close(questions[0]);
    close(answers[1]);
    to_ = questions[1];
    from_ = answers[0];
    return process_ > 0;
}

bool Platform::read_head()
{
    uint32_t link_count = 0;
    if (!read_one(from_, &host_count_) || !read_one(from_, &link_count))
        return false;
    links_.resize(link_count);
    for (Link& link : links_) {
        if (!read_text(from_, &link.name) || !read_one(from_, &link.bytes_per_ns) || !read_one(from_, &link.is_shared))
            return false;
    }
    return true;
}

// The first line that SimGrid has printed
std::string Platform::last_words()
{
    int status = 0;
    if (process_ > 0)
        waitpid(process_, &status, 0);
    process_ = -1;
    char text[2000];
    ssize_t count = pread(errors_, text, sizeof text - 1, 0);
    std::string words(text, count > 0 ? static_cast<size_t>(count) : 0);
    words = words.substr(0, words.find('\n'));
    if (words.empty())
        words = "SimGrid has ended without a word";
    if (WIFSIGNALED(status))
        words += " (SimGrid 4.1 ends so on a <cluster> with a topology that is in no <zone>: put it into one)";
    return words;
}

std::shared_ptr<Platform> Platform::open(const std::string& file, std::string* why)
{
    std::shared_ptr<Platform> platform(new Platform);
    platform->file_ = file;
    if (access(file.c_str(), R_OK) != 0) {
        *why = "the platform file " + file + " cannot be read: " + strerror(errno);
        return nullptr;
    }
    if (platform->start() && platform->read_head())
        return platform;
    *why = "SimGrid cannot take " + file + " as a platform: " + platform->last_words();
    return nullptr;
}

Platform::~Platform()
{
    for (int file : {to_, from_, errors_}) {
        if (file >= 0)
            close(file);
    }
    if (process_ > 0)
        waitpid(process_, nullptr, 0);
}

const Route& Platform::route(uint32_t from, uint32_t to)
{
    uint64_t key = uint64_t{from} << 32 | to;
    auto known = routes_.find(key);
    if (known != routes_.end())
        return known->second;
    if (routes_.size() == kRoutesMax)
        routes_.clear();
    Route route;
    uint32_t pair[2] = {from, to}, count = 0;
    bool is_answered =
        write_all(to_, pair, sizeof pair) && read_one(from_, &route.latency_ns) && read_one(from_, &count);
    route.links.resize(is_answered ? count : 0);
    is_answered = is_answered && read_all(from_, route.links.data(), count * sizeof route.links[0]);
    if (!is_answered || count == 0)
        throw PlatformFailure(file_ + " has no route from host " + std::to_string(from) + " to host " +
                              std::to_string(to) + (is_answered ? "" : ": " + last_words()));
    return routes_.emplace(key, std::move(route)).first->second;
}

}  // namespace bn::sim
