#!/usr/bin/env python3
"""Compares `mistertop stats` with an independent computation.

  verify-stats.py PROGRAM FILE    every figure of every metric of a file
  verify-stats.py PROGRAM         hard values, and the file rewritten by other encoders

Count, minimum and maximum have to be exact, the mean good to 1e-12 of the largest magnitude's mean, percentiles
(nearest rank) to the error that stands beside them. Ends with 1 if a figure is off.
"""
import base64, json, math, os, random, subprocess, sys, tempfile
from fractions import Fraction


def stats(program, path):
    output = subprocess.run([program, "stats", "--format", "json", path], check=True, capture_output=True).stdout
    return {(r["bucket"], r["name"], r["type"]): r for r in json.loads(output)}


def expected(path):
    groups = {}
    with open(path, "rb") as lines:
        for line in lines:
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            metric = entry["metric"]
            key = (metric.get("bucket"), metric["name"], metric["valueTypeString"])
            group = groups.setdefault(key, [0, []])
            group[0] += 1
            value = json.loads(base64.b64decode(entry["value"]))
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                group[1].append(value)
    return groups


def exact_mean(values):
    try:
        return math.fsum(values) / len(values)
    except OverflowError:
        return float(sum(map(Fraction, values)) / len(values))


def compare(program, path, label):
    actual, truth, faults = stats(program, path), expected(path), []
    if actual.keys() != truth.keys():
        faults.append(f"metrics differ: {actual.keys() ^ truth.keys()}")
    for key, (count, values) in truth.items():
        row = actual.get(key)
        if row is None:
            continue
        check = lambda name, fine: fine or faults.append(f"{key} {name}: {row[name]}")
        check("count", row["count"] == count)
        if not values:
            check("mean", row["min"] is row["max"] is row["mean"] is row["p50"] is None)
            continue
        values.sort()
        check("min", row["min"] == values[0])
        check("max", row["max"] == values[-1])
        mean = exact_mean(values)
        check("mean", abs(row["mean"] - mean) <= 1e-12 * abs(mean))
        for percent in (50, 90, 95, 99):
            rank = max(1, -(-percent * len(values) // 100))
            value = float(values[rank - 1])
            check(f"p{percent}", abs(row[f"p{percent}"] - value) <= row["error"] * abs(value))
    for fault in faults:
        print(f"WRONG {label}: {fault}")
    print(f"{label}: {len(truth)} metrics, {sum(c for c, _ in truth.values())} samples, {len(faults)} wrong")
    return not faults


def line(name, value, time, kind="Double"):
    text = base64.b64encode(json.dumps(value).encode()).decode().replace("/", "\\/")
    return ('{"metric":{"bucket":"b","name":"%s","valueTypeString":"%s"},"timestamp":%r,"value":"%s"}\n'
            % (name, kind, time, text))


def hard_values(path):
    chance = random.Random(7)
    sets = {
        "negatives": [-chance.lognormvariate(3, 1) for _ in range(5000)],
        "zeros": [0.0, -0.0, 0] * 500,
        "huge": [chance.uniform(-1, 1) * 1e300 for _ in range(5000)],
        "tiny": [chance.uniform(0.1, 1) * 1e-300 for _ in range(5000)],
        "both": [chance.choice([1e300, 1e-300, -1e300, -1e-300, 0]) for _ in range(5000)],
        "largest": [sys.float_info.max, -sys.float_info.max, 1.5e308, 1.5e308],
        "limits": [2**63 - 1, -2**63, 2**53 + 1, -2**53 - 1, 0],
        "unsigned": [2**64 - 1, 1],
        "constant": [0.1] * 5000,
        "counter": list(range(20000)),
        "offset": [1e9 + chance.random() for _ in range(5000)],
    }
    with open(path, "w") as out:
        time = 800000000.5
        for name, values in sets.items():
            for value in values:
                time += 0.25
                out.write(line(name, value, time, "Int" if isinstance(value, int) else "Double"))


def rewrites(path, folder):
    """The same data as other programs would write it."""
    def rewrite(name, change, newline="\n"):
        target = os.path.join(folder, name.replace(" ", "-"))
        with open(path) as source, open(target, "w", newline="") as out:
            for text in source:
                out.write(change(text) + newline)
        return name, target

    load = json.loads
    reverse = lambda e: dict(reversed([(k, reverse(v) if isinstance(v, dict) else v) for k, v in e.items()]))
    yield rewrite("spaces", lambda t: json.dumps(load(t)))
    yield rewrite("compact", lambda t: json.dumps(load(t), separators=(",", ":")))
    yield rewrite("key order", lambda t: json.dumps(reverse(load(t)), separators=(",", ":")))
    yield rewrite("CRLF", lambda t: t.rstrip("\n"), "\r\n")
    yield rewrite("escaped slashes", lambda t: json.dumps(load(t), separators=(",", ":")).replace("/", "\\/"))
    yield rewrite("extra members", lambda t: json.dumps({"host": {"a": [1, None]}, **load(t), "v": 1e3}))


def main():
    program, paths = sys.argv[1], sys.argv[2:]
    good = True
    for path in paths:
        good &= compare(program, path, os.path.basename(path))
    if not paths:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "hard.jsonl")
            hard_values(path)
            good &= compare(program, path, "hard values")
            plain = stats(program, path)
            for name, rewritten in rewrites(path, folder):
                same = stats(program, rewritten) == plain
                print(f"rewritten ({name}): {'the same' if same else 'WRONG: other figures'}")
                good &= same
    sys.exit(0 if good else 1)


main()
