internal import CNcurses

extension TerminfoEntry {
  /// The part of `xterm-256color` that the program needs, for machines without a terminfo database.
  static var xterm: TerminfoEntry {
    var entry = TerminfoEntry(name: "xterm-256color", order: .ofNcurses)
    entry.flags = ["am", "bce", "msgr", "xenl"]
    entry.numbers = ["cols": 80, "lines": 24, "it": 8, "colors": 256, "pairs": 65_536]
    entry.strings = xtermStrings.mapValues { Array($0.utf8) }
    for (name, digit) in [("setaf", 3), ("setab", 4)] { entry.strings[name] = indexed(digit) }
    return entry
  }

  private static let xtermStrings = [
    "bel": "\u{07}", "bold": "\u{1B}[1m", "dim": "\u{1B}[2m", "sitm": "\u{1B}[3m", "ritm": "\u{1B}[23m",
    "smul": "\u{1B}[4m", "rmul": "\u{1B}[24m", "rev": "\u{1B}[7m", "smso": "\u{1B}[7m", "rmso": "\u{1B}[27m",
    "sgr0": "\u{1B}(B\u{1B}[m", "op": "\u{1B}[39;49m", "clear": "\u{1B}[H\u{1B}[2J", "home": "\u{1B}[H",
    "cup": "\u{1B}[%i%p1%d;%p2%dH", "hpa": "\u{1B}[%i%p1%dG", "vpa": "\u{1B}[%i%p1%dd", "cr": "\r",
    "cuu1": "\u{1B}[A", "cud1": "\n", "cuf1": "\u{1B}[C", "cub1": "\u{08}", "cuu": "\u{1B}[%p1%dA",
    "cud": "\u{1B}[%p1%dB", "cuf": "\u{1B}[%p1%dC", "cub": "\u{1B}[%p1%dD", "ed": "\u{1B}[J",
    "el": "\u{1B}[K",
    "el1": "\u{1B}[1K", "ech": "\u{1B}[%p1%dX", "csr": "\u{1B}[%i%p1%d;%p2%dr", "ind": "\n", "ri": "\u{1B}M",
    "civis": "\u{1B}[?25l", "cnorm": "\u{1B}[?12l\u{1B}[?25h", "smcup": "\u{1B}[?1049h",
    "rmcup": "\u{1B}[?1049l",
    "smam": "\u{1B}[?7h", "rmam": "\u{1B}[?7l",
  ]
}
