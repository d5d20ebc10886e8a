import JSONLines
package import Platform

/// A file of a history.
package struct HistoryName: Hashable, Sendable {
  /// The name as the user knows it.
  package let name: String
  /// The path to open.
  package let path: String
  /// True if the unpacked content is read.
  package fileprivate(set) var isPacked = false
  /// True if it is the rotated predecessor of another file of the history.
  fileprivate(set) var isRotated = false

  package static func == (left: HistoryName, right: HistoryName) -> Bool {
    PathKey(left.name) == PathKey(right.name) && PathKey(left.path) == PathKey(right.path)
      && left.isPacked == right.isPacked
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(PathKey(path))
  }
}

/// Finds the files of a history: those the user named, and their rotated predecessors.
package struct HistoryNames: Sendable {
  private let limit: Int
  private let folderFiles = FolderFiles()

  /// - Parameter limit: maximum number of rotated files found per path, newest first; older ones count only if named.
  package init(limit: Int = 64) { self.limit = limit }

  /// The files of some paths: the rotated predecessors of each, oldest first, then the file itself; for a folder, its
  /// files of records (`FolderFiles`), each in the same way.
  ///
  /// A file with several names appears once, under the first of them, and under a link only if all its names are links.
  /// A rotated file that is also named appears with its original. If a rotated file exists both packed and unpacked,
  /// the packed one is left out.
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

  /// Groups files by sequence: a file and its rotated predecessors, in order.
  package static func courses<File>(of files: [File], name: KeyPath<File, String>) -> [PathKey: [File]] {
    let names = Set(files.map { PathKey($0[keyPath: name]) })
    return Dictionary(grouping: files) { base(of: $0[keyPath: name], among: names) }
  }

  /// The original name of a rotated file.
  fileprivate static func base(of name: String, among names: Set<PathKey>) -> PathKey {
    RotatedName.originals(of: RotatedName.unpacked(name)).lazy.map { PathKey($0) }.first(
      where: names.contains)
      ?? PathKey(name)
  }

  private func files(of path: String, _ rank: Search.Rank, _ search: inout Search) -> [HistoryName] {
    if Posix.status(at: path)?.kind == .directory {
      return files(inFolder: path, &search)
    }
    // A rotated file that exists was found along with its original.
    let siblings = rank == .rotated ? [] : siblings(of: path, among: search.names(beside: path), search)
    return siblings + [HistoryName(name: path, path: path)]
  }

  private func files(inFolder folder: String, _ search: inout Search) -> [HistoryName] {
    let names = (try? folderFiles.list(folder))?.taken ?? []
    guard let first = names.first else { return [] }
    let taken = Set(names.map { PathKey($0) })
    var rotated: [PathKey: [String]] = [:]
    for name in search.names(beside: PathParts.join(folder, first)) where !taken.contains(PathKey(name)) {
      for original in RotatedName.originals(of: RotatedName.unpacked(name)).map({ PathKey($0) })
      where taken.contains(original) {
        rotated[original, default: []].append(name)
      }
    }
    return names.flatMap { name in
      let path = PathParts.join(folder, name)
      return siblings(of: path, among: rotated[PathKey(name)] ?? [], search)
        + [HistoryName(name: path, path: path)]
    }
  }

  /// Earlier files of the same log, oldest first.
  ///
  /// If a file exists both packed and unpacked, as while it is being packed, the packed one is left out.
  private func siblings(of path: String, among names: [String], _ search: Search) -> [HistoryName] {
    let rotated = RotatedFile.beside(path, among: names)
    let plain = Set(rotated.filter { !$0.isPacked }.map { PathKey($0.name) })
    let files = rotated.filter {
      !$0.isPacked || !plain.contains(PathKey(RotatedName.unpacked($0.name)))
    }.sorted { $0.order < $1.order }
    return (files.dropLast(limit).filter { search.isNamed($0.path) } + files.suffix(limit))
      .map { HistoryName(name: $0.path, path: $0.path, isPacked: $0.isPacked, isRotated: true) }
  }
}

extension HistoryName {
  /// A file under its unpacked name.
  fileprivate init(plain path: String) {
    let plain = RotatedName.unpacked(path)
    self.init(name: plain, path: plain)
  }
}

/// The folders that are searched for the files of some paths.
private struct Search {
  /// Order in which paths are examined: the first name of a file determines the names of its rotated predecessors.
  enum Rank: CaseIterable {
    case own
    case link
    /// A rotated predecessor of another path.
    case rotated
  }

  /// The paths, except for standard input.
  let operands: [(path: String, rank: Rank)]
  /// The given paths, and the unpacked names of packed ones.
  private let named: Set<PathKey>
  /// Contents of the folders already examined.
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

  /// True if the user named the file, or the packed file that it stands in for.
  func isNamed(_ path: String) -> Bool { named.contains(PathKey(path)) }

  /// Contents of the folder of a path; empty if it cannot be listed.
  mutating func names(beside path: String) -> [String] {
    let directory = PathParts(path).directory
    let folder = PathKey(directory)
    let names = listings[folder] ?? (try? Posix.names(in: directory)) ?? []
    listings[folder] = names
    return names
  }
}
