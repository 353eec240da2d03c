#include "tune/job.h"

#include "base/log.h"
#include "boot/bind.h"
#include "boot/report.h"
#include "coll/plan.h"
#include "coll/run.h"
#include "platform/clock.h"
#include "platform/memory.h"
#include "platform/process.h"
#include "upc/context.h"
#include "upc/start/runtime.h"
#include "upc/upc_c.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace bn::tune {

namespace {

constexpr size_t kHeapBytes = size_t{256} << 20;

void run_thread(const Job& job, int thread, const bn_bind_machine& machine)
{
    bn_bind_choice bind = bn_bind_resolve(BN_BIND_AUTO, job.core_count, job.thread_count);
    if (bind != BN_BIND_NONE) {
        bn_pu_set set;
        bn_bind_plan(&machine, bind, job.thread_count, thread, &set);
        bn_cpus_bind(&set);
    }
    bn_runtime_attach(thread);
    bn_runtime_barrier();
    size_t threads = static_cast<size_t>(job.thread_count);
    Arrays arrays = {upc_all_alloc(threads, job.array_bytes), upc_all_alloc(threads, job.array_bytes),
                     upc_all_alloc(threads, sizeof(int))};
    int to = (thread + 1) % job.thread_count;
    memcpy(bn_team_at(&bn_context.team, arrays.perm.addr, thread), &to, sizeof to);
    memset(bn_team_at(&bn_context.team, arrays.src.addr, thread), 1, job.array_bytes);
    memset(bn_team_at(&bn_context.team, arrays.dst.addr, thread), 0, job.array_bytes);
    job.body(arrays);
    bn_runtime_finish();
}

// Waits for a child, or any if `process` is -1; returns which has ended.
pid_t await(pid_t process, int* status_p)
{
    pid_t ended = 0;
    while ((ended = waitpid(process, status_p, 0)) < 0 && errno == EINTR)
        continue;
    return ended;
}

// Whether a process has ended well.  Reports a signal; a process that fails in another way has reported that itself.
bool has_succeeded(const std::string& who, int status)
{
    if (WIFSIGNALED(status))
        bn_log_error("%s was killed by signal %d (%s)%s", who.c_str(), WTERMSIG(status),
                     bn_process_signal_name(WTERMSIG(status)), WTERMSIG(status) == SIGKILL ? bn_report_killer() : "");
    return status == 0;
}

bool complain_of_fork(const std::string& what)
{
    bn_log_error("cannot start %s: %s; name smaller numbers of threads (-n), or raise the limit of processes "
                 "(ulimit -u, pids.max of the control group)",
                 what.c_str(), strerror(errno));
    return false;
}

std::string name_of(const Job& job, long thread)
{
    return "thread " + std::to_string(thread) + " of " + std::to_string(job.thread_count);
}

// Runs in the process that forks the threads: whatever it allocates vanishes with it, and so do the threads, some of
// which would wait forever where one is missing.
bool run_threads(const Job& job)
{
    static bn_bind_machine machine;
    bn_bind_machine_read("", &machine);
    if (bn_runtime_create(nullptr, job.thread_count, job.core_count, kHeapBytes) != BN_OK)
        return false;
    pid_t parent = getpid();
    std::vector<pid_t> threads;
    for (int thread = 0; thread < job.thread_count; thread++) {
        threads.push_back(fork());
        if (threads.back() < 0)
            return complain_of_fork(name_of(job, thread));
        if (threads.back() == 0) {
            bn_process_die_with(parent);
            run_thread(job, thread, machine);
            _exit(0);
        }
    }
    for (int i = 0; i < job.thread_count; i++) {
        int status = 0;
        pid_t ended = await(-1, &status);
        if (!has_succeeded(name_of(job, std::find(threads.begin(), threads.end(), ended) - threads.begin()), status))
            return false;
    }
    return true;
}

}  // namespace

void* share(size_t nbytes)
{
    void* memory = nullptr;
    return bn_memory_share(nbytes, &memory) == BN_OK ? memory : nullptr;
}

void unshare(void* memory, size_t nbytes)
{
    bn_memory_unshare(memory, nbytes);
}

bool run(const Job& job)
{
    fflush(nullptr);
    pid_t parent = getpid();
    pid_t process = fork();
    if (process < 0)
        return complain_of_fork("a job of " + std::to_string(job.thread_count) + " threads");
    if (process == 0) {
        bn_process_die_with(parent);
        _exit(run_threads(job) ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    int status = 0;
    await(process, &status);
    return has_succeeded("the process that starts the threads", status);
}

namespace {

// A thread's part of the data of a call
struct Own {
    unsigned char* src;
    const unsigned char* dst;
    size_t src_bytes, dst_bytes;
};

Own own_of(bn_operation operation, const bn_call& call)
{
    const bn_team* team = &bn_context.team;
    const bn_flow flow = bn_operation_flow(operation);
    if (!bn_operation_has_blocks(operation))
        return {};
    bool is_root = team->rank == call.root;
    auto bytes = [&](bn_extent extent, bn_root_role only_at_root) {
        return flow.root == only_at_root && !is_root ? 0 : bn_extent_bytes(extent, call.nbytes, team->size);
    };
    return {bn_team_at(team, call.src, team->rank), bn_team_at(team, call.dst, team->rank),
            bytes(flow.src, BN_ROOT_GIVES), bytes(flow.dst, BN_ROOT_GETS)};
}

// Like a program between two calls: reads what it has received, and writes what it sends.  Otherwise, writing into
// another core's cache would cost nothing, and the wrong ways would win.
void use(const Own& own, int value)
{
    constexpr size_t kLine = 64;
    for (size_t i = 0; i < own.dst_bytes; i += kLine)
        static_cast<void>(*static_cast<const volatile unsigned char*>(own.dst + i));
    if (own.src_bytes > 0)
        memset(own.src, value, own.src_bytes);
}

}  // namespace

void use_data(bn_operation operation, const bn_call& call, int value)
{
    use(own_of(operation, call), value);
}

double run_calls(bn_operation operation, const bn_call& call, int count)
{
    bn_team* team = &bn_context.team;
    const Own own = own_of(operation, call);
    bn_team_barrier(team);
    uint64_t begin = bn_clock_ns();
    for (int i = 0; i < count; i++) {
        use(own, i);
        bn_operation_run(team, operation, &call);
    }
    bn_team_barrier(team);
    return static_cast<double>(bn_clock_ns() - begin) * 1e-3 / count;
}

}  // namespace bn::tune
