package import Platform

/// Small texts by key that outlive the process.
package protocol KeyValueStorage: Sendable {
  /// The reason why stored values could not be read, so that it starts empty; `nil` if they could.
  var unreadable: UnreadableValues? { get }

  func value(_ key: String) -> String?

  /// Stores a text durably; `nil` removes it.
  func set(_ value: String?, for key: String) throws(StorageFailure)

  /// Stores or removes several texts, together where the storage can.
  func update(_ changes: KeyValuePairs<String, String?>) throws(StorageFailure)
}

extension KeyValueStorage {
  package var unreadable: UnreadableValues? { nil }

  package func update(_ changes: KeyValuePairs<String, String?>) throws(StorageFailure) {
    for (key, value) in changes { try set(value, for: key) }
  }
}

/// Texts that go with the process.
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

  /// All that is stored.
  package var all: [String: String] { values.withLock { $0 } }
}

/// Texts in one small file of JSON that is replaced as a whole, readable by its owner alone.
package struct FileKeyValues: KeyValueStorage {
  private let file: KeyedFile<String>

  /// Reads a file; one that is missing, or that cannot be read, counts as empty.
  package init(path: String) {
    file = KeyedFile(path: path)
  }

  package var unreadable: UnreadableValues? { file.unreadable }

  package func value(_ key: String) -> String? { file.value(key) }

  package func set(_ value: String?, for key: String) throws(StorageFailure) {
    try update([key: value])
  }

  /// All or, after an error, none of it.
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
