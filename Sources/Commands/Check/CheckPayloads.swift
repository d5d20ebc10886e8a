import Aggregation
import Codecs
import DashboardCore
import Essentials
import History
import PayloadsScreen
import Platform
import QueryLanguage
import Symbolication
import TelemetryCore
import TerminalUI

/// The payloads of some files, as `mistertop check` reads them.
struct CheckPayloads {
  var archive = PayloadArchive()
  /// The files and parts of files that could not be read, which have been reported.
  var problems: [String] = []

  var isEmpty: Bool { archive.payloads.isEmpty && archive.diagnostics.isEmpty }

  /// The reason why there are no payloads.
  func lack(in paths: [String]) -> String {
    problems.isEmpty ? "no payloads in \(paths.joined(separator: ", "))" : "none of these files could be read"
  }

  /// - Parameter symbols: Names the functions in call stacks.
  @MainActor
  static func load(
    _ paths: [String], _ symbols: Symbolicator?, in context: CommandContext
  ) async -> CheckPayloads {
    var loaded = await load(paths, in: context)
    guard let symbols else { return loaded }
    for place in loaded.archive.diagnostics.indices {
      loaded.archive.diagnostics[place].replaceJSON { kind, json in
        PayloadDiagnostic.symbolicated(json, of: kind, by: symbols).map(Array.init)
      }
    }
    return loaded
  }

  @MainActor
  private static func load(_ paths: [String], in context: CommandContext) async -> CheckPayloads {
    var loaded = CheckPayloads()
    let missing = paths.filter { path in
      path != "-" && Posix.status(at: path) == nil
    }
    let found = paths.filter { !missing.contains($0) }
    for path in missing {
      loaded.note("\(path): \(FileErrorFormatter.problem(POSIXError(.ENOENT)))", context)
    }
    let operands = PayloadOperands(found)
    guard !operands.payloads.isEmpty else {
      if !found.isEmpty { loaded.read(found, context) }
      return loaded
    }
    var isOpened = false
    // The session itself reports a problem with all of it.
    _ = await PayloadSession(operands: operands, context: context).open { stores, outcome in
      isOpened = true
      for problem in outcome.problems { loaded.note(problem, context) }
      if let note = outcome.skippedNote { context.console.writeError("\(CheckCommand.title): \(note)") }
      loaded.read(stores, context)
      return .success
    }
    if !isOpened { loaded.problems += operands.payloads.map { "\($0): no payload could be read" } }
    return loaded
  }

  private mutating func note(_ problem: String, _ context: CommandContext) {
    problems.append(problem)
    context.console.writeError("\(CheckCommand.title): \(SafeText.sanitized(problem))")
  }

  /// Reads metrics files.
  private mutating func read(_ paths: [String], _ context: CommandContext) {
    let maintainer = IndexMaintainer(paths: paths, cache: nil)
    _ = maintainer.refresh()
    for problem in maintainer.problems { note(problem, context) }
    do {
      archive = try maintainer.history.payloads()
    } catch {
      note(FileErrorFormatter.problem(error), context)
    }
    if isEmpty, problems.isEmpty {
      context.console.writeError("\(CheckCommand.title): \(SafeText.sanitized(lack(in: paths)))")
    }
  }

  /// The reason why a query cannot choose payloads; `nil` if it can.
  static func problem(_ query: Query, in archive: PayloadArchive) -> String? {
    let usual = ["version", "build", "device", "os", "region", "testFlight", "lowPower", "user", "file"]
    let names = usual + archive.dimensions.map(\.name).filter { !usual.contains($0) }
    if let field = query.fields.first(where: { !names.contains($0) }) {
      return "--where: payloads have no field \(field): the fields are \(names.joined(separator: ", "))"
    }
    return query.needsFields ? nil : "--where: expected a field of payloads, such as device = iPhone12,1"
  }
}

/// A payload as a query sees it: its dimensions are the fields.
struct PayloadSample: QuerySample {
  let payload: PayloadArchive.Payload

  var name: String { PayloadArchive.bucket }

  func field(_ name: String) -> QueryValue? {
    guard case .value(let text) = payload.value(in: name) else { return nil }
    switch text {
    case "true": return .bool(true)
    case "false": return .bool(false)
    default: return .text(text)
    }
  }
}
