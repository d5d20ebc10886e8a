import Foundation
import JSONLines
import Platform
import TerminalUI
import TestSupport
import Testing

@testable import Commands

/// Inputs of the kinds that were seen to fail: forms of time, and one time that was never set.
@Suite("Times in other programs' files")
struct FieldTimeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("all five forms are read, and the first and last time are right")
  func forms() async throws {
    let times = [
      "2026-11-26 07:51:35 +0000", "2026-11-26 07:51:35 UTC", "2026-11-26T07:51:35.894+01:00[Europe/Berlin]",
      "26/Nov/2026:07:51:35 +0000", "2026-11-26T07:51:35.894UTC",
    ]
    let text = times.enumerated().map { index, time in
      #"{"level":"info","message":"x","timestamp":"\#(time)","n":\#(index)}"# + "\n"
    }.joined()
    let path = try folder.write(text, to: "app.log")
    var request = StatsCommand.Request(paths: [path])
    (request.format, request.includesFields) = (.json, true)
    let (out, err) = (Recorder<String>(), Recorder<String>())
    let code = await StatsCommand(request).run(
      console: Console(write: { out.append($0) }, writeError: { err.append($0) }))
    #expect(code == .success && !err.all.joined().contains("rejected"), "\(err.all)")
    let rows = try #require(
      try JSONSerialization.jsonObject(with: Data(out.all.joined().utf8)) as? [[String: Any]])
    let row = try #require(rows.first { ($0["name"] as? String)?.hasSuffix("n") == true })
    #expect(row["count"] as? Int == 5 && row["min"] as? Double == 0 && row["max"] as? Double == 4)
    #expect(row["first"] as? Double == 817_368_695.894 && row["last"] as? Double == 817_372_295.894)
  }

  @Test("one zero time does not stretch History; it says where it lies")
  func zeroTime() throws {
    let text = (0..<20).map { index in
      let time = index == 10 ? "0001-01-01T00:00:00Z" : "2026-11-26T13:33:\(20 + index).000Z"
      return #"{"level":"info","ts":"\#(time)","msg":"a","ms":\#(index)}"# + "\n"
    }.joined()
    let path = try folder.write(text, to: "app.log")
    var request = SnapshotCommand.Request(
      paths: [path], size: Size(width: 140, height: 36), form: .text, view: ViewOptions())
    request.screen = "history"
    let lines = Recorder<String>()
    let console = Console(write: { lines.append($0) }, writeError: { lines.append($0) })
    let now = Timestamp(817_392_800 + 3600)
    #expect(Snapshot(request, now: { now }).run(console: console) == .success)
    let shown = lines.all.joined()
    #expect(shown.contains("far away: t 0001-01-01") && shown.contains(":33:2"), "\(shown)")
    #expect(!shown.contains("2025.9y") && !shown.contains("2026y"))
  }
}
