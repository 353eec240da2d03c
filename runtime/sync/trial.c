#include "sync/trial.h"

#include "platform/clock.h"

#include <stdlib.h>
#include <string.h>

enum { PAIRS = BN_TRIAL_EPOCHS / 2 };

static uint32_t step_bits(const struct bn_trial *trial)
{
    return BN_TRIAL_STEP_BITS + bn_word_get(&trial->longer_bits) - bn_word_get(&trial->brief_bits);
}

/* The number of a step depends on its length, so numbers of steps and epochs are valid only for the current length. */
static uint64_t step_of(const struct bn_trial *trial, uint64_t now_ns)
{
    return now_ns >> step_bits(trial);
}

static uint64_t epoch_of(uint64_t step)
{
    return step >> BN_TRIAL_EPOCH_BITS;
}

/* First, second, second, first: a trend in the workload then affects both ways alike. */
static uint32_t way_of_epoch(uint64_t epoch)
{
    return ((epoch + 1) >> 1 & 1) != 0 ? BN_TRIAL_SECOND : BN_TRIAL_FIRST;
}

/* ---- The decision of a trial ---- */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return (values[count / 2] + values[(count - 1) / 2]) / 2;
}

/* Stores the second way's share of the work in each pair in which enough was done, and returns how many such pairs
 * there are */
static int shares_of(const uint64_t *done, int epochs, double shares[PAIRS])
{
    int count = 0;
    for (int i = 0; i < epochs; i += 2) {
        uint64_t sum = done[i] + done[i + 1];
        uint64_t second = done[way_of_epoch((uint64_t)i) == BN_TRIAL_SECOND ? i : i + 1];
        if (sum >= BN_TRIAL_LEAST)
            shares[count++] = (double)second / (double)sum;
    }
    return count;
}

/* Whether the way with this share got more than `percent` percent more done than the other way */
static bool is_more(double share, int percent)
{
    return share > (1 - share) * (1 + percent / 100.0);
}

static bool is_clear(double share, double other_share)
{
    return (is_more(share, BN_TRIAL_CLEAR_PERCENT) && is_more(other_share, BN_TRIAL_CLEAR_PERCENT)) ||
           (is_more(1 - share, BN_TRIAL_CLEAR_PERCENT) && is_more(1 - other_share, BN_TRIAL_CLEAR_PERCENT));
}

uint32_t bn_trial_decide(const uint64_t *done, int epochs, uint32_t choice)
{
    double shares[PAIRS];
    int count = shares_of(done, epochs, shares);
    if (epochs == BN_TRIAL_ROUND ? count < BN_TRIAL_ROUND / 2 || !is_clear(shares[0], shares[1]) : count <= PAIRS / 2)
        return BN_TRIAL_RUNS;
    double other = median(shares, count);
    if (choice == BN_TRIAL_SECOND)
        other = 1 - other;
    return is_more(other, BN_TRIAL_GAIN_PERCENT) ? 1 - choice : choice;
}

/* ---- Trials ---- */

static uint64_t per_second(const struct bn_trial *trial, int epochs, uint32_t way)
{
    double counts[PAIRS], seconds = (double)(UINT64_C(3) << step_bits(trial)) / 1e9;
    int count = 0;
    for (int i = 0; i < epochs; i++)
        if (way_of_epoch((uint64_t)i) == way)
            counts[count++] = (double)bn_word64_get(&trial->done[i]);
    return (uint64_t)(median(counts, count) / seconds);
}

static uint64_t sum(const uint64_t *done, int epochs)
{
    uint64_t all = 0;
    for (int i = 0; i < epochs; i++)
        all += done[i];
    return all;
}

/* Makes steps longer than initially by longer_bits, and for one trial shorter than that by brief_bits. */
static void set_length(struct bn_trial *trial, uint32_t longer_bits, uint32_t brief_bits)
{
    uint64_t begin_step = trial->begin << step_bits(trial);
    bn_word_set(&trial->longer_bits, longer_bits);
    bn_word_set(&trial->brief_bits, brief_bits);
    bn_word64_set(&trial->begin, begin_step >> step_bits(trial));
}

/* A trial begins at the next multiple of BN_TRIAL_ROUND epochs, so that all processes begin it at the same time. */
static void begin(struct bn_trial *trial, uint64_t now_ns, uint32_t brief_bits)
{
    set_length(trial, trial->longer_bits, brief_bits);
    for (int i = 0; i < BN_TRIAL_EPOCHS; i++)
        bn_word64_set(&trial->done[i], 0);
    bn_word64_set(&trial->begin, (epoch_of(step_of(trial, now_ns)) / BN_TRIAL_ROUND + 1) * BN_TRIAL_ROUND);
    if (trial->interval_bits == 0)
        trial->interval_bits = BN_TRIAL_SOONEST_BITS;
    bn_word_set(&trial->way, BN_TRIAL_RUNS);
}

static void take(struct bn_trial *trial, int epochs, uint32_t choice)
{
    bool is_confirmed = choice == trial->choice && trial->interval_bits < BN_TRIAL_LATEST_BITS;
    trial->interval_bits = choice != trial->choice ? BN_TRIAL_SOONEST_BITS : trial->interval_bits + is_confirmed;
    trial->per_second[BN_TRIAL_FIRST] = per_second(trial, epochs, BN_TRIAL_FIRST);
    trial->per_second[BN_TRIAL_SECOND] = per_second(trial, epochs, BN_TRIAL_SECOND);
    trial->trials++;
    trial->is_clear = epochs == BN_TRIAL_ROUND;
    bn_word_set(&trial->choice, choice);
}

