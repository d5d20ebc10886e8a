"""What the power cuts of Tests/Soak share: a disk that can be copied as it is, processes that stand still, the lines of the matrix."""
import glob, os, shutil, signal, subprocess, sys, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def row_of(name):
    """The fields of a row of the matrix."""
    lines = open(os.path.join(ROOT, "Tests/ReliabilityTests/rows.tsv"))
    return next(line.rstrip("\n").split("\t") for line in lines if line.startswith(name + "\t"))


def log(line, fields):
    print(line, flush=True)
    if path := os.environ.get("MATRIX_LOG"):
        with open(path, "a") as file:
            file.write("\t".join(map(str, fields)) + "\n")


def run(*words):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


class Disk:
    """An ext4 in an image; the journal is written only when somebody syncs."""

    def __init__(self, folder):
        self.image, self.copy = f"{folder}/image", f"{folder}/copy"
        self.live, self.after = f"{folder}/live", f"{folder}/after"
        os.mkdir(self.live)
        os.mkdir(self.after)
        run("truncate", "-s", "32M", self.image)
        run("mkfs.ext4", "-q", "-m", "0", self.image)
        run("mount", "-o", "loop,commit=300", self.image, self.live)

    def cut(self):
        shutil.copyfile(self.image, self.copy)
        run("mount", "-o", "loop", self.copy, self.after)

    def release(self):
        run("umount", self.after)

    def close(self):
        subprocess.run(["umount", self.after], stderr=subprocess.DEVNULL)
        subprocess.run(["umount", self.live])


def stop(process):
    """Stops all threads of a process; one that is in the middle of a sync finishes that first."""
    process.send_signal(signal.SIGSTOP)
    for task in glob.glob(f"/proc/{process.pid}/task/*/stat"):
        while open(task).read().rsplit(")", 1)[1].split()[0] not in "Tt":
            time.sleep(0.0005)


class Tally:
    def __init__(self):
        self.expected = self.got = self.lost = self.duplicated = self.bad = 0

    @property
    def is_green(self):
        return self.expected > 0 and not (self.lost or self.duplicated or self.bad)


def report(row, kind, tally, done, result, seconds, last):
    """Prints a row, with a note, or a control, with what was taken out."""
    figures = [tally.expected, tally.got, tally.lost, tally.duplicated, tally.bad]
    line = (f"{row[0]} {' '.join(map(str, figures))} {result} count={done}/{row[3]} unit={row[2]} "
            f"seconds={seconds:.1f}")
    text = f' note="{last}"' if kind == "row" else f" without={last}"
    fields = [kind, *row[:5], done, *figures, result, f"{seconds:.1f}", *(["", last] if kind == "control" else [last])]
    log(("" if kind == "row" else "CONTROL ") + line + text, fields)


def start(row, main):
    """Runs `main` where power can be cut, in a mount namespace of its own, so that nothing stays mounted whatever happens."""
    if os.geteuid() != 0 or not shutil.which("mkfs.ext4") or not os.path.exists("/dev/loop-control"):
        reason = "needs root and loop devices"
        log(f"SKIPPED {row[0]}: {reason}", ["skip", *row[:3], reason])
    elif "POWER_CUT_APART" not in os.environ:
        os.environ["POWER_CUT_APART"] = "1"
        os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", sys.executable, *sys.argv])
    else:
        main()
