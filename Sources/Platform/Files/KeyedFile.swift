import Foundation

/// Values by name in one small file of JSON that is replaced as a whole; copies share them.
package struct KeyedFile<Value: Codable & Sendable>: Sendable {
  /// The file.
  package let path: String
  /// Why the file that was there could not be read, so that these began empty; `nil` when all is well.
  package let unreadable: String?

  /// Larger files are cut off, and so cannot be read; in bytes.
  private static var sizeLimit: Int { 64 << 20 }

  private struct State {
    var values: [String: Value] = [:]
    /// What the file has, or an empty one would have.
    var bytes = Data("{}".utf8)
  }

  private let state: Locked<State>

  /// Reads a file; one that is missing, or that cannot be read, counts as empty.
  package init(path: String) {
    self.path = path
    do {
      let bytes = Data(try Posix.head(of: path, Self.sizeLimit))
      let values = try JSONDecoder().decode([String: Value].self, from: bytes)
      state = Locked(State(values: values, bytes: bytes))
      unreadable = nil
    } catch {
      state = Locked(State())
      unreadable = Posix.status(at: path) == nil ? nil : "\(error)"
    }
  }

  /// The stored value, or `nil`.
  package func value(_ name: String) -> Value? {
    state.withLock { $0.values[name] }
  }

  /// Changes values, durably when this returns; after an error everything is as before.
  package func update(_ change: (inout [String: Value]) -> Void) throws(FileFailure) {
    try state.withLock { state throws(FileFailure) in
      var values = state.values
      change(&values)
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      // Values that have no JSON are a mistake of the program, but not one to die of.
      guard let bytes = try? encoder.encode(values) else { throw FileFailure(.write(path), number: EINVAL) }
      // Not the values: two spellings of a letter are equal strings, but other bytes to whoever gets them.
      guard bytes != state.bytes else { return }
      try write(bytes)
      state = State(values: values, bytes: bytes)
    }
  }

  private func write(_ bytes: Data) throws(FileFailure) {
    try Posix.createFolder(of: path, permissions: 0o700)
    let replacement = try ReplacementFile(lockedFor: path)
    try replacement.write(Array(bytes))
    try replacement.putInPlace(permissions: 0o600)
  }
}
