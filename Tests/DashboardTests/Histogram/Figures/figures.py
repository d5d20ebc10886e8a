#!/usr/bin/env python3
"""Generates samples from a seed and computes the figures of their histograms, independently of the program.

  figures.py           writes figures.json beside this
  figures.py --check   ends with 1 if figures.json is not what would be written

Means and deviations are computed in fractions, percentiles by nearest rank in the sorted samples, rows by comparing each
sample with the edges, bins of payloads by dividing. Figures are written with nine digits.
"""
import json, math, os, random, sys
from fractions import Fraction

PERCENTILES = [1, 5, 25, 50, 75, 90, 95, 99, 99.9]
FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "figures.json")


# Samples: (value, seconds, version, outcome); an outcome may be missing.

def normal(source):
    return math.sqrt(-2 * math.log(1 - source.random())) * math.cos(2 * math.pi * source.random())


def launches(source, version):
    slow = version == "2.4.1" and source.random() < 0.15
    return round(180 * math.exp(0.35 * normal(source)) * (2.6 if slow else 1))


SHAPES = {
    "launches in ms": (launches, [0, 50, 100, 150, 200, 250, 300, 400, 500]),
    "seconds in fractions": (
        lambda source, version: round(launches(source, version) / 1000, 5), [0, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5]),
    "below zero and above": (
        lambda source, version: round(normal(source) * 12 - (3 if version == "2.4.0" else 0), 2),
        [-20, -10, -5, 0, 5, 10, 20]),
    "bytes with an outlier": (
        lambda source, version: int(3e9 * math.exp(1.5 * normal(source)) * (1e6 if source.random() < 0.01 else 1)),
        [0, 1e9, 2e9, 5e9, 1e10, 1e11]),
    "few values, many times": (
        lambda source, version: [0, 16, 16, 16, 32, 48][int(source.random() * 6)], [0, 8, 16, 17, 32, 48, 64]),
}


def samples(shape, count, seed):
    source = random.Random(seed)
    drawn = []
    for _ in range(count):
        version = "2.4.1" if source.random() < 0.6 else "2.4.0"
        place = source.random()
        outcome = "ok" if place < 0.8 else "retry" if place < 0.9 else ""
        drawn.append((shape(source, version), round(source.random() * 3600, 1), version, outcome))
    return drawn


# Figures.

def digits(number):
    return float("%.9g" % number)


def deviation(values, mean):
    square = sum((Fraction(value) - mean) ** 2 for value in values) / len(values)
    # The root of a fraction, exact beyond what a double holds.
    scale = 10 ** 40
    return digits(math.isqrt(int(square * scale)) / 10 ** 20)


def nearest_rank(ordered, percentile):
    rank = math.ceil(Fraction(str(percentile)) * len(ordered) / 100)
    return ordered[max(1, rank) - 1]


def figures(values):
    ordered = sorted(values)
    mean = sum(map(Fraction, values)) / len(values)
    return {
        "count": len(values), "mean": digits(mean), "deviation": deviation(values, mean),
        "least": ordered[0], "most": ordered[-1], "percentiles": [nearest_rank(ordered, p) for p in PERCENTILES],
    }


def rows(values, edges):
    """The number of samples below the first edge, between two, and from the last one on; their share; that of all up to there."""
    bounds = [-math.inf] + edges + [math.inf]
    counts = [sum(low <= value < high for value in values) for low, high in zip(bounds, bounds[1:])]
    shares = [Fraction(count, len(values)) for count in counts]
    return [[count, digits(share), digits(sum(shares[: place + 1]))] for place, (count, share) in enumerate(zip(counts, shares))]


# Choices: [version, outcome, from second, to second]; "*" is any, "" is missing.

CHOICES = [
    ["*", "*", None, None], ["2.4.1", "*", None, None], ["2.4.0", "*", None, None], ["2.4.1", "retry", None, None],
    ["*", "", None, None], ["*", "*", 0, 1800], ["*", "*", 1800, 3600], ["2.4.0", "ok", 600, 2400],
]


