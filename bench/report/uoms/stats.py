"""Statistics of medians over launches.  The standard library is enough for it."""

import math
import statistics


def _beta_fraction(a, b, x):
    """Continued fraction of the incomplete beta function, after Lentz."""
    tiny = 1e-300
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    result = d
    for m in range(1, 300):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 + numerator * d
            d = 1 / (d if abs(d) > tiny else tiny)
            c = 1 + numerator / (c if abs(c) > tiny else tiny)
            result *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return result


def _beta(a, b, x):
    """Regularised incomplete beta function I_x(a, b)."""
    if x <= 0 or x >= 1:
        return min(max(x, 0.0), 1.0)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * _beta_fraction(a, b, x) / a
    return 1 - front * _beta_fraction(b, a, 1 - x) / b


def t_two_sided(t, degrees):
    """Probability that Student's t of these degrees of freedom is at least as far from 0."""
    return _beta(degrees / 2, 0.5, degrees / (degrees + t * t))


def t_quantile(confidence, degrees):
    """The t that is exceeded, on both sides together, with probability 1 - confidence."""
    low, high = 0.0, 1.0
    while t_two_sided(high, degrees) > 1 - confidence:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        if t_two_sided(middle, degrees) > 1 - confidence:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def mean_interval(values, confidence=0.95):
    """(mean, low, high) of values that are independent; the limits are None below 2 values."""
    mean = statistics.fmean(values)
    if len(values) < 2:
        return mean, None, None
    reach = t_quantile(confidence, len(values) - 1) * statistics.stdev(values) / math.sqrt(len(values))
    return mean, mean - reach, mean + reach


def median_of_launches(medians, confidence=0.95):
    """(median, low, high) over launches of one median each: Student's interval of the logarithms."""
    middle = statistics.median(medians)
    if len(medians) < 2 or min(medians) <= 0:
        return middle, None, None
    _, low, high = mean_interval([math.log(value) for value in medians], confidence)
    return middle, math.exp(low), math.exp(high)


def _root(function):
    """Where a falling function of a number from 0 to 1 becomes negative"""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if function(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def proportion_interval(hits, count, confidence=0.95):
    """(low, high) of the probability behind hits of count independent trials, after Clopper and Pearson."""
    tail = (1 - confidence) / 2
    low = 0.0 if hits == 0 else _root(lambda p: tail - _beta(hits, count - hits + 1, p))
    high = 1.0 if hits == count else _root(lambda p: 1 - tail - _beta(hits + 1, count - hits, p))
    return low, high


def compare_pairs(base, other):
    """
    Compares medians of paired launches: (ratio other/base, low, high, p).

    The ratio is the geometric mean of the pairs' ratios, with Student's 95 % interval; p is for "there is no
    difference". Without spread p is 0, or 1 if the ratio is 1 as well.
    """
    logs = [math.log(b / a) for a, b in zip(base, other)]
    mean, low, high = mean_interval(logs)
    if low is None:
        return math.exp(mean), None, None, 1.0
    spread = statistics.stdev(logs) / math.sqrt(len(logs))
    if spread < 1e-12:
        p = 1.0 if abs(mean) < 1e-12 else 0.0
    else:
        p = t_two_sided(mean / spread, len(logs) - 1)
    return math.exp(mean), math.exp(low), math.exp(high), p


def significant(p_values, level=0.05):
    """
    Which of many tests show something, after Benjamini and Hochberg.

    Where nothing differs at all, anything is shown in at most a part `level` of all comparisons, however many tests
    each has.
    """
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    shown = 0
    for rank, index in enumerate(order, 1):
        if p_values[index] <= level * rank / len(p_values):
            shown = rank
    chosen = set(order[:shown])
    return [index in chosen for index in range(len(p_values))]
