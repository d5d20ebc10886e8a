public import Essentials
package import Platform

/// Preferences in one small file of JSON that is replaced as a whole; copies share them.
///
/// ```swift
/// let preferences = FilePreferences(file: folder.appendingPathComponent("preferences.json"))
/// ```
public struct FilePreferences: SyncPreferences {
  /// The file.
  package let file: URL
  /// Why the file that was there could not be read, so that these began empty; `nil` when all is well.
  package var unreadable: UnreadableValues? { values.unreadable }

  private let values: KeyedFile<Data>

  /// Reads a file; one that is missing, or that cannot be read, counts as empty.
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
  /// After an error everything is as before.
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
