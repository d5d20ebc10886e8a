public import Essentials
package import Platform

/// Preferences in one small JSON file that is replaced as a whole; copies share it.
///
/// ```swift
/// let preferences = FilePreferences(file: folder.appendingPathComponent("preferences.json"))
/// ```
public struct FilePreferences: SyncPreferences {
  /// The file.
  package let file: URL
  /// The reason that an existing file could not be read, so that these values started empty; `nil` if all is well.
  package var unreadable: UnreadableValues? { values.unreadable }

  private let values: KeyedFile<Data>

  /// Reads a file; one that is missing or unreadable counts as empty.
  public init(file: URL) {
    self.file = file
    values = KeyedFile(path: file.path)
  }

  /// The stored bytes, or `nil`.
  public func value(_ name: String) -> Data? {
    values.value(name)
  }

  /// Stores bytes; `nil` removes them.
  ///
  /// After an error, nothing has changed.
  ///
  /// - Throws: ``SyncError`` with ``SyncError/Code/store``.
  public func set(_ value: Data?, for name: String) throws {
    do throws(FileFailure) {
      try values.update { $0[name] = value }
    } catch {
      throw SyncError(.store, detail: error.message)
    }
  }
}
