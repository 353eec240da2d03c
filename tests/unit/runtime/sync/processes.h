// processes.h: runs a function in several processes with shared memory at the same time.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <new>
#include <random>
#include <vector>

// An object of type T, zeroed, in memory that processes forked afterwards share
template <class T>
class Shared {
public:
    Shared()
    {
        void* memory = mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            throw std::bad_alloc();
        object_ = static_cast<T*>(memory);
    }
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;
    ~Shared() { munmap(object_, sizeof(T)); }
    T* operator->() const { return object_; }
    T& operator*() const { return *object_; }

private:
    T* object_;
};

inline std::vector<pid_t> start_processes(int count, const std::function<void(int)>& body)
{
    std::vector<pid_t> ids;
    fflush(nullptr);
    for (int process = 0; process < count; process++) {
        pid_t id = fork();
        if (id == 0) {
            body(process);
            _exit(testing::Test::HasFailure());
        }
        ids.push_back(id);
    }
    return ids;
}

inline bool all_succeed(const std::vector<pid_t>& ids)
{
    bool is_ok = true;
    for (pid_t id : ids) {
        int status = -1;
        is_ok &= waitpid(id, &status, 0) == id && status == 0;
    }
    return is_ok;
}

// Runs body as each of the processes; returns whether the checks in all of them passed.
inline bool run_processes(int count, const std::function<void(int)>& body)
{
    return all_succeed(start_processes(count, body));
}

// Stops processes for a moment, at arbitrary places, until one of them has ended.
inline void stop_and_continue(const std::vector<pid_t>& ids)
{
    std::mt19937 random(1);
    siginfo_t ended = {};
    for (int i = 0; i < 300 && ended.si_pid == 0; i++) {
        pid_t id = ids[random() % ids.size()];
        kill(id, SIGSTOP);
        usleep(random() % 1000);
        kill(id, SIGCONT);
        usleep(random() % 200);
        waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT);
    }
}
