import Foundation
import JSONLines
import TerminalUI

/// Which operands of a command line hold payloads, and which are metrics files.
///
/// A file is told by how it begins. What ends with `.json` and is neither is taken for a broken file of payloads, so that
/// the person hears what is wrong with it. A folder holds payloads if a file in it does and none is a metrics file.
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
      guard path != "-", let status = try? PosixFileSystem().status(ofPath: path) else { return .metrics }
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
    var folders: [String] = []
    var found = false
    for name in names {
      let path = folder + "/" + name
      let mayHold = PayloadFinder.endings.contains { name.lowercased().hasSuffix($0) }
      guard let kind = (try? files.status(ofPath: path))?.kind else { continue }
      if kind == .directory { folders.append(path) }
      guard kind == .regular, mayHold, let kind = try? PayloadRecognition.kind(ofFile: path).kind else {
        continue
      }
      // Metrics files are followed in a folder itself, not in those inside of it.
      if kind == .metrics, depth == 0 { return false }
      found = found || kind == .payloads
      if found, depth > 0 { return true }
    }
    guard !found, depth < depthLimit else { return found }
    return folders.contains { holdsPayloads($0, depth: depth + 1) }
  }
}
