package import Platform

/// Small strings by key that outlive the process.
package protocol KeyValueStorage: Sendable {
  /// The reason that stored values could not be read, so that it starts empty; `nil` if they could.
  var unreadable: UnreadableValues? { get }

  func value(_ key: String) -> String?

  /// Stores a string durably; `nil` removes it.
  func set(_ value: String?, for key: String) throws(StorageFailure)

  /// Stores or removes several strings, atomically if the storage can.
  func update(_ changes: KeyValuePairs<String, String?>) throws(StorageFailure)
}

extension KeyValueStorage {
  package var unreadable: UnreadableValues? { nil }

  package func update(_ changes: KeyValuePairs<String, String?>) throws(StorageFailure) {
    for (key, value) in changes { try set(value, for: key) }
  }
}

/// Strings that last as long as the process.
package final class InMemoryKeyValues: KeyValueStorage {
  private let values: Locked<[String: String]>

  package init(_ values: [String: String] = [:]) {
    self.values = Locked(values)
  }

  package func value(_ key: String) -> String? {
    values.withLock { $0[key] }
  }

  package func set(_ value: String?, for key: String) {
    values.withLock { $0[key] = value }
  }

  /// All stored values.
  package var all: [String: String] { values.withLock { $0 } }
}

/// Strings in one small JSON file that is replaced as a whole and readable by its owner only.
package struct FileKeyValues: KeyValueStorage {
  private let file: KeyedFile<String>

  /// Reads a file; one that is missing or unreadable counts as empty.
  package init(path: String) {
    file = KeyedFile(path: path)
  }

  package var unreadable: UnreadableValues? { file.unreadable }

  package func value(_ key: String) -> String? { file.value(key) }

  package func set(_ value: String?, for key: String) throws(StorageFailure) {
    try update([key: value])
  }

  /// Applies all changes, or none after an error.
  package func update(_ changes: KeyValuePairs<String, String?>) throws(StorageFailure) {
    do {
      try file.update { values in
        for (key, value) in changes { values[key] = value }
      }
    } catch {
      throw StorageFailure(error.message)
    }
  }
}
