import DeliverySimulation
import Foundation
import MisterMetricsCore
import Platform
import Scenarios
import Sync
import SyncSimulation
import TestSupport
import Testing

@testable import Commands

@Suite("simulate")
struct SimulateTests {
  /// The command's output and exit.
  private func run(
    _ request: SimulateCommand.Request, sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in }
  ) async -> (output: String, complaints: String, code: ExitCode) {
    let output = Recorder<String>()
    let complaints = Recorder<String>()
    let console = Console(write: { output.append($0) }, writeError: { complaints.append($0) })
    let code = await SimulateCommand(request, console: console, sleep: sleep).run()
    return (output.all.joined(), complaints.all.joined(separator: "\n"), code)
  }

  private func request(_ name: String?, _ change: (inout SimulateCommand.Request) -> Void = { _ in })
    -> SimulateCommand.Request
  {
    var request = SimulateCommand.Request(scenario: name)
    change(&request)
    return request
  }

  @Test func `The list has every scenario with its story`() async throws {
    let (output, complaints, code) = await run(request(nil))
    let titles =
      try ScenarioLibrary.stories().map { "\($0.name)  \($0.title)\n" }
      + ScenarioLibrary.deliveryStories().map { "\($0.name)  \($0.title)\n" }
    for title in titles { #expect(output.contains(title)) }
    #expect(output.contains("Scenarios of the delivery client:\n"))
    #expect(
      output.split(separator: "\n").allSatisfy { $0.count <= 102 } && complaints.isEmpty && code == .success)
  }

  @Test func `A scenario prints the transitions that it says it has`() async throws {
    let (output, _, code) = await run(request("clock-jump"))
    let expected = try ScenarioLibrary.scenario("clock-jump").expected
    #expect(output.split(separator: "\n").map(String.init).dropLast() == expected[...] && code == .success)
    #expect(output.split(separator: "\n").last?.hasPrefix("In sync: nothing waits; ") == true)
    let other = await run(request("healthy-day") { $0.seed = 9 })
    #expect(
      other.output.split(separator: "\n").map(String.init)
        .dropLast() != (try ScenarioLibrary.scenario("healthy-day")).expected[...])
  }

  @Test func `It ends at a second or after so many steps`() async throws {
    let until = await run(request("clock-jump") { $0.until = 6.2 })
    #expect(until.output.split(separator: "\n").count == 8)
    #expect(until.output.contains("\nSyncing: pushing, 0 of 3 changes done"))
    let steps = await run(request("clock-jump") { $0.steps = 0 })
    #expect(steps.output.isEmpty && steps.code == .success)
  }

  @Test func `A second future is played from a second on, and the difference is said`() async throws {
    let (output, _, code) = await run(
      request("rate-limit-storm") {
        $0.change = "base 5"
        $0.branchAt = 5.5
      })
    let lines = output.split(separator: "\n").map(String.init)
    let expected = try ScenarioLibrary.scenario("rate-limit-storm").expected
    #expect(lines.first == "t1  as the scenario says" && code == .success)
    #expect(lines.dropFirst().prefix(expected.count).elementsEqual(expected.map { "t1 " + $0 }))
    #expect(lines[expected.count + 1] == "t2  base 5, from second 5.5 on")
    #expect(lines.dropFirst(expected.count + 2).dropLast().allSatisfy { $0.hasPrefix("t2 ") })
    #expect(lines.last == "backoff.base 30 s -> 5 s: t2: 3 opens more, 35 s less late")
    let unknown = await run(request("rate-limit-storm") { $0.change = "more luck" })
    #expect(
      unknown.code == .wrongUsage && unknown.complaints.contains("'more luck' is not a change it knows"))
    #expect(unknown.output.isEmpty)
  }

  @Test func `Leaving out a fault that comes later is a change, one that never comes is none`() async throws {
    let storm = await run(request("rate-limit-storm") { $0.change = "without 429" })
    #expect(storm.code == .success && storm.output.hasSuffix("\n") && storm.complaints.isEmpty)
    #expect(
      !storm.output.split(separator: "\n").contains { $0.hasPrefix("t2 ") && $0.contains("rateLimited") })
    #expect(storm.output.split(separator: "\n").last?.hasPrefix("without 429: t2: ") == true)
    let absent = await run(request("healthy-day") { $0.change = "without login page" })
    #expect(
      absent.code == .wrongUsage && absent.output.isEmpty
        && absent.complaints.contains("is not set at second 0 nor later"))
    let late = await run(
      request("clock-jump") {
        $0.change = "base 5"
        $0.branchAt = 100_000
      })
    #expect(
      late.code == .wrongUsage && late.complaints.contains("--branch-at 100000: the scenario ends at second"))
  }

  @Test func `Both branches as one list have what they share once, and a mark where they part`() async throws
  {
    let (output, _, code) = await run(
      request("rate-limit-storm") {
        $0.change = "without 429"
        $0.isDiff = true
      })
    let lines = output.split(separator: "\n").map(String.init).dropLast()
    let expected = try ScenarioLibrary.scenario("rate-limit-storm").expected
    let mark = try #require(lines.firstIndex { $0.hasPrefix("--- the branches part here") })
    #expect(code == .success && lines.filter { $0.hasPrefix("---") }.count == 1)
    let before: [String] = lines[..<mark].map { String($0.dropFirst(2)) }
    #expect(before == Array(expected[..<mark]))
    #expect("+-".contains(lines[mark + 1].first ?? " "))
    let kept: [String] = lines.filter { !$0.hasPrefix("+") && !$0.hasPrefix("---") }
    #expect(kept.map { String($0.dropFirst(2)) } == expected)
    let same = await run(
      request("healthy-day") {
        $0.change = "attempts 6"
        $0.isDiff = true
      })
    #expect(same.output.contains("\n--- both branches decide the same\n"))
  }

  @Test func `A scenario is checked against what it expects`() async throws {
    let good = await run(request("clock-jump") { $0.isCheck = true })
    #expect(good.code == .success && good.output.hasPrefix("as expected: ") && good.complaints.isEmpty)
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("mine.json5")
    var scenario = try ScenarioLibrary.scenario("clock-jump")
    scenario.expected[3] += "x"
    try Data(scenario.json5.utf8).write(to: file)
    let bad = await run(request(file.path) { $0.isCheck = true })
    #expect(bad.code == .failed && bad.output.isEmpty)
    #expect(bad.complaints.hasPrefix("mistertop simulate: not as expected: transition 4 of clock-jump\n- "))
    scenario.expected = []
    try Data(scenario.json5.utf8).write(to: file)
    #expect(await run(request(file.path) { $0.isCheck = true }).code == .failed)
  }

  @Test func `A scenario to begin with is written once, plays, and is as it expects`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("mine")
    let made = await run(request(path) { $0.isNew = true })
    #expect(made.code == .success && made.output.contains("mine.json5"))
    #expect(await run(request(path + ".json5") { $0.isCheck = true }).code == .success)
    #expect(await run(request(path) { $0.isNew = true }).code == .failed)
    #expect(await run(request(folder.path("no name!")) { $0.isNew = true }).code == .wrongUsage)
  }

  @Test(arguments: [
    ("{ name: 'a',\n  title: 'b',\n  seed: -1 }", "line 3, column 9: seed: expected a whole number"),
    ("{ name: 'a'\n  title: 'b' }", "line 2, column 3: this is not JSON5: expected a comma before 'title'"),
    (
      "{ name: 'a', title: 'b', start: '2026-11-21T08:00:00Z', duration: 9,\n  acts: [{ at: 1, do: 'sync' },\n    { at: 10, do: 'sync' }] }",
      "line 3, column 11: acts[1].at: second 10 is after the end of the scenario, 9"
    ),
    (
      "{ name: 'a', title: 'b', start: '2026-11-21T08:00:00Z', duration: 9,\n  acts: [{ at: 1, do: 'fault', fault: 'rain' }] }",
      "line 2, column 39: acts[0].fault: unknown fault 'rain'; choose one of "
    ),
  ])
  func `What is wrong in a file is told with line and column`(text: String, words: String) async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("mine.json5")
    try Data(text.utf8).write(to: file)
    let outcome = await run(request(file.path))
    #expect(
      outcome.code == .wrongUsage && outcome.complaints.contains("mine.json5: \(words)"),
      "\(outcome.complaints)")
  }

  @Test func `What is no scenario is said with its place, and is wrong usage`() async throws {
    let unknown = await run(request("rain\u{1b}[31m"))
    #expect(unknown.code == .wrongUsage && unknown.complaints.contains("unknown scenario 'rain"))
    #expect(!unknown.complaints.contains("\u{1b}") && unknown.complaints.contains("healthy-day"))
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("mine.json5")
    let missing = await run(request(file.path))
    #expect(missing.code == .wrongUsage && missing.complaints.hasSuffix("mine.json5: no such file"))
    try Data("{ name: 'a', tilte: 'b' }".utf8).write(to: file)
    let wrong = await run(request(file.path))
    #expect(
      wrong.code == .wrongUsage
        && wrong.complaints.hasSuffix("mine.json5: line 1, column 1: title: is missing"))
  }

  @Test(arguments: [
    (
      "healthy-day", true,
      "healthy-day is a scenario of the sync engine; mistertop simulate healthy-day plays it"
    ),
    (
      "healty-day", true,
      "unknown scenario 'healty-day'; did you mean healthy-day of the sync engine? "
        + "mistertop simulate healthy-day plays it"
    ),
    ("tunel", true, "unknown scenario 'tunel'; did you mean tunnel?"),
    ("tunel", false, "unknown scenario 'tunel'; did you mean tunnel?"),
    ("healty-day", false, "unknown scenario 'healty-day'; did you mean healthy-day?"),
    ("Clock-Jump", false, "unknown scenario 'Clock-Jump'; did you mean clock-jump?"),
    ("endpoint", false, "unknown scenario 'endpoint'; did you mean endpoint-outage?"),
  ])
  func `A name that is nearly right, or of the other engine, is answered with the one that is meant`(
    name: String, isDelivery: Bool, words: String
  ) async throws {
    let outcome = await run(request(name) { $0.isDelivery = isDelivery })
    #expect(outcome.code == .wrongUsage && outcome.output.isEmpty)
    #expect(outcome.complaints == "mistertop simulate: " + words)
  }

  @Test func `A name of the delivery client given for the sync engine is told as such`() {
    #expect(
      throws: ScenarioLibrary.Problem.ofOther("tunnel", meant: "tunnel", engine: "delivery client")
    ) { try ScenarioLibrary.scenario("tunnel") }
  }

  @Test func `What is no file is told as what it is, and nobody waits for it`() async throws {
    let folder = try TemporaryFolder()
    try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
    let words = [
      folder.path("pipe"): "is not a regular file", "/dev/zero": "is not a regular file",
      folder.url.path + "/": "is a folder, not a file",
    ]
    for (path, word) in words {
      let outcome = await run(request(path))
      #expect(outcome.code == .wrongUsage && outcome.complaints.hasSuffix("\(path): \(word)"))
    }
  }

  @Test func `A file of one's own is played, and the record is the same at any speed`() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("mine.json5")
    let text = """
      { name: "mine", title: "t", story: "s", start: "2026-11-21T08:00:00Z", duration: 30,
        server: [{ kind: "event", count: 3 }], acts: [{ at: 1, do: "sync" }, { at: 9, do: "sync" }] }
      """
    try Data(text.utf8).write(to: file)
    var written: [Data] = []
    for speed in [nil, 1, 60] as [Double?] {
      let output = folder.url.appendingPathComponent("out-\(speed ?? 0).jsonl")
      let slept = Recorder<Duration>()
      let outcome = await run(
        request(file.path) {
          $0.output = output.path
          $0.speed = speed
        }, sleep: { slept.append($0) })
      #expect(outcome.code == .success && outcome.output.isEmpty && outcome.complaints.isEmpty)
      let sum = slept.all.reduce(Duration.zero, +)
      #expect(sum >= .seconds(9.1) / (speed ?? .infinity) * 0.99)
      written.append(try Data(contentsOf: output))
    }
    #expect(Set(written).count == 1)
    let entries = try await MetricFileStore(file: folder.url.appendingPathComponent("out-1.0.jsonl"))
      .retrieveAll(from: .distantPast, until: .distantFuture)
    let start = try ScenarioLibrary.scenario(file.path).start
    #expect(entries.allSatisfy { (start...start.addingTimeInterval(30)).contains($0.timestamp) })
    let names = Set(entries.map(\.metric.name))
    #expect(
      names.isSuperset(of: ["transition", "run", "configuration", "simulation", "breaker", "FullSync"]))
    let again = await run(
      request(file.path) { $0.output = folder.url.appendingPathComponent("out-1.0.jsonl").path })
    #expect(again.code == .failed && again.complaints.hasSuffix("already exists; name another file"))
    // Nothing is left beside it but the locks of the files that a store has written.
    let left = try Posix.names(in: folder.url.path).filter { $0.hasPrefix(".") && !$0.hasSuffix(".lock") }
    #expect(left.isEmpty)
  }

  @Test func `What cannot be played leaves no file, at any speed`() async throws {
    let folder = try TemporaryFolder()
    for speed in [nil, 60] as [Double?] {
      let outcome = await run(
        request("rate-limit-storm") {
          ($0.output, $0.speed, $0.change) = (folder.path("out.jsonl"), speed, "rain")
        })
      #expect(outcome.code == .wrongUsage)
      #expect(try Posix.names(in: folder.url.path).isEmpty)
    }
    let lost = await run(request("clock-jump") { $0.output = folder.path("none/out.jsonl") })
    #expect(lost.code == .failed && lost.complaints.hasSuffix("none/out.jsonl: No such file or directory"))
  }

  @Test func `Of two files of one name the second is refused, and the first is whole`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("out.jsonl")
    async let one = run(request("clock-jump") { $0.output = path })
    async let other = run(request("clock-jump") { $0.output = path })
    let codes = await [one.code, other.code]
    #expect(codes.contains(.success))
    let alone = folder.path("alone.jsonl")
    #expect(await run(request("clock-jump") { $0.output = alone }).code == .success)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(contentsOf: URL(fileURLWithPath: alone)))
  }

  @Test func `A scenario that came out differently fails without --check, too`() async throws {
    let folder = try TemporaryFolder()
    var scenario = try ScenarioLibrary.scenario("clock-jump")
    scenario.expected[3] += "x"
    let path = try folder.write(scenario.json5, to: "mine.json5")
    let outcome = await run(request(path))
    #expect(outcome.code == .failed && outcome.output.contains("In sync"))
    #expect(outcome.complaints.hasPrefix("mistertop simulate: not as expected: transition 4 of clock-jump\n"))
    #expect(await run(request(path) { $0.seed = 9 }).code == .success)
  }

  // MARK: - The delivery client

  private func delivery(_ name: String?, _ change: (inout SimulateCommand.Request) -> Void = { _ in })
    -> SimulateCommand.Request
  {
    request(name) {
      $0.isDelivery = true
      change(&$0)
    }
  }

  @Test func `The list of the delivery client has its scenarios alone`() async throws {
    let (output, complaints, code) = await run(delivery(nil))
    for scenario in try ScenarioLibrary.deliveryStories() {
      #expect(output.contains("\(scenario.name)  \(scenario.title)\n"))
    }
    #expect(!output.contains("healthy-day") && complaints.isEmpty && code == .success)
  }

  @Test(arguments: Scenarios.deliveryStories.map(\.name))
  func `A scenario of the delivery client prints the decisions that it says it has`(name: String) async throws
  {
    let (output, complaints, code) = await run(delivery(name))
    let expected = try ScenarioLibrary.deliveryScenario(name).expected
    let lines: [String] = output.split(separator: "\n").map(String.init)
    #expect(lines == expected)
    #expect(complaints.isEmpty && code == .success)
  }

  @Test func `Where the client decides something else, the first difference is named and it fails`()
    async throws
  {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("mine.json5")
    func outcome(_ expected: String) async throws -> (output: String, complaints: String, code: ExitCode) {
      let text = """
        { name: "mine", title: "t", start: "2026-11-21T08:00:00Z", duration: 20, expectedFrom: 1,
          acts: [{ at: 1, do: "track" }, { at: 2, do: "flush" }], \(expected) }
        """
      try Data(text.utf8).write(to: file)
      return await run(delivery(file.path))
    }
    let lines = [
      "      1.000  app       track", "      2.000  app       flush",
      "      2.080  batch 1   1 event from disk: 200", "      2.080  disk      1 -> 0",
      "     20.000  endpoint  1 event",
    ]
    let wanted = lines.map { "\"\($0)\"" }.joined(separator: ", ")
    #expect(try await outcome("expected: [\(wanted)]").code == .success)
    #expect(try await outcome("").code == .success)
    let other = wanted.replacingOccurrences(of: "disk: 200", with: "disk: 503\\u001b[31m")
    let differing = try await outcome("expected: [\(other)]")
    #expect(differing.code == .failed && differing.output.hasSuffix("1 event\n"))
    #expect(
      differing.complaints.hasPrefix("mistertop simulate: not as expected: line 3 of mine\n- ")
        && differing.complaints.hasSuffix("\n+ " + lines[2]))
    #expect(!differing.complaints.contains("\u{1b}"))
    let missing = try await outcome("expected: [\(wanted), \"more\"]")
    #expect(missing.code == .failed && missing.complaints.hasSuffix("- more\n+ nothing more"))
    // Nothing is expected of a part, or of another seed.
    for change: (inout SimulateCommand.Request) -> Void in [
      { $0.until = 1.5 }, { $0.steps = 2 }, { $0.seed = 9 },
    ] {
      #expect(await run(delivery(file.path, change)).code == .success)
    }
  }

  @Test func `A record of the delivery client is the same at any speed, and judged as well`() async throws {
    let folder = try TemporaryFolder()
    var written: [Data] = []
    for speed in [nil, 1, 60] as [Double?] {
      let output = folder.url.appendingPathComponent("out-\(speed ?? 0).jsonl")
      let outcome = await run(
        delivery("endpoint-outage") {
          $0.output = output.path
          $0.speed = speed
        })
      #expect(outcome.code == .success && outcome.output.isEmpty && outcome.complaints.isEmpty)
      written.append(try Data(contentsOf: output))
    }
    #expect(Set(written).count == 1)
    let names = Set(
      try await MetricFileStore(file: folder.url.appendingPathComponent("out-1.0.jsonl"))
        .retrieveAll(from: .distantPast, until: .distantFuture).map(\.metric.name))
    #expect(
      names.isSuperset(of: ["batch", "queue", "breaker", "lifecycle", "act", "fault", "simulation"]))
  }

  @Test func `A name finds a scenario of either engine, and names are of one engine alone`() async throws {
    let named = await run(request("tunnel"))
    let same = await run(delivery("tunnel"))
    #expect(named.code == .success && named.output == same.output)
    let names = (Scenarios.stories + Scenarios.deliveryStories).map(\.name)
    #expect(Set(names).count == names.count)
    let unknown = await run(request("rain"))
    for name in names { #expect(unknown.complaints.contains(name)) }
  }

  @Test func `Two branches of the delivery client are compared, and a change that is none is refused`()
    async throws
  {
    let outage = try ScenarioLibrary.deliveryScenario("endpoint-outage")
    let (output, complaints, code) = await run(
      request("endpoint-outage") { ($0.change, $0.branchAt) = ("breaker.base 60", 5) })
    let lines = output.split(separator: "\n").map(String.init)
    #expect(code == .success && complaints.isEmpty && lines.first == "t1  as the scenario says")
    // The last line of what is expected is not of the record.
    let first = lines.dropFirst().prefix { $0.hasPrefix("t1 ") }
    #expect(first.elementsEqual(outage.expected.dropLast().map { "t1 " + $0 }))
    #expect(
      lines.last
        == "breaker.base 10 s -> 60 s: t2: 2 opens fewer, 9.1 s more late, queue peak 205 -> 219")
    let whole = await run(
      request("endpoint-outage") { ($0.change, $0.isDiff) = ("without server error", true) })
    #expect(whole.code == .success && whole.output.contains("--- the branches part here: - t1, + t2\n"))
    #expect(whole.output.split(separator: "\n").last?.hasPrefix("without server error: t2: ") == true)
    let unknown = await run(request("tunnel") { $0.change = "more luck" })
    #expect(
      unknown.code == .wrongUsage && unknown.complaints.contains("'more luck' is not a change it knows"))
    let absent = await run(request("tunnel") { $0.change = "without disk full" })
    #expect(absent.complaints.contains("is not set at second 0 nor later"))
  }

  @Test func `A scenario of the delivery client to begin with is as it expects, and is written once`()
    async throws
  {
    let folder = try TemporaryFolder()
    let made = await run(delivery(folder.path("mine")) { $0.isNew = true })
    #expect(made.code == .success && made.output.contains("mine.json5"))
    let checked = await run(request(folder.path("mine.json5")) { $0.isCheck = true })
    #expect(checked.code == .success && checked.output.hasSuffix(" decisions\n"))
    let again = await run(delivery(folder.path("mine")) { $0.isNew = true })
    #expect(
      again.code == .failed && again.complaints.hasSuffix("mine.json5: already exists; name another file"))
  }

  @Test func `A file that says it is of the delivery client is told its own mistakes alone`() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("{\n  engine: 'delivery', name: 'a',\n}", to: "mine.json5")
    let wrong = await run(request(path))
    #expect(
      wrong.code == .wrongUsage
        && wrong.complaints.hasSuffix("mine.json5: line 1, column 1: title: is missing"))
  }

  @Test func `An unknown scenario of the delivery client is refused with those that there are`() async throws
  {
    let unknown = await run(delivery("rain"))
    #expect(unknown.code == .wrongUsage)
    #expect(
      unknown.complaints.hasPrefix("mistertop simulate: unknown scenario 'rain'; choose one of "))
    for file in Scenarios.deliveryStories { #expect(unknown.complaints.contains(file.name)) }
  }
}
