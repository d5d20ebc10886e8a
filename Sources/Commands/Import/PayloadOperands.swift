import Foundation
import JSONLines
import Platform
import TerminalUI

/// Which operands of a command line hold payloads, and which are metrics files.
///
/// A file is told by how it begins. What ends with `.json` and is neither is taken for a broken file of payloads, so that
/// the person hears what is wrong with it. A folder holds payloads if a file in it does, and no
/// `.jsonl` of its own that is followed as metrics files are.
package struct PayloadOperands: Sendable, Equatable {
  /// So deep folders in folders are looked into.
  private static let depthLimit = 3

  /// Files and folders of payloads, in the order they were given.
  package private(set) var payloads: [String] = []
  /// All others, in theirs.
  package private(set) var metrics: [String] = []

  /// Looks at what the operands name; nothing is read to its end.
  package init(_ paths: [String]) {
    let kinds = paths.map { path -> PayloadRecognition.Kind in
      guard path != "-", let status = Posix.status(at: path) else { return .metrics }
      switch status.kind {
      case .directory: return Self.holdsPayloads(path, depth: 0) ? .payloads : .metrics
      case .regular: return Self.kind(of: path)
      default: return .metrics
      }
    }
    let hasPayloads = kinds.contains(.payloads)
    for (path, kind) in zip(paths, kinds) {
      let isPayload = kind == .payloads || (kind == .other && (hasPayloads || Self.isBroken(path)))
      if isPayload { payloads.append(path) } else { metrics.append(path) }
    }
  }

  /// Why a command that reads metrics files does not read these, and what the person can do; nil if it reads all.
  package var advice: String? {
    guard let first = payloads.first else { return nil }
    let name = SafeText.sanitized(first)
    return "\(name) holds payloads of MetricKit; record them first, with: "
      + "mistertop import \(name) --store metrics.jsonl"
  }

  private static func kind(of path: String) -> PayloadRecognition.Kind {
    guard let kind = try? PayloadRecognition.kind(ofFile: path).kind else { return .metrics }
    guard kind == .other else { return kind }
    let name = path.lowercased()
    return name.hasSuffix(".json") || name.hasSuffix(".json.gz") ? .other : .metrics
  }

  /// Whether nobody can mean a metrics file by it, which may still be empty.
  private static func isBroken(_ path: String) -> Bool {
    (try? PayloadRecognition.kind(ofFile: path).head).map { !MetricLines.mayBegin(store: $0) } ?? false
  }

  private static func holdsPayloads(_ folder: String, depth: Int) -> Bool {
    let files = PosixFileSystem()
    let names = ((try? files.names(in: folder)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
    let paths = names.map { folder + "/" + $0 }
    func kind(_ path: String) -> PayloadRecognition.Kind? {
      guard (try? files.status(ofPath: path))?.kind == .regular else { return nil }
      return try? PayloadRecognition.kind(ofFile: path).kind
    }
    // Of a folder itself, not of those in it, such files are followed.
    if depth == 0, paths.contains(where: { $0.hasSuffix(".jsonl") && kind($0) == .metrics }) { return false }
    let isFound = paths.contains { path in
      PayloadFinder.endings.contains { path.lowercased().hasSuffix($0) } && kind(path) == .payloads
    }
    guard !isFound, depth < depthLimit else { return isFound }
    return paths.contains { path in
      (try? files.status(ofPath: path))?.kind == .directory && holdsPayloads(path, depth: depth + 1)
    }
  }
}
