import Foundation
import Platform
package import TestSupport

@testable import DeliveryCore

/// An operation on a disk queue, and on the list that it is compared with.
package enum QueueAction: Sendable {
  case append(Int)
  case prepend(Int)
  case read(Int)
  case remove(Int)
  case removeAll
  /// The process dies, and another one opens the files.
  case crash
  /// Storing fails after the disk has accepted this number of bytes.
  case fillDisk(bytes: Int, prepends: Bool)
  /// The files are damaged between two processes; the number selects the place.
  case damage(Damage, Int)

  /// Kinds of damage to the files.
  package enum Damage: Sendable, CaseIterable {
    case event, header, deletedSegment, swappedSegments, tornTail, leftover
  }

  package static func random(_ random: inout SeededGenerator, damaging: Bool) -> QueueAction {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    switch number(0...(damaging ? 19 : 16)) {
    case 0...3: return .append(number(1...11))
    case 4...5: return .prepend(number(1...11))
    case 6...8: return .read(number(0...20))
    case 9...12: return .remove(number(0...12))
    case 13: return number(0...4) == 0 ? .removeAll : .read(100)
    case 14...15: return .crash
    case 16: return .fillDisk(bytes: number(0...900), prepends: number(0...1) == 1)
    default: return .damage(Damage.allCases.randomElement(using: &random) ?? .event, number(0...1000))
    }
  }

  /// Simpler actions that may fail in the same way.
  package var simpler: [QueueAction] {
    switch self {
    case .append(let count) where count > 1: [.append(1), .append(count - 1)]
    case .prepend(let count) where count > 1: [.append(count), .prepend(1), .prepend(count - 1)]
    case .remove(let count) where count > 1: [.remove(1), .remove(count - 1)]
    case .read(let limit) where limit < 100: [.read(100)]
    case .damage(let damage, let place) where place > 0: [.damage(damage, 0), .damage(damage, place / 2)]
    default: []
    }
  }
}

/// A disk queue beside a list that should have the same contents.
package struct QueueModel {
  private let folder: TemporaryFolder
  private let files: QueueFiles
  private let room = Locked(Int.max)
  private var storage: SegmentedEventStorage?
  private var list: [Int] = []
  private var next = 0
  /// Events removed from the list because of damage, and events that the queue has reported as lost.
  private var (lost, told) = (0, 0)
  private var isDamaged = false
  /// False if events may come back, or go uncounted, because others nearby were removed or damaged.
  private var isExact = true

  package init() throws {
    folder = try TemporaryFolder()
    files = QueueFiles(folder.path("queue"))
    storage = try open()
  }

  /// The number of events in the list.
  package var count: Int { list.count }

  /// Performs all actions and drains the queue.
  ///
  /// - Returns: A description of the first fault; `nil` if there is none.
  package static func run(_ actions: [QueueAction]) -> String? {
    do {
      var model = try QueueModel()
      for (number, action) in actions.enumerated() {
        do {
          if let fault = try model.perform(action) { return "\(fault) after action \(number), \(action)" }
        } catch {
          return "\(error) in action \(number), \(action)"
        }
      }
      return try model.drain()
    } catch {
      return "\(error)"
    }
  }

  private func open() throws -> SegmentedEventStorage {
    var operations = QueueFiles.quick
    let room = room
    operations.write = { descriptor, bytes in
      let taken = room.withLock { room in
        defer { room -= min(room, bytes.count) }
        return min(room, bytes.count)
      }
      guard taken > 0 else {
        errno = ENOSPC
        return -1
      }
      return FileOperations.system.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[..<taken]))
    }
    return try QueueFiles.open(files.folder, operations: operations)
  }

  private mutating func perform(_ action: QueueAction) throws -> String? {
    switch action {
    case .crash: return try reopen()
    case .damage(let damage, let place): return try reopen(damage, place)
    default: return try call(action) ?? check()
    }
  }

  private mutating func call(_ action: QueueAction) throws -> String? {
    guard let storage else { return "there is no storage" }
    switch action {
    case .crash, .damage: break
    case .append(let count):
      try storage.append(newEvents(count))
      list += next - count..<next
    case .prepend(let count):
      try storage.prepend(newEvents(count))
      list.insert(contentsOf: next - count..<next, at: 0)
    case .read(let limit):
      let read = try storage.first(limit).map(\.number)
      if read != Array(list.prefix(limit)) { return "read \(read) of \(list)" }
    case .remove(let count):
      try storage.removeFirst(count)
      list.removeFirst(min(count, list.count))
    case .removeAll:
      try storage.removeAll()
      (list, isExact) = ([], false)
    case .fillDisk(let bytes, let prepends):
      let events = newEvents(9)
      room.withLock { $0 = bytes }
      defer { room.withLock { $0 = .max } }
      do {
        if prepends { try storage.prepend(events) } else { try storage.append(events) }
        return "stored 9 events in \(bytes) bytes"
      } catch {
        if error.message.isEmpty { return "it fails without a reason" }
      }
    }
    return nil
  }

  private mutating func newEvents(_ count: Int) -> [QueuedEvent] {
    next += count
    return EventSamples.events(next - count..<next, padding: next % 90)
  }

  private mutating func check() -> String? {
    guard let storage else { return nil }
    let damage = storage.takeDamage()
    told += damage.events
    if !isDamaged, !damage.isEmpty { return "it tells of \(damage) where nothing is damaged" }
    return storage.count == list.count ? nil : "it has \(storage.count) events instead of \(list.count)"
  }

  private mutating func reopen(_ damage: QueueAction.Damage? = nil, _ place: Int = 0) throws -> String? {
    storage = nil
    if let damage { try self.damage(damage, place) }
    storage = try open()
    let leftovers = files.all.filter { PathParts($0).name.hasPrefix(".") }
    return leftovers.isEmpty ? check() : "\(leftovers) are left over"
  }

  private mutating func drain() throws -> String? {
    guard let storage else { return nil }
    while !list.isEmpty {
      let read = try storage.first(7).map(\.number)
      if read != Array(list.prefix(7)) { return "drained \(read) of \(list)" }
      try storage.removeFirst(7)
      list.removeFirst(min(7, list.count))
      if let fault = check() { return fault }
    }
    if isExact, told < lost { return "it told of \(told) of \(lost) damaged events" }
    let left = files.all.filter { !$0.contains(DamagedFile.suffix) && !$0.hasSuffix(".lock") }
    return left.isEmpty ? nil : "empty, it leaves \(left)"
  }
}

