#!/usr/bin/env python3
"""Writes logs of other programs, and compares what `mistertop stats` says of them with a reading in Python.

  foreign_logs.py write FORMAT FILE [LINES]     pino, bunyan, zap, logrus, slog and otlp (the collector's file exporter)
                                                in their documented forms; structlog, python-json-logger and
                                                opentelemetry by the libraries themselves
  foreign_logs.py verify FILE MISTERTOP [ARGUMENT]…

The libraries come from PyPI: structlog, python-json-logger, opentelemetry-sdk. They are needed for their own format alone.
"""

import json
import math
import random
import subprocess
import sys
from datetime import datetime, timedelta, timezone

START = datetime(2026, 11, 23, 12, 0, 0, tzinfo=timezone.utc)
ROUTES = ["/feed", "/search", "/profile", "/cart", "/checkout"]
METHODS = ["GET", "POST", "PUT"]
MESSAGES = ["request completed", "cache miss", "query \"slow\" path", "größer als sonst"]
FORMATS = ["pino", "bunyan", "zap", "logrus", "slog", "structlog", "python-json-logger", "otlp",
           "opentelemetry"]


def facts(seed):
    """Endless facts of requests: seconds since the start, and the fields."""
    chance = random.Random(seed)
    at = 0.0
    while True:
        at += chance.expovariate(50)
        yield at, {
            "message": chance.choices(MESSAGES, [80, 10, 5, 5])[0],
            "route": chance.choice(ROUTES),
            "method": chance.choice(METHODS),
            "status": chance.choices([200, 304, 404, 500], [90, 4, 4, 2])[0],
            "ms": round(chance.lognormvariate(3, 0.8), 3),
            "bytes": chance.randrange(1_000_000),
        }


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def pino(at, f):
    level = 50 if f["status"] >= 500 else 30
    return {"level": level, "time": int((START.timestamp() + at) * 1000), "pid": 4711, "hostname": "web-1",
            "req": {"method": f["method"], "url": f["route"]}, "res": {"statusCode": f["status"]},
            "responseTime": f["ms"], "bytes": f["bytes"], "msg": f["message"]}


def bunyan(at, f):
    time = START + timedelta(seconds=at)
    return {"name": "shop", "hostname": "web-1", "pid": 4711, "level": 50 if f["status"] >= 500 else 30,
            "route": f["route"], "method": f["method"], "status": f["status"], "latency": f["ms"],
            "bytes": f["bytes"], "msg": f["message"], "time": iso(time, "Z", 3), "v": 0}


def zap(at, f):
    return {"level": "error" if f["status"] >= 500 else "info", "ts": START.timestamp() + at, "logger": "http",
            "caller": "server/handler.go:87", "msg": f["message"], "route": f["route"], "method": f["method"],
            "status": f["status"], "elapsed": f["ms"] / 1000, "bytes": f["bytes"]}


def logrus(at, f):
    # Its members are sorted by name.
    return {"bytes": f["bytes"], "elapsed_ms": f["ms"], "level": "error" if f["status"] >= 500 else "info",
            "method": f["method"], "msg": f["message"], "route": f["route"], "status": f["status"],
            "time": iso(START + timedelta(seconds=at), "Z", 0)}


def slog(at, f):
    local = (START + timedelta(seconds=at)).astimezone(timezone(timedelta(hours=1)))
    return {"time": iso(local, "+01:00", 6) , "level": "ERROR" if f["status"] >= 500 else "INFO",
            "msg": f["message"], "request": {"route": f["route"], "method": f["method"], "bytes": f["bytes"]},
            "status": f["status"], "elapsed_ms": f["ms"]}


def iso(time, zone, digits):
    text = time.strftime("%Y-%m-%dT%H:%M:%S")
    return text + (f".{time.microsecond:06d}"[:1 + digits] if digits else "") + zone


