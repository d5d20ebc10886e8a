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
        if kind != "not":
            node = self.calculation()
            if node:
                return node
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

    def calculation(self):
        """A comparison with a calculation on either side; None where it is something else."""
        text, start = self.text, blanks(self.text, self.place)
        reader = Reader(text, start)
        implicit = OPERATOR.match(text, start)
        left = ("figure", "now") if implicit else reader.sum()
        if left is None:
            return None
        calculates = reader.signs > 0 or (reader.groups > 0 or left[0] == "negative") and reader.figures > 0
        match = OPERATOR.match(text, reader.place)
        if not match:
            if reader.signs and reader.figures:
                raise Refused
            return None
        if not calculates and reader.groups:
            return None
        if re.match(r"[<>=!~]", text[match.end():]):
            if calculates:
                raise Refused
            return None
        operator = "=" if match[1] == "==" else match[1]
        figure = implicit or left[0] == "figure" and not reader.wrong
        known = figure or not reader.wrong and constant(left)
        reader.place, reader.right, figures, groups = blanks(text, match.end()), True, reader.figures, reader.groups
        right = reader.sum()
        if not calculates:
            if not (known or operator in (">", ">=", "<", "<=")):
                return None
            if not (reader.signs or reader.groups > groups or reader.figures > figures
                    or figure and right and right[0] == "other"):
                return None
        if right is None or reader.wrong or constant(left) and constant(right):
            raise Refused
        if not any(fits(left, right, unit) for unit in UNITS):
            raise Refused
        word = WORD.match(text, blanks(text, reader.place))
        last = right
        while last[0] in ("negative", "operation"):
            last = last[-1]
        if last[0] == "number" and text[reader.place - 1] != ")" and quantity(last[1])[0] == "plain" and word:
            if word[0][0] in "0123456789" or word[0] in UNIT_NAMES:
                raise Refused
        self.place = reader.place
        return ("calculation", left, operator, right)

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


# Calculations.

WORD = re.compile(r'(?:(?!!=)[^\s()"<>=&|])+')
UNIT_NAMES = ["ms", "s", "m", "h", "d", "w", "us", "µs", "ns", "min", "%", "KB", "MB", "GB", "TB", "KiB", "MiB", "GiB",
              "TiB", "B", "k", "M", "G", "T", "/s", "/m", "/h"]


def blanks(text, place):
    return re.compile(r"\s*").match(text, place).end()


def is_figure(word):
    name, point, last = word.rpartition(".")
    return (word.lower() in FIGURES or re.fullmatch(r"[pP][0-9.]+", word) is not None
            or name != "" and last.lower() in FIGURES + ["count"])


def pieces(word):
    """The operands of a word that is made of figures, numbers and signs alone, each as (text, start, negative)."""
    found, place = [], 0
    while True:
        start = place
        place += len(re.match(r"[-+]{0,2}", word[place:])[0])
        ends = [match.start() for match in re.finditer(r"[-+*/]", word) if match.start() >= place] + [len(word)]
        begin, end = place, ends[0]
        if word[place:place + 1] in list("0123456789."):
            begin = max(start, place - 1)
            for longer in [at for at in ends if at > place][1:]:
                if quantity(word[place:longer]) is None:
                    break
                end = longer
        piece = word[begin:end]
        if begin - start > 1 or not (is_figure(piece) or quantity(piece)):
            return None
        found.append((piece, begin, begin > start and word[start] == "-"))
        if end >= len(word):
            return found
        place = end + 1
        if place >= len(word):
            return found


