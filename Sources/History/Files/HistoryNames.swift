import JSONLines
package import Platform

/// A file that belongs to a history.
package struct HistoryName: Hashable, Sendable {
  /// As a person knows it.
  package let name: String
  /// What is opened.
  package let path: String
  /// Whether it is read as what comes out of it.
  package fileprivate(set) var isPacked = false
  /// Whether it is what another of the history was before it was rotated.
  fileprivate(set) var isRotated = false

  package static func == (left: HistoryName, right: HistoryName) -> Bool {
    PathKey(left.name) == PathKey(right.name) && PathKey(left.path) == PathKey(right.path)
      && left.isPacked == right.isPacked
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(PathKey(path))
  }
}

/// Finds the files of a history: what a person named, and what it was before it was rotated.
package struct HistoryNames: Sendable {
  private let limit: Int

  /// - Parameter limit: Of the rotated files of a path so many, the youngest, are found.
  package init(limit: Int = 64) { self.limit = limit }

  /// The files of some paths: of each the rotated ones from the oldest on, then itself; of a folder all that is in it.
  ///
  /// A file that several names lead to is there once, under the first of them; a rotated one that is named too is among
  /// those of the file that it was.
  package func files(of paths: [String]) -> [HistoryName] {
    var found: [HistoryName] = []
    var known: Set<HistoryName> = []
    var identities: Set<FileIdentity> = []
    var listings: [PathKey: [String]] = [:]
    let names = Set(paths.map { PathKey($0) })
    let isRotated = { Self.base(of: $0, among: names) != PathKey($0) }
    for path in paths.filter({ !isRotated($0) }) + paths.filter(isRotated) where path != "-" {
      for name in files(of: path, &listings) where known.insert(name).inserted {
        if let identity = Posix.status(at: name.path)?.identity, !identities.insert(identity).inserted {
          continue
        }
        found.append(name)
      }
    }
    return found
  }

  /// Files by the sequence that they belong to: a file with what it was before it was rotated, in their order.
  package static func courses<File>(of files: [File], name: KeyPath<File, String>) -> [PathKey: [File]] {
    let names = Set(files.map { PathKey($0[keyPath: name]) })
    return Dictionary(grouping: files) { base(of: $0[keyPath: name], among: names) }
  }

  /// The name of the file that a rotated one was.
  private static func base(of name: String, among names: Set<PathKey>) -> PathKey {
    RotatedName.originals(of: RotatedName.unpacked(name)).lazy.map { PathKey($0) }.first(
      where: names.contains)
      ?? PathKey(name)
  }

  /// - Parameter listings: what is in the folders that were looked at already.
  private func files(of path: String, _ listings: inout [PathKey: [String]]) -> [HistoryName] {
    if Posix.status(at: path)?.kind == .directory {
      let names = (try? Posix.names(in: path)) ?? []
      return names.filter { $0.hasByteSuffix(".jsonl") }.sortedByBytes().map {
        let inside = PathParts.join(path, $0)
        return HistoryName(name: inside, path: inside)
      }
    }
    return siblings(of: path, &listings) + [HistoryName(name: path, path: path)]
  }

  /// What a file was before it was rotated, the oldest first.
  ///
  /// Of one that is there packed too, as while it is being packed, the packed one is left out.
  private func siblings(of path: String, _ listings: inout [PathKey: [String]]) -> [HistoryName] {
    let parts = PathParts(path)
    let folder = PathKey(parts.directory)
    let names = listings[folder] ?? (try? Posix.names(in: parts.directory)) ?? []
    listings[folder] = names
    let rotated = RotatedFile.beside(path, among: names)
    let plain = Set(rotated.filter { !$0.isPacked }.map { PathKey($0.name) })
    return rotated.filter { !$0.isPacked || !plain.contains(PathKey(RotatedName.unpacked($0.name))) }
      .sorted { $0.order < $1.order }.suffix(limit)
      .map { HistoryName(name: $0.path, path: $0.path, isPacked: $0.isPacked, isRotated: true) }
  }
}
