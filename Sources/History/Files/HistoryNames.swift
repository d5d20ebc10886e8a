import JSONLines
package import Platform

/// A file that belongs to a history.
package struct HistoryName: Hashable, Sendable {
  /// As a person knows it.
  package let name: String
  /// The opened path.
  package let path: String
  /// True if its unpacked content is read.
  package fileprivate(set) var isPacked = false
  /// True if it is what another of the history was before it was rotated.
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

  /// - Parameter limit: Maximum rotated files of a path that are found, the newest first; older ones only if they are named.
  package init(limit: Int = 64) { self.limit = limit }

  /// The files of some paths: of each the rotated ones from the oldest on, then itself; of a folder all that is in it.
  ///
  /// A file that several names lead to is there once, under the first of them, a link only where all are links; a rotated
  /// one that is named too is among those of the file that it was, and of one that is there packed too the packed one is
  /// left out.
  package func files(of paths: [String]) -> [HistoryName] {
    var found: [HistoryName] = []
    var known: Set<HistoryName> = []
    var identities: Set<FileIdentity> = []
    var search = Search(paths)
    for (path, rank) in search.operands {
      if rank == .rotated, known.contains(HistoryName(plain: path)) { continue }
      for name in files(of: path, rank, &search) where known.insert(name).inserted {
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
  fileprivate static func base(of name: String, among names: Set<PathKey>) -> PathKey {
    RotatedName.originals(of: RotatedName.unpacked(name)).lazy.map { PathKey($0) }.first(
      where: names.contains)
      ?? PathKey(name)
  }

  private func files(of path: String, _ rank: Search.Rank, _ search: inout Search) -> [HistoryName] {
    if Posix.status(at: path)?.kind == .directory {
      let names = (try? Posix.names(in: path)) ?? []
      return names.filter { $0.hasByteSuffix(".jsonl") }.sortedByBytes().map {
        let inside = PathParts.join(path, $0)
        return HistoryName(name: inside, path: inside)
      }
    }
    // One that is there was found with the file that it was.
    let siblings = rank == .rotated ? [] : siblings(of: path, &search)
    return siblings + [HistoryName(name: path, path: path)]
  }

  /// Earlier files of the same log, the oldest first.
  ///
  /// Of one that is there packed too, as while it is being packed, the packed one is left out.
  private func siblings(of path: String, _ search: inout Search) -> [HistoryName] {
    let rotated = RotatedFile.beside(path, among: search.names(beside: path))
    let plain = Set(rotated.filter { !$0.isPacked }.map { PathKey($0.name) })
    let files = rotated.filter {
      !$0.isPacked || !plain.contains(PathKey(RotatedName.unpacked($0.name)))
    }.sorted { $0.order < $1.order }
    return (files.dropLast(limit).filter { search.isNamed($0.path) } + files.suffix(limit))
      .map { HistoryName(name: $0.path, path: $0.path, isPacked: $0.isPacked, isRotated: true) }
  }
}

extension HistoryName {
  /// A file as it is while it is not packed.
  fileprivate init(plain path: String) {
    let plain = RotatedName.unpacked(path)
    self.init(name: plain, path: plain)
  }
}

/// The folders that are searched for the files of some paths.
private struct Search {
  /// The order in which paths are looked at: of the names of a file the first is the one that its rotated ones go by.
  enum Rank: CaseIterable {
    case own
    case link
    /// A rotated predecessor of another path.
    case rotated
  }

  /// The paths, but for standard input.
  let operands: [(path: String, rank: Rank)]
  /// As they were given, and what packed ones are unpacked.
  private let named: Set<PathKey>
  /// Contents of the folders examined already.
  private var listings: [PathKey: [String]] = [:]

  init(_ paths: [String]) {
    let names = Set(paths.map { PathKey($0) })
    let ranks = Dictionary(grouping: paths.filter { $0 != "-" }) { path -> Rank in
      if HistoryNames.base(of: path, among: names) != PathKey(path) { return .rotated }
      return Posix.status(ofName: path)?.identity == Posix.status(at: path)?.identity ? .own : .link
    }
    operands = Rank.allCases.flatMap { rank in (ranks[rank] ?? []).map { ($0, rank) } }
    named = names.union(paths.map { PathKey(RotatedName.unpacked($0)) })
  }

  /// True if a person named a file, or the packed one in whose place it is read.
  func isNamed(_ path: String) -> Bool { named.contains(PathKey(path)) }

  /// Contents of the folder of a path; empty where it cannot be listed.
  mutating func names(beside path: String) -> [String] {
    let directory = PathParts(path).directory
    let folder = PathKey(directory)
    let names = listings[folder] ?? (try? Posix.names(in: directory)) ?? []
    listings[folder] = names
    return names
  }
}