class Reader:
    def __init__(self, text, place):
        self.text, self.place = text, place
        self.signs, self.figures, self.groups, self.wrong, self.right = 0, 0, 0, False, False

    def sum(self):
        return self.chain("+-", lambda: self.chain("*/", self.operand))

    def chain(self, known, part):
        result = part()
        while result is not None:
            sign = self.sign(known)
            if sign is None:
                return result
            following = part()
            if following is None:
                self.wrong = True
                return result
            result = ("operation", sign, result, following)
        return None

    def sign(self, known):
        text, place = self.text, blanks(self.text, self.place)
        sign = text[place:place + 1]
        if not sign or sign not in known:
            return None
        behind = text[place + 1:place + 2]
        if place > self.place and behind.strip():
            if not self.figures:
                return None
            if behind == "(":
                if sign == "/":
                    return None
            else:
                word = WORD.match(text, place + 1)
                found = pieces(word[0]) if word else None
                if not found or word[0][-1] in "+-*/":
                    return None
                if sign in "*/" and not any(quantity(piece) is None for piece, _, _ in found):
                    return None
        self.signs += 1
        self.place = blanks(text, place + 1)
        return sign

    def operand(self):
        text = self.text
        if text[self.place:self.place + 1] == "(":
            return self.group()
        if text[self.place:self.place + 2] in ("-(", "+("):
            sign, self.place = text[self.place], self.place + 1
            inner = self.group()
            return ("negative", inner) if inner and sign == "-" else inner
        match = WORD.match(text, self.place)
        if not match or match[0].lower() in ("and", "or", "not"):
            return None
        word, found = match[0], pieces(match[0])
        if found:
            has_sign = len(found) > 1 or word[-1] in "+-*/"
            has_figure = any(quantity(piece) is None for piece, _, _ in found)
            if has_sign and not (has_figure or self.right or self.signs):
                found = None
        if not found:
            self.place = match.end()
            return self.leaf(word)
        piece, start, negative = found[0]
        self.place += start + len(piece)
        leaf = self.leaf(piece)
        return ("negative", leaf) if negative else leaf

    def group(self):
        first = self.signs == 0 and not self.right
        self.groups += 1
        self.place = blanks(self.text, self.place + 1)
        inner = self.sum()
        self.place = blanks(self.text, self.place)
        if inner is None:
            self.wrong = True
            return None
        if self.text[self.place:self.place + 1] != ")":
            if first:
                return None
            self.wrong = True
            return inner
        self.place += 1
        return inner

    def leaf(self, word):
        if word.lower() in FIGURES:
            self.figures += 1
            return ("figure", word.lower())
        name, point, last = word.rpartition(".")
        is_name = name and last and "*" not in word and "?" not in word
        if is_name and last.lower() in FIGURES + ["count"]:
            self.figures += 1
            return ("other", word)
        if quantity(word):
            return ("number", word)
        if re.match(r"[-+]?(\d|\.\d)", word):
            self.wrong = True
        if is_name:
            return ("other", word)
        if re.fullmatch(r"[pP][0-9.]+", word):
            self.figures += 1
        self.wrong = True
        return ("figure", "now")


def leaves(node):
    if node[0] in ("number", "figure", "other"):
        return [node]
    return [leaf for part in node[1:] if isinstance(part, tuple) for leaf in leaves(part)]


def constant(node):
    return all(leaf[0] == "number" for leaf in leaves(node))


# A unit is "number", "share", "unknown", or what it measures as (time, bytes, percent), and how many make one of the base.
UNITS = ["a_ms", "a_s", "a_bytes", "a_percent", "a"]


class Differs(Exception):
    pass


def own_unit(figure, name):
    if figure in ("n", "rate", "age"):
        return {"n": ((0, 0, 0), 1.0), "rate": ((-1, 0, 0), 1.0), "age": ((1, 0, 0), 1.0)}[figure]
    for ending, unit in {"_us": ((1, 0, 0), 1e6), "_ms": ((1, 0, 0), 1000.0), "_per_s": ((0, 0, 0), 1.0), "_s": ((1, 0, 0), 1.0),
                         "_min": ((1, 0, 0), 1 / 60), "_bytes": ((0, 1, 0), 1.0), "_mb": ((0, 1, 0), 1e-6),
                         "_kib": ((0, 1, 0), 1 / 1024), "_percent": ((0, 0, 1), 1.0), "_ratio": ((0, 0, 1), 0.01)}.items():
        if name.endswith(ending):
            return unit
    return ((0, 0, 0), 1.0)


def literal(text):
    dimension, value = quantity(text)
    unit = {"plain": ("number", 1.0), "percent": ("share", 1.0), "time": ((1, 0, 0), 1.0), "bytes": ((0, 1, 0), 1.0),
            "frequency": ((-1, 0, 0), 1.0)}[dimension]
    return float(value), unit