def chosen(drawn, choice):
    version, outcome, begin, end = choice
    return [
        value for value, time, of, result in drawn
        if version in ("*", of) and outcome in ("*", result) and (begin is None or begin <= time < end)
    ]


def cube_case(name, shape, edges, seed):
    drawn = samples(shape, 300, seed)
    answers = []
    for choice in CHOICES:
        values = chosen(drawn, choice)
        answers.append({"choice": choice, "figures": figures(values), "rows": rows(values, edges)})
    values, times, versions, outcomes = zip(*drawn)
    return {
        "name": name, "edges": edges, "values": values, "times": times,
        "versions": ",".join(versions), "outcomes": ",".join(outcomes), "answers": answers,
    }


# Payloads: bins of whole milliseconds, written with the first and the last one of them.

def binned(values, width):
    counts = {}
    for value in values:
        counts[int(value) // width] = counts.get(int(value) // width, 0) + 1
    return [[slot * width, slot * width + width - 1, count] for slot, count in sorted(counts.items())]


def average(bins, place):
    return sum(Fraction(place(*b[:2])) * b[2] for b in bins) / sum(b[2] for b in bins)


def averages(days):
    merged = merge(days)
    low, high = average(merged, lambda s, e: s), average(merged, lambda s, e: e + 1)
    end = average(merged, lambda s, e: e)
    mean = lambda place: sum(average(day, place) for day in days) / len(days)
    published = [mean(lambda s, e: e), mean(lambda s, e: s), mean(lambda s, e: e + 1)]
    found = {"pooled": [(low + high) / 2, low, high], "start": [low, low, high], "end": [end, low, high]}
    found["published"] = published
    return {method: [digits(number) for number in numbers] for method, numbers in found.items()}


def merge(days):
    counts = {}
    for start, end, count in (b for day in days for b in day):
        counts[start, end] = counts.get((start, end), 0) + count
    return [[start, end, count] for (start, end), count in sorted(counts.items())]


def percentile(bins, q):
    """The guess, spread evenly in the bin where the counts reach the rank q·n, and the bin."""
    rank = Fraction(str(q)) * sum(b[2] for b in bins) / 100
    below = 0
    for start, end, count in bins:
        if below + count >= rank:
            inside = (rank - below) / count * (end + 1 - start)
            return [digits(start + inside), start, end + 1]
        below += count
    raise ValueError(q)


def payload_case(name, width, seed):
    source = random.Random(seed)
    days, values = [], []
    for _ in range(12):
        speed = math.exp(0.3 * normal(source))
        day = [max(1, round(launches(source, "2.4.1") * speed, 1)) for _ in range(15 + int(source.random() * 40))]
        days.append(day)
        values += day
    histograms = [binned(day, width) for day in days]
    merged = merge(histograms)
    middle = average(merged, lambda s, e: Fraction(s + e + 1, 2))
    spread = average(merged, lambda s, e: (Fraction(s + e + 1, 2) - middle) ** 2)
    return {
        "name": name, "width": width, "days": days, "bins": merged, "figures": figures(values),
        "averages": averages(histograms),
        "deviation": digits(math.isqrt(int(spread * 10 ** 40)) / 10 ** 20),
        "percentiles": [percentile(merged, p) for p in PERCENTILES],
    }


def text():
    everything = {
        "percentiles": PERCENTILES,
        "cubes": [cube_case(name, *SHAPES[name], seed) for seed, name in enumerate(SHAPES, 1)],
        "payloads": [payload_case("launches", 10, 21), payload_case("signposts", 100, 22)],
    }
    # A line for each case, and of short ones.
    words = json.dumps(everything, separators=(",", ":"))
    return words.replace('{"name"', '\n{"name"').replace('{"choice"', '\n{"choice"') + "\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        with open(FILE) as kept:
            sys.exit(0 if kept.read() == text() else "figures.json is not what figures.py writes")
    with open(FILE, "w") as kept:
        kept.write(text())