def write(form, path, count):
    source = facts(len(form))
    with open(path, "w", encoding="utf-8") as out:
        if form in ("structlog", "python-json-logger", "otlp", "opentelemetry"):
            return globals()["write_" + form.replace("-", "_")](out, source, count)
        make = globals()[form]
        for _ in range(count):
            out.write(compact(make(*next(source))) + "\n")


def write_structlog(out, source, count):
    import structlog

    structlog.configure(
        processors=[structlog.processors.add_log_level, structlog.processors.TimeStamper(fmt="iso"),
                    structlog.processors.JSONRenderer()],
        logger_factory=structlog.WriteLoggerFactory(file=out))
    log = structlog.get_logger()
    for _ in range(count):
        _, f = next(source)
        say = log.error if f["status"] >= 500 else log.info
        say(f["message"], route=f["route"], method=f["method"], status=f["status"], ms=f["ms"], bytes=f["bytes"])


def write_python_json_logger(out, source, count):
    import logging
    from pythonjsonlogger.json import JsonFormatter

    handler = logging.StreamHandler(out)
    handler.setFormatter(JsonFormatter("%(asctime)s %(name)s %(levelname)s %(message)s"))
    log = logging.getLogger("shop.http")
    log.setLevel(logging.INFO)
    log.propagate = False
    log.addHandler(handler)
    for _ in range(count):
        _, f = next(source)
        say = log.error if f["status"] >= 500 else log.info
        say(f["message"], extra={k: f[k] for k in ("route", "method", "status", "ms", "bytes")})


def write_otlp(out, source, count):
    """Lines as the collector's file exporter writes them: whole numbers of 64 bits in quotes."""
    attribute = lambda key, value: {"key": key, "value": {"stringValue": value}}
    for _ in range(count):
        at, f = next(source)
        nanoseconds = str(int((START.timestamp() + at) * 1e9))
        attributes = [attribute("http.route", f["route"]), attribute("http.request.method", f["method"])]
        gauge = {"dataPoints": [{"attributes": attributes, "timeUnixNano": nanoseconds, "asDouble": f["ms"]}]}
        total = {"dataPoints": [{"attributes": attributes, "timeUnixNano": nanoseconds, "asInt": str(f["bytes"])}],
                 "aggregationTemporality": 1, "isMonotonic": True}
        metrics = [{"name": "http.server.latency", "unit": "ms", "gauge": gauge},
                   {"name": "http.server.bytes", "unit": "By", "sum": total}]
        out.write(compact({"resourceMetrics": [{
            "resource": {"attributes": [attribute("service.name", "shop")]},
            "scopeMetrics": [{"scope": {"name": "shop"}, "metrics": metrics}]}]}) + "\n")


def write_opentelemetry(out, source, count):
    """Collections of the Python SDK, each as one line of its exporter, with what came since the one before."""
    from opentelemetry.sdk.metrics import Counter, Histogram, MeterProvider
    from opentelemetry.sdk.metrics.export import AggregationTemporality, ConsoleMetricExporter, InMemoryMetricReader
    from opentelemetry.sdk.resources import Resource

    delta = AggregationTemporality.DELTA
    reader = InMemoryMetricReader(preferred_temporality={Counter: delta, Histogram: delta})
    provider = MeterProvider(metric_readers=[reader], resource=Resource({"service.name": "shop"}))
    meter = provider.get_meter("shop")
    latency, total = meter.create_histogram("http.server.latency", "ms"), meter.create_counter("http.server.bytes", "By")
    exporter = ConsoleMetricExporter(out=out, formatter=lambda data: data.to_json(indent=None) + "\n")
    for _ in range(count):
        _, f = next(source)
        attributes = {"http.route": f["route"], "http.request.method": f["method"]}
        latency.record(f["ms"], attributes)
        total.add(f["bytes"], attributes)
        exporter.export(reader.get_metrics_data())


# Reading

# What becomes no number, and so has no extremes.
NAMES = {"time", "ts", "timestamp", "pid", "level", "v", "lineno"}


