// job.h: runs a function as every thread of a job, in processes forked from the test, and returns the outcome.
#pragma once

#include "upc/context.h"
#include "upc/start/runtime.h"
#include "upc/upc_c.h"

#include "base/default_options.h"

#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

// The shared memory of a job is at a fixed address, which ThreadSanitizer reserves for itself.
#if defined(BN_HAS_TSAN)
#define SKIP_IF_NO_WINDOW() GTEST_SKIP() << "thread sanitizer leaves no room for the shared memory of a job"
#else
#define SKIP_IF_NO_WINDOW()
#endif

struct JobOptions {
    bn_unit* units = nullptr;
    uint64_t heap_bytes = 256 << 20;
};

// Runs body as each thread.  A thread whose checks fail makes the test fail.
inline void run_job(int threads, const std::function<void()>& body, const JobOptions& options = {})
{
    fflush(nullptr);
    pid_t parent = fork();
    if (parent == 0) {
        load_default_options();
        if (bn_runtime_create(options.units, threads, 2, options.heap_bytes) != BN_OK)
            _exit(2);
        std::vector<pid_t> children;
        for (int thread = 0; thread < threads; thread++) {
            pid_t child = fork();
            if (child == 0) {
                bn_runtime_attach(thread);
                bn_runtime_barrier();
                body();
                bool has_failed = testing::Test::HasFailure();
                bn_runtime_finish();
                fflush(nullptr);
                _exit(has_failed);
            }
            children.push_back(child);
        }
        int result = 0;
        for (size_t ended = 0; ended < children.size(); ended++) {
            int status;
            pid_t child = wait(&status);
            if (status == 0 || result != 0)
                continue;
            result = 1;
            // The others might wait for it for ever.
            for (pid_t other : children)
                if (other != child)
                    kill(other, SIGKILL);
        }
        _exit(result);
    }
    int status = -1;
    waitpid(parent, &status, 0);
    EXPECT_EQ(status, 0) << "with " << threads << " threads";
}

// Runs body as each thread of a job that must be ended by the runtime, and returns the messages.
inline std::string message_of_job(int threads, const std::function<void()>& body)
{
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    fflush(nullptr);
    pid_t parent = fork();
    if (parent == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        load_default_options();
        if (bn_runtime_create(nullptr, threads, 2, 64 << 20) != BN_OK)
            _exit(2);
        std::vector<pid_t> children;
        for (int thread = 0; thread < threads; thread++) {
            pid_t child = fork();
            if (child == 0) {
                bn_runtime_attach(thread);
                bn_runtime_barrier();
                body();
                bn_runtime_finish();
                _exit(0);
            }
            children.push_back(child);
        }
        for (size_t ended = 0; ended < children.size(); ended++) {
            int status;
            pid_t child = wait(&status);
            for (pid_t other : children)
                if (status != 0 && other != child)
                    kill(other, SIGKILL);
        }
        _exit(0);
    }
    close(ends[1]);
    std::string text;
    char part[512];
    ssize_t got;
    while ((got = read(ends[0], part, sizeof part)) > 0)
        text.append(part, static_cast<size_t>(got));
    close(ends[0]);
    int status;
    waitpid(parent, &status, 0);
    return text;
}

inline int me()
{
    return bn_mythread();
}

inline int threads()
{
    return bn_threads();
}

// The part of `thread` of the memory that begins at p on thread 0
template <class T>
T* part(bn_pts_t p, int thread)
{
    return reinterpret_cast<T*>(p.addr + bn_stride(static_cast<bn_u64>(thread)));
}
