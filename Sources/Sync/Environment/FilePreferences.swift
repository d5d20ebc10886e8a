public import Foundation
import Platform

/// Preferences in one small file of JSON that is replaced as a whole; copies share them.
///
/// ```swift
/// let preferences = FilePreferences(file: folder.appendingPathComponent("preferences.json"))
/// ```
public struct FilePreferences: SyncPreferences {
  /// The file.
  public let file: URL
  /// Why the file that was there could not be read, so that these began empty; `nil` when all is well.
  public let unreadable: String?

  private let values: Locked<[String: Data]>

  /// Reads a file; one that is missing, or that cannot be read, counts as empty.
  public init(file: URL) {
    self.file = file
    do {
      let values = try JSONDecoder().decode([String: Data].self, from: Data(contentsOf: file))
      self.values = Locked(values)
      unreadable = nil
    } catch {
      values = Locked([:])
      unreadable = Posix.status(at: file.path) == nil ? nil : "\(error)"
    }
  }

  /// The stored bytes, or `nil`.
  public func value(_ name: String) -> Data? {
    values.withLock { $0[name] }
  }

  /// Stores bytes; `nil` removes them.
  ///
  /// After an error everything is as before.
  ///
  /// - Throws: ``SyncError`` with ``SyncError/Code/store``.
  public func set(_ value: Data?, for name: String) throws {
    try values.withLock { values in
      var changed = values
      changed[name] = value
      guard changed != values else { return }
      try write(changed)
      values = changed
    }
  }

  private func write(_ values: [String: Data]) throws {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      let bytes = try encoder.encode(values)
      let path = Posix.resolved(file.path)
      try Posix.createFolder(of: path)
      let replacement = try ReplacementFile(lockedFor: path, permissions: 0o600)
      try replacement.write(Array(bytes))
      try replacement.putInPlace(permissions: 0o600)
    } catch let failure as FileFailure {
      throw SyncError(.store, detail: failure.message)
    }
  }
}
