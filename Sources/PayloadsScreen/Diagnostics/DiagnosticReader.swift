import Aggregation
import DashboardCore
import History
import Platform
import TelemetryCore

/// The facts about a diagnostic apart from its call stacks.
struct DiagnosticFacts: Sendable, Equatable {
  /// Its index among the diagnostics of the archive.
  let place: Int
  /// The name of its metric.
  let kind: String
  /// The system's description of the event; empty if it gave none.
  let words: String
  let amount: Double?
  /// The unit of the amount, in Apple's spelling.
  let unit: String
  let isSimulated: Bool
  let family: DiagnosticFamily.ID
  /// The place within its build; `nil` without call stacks.
  let exact: ExactSignature?
  let release: DiagnosticFamily.Release
  /// The payload with its values in the dimensions.
  fileprivate let payload: PayloadArchive.Payload

  func matches(_ choice: SampleCube.Choice) -> Bool { payload.matches(choice) }

  /// The time it was recorded for.
  var time: Timestamp { payload.time }
  /// The beginning of its payload's period, as written there.
  var begin: String { payload.begin }
  /// The name of its file.
  var file: String { payload.file }

  /// A fact about its payload; empty if unknown.
  func fact(_ name: String) -> String { payload.facts[name] ?? "" }

  /// The user that it comes from, or else its payload.
  var owner: String { payload.facts["user"] ?? payload.source }
}

/// Reads the facts about the diagnostics of an archive, a number of bytes at a time.
struct DiagnosticReader: Sendable {
  /// Facts read so far, in the order of the archive.
  private(set) var facts: [DiagnosticFacts] = []
  /// Number of diagnostics that could not be parsed.
  private(set) var unread = 0
  private let diagnostics: [PayloadArchive.Diagnostic]
  /// Known payloads with diagnostics, by their source.
  private let payloads: [String: PayloadArchive.Payload]
  private let symbols: (any CallStackSymbols)?
  private var next = 0

  /// - Parameter symbols: Names the functions in call stacks.
  init(_ archive: PayloadArchive, symbols: (any CallStackSymbols)? = nil) {
    self.symbols = symbols
    diagnostics = archive.diagnostics
    payloads =
      archive.diagnostics.isEmpty
      ? [:]
      : Dictionary(archive.payloads.map { ($0.source, $0) }) { $0.facts.count < $1.facts.count ? $1 : $0 }
  }

  var isDone: Bool { next == diagnostics.count }

  /// Number of diagnostics examined.
  var position: Int { next }

  /// Reads diagnostics until a number of bytes has been read.
  mutating func read(_ budget: Int) {
    var left = budget
    while left > 0, next < diagnostics.count {
      left -= diagnostics[next].json.count + 200
      if let found = facts(at: next) { facts.append(found) } else { unread += 1 }
      next += 1
    }
  }

  /// The indexes of the diagnostics read so far whose payloads are chosen.
  func places(where isChosen: (PayloadArchive.Payload) -> Bool) -> [Int] {
    facts.filter { isChosen($0.payload) }.map(\.place)
  }

  /// The recorded line of a diagnostic.
  func line(at place: Int) -> PayloadArchive.Diagnostic? {
    diagnostics.indices.contains(place) ? diagnostics[place] : nil
  }

  /// The call stacks of diagnostics by index, as many as fit into a number of bytes; the last ones first.
  func callStacks(of places: [Int], limit: Int) -> (stacks: [RecordedCallStacks], leftOut: Int) {
    var (stacks, left): ([RecordedCallStacks], Int) = ([], limit)
    for place in places.reversed() {
      left -= diagnostics[place].json.count
      guard stacks.isEmpty || left > 0 else { break }
      guard let diagnostic = PayloadDiagnostic(json: diagnostics[place].json) else { continue }
      let found = diagnostic.callStacks
      stacks.append(symbols?.symbolicated(found, of: diagnostics[place].kind) ?? found)
    }
    symbols?.keep()
    return (stacks, places.count - stacks.count)
  }

  /// The reason why functions have no names; `nil` if nothing went wrong.
  var symbolProblem: String? { symbols?.problem }

  private func facts(at place: Int) -> DiagnosticFacts? {
    let line = diagnostics[place]
    guard var read = PayloadDiagnostic(json: line.json) else { return nil }
    if let symbols { read.callStacks = symbols.symbolicated(read.callStacks, of: line.kind) }
    var payload = payloads[read.source] ?? PayloadArchive.Payload()
    (payload.version, payload.source, payload.time) = (read.appVersion, read.source, line.time)
    (payload.isSimulated, payload.values) = (read.simulated, [])
    payload.facts.merge([("os", read.os), ("device", read.device)]) { $1.isEmpty ? $0 : $1 }
    payload.facts.merge(line.facts) { $1 }
    let words = [read.reason, read.termination, read.exception].filter { !$0.isEmpty }
    let signature = FamilySignature(read, of: line.kind)
    return DiagnosticFacts(
      place: place, kind: line.kind, words: words.joined(separator: ", "),
      amount: read.value.flatMap { $0.isFinite ? $0 : nil }, unit: read.unit, isSimulated: read.simulated,
      family: DiagnosticFamily.ID(signature: signature, isSimulated: read.simulated),
      exact: FamilySignature.exact(
        read.callStacks, isCrash: DiagnosticKindWords.isCrash(line.kind)),
      release: .init(version: read.appVersion, build: payload.facts["build"] ?? ""), payload: payload)
  }
}
