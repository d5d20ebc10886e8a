import Codecs
package import Foundation
package import Platform

/// The folder in which indexes are kept between runs: never beside the person's file, readable by them alone.
package struct IndexCache: Sendable {
  /// An index takes at most this share of its file.
  static let share = 0.02
  /// Bytes that all files of the folder may take; beyond, those that were used least lately go.
  static let limit: UInt64 = 4 << 30

  package let folder: URL

  /// - Parameter folder: where indexes are kept; made when the first one is.
  package init(folder: URL) {
    self.folder = folder
  }

  /// Where the index of a file stands: known by how the file begins and where it lies on its file system, so that it is
  /// found again when the file was rotated.
  ///
  /// - Throws: the system's reason.
  func url(of file: any HistoryBytes) throws -> URL {
    let head = ContentHash.of(try file.bytes(0..<IndexBinding.markLength))
    let identity = try file.status.identity
    let mapping = IndexBinding.key(of: file.mapping)
    // Each mapping has an index of its own, so that they do not throw each other out.
    let words = ([head, identity.device, identity.inode] + (mapping == 0 ? [] : [mapping])).map {
      String($0, radix: 16)
    }
    return folder.appendingPathComponent(words.joined(separator: "-") + ".index")
  }

  /// The index of a file, as far as it holds.
  package func load(for file: any HistoryBytes, blockSize: Int) throws(IndexFault) -> HistoryIndex {
    guard let url = try? url(of: file), let kept = try? OpenFile(path: url.path) else { throw .missing }
    return try Self.load(kept, for: file, blockSize: blockSize)
  }

  /// The index that stands in some bytes, if it is one of a file.
  package static func load(
    _ kept: any HistoryBytes, for file: any HistoryBytes, blockSize: Int
  ) throws(IndexFault) -> HistoryIndex {
    let index = try IndexFile.index(in: kept)
    guard index.binding.blockSize == blockSize, index.binding.fits(file) else { throw .otherFile }
    return index
  }

  /// Keeps an index, all or nothing.
  ///
  /// - Returns: whether it is kept: one that would take too large a share of its file is not.
  /// - Throws: the system's reason.
  package func save(_ index: HistoryIndex, of file: any HistoryBytes) throws -> Bool {
    try keep(at: try url(of: file)) { replacement in
      try IndexFile.write(index, atMost: Double(index.binding.size) * Self.share) { bytes in
        try bytes.withUnsafeBytes { try replacement.write($0) }
      }
    }
  }

  /// Keeps a file in the folder, all or nothing, and removes what is too much then.
  ///
  /// - Parameter write: answers whether it is to be kept.
  @discardableResult
  func keep(at target: URL, _ write: (ReplacementFile) throws -> Bool) throws -> Bool {
    try Posix.createFolder(of: target.path, permissions: 0o700)
    let replacement = try ReplacementFile(for: target.path)
    guard try write(replacement) else { return false }
    try replacement.putInPlace()
    prune(sparing: target)
    return true
  }

  /// Forgets the index of a file.
  package func remove(for file: any HistoryBytes) {
    guard let url = try? url(of: file) else { return }
    Posix.unlink(url.path)
  }

  /// Removes what earlier runs have left: whole copies of packed files, which older versions made, and what a run that
  /// was ended an hour ago or earlier was writing.
  package func removeLeftovers(now: Timestamp) {
    guard let folder = try? OpenFolder(folder.path) else { return }
    for name in (try? Posix.names(in: self.folder.path)) ?? [] {
      let isCopy = name.hasSuffix(".jsonl")
      guard isCopy || ReplacementFile.isTemporary(name), let status = folder.status(of: name),
        isCopy || Double(status.modified) / 1e9 < now.unixSeconds - 3600
      else { continue }
      try? folder.remove(name)
    }
  }

  /// Removes what was used least lately until all fits.
  private func prune(sparing spared: URL) {
    let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey]
    let files =
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: Array(keys)))
      ?? []
    var known = files.filter { $0.lastPathComponent != spared.lastPathComponent }.map { url in
      let values = try? url.resourceValues(forKeys: keys)
      return (
        url: url, size: UInt64(max(0, values?.fileSize ?? 0)),
        date: values?.contentModificationDate ?? .distantPast
      )
    }
    known.sort { $0.date < $1.date }
    var total = known.reduce(0) { $0 + $1.size }
    for file in known where total > Self.limit {
      Posix.unlink(file.url.path)
      total -= file.size
    }
  }
}
