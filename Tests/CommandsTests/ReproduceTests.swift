import DeliverySimulation
import Foundation
import MisterMetricsCore
import Platform
import SyncSimulation
import TestSupport
import Testing

@testable import Commands

@Suite("reproduce")
struct ReproduceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ file: String, _ change: (inout ReproduceCommand.Request) -> Void = { _ in }) async -> (
    output: String, complaints: String, code: ExitCode
  ) {
    var request = ReproduceCommand.Request(path: folder.path(file))
    change(&request)
    let (output, complaints) = (Recorder<String>(), Recorder<String>())
    let console = Console(write: { output.append($0) }, writeError: { complaints.append($0) })
    let code = await ReproduceCommand(request, folder: folder.url.path, console: console).run()
    return (output.all.joined(), complaints.all.joined(separator: "\n"), code)
  }

  /// Writes what an app would have recorded of a scenario.
  private func record(_ name: String, as file: String) async throws {
    let simulation = try Simulation(try ScenarioLibrary.scenario(name))
    while simulation.step() {}
    let store = try MetricFileStore(file: folder.url.appendingPathComponent(file))
    let own = ["simulation", "fault"]
    try await store.append(simulation.takeEntries().filter { !own.contains($0.metric.name) })
  }

  @Test func `An app's file becomes a scenario that another program plays to the same`() async throws {
    try await record("rate-limit-storm", as: "app.jsonl")
    let (output, complaints, code) = await run("app.jsonl") { $0.window = 86_400 }
    #expect(code == .success && complaints == "68 decisions, all as recorded")
    let scenario = try Scenario(json5: Data(output.utf8))
    let transitions = try scenario.transitions()
    #expect(transitions == (try ScenarioLibrary.scenario("rate-limit-storm").expected))
    _ = try folder.write(output, to: "found.json5")
    var request = SimulateCommand.Request(scenario: folder.path("found.json5"))
    (request.change, request.isDiff) = ("without 429", true)
    let printed = Recorder<String>()
    let console = Console(write: { printed.append($0) }, writeError: { _ in })
    #expect(await SimulateCommand(request, console: console).run() == .success)
    #expect(printed.all.joined().contains("--- the branches part here"))
  }

  @Test func `It is written as a test of the window, and never over another file`() async throws {
    try await record("poison-item", as: "app.jsonl")
    let (output, _, code) = await run("app.jsonl") { ($0.output, $0.window) = ("Poison", 120) }
    #expect(output == "Wrote Poison.json5 and PoisonTests.swift\n" && code == .success)
    let text = try String(contentsOfFile: folder.path("Poison.json5"), encoding: .utf8)
    let scenario = try Scenario(json5: Data(text.utf8))
    #expect(!scenario.expected.isEmpty && scenario.expectedFrom > .zero)
    #expect(try scenario.differences() == [])
    #expect(try String(contentsOfFile: folder.path("PoisonTests.swift"), encoding: .utf8).contains("Poison"))
    let again = await run("app.jsonl") { $0.output = "Poison" }
    #expect(again.code == .failed && again.output.isEmpty)
    #expect(
      again.complaints.hasSuffix("mistertop reproduce: no test was written: Poison.json5: already exists"))
  }

  @Test func `Where one of both files is there already, neither is written and no link is removed`()
    async throws
  {
    try await record("poison-item", as: "app.jsonl")
    let taken = try folder.write("mine", to: "LostTests.swift")
    #expect(symlink("target.json5", folder.path("Lost.json5")) == 0)
    let refused = await run("app.jsonl") { $0.output = "Lost" }
    #expect(refused.code == .failed && refused.complaints.hasSuffix("LostTests.swift: already exists"))
    #expect(
      try Posix.names(in: folder.url.path).filter { !$0.hasPrefix(".") }.sorted() == [
        "Lost.json5", "LostTests.swift", "app.jsonl",
      ])
    #expect(try String(contentsOfFile: taken, encoding: .utf8) == "mine")
    try Posix.remove(taken)
    #expect(await run("app.jsonl") { $0.output = "Lost" }.code == .success)
    #expect(Posix.target(ofLink: folder.path("Lost.json5")) == "target.json5")
    #expect(Posix.status(ofName: folder.path("target.json5"))?.kind == .regular)
  }

  @Test func `A delivery client's file becomes a scenario that simulate plays, beside a sync engine's`()
    async throws
  {
    let store = try MetricFileStore(file: folder.url.appendingPathComponent("app.jsonl"))
    let own = ["simulation", "fault", "configuration"]
    let outage = DeliverySimulation(try ScenarioLibrary.deliveryScenario("come-back-later"))
    while outage.step() {}
    try await store.append(outage.takeEntries().filter { !own.contains($0.metric.name) })
    let (output, complaints, code) = await run("app.jsonl") { $0.window = 86_400 }
    #expect(code == .success && complaints.hasSuffix(" decisions, all as recorded"))
    _ = try folder.write(output, to: "found.json5")
    var request = SimulateCommand.Request(scenario: folder.path("found.json5"))
    (request.change, request.isDiff) = ("without 429", true)
    let printed = Recorder<String>()
    let console = Console(write: { printed.append($0) }, writeError: { _ in })
    #expect(await SimulateCommand(request, console: console).run() == .success)
    #expect(printed.all.joined().contains("--- the branches part here"))
    // Beside the record of a sync engine it is asked for.
    try await record("poison-item", as: "app.jsonl")
    let other = await run("app.jsonl") { $0.window = 86_400 }
    #expect(other.output.contains("settled: true"))
    let same = await run("app.jsonl") { ($0.window, $0.isDelivery, $0.output) = (86_400, true, "Later") }
    #expect(same.output == "Wrote Later.json5 and LaterTests.swift\n" && same.code == .success)
  }

  @Test func `Where the scenario decides something else, no test is written that would pass`() async throws {
    let store = try MetricFileStore(file: folder.url.appendingPathComponent("app.jsonl"))
    let full = DeliverySimulation(try ScenarioLibrary.deliveryScenario("full-disk"))
    while full.step() {}
    let own = ["simulation", "fault"]
    try await store.append(full.takeEntries().filter { !own.contains($0.metric.name) })
    let (output, complaints, code) = await run("app.jsonl") { ($0.window, $0.output) = (86_400, "Other") }
    #expect(code == .failed && output.isEmpty && complaints.hasSuffix("; no test was written"))
    #expect(try Posix.names(in: folder.url.path).filter { !$0.hasPrefix(".") } == ["app.jsonl"])
  }

  @Test func `A client's file that begins in the middle is refused with the reason`() async throws {
    let simulation = DeliverySimulation(try ScenarioLibrary.deliveryScenario("tunnel"))
    while simulation.step() {}
    let store = try MetricFileStore(file: folder.url.appendingPathComponent("app.jsonl"))
    try await store.append(Array(simulation.takeEntries().dropFirst(40)))
    let refused = await run("app.jsonl")
    #expect(refused.code == .failed && refused.output.isEmpty)
    #expect(
      refused.complaints
        == "mistertop reproduce: the record holds no start of a delivery client with an empty disk, where a scenario could begin"
    )
  }

  @Test func `A file without an engine, and one that is none, are told`() async throws {
    _ = try folder.write("no metrics\n\u{1B}[31m\n", to: "other.jsonl")
    let other = await run("other.jsonl")
    #expect(other.code == .failed && other.output.isEmpty)
    #expect(
      other.complaints.hasSuffix("other.jsonl holds no record of a sync engine or of a delivery client"))
    try await record("healthy-day", as: "app.jsonl")
    let early = await run("app.jsonl") { $0.end = Timestamp(0) }
    #expect(early.complaints == "mistertop reproduce: no decision of a sync engine was recorded in that time")
    #expect(await run("missing.jsonl").complaints.hasSuffix("missing.jsonl: no such file"))
    #expect(await run("").complaints.hasSuffix(": is a folder, not a file"))
    try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
    #expect(await run("pipe").complaints.hasSuffix("pipe: is not a regular file"))
  }
}
