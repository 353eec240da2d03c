#include "sim/fluid.h"

#include "sim/barriers.h"
#include "sim/platform.h"
#include "sim/scene.h"
#include "sim/text.h"
#include "sim/writes.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <set>
#include <simgrid/s4u.hpp>
#include <sys/wait.h>
#include <unistd.h>
#include <unordered_map>

namespace bn::sim {

namespace {

namespace s4u = simgrid::s4u;

constexpr int kNodesMax = 512;  // each pair of nodes may have a route
constexpr int kFluidThreadsMax = 16384;
constexpr int kNoWay = 2;  // exit status of SimGrid's process if it has reported that there is no route

// SimGrid's second stands for a nanosecond here; otherwise its precision would not suffice.
class Fluid : Scene {
public:
    Fluid(const Machine& machine, const Schedule& schedule, bn_barrier_kind barrier)
        : Scene(machine, schedule, barrier), ends_(threads_), puts_(threads_)
    {
    }

    void run(double* ns, double* median_ns);

private:
    struct FlagState {
        uint32_t number = 0;
        uint32_t writer = 0;
        std::vector<std::pair<uint32_t, uint32_t>> waiting;  // thread, and the number that it waits for
    };

    s4u::Host* node_of(uint32_t thread) const { return nodes_[machine_.nodes[thread]]; }
    void make_platform(s4u::Engine* engine);
    std::set<std::pair<uint32_t, uint32_t>> pairs_that_talk() const;
    void act(uint32_t thread);
    void copy(uint32_t thread, const Event& event);
    void raise(uint32_t thread, const Event& event);
    void await(uint32_t thread, const Event& event);
    void pass(uint32_t thread);
    void send(uint32_t from, uint32_t to, double bytes, const std::function<void()>& arrived);
    void transfer(uint32_t from, uint32_t to, double bytes) const;
    void put(uint32_t thread, const Event& event, double bytes, const std::function<void()>& arrived);
    void confirm(uint32_t thread);
    double latency_ns(uint32_t from, uint32_t to) const;
    void fetch(uint32_t thread, uint32_t from, double bytes) const;
    void set_flag(uint64_t key, uint32_t number, uint32_t writer);

