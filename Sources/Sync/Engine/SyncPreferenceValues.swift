public import Essentials

/// One row of the run history.
public struct SyncHistoryRow: Hashable, Sendable, Codable {
  /// The number of the row, across launches.
  package let id: Int
  /// The wall-clock time of the run's end.
  public let time: Date
  /// The summary of the run, with at most 2 KiB of the server's text.
  public let run: SyncRunSummary
}

/// The engine's values in the preferences; unreadable ones start empty.
struct SyncPreferenceValues {
  private enum Name {
    static let erasing = "erasing"
    static let payloadVersion = "payloadVersion"
    static let history = "history"
    static let lastSuccess = "lastSuccess"
  }

  private let preferences: any SyncPreferences

  init(_ preferences: any SyncPreferences) {
    self.preferences = preferences
  }

  /// True if an erase has begun and not ended.
  var isErasing: Bool { read(Bool.self, Name.erasing) ?? false }
  /// The format that all payloads in the queue are known to have.
  var payloadVersion: Int { read(Int.self, Name.payloadVersion) ?? 0 }
  var history: [SyncHistoryRow] { read([SyncHistoryRow].self, Name.history) ?? [] }
  var lastSuccess: Date? { read(Date.self, Name.lastSuccess) }

  func setHistory(_ rows: [SyncHistoryRow]) throws { try write(rows, Name.history) }
  func setLastSuccess(_ moment: Date) throws { try write(moment, Name.lastSuccess) }

  func setErasing(_ isErasing: Bool) throws { try write(isErasing, Name.erasing) }
  func setPayloadVersion(_ version: Int) throws { try write(version, Name.payloadVersion) }

  /// Clears all values; the erase mark goes last.
  func clear(keepingFormat version: Int) throws {
    for name in [Name.history, Name.lastSuccess] where preferences.value(name) != nil {
      try preferences.set(nil, for: name)
    }
    try setPayloadVersion(version)
    try preferences.set(nil, for: Name.erasing)
  }

  private func read<Value: Decodable>(_ type: Value.Type, _ name: String) -> Value? {
    preferences.value(name).flatMap { try? JSONDecoder().decode(type, from: $0) }
  }

  private func write(_ value: some Encodable, _ name: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    do {
      let bytes = try encoder.encode(value)
      // Unchanged values need no write.
      if preferences.value(name) != bytes { try preferences.set(bytes, for: name) }
    } catch let error as SyncError {
      throw error
    } catch {
      throw SyncError(.store, detail: String(describing: error))
    }
  }
}
