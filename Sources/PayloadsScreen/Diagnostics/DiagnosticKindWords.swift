/// Names of the kinds of diagnostics.
enum DiagnosticKindWords {
  private static let words = [
    ("crashDiagnostics", "Crashes", "crash"), ("hangDiagnostics", "Hangs", "hang"),
    ("cpuExceptionDiagnostics", "CPU exceptions", "CPU exception"),
    ("diskWriteExceptionDiagnostics", "Disk write exceptions", "disk write exception"),
    ("appLaunchDiagnostics", "Slow launches", "slow launch"),
    ("memoryExceptionDiagnostics", "Out of memory", "out of memory"),
    ("unclassifiedDiagnostics", "Unclassified", "unclassified diagnostic"),
  ]

  private static func place(_ kind: String) -> Int? {
    words.firstIndex { kind == $0.0 || kind.hasPrefix($0.0 + ".") }
  }

  /// The rank of a kind, by the name of its metric; unknown kinds come last.
  static func rank(_ kind: String) -> Int { place(kind) ?? words.count }

  static func isCrash(_ kind: String) -> Bool { rank(kind) == 0 }

  /// The direction of a kind's call stacks: a crash begins with the crashed frame, samples begin with the start of a
  /// thread.
  static func order(_ kind: String) -> String {
    isCrash(kind) ? "where it crashed, below it who called that" : "where it was, below it what that called"
  }

  /// The title of a kind; an unknown kind keeps its own name.
  static func title(_ kind: String) -> String { place(kind).map { words[$0].1 } ?? kind }

  /// One diagnostic of a kind: `crash`.
  static func one(_ kind: String) -> String { place(kind).map { words[$0].2 } ?? kind }
}