/* Ends a trial after this many epochs, if it can be decided */
static void end(struct bn_trial *trial, int epochs, uint64_t now_ns)
{
    uint64_t done[BN_TRIAL_EPOCHS];
    for (int i = 0; i < epochs; i++)
        done[i] = bn_word64_get(&trial->done[i]);
    uint32_t longer_bits = trial->longer_bits, choice = bn_trial_decide(done, epochs, trial->choice);
    bool is_brief = trial->brief_bits > 0;
    if (is_brief && choice != trial->choice) {
        trial->is_clear = false;
        begin(trial, now_ns, 0);
        return;
    }
    if (choice == BN_TRIAL_RUNS && epochs < BN_TRIAL_EPOCHS)
        return;
    if (choice != BN_TRIAL_RUNS) {
        take(trial, epochs, choice);
        if (longer_bits > 0 && sum(done, epochs) > BN_TRIAL_PLENTY)
            longer_bits--;
    } else if (longer_bits < BN_TRIAL_LONGER_BITS) {
        longer_bits++;
    } else if (trial->interval_bits < BN_TRIAL_LATEST_BITS) {
        trial->interval_bits++;
    }
    set_length(trial, longer_bits, 0);
    bn_word_set(&trial->way, trial->choice);
}

/* The boundaries of an interval are also boundaries of all shorter intervals, so processes with more frequent trials
 * still coincide with the others. */
static bool is_due(const struct bn_trial *trial, uint64_t epoch)
{
    return !trial->is_settled &&
           (trial->interval_bits == 0 || epoch >> trial->interval_bits != trial->begin >> trial->interval_bits);
}

/* After the epochs of a brief trial the old way is used until it is known whether they were sufficient. */
static uint64_t most_epochs(const struct bn_trial *trial)
{
    return bn_word_get(&trial->brief_bits) > 0 ? BN_TRIAL_ROUND : BN_TRIAL_EPOCHS;
}

static void hand_over(struct bn_trial *trial, struct bn_trial_thread *self, uint64_t begin_epoch)
{
    uint64_t index = epoch_of(self->step) - begin_epoch; /* beyond the end if self->step belongs to another trial or to
                                                          * shorter steps */
    if (index < BN_TRIAL_EPOCHS && self->done > 0)
        bn_word64_add(&trial->done[index], self->done);
    self->done = 0;
}

/* Whether the trial is over: a quarter of an epoch after its last epoch, other threads have handed over their
 * counts. */
static bool are_over(uint64_t begin_epoch, int epochs, uint64_t step)
{
    return step > (begin_epoch + (uint64_t)epochs) << BN_TRIAL_EPOCH_BITS;
}

/* Begins a trial that is due, or ends one that is over.  Other threads do not wait for this. */
static void turn(struct bn_trial *trial, uint64_t now_ns)
{
    if (bn_word_swap(&trial->is_turned, 1) != 0)
        return;
    uint64_t step = step_of(trial, now_ns);
    bool runs = bn_word_get(&trial->way) == BN_TRIAL_RUNS;
    if (runs && trial->brief_bits == 0 && are_over(trial->begin, BN_TRIAL_EPOCHS, step))
        end(trial, BN_TRIAL_EPOCHS, now_ns);
    else if (runs && are_over(trial->begin, BN_TRIAL_ROUND, step))
        end(trial, BN_TRIAL_ROUND, now_ns);
    else if (!runs && is_due(trial, epoch_of(step)))
        begin(trial, now_ns, trial->is_clear ? BN_TRIAL_BRIEF_BITS : 0);
    bn_word_show(&trial->is_turned, 0);
}

uint32_t bn_trial_step(struct bn_trial *trial, struct bn_trial_thread *self, uint32_t done, uint64_t now_ns)
{
    uint64_t begin_epoch = bn_word64_get(&trial->begin);
    uint64_t step = step_of(trial, now_ns);
    if (step != self->step) {
        hand_over(trial, self, begin_epoch);
        self->step = step;
        turn(trial, now_ns);
        begin_epoch = bn_word64_get(&trial->begin);
    }
    bool is_in_epoch = bn_word_get(&trial->way) == BN_TRIAL_RUNS && epoch_of(step) - begin_epoch < most_epochs(trial);
    self->until_look = BN_TRIAL_LOOK;
    self->until_clock = BN_TRIAL_STARTS;
    self->way = is_in_epoch ? way_of_epoch(epoch_of(step)) : bn_word_get(&trial->choice);
    self->counts = is_in_epoch && step % (1u << BN_TRIAL_EPOCH_BITS) != 0;
    self->done += self->counts ? done : 0;
    return self->way;
}

void bn_trial_settle(struct bn_trial *trial, uint32_t way)
{
    trial->way = trial->choice = way;
    trial->is_settled = true;
}

uint32_t bn_trial_look(struct bn_trial *trial, struct bn_trial_thread *self, uint32_t done)
{
    return bn_trial_step(trial, self, done, bn_clock_ns());
}
