"""A program in a real pseudo-terminal, for measuring it from outside."""
import fcntl, os, pty, select, shutil, signal, struct, tempfile, termios, time

TICK = os.sysconf("SC_CLK_TCK")


class Terminal:
    """Runs a command on a terminal of its own and keeps what it writes.

    What the program keeps between runs goes with the terminal, unless the environment says where it is.
    """

    def __init__(self, command, environment={}, rows=40, columns=120):
        self.folder = tempfile.mkdtemp(prefix="mistertop-bench-")
        folders = {f"XDG_{kind}_HOME": os.path.join(self.folder, kind.lower()) for kind in ("CACHE", "STATE", "DATA")}
        self.output = b""
        self.total = 0
        self.first_byte = None
        self.alive = True
        self.start = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8", COLORTERM="truecolor")
            os.environ.update({**folders, **environment})
            os.environ.pop("NO_COLOR", None)
            os.environ.pop("MISTERTOP_INDEX", None)
            try:
                os.execvp(command[0], command)
            finally:
                os._exit(127)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.set_blocking(self.fd, False)

    def pump(self, seconds):
        """Waits up to that long for output and takes it; whether there was any."""
        ready, _, _ = select.select([self.fd], [], [], max(0, seconds))
        if not ready:
            return False
        try:
            data = os.read(self.fd, 1 << 16)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            self.alive = False
            return False
        if self.first_byte is None:
            self.first_byte = time.perf_counter() - self.start
        # As every terminal does, so that the program does not wait for it at its end.
        if b"\x1b[6n" in data:
            os.write(self.fd, b"\x1b[2;4R")
        self.total += len(data)
        self.output = (self.output + data)[-(1 << 18):]
        return True

    def run(self, seconds):
        end = time.perf_counter() + seconds
        while self.alive and (left := end - time.perf_counter()) > 0:
            self.pump(left)

    def wait_for(self, needle, seconds):
        """Seconds until the needle is written, from now; None if it is not in time. Forgets what came before."""
        begin = time.perf_counter()
        self.output = b""
        while self.alive and time.perf_counter() - begin < seconds:
            self.pump(0.5)
            if needle in self.output:
                return time.perf_counter() - begin
        return None

    def cpu(self):
        """Seconds of processor time of the program and its children."""
        return sum(self._processor(pid) for pid in self._family())

    def memory(self):
        """MiB of memory of the program and its children; what they share counts once."""
        total = 0
        for pid in self._family():
            try:
                with open(f"/proc/{pid}/smaps_rollup") as rollup:
                    total += sum(int(line.split()[1]) for line in rollup if line.startswith("Pss:"))
            except OSError:
                pass
        return total / 1024

    def wakeups(self):
        """How often the kernel put a thread of the program on a processor by its own wish."""
        total = 0
        for pid in self._family():
            try:
                for thread in os.listdir(f"/proc/{pid}/task"):
                    with open(f"/proc/{pid}/task/{thread}/status") as status:
                        total += sum(int(l.split()[1]) for l in status if l.startswith("voluntary_ctxt_switches"))
            except OSError:
                pass
        return total

    def _family(self):
        parents = {}
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/stat") as stat:
                    parents.setdefault(int(stat.read().rsplit(")", 1)[1].split()[1]), []).append(int(name))
            except OSError:
                pass
        family, waiting = [], [self.pid]
        while waiting:
            family.append(waiting.pop())
            waiting += parents.get(family[-1], [])
        return family

    @staticmethod
    def _processor(pid):
        try:
            with open(f"/proc/{pid}/stat") as stat:
                fields = stat.read().rsplit(")", 1)[1].split()
            return (int(fields[11]) + int(fields[12])) / TICK
        except OSError:
            return 0

    def close(self):
        try:
            self._end()
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _end(self):
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.kill(self.pid, number)
            except ProcessLookupError:
                break
            for _ in range(50):
                if os.waitpid(self.pid, os.WNOHANG)[0]:
                    os.close(self.fd)
                    return
                self.pump(0.02)
