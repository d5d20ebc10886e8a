import Platform

/// Folder contents, listed again only after a change: each file of a folder looks up its rotated predecessors, and ten
/// thousand files would otherwise list ten thousand names each.
final class FolderListings: Sendable {
  private struct Listing {
    let identity: FileIdentity
    let modified: Int64
    let listedAt: MonotonicInstant
    /// Sorted by bytes.
    let names: [String]
  }

  /// Seconds until a listing is made again even if nothing seems to have changed: some file systems give their folders
  /// no time of change.
  private static let lifetime = 1.0

  /// Seconds after a change during which a listing is not cached, because another change within the same tick of the
  /// file system's clock would go unnoticed.
  private static let tick = 0.05

  private let listings = Locked<[PathKey: Listing]>([:])

  /// The names that `original` may have been rotated to.
  func rotated(_ original: String, in folder: String) throws(FileFailure) -> [String] {
    let names = try names(in: folder)
    var found: [String] = []
    for beginning in Self.beginnings(of: original) {
      var place = Self.first(in: names, from: beginning)
      while place < names.count, names[place].hasBytePrefix(beginning) {
        if RotatedName.isRotated(names[place], of: original) { found.append(names[place]) }
        place += 1
      }
    }
    return found
  }

  private func names(in folder: String) throws(FileFailure) -> [String] {
    let status = try Posix.status(ofPath: folder)
    if let known = listings.withLock({ $0[PathKey(folder)] }), known.identity == status.identity,
      known.modified == status.modified, MonotonicInstant.now() < known.listedAt + Self.lifetime
    {
      return known.names
    }
    let begin = Timestamp.now().unixSeconds
    let names = try Posix.names(in: folder).sortedByBytes()
    let isSettled = begin - Double(status.modified) / 1e9 > Self.tick
    listings.withLock {
      // Usually only one folder is followed.
      if $0.count > 8 { $0 = [:] }
      $0[PathKey(folder)] =
        isSettled
        ? Listing(
          identity: status.identity, modified: status.modified, listedAt: MonotonicInstant.now(), names: names
        )
        : nil
    }
    return names
  }

  /// Prefixes that all rotated names share.
  private static func beginnings(of original: String) -> [String] {
    let dot = original.utf8.lastIndex(of: UInt8(ascii: "."))
    let stem = dot.flatMap { $0 == original.startIndex ? nil : String(original[..<$0]) } ?? original
    return [stem + ".", stem + "-"]
  }

  private static func first(in names: [String], from beginning: String) -> Int {
    var (low, high) = (0, names.count)
    while low < high {
      let middle = (low + high) / 2
      if names[middle].utf8.lexicographicallyPrecedes(beginning.utf8) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