def aligned(left, right):
    (one, (own, scale)), (other, (others, scale_of_other)) = left, right
    if own == "number" or others == "number":
        return one, other, right[1] if own == "number" else left[1]
    if "unknown" in (own, others):
        known = right[1] if own == "unknown" else left[1]
        return one, other, ("unknown", 1.0) if known[0] == "share" else known
    if own == others:
        return one, other if scale == scale_of_other else other * scale / scale_of_other, left[1]
    if own == "share" and others in ((0, 0, 1), (0, 0, 0)):
        return (one if others[2] else one / 100), other, right[1]
    if others == "share" and own in ((0, 0, 1), (0, 0, 0)):
        return one, (other if own[2] else other / 100), left[1]
    raise Differs


def divided(one, other):
    if other == 0:
        return float("nan") if one == 0 or one != one else float("inf")
    return one / other


def product(left, sign, right):
    def combined(one, other):
        return divided(one, other) if sign == "/" else one * other
    if left[1][0] == "share" and right[1][0] == "number":
        return combined(left[0], right[0]), left[1]
    if left[1][0] == "number" and right[1][0] == "share" and sign == "*":
        return left[0] * right[0], right[1]
    (one, own), (other, others) = [(value / 100, ("number", 1.0)) if unit[0] == "share" else (value, unit)
                                   for value, unit in (left, right)]
    value = combined(one, other)
    if "unknown" in (own[0], others[0]):
        return value, ("unknown", 1.0)
    if own[0] == "number" and others[0] == "number":
        return value, ("number", 1.0)
    if others[0] == "number":
        return value, own
    base = ((0, 0, 0), 1.0) if own[0] == "number" else own
    factor = -1 if sign == "/" else 1
    powers = tuple(a + factor * b for a, b in zip(base[0], others[0]))
    scale = combined(base[1], others[1])
    if powers == (0, 0, 0) and own[0] != "number":
        return divided(value, scale), (powers, 1.0)
    return value, (powers, scale)


def amount(node, leaf):
    if node[0] == "negative":
        inner = amount(node[1], leaf)
        return inner and (-inner[0], inner[1])
    if node[0] != "operation":
        return leaf(node)
    left, right = amount(node[2], leaf), amount(node[3], leaf)
    if left is None or right is None:
        return None
    if node[1] in "*/":
        return product(left, node[1], right)
    one, other, unit = aligned(left, right)
    return (one + other if node[1] == "+" else one - other), unit


def fits(left, right, name):
    def example(leaf):
        if leaf[0] == "number":
            return 1.0, literal(leaf[1])[1]
        if leaf[0] == "figure":
            return 1.0, own_unit(leaf[1], name)
        # The name of another metric may say its unit.
        metric, _, last = leaf[1].rpartition(".")
        figure = {"count": "n"}.get(last.lower(), last.lower())
        unit = own_unit(figure, metric) if figure in FIGURES else own_unit("now", leaf[1])
        is_known = figure in ("n", "rate", "age") or unit[0] != (0, 0, 0)
        return 1.0, unit if is_known else ("unknown", 1.0)
    try:
        aligned(amount(left, example), amount(right, example))
        return True
    except Differs:
        return False


def calculation_holds(node, subject):
    def value(leaf):
        if leaf[0] == "number":
            return literal(leaf[1])
        found = subject["figures"].get(leaf[1]) if leaf[0] == "figure" else None
        return None if found is None else (float(found), own_unit(leaf[1], subject["name"]))
    _, left, operator, right = node
    try:
        one, other = amount(left, value), amount(right, value)
        if one is None or other is None or not all(-1e308 < side[0] < 1e308 for side in (one, other)):
            return False
        one, other, _ = aligned(one, other)
    except Differs:
        return False
    return COMPARE[operator](one, other)


def unescaped(text):
    return re.sub(r'\\(["\\])', r"\1", text)


def kinds(node):
    if node[0] in ("any", "all", "not"):
        return set().union(*[kinds(part) for part in node[1]])
    return {"figure": {"metric"}, "calculation": {"metric"}, "state": {"metric"}, "field": {"sample"}}.get(node[0], set())


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
    if kind == "calculation":
        return calculation_holds(node, subject) != negated
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
