#include "tune/network.h"

#include "base/log.h"
#include "platform/process.h"
#include "root_folder.h"
#include "tune/interruption.h"
#include "tune/pair.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bn::tune {

namespace {

bool complain_of_program(const std::string& program, int error)
{
    bn_log_error("cannot run %s: %s", program.c_str(), strerror(error));
    return false;
}

// Runs a program and waits for it; its standard output goes to *output.  False if it fails, which has been reported.
bool run_program(const std::vector<std::string>& words, std::string* output)
{
    int ends[2];
    if (pipe(ends) != 0)
        return complain_of_program(words[0], errno);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    std::vector<char*> pointers;
    for (const std::string& word : words)
        pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    pid_t process = 0;
    int error = posix_spawn(&process, pointers[0], &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    end_when_interrupted(error == 0 ? process : 0);
    char part[512];
    ssize_t count = 0;
    while (error == 0 && (count = read(ends[0], part, sizeof part)) > 0)
        output->append(part, static_cast<size_t>(count));
    close(ends[0]);
    if (error != 0)
        return complain_of_program(words[0], error);
    siginfo_t ended;  // it is known by its number until the next call, even to a handler
    while (waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR)
        continue;
    end_when_interrupted(0);
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFSIGNALED(status))
        bn_log_error("%s was killed by signal %d (%s)", words[0].c_str(), WTERMSIG(status),
                     bn_process_signal_name(WTERMSIG(status)));
    return status == 0;
}

bool measure_pair(const std::string& program, const std::string& first, const std::string& other, Pair* pair)
{
    std::string output;
    bool is_run = run_program(
        {(root_folder() / "bin/upcrun").string(), "-n", "2", "-hosts", first + "," + other, program}, &output);
    if (is_run && sscanf(output.c_str(), "told %lf sent %lf fetched %lf gap %lf bandwidth %lf", &pair->told,
                         &pair->sent, &pair->fetched, &pair->gap, &pair->bytes_per_ns) == 5) {
        if (is_plausible(*pair))
            return true;
        output.resize(output.find_last_not_of('\n') + 1);
        bn_log_error("the network between %s and %s cannot be as it was measured: %s; measure it again while nothing "
                     "else runs on the hosts",
                     first.c_str(), other.c_str(), output.c_str());
        return false;
    }
    bn_log_error("the network between %s and %s could not be measured", first.c_str(), other.c_str());
    return false;
}

bool measure_pairs(const std::vector<std::string>& hosts, const std::string& program, std::vector<Pair>* pairs)
{
    for (size_t i = 1; i < hosts.size(); i++) {
        Pair pair = {};
        if (!measure_pair(program, hosts[0], hosts[i], &pair))
            return false;
        pairs->push_back(pair);
    }
    return true;
}

}  // namespace

std::string calibrate_network(const std::vector<std::string>& hosts, const std::string& folder)
{
    const Scratch scratch(folder, "network");
    const std::string& program = scratch.file();
    if (program.empty()) {
        bn_log_error("no folder can be made in %s for the program that measures the network", folder.c_str());
        return "";
    }
    std::string source = (root_folder() / "share/banyan/network.upc").string(), words;
    std::vector<Pair> pairs;
    bool is_measured =
        run_program({(root_folder() / "bin/upcc").string(), "-network=shmem", "-O2", source, "-o", program}, &words) &&
        measure_pairs(hosts, program, &pairs);
    return is_measured ? network_lines(hosts, pairs) : "";
}

}  // namespace bn::tune
