import Aggregation
import DashboardCore
import TelemetryCore

/// The diagnostics of one kind and version on either side; simulated ones are kept separate from real ones.
struct DiagnosticGroup: Sendable, Equatable {
  struct ID: Hashable, Sendable {
    /// The name of the metric.
    let kind: String
    let version: String
    /// True if a simulation generated them.
    let isSimulated: Bool
  }

  let id: ID
  /// Number of diagnostics on each side.
  private(set) var countA = 0
  private(set) var countB = 0
  /// Their indexes in the archive.
  private(set) var places: [Int] = []
  /// The reasons the system reported, most frequent first.
  private(set) var reasons: [(words: String, count: Int)] = []
  /// The largest reported amount, with its unit in Apple's spelling.
  private(set) var most: (amount: Double, unit: String)?

  static func == (left: DiagnosticGroup, right: DiagnosticGroup) -> Bool {
    left.id == right.id && left.countA == right.countA && left.countB == right.countB
      && left.places == right.places
  }

  /// Groups diagnostics: kinds in Apple's order, versions from the newest, simulated ones last.
  static func groups(
    _ facts: [DiagnosticFacts], a: SampleCube.Choice, b: SampleCube.Choice?
  ) -> [DiagnosticGroup] {
    var groups: [ID: DiagnosticGroup] = [:]
    var places: Set<Int> = []
    func add(_ facts: [DiagnosticFacts], _ count: WritableKeyPath<DiagnosticGroup, Int>) {
      for diagnostic in facts {
        let id = ID(
          kind: diagnostic.kind, version: diagnostic.version, isSimulated: diagnostic.isSimulated)
        groups[id, default: DiagnosticGroup(id: id)][keyPath: count] += 1
        if places.insert(diagnostic.place).inserted { groups[id]?.take(diagnostic) }
      }
    }
    add(facts.filter { $0.matches(a) }, \.countA)
    if let b { add(facts.filter { $0.matches(b) }, \.countB) }
    for id in groups.keys { groups[id]?.conclude() }
    let ordered = groups.values.map { (group: $0, version: VersionOrder($0.id.version)) }
    return ordered.sorted { left, right in
      let (first, second) = (left.group.id.kind, right.group.id.kind)
      let ranks = (DiagnosticKindWords.rank(first), DiagnosticKindWords.rank(second))
      if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
      if first != second { return first < second }
      let isSimulated = left.group.id.isSimulated
      return isSimulated == right.group.id.isSimulated ? left.version > right.version : !isSimulated
    }.map(\.group)
  }

  private init(id: ID) { self.id = id }

  private mutating func take(_ diagnostic: DiagnosticFacts) {
    places.append(diagnostic.place)
    if !diagnostic.words.isEmpty { reasons.append((diagnostic.words, 1)) }
    guard let amount = diagnostic.amount, amount > most?.amount ?? -.infinity else { return }
    most = (amount, diagnostic.unit)
  }

  /// Sorts the places and counts the reasons.
  private mutating func conclude() {
    places.sort()
    let counts = Dictionary(reasons.map { ($0.words, 1) }, uniquingKeysWith: +)
    reasons = counts.map { (words: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.words) < ($0.count, $1.words) }
  }

  /// The version, and the mark of simulated diagnostics: `2.4.1 simulated`.
  var label: String {
    (id.version.isEmpty ? "(no version)" : id.version) + (id.isSimulated ? " simulated" : "")
  }

  /// `at most 4.20s`; `nil` if there are no amounts.
  var mostWords: String? {
    most.map { "at most " + OverviewUnit($0.unit, of: id.kind).text($0.amount) }
  }
}

/// Names of the kinds of diagnostics.
enum DiagnosticKindWords {
  private static let words = [
    ("crashDiagnostics", "Crashes"), ("hangDiagnostics", "Hangs"),
    ("cpuExceptionDiagnostics", "CPU exceptions"), ("diskWriteExceptionDiagnostics", "Disk write exceptions"),
    ("appLaunchDiagnostics", "Slow launches"), ("memoryExceptionDiagnostics", "Out of memory"),
    ("unclassifiedDiagnostics", "Unclassified"),
  ]

  private static func place(_ kind: String) -> Int? {
    words.firstIndex { kind == $0.0 || kind.hasPrefix($0.0 + ".") }
  }

  /// The rank of a kind, by the name of its metric; unknown kinds come last.
  static func rank(_ kind: String) -> Int { place(kind) ?? words.count }

  /// The direction of a kind's call stacks: a crash begins with the crashed frame, samples begin with the start of a
  /// thread.
  static func order(_ kind: String) -> String {
    rank(kind) == 0 ? "where it crashed, below it who called that" : "where it was, below it what that called"
  }

  /// The title of a kind; an unknown kind keeps its own name.
  static func title(_ kind: String) -> String { place(kind).map { words[$0].1 } ?? kind }
}
