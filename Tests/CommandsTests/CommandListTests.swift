import Foundation
import Platform
import TerminalUI
import TestSupport
import Testing

@testable import Commands

@Suite("The list of commands")
struct CommandListTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/Commands")

  private static let listed = ([CommandList.standard] + CommandList.named).map { String(describing: $0) }

  /// The folder of each type that is declared as a command, by its name.
  private static func declared() throws -> [String: String] {
    let declaration = /(?:struct|enum|class|actor|extension) (\w+): [^{\n]*\bCommand\b/
    var folders: [String: String] = [:]
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
      let code = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        .filter { !$0.contains("///") }.joined(separator: "\n")
      for match in code.matches(of: declaration) {
        folders[String(match.1)] = file.deletingLastPathComponent().lastPathComponent
      }
    }
    return folders
  }

  @Test func `Every type that is a command is in the list`() throws {
    let missing = Set(try Self.declared().keys).subtracting(Self.listed).sorted()
    #expect(missing.isEmpty, "add \(missing.joined(separator: " and ")) to CommandList.named")
    #expect(Set(try Self.declared().keys) == Set(Self.listed))
    #expect(Set(Self.listed).count == Self.listed.count)
  }

  @Test func `Every command has a folder of its own, and every folder a command`() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      at: Self.folder, includingPropertiesForKeys: [.isDirectoryKey]
    ).filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
    #expect(
      try folders.map(\.lastPathComponent).sorted() == (Self.declared().values + ["Shared"]).sorted())
    for (type, folder) in try Self.declared() { #expect(type == folder + "Command") }
  }

  @Test func `Names differ, and no command is without a summary`() {
    let names = CommandList.named.map { $0.name }
    #expect(
      Set(names).count == names.count && names.allSatisfy { !$0.isEmpty } && CommandList.standard.name.isEmpty
    )
    for command in [CommandList.standard] + CommandList.named {
      #expect(command.summary.hasSuffix("."), "\(command)")
      let options = command.options.map(\.name)
      #expect(Set(options).count == options.count && !options.contains("help"), "\(command)")
      #expect(command.options.allSatisfy { !$0.help.isEmpty }, "\(command)")
    }
  }
}

/// A process without a terminal.
struct NoTerminal: CommandHost {
  let calls: Recorder<String>

  var screenLibrary: String { "6.4" }

  func startGuard(version: String, reportFolder: String, logFile: String) {
    calls.append("guard \(reportFolder) \(logFile)")
  }

  func setCleanupFolder(_ path: String) { calls.append("cleanup") }

  func openTerminal(
    environment: [String: String], note: (String) -> Void
  ) throws(TerminalUnavailable) -> HostTerminal {
    calls.append("terminal \(environment["TERM"] ?? "")")
    // The frame of redirected output is for an end-to-end test: it adopts the locale of the whole process.
    throw TerminalUnavailable(message: "no terminal", isRedirected: false)
  }
}

@Suite("From the arguments to the exit code")
@MainActor
struct CommandRunnerTests {
  private let output = Recorder<String>()
  private let errors = Recorder<String>()

  private let calls = Recorder<String>()

  private func run(_ arguments: String...) async -> ExitCode {
    let (output, errors) = (output, errors)
    let context = CommandContext(
      console: Console(write: { output.append($0) }, writeError: { errors.append($0) }),
      environment: ProcessEnvironment(
        variables: ["HOME": "/h", "TERM": "vt100", "MISTERTOP_INDEX": "off"], now: Timestamp(0),
        exists: { FileManager.default.fileExists(atPath: $0) }),
      host: NoTerminal(calls: calls))
    return await CommandRunner.run(arguments, in: context)
  }

  @Test func `Wrong usage names the command and its help`() async {
    #expect(await run("stats", "--frob") == .wrongUsage)
    #expect(await run("--frob") == .wrongUsage)
    #expect(
      errors.all == [
        "mistertop stats: unknown option '--frob'; try mistertop stats --help",
        "mistertop: unknown option '--frob'; try mistertop --help",
      ])
  }

  @Test func `Help and version are printed, and nothing else is done`() async {
    #expect(await run("--version") == .success)
    #expect(await run("demo", "--help") == .success)
    #expect(output.all.first == "mistertop \(ProgramVersion.number)\n")
    #expect(
      output.all.contains("ncurses 6.4\n") && output.all.contains("commit unknown: not built by make\n"))
    #expect(errors.all.isEmpty && calls.all.isEmpty)
  }

  @Test func `A command runs with its request`() async {
    #expect(await run("info") == .success)
    #expect(
      output.all.joined().contains("store\t/h/.local/share/mistertop/metrics.jsonl (does not exist yet)\n"))
  }

  @Test func `Without a store the dashboard offers the demo`() async {
    #expect(await run() == .failed)
    #expect(
      errors.all == [
        "mistertop: there is no metrics file at /h/.local/share/mistertop/metrics.jsonl yet; "
          + "name another, or try: mistertop demo"
      ])
    #expect(calls.all.isEmpty)
  }

  @Test func `The guard starts before the terminal opens, and an unfit terminal is an error`() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("", to: "m.jsonl")
    #expect(await run(path) == .wrongUsage)
    #expect(
      calls.all == [
        "guard /h/.local/state/mistertop /h/.local/state/mistertop/mistertop.log", "terminal vt100",
      ])
    #expect(errors.all == ["mistertop: no terminal"] && output.all.isEmpty)
  }
}
