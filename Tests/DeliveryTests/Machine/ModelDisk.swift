import DeliveryCore

/// The disk as a delivery machine sees it, in memory: it fails, spoils and lets expire what a test wants.
struct ModelDisk {
  struct Entry {
    let event: QueuedEvent
    let place: Int
    var isExpired = false
    var isDamaged = false

    init(_ event: QueuedEvent) {
      self.event = event
      place = event.place
    }
  }

  private(set) var entries: [Entry] = []
  var failsStores = false
  var failsReads = false
  var failsRemovals = false
  /// The most entries there ever were.
  private(set) var peak = 0

  var count: Int { entries.count }
  var numbers: [Int] { newest(count) }

  /// The numbers of so many of the newest, in their order.
  func newest(_ limit: Int) -> [Int] {
    var numbers: [Int] = []
    for entry in entries.suffix(limit) { numbers.append(entry.place) }
    return numbers
  }

  init(_ events: [QueuedEvent] = []) {
    entries = events.map { Entry($0) }
    peak = entries.count
  }

  mutating func store(_ place: DeliveryMachine.Place, _ events: [QueuedEvent]) -> Bool {
    guard !failsStores else { return false }
    let more = events.map { Entry($0) }
    switch place {
    case .beforeOldest: entries.insert(contentsOf: more, at: 0)
    case .behindNewest: entries += more
    }
    peak = max(peak, entries.count)
    return true
  }

  /// The entries found by a reader of the oldest, and how many it skips for good.
  struct Reading {
    var events: [QueuedEvent] = []
    var expired = 0
    var damaged = 0
  }

  mutating func read(_ limit: Int) -> Reading? {
    guard !failsReads else { return nil }
    var reading = Reading()
    var index = 0
    while index < entries.count, reading.events.count + reading.expired < limit {
      let entry = entries[index]
      if entry.isDamaged {
        reading.damaged += 1
        entries.remove(at: index)
        continue
      }
      if entry.isExpired { reading.expired += 1 } else { reading.events.append(entry.event) }
      index += 1
    }
    return reading
  }

  mutating func remove(_ count: Int) -> Bool {
    guard !failsRemovals else { return false }
    entries.removeFirst(min(count, entries.count))
    return true
  }

  mutating func clear() { entries = [] }

  mutating func damage(_ index: Int) { entries[index].isDamaged = true }

  mutating func expire(_ index: Int) { entries[index].isExpired = true }
}

extension QueuedEvent {
  /// The event with that number, which is its message id too.
  static func numbered(_ number: Int, bytes: Int = 1) -> QueuedEvent {
    QueuedEvent(messageID: "\(number)", timestamp: "", json: [UInt8](repeating: 0x20, count: bytes))
  }

  /// Its place in the order of the calls, from 1.
  var place: Int { Int(messageID) ?? 0 }
}
