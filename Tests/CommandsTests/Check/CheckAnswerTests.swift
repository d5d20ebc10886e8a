import Foundation
import TestSupport
import Testing

@testable import Commands

@Suite("What a gate on payloads says")
struct CheckAnswerTests {
  private let gate: CheckFixture
  private var fixture: ImportFixture { gate.fixture }

  init() throws { gate = try CheckFixture() }

  private func write(_ lines: [String], to name: String) throws {
    try fixture.write(lines.map { $0.replacing("\n", with: "") + "\n" }.joined(), to: name)
  }

  /// Launches of about 1.4 s, memory of about 205 MB, and 10.8 minutes of use a day.
  @Test(
    "a limit has the unit that the figure is shown in, or its own, and is told as understood",
    arguments: [
      ("launch > 1300", ExitCode.failed, "limit 1.30s"), ("launch > 1500", .success, "limit 1.50s"),
      ("launch > 1.3s", .failed, "limit 1.30s"), ("launch > 1300ms", .failed, "limit 1.30s"),
      ("launch > 0.1min", .success, "limit 6.00s"), ("memory > 200", .failed, "limit 200MB"),
      ("memory > 400", .success, "limit 400MB"), ("memory > 0.2GB", .failed, "limit 200MB"),
      ("memory > 200MiB", .success, "limit 210MB"),
      ("time in the foreground > 600", .failed, "limit 600s/d"),
      ("time in the foreground > 600s/d", .failed, "limit 600s/d"),
      ("time in the foreground > 1h", .success, "limit 3600s/d"),
      ("crash rate > 5", .failed, "limit 5.0 per 1,000 device-days"),
      ("crash rate > 3/h", .success, "limit 3.00k per 1,000 foreground hours"),
    ])
  func limits(condition: String, code: ExitCode, limit: String) async throws {
    try await gate.release()
    #expect(await gate.check(condition) == code)
    #expect(fixture.text.contains(limit), "\(fixture.text)")
  }

