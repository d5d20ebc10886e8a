import Foundation
import TestSupport
import Testing

@testable import History

@Suite("Exports of odd samples")
struct ExportFuzzTests {
  private static let pieces = [
    "a", "Z", "9", "_", ":", ".", " ", ",", "=", "\"", "\\", "\n", "\r", "\t", "#", "{", "}", "/", "\u{0}",
    "\u{7f}", "\u{9b}", "ü", "\u{202e}", "名", "👩‍👩‍👧", "\u{feff}", "e\u{301}",
  ]

  private var generator = SeededGenerator(seed: 21)

  private mutating func text() -> String {
    (0..<Int.random(in: 0...4, using: &generator)).map { _ in
      Self.pieces.randomElement(using: &generator) ?? ""
    }.joined()
  }

  private mutating func value(deep: Bool = true) -> String {
    switch Int.random(in: 0...(deep ? 8 : 6), using: &generator) {
    case 0: return "null"
    case 1: return Bool.random(using: &generator) ? "true" : "false"
    case 2: return ExportRun.quoted(text())
    case 3: return "\(Int64.random(in: .min ... .max, using: &generator))"
    case 4: return "18446744073709551615"
    case 5: return "\(Double.random(in: -1e3...1e3, using: &generator))"
    case 6: return "1e\(Int.random(in: -330...308, using: &generator))"
    case 7: return "[\(value(deep: false))]"
    default:
      let fields = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
        "\(ExportRun.quoted(text())):\(value(deep: Bool.random(using: &generator)))"
      }
      return "{\(fields.joined(separator: ","))}"
    }
  }

  private mutating func lines(_ count: Int) -> String {
    let types = ["Double", "Int", "Optional<Int>", "String", "Load", "UInt64"]
    return (0..<count).map { _ in
      let scale = ([1, 1e3, 1e9, 1e12, 1e300] as [Double]).randomElement(using: &generator) ?? 1
      return ExportRun.line(
        value(), text(), bucket: Bool.random(using: &generator) ? text() : nil,
        type: types.randomElement(using: &generator) ?? "",
        time: Double.random(in: -scale...scale, using: &generator))
    }.joined()
  }

  @Test mutating func `Whatever the names and values are, each form is what its standard says`() throws {
    let folder = try TemporaryFolder()
    for round in 0..<60 {
      let text = lines(1 + round)
      let csv = try #require(ExportCheckers.csv(try ExportRun.export(text, as: .csv)))
      #expect(csv.allSatisfy { $0.count == 7 })
      #expect(ExportCheckers.complaint(influx: try ExportRun.export(text, as: .influx)) == nil)
      let writer = OpenMetricsWriter(temporaryFolder: folder.url.path, limit: round % 2 == 0 ? 1 << 20 : 300)
      #expect(ExportCheckers.complaint(openMetrics: try ExportRun.export(text, as: writer).text) == nil)
      #expect(try ExportRun.export(text, as: .jsonl) == text)
    }
  }

  @Test func `A checker finds what is wrong`() {
    for bad in ["a\r\nb\n", "a\"b\r\n", "\"a\r\n", "a,b"] {
      #expect(ExportCheckers.csv(bad) == nil, "\(bad)")
    }
    for bad in [
      "", "# TYPE a gauge\na 1 2\n", "a 1 2\n# EOF\n", "# TYPE a gauge\na{b=\"c} 1 2\n# EOF\n",
      "# TYPE a gauge\na 1 3\na 1 2\n# EOF\n", "# TYPE a gauge\n# TYPE a gauge\n# EOF\n",
      "# TYPE a gauge\na 1 3\na{b=\"c\"} 1 3\na 1 4\n# EOF\n", "# TYPE a gauge\nb 1 2\n# EOF\n",
      "# TYPE a gauge\na x 2\n# EOF\n", "# TYPE a-b gauge\n# EOF\n",
    ] { #expect(ExportCheckers.complaint(openMetrics: bad) != nil, "\(bad)") }
    for bad in [
      "#a b=1 2\n", "a,b= c=1 2\n", "a 1 2\n", "a b=1\n", "a b=x 2\n", "a b=1 2\na b=1i 2\n", "a b=\"x 2\n",
      "a b=1 2", "a b=1e999 2\n",
    ] { #expect(ExportCheckers.complaint(influx: bad) != nil, "\(bad)") }
  }
}
