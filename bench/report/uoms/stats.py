"""The statistics that this suite needs; distributions are SciPy's."""

import functools
import math
import statistics

NO_SPREAD = 1e-12  # of logarithms: no clock is that precise


@functools.lru_cache(maxsize=None)
def library():
    """scipy.special, loaded only when needed: not every command needs it.  scipy.stats, which has whole tests, would
    take three times as long to load."""
    from scipy import special

    return special


@functools.lru_cache(maxsize=None)
def _quantile(confidence, degrees):
    """The value that Student's t exceeds in absolute value with probability 1 - confidence"""
    return float(library().stdtrit(degrees, (1 + confidence) / 2))


def mean_interval(values, confidence=0.95):
    """(mean, low, high) of independent values; the limits are None for fewer than 2 values."""
    mean = statistics.fmean(values)
    if len(values) < 2:
        return mean, None, None
    reach = _quantile(confidence, len(values) - 1) * statistics.stdev(values) / math.sqrt(len(values))
    return mean, mean - reach, mean + reach


def median_of_launches(medians, confidence=0.95):
    """(median, low, high) over launches with one median each: Student's interval of the logarithms."""
    middle = statistics.median(medians)
    if len(medians) < 2 or min(medians) <= 0:
        return middle, None, None
    _, low, high = mean_interval([math.log(value) for value in medians], confidence)
    return middle, math.exp(low), math.exp(high)


def proportion_interval(hits, count, confidence=0.95):
    """(low, high) of the probability, given `hits` in `count` independent trials, after Clopper and Pearson."""
    if count == 0:
        return 0.0, 1.0
    tail = (1 - confidence) / 2
    low = float(library().betaincinv(hits, count - hits + 1, tail)) if hits > 0 else 0.0
    high = float(library().betaincinv(hits + 1, count - hits, 1 - tail)) if hits < count else 1.0
    return low, high


def compare_pairs(base, other):
    """Compares medians of paired launches: (ratio other/base, low, high, p).

    The ratio is the geometric mean of the pairs' ratios, with Student's 95 % interval; p is that of the hypothesis
    "there is no difference".  Without any spread, p is 0, or 1 if the ratio is 1 as well.
    """
    logs = [math.log(b / a) for a, b in zip(base, other)]
    mean, low, high = mean_interval(logs)
    if low is None:
        return math.exp(mean), None, None, 1.0
    error = statistics.stdev(logs) / math.sqrt(len(logs))
    if error < NO_SPREAD:
        p = 1.0 if abs(mean) < NO_SPREAD else 0.0
    else:
        p = 2 * float(library().stdtr(len(logs) - 1, -abs(mean) / error))
    return math.exp(mean), math.exp(low), math.exp(high), p


def significant(p_values, level=0.05):
    """Which of many tests are significant, after Benjamini and Hochberg.

    If nothing differs at all, at most a fraction `level` of all comparisons show anything, however many tests each has.
    """
    ranked = enumerate(sorted(p_values), 1)
    largest = max((p for rank, p in ranked if p * len(p_values) <= rank * level), default=-1)
    return [p <= largest for p in p_values]
