import Aggregation
import DashboardCore
import Essentials
import History
import JSONLines
import Platform
import TerminalUI

/// The operands of a command line, divided into payload files and metrics files.
///
/// A file is recognized by its first bytes. One with the extension `.json` that is neither kind counts as a broken
/// payload file beside files that are payloads, so that the user learns what is wrong with it; alone it may be another
/// program's, such as the results of a load test. A folder counts as payloads if one of its files does, unless it
/// directly contains a `.jsonl` metrics file.
package struct PayloadOperands: Sendable, Equatable {
  /// Maximum depth of nested folders searched.
  private static let depthLimit = 3
  /// Maximum files examined in a folder and its subfolders: the first ones show whether it has payloads.
  private static let fileLimit = 2_000

  /// Files and folders of payloads, in the order given.
  package private(set) var payloads: [String] = []
  /// All other operands, in the order given.
  package private(set) var metrics: [String] = []

  /// Classifies the operands; reads only the heads of files.
  package init(_ paths: [String]) {
    let kinds = paths.map { path -> PayloadDetection.Kind in
      guard path != "-", let status = Posix.status(at: path) else { return .metrics }
      switch status.kind {
      case .directory:
        var left = Self.fileLimit
        return Self.holdsPayloads(path, depth: 0, &left) ? .payloads : .metrics
      case .regular: return Self.kind(of: path)
      default: return .metrics
      }
    }
    let hasPayloads = kinds.contains(.payloads)
    for (path, kind) in zip(paths, kinds) {
      let isPayload = kind == .payloads || (kind == .other && hasPayloads)
      if isPayload { payloads.append(path) } else { metrics.append(path) }
    }
  }

  /// The first of two payload files as A, the second as B; `nil` for other operands, and for files of one name.
  var comparedFiles: ComparedSides? {
    guard payloads.count == 2, metrics.isEmpty,
      payloads.allSatisfy({ Posix.status(at: $0)?.kind == .regular })
    else { return nil }
    let names = payloads.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    guard names[0] != names[1] else { return nil }
    var sides = ComparedSides()
    let side = { (name: String) in
      HistogramChoice.label(dimension: PayloadArchive.fileDimension, value: .value(name))
    }
    (sides.a, sides.b) = (side(names[0]), side(names[1]))
    return sides
  }

  /// An explanation that a command for metrics files cannot read payloads, with advice; `nil` if there are none.
  package var advice: String? {
    guard let first = payloads.first else { return nil }
    let name = SafeText.sanitized(first)
    return "\(name) contains MetricKit payloads; import them first with: "
      + "mistertop import \(name) --store metrics.jsonl"
  }

  /// The exit code of a command for metrics files that was given payloads; `nil` if it was not.
  static func refusal(of paths: [String], by command: any Command.Type, _ console: Console) -> ExitCode? {
    guard let advice = PayloadOperands(paths).advice else { return nil }
    console.writeError("\(command.title): \(advice)")
    return .failed
  }

  private static func kind(of path: String) -> PayloadDetection.Kind {
    guard let kind = try? PayloadDetection.kind(ofFile: path).kind else { return .metrics }
    guard kind == .other else { return kind }
    let name = path.lowercased()
    return name.hasByteSuffix(".json") || name.hasByteSuffix(".json.gz") ? .other : .metrics
  }

  /// - Parameter left: The number of files and folders that may still be examined.
  private static func holdsPayloads(_ folder: String, depth: Int, _ left: inout Int) -> Bool {
    left -= 1
    let files = PosixFileSystem()
    let names = ((try? files.names(in: folder)) ?? []).filter { !$0.hasBytePrefix(".") }.sortedByBytes()
    let paths = names.map { folder + "/" + $0 }
    func kind(_ path: String) -> PayloadDetection.Kind? {
      guard left > 0 else { return nil }
      left -= 1
      guard (try? files.status(ofPath: path))?.kind == .regular else { return nil }
      return try? PayloadDetection.kind(ofFile: path).kind
    }
    // Metrics files are followed only directly in a folder, not in its subfolders.
    if depth == 0, paths.contains(where: { $0.hasByteSuffix(".jsonl") && kind($0) == .metrics }) {
      return false
    }
    let isFound = paths.contains { path in
      PayloadFinder.endings.contains { path.lowercased().hasByteSuffix($0) } && kind(path) == .payloads
    }
    guard !isFound, depth < depthLimit else { return isFound }
    for path in paths where left > 0 {
      if (try? files.status(ofPath: path))?.kind == .directory, holdsPayloads(path, depth: depth + 1, &left) {
        return true
      }
    }
    return false
  }
}
