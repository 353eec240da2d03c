#include "sim/recorder.h"

#include "empty_reduction.h"
#include "platform/copy.h"
#include "sim/stand_in.h"
#include "sim/text.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <sys/mman.h>

namespace bn::sim {

Recorder* Recorder::current = nullptr;

namespace {

constexpr size_t kStackBytes = size_t{1} << 20;  // the algorithms touch a few pages of it, or half of it to pack blocks
constexpr size_t kWorkersMax = 20000;
constexpr uint64_t kEventsMax = 100'000'000;  // 3.2 GB
constexpr uint64_t kOperation = 1;            // number of the operation: the first of a team

void* at(uint64_t address)
{
    return reinterpret_cast<void*>(address);
}

void mover_copy(void* dst, const void* src, size_t size_bytes)
{
    Recorder::current->copy(reinterpret_cast<uint64_t>(dst), reinterpret_cast<uint64_t>(src), size_bytes,
                            Manner::kPlain);
}

bool mover_is_mapped(const void* place)
{
    return Recorder::current->is_near(reinterpret_cast<uint64_t>(place));
}

void mover_end() {}
unsigned long long mover_count()
{
    return 0;
}

const bn_far_mover kMover = {mover_copy, mover_is_mapped, mover_copy, mover_end, mover_count};

uint64_t host_alloc(void*, size_t size_bytes)
{
    return Recorder::current->allocate(size_bytes);
}

void host_release(void*, uint64_t) {}

const bn_hierarchy* host_hierarchy(void*)
{
    return Recorder::current->hierarchy();
}

bn_call make_call(const Question& question, bn_fold* fold)
{
    bn_call call = {};
    bn_root_role role = bn_operation_flow(question.operation).root;
    uint64_t root = static_cast<uint64_t>(question.root) * kStride;
    call.src = kFarBit + kSrc + (role == BN_ROOT_GIVES ? root : 0);
    call.dst = kFarBit + kDst + (role == BN_ROOT_GETS ? root : 0);
    call.perm = kFarBit + kPermutation;
    call.nbytes = question.nbytes;
    call.root = question.root;
    call.in = question.in;
    call.out = question.out;
    call.fold = fold;
    return call;
}

uint32_t place_of(uint64_t address)
{
    if (is_room(address))
        return place_at(Area::kRoom, (address & (kRoomsBit - 1)) % sizeof(bn_member_rooms));
    if (!is_far(address) || is_control(address))
        return place_at(Area::kOwn, address);
    uint64_t offset = offset_of(address);
    return place_at(static_cast<Area>(offset / kAreaBytes), offset % kAreaBytes);
}

}  // namespace

Recorder::Recorder(const Machine& machine, const Question& question) : machine_(machine), question_(question)
{
    size_t members = static_cast<size_t>(machine.thread_count);
    if (machine.node_count > 1 && machine.thread_count <= BN_TEAM_MAIL_MEMBERS) {
        // Some algorithms poll their mail themselves, so it needs memory, though hardly a page of it is used.
        mail_bytes_ = members * sizeof(bn_member_mail);
        void* memory =
            mmap(nullptr, mail_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        mail_bytes_ = memory == MAP_FAILED ? 0 : mail_bytes_;
        mail_ = memory == MAP_FAILED ? 0 : reinterpret_cast<uint64_t>(memory);
    }
    current = this;
    bn_far_set(kFarBit, &kMover);
}

Recorder::~Recorder()
{
    if (mail_bytes_ > 0)
        munmap(at(mail_), mail_bytes_);
    for (const auto& worker : workers_)
        munmap(worker->stack, kStackBytes);
    current = nullptr;
}

bn_team Recorder::make_team(int rank)
{
    const bn_team_memory memory = {
        static_cast<bn_barrier*>(at(kFarBit | kControlBit | (kRoomsBit >> 1))),
        static_cast<bn_member_lines*>(at(kFarBit | kControlBit)),
        kStride,
        static_cast<bn_member_mail*>(at(mail_)),
        sizeof(bn_member_mail),
        machine_.node_count,
        machine_.largest_node,
    };
    const bn_wait_policy policy = {0, 0};
    bn_team team = bn_team_join_apart(&memory, rank, machine_.thread_count, kStride,
                                      machine_.node_count * machine_.pus_of_node, policy);
    if (machine_.node_count == 1)
        team.rooms = static_cast<bn_member_rooms*>(at(kFarBit | kControlBit | kRoomsBit));
    team.host.alloc = host_alloc;
    team.host.release = host_release;
    team.host.find_hierarchy = host_hierarchy;
    return team;
}

// ---- What the engine does ----

uint32_t Recorder::owner_of(uint64_t address) const
{
    if (is_far(address))
        return thread_of(address);
    if (is_mail(address))
        return static_cast<uint32_t>((address - mail_) / sizeof(bn_member_mail));
    return static_cast<uint32_t>(running_->team.rank);
}

bool Recorder::is_near(uint64_t address) const
{
    return machine_.nodes[owner_of(address)] == machine_.nodes[static_cast<size_t>(running_->team.rank)];
}

uint64_t Recorder::allocate(size_t size_bytes) const
{
    if (size_bytes > kAreaBytes)
        return 0;
    return kFarBit + kHeap + static_cast<uint64_t>(running_->team.rank) * kStride;
}

void Recorder::note(const Event& event)
{
    if (!is_full_)
        running_->events.push_back(event);
    if (running_->events.size() + schedule_->event_count() > kEventsMax)
        is_full_ = true;
}

void Recorder::copy(uint64_t dst, uint64_t src, size_t size_bytes, Manner manner)
{
    if (dst == src || size_bytes == 0)
        return;
    bool is_said = is_control(src) && !is_room(src);
    bool is_saying = is_control(dst) && !is_room(dst);
    if (is_said && !is_far(dst)) {
        read_payload(at(dst), src, size_bytes);
        note_look(src, size_bytes);
    } else if (is_permutation(src)) {
        int to = (static_cast<int>(thread_of(src)) + 1) % machine_.thread_count;
        memcpy(at(dst), &to, sizeof to);
        note_look(src, size_bytes);
    } else if (is_saying) {
        write_payload(dst, src, size_bytes);
    } else if (!is_said) {
        note({Kind::kCopy, Flag::kProgress, 0, manner, place_of(src), owner_of(dst), owner_of(src), place_of(dst),
              size_bytes});
    } else {
        note_look(src, size_bytes);
    }
}

// Reads words of another node, which takes a message of its own
void Recorder::note_look(uint64_t src, size_t size_bytes)
{
    auto own = static_cast<uint32_t>(running_->team.rank);
    if (!is_near(src))
        note({Kind::kCopy, Flag::kProgress, 0, Manner::kPlain, place_of(src), own, owner_of(src),
              place_at(Area::kOwn, 0), size_bytes});
}

Event Recorder::flag_event(Kind kind, uint64_t flag, uint64_t number) const
{
    auto step = static_cast<uint32_t>(number - (kOperation << BN_TEAM_STEP_BITS));
    Event event = {kind, Flag::kMail, 0, Manner::kPlain, step, owner_of(flag), 0, 0, 0};
    if (is_mail(flag)) {
        uint64_t offset = (flag - mail_) % sizeof(bn_member_mail) - offsetof(bn_member_mail, from);
        event.from = static_cast<uint32_t>(offset / sizeof(bn_flag));
        return event;
    }
    size_t place = offset_of(flag) / sizeof(bn_flag);
    event.flag = place == 0 ? Flag::kProgress : Flag::kSlot;
    event.slot = place == 0 ? 0 : static_cast<uint8_t>(place - 1);
    return event;
}

void Recorder::raise(uint64_t flag, uint64_t number, Manner manner)
{
    Event event = flag_event(Kind::kRaise, flag, number);
    event.manner = manner;
    note(event);
    auto payload = payloads_.find(flag);
    if (payload == payloads_.end())
        return;
    payload->second.number = number;
    for (Worker* worker : payload->second.waiting)
        ready_.push_back(worker);
    payload->second.waiting.clear();
}

// Data and flag, in one message if the data go to another node
void Recorder::bring(uint64_t flag, uint64_t number, uint64_t dst, uint64_t src, size_t size_bytes, Manner manner)
{
    bool is_beside = is_control(dst) && !is_room(dst);
    bool is_one_message = !is_near(flag) && owner_of(dst) == owner_of(flag);
    if (is_beside)
        write_payload(dst, src, size_bytes);
    else if (!is_one_message)
        copy(dst, src, size_bytes, Manner::kPlain);
    raise(flag, number, is_one_message ? manner : Manner::kFenced);
    if (!is_full_ && (is_one_message || is_beside))
        running_->events.back().bytes = size_bytes;
}

void Recorder::await(uint64_t flag, uint64_t number)
{
    running_->heard_flag = flag;
    running_->heard_number = number;
    note(flag_event(Kind::kAwait, flag, number));
}

// Dissemination is recorded as a sequence of flags (sync/barrier_dissemination.c); the model knows the other barriers.
void Recorder::note_barrier(int rank)
{
    auto count = static_cast<uint32_t>(machine_.thread_count), own = static_cast<uint32_t>(rank);
    if (question_.way->barrier != BN_BARRIER_DISSEMINATION) {
        pass_barrier();
        return;
    }
    for (uint32_t distance = 1, round = 1; distance < count; distance *= 2, round++) {
        uint32_t from = (own + count - distance) % count;
        note({Kind::kRaise, Flag::kProgress, 0, Manner::kPlain, round, own, 0, 0, 0});
        note({Kind::kAwait, Flag::kProgress, 0, Manner::kPlain, round, from, 0, 0, 0});
    }
}

void Recorder::pass_barrier()
{
    note({Kind::kBarrier, Flag::kProgress, 0, Manner::kPlain, 0, 0, 0, 0, 0});
}

// User data do not exist here, and nobody reads them.
void Recorder::write_payload(uint64_t dst, uint64_t src, size_t size_bytes)
{
    uint64_t flag = dst - offset_of(dst) % sizeof(bn_flag);
    if (!is_far(src))
        memcpy(payloads_[flag].bytes.data() + (dst - flag), at(src), size_bytes);
}

void Recorder::read_payload(void* dst, uint64_t src, size_t size_bytes)
{
    uint64_t flag = src - offset_of(src) % sizeof(bn_flag);
    uint64_t wanted = running_->heard_flag == flag ? running_->heard_number : 0;
    while (payloads_[flag].number < wanted && !is_full_) {
        payloads_[flag].waiting.push_back(running_);
        stay_behind();
    }
    memcpy(dst, payloads_[flag].bytes.data() + (src - flag), size_bytes);
}

// ---- Threads, one after the other ----

void Recorder::carry_out(Worker* worker, int rank)
{
    worker->team = make_team(rank);
    worker->events.clear();
    worker->heard_flag = 0;
    bn_team* team = &worker->team;
    worker->plans.plan_count = 0;
    bn_plans_init(team, &worker->plans, nullptr);
    if (question_.operation != BN_BARRIER)
        bn_plans_force(team, question_.operation, question_.way->name);
    bool has_values = bn_operation_flow(question_.operation).has_values;
    EmptyReduction reduction;
    bn_call call = make_call(question_, &reduction.fold);
    if (question_.operation == BN_BARRIER) {
        note_barrier(rank);
    } else if (const bn_plan* plan = bn_plan_choose(team, question_.operation, &call)) {
        if (has_values)
            bn_operation_enter(team, call.in);
        plan->entry->run(team, plan, &call);
        if (has_values)
            bn_operation_leave(team, call.out);
    } else {
        has_no_plan_ = true;
    }
    if (!is_full_ && !has_no_plan_)
        schedule_->set(static_cast<uint32_t>(rank), worker->events);
    bn_plans_destroy(team);
    bn_team_leave(team);
    done_count_++;
}

void Recorder::carry_out_all(Worker* worker)
{
    for (;;) {
        while (next_rank_ < machine_.thread_count && ready_.empty() && !is_full_ && !has_no_plan_)
            carry_out(worker, next_rank_++);
        idle_.push_back(worker);
        swapcontext(&worker->context, &home_);
    }
}

void Recorder::work()
{
    current->carry_out_all(current->running_);
}

void Recorder::stay_behind()
{
    Worker* worker = running_;
    swapcontext(&worker->context, &home_);
}

Worker* Recorder::new_worker()
{
    if (workers_.size() == kWorkersMax)
        return nullptr;
    void* stack = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED)
        return nullptr;
    workers_.push_back(std::make_unique<Worker>());
    Worker* worker = workers_.back().get();
    worker->stack = stack;
    getcontext(&worker->context);
    worker->context.uc_stack = {stack, 0, kStackBytes};
    worker->context.uc_link = nullptr;
    makecontext(&worker->context, &Recorder::work, 0);
    return worker;
}

bool Recorder::run(Schedule* schedule)
{
    schedule_ = schedule;
    while (done_count_ < machine_.thread_count && !is_full_ && !has_no_plan_) {
        Worker* worker = nullptr;
        if (!ready_.empty()) {
            worker = ready_.front();
            ready_.pop_front();
        } else if (next_rank_ == machine_.thread_count) {
            return complain("the threads deadlock in this operation");
        } else if (!idle_.empty()) {
            worker = idle_.back();
            idle_.pop_back();
        } else {
            worker = new_worker();
        }
        if (!worker)
            return complain("more than " + with_commas(kWorkersMax) + " threads would wait at the same time");
        running_ = worker;
        swapcontext(&home_, &worker->context);
    }
    if (is_full_)
        complain(std::string(bn_operation_name(question_.operation)) + " \"" + question_.way->name + "\" among " +
                 std::to_string(machine_.thread_count) + " threads takes more than " + with_commas(kEventsMax) +
                 " steps, and there is no memory for them; ask for fewer threads or another way");
    return !is_full_ && !has_no_plan_;
}

// ---- Outside ----

}  // namespace bn::sim

