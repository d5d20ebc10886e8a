import Aggregation
import Codecs
import DashboardCore
import History
import PayloadsScreen
import QueryLanguage
import Symbolication
import TelemetryCore
import TerminalUI

/// The payloads of some files, as `mistertop check` reads them.
struct CheckPayloads {
  /// `nil` if there are none, which has been reported.
  var archive: PayloadArchive?
  /// False if a file could not be read, which has been reported.
  var isWhole = true

  /// - Parameter symbols: Names the functions in call stacks.
  @MainActor
  static func load(
    _ paths: [String], _ symbols: Symbolicator?, in context: CommandContext
  ) async -> CheckPayloads {
    var loaded = await load(paths, in: context)
    if let symbols {
      for place in loaded.archive?.diagnostics.indices ?? 0..<0 {
        loaded.archive?.diagnostics[place].replaceJSON { kind, json in
          PayloadDiagnostic.symbolicated(json, of: kind, by: symbols).map(Array.init)
        }
      }
    }
    return loaded
  }

  @MainActor
  private static func load(_ paths: [String], in context: CommandContext) async -> CheckPayloads {
    let operands = PayloadOperands(paths)
    guard !operands.payloads.isEmpty else { return read(paths, named: paths, context.console) }
    var loaded = CheckPayloads(archive: nil, isWhole: false)
    _ = await PayloadSession(operands: operands, context: context).open { stores, outcome in
      for problem in outcome.problems { context.console.writeError("\(CheckCommand.title): \(problem)") }
      loaded = read(stores, named: paths, context.console)
      loaded.isWhole = loaded.isWhole && outcome.problems.isEmpty
      return .success
    }
    return loaded
  }

  /// Reads metrics files.
  private static func read(_ paths: [String], named: [String], _ console: Console) -> CheckPayloads {
    let title = CheckCommand.title
    let maintainer = IndexMaintainer(paths: paths, cache: nil)
    _ = maintainer.refresh()
    for problem in maintainer.problems { console.writeError("\(title): \(SafeText.sanitized(problem))") }
    do {
      let archive = try maintainer.history.payloads()
      if !archive.payloads.isEmpty || !archive.diagnostics.isEmpty {
        return CheckPayloads(archive: archive, isWhole: maintainer.problems.isEmpty)
      }
      console.writeError("\(title): no payloads in \(SafeText.sanitized(named.joined(separator: ", ")))")
    } catch {
      console.writeError("\(title): \(FileErrorFormatter.problem(error))")
    }
    return CheckPayloads(archive: nil, isWhole: false)
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
