import Aggregation
import DashboardCore
import TelemetryCore

/// The diagnostics with one signature on either side; simulated ones are kept separate from real ones.
struct DiagnosticFamily: Sendable, Equatable {
  struct ID: Hashable, Sendable {
    let signature: FamilySignature
    /// True if a simulation generated them.
    let isSimulated: Bool
  }

  /// A version of the app with its build, in the order of releases.
  struct Release: Hashable, Comparable, Sendable {
    let version: String
    let build: String

    static func < (left: Release, right: Release) -> Bool {
      let (first, second) = (VersionOrder(left.version), VersionOrder(right.version))
      return first == second ? VersionOrder(left.build) < VersionOrder(right.build) : first < second
    }

    /// `2.4.1 (1207)`.
    var words: String {
      (version.isEmpty ? "unknown version" : version) + (build.isEmpty ? "" : " (\(build))")
    }
  }

  /// A place within one build.
  struct Exact: Hashable, Sendable {
    let signature: ExactSignature
    let release: Release
  }

  let id: ID
  private(set) var rate: DiagnosticRate
  /// The first and the last known release of all payloads that have it, on both sides or not.
  let first: Release
  let last: Release
  /// True if some of them name no version.
  let hasUnknownRelease: Bool
  /// The indexes of those of both sides in the archive.
  let places: [Int]
  /// The exact places of both sides, most frequent first.
  let exact: [(place: Exact, count: Int)]
  /// The reasons the system reported, most frequent first.
  let reasons: [(words: String, count: Int)]
  /// The largest reported amount, with its unit in Apple's spelling.
  let most: (amount: Double, unit: String)?

  var kind: String { id.signature.kind }
  /// `SIGSEGV in Cart < UIKitCore`, and the mark of simulated diagnostics.
  var label: String { id.signature.words + (id.isSimulated ? ", simulated" : "") }

  static func == (left: DiagnosticFamily, right: DiagnosticFamily) -> Bool {
    left.id == right.id && left.rate == right.rate && left.places == right.places
      && left.first == right.first && left.last == right.last
  }

  /// The family of some diagnostics; `nil` if neither side has any.
  fileprivate init?(_ id: ID, _ members: Members) {
    let known = members.releases.filter { !$0.version.isEmpty }
    let releases = known.isEmpty ? members.releases : known
    guard !members.a.isEmpty || !members.b.isEmpty, let first = releases.min(), let last = releases.max()
    else { return nil }
    (self.id, self.first, self.last, rate) = (id, first, last, members.rate)
    hasUnknownRelease = known.count < members.releases.count
    let both = Dictionary((members.a + members.b).map { ($0.place, $0) }) { first, _ in first }
    places = both.keys.sorted()
    exact = Self.counted(
      both.values.compactMap { facts in
        facts.exact.map { Exact(signature: $0, release: facts.release) }
      }
    ) { ($0.release, $0.signature.words) < ($1.release, $1.signature.words) }
    .map { (place: $0.value, count: $0.count) }
    reasons = Self.counted(both.values.map(\.words).filter { !$0.isEmpty }, by: <)
      .map { (words: $0.value, count: $0.count) }
    most = both.values.compactMap { facts in facts.amount.map { (amount: $0, unit: facts.unit) } }
      .max { ($0.amount, $0.unit) < ($1.amount, $1.unit) }
  }

