#include "sim/model.h"

#include "sim/barriers.h"
#include "sim/scene.h"
#include "sim/writes.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <queue>
#include <unordered_map>

namespace bn::sim {

namespace {

constexpr uint32_t kNobody = UINT32_MAX;
constexpr double kPassedOver = 1;  // part of a core's waiting threads that run before one that is ready

// A resource with a limited bandwidth
struct Resource {
    double free_ns = 0, busy_ns = 0, bytes = 0;

    // Returns when a request of `size_bytes` that arrives at `ns` begins; it occupies the resource for `cost_ns`.
    double take(double ns, double cost_ns, double size_bytes)
    {
        double begin = std::max(ns, free_ns);
        free_ns = begin + cost_ns;
        busy_ns += cost_ns;
        bytes += size_bytes;
        return begin;
    }
};

// The links between a part of a node and the rest of it
struct Gate {
    Resource out, in;
};

struct FlagState {
    uint32_t number = 0;
    uint32_t writer = kNobody;
    uint32_t first_waiter = kNobody;
    double turn_ns = 0;  // when the next reader can have the line
};

// A flag on its way to another node
struct Message {
    uint64_t flag;
    uint32_t number, writer;
};

struct Lane {
    uint32_t holder = kNobody, last = kNobody;
    double free_ns = 0;
    std::deque<uint32_t> queue;
    std::array<std::pair<uint32_t, uint32_t>, 8> read;  // what its threads have read last: owner and place
    size_t read_count = 0;
    int waiting = 0;  // threads that poll a flag from time to time

    // Whether this has been read here already, and so is in the caches of this core; from now on it is.
    bool has_read(uint32_t from, uint32_t what)
    {
        std::pair<uint32_t, uint32_t> place = {from, what};
        size_t count = std::min(read_count, read.size());
        if (std::find(read.begin(), read.begin() + static_cast<std::ptrdiff_t>(count), place) !=
            read.begin() + static_cast<std::ptrdiff_t>(count))
            return true;
        read[read_count++ % read.size()] = place;
        return false;
    }
};

class Model : Scene {
public:
    Model(const Machine& machine, const Schedule& schedule, bn_barrier_kind barrier)
        : Scene(machine, schedule, barrier), routes_(*machine.routes), places_(threads_), writes_(threads_),
          confirmed_ns_(threads_), end_ns_(threads_), next_waiter_(threads_, kNobody), flags_(2 * size_t{threads_}),
          regions_(machine.region_count), links_(routes_.link_count()), gates_(machine.parts.size()),
          lanes_(machine.is_crowded ? machine.lane_count : 0)
    {
        for (size_t i = 0; i < gates_.size(); i++)
            gates_[i].resize(machine.parts[i].count);
    }

    Outcome run();

private:
    struct Item {
        double ns;
        uint64_t what;  // a thread, or threads_ + index of a message
        bool operator>(const Item& other) const { return ns != other.ns ? ns > other.ns : what > other.what; }
    };

    void wake(uint32_t thread, double ns) { queue_.push({ns, thread}); }
    void go(uint32_t thread, double ns);
    bool take_lane(uint32_t thread, double* ns);
    void leave_lane(uint32_t thread, double ns);
    bool step(uint32_t thread, const Event& event, double* ns);  // false: the thread has to wait
    double copy(uint32_t thread, const Event& event, double ns);
    double pass_gates(const Event& event, double ns);
    double transfer(uint32_t from_node, uint32_t to_node, double bytes, double ns);
    double raise(uint32_t thread, const Event& event, double ns);
    void note_write(uint32_t thread, uint32_t to, double there_ns);
    double confirm(uint32_t thread, double ns);
    bool await(uint32_t thread, const Event& event, double* ns);
    void arrive(uint32_t thread, double ns);
    void leave_in_turn(uint32_t last_of_all);
    uint64_t flag_key(const Event& event) const;
    FlagState& flag_of(uint64_t key) { return key < flags_.size() ? flags_[key] : rare_flags_[key]; }
    void set_flag(uint64_t key, uint32_t number, uint32_t writer, double ns);
    void find_busiest();

