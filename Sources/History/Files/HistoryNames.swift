import Foundation
import JSONLines
import Platform

/// A file that belongs to a history.
package struct HistoryName: Hashable, Sendable {
  /// As a person knows it.
  package let name: String
  /// What is opened.
  package let path: String
  /// Whether it is read as what comes out of it.
  var isPacked = false
}

/// Finds the files of a history: what a person named, and what it was before it was rotated.
package struct HistoryNames: Sendable {
  /// Files that were rotated are looked for up to so many.
  private static let limit = 64

  package init() {}

  /// The files of some paths: of each the rotated ones from the oldest on, then itself; of a folder all that is in it.
  package func files(of paths: [String]) -> [HistoryName] {
    var found: [HistoryName] = []
    var known: Set<HistoryName> = []
    var listings: [String: [String]] = [:]
    for path in paths where path != "-" {
      for name in files(of: path, &listings) where known.insert(name).inserted { found.append(name) }
    }
    return found
  }

  /// - Parameter listings: what is in the folders that were looked at already.
  private func files(of path: String, _ listings: inout [String: [String]]) -> [HistoryName] {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      return names.filter { $0.hasSuffix(".jsonl") }.sorted().map {
        let inside = (path as NSString).appendingPathComponent($0)
        return HistoryName(name: inside, path: inside)
      }
    }
    return siblings(of: path, &listings) + [HistoryName(name: path, path: path)]
  }

  /// What a file was before it was rotated, the oldest first.
  private func siblings(of path: String, _ listings: inout [String: [String]]) -> [HistoryName] {
    let folder = (path as NSString).deletingLastPathComponent
    let own = (path as NSString).lastPathComponent
    let names =
      listings[folder]
      ?? (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    listings[folder] = names
    let known = names.compactMap { name -> (order: RotationOrder, name: HistoryName)? in
      let plain = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
      guard RotatedName.isRotated(plain, of: own) else { return nil }
      let full = folder.isEmpty ? name : (folder as NSString).appendingPathComponent(name)
      guard let status = Posix.status(at: full), status.kind == .regular else { return nil }
      return (
        RotationOrder(modified: status.modified, name: plain),
        HistoryName(name: full, path: full, isPacked: name != plain)
      )
    }
    return known.sorted { $0.order < $1.order }.suffix(Self.limit).map(\.name)
  }
}