  private static func counted<Value: Hashable>(
    _ values: [Value], by isBefore: (Value, Value) -> Bool
  ) -> [(value: Value, count: Int)] {
    Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +).map { (value: $0.key, count: $0.value) }
      .sorted { $0.count == $1.count ? isBefore($0.value, $1.value) : $0.count > $1.count }
  }

  /// `first 2.3.0 (1190), last 2.4.1 (1207)`.
  var releaseWords: String {
    if first.version.isEmpty { return "version unknown" }
    let unknown = hasUnknownRelease ? ", also in an unknown version" : ""
    if first == last { return (unknown.isEmpty ? "only in " : "in ") + first.words + unknown }
    return "first \(first.words), last \(last.words)" + unknown
  }

  mutating func believe(upTo threshold: Double?) { rate.believe(upTo: threshold) }

  /// `at most 4.20s`; `nil` if there are no amounts.
  var mostWords: String? {
    most.map { "at most " + OverviewUnit($0.unit, of: kind).text($0.amount) }
  }

  /// New and gone ones that are more than chance first, then changed ones, then by count.
  private var rank: Int {
    if id.isSimulated { return 6 }
    switch (rate.isReal, rate.isNew, rate.isGone) {
    case (true, true, _): return 0
    case (true, _, true): return 1
    case (true, false, false): return 2
    case (false, true, _): return 4
    case (false, _, true): return 5
    case (false, false, false): return 3
    }
  }

  /// Kinds in Apple's order, and the families of each that matter first.
  static func isListed(_ left: DiagnosticFamily, before right: DiagnosticFamily) -> Bool {
    let (first, second) = (left.kind, right.kind)
    let ranks = (DiagnosticKindWords.rank(first), DiagnosticKindWords.rank(second))
    if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
    if first != second { return first < second }
    if left.rank != right.rank { return left.rank < right.rank }
    let counts = [left, right].map { $0.rate.a.count + ($0.rate.b?.count ?? 0) }
    return counts[0] == counts[1] ? left.id.signature < right.id.signature : counts[0] > counts[1]
  }
}

/// The diagnostics of one signature, and their rate.
private struct Members {
  var a: [DiagnosticFacts] = []
  var b: [DiagnosticFacts] = []
  var releases: Set<DiagnosticFamily.Release> = []
  var rate: DiagnosticRate
}

/// The sides of a comparison of diagnostics.
struct DiagnosticSides: Sendable {
  let a: SampleCube.Choice
  let b: SampleCube.Choice?
  let exposure: (a: DiagnosticExposure, b: DiagnosticExposure)
  /// True if all diagnostics are known, and the sides share no payload.
  let isCompared: Bool

  private func rate(
    _ a: [DiagnosticFacts], _ b: [DiagnosticFacts], all: (a: Int, b: Int)?, isSimulated: Bool
  ) -> DiagnosticRate {
    DiagnosticRate(
      a: a.map(\.owner), b: self.b == nil ? nil : b.map(\.owner), all: all,
      isSimulated ? (.none, .none) : exposure, isCompared: isCompared && !isSimulated)
  }

  /// The rates of real diagnostics by kind.
  func rates(_ facts: [DiagnosticFacts]) -> [String: DiagnosticRate] {
    Dictionary(grouping: facts.filter { !$0.isSimulated }, by: \.kind).mapValues { facts in
      rate(mine(facts), other(facts), all: nil, isSimulated: false)
    }
  }

  /// The families of both sides.
  func families(_ facts: [DiagnosticFacts]) -> [DiagnosticFamily] {
    struct Group: Hashable { let kind: String, isSimulated: Bool }
    let all = Dictionary(grouping: facts) { Group(kind: $0.kind, isSimulated: $0.isSimulated) }
      .mapValues { (a: mine($0).count, b: other($0).count) }
    let families = Dictionary(grouping: facts, by: \.family).compactMap { id, facts -> DiagnosticFamily? in
      let (a, b) = (mine(facts), other(facts))
      guard !a.isEmpty || !b.isEmpty else { return nil }
      let known = all[Group(kind: id.signature.kind, isSimulated: id.isSimulated)]
      return DiagnosticFamily(
        id,
        Members(
          a: a, b: b, releases: Set(facts.map(\.release)),
          rate: rate(a, b, all: known, isSimulated: id.isSimulated)))
    }
    return families.sorted(by: DiagnosticFamily.isListed)
  }

  private func mine(_ facts: [DiagnosticFacts]) -> [DiagnosticFacts] { facts.filter { $0.matches(a) } }

  private func other(_ facts: [DiagnosticFacts]) -> [DiagnosticFacts] {
    b.map { b in facts.filter { $0.matches(b) } } ?? []
  }
}