// MARK: Damage

extension QueueModel {
  private mutating func damage(_ damage: QueueAction.Damage, _ place: Int) throws {
    let segments = files.segments
    guard !segments.isEmpty else { return }
    let path = segments[place % segments.count]
    var bytes = files.bytes(path)
    switch damage {
    case .event:
      guard !list.isEmpty else { return }
      try damageEvent(list[place % list.count], place)
    case .header:
      lose(listed(in: bytes))
      isDamaged = true
      bytes[place % QueueFiles.versionSize] ^= 1 << UInt8(place % 8)
      try files.write(bytes, to: path)
    case .deletedSegment:
      lose(listed(in: bytes))
      (isDamaged, isExact) = (true, false)
      Posix.unlink(path)
    case .swappedSegments:
      let other = segments[place / 7 % segments.count]
      try files.write(files.bytes(other), to: path)
      try files.write(bytes, to: other)
    case .tornTail:
      let record = try EventRecord.bytes(of: EventSamples.event(-1), number: 0)
      if place % record.count > 0 { isDamaged = true }
      try files.write(bytes + record.prefix(place % record.count), to: path)
    case .leftover:
      try files.write([1, 2, 3], to: PathParts.join(files.folder, ".queue.v1.0123456789abcdef.optimizing"))
    }
  }

  private mutating func damageEvent(_ number: Int, _ place: Int) throws {
    guard let path = files.segment(of: number) else { return }
    var bytes = files.bytes(path)
    guard let range = files.place(of: number, in: bytes) else { return }
    bytes[range.lowerBound + place % range.count] ^= 1 << UInt8(place % 8)
    try files.write(bytes, to: path)
    isDamaged = true
    lose([number])
  }

  private func listed(in bytes: [UInt8]) -> Set<Int> {
    Set(list.filter { files.place(of: $0, in: bytes) != nil })
  }

  private mutating func lose(_ numbers: Set<Int>) {
    list.removeAll(where: numbers.contains)
    lost += numbers.count
  }
}
