package import DeliveryCore
import Foundation
package import TestSupport

/// Storage that records in a table which events it has acknowledged: these are on disk.
package struct WatchedStorage: EventStorage {
  private let base: any EventStorage
  private let table: AckTable

  package init(_ base: any EventStorage, table: AckTable) {
    self.base = base
    self.table = table
  }

  package var count: Int { base.count }

  package func takeDamage() -> StorageDamage { base.takeDamage() }

  package func append(_ events: [QueuedEvent]) throws(StorageFailure) {
    try base.append(events)
    note(events)
  }

  package func prepend(_ events: [QueuedEvent]) throws(StorageFailure) {
    try base.prepend(events)
    note(events)
  }

  package func first(_ limit: Int) throws(StorageFailure) -> [QueuedEvent] { try base.first(limit) }

  package func removeFirst(_ count: Int) throws(StorageFailure) { try base.removeFirst(count) }

  package func removeAll() throws(StorageFailure) { try base.removeAll() }

  private func note(_ events: [QueuedEvent]) {
    for number in events.compactMap(\.trackedNumber) { table.acknowledge(number) }
  }
}

extension QueuedEvent {
  /// The number of an event that was tracked under the name `e` and its number.
  package var trackedNumber: Int? {
    let mark = Data("\"event\":\"e".utf8)
    guard let name = Data(json).range(of: mark) else { return nil }
    return Int(String(decoding: json[name.upperBound...].prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self))
  }
}
