import Codecs
import Foundation
package import History
import JSONLines
import Platform

/// Access to the history of files, with the indexes that are kept between runs.
package struct HistoryAccess: Sendable {
  private let folder: String?

  /// - Parameter indexFolder: Where indexes are kept; `nil` to keep none.
  package init(indexFolder: String?) {
    folder = indexFolder
  }

  package var cache: IndexCache? { folder.map { IndexCache(folder: URL(fileURLWithPath: $0)) } }

  /// The names of the files; compressed ones are decompressed beside the indexes, once.
  package var names: HistoryNames {
    guard let folder else { return HistoryNames() }
    return HistoryNames { path in Self.unpack(path, into: folder) }
  }

  /// The decompressed copy of a file, made if need be; `nil` if that fails.
  private static func unpack(_ path: String, into folder: String) -> String? {
    guard let packed = try? OpenFile(path: path), let status = try? packed.status,
      let head = try? packed.bytes(0..<IndexBinding.markLength)
    else { return nil }
    let key = [ContentHash.of(head), status.size, UInt64(bitPattern: status.modified)]
    let copy = folder + "/" + key.map { String($0, radix: 16) }.joined(separator: "-") + ".jsonl"
    if Posix.status(at: copy) != nil { return copy }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      _ = try Gunzip().unpack(path, to: copy)
      return copy
    } catch {
      return nil
    }
  }
}
