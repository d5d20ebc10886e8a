import Codecs
import Foundation
import History
import MisterMetricsCore
import PayloadsScreen
import Platform
import TelemetryCore
import TerminalUI
import TestSupport
import Testing

@testable import Commands

@Suite("--dsym")
struct SymbolCommandTests {
  private let fixture: SymbolFixture
  private let importing: ImportFixture

  init() throws {
    (fixture, importing) = (try SymbolFixture(), try ImportFixture())
  }

  private func run(_ options: SymbolOptions) async throws -> ExitCode {
    var request = ImportCommand.Request(
      paths: [importing.folder.path("in")], store: importing.store, timeZone: .current)
    request.symbols = options
    return await ImportCommand(request, console: importing.console, lockFolder: "", workers: 2).run()
  }

  private func functions() async throws -> [[String?]] {
    try await importing.entries().filter { $0.metric.name == "crashDiagnostics.callStackTree" }
      .map { try $0.decode(PayloadDiagnostic.self).callStacks.frames.map(\.function) }
  }

  @Test("import records the functions, and lists the builds whose symbols are missing")
  func recorded() async throws {
    try importing.write(SymbolFixture.crash(day: 28), to: "in/a.json")
    try importing.write(SymbolFixture.crash(day: 29), to: "in/b.json")
    #expect(try await run(fixture.options(fixture.symbolizer())) == .success)
    #expect(try await functions() == Array(repeating: ["f0x4010", "f0x4020", nil], count: 2))
    #expect(importing.text.contains("  no symbols UIKitCore \(SymbolFixture.other): 2 crashes\n"))
    let frame = try await importing.entries().first { $0.metric.name == "crashDiagnostics.callStackTree" }
      .map { try $0.decode(PayloadDiagnostic.self).callStacks.frames[1] }
    #expect(frame?.symbols == [.init(function: "f0x4020", file: "/src/Cart.swift", line: 12)])
    // The fast reader reads a record as the decoder does.
    for entry in try await importing.entries() where entry.metric.name == "crashDiagnostics.callStackTree" {
      #expect(PayloadDiagnostic(json: Array(entry.value)) == (try entry.decode(PayloadDiagnostic.self)))
    }
  }

  @Test("without the option nothing is named, and nothing is said of symbols")
  func without() async throws {
    try importing.write(SymbolFixture.crash(), to: "in/a.json")
    #expect(try await run(SymbolOptions()) == .success)
    #expect(try await functions() == [[nil, nil, nil]])
    #expect(!importing.text.contains("symbols"))
  }

  @Test(
    "a symbolizer that does not answer as it should is named, and the payloads are recorded without functions",
    arguments: [
      ("exit 1", "llvm-symbolizer: ended before it had answered"),
      ("echo nonsense; cat >/dev/null", "llvm-symbolizer: is not llvm-symbolizer 13 or later"),
    ])
  func failing(body: String, problem: String) async throws {
    try importing.write(SymbolFixture.crash(), to: "in/a.json")
    let symbolizer = try fixture.symbolizer(body)
    #expect(try await run(fixture.options(symbolizer)) == .failed)
    #expect(importing.complaints.all == ["mistertop import: \(fixture.folder.path(problem))"])
    #expect(try await functions() == [[nil, nil, nil]])
  }

  @Test("the error of a file is in the symbolizer's own words, without its control characters")
  func refusal() async throws {
    try importing.write(SymbolFixture.crash(), to: "in/a.json")
    let answer = #"{"Error":{"Message":"no\u001b[31m such file"}}"#
    let symbolizer = try fixture.symbolizer("while read -r line; do echo '\(answer)'; done")
    #expect(try await run(fixture.options(symbolizer)) == .failed)
    #expect(importing.complaints.all.count == 1)
    #expect(importing.complaints.all.allSatisfy { !$0.contains("\u{1B}") && $0.contains("such file") })
  }

  @Test("without a symbolizer, that is said with what to do")
  func noSymbolizer() async throws {
    try importing.write(SymbolFixture.crash(), to: "in/a.json")
    var options = fixture.options(nil)
    options.programFolders = [fixture.folder.path("bin"), "."]
    #expect(try await run(options) == .failed)
    #expect(importing.problems.first?.contains("llvm-symbolizer was not found: install it") == true)
  }

