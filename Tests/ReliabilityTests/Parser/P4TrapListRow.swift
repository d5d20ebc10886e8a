import DashboardCore
import Foundation
import FuzzChecks
import Platform
import TerminalUI
import TestSupport
import Testing

@testable import Commands

extension FaultMatrix {
  /// Numbers that trap in Swift when they are converted, stepped over or printed: each as a value, as a time stamp,
  /// or both.
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
          let console = Console(write: { _ in }, writeError: { _ in })
          run.tally.expected += 1
          for format in ["table", "json", "csv"] {
            var request = StatsCommand.Request(paths: [path])
            request.format = StatsFormat(rawValue: format) ?? .table
            request.includesFields = true
            _ = await StatsCommand(request).run(console: console)
          }
          _ = DoctorCommand(console: console).run(paths: [path])
          run.tally.got += 1
        }
        run.add(rounds: 1)
      }
      for value in Self.extremes { try await Self.show(value, in: folder, &run) }
      for value in Self.extremes { try Self.ask(for: value, &run) }
      run.note =
        "\(Self.extremes.count) values at \(Self.extremes.count + 1) times, through stats and doctor;"
        + " each as value, time and limit of a picture; as moment, age and option of a command line"
    }
  }

  /// Draws the dashboard with the number as a value, as a time, and as the limit of a metric.
  private static func show(_ value: String, in folder: TemporaryFolder, _ run: inout MatrixRun) async throws {
    let texts = [file(value, "816918481.5"), file("1", value)]
    for (index, text) in texts.enumerated() {
      let path = try folder.write(text, to: "picture-\(index).jsonl")
      for form in [SnapshotCommand.Form.text, .ansi, .svg] {
        var view = ViewOptions()
        view.limits = LimitSet(["n0": Double(value) ?? 0, "n1": 0])
        let request = SnapshotCommand.Request(
          paths: [path], size: Size(width: 120, height: 36), form: form, view: view)
        let words = Recorder<String>()
        let console = Console(write: { words.append($0) }, writeError: { _ in })
        let code = Snapshot(request, now: { Timestamp(816_918_490) }).run(console: console)
        run.tally.expected += 1
        run.tally.got += code == .success && words.all.joined().contains("n0") ? 1 : 0
        run.add(rounds: 1)
      }
    }
  }

  /// Asks for the number wherever a command line takes one: an invocation within its limits comes out, or a message.
  private static func ask(for value: String, _ run: inout MatrixRun) throws {
    let numbers = ["", "-", "--"].flatMap { sign in ["", "s", "m", "h", "d", "w"].map { sign + value + $0 } }
    let options = [
      "stats\n--since\n", "stats\n--until=", "stats\n--threads\n", "optimize\n--keep\n", "demo\n--seed\n",
      "snapshot\n--limit\na=", "snapshot\n--limit=", "snapshot\n--size\n80x", "record\na\nb\n",
    ]
    for number in numbers {
      let inputs = [(FuzzCheck.times, number)] + options.map { (FuzzCheck.arguments, $0 + number) }
      for (check, input) in inputs {
        run.tally.expected += 1
        let complaint = Array(input.utf8).withUnsafeBytes { check.complaint(about: $0) }
        if let complaint {
          run.tally.bad += 1
          Issue.record("\(complaint)")
        } else {
          run.tally.got += 1
        }
      }
    }
    run.add(rounds: 1)
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