    Routes& routes_;
    std::vector<uint32_t> places_;      // per thread: its next step
    std::vector<Writes> writes_;        // per thread
    std::vector<double> confirmed_ns_;  // per thread: when it knows that its writes have arrived
    std::vector<double> end_ns_;        // per thread: when it is done; in a barrier, when it arrived
    std::vector<uint32_t> next_waiter_;
    std::vector<FlagState> flags_;  // per thread: progress flags, then one slot each
    std::unordered_map<uint64_t, FlagState> rare_flags_;
    std::vector<Resource> regions_, links_;
    std::vector<std::vector<Gate>> gates_;  // of the machine's parts
    std::vector<Lane> lanes_;
    std::vector<Message> messages_;
    std::vector<uint64_t> free_messages_;
    std::priority_queue<Item, std::vector<Item>, std::greater<>> queue_;
    uint32_t at_barrier_ = 0;
    Outcome outcome_;
};

// ---- Memory and messages ----

double Model::transfer(uint32_t from_node, uint32_t to_node, double bytes, double ns)
{
    const Route& route = routes_.find(from_node, to_node);
    double head = ns, arrival = ns;
    for (size_t i = 0; i < route.links.size(); i++) {
        uint32_t link = route.links[i];
        bool is_of_node = i == 0 || i + 1 == route.links.size();
        double cost = std::max(bytes / routes_.bytes_per_ns(link), is_of_node ? parameters_.nic_gap_ns : 0);
        if (routes_.is_shared(link))
            head = links_[link].take(head, cost, bytes);
        arrival = std::max(arrival, head + cost);
    }
    return arrival + route.latency_ns;
}

// Through the gates between parts of a node: returns when the last byte has passed them
double Model::pass_gates(const Event& event, double ns)
{
    auto bytes = static_cast<double>(event.bytes);
    double end = ns;
    for (size_t i = 0; i < gates_.size(); i++) {
        const Parts& parts = machine_.parts[i];
        uint32_t from = parts.of_threads[event.from], to = parts.of_threads[event.to];
        if (from == to)
            break;
        double cost = bytes / parts.bytes_per_ns;
        end = std::max(end, gates_[i][from].out.take(ns, cost, bytes) + cost);
        end = std::max(end, gates_[i][to].in.take(ns, cost, bytes) + cost);
    }
    return end;
}

double Model::copy(uint32_t thread, const Event& event, double ns)
{
    auto bytes = static_cast<double>(event.bytes);
    if (is_far(event.from, thread)) {  // a request, and the answer
        uint32_t own = machine_.nodes[thread], other = machine_.nodes[event.from];
        return transfer(other, own, bytes, ns + parameters_.nic_overhead_ns + machine_.latency_ns(own, other));
    }
    if (is_far(event.to, thread)) {
        double sent = ns + parameters_.nic_overhead_ns;
        double there = transfer(machine_.nodes[thread], machine_.nodes[event.to], bytes, sent);
        if (event.manner != Manner::kHandedOver)
            note_write(thread, event.to, there);
        return sent;
    }
    bool is_near =
        !lanes_.empty() && event.to == thread && lanes_[machine_.lanes[thread]].has_read(event.from, event.number);
    const CopyCost alone = costs_.of(thread, event, is_near);
    double end = std::max(ns + alone.ns, pass_gates(event, ns));
    if (alone.shared_bytes_per_ns == 0)
        return end;
    double cost = bytes / alone.shared_bytes_per_ns;
    Resource& from = regions_[machine_.regions[event.from]];
    Resource& to = regions_[machine_.regions[event.to]];
    end = std::max(end, from.take(ns, cost, bytes) + cost);
    if (&from != &to)
        end = std::max(end, to.take(ns, cost, bytes) + cost);
    return end;
}

// ---- Flags ----

uint64_t Model::flag_key(const Event& event) const
{
    uint64_t to = event.to;
    if (event.flag == Flag::kProgress)
        return to;
    // The first operation of a team has slot 1; those of wide ways have others.
    if (event.flag == Flag::kSlot && event.slot == 1)
        return threads_ + to;
    uint64_t rare = event.flag == Flag::kSlot ? event.slot : BN_LEVEL_COUNT + 64 + uint64_t{event.from};
    return 2 * uint64_t{threads_} + (rare << 24 | to);
}

void Model::set_flag(uint64_t key, uint32_t number, uint32_t writer, double ns)
{
    FlagState& flag = flag_of(key);
    flag.number = std::max(flag.number, number);
    flag.writer = writer;
    uint32_t waiter = flag.first_waiter;
    flag.first_waiter = kNobody;
    while (waiter != kNobody) {
        uint32_t next = next_waiter_[waiter];
        const Event& wish = schedule_.of(waiter).events[places_[waiter]];
        if (wish.number <= flag.number) {
            if (!lanes_.empty())
                lanes_[machine_.lanes[waiter]].waiting--;
            wake(waiter, ns);
        } else {
            next_waiter_[waiter] = flag.first_waiter;
            flag.first_waiter = waiter;
        }
        waiter = next;
    }
}

void Model::note_write(uint32_t thread, uint32_t to, double there_ns)
{
    double confirmed = there_ns + machine_.latency_ns(machine_.nodes[to], machine_.nodes[thread]);
    writes_[thread].note(to);
    confirmed_ns_[thread] = std::max(confirmed_ns_[thread], confirmed);
}

double Model::confirm(uint32_t thread, double ns)
{
    if (!writes_[thread].has_any())
        return ns;
    writes_[thread].confirmed();
    return std::max(ns, confirmed_ns_[thread]);
}

double Model::raise(uint32_t thread, const Event& event, double ns)
{
    bool goes_far = is_far(event.to, thread);
    if (event.manner != Manner::kPlain && writes_[thread].must_be_confirmed(event.to, goes_far))
        ns = confirm(thread, ns);
    uint64_t key = flag_key(event);
    if (!goes_far) {
        ns += parameters_.line_ns[kSelf];
        set_flag(key, event.number, thread, ns);
        return ns;
    }
    double bytes = static_cast<double>(event.bytes) + kLineBytes;
    double sent = ns + parameters_.nic_overhead_ns;
    double there = transfer(machine_.nodes[thread], machine_.nodes[event.to], bytes, sent);
    if (event.manner != Manner::kHandedOver)
        note_write(thread, event.to, there);
    uint64_t place = messages_.size();
    if (free_messages_.empty()) {
        messages_.push_back({});
    } else {
        place = free_messages_.back();
        free_messages_.pop_back();
    }
    messages_[place] = {key, event.number, thread};
    queue_.push({there, threads_ + place});
    return sent;
}

bool Model::await(uint32_t thread, const Event& event, double* ns)
{
    FlagState& flag = flag_of(flag_key(event));
    if (flag.number < event.number) {
        next_waiter_[thread] = flag.first_waiter;
        flag.first_waiter = thread;
        return false;
    }
    if (is_far(event.to, thread)) {
        uint32_t own = machine_.nodes[thread], other = machine_.nodes[event.to];
        double asked = *ns + parameters_.nic_overhead_ns + machine_.latency_ns(own, other);
        *ns = transfer(other, own, kLineBytes, asked);
        return true;
    }
    bool is_near = !is_far(flag.writer, thread);
    size_t distance = is_near ? machine_.near_distance(flag.writer, thread) : kSelf;
    flag.turn_ns = std::max(flag.turn_ns, *ns) + (flag.writer == thread ? 0 : parameters_.turn_ns);
    *ns = std::max(*ns + parameters_.line_ns[distance], flag.turn_ns);
    return true;
}

// The last thread to arrive is still on its core; on other cores, the thread that ran last sees the release only after
// a switch.
void Model::leave_in_turn(uint32_t last_of_all)
{
    for (uint32_t i = 0; i < threads_; i++) {
        Lane& lane = lanes_[machine_.lanes[i]];
        if (lane.last == i && i != last_of_all)
            end_ns_[i] += kPassedOver * parameters_.switch_ns;
    }
    for (uint32_t i = 0; i < threads_; i++) {
        uint32_t last = lanes_[machine_.lanes[i]].last;
        if (last != i)
            end_ns_[i] = std::max(end_ns_[i], std::nextafter(end_ns_[last], INFINITY));
        lanes_[machine_.lanes[i]].free_ns = end_ns_[last];
    }
}

void Model::arrive(uint32_t thread, double ns)
{
    end_ns_[thread] = confirm(thread, ns);
    places_[thread]++;
    if (++at_barrier_ < threads_)
        return;
    at_barrier_ = 0;
    pass_barrier(machine_, barrier_, &end_ns_);
    if (!lanes_.empty())
        leave_in_turn(thread);
    for (uint32_t i = 0; i < threads_; i++)
        wake(i, end_ns_[i]);
}

// ---- Threads ----

// Whether the thread has its core to itself; *ns becomes the time from which it does.
bool Model::take_lane(uint32_t thread, double* ns)
{
    if (lanes_.empty())
        return true;
    Lane& lane = lanes_[machine_.lanes[thread]];
    if (lane.holder == thread)
        return true;
    if (lane.holder != kNobody) {
        lane.queue.push_back(thread);
        return false;
    }
    // If no thread runs, those that wait poll in turn.
    double others_ns = parameters_.switch_ns * kPassedOver * lane.waiting;
    if (lane.free_ns < *ns)
        *ns += lane.last == kNobody ? 0 : others_ns;
    else
        *ns = lane.free_ns + (lane.last != thread && lane.last != kNobody ? parameters_.switch_ns + others_ns : 0);
    lane.holder = lane.last = thread;
    return true;
}

void Model::leave_lane(uint32_t thread, double ns)
{
    if (lanes_.empty())
        return;
    Lane& lane = lanes_[machine_.lanes[thread]];
    lane.holder = kNobody;
    lane.free_ns = ns;
    if (lane.queue.empty())
        return;
    wake(lane.queue.front(), ns);
    lane.queue.pop_front();
}

bool Model::step(uint32_t thread, const Event& event, double* ns)
{
    switch (event.kind) {
    case Kind::kCopy: *ns = copy(thread, event, *ns); break;
    case Kind::kRaise: *ns = raise(thread, event, *ns); break;
    case Kind::kAwait:
        if (!await(thread, event, ns))
            return false;
        break;
    case Kind::kBarrier: return false;
    }
    places_[thread]++;
    return true;
}

void Model::go(uint32_t thread, double ns)
{
    if (!take_lane(thread, &ns))
        return;
    const Schedule::Row& row = schedule_.of(thread);
    if (places_[thread] == 0)
        outcome_.last_begin_ns = std::max(outcome_.last_begin_ns, ns);
    while (places_[thread] < row.count) {
        const Event& event = row.events[places_[thread]];
        if (!step(thread, event, &ns)) {
            if (event.kind == Kind::kAwait && !lanes_.empty())
                lanes_[machine_.lanes[thread]].waiting++;
            leave_lane(thread, ns);
            if (event.kind == Kind::kBarrier)
                arrive(thread, ns);
            return;
        }
        if (!queue_.empty() && queue_.top().ns < ns) {
            wake(thread, ns);
            return;
        }
    }
    end_ns_[thread] = ns;
    leave_lane(thread, ns);
}

void Model::find_busiest()
{
    auto look = [&](const Resource& resource, auto name) {
        if (resource.busy_ns > outcome_.busiest.busy_ns)
            outcome_.busiest = {name(), resource.bytes, resource.busy_ns};
    };
    for (uint32_t i = 0; i < links_.size(); i++)
        look(links_[i], [&] { return "link " + routes_.name_of(i); });
    for (uint32_t i = 0; i < regions_.size(); i++)
        look(regions_[i], [&] { return "memory region " + std::to_string(i); });
    for (size_t level = 0; level < gates_.size(); level++) {
        std::string part = bn_level_name(machine_.parts[level].level);
        for (size_t i = 0; i < gates_[level].size(); i++) {
            look(gates_[level][i].out, [&] { return "links out of " + part + " " + std::to_string(i); });
            look(gates_[level][i].in, [&] { return "links into " + part + " " + std::to_string(i); });
        }
    }
}

Outcome Model::run()
{
    for (uint32_t thread = 0; thread < threads_; thread++)
        wake(thread, parameters_.call_ns);
    while (!queue_.empty()) {
        Item item = queue_.top();
        queue_.pop();
        if (item.what < threads_) {
            go(static_cast<uint32_t>(item.what), item.ns);
            continue;
        }
        uint64_t place = item.what - threads_;
        Message message = messages_[place];
        free_messages_.push_back(place);
        set_flag(message.flag, message.number, message.writer, item.ns);
    }
    outcome_.ns = *std::max_element(end_ns_.begin(), end_ns_.end());
    find_busiest();
    auto middle = end_ns_.begin() + threads_ / 2;
    std::nth_element(end_ns_.begin(), middle, end_ns_.end());
    outcome_.median_ns = *middle;
    return outcome_;
}

}  // namespace

Outcome simulate(const Machine& machine, const Schedule& schedule, bn_barrier_kind barrier)
{
    Outcome outcome = Model(machine, schedule, barrier).run();
    count_traffic(machine, schedule, &outcome);
    return outcome;
}

void count_traffic(const Machine& machine, const Schedule& schedule, Outcome* outcome)
{
    outcome->step_count = schedule.event_count();
    for (uint32_t thread = 0; thread < schedule.thread_count(); thread++) {
        const Schedule::Row& row = schedule.of(thread);
        for (uint32_t i = 0; i < row.count; i++) {
            const Event& event = row.events[i];
            if (event.kind == Kind::kBarrier)
                continue;
            bool is_copy = event.kind == Kind::kCopy;
            bn_level level = machine.distance(event.to, is_copy ? event.from : thread);
            if (event.kind == Kind::kAwait)
                outcome->signals[level]++;
            bool is_message = event.kind == Kind::kRaise && event.bytes > 0 && level >= BN_LEVEL_SWITCH;
            if (!is_copy && !is_message)
                continue;
            outcome->copies[level].messages++;
            outcome->copies[level].bytes += static_cast<double>(event.bytes);
        }
    }
}

}  // namespace bn::sim
