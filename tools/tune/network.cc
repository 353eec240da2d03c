#include "tune/network.h"

#include "base/log.h"
#include "platform/process.h"
#include "root_folder.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bn::tune {

namespace {

namespace fs = std::filesystem;

// Of one pair of hosts, in nanoseconds
struct Pair {
    double told, sent, fetched, gap, bytes_per_ns;
};

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
    char part[512];
    ssize_t count = 0;
    while (error == 0 && (count = read(ends[0], part, sizeof part)) > 0)
        output->append(part, static_cast<size_t>(count));
    close(ends[0]);
    if (error != 0)
        return complain_of_program(words[0], error);
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
                         &pair->sent, &pair->fetched, &pair->gap, &pair->bytes_per_ns) == 5)
        return true;
    bn_log_error("the network between %s and %s could not be measured", first.c_str(), other.c_str());
    return false;
}

double median_of(const std::vector<Pair>& pairs, double Pair::* field)
{
    std::vector<double> values;
    for (const Pair& pair : pairs)
        values.push_back(pair.*field);
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// A message costs its sender overhead, and is then under way.  The time per message in a stream, whether spent at the
// sender or later, is the gap.
std::string lines_of(const std::vector<std::string>& hosts, const std::vector<Pair>& pairs)
{
    double told = median_of(pairs, &Pair::told), sent = median_of(pairs, &Pair::sent);
    double fetched = median_of(pairs, &Pair::fetched), gap = median_of(pairs, &Pair::gap);
    double bandwidth = median_of(pairs, &Pair::bytes_per_ns);
    std::string names = hosts[0];
    for (size_t i = 1; i < hosts.size(); i++)
        names += (i + 1 == hosts.size() ? " and " : ", ") + hosts[i];
    char text[512];
    snprintf(text, sizeof text,
             "# Of the network between %s: a word is there after %.4gus, and fetched in %.4gus;\n"
             "# links between switches are taken to be as those of the hosts.\n"
             "nic     latency=%.4gus overhead=%.4gus gap=%.4gus bandwidth=%.4gM\nlink    hop=0ns bandwidth=%.4gM\n",
             names.c_str(), told / 1000, fetched / 1000, std::max(told - sent, 0.0) / 1000, sent / 1000,
             std::max(gap, 0.0) / 1000, bandwidth * 1000, bandwidth * 1000);
    return text;
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
    std::string place = (fs::absolute(folder) / "banyan-network-XXXXXX").string();
    if (!mkdtemp(place.data())) {
        bn_log_error("no folder can be made in %s for the program that measures the network", folder.c_str());
        return "";
    }
    std::string source = (root_folder() / "share/banyan/network.upc").string(), program = place + "/network", words;
    std::vector<Pair> pairs;
    bool is_measured =
        run_program({(root_folder() / "bin/upcc").string(), "-network=shmem", "-O2", source, "-o", program}, &words) &&
        measure_pairs(hosts, program, &pairs);
    std::error_code error;
    fs::remove_all(place, error);
    return is_measured ? lines_of(hosts, pairs) : "";
}

}  // namespace bn::tune
