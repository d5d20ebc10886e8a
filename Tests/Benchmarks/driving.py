"""The screens of both engines driven in a real pseudo-terminal: how soon a key's consequence is on them, through the file."""
import glob, json, os, re, statistics, tempfile, time

import pyte

from interactive import key
from terminal import Terminal

ROWS, COLUMNS = 40, 120
QUIET = """{ name: "quiet", title: "Quiet", story: "Nothing happens by itself.", start: "2026-11-21T08:00:00Z",
  duration: 3600, settled: true, server: [{ kind: "event", count: 20 }], acts: [] }
"""
BUSY = """{ name: "busy", title: "Busy", story: "A change every tenth of a second, and a run after each.",
  start: "2026-11-21T08:00:00Z", duration: 3600, settled: true,
  server: [{ kind: "eventType", count: 3 }, { kind: "event", count: 20 }],
  acts: [{ at: 0, do: "generate", perMinute: 240 }, { at: 0, do: "trigger", every: 1, afterChanges: true }] }
"""


QUIET_CLIENT = """{ engine: "delivery", name: "quiet", title: "Quiet", story: "Nothing happens by itself.",
  start: "2026-11-21T08:00:00Z", duration: 3600, acts: [] }
"""


class Driven(Terminal):
    """The dashboard on a scenario of its own, with the file that it records into."""

    def __init__(self, program, scenario):
        self.home = tempfile.TemporaryDirectory()
        path = os.path.join(self.home.name, "scenario.json5")
        with open(path, "w") as out:
            out.write(scenario)
        super().__init__([program, "demo", "--scenario", path], {"TMPDIR": self.home.name}, ROWS, COLUMNS)
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self.stream = pyte.ByteStream(self.screen)
        self.is_parsed = True

    def pump(self, seconds):
        before = self.total
        came = super().pump(seconds)
        if came and self.is_parsed:
            self.stream.feed(self.output[-(self.total - before):])
        return came

    def row(self, number):
        line = self.screen.buffer[number]
        return "".join(line[column].data for column in range(COLUMNS))

    def wait_until(self, wanted, seconds=10):
        """Waits for a picture; seconds until it was there, None if it was not in time."""
        begin = time.perf_counter()
        while self.alive and time.perf_counter() - begin < seconds:
            if wanted():
                return time.perf_counter() - begin
            self.pump(0.05)
        return None

    def place(self, word):
        """The first row that holds a word."""
        return next((number for number in range(ROWS) if word in self.row(number)), None)

    def decision(self, place):
        """The number of the newest decision, in the first row with one below the title of the list."""
        rows = (self.row(number) for number in range(place + 1, ROWS))
        return next((int(found[1]) for found in (re.search(r"(\d+) \d\d:\d\d:", row) for row in rows) if found), 0)

    def entries(self, place):
        """How many entries the timeline of the Delivery screen has, as its title says."""
        found = re.search(r"Timeline (\d+)", self.row(place))
        return int(found[1]) if found else 0

    def newest(self):
        """The time of the last entry of the file, and how many transitions it has."""
        (path,) = glob.glob(os.path.join(self.home.name, "mistertop-demo-*/demo.jsonl"))
        with open(path, "rb") as record:
            # What follows the last newline is being written.
            lines = record.read().split(b"\n")[:-1]
        return json.loads(lines[-1])["timestamp"], sum(b'"transition"' in line for line in lines)

    def close(self):
        super().close()
        self.home.cleanup()


def through_the_file(program, count, figures):
    """From the key that asks for a run, or a flush, to what came of it on the screen, at the pace of our time."""
    key_to_screen(program, QUIET, Driven.decision, "decision on the Sync screen", count, figures)
    key_to_screen(program, QUIET_CLIENT, Driven.entries, "entry on the Delivery screen", count, figures)


def key_to_screen(program, scenario, newest, what, count, figures):
    terminal, latencies = Driven(program, scenario), []
    if terminal.wait_until(lambda: terminal.place("Timeline")) is None:
        raise SystemExit(f"the screen of the {what} did not come up")
    terminal.run(1)
    for index in range(count):
        place = terminal.place("Timeline")
        before = newest(terminal, place)
        begin = time.perf_counter()
        os.write(terminal.fd, b"r")
        if terminal.wait_until(lambda: newest(terminal, place) > before, 2) is None:
            raise SystemExit(f"a key had no consequence: {terminal.row(place)}")
        latencies.append((time.perf_counter() - begin) * 1000)
        # What it began goes on to its end.
        terminal.run(0.3 + 0.05 * ((index * 7919) % 100) / 100)
    terminal.close()
    latencies.sort()
    figures.add(f"key to {what}, median", statistics.median(latencies), 50, "ms")
    figures.add(f"key to {what}, p99", latencies[int(len(latencies) * 0.99)], 50, "ms", f"{count} keys")


def at_full_speed(program, seconds, figures):
    """At sixty times our time, with more than ten thousand decisions recorded: pace, keys, processor."""
    terminal = Driven(program, BUSY)
    if terminal.wait_until(lambda: terminal.place("Timeline")) is None:
        raise SystemExit("the Sync screen did not come up")
    terminal.is_parsed = False
    os.write(terminal.fd, b">" * 10)
    while terminal.alive and terminal.newest()[1] < 10_000:
        terminal.run(1)
    (start, _), begin, cpu, keys = terminal.newest(), time.perf_counter(), terminal.cpu(), []
    while time.perf_counter() - begin < seconds:
        terminal.run(0.1)
        keys.append(key(terminal))
    elapsed = time.perf_counter() - begin
    end, decisions = terminal.newest()
    processor = 100 * (terminal.cpu() - cpu) / elapsed
    terminal.close()
    keys.sort()
    text = f"{decisions:,} decisions"
    figures.add("key to screen at 60x, median", statistics.median(keys), 50, "ms", text)
    figures.add("key to screen at 60x, p99", keys[int(len(keys) * 0.99)], 50, "ms", f"{len(keys)} keys")
    figures.add("time that a simulation at 60x loses", 100 * max(0, 1 - (end - start) / elapsed / 60), 5, "%")
    figures.add("processor of a simulation at 60x", processor, None, "%")


def at_our_pace(program, seconds, figures):
    """The sample app of the demo with both of its engines, nobody at the keys."""
    home = tempfile.TemporaryDirectory()
    terminal = Terminal([program, "demo"], {"TMPDIR": home.name}, ROWS, COLUMNS)
    terminal.run(5)
    begin, cpu = time.perf_counter(), terminal.cpu()
    terminal.run(seconds)
    processor = 100 * (terminal.cpu() - cpu) / (time.perf_counter() - begin)
    terminal.close()
    home.cleanup()
    figures.add("processor of the demo with both simulations", processor, 10, "%")
