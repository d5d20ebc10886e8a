import Essentials

/// Values by name in one small JSON file that is replaced as a whole; copies share them.
package struct KeyedFile<Value: Codable & Sendable>: Sendable {
  /// The file.
  package let path: String
  /// The reason the existing file could not be read, so that the values started out empty; `nil` if there was no
  /// problem.
  package let unreadable: UnreadableValues?

  /// Maximum size in bytes; larger files are truncated on reading and count as damaged.
  private static var sizeLimit: Int { 64 << 20 }

  private struct State {
    var values: [String: Value] = [:]
    /// The bytes of the file, or those of an empty one.
    var bytes = Data("{}".utf8)
    /// The problem with the existing file.
    var unreadable: UnreadableValues?
  }

  private let state: Locked<State>

  /// Reads a file; a missing or unreadable one counts as empty.
  package init(path: String) {
    self.path = path
    let read = Self.read(path)
    state = Locked(read)
    unreadable = read.unreadable
  }

  /// The stored value, or `nil`.
  package func value(_ name: String) -> Value? {
    state.withLock { $0.values[name] }
  }

  /// Changes values, durably when it returns; after an error everything is as before.
  ///
  /// A damaged file is kept under another name. If the system refused to let a file be read, reading is retried first,
  /// and the file is not replaced as long as reading is refused, because its contents are presumably intact.
  package func update(_ change: (inout [String: Value]) -> Void) throws(FileFailure) {
    try state.withLock { state throws(FileFailure) in
      if case .refused = state.unreadable { state = Self.read(path) }
      if case .refused(let failure) = state.unreadable { throw failure }
      var values = state.values
      change(&values)
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      // Values without a JSON form are a programming error, but no reason to crash.
      guard let bytes = try? encoder.encode(values) else { throw FileFailure(.write(path), number: EINVAL) }
      // Compares bytes, not values: two spellings of a letter are equal strings, but different bytes for a reader.
      guard bytes != state.bytes else { return }
      // It could not be read back.
      guard bytes.count <= Self.sizeLimit else { throw FileFailure(.write(path), number: EFBIG) }
      // Anything other than a regular file has nothing worth keeping.
      if state.unreadable != nil, Posix.status(ofName: path)?.kind == .regular {
        try DamagedFile.setAside(path)
      }
      try write(bytes)
      state = State(values: values, bytes: bytes)
    }
  }

  private static func read(_ path: String) -> State {
    let bytes: [UInt8]
    do throws(FileFailure) { bytes = try Posix.head(of: path, sizeLimit) } catch {
      return State(unreadable: unreadable(error, path))
    }
    do {
      let values = try JSONDecoder().decode([String: Value].self, from: Data(bytes))
      return State(values: values, bytes: Data(bytes))
    } catch {
      return State(unreadable: .damaged)
    }
  }

  /// The meaning of a read failure; `nil` if there is none.
  private static func unreadable(_ failure: FileFailure, _ path: String) -> UnreadableValues? {
    if failure.kind == .missing { return nil }
    // A FIFO, a folder, a socket or a link to itself: nothing was ever stored in it.
    if case .open = failure.attempt, [EINVAL, ENXIO, ELOOP].contains(failure.number) { return .damaged }
    return .refused(FileFailure(.open(path), number: failure.number))
  }

  private func write(_ bytes: Data) throws(FileFailure) {
    try Posix.createFolder(of: path, permissions: 0o700)
    let replacement = try ReplacementFile(lockedFor: path)
    try replacement.write(Array(bytes))
    try replacement.putInPlace(permissions: 0o600)
  }
}

/// The reason stored values are unknown.
package enum UnreadableValues: Sendable {
  /// The contents are not what was written.
  case damaged
  /// The system did not let it be read, which may be temporary.
  case refused(FileFailure)
}
