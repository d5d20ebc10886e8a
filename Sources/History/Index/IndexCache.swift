import Codecs
package import Essentials
package import Platform

/// The folder for indexes between runs: never beside the user's file, and readable only by the user.
package struct IndexCache: Sendable {
  /// Maximum size of an index as a share of its file.
  static let share = 0.02
  /// Maximum bytes of all files in the folder; above that, the least recently used ones are removed.
  static let limit: UInt64 = 4 << 30

  package let folder: URL

  /// - Parameter folder: the folder for indexes, created with the first one.
  package init(folder: URL) {
    self.folder = folder
  }

  /// The location of a file's index, derived from how the file begins and its identity on the file system, so that it
  /// is found again after the file was rotated.
  ///
  /// - Throws: the system error.
  func url(of file: any HistoryBytes) throws -> URL {
    let head = ContentHash.of(try file.bytes(0..<IndexBinding.markLength))
    let identity = try file.status.identity
    let mapping = IndexBinding.key(of: file.mapping)
    // Each mapping has an index of its own, so that they do not replace each other.
    let words = ([head, identity.device, identity.inode] + (mapping == 0 ? [] : [mapping])).map {
      String($0, radix: 16)
    }
    return folder.appendingPathComponent(words.joined(separator: "-") + ".index")
  }

  /// The index of a file, if it is still valid.
  package func load(for file: any HistoryBytes, blockSize: Int) throws(IndexFault) -> HistoryIndex {
    guard let url = try? url(of: file), let kept = open(url.lastPathComponent) else { throw .missing }
    return try Self.load(kept, for: file, blockSize: blockSize)
  }

  /// The index stored in some bytes, if it is one of a file.
  package static func load(
    _ kept: any HistoryBytes, for file: any HistoryBytes, blockSize: Int
  ) throws(IndexFault) -> HistoryIndex {
    let index = try IndexFile.index(in: kept)
    guard index.binding.blockSize == blockSize, index.binding.fits(file) else { throw .otherFile }
    return index
  }

  /// Stores an index atomically.
  ///
  /// - Returns: true if it was stored; false if it would take too large a share of its file.
  /// - Throws: the system error.
  package func save(_ index: HistoryIndex, of file: any HistoryBytes) throws -> Bool {
    try keep(at: try url(of: file)) { replacement in
      try IndexFile.write(index, atMost: Double(index.binding.size) * Self.share) { bytes in
        try bytes.withUnsafeBytes { try replacement.write($0) }
      }
    }
  }

  /// Stores a file in the folder atomically, then removes what exceeds the limit.
  ///
  /// - Parameter write: writes the content; returns true to keep it.
  @discardableResult
  package func keep(at target: URL, _ write: (ReplacementFile) throws -> Bool) throws -> Bool {
    let folder = try own()
    let replacement = try ReplacementFile(for: target.path)
    guard try write(replacement) else { return false }
    try replacement.putInPlace()
    prune(folder, sparing: target.lastPathComponent)
    return true
  }

  /// The folder, created if missing.
  ///
  /// - Throws: `EACCES` if the folder, its parent, or a link to either belongs to another account: only our own files
  ///   may be removed there.
  private func own() throws(FileFailure) -> OpenFolder {
    let parent = try Posix.trustedEntry(of: PathParts(folder.path).directory)
    if let status = Posix.status(at: parent), status.owner != geteuid() {
      throw FileFailure(.useFolder(parent), number: EACCES)
    }
    return try OpenFolder.own(folder.path).folder
  }

  /// The folder, if it exists and is ours.
  private var existing: OpenFolder? { Posix.isTaken(folder.path) ? try? own() : nil }

  /// Opens a file of the folder; `nil` if it does not exist or may come from someone else.
  package func open(_ name: String) -> OpenFile? {
    guard let descriptor = try? existing?.open(name, flags: O_RDONLY),
      let file = try? OpenFile(taking: descriptor), let status = try? file.status,
      status.kind == .regular, status.owner == geteuid()
    else { return nil }
    return file
  }

  /// Removes the index of a file.
  package func remove(for file: any HistoryBytes) {
    guard let url = try? url(of: file) else { return }
    try? existing?.remove(url.lastPathComponent)
  }

  /// Removes what earlier runs have left: unpacked copies of packed files, which older versions made, and partial files
  /// of runs that ended at least an hour ago.
  package func removeLeftovers(now: Timestamp) {
    guard let own = existing else { return }
    for name in (try? Posix.names(in: folder.path)) ?? [] {
      let isCopy = Self.isOwn(name, endings: [".jsonl"])
      let isHalf =
        ReplacementFile.original(ofTemporary: name).map { Self.isOwn($0, endings: Self.endings) } ?? false
      guard isCopy || isHalf, let status = own.status(of: name),
        isCopy || Double(status.modified) / 1e9 < now.unixSeconds - 3600
      else { continue }
      try? own.remove(name)
    }
  }

  /// Removes the least recently used indexes until all fit.
  private func prune(_ folder: OpenFolder, sparing spared: String) {
    let names = (try? Posix.names(in: folder.path)) ?? []
    let known = names.filter { $0 != spared && Self.isOwn($0, endings: Self.endings) }
      .compactMap { name in folder.status(of: name).map { (name: name, status: $0) } }
      .sorted { $0.status.modified < $1.status.modified }
    var total = known.reduce(UInt64(0)) { $0 &+ $1.status.size }
    for file in known where total > Self.limit {
      try? folder.remove(file.name)
      total -= file.status.size
    }
  }

  /// The ending of files with the names of functions.
  package static let symbolEnding = ".symbols"
  private static let endings = [".index", ".checkpoints", symbolEnding]

  /// True if a name has the form the program uses: hexadecimal numbers and an ending.
  private static func isOwn(_ name: String, endings: [String]) -> Bool {
    let ending = name.utf8.drop {
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
        || $0 == UInt8(ascii: "-")
    }
    return ending.count < name.utf8.count && endings.contains { ending.elementsEqual($0.utf8) }
  }
}