    std::vector<double> ends_;  // in a barrier: when each thread arrives, then when it leaves
    struct Puts {
        Writes writes;
        int under_way = 0;
        bool is_awaited = false;
    };
    std::vector<Puts> puts_;            // per thread: data that it has written to other nodes
    std::vector<s4u::MutexPtr> turns_;  // per thread: serialises its messages
    std::vector<s4u::Host*> nodes_, regions_;
    struct Gate {
        s4u::Host *out, *in;
    };
    std::vector<std::vector<Gate>> gates_;  // of the machine's parts
    std::vector<s4u::SemaphorePtr> beds_;   // per thread: where it waits
    std::unordered_map<uint64_t, FlagState> flags_;
    uint32_t at_barrier_ = 0;
};

// The zone of all hosts.  In SimGrid 4.1 a zone without a parent can have none.
template <typename Engine>
auto* make_root_zone([[maybe_unused]] Engine* engine, const std::string& name)
{
    if constexpr (requires { engine->get_netzone_root()->add_netzone_full(name); })
        return engine->get_netzone_root()->add_netzone_full(name);
    else
        return s4u::create_full_zone(name);
}

void Fluid::make_platform(s4u::Engine* engine)
{
    auto* zone = make_root_zone(engine, "machine");
    for (int i = 0; i < machine_.node_count; i++)
        nodes_.push_back(zone->create_host("node-" + std::to_string(i), 1.0));
    for (uint32_t i = 0; i < machine_.region_count; i++)
        regions_.push_back(zone->create_host("region-" + std::to_string(i), parameters_.memory_bytes_per_ns));
    for (const Parts& parts : machine_.parts) {
        std::string part = bn_level_name(parts.level);
        std::vector<Gate>& gates = gates_.emplace_back();
        for (uint32_t i = 0; i < parts.count; i++) {
            std::string name = part + "-" + std::to_string(i);
            gates.push_back({zone->create_host("out-of-" + name, parts.bytes_per_ns),
                             zone->create_host("into-" + name, parts.bytes_per_ns)});
        }
    }
    std::vector<s4u::Link*> links;
    for (uint32_t i = 0; i < machine_.routes->link_count(); i++) {
        s4u::Link* link = zone->create_link("link-" + std::to_string(i), machine_.routes->bytes_per_ns(i));
        if (!machine_.routes->is_shared(i))
            link->set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE);
        links.push_back(link->seal());
    }
    for (const auto& [from, to] : pairs_that_talk()) {
        std::vector<s4u::LinkInRoute> hops;
        for (uint32_t link : machine_.routes->find(from, to).links)
            hops.emplace_back(links[link]);
        zone->add_route(nodes_[from]->get_netpoint(), nodes_[to]->get_netpoint(), nullptr, nullptr, hops, false);
    }
    zone->seal();
}

// Pairs of nodes that exchange data in either direction
std::set<std::pair<uint32_t, uint32_t>> Fluid::pairs_that_talk() const
{
    std::set<std::pair<uint32_t, uint32_t>> pairs;
    for (uint32_t thread = 0; thread < threads_; thread++) {
        const Schedule::Row& row = schedule_.of(thread);
        for (uint32_t i = 0; i < row.count; i++) {
            const Event& event = row.events[i];
            uint32_t own = machine_.nodes[thread];
            for (uint32_t other : {machine_.nodes[event.to], machine_.nodes[event.from]}) {
                if (event.kind == Kind::kBarrier || other == own)
                    continue;
                pairs.insert({own, other});
                pairs.insert({other, own});
            }
        }
    }
    return pairs;
}

double Fluid::latency_ns(uint32_t from, uint32_t to) const
{
    return machine_.latency_ns(machine_.nodes[from], machine_.nodes[to]);
}

// Moves the bytes through the links, without latency.  The gap between two messages of a link is modelled as a minimum
// message length.
void Fluid::transfer(uint32_t from, uint32_t to, double bytes) const
{
    uint32_t first = machine_.routes->find(machine_.nodes[from], machine_.nodes[to]).links[0];
    double least = parameters_.nic_gap_ns * machine_.routes->bytes_per_ns(first);
    s4u::Comm::sendto_async(node_of(from), node_of(to), static_cast<uint64_t>(std::max(bytes, least)))->wait();
}

// A thread's messages leave in order, each when the previous one has left; the thread itself continues immediately.
void Fluid::send(uint32_t from, uint32_t to, double bytes, const std::function<void()>& arrived)
{
    s4u::Actor::create("message", node_of(from), [this, from, to, bytes, arrived]() {
        turns_[from]->lock();
        transfer(from, to, bytes);
        turns_[from]->unlock();
        s4u::this_actor::sleep_for(latency_ns(from, to));
        arrived();
    });
}

// Sends, and, if a confirmation will be waited for, keeps track of the writes that are not confirmed yet
void Fluid::put(uint32_t thread, const Event& event, double bytes, const std::function<void()>& arrived)
{
    if (event.manner == Manner::kHandedOver) {
        send(thread, event.to, bytes, arrived);
        return;
    }
    puts_[thread].writes.note(event.to);
    puts_[thread].under_way++;
    uint32_t to = event.to;
    send(thread, to, bytes, [this, thread, to, arrived]() {
        arrived();
        s4u::this_actor::sleep_for(latency_ns(to, thread));
        if (--puts_[thread].under_way == 0 && puts_[thread].is_awaited)
            beds_[thread]->release();
    });
}

void Fluid::confirm(uint32_t thread)
{
    Puts& puts = puts_[thread];
    if (puts.under_way > 0) {
        puts.is_awaited = true;
        beds_[thread]->acquire();
        puts.is_awaited = false;
    }
    puts.writes.confirmed();
}

void Fluid::fetch(uint32_t thread, uint32_t from, double bytes) const
{
    s4u::this_actor::sleep_for(parameters_.nic_overhead_ns + latency_ns(thread, from));
    transfer(from, thread, bytes);
    s4u::this_actor::sleep_for(latency_ns(from, thread));
}

void Fluid::copy(uint32_t thread, const Event& event)
{
    auto bytes = static_cast<double>(event.bytes);
    if (is_far(event.from, thread)) {
        fetch(thread, event.from, bytes);
        return;
    }
    if (is_far(event.to, thread)) {
        s4u::this_actor::sleep_for(parameters_.nic_overhead_ns);
        put(thread, event, bytes, [] {});
        return;
    }
    const CopyCost alone = costs_.of(thread, event, false);
    if (alone.shared_bytes_per_ns == 0) {
        s4u::this_actor::sleep_for(alone.ns);
        return;
    }
    std::vector<s4u::ExecPtr> shares;
    auto take = [&](s4u::Host* host, double amount) {
        shares.push_back(s4u::this_actor::exec_init(amount)->set_host(host)->set_bound(amount / alone.ns)->start());
    };
    // Data that fit into caches load the region less.
    double amount = bytes * parameters_.memory_bytes_per_ns / alone.shared_bytes_per_ns;
    take(regions_[machine_.regions[event.from]], amount);
    if (machine_.regions[event.from] != machine_.regions[event.to])
        take(regions_[machine_.regions[event.to]], amount);
    for (size_t i = 0; i < gates_.size(); i++) {
        uint32_t from = machine_.parts[i].of_threads[event.from], to = machine_.parts[i].of_threads[event.to];
        if (from == to)
            break;
        take(gates_[i][from].out, bytes);
        take(gates_[i][to].in, bytes);
    }
    for (const s4u::ExecPtr& share : shares)
        share->wait();
}

uint64_t key_of(const Event& event)
{
    uint64_t kind = event.flag == Flag::kProgress ? 0 : event.flag == Flag::kSlot ? 1 + event.slot : 64 + event.from;
    return kind << 24 | event.to;
}

void Fluid::set_flag(uint64_t key, uint32_t number, uint32_t writer)
{
    FlagState& flag = flags_[key];
    flag.number = std::max(flag.number, number);
    flag.writer = writer;
    auto is_there = [&](const std::pair<uint32_t, uint32_t>& waiter) {
        if (waiter.second > flag.number)
            return false;
        beds_[waiter.first]->release();
        return true;
    };
    flag.waiting.erase(std::remove_if(flag.waiting.begin(), flag.waiting.end(), is_there), flag.waiting.end());
}

void Fluid::raise(uint32_t thread, const Event& event)
{
    bool goes_far = is_far(event.to, thread);
    if (event.manner != Manner::kPlain && puts_[thread].writes.must_be_confirmed(event.to, goes_far))
        confirm(thread);
    uint64_t key = key_of(event);
    if (!goes_far) {
        s4u::this_actor::sleep_for(parameters_.line_ns[kSelf]);
        set_flag(key, event.number, thread);
        return;
    }
    s4u::this_actor::sleep_for(parameters_.nic_overhead_ns);
    uint32_t number = event.number;
    put(thread, event, static_cast<double>(event.bytes) + kLineBytes,
        [this, key, number, thread]() { set_flag(key, number, thread); });
}

void Fluid::await(uint32_t thread, const Event& event)
{
    FlagState& flag = flags_[key_of(event)];
    if (flag.number < event.number) {
        flag.waiting.push_back({thread, event.number});
        beds_[thread]->acquire();
    }
    if (is_far(event.to, thread)) {
        fetch(thread, event.to, kLineBytes);
        return;
    }
    size_t distance = is_far(flag.writer, thread) ? kSelf : machine_.near_distance(flag.writer, thread);
    s4u::this_actor::sleep_for(parameters_.line_ns[distance]);
}

void Fluid::pass(uint32_t thread)
{
    confirm(thread);
    ends_[thread] = s4u::Engine::get_clock();
    if (++at_barrier_ < threads_) {
        beds_[thread]->acquire();
    } else {
        at_barrier_ = 0;
        pass_barrier(machine_, barrier_, &ends_);
        for (uint32_t i = 0; i < threads_; i++) {
            if (i != thread)
                beds_[i]->release();
        }
    }
    s4u::this_actor::sleep_until(ends_[thread]);
}

void Fluid::act(uint32_t thread)
{
    s4u::this_actor::sleep_for(parameters_.call_ns);
    const Schedule::Row& row = schedule_.of(thread);
    for (uint32_t i = 0; i < row.count; i++) {
        const Event& event = row.events[i];
        switch (event.kind) {
        case Kind::kCopy: copy(thread, event); break;
        case Kind::kRaise: raise(thread, event); break;
        case Kind::kAwait: await(thread, event); break;
        case Kind::kBarrier: pass(thread); break;
        }
    }
    ends_[thread] = s4u::Engine::get_clock();
}

void Fluid::run(double* ns, double* median_ns)
{
    std::vector<std::string> words = {"banyan-sim", "--cfg=network/model:CM02", "--cfg=network/crosstraffic:0",
                                      "--cfg=contexts/stack-size:128", "--log=root.thres:error"};
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    int count = static_cast<int>(words.size());
    s4u::Engine engine(&count, pointers.data());
    make_platform(&engine);
    for (uint32_t thread = 0; thread < threads_; thread++) {
        beds_.push_back(s4u::Semaphore::create(0));
        turns_.push_back(s4u::Mutex::create());
        s4u::Actor::create("thread", node_of(thread), [this, thread]() { act(thread); });
    }
    engine.run();
    *ns = *std::max_element(ends_.begin(), ends_.end());
    auto middle = ends_.begin() + threads_ / 2;
    std::nth_element(ends_.begin(), middle, ends_.end());
    *median_ns = *middle;
}

}  // namespace