def numbers(value, prefix=""):
    for key, inner in value.items():
        if not prefix and key in NAMES:
            continue
        if isinstance(inner, dict):
            yield from numbers(inner, prefix + key + ".")
        elif isinstance(inner, (int, float)) and not isinstance(inner, bool):
            yield prefix + key, inner


def point_numbers(point, attributes):
    """The numbers of a data point, by the names of the fields; one without attributes is the metric itself."""
    found = {}
    for key, name in (("asDouble", "value"), ("asInt", "value"), ("value", "value"), ("count", "count"), ("sum", "sum"),
                      ("min", "min"), ("max", "max")):
        if key in point:
            found[name] = float(point[key]) if key == "asDouble" else json.loads(str(point[key]))
    if found.get("count") and "sum" in found:
        found["mean"] = found["sum"] / found["count"]
    return {"": found["value"]} if set(found) == {"value"} and not attributes else found


def read_telemetry(line, fields):
    """Puts the data points of a line into the fields; answers how many there were."""
    points = 0
    for resource in line.get("resourceMetrics", line.get("resource_metrics")):
        for scope in resource.get("scopeMetrics", resource.get("scope_metrics")):
            for metric in scope["metrics"]:
                data = next(metric[key] for key in ("gauge", "sum", "histogram", "data") if key in metric)
                for point in data.get("dataPoints", data.get("data_points")):
                    points += 1
                    for name, number in point_numbers(point, point.get("attributes")).items():
                        fields.setdefault(metric["name"] + ("." + name if name else ""), []).append(number)
    return points


def read(path):
    """How many samples the lines give, and the numbers of each field."""
    fields, lines = {}, 0
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith('{"resource'):
                lines += read_telemetry(json.loads(line), fields)
                continue
            lines += 1
            for name, number in numbers(json.loads(line)):
                fields.setdefault(name, []).append(number)
    return lines, fields


def verify(path, program, arguments):
    lines, fields = read(path)
    text = subprocess.run([program, "stats", path, "--format", "json", "--no-index"] + arguments,
                          check=True, capture_output=True, text=True).stdout
    rows = json.loads(text)
    belongs = lambda row, field: row["name"] == field or row["name"].endswith("." + field)
    whole = [row for row in rows if row["type"] not in ("number", "text")]
    problems = []
    if sum(row["count"] for row in whole) != lines:
        problems.append(f"{sum(row['count'] for row in whole)} samples of {lines} lines")
    for field, values in fields.items():
        found = [row for row in rows if belongs(row, field) and (row["type"] == "number" or row["name"] == field)]
        if len(found) != 1:
            problems.append(f"{field}: {len(found)} rows")
            continue
        row, mean = found[0], math.fsum(values) / len(values)
        if (row["count"], row["min"], row["max"]) != (len(values), min(values), max(values)):
            problems.append(f"{field}: {row} is not {len(values)}, {min(values)}, {max(values)}")
        if not math.isclose(row["mean"], mean, rel_tol=1e-12):
            problems.append(f"{field}: mean {row['mean']} is not {mean}")
    extra = [row["name"] for row in rows if row["type"] == "number"
             and not any(belongs(row, field) for field in fields)]
    problems += [f"{name} is no number in the lines" for name in extra]
    print(f"{path}: {lines} lines, {len(fields)} fields, " + ("equal" if not problems else "DIFFERENT"))
    for problem in problems:
        print("  " + problem)
    return not problems


def main():
    if len(sys.argv) >= 4 and sys.argv[1] == "write" and sys.argv[2] in FORMATS:
        write(sys.argv[2], sys.argv[3], int(sys.argv[4]) if len(sys.argv) > 4 else 500_000)
    elif len(sys.argv) >= 4 and sys.argv[1] == "verify":
        sys.exit(0 if verify(sys.argv[2], sys.argv[3], sys.argv[4:]) else 1)
    else:
        sys.exit(__doc__)


main()
