import Essentials

/// Values by name in one small file of JSON that is replaced as a whole; copies share them.
package struct KeyedFile<Value: Codable & Sendable>: Sendable {
  /// The file.
  package let path: String
  /// Why the file that was there could not be read, so that these began empty; `nil` when all is well.
  package let unreadable: UnreadableValues?

  /// Larger files are cut off, and so cannot be read; in bytes.
  private static var sizeLimit: Int { 64 << 20 }

  private struct State {
    var values: [String: Value] = [:]
    /// The bytes of the file, or those an empty one would have.
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

  /// Changes values, durably when this returns; after an error everything is as before.
  ///
  /// A damaged file is kept under another name. One that the system refused to read is read first, and not replaced
  /// as long as it refuses: what it holds is as good as ever.
  package func update(_ change: (inout [String: Value]) -> Void) throws(FileFailure) {
    try state.withLock { state throws(FileFailure) in
      if case .refused = state.unreadable { state = Self.read(path) }
      if case .refused(let failure) = state.unreadable { throw failure }
      var values = state.values
      change(&values)
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      // Values without a JSON form are a mistake of the program, but no reason to crash.
      guard let bytes = try? encoder.encode(values) else { throw FileFailure(.write(path), number: EINVAL) }
      // Compares bytes, not values: two spellings of a letter are equal strings, but different bytes for a reader.
      guard bytes != state.bytes else { return }
      // No one could read it back.
      guard bytes.count <= Self.sizeLimit else { throw FileFailure(.write(path), number: EFBIG) }
      // Anything that is not a file holds nothing to be kept.
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

  /// The meaning of a failure to read a file; `nil` if there is none.
  private static func unreadable(_ failure: FileFailure, _ path: String) -> UnreadableValues? {
    if failure.kind == .missing { return nil }
    // A FIFO, a folder, a socket or a link to itself: no one has stored anything in it.
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

/// Why values that are stored are not known.
package enum UnreadableValues: Sendable {
  /// The content is not what was written.
  case damaged
  /// The system did not let it be read, which may pass.
  case refused(FileFailure)
}