using bn::sim::Recorder;

void bn_sim_raise(uint64_t flag, uint64_t number, bool is_fenced)
{
    Recorder::current->raise(flag, number, is_fenced ? bn::sim::Manner::kFenced : bn::sim::Manner::kPlain);
}

void bn_sim_bring(uint64_t flag, uint64_t number, uint64_t dst, uint64_t src, size_t size_bytes, bool is_handed_over)
{
    Recorder::current->bring(flag, number, dst, src, size_bytes,
                             is_handed_over ? bn::sim::Manner::kHandedOver : bn::sim::Manner::kBehind);
}

void bn_sim_hand_over_part(uint64_t dst, uint64_t src, size_t size_bytes)
{
    Recorder::current->copy(dst, src, size_bytes, bn::sim::Manner::kHandedOver);
}

void bn_sim_await(uint64_t flag, uint64_t number)
{
    Recorder::current->await(flag, number);
}

void bn_sim_barrier(void)
{
    Recorder::current->pass_barrier();
}

namespace bn::sim {

std::optional<std::string> refusal_of(const Machine& machine, const Question& question)
{
    if (question.operation >= BN_UPC_OPERATION_COUNT)
        return "vectors, and blocks of different sizes, are not simulated";
    if (question.way->is_native)
        return "the algorithm of the library below is not known";
    if (question.way->needs_stages)
        return "stages belong to MPI programs, which are not simulated";
    Recorder recorder(machine, question);
    const bn_team team = recorder.make_team(0);
    if (question.operation == BN_BARRIER && machine.node_count > 1 && question.way->barrier != BN_BARRIER_CENTRAL)
        return "barriers between nodes have only one way, by nodes";
    if (!bn_entry_is_there(question.way, &team))
        return question.way->needs_mail ? "mail is there over several nodes, for up to 1024 threads"
                                        : "there is no room for blocks of so many threads";
    size_t limit = bn_entry_limit(question.way, &team);
    if (limit != 0 && (size_t{1} << bn_size_class(question.nbytes)) > limit)
        return "carries " + bytes_text(static_cast<double>(limit)) + " at most";
    if (bn_operation_bytes(question.operation, question.nbytes, machine.thread_count) > kAreaBytes)
        return "all blocks together would take more than 256 GiB";
    return std::nullopt;
}

const bn_entry* usual_way(const Machine& machine, const Question& question)
{
    bn_conditions conditions = {};
    conditions.nbytes = size_t{1} << bn_size_class(question.nbytes);
    conditions.in = question.in;
    conditions.out = question.out;
    conditions.member_count = machine.thread_count;
    conditions.core_count = machine.node_count * machine.pus_of_node;
    conditions.region_count = static_cast<int>(machine.region_count);
    conditions.node_count = machine.node_count;
    conditions.largest_node = machine.largest_node;
    conditions.reach = BN_REACH_MAPPED;
    const char* origin = nullptr;
    Recorder recorder(machine, question);
    const bn_team team = recorder.make_team(0);
    const bn_rule* rule = bn_plan_rule(nullptr, question.operation, &conditions, &team, &origin);
    return bn_registry_find(question.operation, rule->entry);
}

std::optional<Schedule> record(const Machine& machine, const Question& question)
{
    Schedule schedule(static_cast<uint32_t>(machine.thread_count));
    Recorder recorder(machine, question);
    if (!recorder.run(&schedule))
        return std::nullopt;
    return schedule;
}

ControlMemory control_memory(const Machine& machine, const Question& question)
{
    size_t threads = static_cast<size_t>(machine.thread_count);
    ControlMemory memory = {};
    memory.shared = machine.node_count == 1
                        ? bn_team_control_bytes(machine.thread_count) / threads
                        : sizeof(bn_member_lines) + (threads <= BN_TEAM_MAIL_MEMBERS ? sizeof(bn_member_mail) : 0);
    memory.plans = sizeof(bn_team) + sizeof(bn_plans);
    memory.machine = bn_hierarchy_size_bytes(machine.hierarchy.get()) / threads;
    bn_shape shape;
    if (!question.way->shape || !bn_shape_parse(question.way->shape, &shape))
        return memory;
    auto tree_max = bn_option_number(BN_OPTION_COLL_TREES);
    int roots = machine.thread_count <= tree_max ? machine.thread_count : 1;
    int leader = bn_shape_leader(machine.hierarchy.get(), &shape);
    for (int rank = 0; rank < machine.thread_count; rank++) {
        size_t bytes = 0;
        for (int root = 0; root < roots; root++) {
            bn_tree tree;
            if (bn_shape_tree(machine.hierarchy.get(), &shape, roots == 1 ? leader : root, rank, &tree) != BN_OK)
                return memory;
            bytes += sizeof tree + static_cast<size_t>(tree.child_count) * sizeof *tree.children;
            bn_tree_destroy(&tree);
        }
        memory.trees = std::max(memory.trees, bytes);
    }
    return memory;
}

}  // namespace bn::sim
