import Essentials
import Symbolication
import TelemetryCore
import TerminalUI

/// The findings in one payload file.
struct PayloadFindings {
  /// Maximum payloads, notes and errors listed per file.
  private static let limit = 20

  let reading: PayloadReading
  let bytes: Int
  /// The reason why the end of the file is missing.
  let problem: String?
  /// The builds whose symbols are missing; `nil` if none were asked for.
  private let missing: [MissingSymbols.Module]?

  /// - Parameter symbols: The symbols that the call stacks should find.
  init(_ found: PayloadBytes, symbols: Symbolicator?) {
    var reader = PayloadReader()
    reading = reader.read(found.bytes)
    bytes = found.bytes.count
    problem = found.problem?.description
    for item in reading.items where symbols != nil {
      let source = RecordedSource(name: "", contentHash: item.contentHash)
      for entry in item.payload.entries(at: .distantPast, source: source) {
        _ = symbols.map { entry.symbolicated(by: $0) }
      }
    }
    missing = symbols?.missing.modules
  }

  /// True if everything could be read.
  var isSound: Bool { reading.errors.isEmpty && problem == nil }

  /// The findings as text that is safe to print on a terminal.
  func text(of path: String) -> String {
    let path = SafeText.sanitized(path)
    var text = "\(path): \(Plural.count(reading.items.count, "payload")), \(bytes) bytes\n"
    for item in reading.items.prefix(Self.limit) { text += PayloadReport(item).text }
    text += more(reading.items.count)
    let duplicates = reading.duplicates.map(\.description)
    if !duplicates.isEmpty { text += Self.list("repeated", duplicates, none: "") }
    text += Self.list(
      "odd", reading.notes.map { "\($0.place): \($0.text)" }, none: "nothing", omitted: reading.omitted)
    let errors =
      reading.errors.map { "\(path): \($0.place): \($0.text)" } + (problem.map { ["\(path): \($0)"] } ?? [])
    text += Self.list("errors", errors, none: "none")
    return text + (missing.map { Self.list("no symbols", $0.lines, none: "nothing") } ?? "")
  }

  private func more(_ count: Int) -> String {
    count > Self.limit ? "  and \(count - Self.limit) more payloads\n" : ""
  }

  private static func list(_ name: String, _ lines: [String], none: String, omitted: Int = 0) -> String {
    var text = "  " + name + String(repeating: " ", count: max(1, 10 - name.count))
    guard !lines.isEmpty else { return text + none + "\n" }
    let all = lines.count + omitted
    text += "\(all)\n"
    for line in lines.prefix(limit) { text += "    " + PayloadReport.safe(line, 200) + "\n" }
    return all > limit ? text + "    and \(all - min(lines.count, limit)) more\n" : text
  }
}
