import Codecs
import Essentials
import Platform

/// The persistent storage of notes.
package protocol NotesStore: AnyObject {
  /// The notes with this key, empty if there are none, and a sentence if they cannot be read.
  func load(_ key: String) -> (notes: HistoryNotes, problem: String?)
  /// Replaces the notes.
  ///
  /// - Returns: the reason for a failure, as a sentence; `nil` on success.
  func save(_ notes: HistoryNotes, _ key: String) -> String?
  /// Renames notes that cannot be read.
  ///
  /// - Returns: the reason for a failure, as a sentence; `nil` on success.
  func setAside(_ key: String) -> String?
}

/// Notes as files of a folder, one per key.
package final class NotesFolder: NotesStore {
  private let folder: String

  /// - Parameter folder: created when the first notes are saved.
  package init(folder: String) {
    self.folder = folder
  }

  /// The key of a file, from its first line, so that it keeps its notes when it is moved or grows; `nil` for an empty
  /// or unreadable file.
  package static func key(ofFile path: String) -> String? {
    guard let head = try? Posix.head(of: path, 4096), !head.isEmpty else { return nil }
    return key(of: Array(head.prefix { $0 != UInt8(ascii: "\n") }))
  }

  /// The key of contents that begin with these bytes; at most 4 KiB count.
  package static func key(of head: [UInt8]) -> String {
    // Two hashes: keys must be distinct, but not secret.
    let head = head.prefix(4096)
    return Hexadecimal.text(FNV1a.hash(head))
      + Hexadecimal.text(FNV1a.hash(head, basis: 0x6C62_272E_07BB_0142))
  }

  private func path(_ key: String) -> String { "\(folder)/\(key).json" }

  package func load(_ key: String) -> (notes: HistoryNotes, problem: String?) {
    guard Posix.isTaken(path(key)) else { return (HistoryNotes(), nil) }
    guard let bytes = try? Posix.head(of: path(key), HistoryNotes.sizeLimit + 1),
      let notes = HistoryNotes.decoded(bytes)
    else { return (HistoryNotes(), "Marks and views cannot be read (damaged, or newer): \(path(key))") }
    return (notes, nil)
  }

  package func setAside(_ key: String) -> String? {
    guard Posix.isTaken(path(key)) else { return nil }
    // Notes that are unreadable only for the moment, for instance without a free descriptor, are not damaged.
    guard let bytes = try? Posix.head(of: path(key), HistoryNotes.sizeLimit + 1),
      HistoryNotes.decoded(bytes) == nil
    else {
      return "Marks and views will not be saved: \(path(key)) could not be read and is left as it is"
    }
    let names = [".damaged"] + (2...9).map { ".damaged-\($0)" }
    guard let free = names.first(where: { !Posix.isTaken(path(key) + $0) }),
      let folder = try? OpenFolder(folder),
      (try? folder.rename(key + ".json", to: key + ".json" + free)) != nil
    else { return "Marks and views will not be saved: \(path(key)) cannot be read and is left as it is" }
    return nil
  }

  package func save(_ notes: HistoryNotes, _ key: String) -> String? {
    let failure = "Marks and views cannot be saved in \(folder)"
    do throws(FileFailure) {
      try Posix.createFolder(of: path(key), permissions: 0o700)
      ReplacementFile.removeLeftovers(of: path(key))
      let file = try ReplacementFile(for: path(key))
      try file.write(notes.encoded)
      try file.putInPlace()
      return nil
    } catch {
      return failure
    }
  }
}
