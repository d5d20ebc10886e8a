import Foundation
import TestSupport
import Testing

@testable import Commands

extension FaultMatrix {
  /// What traps in Swift when it is converted, stepped over or printed: each as a value, as a time stamp, or both.
  private static let extremes = [
    "1e300", "-1e300", "1.7976931348623157e308", "-1.7976931348623157e308", "5e-324", "-5e-324", "1e-310",
    "-0", "0",
    "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551615",
    "9007199254740993",
    "1e999", "-1e999", "NaN", "Infinity", "1e19", "-1e19", "63072000000", "-63114076800", "1e15",
  ]

  @Test func `P4: no number of a file traps anywhere between its line and the screen`() async throws {
    try await Self.row("P4") { run in
      let folder = try TemporaryFolder()
      for value in Self.extremes {
        for time in ["816918481.5"] + Self.extremes {
          let path = try folder.write(Self.file(value, time), to: "m.jsonl")
          let console = Console(write: { _ in }, complain: { _ in })
          run.tally.expected += 1
          for format in ["table", "json", "csv"] {
            var stats = Stats()
            stats.format = StatsFormat(rawValue: format) ?? .table
            stats.filter.fields = true
            _ = await stats.run(paths: [path], console: console)
          }
          _ = Doctor(console: console).run(paths: [path])
          run.tally.got += 1
        }
        run.add(rounds: 1)
      }
      run.note = "\(Self.extremes.count) values at \(Self.extremes.count + 1) times, through stats and doctor"
    }
  }

  /// Lines with the value alone, in a struct, among others, and the same key twice.
  private static func file(_ value: String, _ time: String) -> String {
    ["1", value, "{\"a\":\(value),\"a\":\(value)}", "[\(value)]", "\"\(value)\"", value].enumerated()
      .map { index, json in
        "{\"metric\":{\"name\":\"n\(index % 3)\",\"valueTypeString\":\"T\"},\"timestamp\":\(index == 0 ? "1" : time),"
          + "\"value\":\"\(Data(json.utf8).base64EncodedString())\"}\n"
      }.joined()
  }
}
