#include "tune/copies.h"

#include "tune/job.h"

#include "platform/clock.h"
#include "platform/copy.h"
#include "platform/cpus.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <span>

namespace bn::tune {

namespace {

constexpr int kMostRepeats = 24;
constexpr size_t kLookBytes = 16384;
constexpr size_t kSpilledBytes = 128 << 10;  // a block that is read before the core touches more
constexpr int kSpillRepeats = 6;

// For one size: times of flags there and back, with and without a copy between; written by the other thread
struct Repeats {
    double with[kMostRepeats], without[kMostRepeats];
};

// Shared by the two threads and this process
struct CopySheet {
    Repeats sizes[kCopySizeCount], spills[kSpillCount];
};

int pair_repeats_for(size_t nbytes)
{
    return nbytes <= 65536 ? kMostRepeats : nbytes <= 1048576 ? 6 : 2;
}

void read_lines(const unsigned char* memory, size_t nbytes)
{
    for (size_t i = 0; i < nbytes; i += 64)
        static_cast<void>(*static_cast<const volatile unsigned char*>(memory + i));
}

// What the copying thread, and then the other one, does with the memory beforehand
void prepare(const CopyKind& kind, bool is_copier, unsigned char* dst, unsigned char* src, size_t nbytes, int value)
{
    if (is_copier != kind.is_other_source)
        memset(src, value, nbytes);
    if (is_copier != kind.is_other)
        memset(dst, value, nbytes);
    if (!is_copier && kind.is_read)
        read_lines(dst, nbytes);
}

// As in collectives: the other thread gives permission, the first one copies and reports it.  Returns nanoseconds, in
// the other thread.
double round_ns(const CopyKind& kind, unsigned char* dst, unsigned char* src, size_t nbytes, int value, bool copies,
                std::span<unsigned char> more = {})
{
    bn_team* team = &bn_context.team;
    bool is_copier = team->rank == 0;
    bn_team_begin(team);
    if (is_copier) {
        prepare(kind, true, dst, src, nbytes, value);
        bn_team_say(team, 1);
        bn_team_hear(team, 1, 1);
        bn_team_say(team, 2);
        bn_team_hear(team, 1, 2);
        if (copies)
            bn_copy(dst, src, nbytes);
        bn_team_say(team, 3);
        bn_team_barrier(team);
        return 0;
    }
    bn_team_hear(team, 0, 1);
    prepare(kind, false, dst, src, nbytes, value);
    std::fill(more.begin(), more.end(), static_cast<unsigned char>(value));
    bn_team_say(team, 1);
    bn_team_hear(team, 0, 2);
    uint64_t begin = bn_clock_ns();
    bn_team_say(team, 2);
    bn_team_hear(team, 0, 3);
    auto ns = static_cast<double>(bn_clock_ns() - begin);
    bn_team_barrier(team);
    return ns;
}

void measure_size(const CopyKind& kind, const Arrays& arrays, size_t nbytes, int count, Repeats* repeats)
{
    bn_team* team = &bn_context.team;
    unsigned char* dst = bn_team_at(team, arrays.dst.addr, kind.is_other ? 1 : 0);
    unsigned char* src = bn_team_at(team, arrays.src.addr, kind.is_other_source ? 1 : 0);
    // Small copies use a different, non-adjacent place each time.
    size_t step = nbytes <= 16384 ? 49152 : 0;
    for (int repeat = 0; repeat < count; repeat++) {
        size_t place = static_cast<size_t>(repeat) * step;
        double without = round_ns(kind, dst + place, src + place, nbytes, repeat, false);
        double with = round_ns(kind, dst + place, src + place, nbytes, repeat, true);
        if (team->rank == 1) {
            repeats->without[repeat] = without;
            repeats->with[repeat] = with;
        }
    }
}

// The other thread touches more of its memory after reading the destination.
void measure_spill(const Arrays& arrays, size_t spill_bytes, Repeats* repeats)
{
    const CopyKind& kind = kCopyKinds[kCopyKindCount - 1];
    bn_team* team = &bn_context.team;
    unsigned char* dst = bn_team_at(team, arrays.dst.addr, 0);
    unsigned char* src = bn_team_at(team, arrays.src.addr, 0);
    unsigned char* more = bn_team_at(team, arrays.src.addr, 1);
    for (int repeat = 0; repeat < kSpillRepeats; repeat++) {
        for (bool copies : {false, true}) {
            double ns = round_ns(kind, dst, src, kSpilledBytes, repeat, copies, {more, spill_bytes});
            if (team->rank == 1)
                (copies ? repeats->with : repeats->without)[repeat] = ns;
        }
    }
}

double copy_ns(Repeats* repeats, int count)
{
    return std::max(lower_mean(repeats->with, count) - lower_mean(repeats->without, count), 1.0);
}

void measure_kind(const CopyKind& kind, const Arrays& arrays, CopySheet* sheet)
{
    for (size_t i = 0; i < kCopySizeCount; i++) {
        size_t nbytes = kCopySizes[i];
        measure_size(kind, arrays, nbytes, pair_repeats_for(nbytes), &sheet->sizes[i]);
    }
}

}  // namespace

bool run_on(const std::vector<int>& pus, int core_count, const std::function<void(const Arrays&)>& body,
            size_t array_bytes)
{
    return run({static_cast<int>(pus.size()), core_count,
                [&](const Arrays& arrays) {
                    bn_pu_set set = {};
                    bn_pu_set_add(&set, pus[static_cast<size_t>(bn_context.team.rank)]);
                    bn_cpus_bind(&set);
                    bn_team_barrier(&bn_context.team);
                    body(arrays);
                    bn_team_barrier(&bn_context.team);
                },
                array_bytes});
}

double lower_mean(double* times, int count)
{
    std::sort(times, times + count);
    int part = (count + 1) / 2;
    return std::accumulate(times, times + part, 0.0) / part;
}

namespace {

// Other programs on this machine add whole time slices.
double lower_quarter_of_those(const std::vector<double>& samples, const std::vector<bool>& counts)
{
    std::vector<double> kept;
    for (size_t sweep = 0; sweep < counts.size(); sweep++) {
        if (counts[sweep])
            kept.push_back(samples[sweep]);
    }
    auto quarter = kept.begin() + static_cast<std::ptrdiff_t>(kept.size() / 4);
    std::nth_element(kept.begin(), quarter, kept.end());
    return *quarter;
}

}  // namespace

bool PairCopies::sweep()
{
    auto* sheets = static_cast<CopySheet*>(share(kCopyKindCount * sizeof(CopySheet)));
    bool is_run = sheets && run_on(pus_, 2, [&](const Arrays& arrays) {
                      for (size_t kind = 0; kind < kCopyKindCount; kind++)
                          measure_kind(kCopyKinds[kind], arrays, &sheets[kind]);
                      for (size_t i = 0; i < kSpillCount; i++)
                          measure_spill(arrays, kSpills[i], &sheets[0].spills[i]);
                  });
    for (size_t i = 0; is_run && i < kSpillCount; i++)
        spilled_[i].push_back(copy_ns(&sheets[0].spills[i], kSpillRepeats));
    for (size_t kind = 0; is_run && kind < kCopyKindCount; kind++) {
        for (size_t i = 0; i < kCopySizeCount; i++) {
            Repeats* repeats = &sheets[kind].sizes[i];
            samples_[kind][i].push_back(copy_ns(repeats, pair_repeats_for(kCopySizes[i])));
        }
    }
    if (sheets)
        unshare(sheets, kCopyKindCount * sizeof(CopySheet));
    return is_run;
}

// Interpolates between the times with everything and with nothing in caches
std::string PairCopies::held_line(const std::vector<bool>& counts) const
{
    std::string text = "held   ";
    char word[64];
    double all = lower_quarter_of_those(spilled_[0], counts),
           none = lower_quarter_of_those(spilled_[kSpillCount - 1], counts);
    if (all <= 1.1 * none)  // no difference to be seen
        return "";
    double before = 100;
    for (size_t i = 1; i < kSpillCount; i++) {
        before = std::clamp(100 * (lower_quarter_of_those(spilled_[i], counts) - none) / (all - none), 0.0, before);
        snprintf(word, sizeof word, " %zu=%.0f%%", kSpills[i], before);
        text += word;
    }
    return text + "\n";
}

std::string PairCopies::lines(const char* distance, const std::vector<bool>& counts) const
{
    std::string text;
    for (size_t kind = 0; kind < kCopyKindCount; kind++) {
        double times[kCopySizeCount];
        for (size_t i = 0; i < kCopySizeCount; i++)
            times[i] = lower_quarter_of_those(samples_[kind][i], counts);
        text += copies_line(std::string(kCopyKinds[kind].words) + distance + kCopyKinds[kind].more_words, times);
    }
    return text;
}

double shared_write_ns(const std::vector<int>& pus)
{
    auto* repeats = static_cast<Repeats*>(share(sizeof(Repeats)));
    const CopyKind& kind = kCopyKinds[kCopyKindCount - 1];
    bool is_run =
        repeats &&
        run_on(
            pus, 2, [&](const Arrays& arrays) { measure_size(kind, arrays, kLookBytes, kMostRepeats, repeats); },
            kMostRepeats * kLookBytes * 4);
    double ns = is_run ? copy_ns(repeats, kMostRepeats) : -1;
    if (repeats)
        unshare(repeats, sizeof(Repeats));
    return ns;
}

std::string copies_line(const std::string& words, const double (&times)[kCopySizeCount])
{
    std::string text = words;
    char word[64];
    for (size_t i = 0; i < kCopySizeCount; i++) {
        snprintf(word, sizeof word, " %zu=%.3gns", kCopySizes[i], times[i]);
        text += word;
    }
    return text + "\n";
}

}  // namespace bn::tune
