import Codecs
import Essentials
import Platform
import Symbolication
import TerminalUI

/// The counts of an import, and its report.
struct ImportSummary {
  /// Maximum versions listed by name.
  private static let versionLimit = 8

  private(set) var files = 0
  private(set) var metrics = 0
  private(set) var diagnostics = 0
  private var kinds: [(kind: String, count: Int)] = []
  private var versions: [String: Int] = [:]
  private var withoutVersion = 0
  private var simulated = 0
  private var mixed = 0
  private var withoutTime = 0
  private var withoutZone = 0
  private var days: ClosedRange<String>?
  private(set) var duplicates = 0
  private(set) var held = 0
  private(set) var completed = 0
  private(set) var entries = 0
  private(set) var notes = 0
  private(set) var problems = 0
  private var leftOut: (count: Int, first: String?) = (0, nil)
  /// Builds whose symbols were not found.
  var missing: [MissingSymbols.Module] = []

  /// Payloads without duplicates, whether already stored or not.
  var payloads: Int { metrics + diagnostics }

  mutating func add(_ file: PayloadFileContents) {
    files += 1
    duplicates += file.duplicates
    notes += file.notes
    leftOut.count += file.leftOut.count
    if leftOut.first == nil {
      leftOut.first = file.leftOut.first.map { "\(PathParts.end(of: file.path)): \($0)" }
    }
    if !file.errors.isEmpty { problems += 1 }
  }

  mutating func addProblem() { problems += 1 }

  mutating func addDuplicate() { duplicates += 1 }

  /// Counts a payload that the store has in full, in part or not at all.
  mutating func add(_ facts: PayloadFacts, recorded: Int, isNew: Bool) {
    if let diagnostics = facts.diagnostics { add(diagnostics) } else { metrics += 1 }
    entries += recorded
    if !isNew { if recorded == 0 { held += 1 } else { completed += 1 } }
    for version in facts.versions { versions[version, default: 0] += 1 }
    if facts.versions.isEmpty { withoutVersion += 1 }
    if facts.isSimulated { simulated += 1 }
    if facts.isMixed { mixed += 1 }
    if facts.time == nil { withoutTime += 1 }
    if facts.isZoneUnknown { withoutZone += 1 }
    guard let day = facts.day else { return }
    days = days.map { min($0.lowerBound, day)...max($0.upperBound, day) } ?? day...day
  }

  private mutating func add(_ counts: [(kind: String, count: Int)]) {
    diagnostics += 1
    for (kind, count) in counts {
      if let index = kinds.firstIndex(where: { $0.kind == kind }) {
        kinds[index].count += count
      } else {
        kinds.append((kind, count))
      }
    }
  }

  // MARK: Report

  /// The report, safe to print on a terminal.
  func text(of request: ImportCommand.Request) -> String {
    let store = SafeText.sanitized(request.store)
    let rows: [(String, String?)] = [
      (request.isDryRun ? "to record" : "recorded", recordedText(store)),
      ("skipped", skippedText),
      ("completed", some(completed) { "\($0) that the store had in part" }),
      ("versions", versionText), ("days", dayText(request.timeZone)),
      ("no time", some(withoutTime) { "\($0), recorded under the time of the file" }),
      ("simulated", some(simulated) { "\($0), left out of averages" }),
      ("mixed", some(mixed) { "\($0) with values of several versions, left out of averages" }),
      (
        "left out",
        some(leftOut.count) {
          "\(Plural.count($0, "value")): \(SafeText.truncated(SafeText.sanitized(leftOut.first ?? ""), to: 100))"
            + ($0 > 1 ? "; …" : "")
        }
      ),
      ("odd", some(notes) { "\(Plural.count($0, "note")); mistertop doctor FILE lists them" }),
      ("errors", some(problems) { "in \(Plural.count($0, "file")), listed above" }),
    ]
    let head = "\(Plural.count(payloads, "payload")) in \(Plural.count(files, "file"))\(kindText)\n"
    return (rows + missingRows).reduce(head) { text, row in
      row.1.map { text + "  " + row.0 + String(repeating: " ", count: 11 - row.0.count) + $0 + "\n" } ?? text
    }
  }

  /// The builds without symbols, one a row, and what waits for them.
  private var missingRows: [(String, String?)] {
    missing.lines.enumerated().map { ($0.offset == 0 ? "no symbols" : "", $0.element) }
  }

  private var kindText: String {
    let details = kinds.map { Plural.count($0.count, $0.kind) }.joined(separator: ", ")
    let parts = [
      some(metrics) { "\($0) of metrics" },
      some(diagnostics) { "\($0) of diagnostics" + (details.isEmpty ? "" : " (\(details))") },
    ].compactMap { $0 }
    return parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
  }

  private func recordedText(_ store: String) -> String? {
    if payloads == held { return "nothing" }
    return "\(payloads - held), as \(Plural.count(entries, "entry", "entries")) in \(store)"
  }

  private var skippedText: String? {
    let parts = [
      some(held) { "\($0) already in the store" }, some(duplicates) { "\($0) repeated" },
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private var versionText: String? {
    let sorted = versions.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    var parts = sorted.prefix(Self.versionLimit).map {
      "\(SafeText.truncated(SafeText.sanitized($0.key), to: 30)) (\($0.value))"
    }
    if sorted.count > Self.versionLimit { parts.append("\(sorted.count - Self.versionLimit) more") }
    if withoutVersion > 0, payloads > 0 { parts.append("none (\(withoutVersion))") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private func dayText(_ timeZone: ZoneOffsets) -> String? {
    guard let days else { return nil }
    let range =
      days.lowerBound == days.upperBound ? days.lowerBound : "\(days.lowerBound) to \(days.upperBound)"
    guard withoutZone > 0 else { return range }
    return range + "; \(withoutZone) without a time zone, read as \(timeZone.identifier)"
  }

  private func some(_ count: Int, _ words: (Int) -> String) -> String? { count > 0 ? words(count) : nil }
}
