"""The dashboard in a real pseudo-terminal: how soon, how often and how much it writes."""
import base64, multiprocessing, os, statistics, subprocess, time

from terminal import Terminal


def probe_line(value, name="probe", bucket="aaa"):
    text = base64.b64encode(str(value).encode()).decode()
    return ('{"metric":{"bucket":"%s","name":"%s","valueTypeString":"Int"},"timestamp":%.6f,"value":"%s"}\n'
            % (bucket, name, time.time() - 978307200, text)).encode()


def first_frame(program, path, label, runs, figures, environment={}):
    """From the start of the program to the first row with a metric of the file."""
    starts, frames, memory = [], [], 0
    for _ in range(runs):
        terminal = Terminal([program, path], environment)
        frame = terminal.wait_for(b"probe", 10)
        starts.append((terminal.first_byte or 10) * 1000)
        frames.append((frame or 10) * 1000)
        # Until everything is read, when it holds the most.
        terminal.run(4)
        memory = max(memory, terminal.memory())
        terminal.close()
    figures.add(f"start to first byte, {label}", statistics.median(starts), 10, "ms")
    figures.add(f"start to first frame with data, {label}", statistics.median(frames), 50, "ms")
    figures.add(f"memory of the dashboard, {label}", memory, 64 + os.path.getsize(path) / 100 / 2**20, "MiB")


def follow(program, path, samples, figures):
    """A file that grows: one line at a time, a thousand a second, a hundred thousand a second."""
    terminal = Terminal([program, path])
    terminal.wait_for(b"probe", 10)
    terminal.run(4)
    with open(path, "ab", buffering=0) as out:
        latencies = sorted(appended(terminal, out, index) for index in range(samples))
        figures.add("append to screen, median", statistics.median(latencies), 5, "ms")
        figures.add("append to screen, p99", latencies[int(len(latencies) * 0.99)], 20, "ms")
    load(terminal, path, 1000, 10, "1,000 lines/s", figures, 5, 100)
    keys = load(terminal, path, 100_000, 8, "100,000 lines/s", figures, None, None)
    figures.add("key to screen at 100,000 lines/s, median", statistics.median(keys), 50, "ms")
    figures.add("key to screen at 100,000 lines/s, p99", sorted(keys)[int(len(keys) * 0.99)], 50, "ms", f"{len(keys)} keys")
    behind = seen(terminal, path)
    figures.add("behind after 100,000 lines/s", behind, 50, "ms")
    terminal.close()


def appended(terminal, out, index):
    """Milliseconds from a line's write to its value on the screen."""
    # Every digit differs from the one before, so that all of them are written.
    token = str(123 + 111 * (index % 6))
    line = probe_line(token)
    terminal.output = b""
    begin = time.perf_counter()
    out.write(line)
    while token.encode() not in terminal.output and time.perf_counter() - begin < 2:
        terminal.pump(0.5)
    latency = (time.perf_counter() - begin) * 1000
    terminal.run(0.05 + 0.05 * ((index * 7919) % 100) / 100)
    return latency


def seen(terminal, path):
    """Milliseconds until a new metric, appended behind everything, is on the screen."""
    begin = time.perf_counter()
    with open(path, "ab", buffering=0) as out:
        out.write(probe_line(1, name="aaa_last"))
    while b"aaa_last" not in terminal.output and time.perf_counter() - begin < 10:
        terminal.pump(0.2)
    return (time.perf_counter() - begin) * 1000


def send(path, rate, seconds, sent):
    """Appends lines at a rate, a hundredth of a second's at a time."""
    begin = time.perf_counter()
    with open(path, "ab", buffering=0) as out:
        while sent.value < rate * seconds:
            due = min(rate * seconds, int((time.perf_counter() - begin) * rate))
            line = probe_line(100 + due % 900)
            out.write(line * (due - sent.value))
            sent.value = due
            time.sleep(0.01)


def load(terminal, path, rate, seconds, label, figures, cpu_bar, bytes_bar):
    """What the program costs while lines come in; milliseconds from a key to its effect."""
    sent = multiprocessing.Value("q", 0)
    sender = multiprocessing.Process(target=send, args=(path, rate, seconds, sent))
    cpu, count, begin = terminal.cpu(), terminal.total, time.perf_counter()
    sender.start()
    keys = []
    while sender.is_alive():
        terminal.run(0.1)
        if bytes_bar is None:
            keys.append(key(terminal))
    elapsed = time.perf_counter() - begin
    sender.join()
    text = f"{sent.value / elapsed:.0f} lines/s sent"
    figures.add(f"processor at {label}", 100 * (terminal.cpu() - cpu) / elapsed, cpu_bar, "%", text)
    figures.add(f"to the terminal at {label}", (terminal.total - count) / elapsed / 1000, bytes_bar, "kB/s")
    return keys


def key(terminal):
    """Milliseconds from `?` to the list of keys, which is closed again."""
    terminal.output = b""
    begin = time.perf_counter()
    os.write(terminal.fd, b"?")
    while b"type to filter" not in terminal.output and time.perf_counter() - begin < 2:
        terminal.pump(0.5)
    latency = (time.perf_counter() - begin) * 1000
    os.write(terminal.fd, b"\x1b")
    terminal.run(0.05)
    return latency


def quiet(program, path, seconds, figures):
    """A file whose samples are all old: nothing is due, so nothing may run."""
    terminal = Terminal([program, path])
    terminal.wait_for(b"probe", 10)
    # The sparklines reach back two minutes.
    terminal.run(130 if seconds >= 20 else 4)
    cpu, wakeups = terminal.cpu(), terminal.wakeups()
    terminal.run(seconds)
    figures.add(f"processor, quiet file, {seconds} s", 100 * (terminal.cpu() - cpu) / seconds, 0.0, "%")
    figures.add(f"wake-ups, quiet file, {seconds} s", terminal.wakeups() - wakeups, 0, "")
    terminal.close()


def quiet_engine(program, folder, seconds, figures):
    """The Sync screen of an engine that ended long ago, its breaker open: no countdown runs, no age is counted on."""
    path = os.path.join(folder, "engine.jsonl")
    subprocess.run([program, "simulate", "rate-limit-storm", "--until=60", "--out=" + path], check=True)
    terminal = Terminal([program, path])
    terminal.wait_for(b"sync", 10)
    terminal.run(1)
    os.write(terminal.fd, b"4")
    terminal.run(2)
    shown = b"RATE LIMITED" in terminal.output or b"rate limited" in terminal.output
    cpu, wakeups = terminal.cpu(), terminal.wakeups()
    terminal.run(seconds)
    figures.add(f"processor, Sync screen of an ended file, {seconds} s", 100 * (terminal.cpu() - cpu) / seconds, 0.0, "%",
                "" if shown else "the screen was not seen")
    figures.add(f"wake-ups, Sync screen of an ended file, {seconds} s", terminal.wakeups() - wakeups, 0, "")
    terminal.close()
