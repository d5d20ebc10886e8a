import Foundation
import TerminalUI
import Testing

/// Widths come from libc, which counts by the locale: set once, whatever the environment says.
private let isUTF8 = TextLocale.adoptUTF8()

/// Makes sure that the process counts columns in UTF-8.
func adoptUTF8() { _ = isUTF8 }

/// Compares a picture with the recorded one of this name.
///
/// With `RECORD_SNAPSHOTS=1` the picture is written instead and the test fails, so that a recording never passes.
func expectGolden(_ picture: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws
{
  let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Snapshots")
  let file = folder.appendingPathComponent(name + ".txt")
  if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
    try Data(picture.utf8).write(to: file)
    Issue.record("recorded \(name)", sourceLocation: sourceLocation)
    return
  }
  let recorded = try #require(
    (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) },
    "no recording of \(name): run with RECORD_SNAPSHOTS=1", sourceLocation: sourceLocation)
  guard recorded != picture else { return }
  let lines = picture.split(separator: "\n", omittingEmptySubsequences: false)
  let wanted = recorded.split(separator: "\n", omittingEmptySubsequences: false)
  for (row, pair) in zip(wanted, lines).enumerated() where pair.0 != pair.1 {
    Issue.record(
      "\(name), row \(row + 1)\n- \(pair.0)\n+ \(pair.1)", sourceLocation: sourceLocation)
  }
  #expect(lines.count == wanted.count, "\(name)", sourceLocation: sourceLocation)
}
