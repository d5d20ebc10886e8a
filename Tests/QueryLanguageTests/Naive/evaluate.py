#!/usr/bin/env python3
"""Evaluates queries as docs/query.md tells them, without any of the program's code.

  evaluate.py FILE    {"queries": [...], "subjects": [{"name", "figures", "states", "samples"}]}

Prints a list with one entry a query: null where it is refused, or [metrics, samples] with a 0 or 1 for each subject; as a
sample a subject is its first one. Slow on purpose: nothing is sorted, shared or left out.
"""
import json, re, sys
from fractions import Fraction

FIGURES = ["now", "p50", "p95", "p99", "max", "min", "mean", "n", "rate", "age"]
STATES = ["firing", "silent", "changed"]
TIME = {"ns": Fraction(1, 10**9), "us": Fraction(1, 10**6), "µs": Fraction(1, 10**6), "ms": Fraction(1, 1000), "s": 1,
        "m": 60, "min": 60, "h": 3600, "d": 86400, "w": 604800}
COUNT = {"": 1, "k": 10**3, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
BYTES = {"b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12,
         "kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40}


class Refused(Exception):
    pass


# Tokens. What a word is depends on whether a value is expected.

TERM = re.compile(r'''\s*(?:
    (?P<op>==|!=|>=|<=|[<>=]) | (?P<and>&&) | (?P<or>\|\|) | (?P<not>!) | (?P<open>\() | (?P<close>\))
  | "(?P<quoted>(?:\\["\\]|[^"])*?)" | /(?P<regex>(?:\\.|[^/\\])*)/(?=[\s)&|]|$)
  | (?P<word>(?!/)(?:(?!!=)[^\s()"<>=&|])+)
)''', re.X)
OPERATOR = re.compile(r'\s*(==|!=|>=|<=|[<>=])')
VALUE = re.compile(r'\s*(?:"(?P<quoted>(?:\\["\\]|[^"])*?)"|(?P<word>(?:(?!&&|\|\|)[^\s()"])+))')


class Parser:
    def __init__(self, text):
        self.text, self.place = text.rstrip(), 0

    def peek(self):
        if not self.text[self.place:].strip():
            return None, None
        match = TERM.match(self.text, self.place)
        if not match:
            raise Refused
        kind, value = match.lastgroup, match[match.lastgroup]
        if kind == "word" and value.lower() in ("and", "or", "not"):
            kind = value.lower()
        return kind, match

    def query(self):
        if self.peek()[0] is None:
            return ("all", [])
        node = self.either()
        if self.peek()[0] is not None:
            raise Refused
        return node

    def either(self):
        parts = [self.both()]
        while self.peek()[0] == "or":
            self.place = self.peek()[1].end()
            parts.append(self.both())
        return parts[0] if len(parts) == 1 else checked(("any", parts))

    def both(self):
        parts = [self.single()]
        while self.peek()[0] not in (None, "or", "close"):
            if self.peek()[0] == "and":
                self.place = self.peek()[1].end()
            parts.append(self.single())
        return parts[0] if len(parts) == 1 else ("all", parts)

    def single(self):
        kind, match = self.peek()
        if kind in (None, "and", "or", "close"):
            raise Refused
        if kind == "op":
            return self.figure("now")
        self.place = match.end()
        if kind == "not":
            return checked(("not", [self.single()]))
        if kind == "open":
            node = self.either()
            kind, match = self.peek()
            if kind != "close":
                raise Refused
            self.place = match.end()
            return node
        if kind == "regex":
            return ("regex", match["regex"].replace("\\/", "/"))
        if kind == "quoted":
            word = unescaped(match["quoted"])
            return self.field(word) if OPERATOR.match(self.text, self.place) else ("part", word)
        word = match["word"]
        if "*" in word or "?" in word:
            return ("glob", word)
        if OPERATOR.match(self.text, self.place):
            if word.lower() in FIGURES:
                return self.figure(word.lower())
            if re.fullmatch(r"[pP][0-9.]+", word):
                raise Refused
            return self.field(word)
        return ("state", word.lower()) if word.lower() in STATES else ("part", word)

    def operator(self):
        match = OPERATOR.match(self.text, self.place)
        self.place = match.end()
        return "=" if match[1] == "==" else match[1]

    def value(self):
        match = VALUE.match(self.text, self.place)
        if not match:
            raise Refused
        self.place = match.end()
        if match["word"] is None:
            return "text", unescaped(match["quoted"])
        if match["word"].lower() in ("and", "or", "not"):
            raise Refused
        return ("glob" if "*" in match["word"] or "?" in match["word"] else "word"), match["word"]

    def figure(self, name):
        operator = self.operator()
        kind, text = self.value()
        number = quantity(text) if kind == "word" else None
        if number is None:
            raise Refused
        dimension, _ = number
        fitting = {"n": ["plain"], "rate": ["plain", "frequency"], "age": ["plain", "time"]}
        if dimension not in fitting.get(name, ["plain", "time", "bytes", "percent"]):
            raise Refused
        return ("figure", name, operator, number)

    def field(self, name):
        operator = self.operator()
        kind, text = self.value()
        if operator not in ("=", "!=") and (kind != "word" or quantity(text) is None):
            raise Refused
        return ("field", name, operator, kind, text)


def unescaped(text):
    return re.sub(r'\\(["\\])', r"\1", text)


def kinds(node):
    if node[0] in ("any", "all", "not"):
        return set().union(*[kinds(part) for part in node[1]])
    return {"figure": {"metric"}, "state": {"metric"}, "field": {"sample"}}.get(node[0], set())


def checked(node):
    if kinds(node) == {"metric", "sample"}:
        raise Refused
    return node


# Numbers.

def quantity(text):
    match = re.fullmatch(r"([-+]?)((?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?)(.*)", text, re.S)
    if not match:
        return None
    number, unit = Fraction(match[2]) * (-1 if match[1] == "-" else 1), match[3]
    if unit in COUNT:
        return "plain", number * COUNT[unit]
    if unit in TIME:
        return "time", number * TIME[unit]
    if unit.lower() in BYTES:
        return "bytes", number * BYTES[unit.lower()]
    if unit == "%":
        return "percent", number
    prefix, slash, per = unit.partition("/")
    if slash and prefix in ("", "k", "M", "G", "T") and per in ("s", "m", "min", "h"):
        return "frequency", number * COUNT[prefix] / TIME[per]
    return None


ENDINGS = {
    "us": ("time", Fraction(1, 10**6)), "ms": ("time", Fraction(1, 1000)), "s": ("time", 1), "min": ("time", 60),
    "bytes": ("bytes", 1), "mb": ("bytes", 10**6), "kib": ("bytes", 1024),
    "percent": ("percent", 1), "ratio": ("percent", 100),
}


def in_unit(number, name):
    dimension, value = number
    if dimension == "plain":
        return float(value)
    measured, size = ENDINGS.get(name.rpartition("_")[2] if not name.endswith("_per_s") else "", (None, 1))
    return float(value / size) if dimension == measured else None


COMPARE = {">": lambda a, b: a > b, ">=": lambda a, b: a >= b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
           "=": lambda a, b: a == b, "!=": lambda a, b: a != b}


# Meaning.

def glob(pattern, text):
    expression = "".join({"*": ".*", "?": "."}.get(sign, re.escape(sign)) for sign in pattern)
    return re.fullmatch(expression, text, re.I | re.S) is not None


def spelled(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value == int(value) and abs(value) < 1e16:
        return str(int(value))
    return repr(value) if isinstance(value, float) else str(value)


def field_holds(node, sample):
    _, name, operator, kind, text = node
    value = sample.get(name)
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    wanted = in_unit(quantity(text), name) if kind == "word" and quantity(text) else None
    if operator not in ("=", "!="):
        return number and wanted is not None and COMPARE[operator](value, wanted)
    if value is None:
        equal = kind == "word" and text.lower() == "null"
    elif kind == "text":
        equal = isinstance(value, str) and value.lower() == text.lower()
    elif kind == "glob":
        equal = glob(text, spelled(value))
    elif number:
        equal = wanted is not None and wanted == value
    else:
        equal = spelled(value).lower() == text.lower()
    return equal == (operator == "=")


def figure_holds(node, subject):
    _, name, operator, number = node
    value = subject["figures"].get(name)
    if name in ("n", "rate", "age"):
        limit = float(number[1])
    else:
        limit = in_unit(number, subject["name"])
    return value is not None and limit is not None and COMPARE[operator](value, limit)


def name_holds(node, name):
    if node[0] == "part":
        return node[1].lower() in name.lower()
    if node[0] == "glob":
        return glob(node[1], name)
    return re.search(node[1], name, re.I) is not None


def metric_holds(node, subject, negated=False):
    kind = node[0]
    if kind == "not":
        return metric_holds(node[1][0], subject, not negated)
    if kind in ("all", "any"):
        results = [metric_holds(part, subject, negated) for part in node[1]]
        return all(results) if (kind == "all") != negated else any(results)
    if kind == "field":
        # `not` asks for a sample that differs.
        return any(field_holds(node, sample) != negated for sample in subject["samples"])
    if kind == "figure":
        return figure_holds(node, subject) != negated
    if kind == "state":
        return (node[1] in subject["states"]) != negated
    return name_holds(node, subject["name"]) != negated


def sample_holds(node, name, sample):
    kind = node[0]
    if kind == "not":
        return not sample_holds(node[1][0], name, sample)
    if kind == "all":
        return all(sample_holds(part, name, sample) for part in node[1])
    if kind == "any":
        return any(sample_holds(part, name, sample) for part in node[1])
    return field_holds(node, sample) if kind == "field" else name_holds(node, name)


def parts(node):
    """What joins by `and` at the top."""
    return [inner for part in node[1] for inner in parts(part)] if node[0] == "all" else [node]


def answer(text, subjects):
    try:
        node = Parser(text).query()
    except Refused:
        return None
    # What chooses metrics says nothing about a sample.
    of_samples = [part for part in parts(node) if "metric" not in kinds(part)]
    return [[int(metric_holds(node, subject)) for subject in subjects],
            [int(all(sample_holds(part, subject["name"], (subject["samples"] or [{}])[0]) for part in of_samples))
             for subject in subjects]]


with open(sys.argv[1], encoding="utf-8") as file:
    task = json.load(file)
print(json.dumps([answer(text, task["subjects"]) for text in task["queries"]]))
