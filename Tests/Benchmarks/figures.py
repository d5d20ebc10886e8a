"""Figures of one run: printed as they come, kept as JSON, compared with those of an earlier run."""
import json

# A figure this much smaller or larger than the kept one is another figure. Most are ratios to a yardstick that was
# measured in the same run; those that are not drift with the machine, so differences below a floor do not count.
TOLERANCE = 1.25
FLOORS = {"ms": 2, "%": 2, "kB/s": 1, "µs": 0.2, "MiB": 2, "x wc -l": 0.4, "/s": 1}


class Figures:
    def __init__(self):
        self.all = []

    def add(self, what, figure, bar=None, unit="", text=""):
        """Prints a figure; smaller is better."""
        verdict = "" if bar is None else ("met" if figure <= bar else "MISSED")
        self.all.append(dict(what=what, figure=round(figure, 4), bar=bar, unit=unit, verdict=verdict))
        limit = "" if bar is None else f"<= {bar:g} {unit}"
        print(f"{what:<58} {figure:>10.2f} {unit:<8} {limit:<16} {verdict:<7} {text}", flush=True)

    def write(self, path):
        with open(path, "w") as out:
            json.dump(self.all, out, indent=2, ensure_ascii=False)
            out.write("\n")


def compare(kept, new):
    """Prints better, same or worse for each figure; whether nothing has become worse."""
    before, good = {figure["what"]: figure for figure in kept}, True
    print()
    for figure in new:
        old = before.get(figure["what"])
        if old is None:
            print(f"new     {figure['what']}: {figure['figure']:g} {figure['unit']}")
            continue
        a, b = old["figure"], figure["figure"]
        matters = abs(a - b) > FLOORS.get(figure["unit"], 0)
        lost = old["verdict"] == "met" and figure["verdict"] == "MISSED"
        word = "worse" if matters and b > a * TOLERANCE else "better" if matters and b * TOLERANCE < a else "same"
        # What other programs need says something about the machine, not about this one.
        counts = not figure["what"].startswith("peer ")
        good &= not (counts and (lost or word == "worse"))
        print(f"{word:<7} {figure['what']}: {a:g} -> {b:g} {figure['unit']}{', its bar is missed now' if lost else ''}")
    for what in before.keys() - {figure["what"] for figure in new}:
        print(f"missing {what}")
    return good
