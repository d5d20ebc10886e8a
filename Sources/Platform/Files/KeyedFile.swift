import Foundation

/// Values by name in one small file of JSON that is replaced as a whole; copies share them.
package struct KeyedFile<Value: Codable & Equatable & Sendable>: Sendable {
  /// The file.
  package let path: String
  /// Why the file that was there could not be read, so that these began empty; `nil` when all is well.
  package let unreadable: String?

  private let values: Locked<[String: Value]>

  /// Reads a file; one that is missing, or that cannot be read, counts as empty.
  package init(path: String) {
    self.path = path
    do {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      values = Locked(try JSONDecoder().decode([String: Value].self, from: bytes))
      unreadable = nil
    } catch {
      values = Locked([:])
      unreadable = Posix.status(at: path) == nil ? nil : "\(error)"
    }
  }

  /// The stored value, or `nil`.
  package func value(_ name: String) -> Value? {
    values.withLock { $0[name] }
  }

  /// Changes values, durably when this returns; after an error everything is as before.
  package func update(_ change: (inout [String: Value]) -> Void) throws(FileFailure) {
    try values.withLock { values throws(FileFailure) in
      var changed = values
      change(&changed)
      guard changed != values else { return }
      try write(changed)
      values = changed
    }
  }

  private func write(_ values: [String: Value]) throws(FileFailure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    // Values that have no JSON are a mistake of the program, but not one to die of.
    guard let bytes = try? encoder.encode(values) else { throw FileFailure(.write(path), number: EINVAL) }
    let path = Posix.resolved(path)
    try Posix.createFolder(of: path)
    let replacement = try ReplacementFile(lockedFor: path, permissions: 0o600)
    try replacement.write(Array(bytes))
    try replacement.putInPlace(permissions: 0o600)
  }
}