std::optional<std::string> fluid_refusal(const Machine& machine)
{
    if (machine.is_crowded)
        return "--fluid needs a core for each thread; ask for fewer threads, or leave it out";
    if (machine.node_count > kNodesMax || machine.thread_count > kFluidThreadsMax)
        return "--fluid is for at most " + std::to_string(kNodesMax) + " nodes and " +
               std::to_string(kFluidThreadsMax) + " threads; leave it out";
    return std::nullopt;
}

std::optional<Outcome> simulate_fluid(const Machine& machine, const Schedule& schedule, bn_barrier_kind barrier)
{
    double times[2] = {0, 0};
    int ends[2];
    fflush(nullptr);
    if (pipe(ends) != 0)
        return std::nullopt;
    pid_t process = fork();
    if (process == 0) {
        try {
            Fluid(machine, schedule, barrier).run(&times[0], &times[1]);
        } catch (const PlatformFailure& failure) {
            complain(failure.what());
            fflush(nullptr);
            _exit(kNoWay);
        }
        _exit(write(ends[1], times, sizeof times) == sizeof times ? 0 : 1);
    }
    close(ends[1]);
    bool is_read = process > 0 && read(ends[0], times, sizeof times) == sizeof times;
    close(ends[0]);
    int status = 0;
    if (process > 0)
        waitpid(process, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == kNoWay)
        return std::nullopt;
    if (!is_read) {
        complain("SimGrid has ended before the operation did");
        return std::nullopt;
    }
    Outcome outcome;
    outcome.ns = times[0];
    outcome.median_ns = times[1];
    count_traffic(machine, schedule, &outcome);
    return outcome;
}

}  // namespace bn::sim
