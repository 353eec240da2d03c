// recorder.h: the recorder, and the threads whose execution it records; for record.cc.
#pragma once

#include "sim/addresses.h"
#include "sim/record.h"

#include "coll/plan.h"
#include "sync/flag.h"

#include <array>
#include <deque>
#include <memory>
#include <ucontext.h>
#include <unordered_map>
#include <vector>

namespace bn::sim {

// A stack on which one thread after another is carried out
struct Worker {
    ucontext_t context;
    void* stack = nullptr;
    bn_team team;
    bn_plans plans;
    std::vector<Event> events;
    uint64_t heard_flag = 0, heard_number = 0;  // the last flag and number that it waited for
};

class Recorder {
public:
    Recorder(const Machine& machine, const Question& question);
    ~Recorder();
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    bool run(Schedule* schedule);
    bn_team make_team(int rank);

    // Called by the engine on behalf of the thread that is being carried out
    void copy(uint64_t dst, uint64_t src, size_t size_bytes, Manner manner);
    void raise(uint64_t flag, uint64_t number, Manner manner);
    void bring(uint64_t flag, uint64_t number, uint64_t dst, uint64_t src, size_t size_bytes, Manner manner);
    void await(uint64_t flag, uint64_t number);
    void pass_barrier();
    void note_barrier(int rank);
    bool is_near(uint64_t address) const;
    uint64_t allocate(size_t size_bytes) const;
    const bn_hierarchy* hierarchy() const { return machine_.hierarchy.get(); }

    static Recorder* current;

private:
    // A flag with the value stored next to it, and the workers that wait until it has a certain number
    struct Payload {
        uint64_t number = 0;
        std::array<unsigned char, sizeof(bn_flag)> bytes{};
        std::vector<Worker*> waiting;
    };

    Event flag_event(Kind kind, uint64_t flag, uint64_t number) const;
    uint32_t owner_of(uint64_t address) const;
    bool is_mail(uint64_t address) const { return address - mail_ < mail_bytes_; }
    void note(const Event& event);
    void note_look(uint64_t src, size_t size_bytes);
    void read_payload(void* dst, uint64_t src, size_t size_bytes);
    void write_payload(uint64_t dst, uint64_t src, size_t size_bytes);

    static void work();
    void carry_out_all(Worker* worker);
    void carry_out(Worker* worker, int rank);
    Worker* new_worker();
    void stay_behind();

    const Machine& machine_;
    const Question& question_;
    Schedule* schedule_ = nullptr;
    uint64_t mail_ = 0, mail_bytes_ = 0;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<Worker*> idle_;
    std::deque<Worker*> ready_;
    std::unordered_map<uint64_t, Payload> payloads_;
    Worker* running_ = nullptr;
    ucontext_t home_;
    int next_rank_ = 0, done_count_ = 0;
    bool is_full_ = false, has_no_plan_ = false;
};

}  // namespace bn::sim