  @Test("a symbolizer of a version is found, in absolute folders alone")
  func search() throws {
    var options = fixture.options(nil)
    try fixture.write("#!/bin/sh\n".utf8, to: "bin/llvm-symbolizer-14")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: fixture.folder.path("bin/llvm-symbolizer-14"))
    options.programFolders = ["bin", fixture.folder.path("none"), fixture.folder.path("bin")]
    #expect(options.symbolizerPath == fixture.folder.path("bin/llvm-symbolizer-14"))
    options.programFolders = ["", "."]
    #expect(options.symbolizerPath == nil)
  }

  @Test("export adds the functions of a store that was imported without, in lines that are read as before")
  func exporting() async throws {
    try importing.write(SymbolFixture.crash(), to: "in/a.json")
    #expect(try await run(SymbolOptions()) == .success)
    var request = ExportCommand.Request(paths: [importing.store])
    request.format = .jsonl
    request.symbols = try fixture.options(fixture.symbolizer())
    let output = Recorder<String>()
    let console = Console(write: { output.append($0) }, writeError: { output.append("error \($0)") })
    #expect(
      ExportCommand(request, console: console, temporaryFolder: fixture.folder.url.path).run() == .success)
    let before = try await importing.entries()
    let path = try importing.write(output.all.joined(), to: "again.jsonl")
    let after = try await importing.entries(path)
    #expect(before.map(\.metric) == after.map(\.metric))
    #expect(before.map(\.timestamp) == after.map(\.timestamp))
    let diagnostics = after.filter { $0.metric.name == "crashDiagnostics.callStackTree" }
    #expect(
      try diagnostics.map { try $0.decode(PayloadDiagnostic.self).callStacks.frames.map(\.function) }
        == [["f0x4010", "f0x4020", nil]])
    #expect(zip(before, after).filter { $0 != $1 }.count == 1)
  }

  @Test("frames of CSV have the functions of a store that was imported without")
  func frames() async throws {
    try importing.write(SymbolFixture.crash(), to: "in/a.json")
    #expect(try await run(SymbolOptions()) == .success)
    var request = ExportCommand.Request(paths: [importing.store])
    request.format = .csv
    request.symbols = try fixture.options(fixture.symbolizer())
    let output = Recorder<String>()
    let console = Console(write: { output.append($0) }, writeError: { output.append("error \($0)") })
    #expect(
      ExportCommand(request, console: console, temporaryFolder: fixture.folder.url.path).run() == .success)
    #expect(output.all.joined().contains(",frame.0.1,App f0x4020 +33 \(SymbolFixture.uuid),"))
  }

  @Test("doctor lists the builds whose symbols are missing")
  func doctor() async throws {
    let path = try importing.write(SymbolFixture.crash(), to: "a.json")
    let doctor = DoctorCommand(
      console: importing.console, symbols: try fixture.options(fixture.symbolizer()))
    #expect(doctor.run(paths: [path]) == .success)
    #expect(importing.text.hasSuffix("  no symbols 1\n    UIKitCore \(SymbolFixture.other): 1 crash\n"))
  }

  @Test("check tells crashes apart by function where there are symbols")
  @MainActor
  func checking() async throws {
    let crashes = (10...29).map { SymbolFixture.crash(day: $0) }
    try importing.write(crashes.joined(separator: "\n"), to: "in/a.json")
    #expect(try await run(SymbolOptions()) == .success)
    var request = CheckCommand.Request(
      paths: [importing.store], conditions: [try PayloadCondition("crash rate > 900/1000d")])
    request.symbols = try fixture.options(fixture.symbolizer())
    let archive = await CheckPayloads.load(
      request.paths, request.symbols.makeSymbolicator(), in: try context()
    ).archive
    let found = try #require(archive.diagnostics.first.flatMap { PayloadDiagnostic(json: $0.json) })
    #expect(found.callStacks.frames.map(\.function) == ["f0x4010", "f0x4020", nil])
    // Crashes alone have no days to count on.
    #expect(await CheckCommand.run(request, in: try context()) == .unanswered)
  }

  @MainActor
  private func context() throws -> CommandContext {
    CommandContext(
      console: importing.console,
      environment: ProcessEnvironment(variables: [:], now: Timestamp(60), exists: { _ in true }),
      host: NoTerminal(calls: Recorder<String>()))
  }

  @Test(
    "a folder or a symbolizer that does not exist is refused",
    arguments: [["--dsym=/nowhere"], ["--symbolizer=/nowhere/llvm-symbolizer"]])
  func missing(words: [String]) {
    #expect(throws: UsageError.self) {
      try CommandLineParser(
        environment: ProcessEnvironment(variables: [:], now: Timestamp(0), exists: { _ in false })
      ).parse(["import", "a.json"] + words)
    }
  }
}
