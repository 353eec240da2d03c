"""The statistics that this suite needs; distributions and tests are SciPy's."""

import functools
import math
import statistics

NO_SPREAD = 1e-12  # of logarithms: no clock is that precise


@functools.lru_cache(maxsize=None)
def library():
    """scipy.stats, loaded only when needed: that takes a second, and not every command needs it."""
    from scipy import stats

    if not hasattr(stats, "false_discovery_control"):
        raise ImportError("scipy is too old", name="scipy 1.11 or newer")
    return stats


@functools.lru_cache(maxsize=None)
def _quantile(confidence, degrees):
    """The value that Student's t exceeds in absolute value with probability 1 - confidence"""
    return float(library().t.ppf((1 + confidence) / 2, degrees))


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
    found = library().binomtest(hits, count).proportion_ci(confidence, method="exact")
    return float(found.low), float(found.high)


def compare_pairs(base, other):
    """Compares medians of paired launches: (ratio other/base, low, high, p).

    The ratio is the geometric mean of the pairs' ratios, with Student's 95 % interval; p is that of the hypothesis
    "there is no difference".  Without any spread, p is 0, or 1 if the ratio is 1 as well.
    """
    logs = [math.log(b / a) for a, b in zip(base, other)]
    mean, low, high = mean_interval(logs)
    if low is None:
        return math.exp(mean), None, None, 1.0
    if statistics.stdev(logs) < NO_SPREAD * math.sqrt(len(logs)):
        p = 1.0 if abs(mean) < NO_SPREAD else 0.0
    else:
        p = float(library().ttest_1samp(logs, 0).pvalue)
    return math.exp(mean), math.exp(low), math.exp(high), p


def significant(p_values, level=0.05):
    """Which of many tests are significant, after Benjamini and Hochberg.

    If nothing differs at all, at most a fraction `level` of all comparisons show anything, however many tests each has.
    """
    if not p_values:
        return []
    return (library().false_discovery_control(p_values) <= level).tolist()