  @Test(
    "a unit of another kind is told with its place and what fits",
    arguments: [
      (
        "memory > 300s",
        "at character 10: s is not a unit of peak memory, only B, kB, MB, GB, KiB, MiB or GiB"
      ),
      ("launch > 700MB", "at character 10: MB is not a unit of launch to first draw, only ms, s, min or h"),
      ("launch p95 > 2/h", "at character 14: /h is not a unit of launch to first draw, only ms, s, min or h"),
    ])
  func foreignUnits(condition: String, sentence: String) async throws {
    try await gate.release()
    #expect(await gate.check(condition) == .wrongUsage)
    #expect(
      fixture.text.contains(sentence) && fixture.problems.joined().contains(sentence), "\(fixture.text)")
  }

  @Test(
    "what could not be read is told in every format, and is no failure where that is allowed",
    arguments: CheckReport.Format.allCases)
  func unreadable(format: CheckReport.Format) async throws {
    try await gate.release(days: 6)
    try fixture.write("{\"timeStampBegin\":", to: "in/cut.json")
    try fixture.write("", to: "in/empty.json")
    let (paths, options) = ([fixture.folder.path("in")], ["--format", format.rawValue])
    #expect(await gate.check("memory > 900MB", paths: paths, options: options) == .unanswered)
    let told = fixture.output.all.last ?? ""
    let marks: [CheckReport.Format: String] = [
      .text: "\n?     unreadable: ", .json: "\"exitCode\":3,\"unreadable\":[",
      .junit: "tests=\"2\" failures=\"0\" errors=\"1\"",
      .github: "\n::warning title=mistertop check::unreadable: ", .markdown: "\n| ? | unreadable | ",
    ]
    #expect(told.contains(marks[format] ?? "none") && told.contains("cut.json"), "\(told)")
    let allowing = options + ["--allow-unreadable"]
    #expect(await gate.check("memory > 900MB", paths: paths, options: allowing) == .success)
    #expect(fixture.output.all.last?.contains("cut.json") == true)
    #expect(await gate.check("memory > 100MB", paths: paths, options: allowing) == .failed)
    #expect(
      await gate.check("memory > 900MB", paths: paths, options: options + ["--allow-few"]) == .unanswered)
  }

  @Test("files that do not exist are told so, in the answers too")
  func missing() async throws {
    let path = fixture.folder.path("nofile")
    #expect(
      await gate.check("crash rate higher", paths: [path], options: ["--format", "json"]) == .unanswered)
    #expect(fixture.problems == ["mistertop check: nofile: no such file"])
    #expect(
      fixture.text.contains("\"result\":\"unknown\",\"sentence\":\"none of these files could be read\""))
  }

  @Test("files of other kinds in a folder are counted")
  func otherKinds() async throws {
    try await gate.release(days: 6)
    try fixture.write("x", to: "in/README.txt")
    try fixture.write("x", to: "in/upload")
    #expect(await gate.check("memory > 900MB", paths: [fixture.folder.path("in")]) == .success)
    #expect(fixture.problems.joined().contains("skipped 2 files of other kinds"))
  }

  @Test("payloads of both sides are counted and not compared")
  func overlap() async throws {
    try await gate.release()
    let options = ["--against", fixture.store, "--allow-few"]
    for condition in [
      "launch slower", "new crash signature", "crash rate higher", "crash rate in Cart higher",
    ] {
      #expect(await gate.check(condition, options: options) == .unanswered, "\(condition)")
    }
    #expect(
      fixture.text.contains(
        "60 of 60 payloads of 2.4.0 of store.jsonl are among those of 2.4.0, too: nothing is compared"))
    #expect(await gate.check("memory > 100MB", options: options) == .failed)
    // The same payloads under another name.
    try FileManager.default.copyItem(
      atPath: fixture.folder.path("in/all.ndjson"), toPath: fixture.folder.path("copy.ndjson"))
    let copy = ["--against", fixture.folder.path("copy.ndjson")]
    #expect(await gate.check("launch slower than 2.4.0", options: copy) == .unanswered)
    #expect(fixture.text.contains("60 of 60 payloads of 2.4.0 of copy.ndjson are among those of 2.4.0, too"))
  }

  @Test("a version or a choice without payloads is told with those there are")
  func nothingChosen() async throws {
    try await gate.release(days: 6)
    #expect(await gate.check("memory > 1MB", options: ["--version-of-app", "2.3.5"]) == .unanswered)
    #expect(fixture.text.contains("memory > 1MB: no payload is of version 2.3.5; there are 2.4.0, 2.3.0\n"))
    #expect(await gate.check("memory > 1MB", options: ["--where", "device = iPad*"]) == .unanswered)
    #expect(fixture.text.contains("memory > 1MB: no payload matches device = iPad*\n"))
    #expect(await gate.check("memory higher", options: ["--version-of-app", "2.3.0"]) == .unanswered)
    #expect(fixture.text.contains("memory higher: there is no version before 2.3.0\n"))
  }

  @Test("a name that no crash mentions, and too few device-days, are no answer")
  func silence() async throws {
    try await gate.release()
    #expect(await gate.check("crash rate in Crat higher") == .unanswered)
    #expect(fixture.text.contains("no crash of these payloads mentions Crat; did you mean Cart?"))
    #expect(await gate.check("crash rate in Crat higher", options: ["--allow-few"]) == .success)
    try FileManager.default.removeItem(atPath: fixture.store)
    try await gate.release(days: 3, crashes: 0)
    for condition in [
      "new crash signature", "crash rate > 5", "crash signature rate higher", "memory > 900MB",
    ] {
      #expect(await gate.check(condition) == .unanswered, "\(condition)")
      #expect(await gate.check(condition, options: ["--allow-few"]) == .success, "\(condition)")
    }
    #expect(fixture.text.contains("new hang signature") == false)
    #expect(fixture.text.contains("too few device-days: 3 of 2.4.0, 3 of 2.3.0"))
  }

  @Test("a day that does not tell its use leaves the rates per hour, as an estimate")
  func hours() async throws {
    var lines = (0..<20).map {
      gate.day($0, version: "2.4.0", launch: 1_000, foreground: $0 == 3 ? "-5 sec" : nil)
    }
    lines += (0..<6).map { gate.crash($0, version: "2.4.0", signal: 6, program: "Shop") }
    try write(lines, to: "in/all.ndjson")
    #expect(await fixture.run("in") == .success)
    #expect(await gate.check("crash rate > 0.2/h") == .failed)
    #expect(fixture.text.contains("foreground hours (estimated from 19 of 20 days), "), "\(fixture.text)")
    let none = (0..<20).map {
      gate.day($0, version: "2.4.0", launch: 1_000, foreground: $0 > 3 ? "-5 sec" : nil)
    }
    try write(none, to: "other/all.ndjson")
    #expect(await gate.check("crash rate > 0.2/h", paths: [fixture.folder.path("other")]) == .unanswered)
    #expect(fixture.text.contains("4 of 20 days tell their foreground time"), "\(fixture.text)")
  }

  @Test("what is within chance is told so, and from how many users reports come")
  func chance() async throws {
    var lines = (0..<40).map { gate.day($0, version: "2.3.0", launch: 1_000) }
    lines += (0..<40).map { gate.day($0, version: "2.4.0", launch: 1_000) }
    lines += (0..<8).map { gate.crash($0 / 2, version: "2.4.0", signal: 6 + $0, program: "Shop") }
    lines += (0..<6).map { gate.crash($0, version: "2.3.0", signal: 6, program: "Shop") }
    try write(lines, to: "in/all.ndjson")
    #expect(await fixture.run("in") == .success)
    #expect(await gate.check("crash rate higher", "new crash signature than 2.3.0") == .success)
    #expect(fixture.text.contains("8 from 4 users in 40 device-days"), "\(fixture.text)")
    #expect(fixture.text.contains("+33%; within chance\n"), "\(fixture.text)")
  }

  @Test("the change of one group is in the measure of its sentence")
  func groupMeasure() async throws {
    // Launches of one model have a long tail, which moves the mean more than the middle.
    let lines = (0..<120).flatMap { number in
      ["2.3.0", "2.4.0"].map { version in
        let isSlow = version == "2.4.0" && number % 2 == 1
        return gate.day(number, version: version, launch: isSlow ? 1_500 + (number % 10) * 400 : 1_000)
      }
    }
    try write(lines, to: "in/all.ndjson")
    #expect(await fixture.run("in") == .success)
    let only = ["--where", "device = iPhone13,1"]
    for condition in ["launch slower", "launch p95 slower"] {
      #expect(await gate.check(condition) == .failed)
      let whole = fixture.output.all.last ?? ""
      #expect(await gate.check(condition, options: only) == .failed)
      let group = fixture.output.all.last ?? ""
      let change = group.split(separator: ", ").last.map { $0.prefix { $0 != "\n" && $0 != ";" } } ?? "none"
      #expect(whole.contains("; only iPhone13,1 (1 of 2), \(change)"), "\(whole) \(group)")
    }
  }
}
