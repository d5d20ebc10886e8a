public import Essentials

/// One row of the history of runs.
public struct SyncHistoryRow: Hashable, Sendable, Codable {
  /// The number of the row, over all launches.
  package let id: Int
  /// When the run ended, by the wall clock.
  public let time: Date
  /// The summary of the run; of the server's text at most 2 KiB.
  public let run: SyncRunSummary
}

/// The values that the engine keeps in its preferences; any that cannot be read start empty.
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

  /// True if an erasing has begun and not ended.
  var isErasing: Bool { read(Bool.self, Name.erasing) ?? false }
  /// The format that all waiting payloads are known to have.
  var payloadVersion: Int { read(Int.self, Name.payloadVersion) ?? 0 }
  var history: [SyncHistoryRow] { read([SyncHistoryRow].self, Name.history) ?? [] }
  var lastSuccess: Date? { read(Date.self, Name.lastSuccess) }

  func setHistory(_ rows: [SyncHistoryRow]) throws { try write(rows, Name.history) }
  func setLastSuccess(_ moment: Date) throws { try write(moment, Name.lastSuccess) }

  func setErasing(_ isErasing: Bool) throws { try write(isErasing, Name.erasing) }
  func setPayloadVersion(_ version: Int) throws { try write(version, Name.payloadVersion) }

  /// Forgets everything; that an erasing has begun as the last thing.
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
      // A value that is there already costs no write.
      if preferences.value(name) != bytes { try preferences.set(bytes, for: name) }
    } catch let error as SyncError {
      throw error
    } catch {
      throw SyncError(.store, detail: String(describing: error))
    }
  }
}
