import Foundation
import Platform
import TestSupport
import Testing

@testable import Commands
@testable import PayloadsScreen

@Suite("A gate on payloads")
struct CheckTests {
  private let gate: CheckFixture
  private var fixture: ImportFixture { gate.fixture }

  init() throws { gate = try CheckFixture() }

  @Test(
    "a wrong condition is told with its place",
    arguments: [
      ("launch p95", 11, "expected a comparison: slower, faster, higher, lower, < or >"),
      ("launch p99 slower", 8, "p99 is not known, only p50 and p95 are"),
      ("slower than 2.4.0", 1, "expected the name of a figure before it"),
      ("launch slower than", 15, "expected than and a version, file or state"),
      ("launch slower 2.4.0", 15, "expected than and a version, file or state"),
      (
        "crash rate > lots", 14,
        "expected a number with a unit, such as 5 or 5/1000d (per 1,000 device-days), or 0.2/h"
      ),
      ("memory > lots", 10, "expected a number with a unit, such as 300MB or 1.5s"),
      ("new panic signature", 5, "expected one of cpu, crash, disk, hang, launch, memory"),
      (
        "new crsh signature", 5, "expected one of cpu, crash, disk, hang, launch, memory; did you mean crash?"
      ),
      ("new crash", 10, "expected signature, as in new crash signature"),
      ("new crash sign", 11, "expected signature, as in new crash signature"),
      ("new crash signature 2.4.0", 21, "expected than and a version, file or state"),
      ("crash higher", 7, "expected crash rate; did you mean crash rate higher?"),
      (
        "launch slwer", 13,
        "expected a comparison: slower, faster, higher, lower, < or >; did you mean slower?"
      ),
      ("launch slower then 2.4.0", 15, "expected than and a version, file or state; did you mean than?"),
      (
        "crash rate > 5MB", 14,
        "expected a number with a unit, such as 5 or 5/1000d (per 1,000 device-days), or 0.2/h"
      ),
    ])
  func wrong(_ text: String, place: Int, message: String) {
    #expect(throws: PayloadCondition.Problem(place: place, text: message)) { try PayloadCondition(text) }
  }

  @Test("what is worse fails the check, what is not passes it, in one sentence each")
  func release() async throws {
    try await gate.release(days: 60)
    #expect(
      await gate.check(
        "launch p95 slower than 2.3.0", "launch faster", "peak memory higher", "memory p95 > 300MB",
        "memory p95 > 100MB", "crash rate higher", "new crash signature", "new hang signature") == .failed)
    let words = fixture.text.split(separator: "\n").suffix(8).map { $0.prefix { $0 != " " } }
    #expect(words == ["FAIL", "ok", "ok", "ok", "FAIL", "FAIL", "FAIL", "ok"])
    #expect(
      fixture.text.contains("first draw: p95 ")
        && fixture.text.contains("new crash: SIGSEGV in Cart, 20 of 24, 333 ("))
    #expect(await gate.check("launch faster", "peak memory > 300MB") == .success)
  }

  @Test("what cannot be answered is neither")
  func unanswered() async throws {
    try await gate.release(days: 2, crashes: 1)
    #expect(await gate.check("launch slower") == .unanswered)
    #expect(await gate.check("launch slower", options: ["--allow-few"]) == .success)
    #expect(await gate.check("launch slower than 9.9") == .unanswered)
    #expect(
      fixture.text.contains(
        "no payload is of version 9.9, nor of such a file or state; there are 2.4.0, 2.3.0"))
    #expect(await gate.check("resume slower", "gpuMetrics.cumulativeGPUTime > 3s") == .unanswered)
    #expect(fixture.text.contains("?     resume slower: resume of 2.4.0: no values"))
    #expect(await gate.check("lanch slower") == .wrongUsage)
    #expect(fixture.text.contains("no figure is named lanch; nearest: launch"))
  }

  @Test("rates are those of a kind, of each family, or of the families that mention a module")
  func rates() async throws {
    try await gate.release()
    #expect(await gate.check("crash rate in Shop higher", "crash rate in Shop > 100") == .success)
    #expect(await gate.check("crash rate in cart higher than 2.3.0") == .failed)
    #expect(fixture.text.contains("20 in 60 device-days, 333 (204 to 515) per 1,000 of 2.4.0, 0 in 60"))
    #expect(await gate.check("crash signature rate > 200/1000d") == .failed)
    #expect(fixture.text.contains("SIGSEGV in Cart: 20 in 60 device-days"))
    #expect(
      await gate.check("crash signature rate > 400", "crash rate > 3/h", "crash rate > 0.5/d") == .success)
    #expect(await gate.check("hang signature rate higher") == .success)
  }

  @Test("only the payloads that a query chooses count, and a field that payloads do not have is named")
  func chosen() async throws {
    try await gate.release()
    #expect(await gate.check("launch slower", options: ["--where", "device = iPhone12,1"]) == .failed)
    #expect(fixture.text.contains("(n 480) of 2.4.0"))
    #expect(await gate.check("launch slower", options: ["--where", "device = iPad*"]) == .unanswered)
    #expect(await gate.check("launch slower", options: ["--where", "colour = red"]) == .wrongUsage)
    let problem = "payloads have no field colour: the fields are version, build, device"
    #expect(fixture.problems.joined().contains(problem))
  }

  @Test("another file is compared with, and an opened one by its name")
  func files() async throws {
    let before = (0..<60).map { gate.day($0, version: "2.4.0", launch: 1_000) }
    try fixture.write(before.map { $0.replacing("\n", with: "") + "\n" }.joined(), to: "base.ndjson")
    try await gate.release()
    let base = ["--against", fixture.folder.path("base.ndjson")]
    #expect(await gate.check("launch slower", options: base) == .failed)
    #expect(fixture.text.contains("of 2.4.0 of base.ndjson, +"))
    #expect(await gate.check("memory higher", options: base) == .success)
    let none = ["--against", fixture.folder.path("none.json")]
    #expect(await gate.check("launch slower", options: none) == .unanswered)
    #expect(await gate.check("launch slower than 1.0", options: base) == .unanswered)
    #expect(fixture.text.contains("no payload of base.ndjson is of version 1.0; there are 2.4.0"))
  }

  @Test("the formats of build servers", arguments: CheckReport.Format.allCases)
  func formats(format: CheckReport.Format) async throws {
    try await gate.release(days: 5)
    #expect(await gate.check("memory > 100MB", options: ["--format", format.rawValue]) == .failed)
    let beginnings: [CheckReport.Format: String] = [
      .text: "FAIL  memory > 100MB: peak memory of 2.4.0 is ",
      .json: #"{"answers":[{"condition":"memory > 100MB","result":"holds","#,
      .junit:
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"mistertop check\" tests=\"1\" failures=\"1\"",
      .github: "::error title=mistertop check::memory > 100MB: ",
      .markdown: "| | condition | compared |\n|---|---|---|\n| FAIL | memory > 100MB | ",
    ]
    #expect(fixture.output.all.last?.hasPrefix(beginnings[format] ?? "?") == true)
  }
}
